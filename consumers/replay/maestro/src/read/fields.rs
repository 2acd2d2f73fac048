//! Keys of a map, and the kinds of values.

use contract::command::nearest;
use javascript::template;

use super::{Reader, Scope};
use crate::{
    model::{Number, Text},
    yaml::{At, Entry, Node, Yaml},
};

/// The keys of one map; those that nobody asked for are reported in the end.
pub(super) struct Fields<'n> {
    what: String,
    entries: &'n [Entry],
    pub at: At,
    known: Vec<&'static str>,
}

impl<'n> Fields<'n> {
    /// The value of a key, which counts as known from now on.
    pub fn take(&mut self, key: &'static str) -> Option<&'n Node> {
        self.known.push(key);
        let entries = self.entries;
        entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// Where a key stands.
    pub fn place(&self, key: &str) -> At {
        self.entries.iter().find(|entry| entry.key == key).map_or(self.at, |entry| entry.at)
    }

    /// Whether a key is there, without making it known.
    pub fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }
}

impl Reader<'_> {
    /// The keys of a map; anything else is wrong.
    pub fn fields<'n>(&mut self, scope: &Scope, node: &'n Node, what: &str) -> Option<Fields<'n>> {
        match &node.value {
            Yaml::Map(entries) => Some(Fields { what: what.to_owned(), entries, at: node.at, known: Vec::new() }),
            other => {
                self.wrong(scope, node.at, format!("{what} takes keys and values, not {}", other.kind()), None);
                None
            }
        }
    }

    /// Reports keys that nobody asked for.
    pub fn finish(&mut self, scope: &Scope, fields: Fields<'_>) {
        for entry in fields.entries.iter().filter(|entry| !fields.known.contains(&entry.key.as_str())) {
            let hint = match nearest(&entry.key, fields.known.iter().copied()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("{} takes {}", fields.what, fields.known.join(", ")),
            };
            self.wrong(scope, entry.at, format!("{} has no key {:?}", fields.what, entry.key), hint);
        }
    }

    /// A key of Maestro's that cannot be honoured here.
    pub fn refuse(&mut self, scope: &Scope, fields: &mut Fields<'_>, key: &'static str, why: &str) {
        if let Some(node) = fields.take(key)
            && !matches!(&node.value, Yaml::Scalar(text) if text == "false")
        {
            let at = fields.place(key);
            self.wrong(scope, at, format!("{key} cannot be honoured here: {why}"), None);
        }
    }

    /// A text with its expressions told apart.
    pub fn text(&mut self, scope: &Scope, node: &Node, what: &str) -> Option<Text> {
        let raw = match &node.value {
            Yaml::Scalar(text) => text.clone(),
            other => {
                self.wrong(scope, node.at, format!("{what} is a text, not {}", other.kind()), None);
                return None;
            }
        };
        match template::parts(&raw) {
            Ok(parts) => {
                self.expressions(scope, &parts, node.at);
                Some(Text { raw, parts, line: node.at.line, column: node.at.column })
            }
            Err(_) => {
                let hint = "write \\${ where no expression is meant".to_owned();
                self.wrong(scope, node.at, format!("a ${{ in {what} has no }} that ends it"), hint);
                None
            }
        }
    }

    /// The text of a key.
    pub fn text_at(&mut self, scope: &Scope, fields: &mut Fields<'_>, key: &'static str) -> Option<Text> {
        let node = fields.take(key)?;
        self.text(scope, node, key)
    }

    /// The text of a key that must be there.
    pub fn needed(&mut self, scope: &Scope, fields: &mut Fields<'_>, key: &'static str) -> Option<Text> {
        if !fields.has(key) {
            let what = fields.what.clone();
            fields.known.push(key);
            self.wrong(scope, fields.at, format!("{what} needs {key}"), None);
            return None;
        }
        self.text_at(scope, fields, key)
    }

    /// A text that is known before anything runs.
    pub fn known(&mut self, scope: &Scope, node: &Node, what: &str) -> Option<String> {
        let text = self.text(scope, node, what)?;
        let plain = text.plain().map(str::to_owned);
        if plain.is_none() {
            let hint = "it is checked before the first step: write it out".to_owned();
            self.wrong(scope, node.at, format!("{what} must be known before the flow runs"), hint);
        }
        plain
    }

    /// `true` or `false` of a key; `false` where it is not there.
    pub fn switch(&mut self, scope: &Scope, fields: &mut Fields<'_>, key: &'static str) -> Option<bool> {
        let node = fields.take(key)?;
        match &node.value {
            Yaml::Scalar(text) if text.eq_ignore_ascii_case("true") => Some(true),
            Yaml::Scalar(text) if text.eq_ignore_ascii_case("false") => Some(false),
            _ => {
                self.wrong(scope, node.at, format!("{key} is true or false"), None);
                None
            }
        }
    }

    /// A number within bounds: checked now where it is written out, else when it is known.
    pub fn number(
        &mut self,
        scope: &Scope,
        node: &Node,
        what: &'static str,
        bounds: std::ops::RangeInclusive<f64>,
    ) -> Option<Number> {
        let text = self.text(scope, node, what)?;
        let number = Number { text, what, least: *bounds.start(), most: *bounds.end() };
        if let Some(plain) = number.text.plain()
            && let Err(why) = number.read(plain)
        {
            self.wrong(scope, node.at, why, None);
            return None;
        }
        Some(number)
    }

    /// The number of a key.
    pub fn number_at(
        &mut self,
        scope: &Scope,
        fields: &mut Fields<'_>,
        key: &'static str,
        bounds: std::ops::RangeInclusive<f64>,
    ) -> Option<Number> {
        let node = fields.take(key)?;
        self.number(scope, node, key, bounds)
    }

    /// One of several words, letter case ignored.
    pub fn word<T: Copy>(&mut self, scope: &Scope, node: &Node, what: &str, words: &[(&str, T)]) -> Option<T> {
        let text = match &node.value {
            Yaml::Scalar(text) => text.trim(),
            _ => "",
        };
        let found = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).map(|(_, value)| *value);
        if found.is_none() {
            let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.wrong(scope, node.at, format!("{what} is one of {}, not {text:?}", all.join(", ")), None);
        }
        found
    }

    /// Names with their texts.
    pub fn pairs(&mut self, scope: &Scope, node: &Node, what: &str) -> Vec<(String, Text)> {
        let Yaml::Map(entries) = &node.value else {
            if !matches!(node.value, Yaml::Null) {
                self.wrong(scope, node.at, format!("{what} is names with values, not {}", node.value.kind()), None);
            }
            return Vec::new();
        };
        let mut pairs = Vec::new();
        for entry in entries {
            // `KEY:` without a value is the empty text: that is how such variables are written.
            let value = match &entry.value.value {
                Yaml::Null => Node { at: entry.value.at, value: Yaml::Scalar(String::new()) },
                _ => entry.value.clone(),
            };
            if let Some(text) = self.text(scope, &value, &entry.key) {
                pairs.push((entry.key.clone(), text));
            }
        }
        pairs
    }

    /// Variables: pairs whose names a script can use.
    pub fn variables(&mut self, scope: &Scope, node: &Node) -> Vec<(String, Text)> {
        let pairs = self.pairs(scope, node, "env");
        for (name, text) in &pairs {
            let mut letters = name.chars();
            let first = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '_');
            if !first || !letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
                let at = At { line: text.line, column: text.column };
                let hint = "use letters, digits and _: scripts read it by this name".to_owned();
                self.wrong(scope, at, format!("{name:?} is no name of a variable"), hint);
            }
        }
        pairs
    }

    /// A list of texts known before anything runs; one text alone is a list of one.
    pub fn names(&mut self, scope: &Scope, node: &Node, what: &str) -> Vec<String> {
        match &node.value {
            Yaml::List(nodes) => nodes.iter().filter_map(|node| self.known(scope, node, what)).collect(),
            Yaml::Null => Vec::new(),
            _ => self.known(scope, node, what).into_iter().collect(),
        }
    }
}

impl Number {
    /// The number in a text, held to its bounds.
    pub fn read(&self, text: &str) -> Result<f64, String> {
        let text = text.trim().replace('_', "");
        text.parse::<f64>()
            .ok()
            .filter(|number| *number >= self.least && *number <= self.most)
            .ok_or_else(|| format!("{} is a number from {} to {}, not {text:?}", self.what, self.least, self.most))
    }
}
