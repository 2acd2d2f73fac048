//! `close`: end the session.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Spec;

/// Close the app or browser and end the session
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Close {
    /// End every session of this daemon
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
}

impl Close {
    pub(super) const SPEC: Spec = Spec::mutates("close", &[]);
}
