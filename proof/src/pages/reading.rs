//! One page: what we say of each interactive node, what the browser says, what a library says.

use std::{fs, time::Duration};

use backend::{Device, Input};
use screen::{NodeKey, Role, States};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use webdriver::{page::scope_of, reply::ELEMENT};
use wire::Context;

use super::{
    connection::Connection,
    listing::{self, Page},
    words,
};

/// How long a page may take to be asked for, and to load.
const LOAD_LIMIT: Duration = Duration::from_secs(30);
/// A page is read after it has not changed for this long: some show nothing until their scripts have loaded more scripts.
const QUIET: Duration = Duration::from_millis(500);
/// How long a page may go on changing before it is read as it is.
const QUIET_LIMIT: Duration = Duration::from_secs(6);
/// Pause between two looks at a page that changes.
const PAUSE: Duration = Duration::from_millis(50);
/// More nodes than any of the pages has.
const MAX_NODES: u32 = 20_000;
/// How often a page is read that changes under the reading.
const READINGS: u32 = 3;

/// Of the agent's numbers in the first argument: the document, the elements, their tag and first class, their names
/// by the library. An element of another document cannot be handed out here and is `null`.
const ELEMENTS: &str = "const agent = window[Symbol.for('agent-device')];\
 const here = arguments[0].map((id) => agent.element(id)).map((e) => e && e.ownerDocument === document ? e : null);\
 const say = (e) => { try { return DomAccessibilityApi.computeAccessibleName(e, {computedStyleSupportsPseudoElements: true}); }\
  catch (fault) { return 'fault: ' + fault; } };\
 return [agent.doc, here, here.map((e) => e ? e.localName + (e.classList[0] ? '.' + e.classList[0] : '') : ''),\
  here.map((e) => e ? say(e) : '')];";

/// Changes with what can be seen; empty until the page has loaded.
const DIGEST: &str = "const agent = window[Symbol.for('agent-device')];\
 return document.readyState === 'complete' && agent ? JSON.parse(agent.call('digest')).ok.digest : '';";

/// A node on which we and the browser differ.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// On which page.
    pub page: String,
    /// Tag and first class of the element.
    pub element: String,
    /// `role`, `name`, `role and name`; `unread`: the browser could not be asked.
    pub what: String,
    /// What we say.
    pub ours: String,
    /// What the browser says.
    pub browser: String,
}

/// What a page came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// Which page.
    pub page: String,
    /// Interactive nodes, but for those inside `aria-hidden` or `inert`: the browser has no role for them.
    pub nodes: usize,
    /// How many there are at least, by the list.
    pub expected: usize,
    /// How many have the browser's name.
    pub names: usize,
    /// How many have the browser's name by the library.
    pub library: usize,
    /// Nodes with another role or another name, in document order.
    pub differences: Vec<Difference>,
}

impl Reading {
    /// How many have the browser's role and name.
    pub const fn equal(&self) -> usize {
        self.nodes.saturating_sub(self.differences.len())
    }
}

/// What we say of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Ours {
    key: NodeKey,
    role: Role,
    name: Box<str>,
    is_multiline: bool,
}

/// A browser, by the backend and beside it.
pub struct Reader<'a> {
    /// The backend's device.
    pub device: &'a dyn Device,
    /// The same session.
    pub connection: &'a mut Connection,
}

impl Reader<'_> {
    /// Opens a page and compares its interactive nodes.
    ///
    /// # Errors
    /// Why the page could not be read.
    pub async fn read(&mut self, page: &Page, address: String) -> Result<Reading, String> {
        let input = Input::Navigate { address, load_timeout_ms: LOAD_LIMIT.as_millis().try_into().unwrap_or(u64::MAX) };
        let context = Context::with_limit(LOAD_LIMIT * 2);
        self.device.perform(&context, input).await.map_err(|why| format!("{}: {why:?}", page.id))?;
        self.capture().await?;
        self.quiet().await;
        let mut ours = self.capture().await?;
        for _ in 0..READINGS {
            let reading = self.compare(page, &ours).await;
            let after = self.capture().await?;
            if after == ours {
                return Ok(reading);
            }
            ours = after;
        }
        Err(format!("{}: its interactive nodes changed under each of {READINGS} readings", page.id))
    }

    /// Waits until the page has not changed for a while; not for ever.
    async fn quiet(&mut self) {
        let end = Instant::now() + QUIET_LIMIT;
        let (mut last, mut since) = (Value::Null, Instant::now());
        while Instant::now() < end {
            let digest = self.connection.run(DIGEST, json!([])).await;
            if digest != last || digest == "" {
                (last, since) = (digest, Instant::now());
            } else if since.elapsed() >= QUIET {
                return;
            }
            sleep(PAUSE).await;
        }
    }

    async fn capture(&self) -> Result<Vec<Ours>, String> {
        let tree =
            self.device.capture(&Context::with_limit(LOAD_LIMIT), MAX_NODES).await.map_err(|why| format!("{why:?}"))?;
        if tree.truncated {
            return Err(format!("larger than {MAX_NODES} nodes"));
        }
        let nodes = tree.nodes().iter().filter(|node| {
            node.states.contains(States::INTERACTIVE) && !node.states.intersects(States::ARIA_HIDDEN | States::INERT)
        });
        let ours = nodes.filter_map(|node| {
            let is_multiline = node.states.contains(States::MULTILINE);
            Some(Ours { key: node.key?, role: node.role.clone(), name: node.name.clone(), is_multiline })
        });
        Ok(ours.collect())
    }

    async fn compare(&mut self, page: &Page, ours: &[Ours]) -> Reading {
        let library = fs::read_to_string(listing::folder().join("vendor/dom-accessibility-api.js"))
            .expect("the library is there");
        let numbers: Vec<u64> = ours.iter().map(|node| node.key.id).collect();
        let said = self.connection.run(&format!("{library}\n{ELEMENTS}"), json!([numbers])).await;
        let scope = scope_of(said[0].as_str().unwrap_or_default());
        let mut reading =
            Reading { page: page.id.clone(), nodes: ours.len(), expected: page.nodes, ..Reading::default() };
        for (at, node) in ours.iter().enumerate() {
            let text = |list: usize| said[list][at].as_str().unwrap_or_default().to_owned();
            let theirs = match said[1][at][ELEMENT].as_str().filter(|_| node.key.scope == scope) {
                Some(element) => self.theirs(element, node.is_multiline).await,
                None => Err("another document".to_owned()),
            };
            if let Ok((_, name)) = &theirs {
                reading.names += usize::from(*name == *node.name);
                reading.library += usize::from(*name == words::name(&text(3)));
            }
            if let Some((what, ours, browser)) = difference(node, &theirs) {
                let page = page.id.clone();
                reading.differences.push(Difference { page, element: text(2), what: what.to_owned(), ours, browser });
            }
        }
        reading
    }

    /// The browser's role and name of an element, in our words.
    async fn theirs(&mut self, element: &str, is_multiline: bool) -> Result<(Role, String), String> {
        let role = self.connection.of(element, "computedrole").await?;
        let name = self.connection.of(element, "computedlabel").await?;
        Ok((Role::from_aria(words::role(&role), is_multiline), words::name(&name)))
    }
}

/// In what they differ, and what each says.
fn difference(ours: &Ours, theirs: &Result<(Role, String), String>) -> Option<(&'static str, String, String)> {
    let (role, name) = match theirs {
        Ok(theirs) => theirs,
        Err(error) => return Some(("unread", format!("{}, {:?}", ours.role, ours.name), error.clone())),
    };
    match (ours.role == *role, *ours.name == **name) {
        (true, true) => None,
        (true, false) => Some(("name", ours.name.to_string(), name.clone())),
        (false, true) => Some(("role", ours.role.to_string(), role.to_string())),
        (false, false) => {
            Some(("role and name", format!("{}, {:?}", ours.role, ours.name), format!("{role}, {name:?}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_names_what_differs() {
        let ours = Ours {
            key: NodeKey { scope: 1, id: 1 },
            role: Role::of("button"),
            name: "Save".into(),
            is_multiline: false,
        };
        let against = |role: &'static str, name: &str| {
            difference(&ours, &Ok((Role::of(role), name.to_owned()))).map(|found| found.0)
        };
        assert_eq!(against("button", "Save"), None);
        assert_eq!(against("button", "Saved"), Some("name"));
        assert_eq!(against("link", "Save"), Some("role"));
        assert_eq!(against("link", ""), Some("role and name"));
        assert_eq!(difference(&ours, &Err("no such element".into())).map(|found| found.0), Some("unread"));
    }
}
