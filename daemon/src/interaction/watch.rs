//! Waiting for something to be seen: the schedule, and what is said where it does not come.

use std::{sync::Arc, time::Duration};

use backend::Device;
use contract::{Code, Failure, Row, command::WAIT_INTERVAL_MS};
use observe::{BudgetFrom, End, Observation, Poll, Schedule, Verdict, observe_until};
use wire::Context;

use super::resolve;
use crate::run::Run;

/// What is waited for, and how long.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// In words, for the failure: `the text "Saved"`.
    pub what: &'a str,
    /// How long at most, ms.
    pub limit_ms: u64,
    /// Pause between two looks, ms.
    pub interval_ms: u64,
}

impl<'a> Wish<'a> {
    /// With the field's pause between two looks.
    pub const fn new(what: &'a str, limit_ms: u64) -> Self {
        Self { what, limit_ms, interval_ms: WAIT_INTERVAL_MS }
    }
}

/// What came.
#[derive(Debug)]
pub struct Got<T> {
    /// It.
    pub value: T,
    /// After how long, ms.
    pub waited_ms: u64,
    /// How many looks were made.
    pub looks: usize,
}

/// Looks until the verdict is done or the limit has passed. At least one look is made.
pub async fn watch<S, T, F>(
    run: &Run<'_>,
    wish: Wish<'_>,
    look: impl Fn(Arc<dyn Device>, Context) -> F,
    mut verdict: impl FnMut(S) -> Verdict<T>,
) -> Observation<T>
where
    F: Future<Output = Result<S, Failure>>,
{
    let schedule = Schedule {
        interval: Duration::from_millis(wish.interval_ms),
        budget: Duration::from_millis(wish.limit_ms),
        min_polls: 1,
        budget_from: BudgetFrom::Start,
        deadline: run.context.deadline,
    };
    let (device, context) = (run.session.device.clone(), run.context.clone());
    let looked = || {
        let seen = look(device.clone(), context.clone());
        async { seen_or_final(seen.await) }
    };
    let judged = |seen: Result<S, Failure>| match seen {
        Ok(screen) => verdict(screen),
        Err(failure) => Verdict::Stop(failure),
    };
    observe_until(schedule, &run.context.cancel, looked, judged).await
}

/// A look that looking on does not mend ends the loop: a dialog is in the way, or the session's app or browser is gone.
/// Every other failure is ridden out.
pub fn seen_or_final<T>(look: Result<T, Failure>) -> Result<Result<T, Failure>, Failure> {
    match look {
        Err(failure) if matches!(failure.code, Code::AlertOpen | Code::SessionLost) => Ok(Err(failure)),
        other => other.map(Ok),
    }
}

/// What was waited for, or the failure that says how long and what every look came to. The looks go to the timeline.
///
/// # Errors
/// `WAIT_TIMEOUT`; the last failure where nothing was ever seen; `CANCELLED`.
pub fn outcome<T>(run: &mut Run<'_>, wish: Wish<'_>, observation: Observation<T>) -> Result<Got<T>, Failure> {
    run.note_polls(&observation);
    let (waited_ms, looks, polls) = (observation.waited_ms, observation.polls.len(), observation.polls_shown());
    match observation.end {
        End::Done(value) => Ok(Got { value, waited_ms, looks }),
        End::Unseen(failure) | End::Stopped(failure) => Err(failure),
        End::Cancelled => Err(resolve::cancelled(&run.context)),
        End::Stalled => Err(expired(wish, waited_ms, looks, &polls, true)),
        End::Expired => Err(expired(wish, waited_ms, looks, &polls, false)),
    }
}

/// The failure of a wait whose limit has passed.
pub fn expired(wish: Wish<'_>, waited_ms: u64, looks: usize, polls: &[Poll], stalled: bool) -> Failure {
    let Wish { what, limit_ms, .. } = wish;
    let slow = if stalled { "; the screen was slow to be read" } else { "" };
    let failure = Failure::refused(
        Row::DaemonWaitExpired,
        Code::WaitTimeout,
        format!("waited {waited_ms} of {limit_ms} ms for {what}{slow}"),
    )
    .reason(if stalled { "wait_capture_stalled" } else { "wait_deadline_exceeded" })
    .detail("timeoutMs", limit_ms)
    .detail("waitedMs", waited_ms)
    .detail("captures", looks)
    .detail("polls", serde_json::to_value(polls).unwrap_or_default())
    .hint("look at the screen: agent-device snapshot");
    if stalled { failure.retriable() } else { failure }
}
