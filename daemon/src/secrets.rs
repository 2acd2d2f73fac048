//! Texts that a session typed and that nobody is to read: they are remembered as long as it is open, so that what repeats
//! them (a page that greets by name, an error that quotes) is written with the variable in their place.

use contract::{Command, Failure};
use serde_json::Value;

use crate::escaped;

/// Texts of fewer characters say nothing, and stand in every sentence.
const TELLING: usize = 4;
/// Texts remembered at most; the oldest goes first.
const MOST: usize = 256;

/// See the module.
#[derive(Debug, Clone, Default)]
pub struct Secrets {
    /// Variables and texts, the longest text first.
    texts: Vec<Secret>,
    /// How many had no name of their own.
    unnamed: usize,
    /// How many were remembered so far.
    count: u64,
}

#[derive(Clone)]
struct Secret {
    variable: String,
    text: String,
    /// As messages and JSON quote it.
    quoted: String,
    /// Which one it was.
    number: u64,
}

/// Its name, never the text.
impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.variable)
    }
}

impl Secrets {
    /// Remembers a text under a variable.
    pub fn remember(&mut self, variable: &str, text: &str) {
        if text.chars().count() < TELLING || self.texts.iter().any(|known| known.text == text) {
            return;
        }
        if self.texts.len() == MOST
            && let Some(oldest) = (0..self.texts.len()).min_by_key(|at| self.texts[*at].number)
        {
            self.texts.remove(oldest);
        }
        let (quoted, number) = (quoted(text), self.count);
        self.count += 1;
        self.texts.push(Secret { variable: variable.to_owned(), text: text.to_owned(), quoted, number });
        self.texts.sort_by_key(|secret| std::cmp::Reverse(secret.text.len()));
    }

    /// The texts that a command says are nobody's to read.
    pub fn remember_named(&mut self, command: &Command) {
        match command {
            Command::Fill(fill) => fill.record_as.iter().for_each(|name| self.remember(name, &fill.words.text)),
            Command::Type(typed) => typed.record_as.iter().for_each(|name| self.remember(name, &typed.text)),
            _ => {}
        }
    }

    /// The variable of a text that has none: the one that it had before, or the next `SECRET_1`, `SECRET_2`.
    pub fn variable_of(&mut self, text: &str) -> String {
        if let Some(known) = self.texts.iter().find(|known| known.text == text) {
            return known.variable.clone();
        }
        self.unnamed += 1;
        let variable = format!("SECRET_{}", self.unnamed);
        self.remember(&variable, text);
        variable
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// A text with `open` NAME `close` in the place of each secret.
    pub fn replaced(&self, text: &str, open: &str, close: &str) -> Option<String> {
        let mut out: Option<String> = None;
        for secret in &self.texts {
            for spelt in [&secret.quoted, &secret.text] {
                let now = out.as_deref().unwrap_or(text);
                if now.contains(spelt.as_str()) {
                    out = Some(now.replace(spelt.as_str(), &format!("{open}{}{close}", secret.variable)));
                }
            }
        }
        out
    }

    /// A text without secrets, for people: also without those that an address in it encodes.
    pub fn hide(&self, text: &mut String) {
        if let Some(hidden) = self.replaced(text, "${", "}") {
            *text = hidden;
        }
        for secret in &self.texts {
            let variable = format!("${{{}}}", secret.variable);
            for spelt in [&secret.quoted, &secret.text] {
                if let Some(hidden) = escaped::replaced(text, spelt, &variable) {
                    *text = hidden;
                }
            }
        }
    }

    /// Every text of a JSON value without secrets.
    pub fn hide_in(&self, value: &mut Value) {
        if !self.is_empty() {
            each_text(value, &mut |text| self.hide(text));
        }
    }

    /// A failure without secrets: its words and its facts. What it claims stays.
    #[must_use]
    pub fn hide_in_failure(&self, mut failure: Failure) -> Failure {
        if self.is_empty() {
            return failure;
        }
        self.hide(&mut failure.message);
        if let Some(hint) = &mut failure.hint {
            self.hide(hint);
        }
        failure.details.values_mut().for_each(|value| self.hide_in(value));
        failure
    }
}

/// A text as messages and JSON quote it, without the quotes around it.
pub fn quoted(text: &str) -> String {
    let quoted = format!("{text:?}");
    quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
}

/// Every text in a JSON value.
pub fn each_text(value: &mut Value, change: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, change)),
        Value::Object(map) => map.values_mut().for_each(|item| each_text(item, change)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use contract::Code;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_secret_stands_nowhere_and_its_variable_everywhere_instead() {
        let mut secrets = Secrets::default();
        secrets.remember("USER", "ann");
        assert!(secrets.is_empty(), "three letters stand in every sentence");
        secrets.remember("USER", "annabel");
        secrets.remember("PASSWORD", "annabel \"x\"");
        let failure = Failure::new(Code::TextMismatch, "holds \"annabel \\\"x\\\"\"")
            .hint("annabel?")
            .detail("near", json!([{"label": "Hello annabel"}]));
        let told = secrets.hide_in_failure(failure);
        assert_eq!((told.message.as_str(), told.hint.as_deref()), ("holds \"${PASSWORD}\"", Some("${USER}?")));
        assert_eq!(told.details["near"], json!([{"label": "Hello ${USER}"}]));
        assert!(!format!("{secrets:?}").contains("annabel"));
    }

    #[test]
    fn a_secret_stands_in_no_address_either() {
        let mut secrets = Secrets::default();
        secrets.remember("PASSWORD", "a b/c&d");
        let mut text = "GET http://h/?p=a%20b%2Fc%26d&q=a+b%2fc%26d then a b/c&d".to_owned();
        secrets.hide(&mut text);
        assert_eq!(text, "GET http://h/?p=${PASSWORD}&q=${PASSWORD} then ${PASSWORD}");
    }

    #[test]
    fn the_oldest_goes_first_and_not_the_shortest() {
        let mut secrets = Secrets::default();
        secrets.remember("LONG", &"l".repeat(200));
        secrets.remember("SHORT", "tiny");
        for number in 0..MOST - 1 {
            secrets.remember("MORE", &format!("text {number:03}"));
        }
        assert_eq!(secrets.replaced(&"l".repeat(200), "<", ">"), None);
        assert_eq!(secrets.replaced("so tiny", "<", ">").as_deref(), Some("so <SHORT>"));
    }

    #[test]
    fn an_unnamed_secret_keeps_its_first_number() {
        let mut secrets = Secrets::default();
        assert_eq!(secrets.variable_of("hunter2"), "SECRET_1");
        assert_eq!(secrets.variable_of("other22"), "SECRET_2");
        assert_eq!(secrets.variable_of("hunter2"), "SECRET_1");
    }
}
