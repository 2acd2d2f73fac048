//! `trace`: what every command of a session did, for a page that shows it.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Spec, spec::SessionNeed};

/// Keep what every command of this session does: pictures and trees before and after, times, failures
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// What to do
    #[arg(value_enum)]
    pub action: TraceAction,
    /// The page to make of it, for stop [default: trace-TIME.html in the current folder]
    #[arg(long, value_name = "FILE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// Leave the folder of the trace where it is, also when the session is closed
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep: bool,
}

/// What to do with a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum TraceAction {
    /// Begin one: of what is open, or of what the next open opens.
    Start,
    /// End it and say where it is.
    Stop,
}

impl Trace {
    pub(super) const SPEC: Spec = Spec { session: SessionNeed::Open, batchable: false, ..Spec::manages("trace") };
}
