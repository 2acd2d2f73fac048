//! What is known of a run afterwards. Reports are made of it, and of nothing else; its JSON is `--json`'s.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::host::Place;

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It did what it says.
    Passed,
    /// It did not, and the flow ends.
    Failed,
    /// It did not, and the flow goes on: it was optional.
    Warned,
    /// It was not tried: its condition did not hold, or an earlier step failed.
    Skipped,
}

/// One request that a step made.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AskRecord {
    /// The request's id: the daemon's timeline and trace know it.
    pub request_id: String,
    /// The command's name.
    pub command: String,
    /// ms since the attempt began.
    pub started_ms: u64,
    /// How long it took, ms.
    pub duration_ms: u64,
    /// Looks until the target was there, where it had to be waited for, and the wait, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited: Option<[u64; 2]>,
    /// The failure, as `--json` shows failures: code, message, hint, details with `dispatched`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Value>,
}

/// One step.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepRecord {
    /// From 1 on, in the order in which they began.
    pub number: u32,
    /// The step that it is part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// Where it stands.
    #[serde(flatten)]
    pub place: Place,
    /// As a person reads it, without secrets.
    pub text: String,
    /// How it ended.
    pub status: Status,
    /// ms since the attempt began.
    pub started_ms: u64,
    /// How long it took, ms.
    pub duration_ms: u64,
    /// The requests that it made itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asks: Vec<AskRecord>,
    /// Why it failed or was let pass, as `--json` shows failures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Value>,
    /// What else is to be said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// How an attempt or a flow ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// Every step passed, at the first attempt.
    Passed,
    /// Every step passed, but not at the first attempt. Of a flow only.
    Flaky,
    /// A step failed.
    Failed,
    /// The device, the browser or the daemon failed, not the app: nothing is said of the app.
    Infrastructure,
    /// It could not be read; nothing ran.
    Invalid,
    /// It was stopped by the caller, or not begun: `--fail-fast`, Ctrl-C.
    NotRun,
}

/// One try of a flow, from a fresh session on.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// From 1 on.
    pub number: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// ms since 1970-01-01 UTC.
    pub started_at_ms: u64,
    /// How long it took, ms.
    pub duration_ms: u64,
    /// Its session.
    pub session: String,
    /// The device it ran on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Its steps.
    pub steps: Vec<StepRecord>,
    /// Why it failed, as `--json` shows failures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Value>,
    /// Files that it left, absolute: trace, pictures, log, film.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<String>,
    /// The page that shows it, absolute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}

/// One flow of a suite.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FlowRecord {
    /// Its name: what the flow says, else the file's.
    pub name: String,
    /// The file as a person would name it.
    pub file: String,
    /// Its tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// Where it ran, in a suite of several shards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// All of them, the hidden ones too: none is.
    pub attempts: Vec<Attempt>,
    /// Why it was not run or could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Which shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Shard {
    /// From 1 on.
    pub index: u32,
    /// How many there are.
    pub count: u32,
}

/// A whole suite.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuiteRecord {
    /// Of this schema: 1.
    pub version: u32,
    /// `agent-device` that ran it.
    pub agent_device: String,
    /// Chosen by the runner: names the folder of artifacts.
    pub run_id: String,
    /// ms since 1970-01-01 UTC.
    pub started_at_ms: u64,
    /// How long it took, ms.
    pub duration_ms: u64,
    /// In the order of the command line.
    pub flows: Vec<FlowRecord>,
    /// Where the files are, absolute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts_dir: Option<String>,
}
