//! One injected fault: what the caller was told, and what the device itself counted.

use std::time::Duration;

/// One command under one fault.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The command, as a figure's line names it: `press`, `fill`, `install`.
    pub operation: String,
    /// What was done to it, exactly enough to do it again: `request byte 17 of 412, RST`.
    pub fault: String,
    /// What the caller was told.
    pub told: Told,
    /// How often the device itself counted what was asked for.
    pub landed: u32,
    /// How often it was asked for: 0 for a command that only looks.
    pub asked: u32,
    /// What can be done with the session afterwards.
    pub after: After,
    /// How long the answer took.
    pub took: Duration,
    /// How long it may take: the command's limit, and what the contract allows above it.
    pub limit: Duration,
}

/// What the caller was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// It worked.
    Done,
    /// It worked, which was made sure of after its reply was lost; the row that says so.
    Resolved(String),
    /// It failed, and nothing reached the device; the row.
    No(String),
    /// It failed, and may have reached the device; the row, and the sends that returned.
    Unknown(String, u64),
    /// It failed without saying what every failure must say.
    Malformed(String),
    /// No answer came within the limit.
    Nothing,
}

/// What can be done with the session afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum After {
    /// The same command works.
    Usable,
    /// It does not, and the failure says how to go on, which was followed and worked: what it said.
    Recovered(String),
    /// Neither: what happened.
    Stuck(String),
}
