//! `events`: what happened in a session.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Effect, Spec};

/// Show the session's timeline
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Events {
    /// How many events at most [default: 50]
    #[arg(value_name = "LIMIT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Go on after this event number (from the last answer)
    #[arg(value_name = "CURSOR")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<u64>,
}

impl Events {
    pub(super) const SPEC: Spec = Spec { effect: Effect::Observes, ..Spec::manages("events") };
}
