//! `is`: a question with a yes or no.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Spec;
use crate::{
    Capability, Target,
    words::{FromWords, TakeWords, Words},
};

/// Check something about an element; fails with exit code 1 where it does not hold
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Is {
    #[allow(missing_docs, reason = "the help comes from the words")]
    #[command(flatten)]
    #[serde(flatten)]
    pub words: Words<IsWords>,
}

/// The question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IsWords {
    /// What to check
    pub predicate: Predicate,
    /// Of what: @ref or selector
    pub target: Target,
    /// The expected text, for `text`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// What can be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Predicate {
    /// Part of it can be seen.
    Visible,
    /// It exists and cannot be seen, or does not exist.
    Hidden,
    /// It is on the screen's tree.
    Exists,
    /// It is not.
    Absent,
    /// It takes text.
    Editable,
    /// It is selected.
    Selected,
    /// It has the focus.
    Focused,
    /// It takes input.
    Enabled,
    /// It takes no input.
    Disabled,
    /// It is checked.
    Checked,
    /// Its text equals the value.
    Text,
}

impl Predicate {
    /// The word on the command line.
    pub fn word(self) -> String {
        clap::ValueEnum::to_possible_value(&self).map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

impl FromWords for IsWords {
    const USAGE: &'static str = "PREDICATE TARGET [VALUE]";
    const HELP: &'static str = "visible, hidden, exists, absent, editable, selected, focused, enabled, disabled, checked or \
         text; then @ref or a selector; for text the expected text";
    const MAX: usize = 3;

    fn from_words(words: &mut TakeWords) -> Result<Self, String> {
        let word = words.next("a predicate, one of visible, hidden, exists, ...")?;
        let predicate = <Predicate as clap::ValueEnum>::from_str(&word, false)
            .map_err(|_| format!("{word:?} is no predicate: {}", Self::HELP))?;
        let target = Target::take(words)?;
        if target.point().is_some() {
            return Err("a point has nothing to check: use @ref or a selector".into());
        }
        let value = match predicate {
            Predicate::Text => Some(words.next("the expected text")?),
            _ => None,
        };
        Ok(Self { predicate, target, value })
    }
}

impl Is {
    pub(super) const SPEC: Spec = Spec::observes("is", &[Capability::Snapshot]);
}
