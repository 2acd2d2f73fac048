//! One step: which command it is.

use contract::command::nearest;

use super::{Reader, Scope, fields::Fields};
use crate::{
    model::{Action, Step, Text},
    table::{self, Verdict},
    yaml::{At, Node, Yaml},
};

/// A command as it stands in the file.
pub(super) struct Call<'n> {
    pub name: &'n str,
    pub at: At,
    /// What stands behind its name.
    pub value: Option<&'n Node>,
}

/// What every command takes.
#[derive(Default)]
pub(super) struct Outer {
    pub label: Option<Text>,
    pub optional: bool,
}

pub(super) type Parsed = Option<(Action, Outer)>;

impl Reader<'_> {
    pub fn step(&mut self, scope: &Scope, node: &Node) -> Option<Step> {
        let call = self.call(scope, node)?;
        let Some(row) = table::COMMANDS.iter().find(|row| row.name == call.name) else {
            let hint = match nearest(call.name, table::COMMANDS.iter().map(|row| row.name)) {
                Some(near) => format!("did you mean {near}?"),
                None => "docs/reference/maestro.md lists the commands".to_owned(),
            };
            self.wrong(scope, call.at, format!("there is no command {:?}", call.name), hint);
            return None;
        };
        if row.verdict == Verdict::Missing {
            self.wrong(scope, call.at, format!("{} is not supported", call.name), row.says.to_owned());
            return None;
        }
        let summary = summary(&call);
        let (action, outer) = self.action(scope, &call)?;
        Some(Step { place: scope.place(call.at.line), summary, label: outer.label, optional: outer.optional, action })
    }

    fn call<'n>(&mut self, scope: &Scope, node: &'n Node) -> Option<Call<'n>> {
        match &node.value {
            Yaml::Scalar(name) => Some(Call { name, at: node.at, value: None }),
            Yaml::Map(entries) => {
                let first = entries.first()?;
                if let Some(second) = entries.get(1) {
                    let hint = format!("indent what belongs to {} further, or begin a new step with - ", first.key);
                    let message = format!("{:?} stands beside {}, where one command is meant", second.key, first.key);
                    self.wrong(scope, second.at, message, hint);
                    return None;
                }
                let value = Some(&first.value).filter(|value| !matches!(value.value, Yaml::Null));
                Some(Call { name: &first.key, at: first.at, value })
            }
            other => {
                let message = format!("a command is a name with what it takes, not {}", other.kind());
                self.wrong(scope, node.at, message, None);
                None
            }
        }
    }

    fn action(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        match call.name {
            "tapOn" | "doubleTapOn" | "longPressOn" => self.tap(scope, call),
            "scroll" => self.bare(scope, call, Action::Scroll),
            "scrollUntilVisible" => self.scroll_until(scope, call),
            "swipe" => self.swipe(scope, call),
            "drag" => self.drag(scope, call),
            "assertVisible" => self.about(scope, call, Action::Visible),
            "assertNotVisible" => self.about(scope, call, Action::NotVisible),
            "copyTextFrom" => self.about(scope, call, Action::CopyFrom),
            "assertTrue" | "assertEqual" | "assertNotEqual" | "extendedWaitUntil" | "runFlow" | "repeat" | "retry"
            | "runScript" | "evalScript" => self.control(scope, call),
            "action" => self.old_action(scope, call),
            _ => self.device(scope, call),
        }
    }

    /// A command that takes nothing of its own.
    pub fn bare(&mut self, scope: &Scope, call: &Call<'_>, action: Action) -> Parsed {
        let Some(node) = call.value else { return Some((action, Outer::default())) };
        let mut fields = self.fields(scope, node, call.name)?;
        let outer = self.outer(scope, &mut fields);
        self.finish(scope, fields);
        Some((action, outer))
    }

    /// A command that takes one value, alone or under its key.
    pub fn single<'n>(
        &mut self,
        scope: &Scope,
        call: &Call<'n>,
        key: &'static str,
    ) -> Option<(Option<&'n Node>, Outer)> {
        let Some(node) = call.value else { return Some((None, Outer::default())) };
        let Yaml::Map(_) = node.value else { return Some((Some(node), Outer::default())) };
        let mut fields = self.fields(scope, node, call.name)?;
        let value = fields.take(key).filter(|value| !matches!(value.value, Yaml::Null));
        let outer = self.outer(scope, &mut fields);
        self.finish(scope, fields);
        Some((value, outer))
    }

    /// The one text that a command cannot do without.
    pub fn only_text(&mut self, scope: &Scope, call: &Call<'_>, key: &'static str) -> Option<(Text, Outer)> {
        let (node, outer) = self.single(scope, call, key)?;
        let Some(node) = node else {
            self.wrong(scope, call.at, format!("{} needs {key}", call.name), format!("write {}: ...", call.name));
            return None;
        };
        Some((self.text(scope, node, key)?, outer))
    }

    /// A command about one element.
    fn about(
        &mut self,
        scope: &Scope,
        call: &Call<'_>,
        action: impl FnOnce(crate::model::Element) -> Action,
    ) -> Parsed {
        let node = self.value(scope, call, "an element: a text, or keys such as text and id")?;
        if let Yaml::Scalar(_) = node.value {
            return Some((action(self.element(scope, node, call.name)?), Outer::default()));
        }
        let before = self.problems.len();
        let mut fields = self.fields(scope, node, call.name)?;
        let element = self.element_keys(scope, &mut fields, 0);
        let outer = self.outer(scope, &mut fields);
        let at = fields.at;
        self.finish(scope, fields);
        Some((action(self.naming(scope, element, at, call.name, before)?), outer))
    }

    /// What stands behind the name, which must be something.
    pub fn value<'n>(&mut self, scope: &Scope, call: &Call<'n>, wanted: &str) -> Option<&'n Node> {
        if call.value.is_none() {
            self.wrong(scope, call.at, format!("{} needs {wanted}", call.name), None);
        }
        call.value
    }

    pub fn outer(&mut self, scope: &Scope, fields: &mut Fields<'_>) -> Outer {
        Outer {
            label: self.text_at(scope, fields, "label"),
            optional: self.switch(scope, fields, "optional").unwrap_or(false),
        }
    }

    /// The spelling of Maestro's first versions.
    fn old_action(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let node = self.value(scope, call, "one of back, hideKeyboard, scroll, pasteText, clearKeychain")?;
        let actions = [("back", 0), ("hideKeyboard", 1), ("scroll", 2), ("pasteText", 3), ("clearKeychain", 4)];
        let action = match self.word(scope, node, "action", &actions)? {
            0 => Action::Back,
            1 => Action::HideKeyboard,
            2 => Action::Scroll,
            3 => Action::Paste,
            _ => Action::ClearKeychain,
        };
        Some((action, Outer::default()))
    }
}

/// The longest value shown in a step's text, characters.
const SHOWN: usize = 80;

/// A step as a person reads it: the command and what tells it from others of its kind.
fn summary(call: &Call<'_>) -> String {
    const TELLING: &[&str] = &[
        "text",
        "id",
        "point",
        "element",
        "visible",
        "notVisible",
        "file",
        "appId",
        "url",
        "link",
        "key",
        "path",
        "condition",
        "direction",
        "start",
        "from",
        "times",
        "while",
        "value",
        "maxRetries",
        "script",
        "below",
    ];
    let Some(node) = call.value else { return call.name.to_owned() };
    let main = match &node.value {
        Yaml::Scalar(text) => Some(text.clone()),
        Yaml::Map(entries) => TELLING
            .iter()
            .find_map(|key| entries.iter().find(|entry| entry.key == *key))
            .and_then(|entry| shown(&entry.value)),
        _ => None,
    };
    match main {
        Some(main) => {
            let main = main.split_whitespace().collect::<Vec<_>>().join(" ");
            let cut = if main.chars().count() > SHOWN { "..." } else { "" };
            format!("{}: {}{cut}", call.name, main.chars().take(SHOWN).collect::<String>())
        }
        None => call.name.to_owned(),
    }
}

fn shown(node: &Node) -> Option<String> {
    match &node.value {
        Yaml::Scalar(text) => Some(text.clone()),
        Yaml::Map(entries) => entries.iter().find_map(|entry| match &entry.value.value {
            Yaml::Scalar(text) => Some(format!("{} {text}", entry.key)),
            _ => None,
        }),
        _ => None,
    }
}
