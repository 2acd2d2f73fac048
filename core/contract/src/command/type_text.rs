//! `type`: text to whatever has the focus.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Spec;
use crate::Capability;

/// Type text into whatever has the input focus
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Type {
    /// The text
    #[arg(allow_hyphen_values = true)]
    pub text: String,
    /// Pause after each character, ms
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(0..=10_000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
    /// The variable that stands for the text in the recorded script, for a text that is nobody's to read
    #[arg(long, value_name = "VAR")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record_as: Option<String>,
}

impl Type {
    pub(super) const SPEC: Spec = Spec { timeout_ms: 60_000, ..Spec::mutates("type", &[Capability::Type]) };
}
