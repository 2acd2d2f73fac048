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

/// List sessions, or say where state is kept
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// What to show
    #[arg(value_enum)]
    pub action: SessionAction,
}

/// What `session` shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum SessionAction {
    /// The open sessions.
    List,
    /// The folder where state is kept.
    StateDir,
}

impl Session {
    pub(super) const SPEC: Spec = Spec { effect: Effect::Observes, batchable: false, ..Spec::manages("session") };
}

/// Stop the daemon, closing every session
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
    /// Close every session and end.
    Stop,
    /// Say what it is and since when it runs.
    Status,
}

impl Daemon {
    pub(super) const SPEC: Spec = Spec { batchable: false, mcp: false, ..Spec::manages("daemon") };
}
