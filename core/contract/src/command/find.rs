//! `find`: look for a text and do something with what is found.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Effect, Spec};
use crate::{
    Capability,
    words::{FromWords, TakeWords, Words},
};

/// Find an element by part of its text or by a selector, and click, read or list it
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Find {
    #[allow(missing_docs, reason = "the help comes from the words")]
    #[command(flatten)]
    #[serde(flatten)]
    pub words: Words<FindWords>,
    /// Take the first of several matches
    #[arg(long, conflicts_with = "last")]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub first: bool,
    /// Take the last of several matches
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub last: bool,
    /// How long the action `wait` waits, ms [default: 10000]
    #[arg(long, value_name = "MS")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<u64>,
}

/// Where to look, for what, and what to do with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FindWords {
    /// Which field to look in, or selector [default: selector for what reads as one, such as role=button; any for other texts]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locator: Option<Locator>,
    /// The text to look for: part of it is enough, letter case does not matter. Or a selector
    pub query: String,
    /// What to do [default: click]
    #[serde(default)]
    pub action: FindAction,
    /// The text, for fill and type
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// How `find` looks: for part of a text in a field of a node, or for what a selector means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Locator {
    /// All of them.
    #[default]
    Any,
    /// The text shown.
    Text,
    /// The accessible name.
    Label,
    /// The value.
    Value,
    /// The role.
    Role,
    /// The identifier.
    Id,
    /// What is looked for is a selector, as `press` takes it.
    Selector,
}

/// What `find` does with what it found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "camelCase")]
#[value(rename_all = "camelCase")]
pub enum FindAction {
    /// Press it.
    #[default]
    Click,
    /// Give it the focus.
    Focus,
    /// Say whether it is there.
    Exists,
    /// List all matches.
    List,
    /// Print its text.
    GetText,
    /// Print its attributes.
    GetAttrs,
    /// Wait until it is there.
    Wait,
    /// Fill it.
    Fill,
    /// Focus it and type.
    Type,
}

impl FindAction {
    /// Whether the action acts on the app.
    pub const fn effect(self) -> Effect {
        match self {
            FindAction::Click | FindAction::Focus | FindAction::Fill | FindAction::Type => Effect::Mutates,
            FindAction::Exists | FindAction::List | FindAction::GetText | FindAction::GetAttrs | FindAction::Wait => {
                Effect::Observes
            }
        }
    }

    /// Whether the action needs one element, so that it can be held to the one of a recording.
    pub const fn means_one(self) -> bool {
        !matches!(self, FindAction::Exists | FindAction::List | FindAction::Wait)
    }
}

/// Words before `=` or `~=` by which a text is read as a selector: every key of the selector language that takes a value.
pub const SELECTOR_KEYS: &[&str] = &[
    "id",
    "role",
    "text",
    "label",
    "value",
    "anytext",
    "appname",
    "windowtitle",
    "visible",
    "hidden",
    "editable",
    "selected",
    "focused",
    "enabled",
    "disabled",
    "hittable",
    "checked",
    "has-text",
    "long-text",
    "square",
    "below",
    "above",
    "left-of",
    "right-of",
    "child-of",
    "contains-child",
    "contains-descendant",
    "width",
    "height",
    "first",
    "index",
];

/// Whether a text is a selector rather than a text to look for: its first term that is no bare state has a key and an
/// operator, `role=button`, `visible label~="Sa.*"`. Whether it is a good selector is another question.
pub fn reads_as_selector(text: &str) -> bool {
    let key = |word: &str| SELECTOR_KEYS.iter().any(|key| key.eq_ignore_ascii_case(word));
    text.split_whitespace()
        .find(|word| !key(word))
        .and_then(|term| term.split_once('='))
        .is_some_and(|(word, _)| key(word.strip_suffix('~').unwrap_or(word)))
}

impl FindWords {
    /// How is looked: as said, else as the text reads.
    pub fn how(&self) -> Locator {
        self.locator.unwrap_or_else(|| if reads_as_selector(&self.query) { Locator::Selector } else { Locator::Any })
    }

    /// The selector, where it is one.
    pub fn selector(&self) -> Option<&str> {
        (self.how() == Locator::Selector).then_some(self.query.as_str())
    }
}

impl FromWords for FindWords {
    const USAGE: &'static str = "[LOCATOR] QUERY [ACTION] [VALUE]";
    const HELP: &'static str = "locator: any, text, label, value, role, id, selector; the text or selector to look for; action: \
         click, focus, exists, list, getText, getAttrs, wait, fill, type; the text for fill and type";
    const MAX: usize = 4;

    fn from_words(words: &mut TakeWords) -> Result<Self, String> {
        let first = words.next("a text or selector to look for")?;
        // A lone locator word is itself the text to look for.
        let locator = <Locator as clap::ValueEnum>::from_str(&first, false).ok().filter(|_| words.left() > 0);
        let (locator, query) = match locator {
            Some(locator) => (Some(locator), words.next("a text or selector to look for")?),
            None => (None, first),
        };
        let action = match words.next_if_any() {
            None => FindAction::default(),
            Some(word) => spelled(&word).ok_or_else(|| format!("{word:?} is no action: {}", Self::HELP))?,
        };
        let value = match action {
            FindAction::Fill | FindAction::Type => Some(words.next("the text to enter")?),
            _ => None,
        };
        Ok(Self { locator, query, action, value })
    }
}

fn spelled(word: &str) -> Option<FindAction> {
    let word: String = word.chars().filter(|letter| *letter != '-').collect();
    <FindAction as clap::ValueEnum>::from_str(&word, true).ok()
}

impl Find {
    pub(super) const SPEC: Spec = Spec { timeout_ms: 60_000, ..Spec::mutates("find", &[Capability::Snapshot]) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selector_is_known_by_its_key_and_operator() {
        for text in [
            "role=button",
            "label~=\"Sa.*\"",
            "visible role=button",
            "first id=a",
            "ID=save || label=Save",
            "below=(id=a)",
        ] {
            assert!(reads_as_selector(text), "{text}");
        }
        for text in
            ["Save", "visible", "first", "a = b", "total=5", "Save label=x", "=", "", "label", "2 + 2 = 4", "~=x"]
        {
            assert!(!reads_as_selector(text), "{text}");
        }
        let how = |locator, query: &str| {
            FindWords { locator, query: query.into(), action: FindAction::Click, value: None }.how()
        };
        assert_eq!(how(Some(Locator::Any), "id=5"), Locator::Any, "what is said counts");
        assert_eq!(how(None, "id=5"), Locator::Selector);
        assert_eq!(how(None, "5"), Locator::Any);
    }
}
