//! Commands about the host: devices, capabilities, doctor, sessions, the daemon itself.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Effect, Spec};

/// List the devices that can be opened
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Devices {}

impl Devices {
    pub(super) const SPEC: Spec = Spec { effect: Effect::Observes, ..Spec::manages("devices") };
}

/// Show what a device can do, and what it cannot and why
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CapabilitiesOf {}

impl CapabilitiesOf {
    pub(super) const SPEC: Spec = Spec { effect: Effect::Observes, ..Spec::manages("capabilities") };
}

/// Check this machine: browsers, drivers, folders; the exit code says whether all is well
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Doctor {}

impl Doctor {
    pub(super) const SPEC: Spec = Spec { effect: Effect::Observes, timeout_ms: 60_000, ..Spec::manages("doctor") };
}

/// List sessions, say where state is kept, or write the recorded steps as a script
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// What to show or do
    #[arg(value_enum)]
    pub action: SessionAction,
    /// Where the script goes, for save-script [default: what `open --save-script` said]
    #[arg(value_name = "FILE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Let the script replace a file that is there
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub force: bool,
}

/// What `session` shows or does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum SessionAction {
    /// The open sessions.
    List,
    /// The folder where state is kept.
    StateDir,
    /// Write the steps recorded so far, and end the recording.
    SaveScript,
}

impl SessionAction {
    /// What it does to the app: nothing, ever. `save-script` writes a file.
    pub const fn effect(self) -> Effect {
        match self {
            SessionAction::SaveScript => Effect::Manages,
            SessionAction::List | SessionAction::StateDir => Effect::Observes,
        }
    }
}

impl Session {
    /// That of its action.
    pub const fn effect(&self) -> Effect {
        self.action.effect()
    }

    pub(super) const SPEC: Spec = Spec { batchable: false, ..Spec::manages("session") };
}

/// Start the daemon, ask what it is, or stop it, closing every session
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Daemon {
    /// What to do
    #[arg(value_enum)]
    pub action: DaemonAction,
}

/// What to do with the daemon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum DaemonAction {
    /// Make sure that one runs, and say what it is.
    Start,
    /// Close every session and end.
    Stop,
    /// Say what it is, where it listens and since when it runs.
    Status,
}

impl Daemon {
    pub(super) const SPEC: Spec = Spec { batchable: false, mcp: false, ..Spec::manages("daemon") };
}
