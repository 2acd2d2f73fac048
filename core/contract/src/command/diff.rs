//! `diff snapshot`: what changed on the screen.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Spec, ViewArgs};
use crate::Capability;

/// Show what changed since the last snapshot or diff
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Diff {
    /// What to compare
    #[arg(value_enum)]
    pub kind: DiffKind,
    #[allow(missing_docs, reason = "see ViewArgs")]
    #[command(flatten)]
    #[serde(flatten)]
    pub view: ViewArgs,
}

/// What a diff compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum DiffKind {
    /// Two snapshots.
    Snapshot,
}

impl Diff {
    pub(super) const SPEC: Spec = Spec::observes("diff", &[Capability::Snapshot]);
}
