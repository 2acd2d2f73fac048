//! What the daemon and the host answer; and `open` and `close`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Noted, acted::Received};
use crate::{
    Capability,
    capability::Capabilities,
    view::{DeviceView, Platform},
};

/// What `devices` answers.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Devices {
    /// Every device that is there.
    pub devices: Vec<DeviceView>,
}

/// What `capabilities` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CapabilitiesOf {
    /// One per device.
    pub devices: Vec<DeviceCapabilities>,
}

/// What one device can do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceCapabilities {
    /// The device's id.
    pub device: String,
    /// Where it lives.
    pub platform: Platform,
    /// What works and what does not.
    #[serde(flatten)]
    pub capabilities: Capabilities,
}

/// What `doctor` answers: no check failed. Where one does, that is the failure `TOOL_MISSING`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Healthy {
    /// Always true.
    pub ok: bool,
    /// Every check.
    pub checks: Vec<Check>,
}

/// One check of `doctor`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// What was checked.
    pub name: String,
    /// How it stands.
    pub status: CheckStatus,
    /// What was found.
    pub found: String,
    /// What to do about it, where something is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// How a check stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CheckStatus {
    /// Works.
    Pass,
    /// Works, or is not needed; something could be better.
    Warn,
    /// Does not work.
    Fail,
}

/// What `session` answers, by its action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Session {
    /// `list`.
    List(SessionList),
    /// `state-dir`.
    StateDir(StateDir),
    /// `save-script`.
    Saved(Saved),
}

/// The open sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionList {
    /// By name.
    pub sessions: Vec<SessionView>,
}

/// An open session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// Name: the word after `--session`.
    pub name: String,
    /// Where the device lives.
    pub platform: Platform,
    /// The device's id.
    pub device: String,
    /// What is open.
    pub app: String,
    /// The folder it was opened from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// When: ms since 1970-01-01 UTC.
    pub opened_ms: u64,
    /// Last used: ms since 1970-01-01 UTC.
    pub used_ms: u64,
    /// A command is running or waiting.
    pub busy: bool,
}

/// The folder where state is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StateDir {
    /// The folder.
    pub state_dir: String,
}

/// A script that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Saved {
    /// The session.
    pub session: String,
    /// What became of the script.
    #[serde(flatten)]
    pub script: ScriptWritten,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// What became of the script of a session that was recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScriptWritten {
    /// The file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// Steps in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script_steps: Option<u64>,
    /// Variables that must be given when it is replayed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub script_variables: Vec<String>,
    /// What its reader should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// What `daemon` answers, by its action. The command line says `{"running": false}` where none runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Daemon {
    /// `start` and `status`.
    Running(Running),
    /// `stop`.
    Stopped(Stopped),
}

/// A daemon that runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Running {
    /// Always true.
    pub running: bool,
    /// Its version: what a client says in `hello`.
    pub version: String,
    /// Process id.
    pub pid: u32,
    /// Identity of this process: another one cannot answer for what this one was asked.
    pub instance: String,
    /// Since when: ms since 1970-01-01 UTC.
    pub started_ms: u64,
    /// Where it keeps its state.
    pub state_dir: String,
    /// The Unix socket where it listens.
    pub socket: String,
    /// Open sessions.
    pub sessions: u64,
}

/// A daemon that ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stopped {
    /// Always true.
    pub stopped: bool,
    /// Sessions that were closed.
    pub sessions: u64,
}

/// What `events` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Events {
    /// Oldest first.
    pub events: Vec<Event>,
    /// The number of the last one: what to give as `cursor` to go on from here.
    pub cursor: Option<u64>,
}

/// What happened in a session: one command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Version of the format.
    pub version: u32,
    /// Counts up in a session, over rotations: the cursor of `events`.
    pub number: u64,
    /// ms since 1970-01-01 UTC.
    pub at_ms: u64,
    /// The request.
    pub request_id: String,
    /// The command, without what was typed.
    pub command: String,
    /// Whether it worked.
    pub ok: bool,
    /// How long it took, ms.
    pub duration_ms: u64,
    /// `no` or `unknown`, for failures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dispatched: Option<String>,
    /// Mutating sends that returned.
    pub sends: u32,
    /// The failure's code, and its row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The failure's message, or what was done.
    pub message: String,
    /// Every look of every wait.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Poll>")]
    pub polls: Vec<Value>,
}

/// One look, for the timeline and for `details.polls`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Poll {
    /// Start, ms after the call.
    pub started_ms: u64,
    /// Duration, ms.
    pub duration_ms: u64,
    /// How it went.
    pub outcome: PollOutcome,
}

/// How a look went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PollOutcome {
    /// The screen was seen.
    Observed,
    /// The look failed and was ridden out.
    RodeOut,
    /// The look did not come back before the budget ran out.
    Stalled,
}

/// What `open` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Opened {
    /// The session's name.
    pub session: String,
    /// What is open now.
    pub app: String,
    /// The device's id.
    pub device: String,
    /// Where it lives.
    pub platform: Platform,
    /// What the device can do.
    pub capabilities: Vec<Capability>,
    /// What was done in a session that was open already, one sentence for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The script that the session's steps are recorded for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// What the device said of it.
    #[serde(flatten)]
    pub received: Received,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// What `close` answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Close {
    /// Without `all`.
    One(Closed),
    /// With `all`.
    All(ClosedAll),
}

/// Every session was closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClosedAll {
    /// Their names.
    pub closed: Vec<String>,
}

/// A session was closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Closed {
    /// The session's name.
    pub session: String,
    /// Always true.
    pub closed: bool,
    /// What became of the script, where the session was recorded.
    #[serde(flatten)]
    pub script: ScriptWritten,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}
