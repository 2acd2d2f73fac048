//! What is held against what.

use std::{collections::BTreeMap, fmt, time::Duration};

use contract::Effect;
use cut::{After, Breach, Told, Trial, judge};
use serde_json::Value;
use stage::{FaultKind, Operation};

use crate::books::{Books, Opened, Page};

/// What an answer may take beyond the request's limit: the wheel of the clock turns in steps of 1 ms.
const TICK: Duration = Duration::from_millis(1);

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What kind of thing.
    pub kind: Kind,
    /// The request.
    pub request: Option<String>,
    /// The command.
    pub operation: String,
    /// What exactly.
    pub what: String,
}

/// A kind of thing that is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One of the five promises.
    Broken(Breach),
    /// `dispatchedSteps` is not the number of sends that returned.
    Steps,
    /// A command that only looks says that it may have reached the device.
    LookUnknown,
    /// A ref led to another element than the one that it was shown for.
    RefNamesAnother,
    /// An input that nothing delayed hit another element than the one that it was for.
    HitAnother,
    /// Two sessions had one device.
    LeasesOverlap,
    /// A timeline does not tell what happened.
    Timeline,
    /// One request has two results, or one id two requests.
    Again,
    /// A request that reached a device has no result.
    NoResult,
    /// A task runs on after everything was closed.
    TaskLeft,
}

impl Finding {
    /// A finding about a request, or about none.
    pub fn new(kind: Kind, request: Option<&str>, what: String) -> Self {
        Self { kind, request: request.map(str::to_owned), operation: String::new(), what }
    }

    fn of(kind: Kind, request: &str, page: &Page, what: String) -> Self {
        Self { kind, request: Some(request.to_owned()), operation: page.operation.to_owned(), what }
    }

    /// Whether another finding is of the same sort: to shrink towards.
    pub fn resembles(&self, other: &Self) -> bool {
        self.kind == other.kind && self.operation == other.operation
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Broken(breach) => write!(f, "{breach}")?,
            other => write!(f, "{other:?}")?,
        }
        if let Some(request) = &self.request {
            write!(f, " ({request} {})", self.operation)?;
        }
        write!(f, ": {}", self.what)
    }
}

/// What a reply line tells.
pub fn told(reply: &Value) -> Told {
    if let Some(result) = reply.get("result") {
        return match result.pointer("/data/resolvedRow").and_then(Value::as_str) {
            Some(row) => Told::Resolved(row.to_owned()),
            None => Told::Done,
        };
    }
    let details = reply.pointer("/error/data/details");
    let text = |key: &str| details.and_then(|details| details.get(key)?.as_str());
    let row = text("dispatchRow").unwrap_or_default().to_owned();
    let steps = details.and_then(|details| details.get("dispatchedSteps")?.as_u64()).unwrap_or(0);
    match text("dispatched") {
        Some("no") if steps == 0 => Told::No(row),
        Some("unknown") => Told::Unknown(row, steps),
        _ => Told::Malformed(reply.to_string()),
    }
}

/// The part of a reply that must be the same whenever it is given.
pub fn body(reply: &Value) -> Value {
    reply.get("result").or_else(|| reply.pointer("/error/data")).cloned().unwrap_or_default()
}

/// What the devices did on a request's account: of how many commands, and which of them with which entries of the log.
type Done = Vec<(Operation, Vec<String>)>;

fn done(opened: &[Opened]) -> BTreeMap<String, Done> {
    let mut by_request = BTreeMap::<String, Done>::new();
    for app in opened {
        let log = app.probe.log();
        for deed in app.probe.deeds() {
            let entries = log.get(deed.logged).unwrap_or_default().to_vec();
            by_request.entry(deed.request.to_string()).or_default().push((deed.operation, entries));
        }
    }
    by_request
}

/// Judges every request, when nothing happens any more; `left` is how many tasks are left that should not be.
pub fn verdicts(books: &Books, left: usize) -> Vec<Trial> {
    let mut pages = books.open();
    let done = done(&pages.opened);
    let (mut trials, mut findings) = (Vec::new(), Vec::new());
    for (id, page) in &pages.requests {
        let none = Vec::new();
        let done = done.get(id).unwrap_or(&none);
        let trial = trial(page, done.len() as u32);
        for breach in judge(&trial) {
            findings.push(Finding::of(Kind::Broken(breach), id, page, format!("{trial:?}")));
        }
        findings.extend(steps(id, page));
        findings.extend(hits(id, page, done));
        if page.effect != Effect::Mutates && matches!(trial.told, Told::Unknown(..)) && page.told.is_some() {
            findings.push(Finding::of(Kind::LookUnknown, id, page, format!("{:?}", trial.told)));
        }
        // What nobody was told anything about is judged, and no figure.
        if page.told.is_some() {
            trials.push(trial);
        }
    }
    if left > 0 {
        findings.push(Finding::new(Kind::TaskLeft, None, format!("{left} tasks are left")));
    }
    // What was found on the way was found by those who know no command.
    let operations: BTreeMap<_, _> = pages.requests.iter().map(|(id, page)| (id.clone(), page.operation)).collect();
    for finding in pages.findings.iter_mut().filter(|finding| finding.operation.is_empty()) {
        let operation = finding.request.as_ref().and_then(|id| operations.get(id));
        finding.operation = operation.copied().unwrap_or_default().to_owned();
    }
    pages.findings.extend(findings);
    trials
}

/// A request as a trial of the five promises. What was asked is a range: of the two ends the one that is at stake.
fn trial(page: &Page, landed: u32) -> Trial {
    let (least, most) = (*page.asked.start(), *page.asked.end());
    let told = match &page.told {
        Some((told, _)) => told.clone(),
        // Nobody was told anything, by a daemon that was killed or before the line was written whole.
        None => Told::Unknown("not told".to_owned(), 0),
    };
    let asked = match told {
        Told::Done | Told::Resolved(_) if landed < least => least,
        Told::Done | Told::Resolved(_) => most.min(landed.max(least)),
        _ => most,
    };
    Trial {
        operation: page.operation.to_owned(),
        fault: page.faults.iter().map(|fault| format!("{fault:?}")).collect::<Vec<_>>().join(", "),
        told,
        landed,
        asked,
        after: After::Usable,
        took: page.took.unwrap_or_default(),
        limit: page.limit + TICK,
    }
}

/// Whether `dispatchedSteps` is what returned.
fn steps(id: &str, page: &Page) -> Option<Finding> {
    let told = match page.told.as_ref()?.0 {
        Told::Unknown(_, steps) => steps,
        _ => return None,
    };
    // Sends may have returned after the caller was told.
    let least = if page.went_on() { 0 } else { u64::from(page.returned.0) };
    let most = u64::from(page.returned.1);
    (!(least..=most).contains(&told)).then(|| {
        let what = format!("told {told} steps; {least} to {most} returned");
        Finding::of(Kind::Steps, id, page, what)
    })
}

/// Whether every press of a named element hit it. What was delayed may find another screen.
fn hits(id: &str, page: &Page, done: &Done) -> Option<Finding> {
    let wanted = page.hits.as_ref()?;
    let late = page.faults.iter().any(|fault| matches!(fault.kind, FaultKind::Delay | FaultKind::LateReply));
    if late || page.effect != Effect::Mutates {
        return None;
    }
    let hit = |entries: &[String]| entries.iter().any(|entry| entry.rsplit(' ').next() == Some(wanted.as_str()));
    // The second half of a double press lands on whatever the first one brought up.
    let each = if page.halves { 2 } else { 1 };
    let presses = done.iter().filter(|(operation, _)| *operation == Operation::Press);
    let astray = presses.step_by(each).find(|(_, entries)| !hit(entries))?;
    Some(Finding::of(Kind::HitAnother, id, page, format!("a press of {wanted} came to {:?}", astray.1)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_failure_without_dispatched_or_with_one_that_contradicts_itself_is_malformed() {
        let failed = |details: Value| told(&json!({"error": {"data": {"code": "X", "details": details}}}));
        assert!(matches!(failed(json!({})), Told::Malformed(_)));
        assert!(matches!(failed(json!({"dispatched": "yes"})), Told::Malformed(_)));
        assert!(matches!(failed(json!({"dispatched": "no", "dispatchedSteps": 1})), Told::Malformed(_)));
        assert_eq!(failed(json!({"dispatched": "no", "dispatchRow": "r"})), Told::No("r".to_owned()));
        let unknown = failed(json!({"dispatched": "unknown", "dispatchRow": "r", "dispatchedSteps": 2}));
        assert_eq!(unknown, Told::Unknown("r".to_owned(), 2));
        assert_eq!(told(&json!({"result": {"data": {"resolvedRow": "r"}}})), Told::Resolved("r".to_owned()));
    }
}
