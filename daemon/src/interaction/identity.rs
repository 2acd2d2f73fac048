//! Whether a target still is what it was when its step was recorded. Asked on the capture on which it was found, before
//! anything is sent or answered: no wait, no second look. What is there and is something else is not what the wait is for.
//!
//! Commands that only read are held to it like those that act: the value of another element is a wrong answer that looks
//! like a right one. `wait` is not: it asks that something comes, and the step that then acts on it is held to what it was.

use contract::{Code, Expected, Failure, Row};
use screen::{Tree, describe, recorded};
use serde_json::{Map, Value};

use super::resolve::Found;
use crate::run::Run;

/// Characters of what a target lies in that a message repeats at most.
const WITHIN: usize = 80;

/// Which of a command's targets: the first of two where there are two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The only one, or what is picked up.
    First,
    /// Where it is let go.
    Second,
}

/// What a target of this command was, where the request says so.
pub fn expected<'r>(run: &'r Run<'_>, end: End) -> Option<&'r Expected> {
    run.expect.get(end as usize)
}

/// Refuses what is something else now.
///
/// # Errors
/// `ELEMENT_NOT_FOUND`, reason `identity_mismatch`, with both identities; `dispatched: no`.
pub fn as_recorded(run: &mut Run<'_>, target: &dyn std::fmt::Display, found: &Found, end: End) -> Result<(), Failure> {
    at_place(run, target, &found.tree, found.place, end)
}

/// The same for a place in the newest capture.
///
/// # Errors
/// As [`as_recorded`].
pub fn at_place(
    run: &mut Run<'_>,
    target: &dyn std::fmt::Display,
    tree: &Tree,
    place: u32,
    end: End,
) -> Result<(), Failure> {
    let Some(expected) = expected(run, end) else { return Ok(()) };
    let differs = recorded::differences(expected, tree, place);
    if differs.is_empty() {
        return Ok(());
    }
    let (was, expected) = (named(expected), expected.clone());
    let now = seen(tree, place);
    let is = named(&now);
    let reference = run.session.refs.show(tree).reference(place).to_string();
    let words: Vec<_> = differs.iter().map(|differs| differs.words()).collect();
    let words = words.join(", ");
    Err(Failure::refused(
        Row::DaemonRefusalIdentityMismatch,
        Code::ElementNotFound,
        format!("{target} finds {is} here, and was recorded on {was}: other {words}"),
    )
    .reason("identity_mismatch")
    .hint(
        "look whether this is the screen that the step is for; where it is meant after all, record the step again or \
         take out the comment above it",
    )
    .detail("expected", facts(&expected, None))
    .detail("found", facts(&now, Some(reference)))
    .detail("differs", serde_json::to_value(differs).unwrap_or_default()))
}

/// What a node is, in the words of a recording.
fn seen(tree: &Tree, place: u32) -> Expected {
    let text = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let Some(node) = tree.get(place) else { return Expected::default() };
    let label = |up: u32| tree.get(up).and_then(|up| text(describe::shown_label(up)));
    Expected {
        id: node.identifier.as_deref().and_then(text),
        role: Some(node.role.as_str().to_owned()),
        label: text(describe::shown_label(node)),
        within: tree.ancestors(place).find_map(label).into_iter().collect(),
        ambiguous: false,
    }
}

/// `[button] "Save" (id save) in "Notes"`.
fn named(expected: &Expected) -> String {
    let role = expected.role.as_deref().unwrap_or("element");
    let mut words = describe::named(role, expected.label.as_deref().unwrap_or_default());
    if let Some(id) = expected.id.as_deref().filter(|id| Some(*id) != expected.label.as_deref()) {
        words.push_str(&format!(" (id {})", contract::plain::line(id)));
    }
    if let Some(within) = expected.within.first() {
        let within: String = within.chars().take(WITHIN).collect();
        words.push_str(&format!(" in {}", contract::quote::value(&within)));
    }
    words
}

fn facts(expected: &Expected, reference: Option<String>) -> Value {
    let mut facts = match serde_json::to_value(expected) {
        Ok(Value::Object(facts)) => facts,
        _ => Map::new(),
    };
    facts.remove("ambiguous");
    if let Some(reference) = reference {
        facts.insert("ref".to_owned(), reference.into());
    }
    Value::Object(facts)
}
