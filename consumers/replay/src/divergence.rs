//! A step that did not do what it did when it was written: what a person or a program needs to go on.

use std::time::Duration;

use contract::{
    Claim, Code, Command, Disclosed, Dispatched, Effect, Failure, Row, Sends,
    command::{Snapshot, ViewArgs},
    view::NodeView,
};
use flow::Place;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    advice::Left,
    host::{self, DaemonHost},
    suggest::{Suggestion, Wanted, suggest},
};

/// Of the shape of `details.divergence`.
pub const VERSION: u32 = 1;
/// How long a look for a report may take.
const LOOK: Duration = Duration::from_secs(10);
/// Nodes of the screen that a failure repeats at most.
const SHOWN: usize = 40;

/// What kind of divergence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The target is not on the screen.
    SelectorMiss,
    /// What the selector finds is not what the step was recorded on.
    IdentityMismatch,
    /// Several things match.
    Ambiguous,
    /// The target is there and must not be acted on: covered, off-screen, disabled.
    Unreachable,
    /// A check did not hold, or a wait ended without what it waited for.
    CheckFailed,
    /// The step failed in another way.
    ActionFailure,
    /// The run's limit has passed, or it was stopped.
    Stopped,
}

impl Kind {
    /// Of a failure.
    pub fn of(failure: &Failure) -> Self {
        if failure.reason_str() == Some("identity_mismatch") {
            return Kind::IdentityMismatch;
        }
        match failure.code {
            Code::ElementNotFound | Code::RefExpired => Kind::SelectorMiss,
            Code::AmbiguousMatch => Kind::Ambiguous,
            Code::ElementCovered
            | Code::ElementOffscreen
            | Code::ElementDisabled
            | Code::ElementNotEditable
            | Code::OutsideViewport => Kind::Unreachable,
            Code::PredicateFailed | Code::WaitTimeout | Code::TextMismatch => Kind::CheckFailed,
            Code::Cancelled => Kind::Stopped,
            _ => Kind::ActionFailure,
        }
    }
}

/// The step that failed.
#[derive(Debug, Clone)]
pub struct FailedStep<'a> {
    /// From 1 on, among the steps of the script.
    pub index: usize,
    /// How many there are.
    pub of: usize,
    /// Where it stands.
    pub place: &'a Place,
    /// As it stands there.
    pub text: &'a str,
    /// What its target was when it was recorded, and what its selector says.
    pub wanted: Wanted,
    /// What its target was when it was recorded, in words, where that is known.
    pub recorded: Option<String>,
    /// Names the plan that a run may go on with.
    pub digest: &'a str,
    /// What is there after the run.
    pub left: Left,
}

/// What is on the screen now.
#[derive(Debug, Default)]
pub struct Seen {
    /// What a person is shown.
    pub facts: Value,
    /// Every node.
    pub nodes: Vec<NodeView>,
}

/// Looks at the screen for a report. A screen that cannot be read is part of the report.
pub fn look(host: &DaemonHost<'_>) -> Seen {
    let view = ViewArgs { interactive_only: false, ..ViewArgs::default() };
    let command = Command::Snapshot(Snapshot { view, force_full: true, ..Snapshot::default() });
    match host.aside(&command, LOOK) {
        Ok(answer) => {
            let nodes: Vec<NodeView> = answer
                .data
                .get("nodes")
                .and_then(|nodes| serde_json::from_value(nodes.clone()).ok())
                .unwrap_or_default();
            let fact = |key: &str| answer.data.get(key).cloned().unwrap_or_default();
            let refs: Vec<Value> = nodes
                .iter()
                .filter(|node| node.interactive && node.visible_to_user)
                .take(SHOWN)
                .map(|node| json!({"ref": node.reference, "role": node.role, "label": node.label}))
                .collect();
            let facts = json!({
                "state": "read",
                "title": fact("title"),
                "app": fact("app"),
                "refsGeneration": fact("refsGeneration"),
                "interactive": nodes.iter().filter(|node| node.interactive).count(),
                "refs": refs,
            });
            Seen { facts, nodes }
        }
        Err(failed) => {
            Seen { facts: json!({"state": "unreadable", "why": failed.failure().message}), nodes: Vec::new() }
        }
    }
}

/// A step with how many of its own sends returned, where any did: the presses of a series that was cut.
fn with_sends(mut step: Value, cause: &Disclosed) -> Value {
    if cause.steps() > 0 {
        step["dispatchedSteps"] = cause.steps().into();
    }
    step
}

/// The failure of a run whose step failed, with what was on the screen. The row and `dispatched` are still the step's.
pub fn diverged(step: &FailedStep<'_>, cause: &Disclosed, seen: Seen) -> (Failure, Vec<Suggestion>) {
    let failure = cause.failure();
    let kind = Kind::of(failure);
    let suggestions = match kind {
        Kind::SelectorMiss => suggest(&step.wanted, &seen.nodes),
        Kind::IdentityMismatch => {
            // What the selector finds is the one thing that is not meant.
            let found = failure.details.get("found").and_then(|found| found.get("ref")).and_then(Value::as_str);
            let found = found.map(|found| found.trim_start_matches('@'));
            let mut likely = suggest(&step.wanted, &seen.nodes);
            likely.retain(|likely| found.is_none() || likely.reference.as_deref() != found);
            likely
        }
        // What a check asks for is named otherwise, where something is near it.
        Kind::CheckFailed if failure.details.contains_key("near") => suggest(&step.wanted, &seen.nodes),
        _ => Vec::new(),
    };
    let unsent = cause.dispatched() == Dispatched::No;
    let Place { file, line } = step.place;
    let message = format!("step {} of {} ({file}:{line}): {}", step.index, step.of, failure.message);
    let resume = json!({
        "allowed": step.left == Left::Session,
        "from": step.index,
        "planDigest": step.digest,
        "note": match unsent {
            _ if step.left != Left::Session => "the session was closed with the run: the script is run from its start",
            true => "the step did not reach the device: it can be tried again once the screen is as it expects",
            false => "the step may have reached the device: look first, then go on from it or from the one after it",
        },
        "alternateFrom": (!unsent && step.index < step.of).then_some(step.index + 1),
    });
    let divergence = json!({
        "version": VERSION,
        "kind": kind,
        "step": with_sends(
            json!({
                "index": step.index,
                "of": step.of,
                "file": file,
                "line": line,
                "text": step.text,
                "dispatched": cause.dispatched(),
            }),
            cause,
        ),
        "cause": failure,
        "screen": seen.facts,
        "suggestions": suggestions,
        "resume": resume,
    });
    let mut diverged = Failure::new(Code::ReplayDivergence, message).hint(hint(step, failure, &suggestions, unsent));
    if let Some(claim) = cause.claim() {
        diverged = diverged.under(claim);
    }
    for key in ["readiness", "candidates", "near", "expected", "found", "differs"] {
        if let Some(value) = failure.details.get(key) {
            diverged = diverged.detail(key, value.clone());
        }
    }
    (diverged.reason("replay_divergence").detail("divergence", divergence), suggestions)
}

fn hint(step: &FailedStep<'_>, cause: &Failure, suggestions: &[Suggestion], unsent: bool) -> String {
    let mut lines = Vec::new();
    if let Some(Suggestion { selector: Some(selector), role, label, .. }) = suggestions.first() {
        let label = label.as_deref().unwrap_or_default();
        lines.push(format!("perhaps [{role}] {label:?} is meant: {selector}"));
    }
    // What it was says more than whatever has a like name.
    if lines.is_empty()
        && Kind::of(cause) == Kind::SelectorMiss
        && let Some(was) = &step.recorded
    {
        lines.push(format!("it was {was} when it was recorded, and nothing on the screen is like it: it is gone, or this is another screen"));
    }
    if lines.is_empty() {
        lines.extend(cause.hint.as_deref().and_then(|hint| step.left.of_hint(hint)));
    }
    lines.push(step.left.going_on(step.index, step.digest, unsent));
    lines.join("\n")
}

/// The failure of a flow whose step failed. Flows are not gone on with from a step: their conditions and variables are not
/// what they were.
pub fn of_flow(failed: &maestro::Failed, seen: Seen, sends: Sends, left: Left) -> Disclosed {
    let cause: Disclosed = serde_json::to_value(&failed.failure)
        .and_then(serde_json::from_value)
        .unwrap_or_else(|_| Disclosed::seal(failed.failure.clone(), Some(Effect::Mutates), Sends::NONE));
    let failure = cause.failure();
    let kind = Kind::of(failure);
    let selector = failure.details.get("selector").and_then(Value::as_str);
    let wanted = selector.map(Wanted::of_selector).unwrap_or_default();
    let suggestions = match kind {
        Kind::SelectorMiss | Kind::CheckFailed => suggest(&wanted, &seen.nodes),
        _ => Vec::new(),
    };
    let Place { file, line } = &failed.place;
    let message = format!("{file}:{line}: {}: {}", failed.step, failure.message);
    let divergence = json!({
        "version": VERSION,
        "kind": kind,
        "step": with_sends(
            json!({"file": file, "line": line, "text": failed.step, "dispatched": cause.dispatched()}),
            &cause,
        ),
        "cause": failure,
        "screen": seen.facts,
        "suggestions": suggestions,
        "inCleanup": failed.in_cleanup,
        "resume": {"allowed": false, "note": "a flow is run from its start: its variables and conditions are not kept"},
    });
    let mut diverged = Failure::new(Code::ReplayDivergence, message);
    if let Some(claim) = cause.claim() {
        diverged = diverged.under(claim);
    }
    let advice = match suggestions.first() {
        Some(Suggestion { role, label, .. }) => {
            Some(format!("perhaps [{role}] {:?} is meant", label.as_deref().unwrap_or_default()))
        }
        None => failure.hint.as_deref().and_then(|hint| left.of_hint(hint)),
    };
    let reached = left.seen(cause.dispatched() == Dispatched::No);
    diverged.hint = Some(advice.into_iter().chain([reached]).collect::<Vec<_>>().join("\n"));
    for key in ["readiness", "candidates", "near"] {
        if let Some(value) = failure.details.get(key) {
            diverged = diverged.detail(key, value.clone());
        }
    }
    let diverged = diverged.reason("replay_divergence").detail("divergence", divergence);
    // What the step itself sent is not among what was sent before it.
    let own = u32::try_from(cause.steps()).unwrap_or(u32::MAX);
    let lost = u32::from(cause.dispatched() == Dispatched::Unknown && own == 0);
    let before = Sends { completed: sends.completed.saturating_sub(own), open: sends.open.saturating_sub(lost) };
    let effect = if cause.dispatched() == Dispatched::No { Effect::Observes } else { Effect::Mutates };
    if failed.settling && before.any() {
        let claim = Claim { row: Row::ReplayDeferredSettleRefused, dispatched: Dispatched::Unknown };
        return Disclosed::seal(diverged.under(claim), Some(effect), sends);
    }
    host::of_run(diverged, effect, before, cause.steps())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nodes_of_a_snapshot_are_read() {
        let told = json!([
            {"depth": 2, "enabled": true, "hittable": true, "index": 2, "interactive": true, "visibleToUser": true, "ref": "e1",
             "label": "Back", "role": "button", "rect": {"x": 0.0, "y": 0.0, "width": 10.5, "height": 20.0}},
            {"depth": 1, "enabled": true, "hiddenAbove": 0.0, "hiddenBelow": 12.0, "index": 4, "scrollable": true,
             "visibleToUser": true, "role": "main", "rect": {"x": 0.0, "y": 0.0, "width": 10.5, "height": 20.0}},
            {"depth": 1, "checked": "unchecked", "enabled": true, "index": 5, "level": 1, "type": "keyboard",
             "visibleToUser": true, "role": "group", "rect": {"x": 0.0, "y": 0.0, "width": 10.5, "height": 20.0}},
        ]);
        let nodes: Vec<NodeView> = serde_json::from_value(told).unwrap();
        assert_eq!(nodes.len(), 3);
    }
}
