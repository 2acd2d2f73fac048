//! What the golden table says.

use contract::Row;
use serde::Deserialize;

/// One row.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TableRow {
    /// Unique.
    pub id: String,
    /// Who fails.
    pub producer: Producer,
    /// In which way.
    pub trigger: String,
    /// What the caller must be told.
    pub dispatched: Value,
    /// Sends that returned before; nothing where there are none.
    #[serde(default)]
    pub dispatched_steps: u64,
    /// Where success would be a lie.
    #[serde(default)]
    pub outcome: Option<Outcome>,
}

/// Who fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Producer {
    /// A consumer, before or after it reached a daemon.
    Client,
    /// The server of a device host.
    Serve,
    /// The engine that runs scripts and flows.
    Replay,
    /// The daemon.
    Daemon,
    /// The simulated device.
    Stage,
    /// The web backend.
    Webdriver,
    /// The Android backend: adb, the helper on the device.
    Android,
}

/// `no` or `unknown`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// Nothing of the request reached the device.
    No,
    /// It may have landed.
    Unknown,
}

impl Value {
    /// As it stands in `details.dispatched`.
    pub const fn word(self) -> &'static str {
        match self {
            Value::No => "no",
            Value::Unknown => "unknown",
        }
    }
}

/// What must not be told to be a success.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// What was asked for did not come about, and the caller is told so.
    Refused,
    /// It came about although the reply was lost, and the caller is told so: `dispatched` is what it would be else.
    Resolved,
}

/// The text of the table.
pub const TEXT: &str = include_str!("../../contracts/fixtures/dispatch-disclosure.json");

/// The table.
pub fn read() -> Vec<TableRow> {
    serde_json::from_str(TEXT).expect("the golden table fits its format")
}

/// The entry of one row.
pub fn of(row: Row) -> TableRow {
    read().into_iter().find(|entry| entry.id == row.id()).expect("every variant is generated from the table")
}
