//! `fill`: replace the content of a field, and read it back.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AfterArgs, Spec};
use crate::{
    Capability, Target,
    words::{FromWords, TakeWords, Words},
};

/// Replace the content of a field; fails unless the field then holds the text
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fill {
    #[allow(missing_docs, reason = "the help comes from the words")]
    #[command(flatten)]
    #[serde(flatten)]
    pub words: Words<FillWords>,
    /// Pause after each character, ms
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(0..=10_000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
    /// The variable that stands for the text in the recorded script, for a text that is nobody's to read
    #[arg(long, value_name = "VAR")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record_as: Option<String>,
    #[allow(missing_docs, reason = "see AfterArgs")]
    #[command(flatten)]
    #[serde(flatten)]
    pub after: AfterArgs,
}

/// The field and the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FillWords {
    /// The field
    pub target: Target,
    /// The text; an empty one clears the field
    pub text: String,
}

impl FromWords for FillWords {
    const USAGE: &'static str = "TARGET TEXT";
    const HELP: &'static str = "@ref, a selector, or x y in px; then the text (\"\" clears the field)";
    const MAX: usize = 3;

    fn from_words(words: &mut TakeWords) -> Result<Self, String> {
        Ok(Self { target: Target::take(words)?, text: words.next("the text to fill in (\"\" clears the field)")? })
    }
}

impl Fill {
    pub(super) const SPEC: Spec = Spec { timeout_ms: 60_000, ..Spec::mutates("fill", &[Capability::Fill]) };
}
