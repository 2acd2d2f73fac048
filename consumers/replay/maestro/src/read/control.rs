//! Conditions, loops, other flows, scripts.

use javascript::template::Part;

use super::{
    Named, Reader, Scope,
    command::{Call, Outer, Parsed},
    fields::Fields,
    touch::WAIT_MS,
};
use crate::{
    model::{Action, Body, Condition, Platform, Text},
    yaml::{At, Node, Yaml},
};

const PLATFORMS: &[(&str, Platform)] =
    &[("Android", Platform::Android), ("iOS", Platform::Ios), ("Web", Platform::Web), ("Stage", Platform::Stage)];
/// Rounds of one repeat at most.
pub(crate) const MOST_ROUNDS: f64 = 10_000.0;
/// Maestro's own limit.
const MOST_RETRIES: f64 = 3.0;

impl Reader<'_> {
    pub fn control(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        match call.name {
            "assertTrue" => self.only_text(scope, call, "condition").map(|(text, outer)| (Action::Holds(text), outer)),
            "assertEqual" | "assertNotEqual" => {
                let node = self.value(scope, call, "value1 and value2")?;
                let mut fields = self.fields(scope, node, call.name)?;
                let left = self.needed(scope, &mut fields, "value1");
                let right = self.needed(scope, &mut fields, "value2");
                let outer = self.outer(scope, &mut fields);
                self.finish(scope, fields);
                Some((Action::Equal { left: left?, right: right?, equal: call.name == "assertEqual" }, outer))
            }
            "extendedWaitUntil" => self.wait_until(scope, call),
            "runFlow" => self.run_flow(scope, call),
            "repeat" => self.repeat(scope, call),
            "retry" => self.retry(scope, call),
            "runScript" => self.run_script(scope, call),
            _ => self.eval_script(scope, call),
        }
    }

    fn wait_until(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let node = self.value(scope, call, "visible or notVisible, and timeout")?;
        let mut fields = self.fields(scope, node, call.name)?;
        let visible = fields.take("visible").map(|node| self.element(scope, node, "visible"));
        let not_visible = fields.take("notVisible").map(|node| self.element(scope, node, "notVisible"));
        let timeout = self.number_at(scope, &mut fields, "timeout", WAIT_MS);
        let outer = self.outer(scope, &mut fields);
        let at = fields.at;
        self.finish(scope, fields);
        if visible.is_none() && not_visible.is_none() {
            self.wrong(scope, at, "extendedWaitUntil needs visible or notVisible", None);
            return None;
        }
        let (visible, not_visible) = (visible.flatten(), not_visible.flatten());
        let optional = visible.iter().chain(&not_visible).any(|element| element.optional);
        let outer = Outer { optional: outer.optional || optional, ..outer };
        Some((Action::WaitUntil { visible, not_visible, timeout }, outer))
    }

    fn run_flow(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let node = self.value(scope, call, "a file or commands")?;
        if let Yaml::Scalar(_) = node.value {
            let body = self.file_body(scope, node)?;
            return Some((Action::RunFlow { body, when: None, env: Vec::new() }, Outer::default()));
        }
        let mut fields = self.fields(scope, node, call.name)?;
        let body = self.body(scope, &mut fields, call.name);
        let when = self.when(scope, &mut fields);
        let env = fields.take("env").map_or_else(Vec::new, |node| self.variables(scope, node));
        let outer = self.outer(scope, &mut fields);
        self.finish(scope, fields);
        Some((Action::RunFlow { body: body?, when, env }, outer))
    }

    fn repeat(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let node = self.value(scope, call, "times or while, and commands")?;
        let mut fields = self.fields(scope, node, call.name)?;
        let (bounded, asked) = (fields.has("times"), fields.has("while"));
        let times = self.number_at(scope, &mut fields, "times", 0.0..=MOST_ROUNDS);
        let condition = fields.take("while").and_then(|node| self.condition(scope, node, "while"));
        let steps = match fields.take("commands") {
            Some(node) => self.steps(scope, node, "commands"),
            None => {
                self.wrong(scope, fields.at, "repeat needs commands", None);
                Vec::new()
            }
        };
        let outer = self.outer(scope, &mut fields);
        let at = fields.at;
        self.finish(scope, fields);
        if !bounded && !asked {
            self.wrong(scope, at, "repeat needs times or while", "without either it never ends".to_owned());
            return None;
        }
        Some((Action::Repeat { times, condition, steps }, outer))
    }

    fn retry(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let node = self.value(scope, call, "a file or commands")?;
        let mut fields = self.fields(scope, node, call.name)?;
        let body = self.body(scope, &mut fields, call.name);
        let one = Node { at: fields.at, value: Yaml::Scalar("1".to_owned()) };
        let most = fields.take("maxRetries").unwrap_or(&one);
        let most = self.number(scope, most, "maxRetries", 0.0..=MOST_RETRIES);
        let env = fields.take("env").map_or_else(Vec::new, |node| self.variables(scope, node));
        let outer = self.outer(scope, &mut fields);
        self.finish(scope, fields);
        Some((Action::Retry { most: most?, body: body?, env }, outer))
    }

    fn run_script(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let node = self.value(scope, call, "a file")?;
        let (file, env, when, outer) = match &node.value {
            Yaml::Scalar(_) => (Some(node), Vec::new(), None, Outer::default()),
            _ => {
                let mut fields = self.fields(scope, node, call.name)?;
                let file = fields.take("file");
                let env = fields.take("env").map_or_else(Vec::new, |node| self.variables(scope, node));
                let when = self.when(scope, &mut fields);
                let outer = self.outer(scope, &mut fields);
                self.finish(scope, fields);
                (file, env, when, outer)
            }
        };
        let Some(file) = file else {
            self.wrong(scope, call.at, "runScript needs a file", None);
            return None;
        };
        let name = self.known(scope, file, "file")?;
        let path = self.beside(scope, &name);
        let script = self.script(&path, &Named { from: scope, at: file.at })?;
        Some((Action::RunScript { script, env, when }, outer))
    }

    fn eval_script(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let (text, outer) = self.only_text(scope, call, "script")?;
        if !text.parts.iter().any(|part| matches!(part, Part::Code { .. })) {
            let at = At { line: text.line, column: text.column };
            self.wrong(
                scope,
                at,
                "there is no ${...} in the script: nothing would run",
                format!("write ${{{}}}", text.raw),
            );
            return None;
        }
        Some((Action::EvalScript(text), outer))
    }

    /// A file or a list of commands.
    fn body(&mut self, scope: &Scope, fields: &mut Fields<'_>, what: &str) -> Option<Body> {
        let file = fields.take("file");
        let commands = fields.take("commands");
        match (file, commands) {
            (Some(file), None) => self.file_body(scope, file),
            (None, Some(commands)) => Some(Body::Steps(self.steps(scope, commands, "commands"))),
            (Some(_), Some(_)) => {
                let at = fields.place("commands");
                self.wrong(scope, at, format!("{what} takes file or commands, not both"), None);
                None
            }
            (None, None) => {
                self.wrong(scope, fields.at, format!("{what} needs file or commands"), None);
                None
            }
        }
    }

    fn file_body(&mut self, scope: &Scope, node: &Node) -> Option<Body> {
        let name = self.known(scope, node, "file")?;
        let path = self.beside(scope, &name);
        self.flow(&path, Some(&Named { from: scope, at: node.at })).map(Body::File)
    }

    fn when(&mut self, scope: &Scope, fields: &mut Fields<'_>) -> Option<Condition> {
        fields.take("when").and_then(|node| self.condition(scope, node, "when"))
    }

    fn condition(&mut self, scope: &Scope, node: &Node, what: &str) -> Option<Condition> {
        let mut fields = self.fields(scope, node, what)?;
        let platform = match fields.take("platform") {
            Some(node) => self.word(scope, node, "platform", PLATFORMS).zip(match &node.value {
                Yaml::Scalar(text) => Some(text.clone()),
                _ => None,
            }),
            None => None,
        };
        let condition = Condition {
            platform,
            visible: fields.take("visible").and_then(|node| self.element(scope, node, "visible")),
            not_visible: fields.take("notVisible").and_then(|node| self.element(scope, node, "notVisible")),
            holds: self.text_at(scope, &mut fields, "true"),
            equal: fields.take("equal").and_then(|node| self.two(scope, node, "equal")),
            not_equal: fields.take("notEqual").and_then(|node| self.two(scope, node, "notEqual")),
        };
        // A name for reports; the step has its own.
        self.text_at(scope, &mut fields, "label");
        let empty =
            !["platform", "visible", "notVisible", "true", "equal", "notEqual"].iter().any(|key| fields.has(key));
        let at = fields.at;
        self.finish(scope, fields);
        if empty {
            self.wrong(
                scope,
                at,
                format!("{what} has no condition"),
                "use platform, visible, notVisible or true".to_owned(),
            );
        }
        Some(condition)
    }

    fn two(&mut self, scope: &Scope, node: &Node, what: &str) -> Option<(Text, Text)> {
        let mut fields = self.fields(scope, node, what)?;
        let left = self.needed(scope, &mut fields, "value1");
        let right = self.needed(scope, &mut fields, "value2");
        self.finish(scope, fields);
        left.zip(right)
    }
}
