//! `find`: look for a text and do something with what is found.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Effect, Spec};
use crate::{
    Capability,
    words::{FromWords, TakeWords, Words},
};

/// Find an element by part of its text, and click, read or list it
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
    /// Which field to look in
    #[serde(default)]
    pub locator: Locator,
    /// The text to look for: part of it is enough, letter case does not matter
    pub query: String,
    /// What to do [default: click]
    #[serde(default)]
    pub action: FindAction,
    /// The text, for fill and type
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// The field of a node that `find` looks in.
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
}

impl FromWords for FindWords {
    const USAGE: &'static str = "[LOCATOR] QUERY [ACTION] [VALUE]";
    const HELP: &'static str = "locator: any, text, label, value, role, id; the text to look for; action: click, focus, \
         exists, list, getText, getAttrs, wait, fill, type; the text for fill and type";
    const MAX: usize = 4;

    fn from_words(words: &mut TakeWords) -> Result<Self, String> {
        let first = words.next("a text to look for")?;
        // A lone locator word is itself the text to look for.
        let locator = <Locator as clap::ValueEnum>::from_str(&first, false).ok().filter(|_| words.left() > 0);
        let (locator, query) = match locator {
            Some(locator) => (locator, words.next("a text to look for")?),
            None => (Locator::Any, first),
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
