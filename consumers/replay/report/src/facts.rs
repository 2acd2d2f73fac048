//! What a record says: counts, the step that failed, the failure's words.

use flow::{Attempt, FlowRecord, Outcome, Status, StepRecord, SuiteRecord};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// How many flows ended how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// All of them.
    pub flows: usize,
    /// At the first attempt.
    pub passed: usize,
    /// At a later attempt.
    pub flaky: usize,
    /// A step failed.
    pub failed: usize,
    /// Device, browser or daemon failed.
    pub infrastructure: usize,
    /// Could not be read.
    pub invalid: usize,
    /// Stopped, or not begun.
    pub not_run: usize,
}

impl Totals {
    /// Counts.
    pub fn of(suite: &SuiteRecord) -> Self {
        Self::among(&suite.flows)
    }

    /// Counts some of a suite's flows.
    pub fn among<'a>(flows: impl IntoIterator<Item = &'a FlowRecord>) -> Self {
        let mut totals = Self::default();
        for flow in flows {
            totals.count(flow.outcome);
        }
        totals
    }

    /// Counts one more.
    pub const fn count(&mut self, outcome: Outcome) {
        self.flows += 1;
        match outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Flaky => self.flaky += 1,
            Outcome::Failed => self.failed += 1,
            Outcome::Infrastructure => self.infrastructure += 1,
            Outcome::Invalid => self.invalid += 1,
            Outcome::NotRun => self.not_run += 1,
        }
    }

    /// `2 passed, 1 failed`; what did not occur is left out.
    pub fn words(&self) -> String {
        let counts = [
            (self.passed, "passed"),
            (self.flaky, "flaky"),
            (self.failed, "failed"),
            (self.infrastructure, "infrastructure"),
            (self.invalid, "invalid"),
            (self.not_run, "not run"),
        ];
        let words: Vec<_> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
        if words.is_empty() { "no flows".to_owned() } else { words.join(", ") }
    }
}

/// How an outcome is called before a flow's name.
pub const fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Flaky => "FLAKY",
        Outcome::Failed => "FAILED",
        Outcome::Infrastructure => "INFRASTRUCTURE",
        Outcome::Invalid => "INVALID",
        Outcome::NotRun => "not run",
    }
}

/// The words of a failure, as `--json` shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Told<'a> {
    /// `ELEMENT_COVERED`; empty where there is none.
    pub code: &'a str,
    /// What was wrong.
    pub message: &'a str,
    /// What to do.
    pub hint: Option<&'a str>,
    /// `no` or `unknown`.
    pub dispatched: Option<&'a str>,
    /// Inputs that had been sent completely, those of earlier steps included.
    pub sent: u64,
}

impl Told<'_> {
    /// `no`, or `unknown (2 sent before)`: a step that was not sent is told apart from a run that has acted.
    pub fn reached(&self) -> Option<String> {
        let dispatched = self.dispatched?;
        Some(match self.sent {
            0 => dispatched.to_owned(),
            sent => format!("{dispatched} ({sent} sent before)"),
        })
    }
}

impl<'a> From<&'a Value> for Told<'a> {
    fn from(failure: &'a Value) -> Self {
        let text = |value: &'a Value, key| value.get(key).and_then(Value::as_str);
        Self {
            code: text(failure, "code").unwrap_or_default(),
            message: text(failure, "message").unwrap_or_default(),
            hint: text(failure, "hint"),
            dispatched: failure.get("details").and_then(|details| text(details, "dispatched")),
            sent: failure.pointer("/details/dispatchedSteps").and_then(Value::as_u64).unwrap_or_default(),
        }
    }
}

/// Why a flow, or one attempt of it, did not pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Why<'a> {
    /// The words.
    pub told: Told<'a>,
    /// The file; the flow's where no step failed.
    pub file: &'a str,
    /// The line of the step that failed.
    pub line: Option<u32>,
    /// That step.
    pub step: Option<&'a str>,
}

/// Why an attempt failed: its own failure and the step that it failed at.
pub fn why<'a>(flow: &'a FlowRecord, attempt: &'a Attempt) -> Why<'a> {
    let step = failed_step(attempt);
    let failure = attempt.failure.as_ref().or_else(|| step.and_then(|step| step.failure.as_ref()));
    let mut told = failure.map(Told::from).unwrap_or_default();
    if told.message.is_empty() {
        told.message = flow.reason.as_deref().unwrap_or("it ended without saying why");
    }
    Why {
        told,
        file: step.map_or(flow.file.as_str(), |step| step.place.file.as_str()),
        line: step.map(|step| step.place.line),
        step: step.map(|step| step.text.as_str()),
    }
}

/// Why a flow did not pass: its last attempt's reason, or its own where nothing ran. `None` for flows that passed.
pub fn why_not(flow: &FlowRecord) -> Option<Why<'_>> {
    if matches!(flow.outcome, Outcome::Passed | Outcome::Flaky) {
        return None;
    }
    if let Some(attempt) = flow.attempts.last()
        && (attempt.failure.is_some() || failed_step(attempt).is_some())
    {
        return Some(why(flow, attempt));
    }
    let message = flow.reason.as_deref().unwrap_or("it was not run");
    Some(Why { told: Told { message, ..Told::default() }, file: &flow.file, line: None, step: None })
}

/// The attempts whose failure is not the flow's own: those before one that passed, or before the last one.
pub fn earlier_failures(flow: &FlowRecord) -> impl Iterator<Item = &Attempt> {
    let before = flow.attempts.len().saturating_sub(1);
    flow.attempts.iter().take(before).filter(|attempt| attempt.outcome != Outcome::Passed)
}

/// The innermost step that failed, in whose failure the attempt ended.
pub fn failed_step(attempt: &Attempt) -> Option<&StepRecord> {
    let last_failed = |parent: Option<u32>| {
        attempt.steps.iter().rev().find(|step| step.parent == parent && step.status == Status::Failed)
    };
    let mut step = last_failed(None)?;
    // A step's number is higher than its parent's: this ends.
    while let Some(inner) = last_failed(Some(step.number)).filter(|inner| inner.number > step.number) {
        step = inner;
    }
    Some(step)
}

/// How many steps a step is inside of.
pub fn depth(attempt: &Attempt, step: &StepRecord) -> usize {
    let mut depth = 0;
    let mut inside = step;
    while let Some(parent) = inside.parent.and_then(|number| numbered(attempt, number))
        && parent.number < inside.number
    {
        depth += 1;
        inside = parent;
    }
    depth
}

fn numbered(attempt: &Attempt, number: u32) -> Option<&StepRecord> {
    // Where it stands in any record but a broken one.
    let place = usize::try_from(number.checked_sub(1)?).ok()?;
    let there = attempt.steps.get(place).filter(|step| step.number == number);
    there.or_else(|| attempt.steps.iter().find(|step| step.number == number))
}

/// A flow's name; with its shard, where the same flow ran on several.
pub fn title(suite: &SuiteRecord, flow: &FlowRecord) -> String {
    let alike = suite.flows.iter().filter(|other| other.name == flow.name && other.file == flow.file).count();
    match flow.shard {
        Some(shard) if alike > 1 => format!("{} [shard {} of {}]", flow.name, shard.index, shard.count),
        _ => flow.name.clone(),
    }
}

/// How long a flow took, all its attempts together, ms.
pub fn duration_ms(flow: &FlowRecord) -> u64 {
    flow.attempts.iter().map(|attempt| attempt.duration_ms).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn counts_are_told_without_zeros() {
        let suite = samples::suite_of(&[Outcome::Passed, Outcome::Passed, Outcome::Failed, Outcome::NotRun]);
        assert_eq!(Totals::of(&suite).words(), "2 passed, 1 failed, 1 not run");
        assert_eq!(Totals::default().words(), "no flows");
    }

    #[test]
    fn the_innermost_failed_step_is_the_one_and_not_one_that_was_tried_again() {
        let attempt = samples::attempt(
            1,
            Outcome::Failed,
            vec![
                samples::step(1, None, Status::Passed, "retry"),
                samples::step(2, Some(1), Status::Failed, "first try"),
                samples::step(3, Some(1), Status::Passed, "second try"),
                samples::step(4, None, Status::Failed, "runFlow"),
                samples::step(5, Some(4), Status::Warned, "optional"),
                samples::step(6, Some(4), Status::Failed, "tapOn, before the retry"),
                samples::step(7, Some(4), Status::Failed, "tapOn"),
            ],
        );
        let found = failed_step(&attempt).unwrap();
        assert_eq!(found.text, "tapOn");
        assert_eq!(depth(&attempt, found), 1);
    }

    #[test]
    fn a_parent_that_does_not_come_before_its_child_ends_the_search() {
        let attempt = samples::attempt(1, Outcome::Failed, vec![samples::step(1, Some(1), Status::Failed, "itself")]);
        assert!(failed_step(&attempt).is_none());
        assert_eq!(depth(&attempt, &attempt.steps[0]), 0);
    }
}
