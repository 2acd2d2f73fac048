//! `snapshot`: the screen as text.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Spec;
use crate::Capability;

/// Show the screen as text: what is there, and the refs to act on
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Snapshot {
    #[allow(missing_docs, reason = "see ViewArgs")]
    #[command(flatten)]
    #[serde(flatten)]
    pub view: ViewArgs,
    /// Show what changed since the last snapshot instead
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub diff: bool,
    /// Print the whole snapshot even if nothing changed
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub force_full: bool,
}

/// Which part of the screen to show, and how.
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ViewArgs {
    /// Only what takes input, as a flat list
    #[arg(short = 'i', long = "interactive")]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interactive_only: bool,
    /// Only so many levels
    #[arg(short = 'd', long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Only the part below a text or @ref
    #[arg(short = 's', long, value_name = "TEXT|@REF")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Everything the backend reported, one JSON node a line
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub raw: bool,
}

impl Snapshot {
    pub(super) const SPEC: Spec = Spec::observes("snapshot", &[Capability::Snapshot]);
}
