//! `batch`: several commands in one request.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Spec;

/// Steps of a batch at most.
pub const BATCH_STEPS: usize = 500;

/// Run several commands in one request, and stop at the first that fails
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Batch {
    /// The steps as JSON: [{"command":"press","args":{...}}, ...] or ["press @e5", ...]
    #[arg(long, value_name = "JSON", value_parser = parse_steps, required_unless_present = "steps_file")]
    #[serde(default)]
    pub steps: Option<Steps>,
    /// A file with the steps; - reads them from standard input
    #[arg(long, value_name = "FILE", conflicts_with = "steps")]
    #[serde(skip)]
    pub steps_file: Option<String>,
}

/// The steps of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Steps(pub Vec<Step>);

/// One step: a command line, or a command with its arguments as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Step {
    /// As on the command line: `press @e5 --settle`.
    Line(String),
    /// As on the socket.
    Call(StepCall),
}

/// A command with its arguments as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepCall {
    /// The command's name
    pub command: String,
    /// Its arguments
    #[serde(default)]
    pub args: serde_json::Value,
}

/// Reads the JSON of `--steps`.
pub fn parse_steps(text: &str) -> Result<Steps, String> {
    serde_json::from_str(text).map_err(|why| format!("the steps are no JSON array of commands: {why}"))
}

impl Batch {
    pub(super) const SPEC: Spec = Spec { timeout_ms: 600_000, batchable: false, ..Spec::mutates("batch", &[]) };
}
