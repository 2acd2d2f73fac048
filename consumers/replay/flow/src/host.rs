//! What a flow asks of what it runs on.

use std::time::Duration;

use contract::{Command, Expected, Failure, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::record::Status;

/// Where a step stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The file as a person would name it: relative to the caller's folder where it lies below it.
    pub file: String,
    /// From 1 on.
    pub line: u32,
}

/// One command of a step.
#[derive(Debug, Clone)]
pub struct Ask {
    /// What to do. Paths in it may be relative: the host makes them whole.
    pub command: Command,
    /// How long a press may wait for its target, ms; `None` for one look.
    pub readiness_ms: Option<u64>,
    /// The command's limit, ms; `None` for its own. The host never lets it outlast the flow's.
    pub timeout_ms: Option<u64>,
    /// What its targets were when it was recorded; empty where that is not known.
    pub expect: Vec<Expected>,
}

impl Ask {
    /// A command with its own limit and no wait for its target.
    pub const fn once(command: Command) -> Self {
        Self { command, readiness_ms: None, timeout_ms: None, expect: Vec::new() }
    }
}

/// What a flow runs on: the daemon, or a double in tests.
///
/// Steps nest: one that begins before another has ended is part of it. Each step that was begun is ended, whatever
/// happens.
pub trait Host {
    /// A step begins. `text` is what a person reads, without secrets.
    fn begin(&mut self, place: &Place, text: &str);

    /// Sends one command for the innermost open step.
    ///
    /// # Errors
    /// What the daemon says; or the host's own word that the flow's limit has passed or the run was cancelled, which
    /// is `dispatched: no`.
    fn ask(&mut self, ask: Ask) -> Response;

    /// Something that the report says under the innermost open step: a difference from what the flow's language
    /// promises, a value, a picture.
    fn note(&mut self, note: &str);

    /// The innermost open step ends.
    fn end(&mut self, status: Status, failure: Option<&Failure>);

    /// Waits, unless the run is cancelled or the flow's limit passes.
    ///
    /// # Errors
    /// Which of the two; `dispatched: no`.
    fn pause(&mut self, pause: Duration) -> Result<(), Failure>;

    /// What is left of the flow's limit.
    fn remaining(&self) -> Duration;

    /// A text that nobody may read: it is taken out of everything that is recorded from now on.
    fn secret(&mut self, text: &str);
}
