//! A script whose targets are named otherwise now: which step got which new selector, and how the repaired script differs.

use contract::{Command, Failure};
use serde::Serialize;
use serde_json::Value;
use similar::TextDiff;

use crate::suggest::Basis;

/// A step whose target was found under another name.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Healed {
    /// The step, from 1 on.
    pub step: usize,
    /// Its line in the script.
    pub line: u32,
    /// As it is named in the script.
    pub was: String,
    /// As it is named now.
    pub now: String,
    /// The step's whole line, as it is now.
    pub with: String,
    /// What its target is now, for the comment above it.
    #[serde(skip)]
    pub evidence: Option<script::Evidence>,
    /// Why it is the same.
    pub basis: Basis,
}

/// The command with another selector in place of the one it has.
///
/// # Errors
/// Where the command does not hold that selector.
pub fn retargeted(command: &Command, was: &str, now: &str) -> Result<Command, Failure> {
    let mut args = command.to_args();
    match command {
        Command::Find(find) if find.words.selector() == Some(was) => args["query"] = now.into(),
        _ => replace(&mut args, was, now),
    }
    Command::from_call(command.spec().name, &args)
}

fn replace(value: &mut Value, was: &str, now: &str) {
    match value {
        Value::Object(fields) => {
            if fields.get("kind").is_some_and(|kind| kind == "selector")
                && let Some(selector) = fields.get_mut("selector")
                && selector == was
            {
                *selector = now.into();
                return;
            }
            fields.values_mut().for_each(|field| replace(field, was, now));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, was, now)),
        _ => {}
    }
}

/// The selectors that a command aims with.
pub fn selectors(command: &Command) -> Vec<String> {
    fn gather(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                if fields.get("kind").is_some_and(|kind| kind == "selector")
                    && let Some(selector) = fields.get("selector").and_then(Value::as_str)
                {
                    into.push(selector.to_owned());
                }
                fields.values().for_each(|field| gather(field, into));
            }
            Value::Array(items) => items.iter().for_each(|item| gather(item, into)),
            _ => {}
        }
    }
    if let Command::Find(find) = command {
        return find.words.selector().map(str::to_owned).into_iter().collect();
    }
    let mut found = Vec::new();
    gather(&command.to_args(), &mut found);
    found
}

/// The lines that differ, as `diff -U1` would show them.
pub fn difference(old: &str, new: &str) -> String {
    TextDiff::from_lines(old, new).unified_diff().context_radius(1).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_selector_that_is_meant_is_replaced() {
        let command = Command::from_line("gesture drag 'id=a' 'id=b'").unwrap();
        assert_eq!(selectors(&command).len(), 2);
        let now = retargeted(&command, "id=b", "role=button label=\"B\"").unwrap();
        assert_eq!(now, Command::from_line(r#"gesture drag 'id=a' 'role=button label="B"'"#).unwrap());
        let fill = Command::from_line("fill id=name id=name").unwrap();
        let now = retargeted(&fill, "id=name", "id=other").unwrap();
        assert_eq!(now, Command::from_line("fill id=other id=name").unwrap(), "not the text");
        let find = Command::from_line("find id=name fill id=name").unwrap();
        assert_eq!(selectors(&find), ["id=name"]);
        let now = retargeted(&find, "id=name", "id=other").unwrap();
        assert_eq!(now, Command::from_line("find id=other fill id=name").unwrap(), "not the text");
        assert!(selectors(&Command::from_line("find Save").unwrap()).is_empty());
    }

    #[test]
    fn the_difference_shows_what_was_and_what_is() {
        let old = "open demo\n# was\npress 'id=a'\nclose\n";
        let new = "open demo\npress 'id=x'\nclose\n";
        let shown = difference(old, new);
        for line in ["-# was", "-press 'id=a'", "+press 'id=x'", " open demo", " close"] {
            assert!(shown.lines().any(|shown| shown == line), "{shown}");
        }
        assert_eq!(difference(old, old), "");
    }
}
