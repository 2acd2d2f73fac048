//! The header of a flow: name, tags, app, env, hooks.

use super::{Reader, Scope};
use crate::{
    model::{Flow, Step},
    yaml::{Node, Yaml},
};

/// Lists of commands in each other at most, through all files.
const DEEPEST: usize = 40;

impl Reader<'_> {
    pub fn header_and_steps(&mut self, mut scope: Scope, header: &Node, steps: &Node) -> Option<Flow> {
        let mut fields = self.fields(&scope, header, "the header")?;
        let name = fields.take("name").and_then(|node| self.known(&scope, node, "name"));
        let app = self.text_at(&scope, &mut fields, "appId");
        let url = self.text_at(&scope, &mut fields, "url");
        if app.is_some() && url.is_some() {
            let at = fields.place("url");
            self.wrong(&scope, at, "appId and url exclude each other", "a flow is for one app or one page".to_owned());
        }
        if !fields.has("appId") && !fields.has("url") {
            let hint = "write appId: com.example.app, or url: https://... for a page".to_owned();
            self.wrong(&scope, header.at, "the header names neither appId nor url", hint);
        }
        let web = url.is_some();
        scope.app = app.or(url);
        let tags = fields.take("tags").map_or_else(Vec::new, |node| self.names(&scope, node, "tags"));
        let env = fields.take("env").map_or_else(Vec::new, |node| self.variables(&scope, node));
        let properties = fields.take("properties").map_or_else(Vec::new, |node| self.pairs(&scope, node, "properties"));
        let properties = properties.into_iter().map(|(name, text)| (name, text.raw)).collect();
        // One engine runs them all, so that which one is asked for makes no difference.
        if let Some(node) = fields.take("jsEngine") {
            self.word(&scope, node, "jsEngine", &[("graaljs", ()), ("rhino", ())]);
        }
        self.refuse(
            &scope,
            &mut fields,
            "androidWebViewHierarchy",
            "pages inside apps are read as the system shows them",
        );
        self.refuse(&scope, &mut fields, "identifierConfig", "ids are read as the page's own test ids and ids");
        let on_start = fields.take("onFlowStart").map_or_else(Vec::new, |node| self.steps(&scope, node, "onFlowStart"));
        let on_complete =
            fields.take("onFlowComplete").map_or_else(Vec::new, |node| self.steps(&scope, node, "onFlowComplete"));
        self.finish(&scope, fields);
        let steps = self.steps(&scope, steps, "the flow");
        Some(Flow {
            path: scope.path,
            file: scope.file,
            name,
            tags,
            app: scope.app,
            web,
            properties,
            env,
            on_start,
            on_complete,
            steps,
        })
    }

    /// A list of commands.
    pub fn steps(&mut self, scope: &Scope, node: &Node, what: &str) -> Vec<Step> {
        if self.depth >= DEEPEST {
            self.wrong(scope, node.at, format!("commands stand more than {DEEPEST} deep in each other"), None);
            return Vec::new();
        }
        self.depth += 1;
        let steps = self.steps_at_depth(scope, node, what);
        self.depth -= 1;
        steps
    }

    fn steps_at_depth(&mut self, scope: &Scope, node: &Node, what: &str) -> Vec<Step> {
        match &node.value {
            Yaml::List(nodes) => nodes.iter().filter_map(|node| self.step(scope, node)).collect(),
            Yaml::Null => Vec::new(),
            other => {
                let message = format!("{what} is a list of commands, not {}", other.kind());
                self.wrong(scope, node.at, message, "begin each command with - ".to_owned());
                Vec::new()
            }
        }
    }
}
