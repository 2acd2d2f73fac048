//! The one polling loop. Readiness, wait, settle, scroll movement and fill verification are verdicts on it.
//!
//! The budget bounds when a look *starts*. A look under way is never abandoned: it may overrun the budget, and a
//! cancellation joins it. After the last pause one more look is always made, so that "not there" is said of the
//! screen as it is at the end, not as it was one interval before.

use std::time::Duration;

use contract::Failure;
pub use contract::answer::host::{Poll, PollOutcome};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// When to look.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    /// Pause between the end of one look and the start of the next.
    pub interval: Duration,
    /// How long looks may go on starting.
    pub budget: Duration,
    /// Looks that are made in any case.
    pub min_polls: u32,
    /// What the budget is counted from.
    pub budget_from: BudgetFrom,
    /// Nothing starts after this, whatever the budget says: the request's own deadline.
    pub deadline: Instant,
}

/// What a budget is counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetFrom {
    /// From the call.
    Start,
    /// From the end of the first look, which may take as long as it takes.
    FirstLook,
}

/// What a look means.
#[derive(Debug)]
pub enum Verdict<T> {
    /// This is what was waited for.
    Done(T),
    /// Look again.
    Continue,
    /// Look again, with a budget at least this long.
    Extend(Duration),
    /// Looking on makes no sense.
    Stop(Failure),
}

/// How it ended.
#[derive(Debug)]
pub enum End<T> {
    /// The verdict was `Done`.
    Done(T),
    /// The budget ran out; the screen was seen at least once.
    Expired,
    /// The budget ran out while looks did not come back in time, the last one and every second one before it.
    Stalled,
    /// No look ever succeeded; the last failure.
    Unseen(Failure),
    /// The verdict was `Stop`.
    Stopped(Failure),
    /// The caller went away.
    Cancelled,
}

impl<T> End<T> {
    /// The same end without what was waited for.
    pub fn without_value(self) -> End<()> {
        match self {
            End::Done(_) => End::Done(()),
            End::Expired => End::Expired,
            End::Stalled => End::Stalled,
            End::Unseen(failure) => End::Unseen(failure),
            End::Stopped(failure) => End::Stopped(failure),
            End::Cancelled => End::Cancelled,
        }
    }
}

/// What was seen, when, and how it ended.
#[derive(Debug)]
pub struct Observation<T> {
    /// How it ended.
    pub end: End<T>,
    /// Every look.
    pub polls: Vec<Poll>,
    /// From the call to the end, ms.
    pub waited_ms: u64,
}

impl<T> Observation<T> {
    /// The looks for an error's details: the first 5 and the last 25 of many.
    pub fn polls_shown(&self) -> Vec<Poll> {
        const FIRST: usize = 5;
        const LAST: usize = 25;
        if self.polls.len() <= FIRST + LAST {
            return self.polls.clone();
        }
        let last = self.polls.len() - LAST;
        self.polls.iter().take(FIRST).chain(self.polls.iter().skip(last)).copied().collect()
    }
}

/// Looks until the verdict is done, the budget has run out or the caller is gone.
///
/// `look` takes one look at the screen; its failures are ridden out, except on the last look. `verdict` is handed
/// what was seen. Neither is ever torn: cancellation is seen when a look has returned.
pub async fn observe_until<S, T, F>(
    schedule: Schedule,
    cancel: &CancellationToken,
    mut look: impl FnMut() -> F,
    mut verdict: impl FnMut(S) -> Verdict<T>,
) -> Observation<T>
where
    F: Future<Output = Result<S, Failure>>,
{
    let started = Instant::now();
    let mut polls = Vec::new();
    let mut budget = schedule.budget;
    let mut budget_start = started;
    let mut seen = false;
    let end = loop {
        if cancel.is_cancelled() {
            break End::Cancelled;
        }
        let poll_started = Instant::now();
        let result = look().await;
        let now = Instant::now();
        if polls.is_empty() && schedule.budget_from == BudgetFrom::FirstLook {
            budget_start = now;
        }
        let over = |budget: Duration| now >= (budget_start + budget).min(schedule.deadline);
        let late = !polls.is_empty() && over(budget) && now.duration_since(poll_started) > schedule.interval;
        let outcome = match &result {
            Ok(_) if late => PollOutcome::Stalled,
            Ok(_) => PollOutcome::Observed,
            Err(_) => PollOutcome::RodeOut,
        };
        polls.push(Poll {
            started_ms: millis(poll_started.duration_since(started)),
            duration_ms: millis(now.duration_since(poll_started)),
            outcome,
        });
        let failed = match result {
            Ok(screen) => {
                seen = true;
                match verdict(screen) {
                    Verdict::Done(value) => break End::Done(value),
                    Verdict::Stop(failure) => break End::Stopped(failure),
                    Verdict::Extend(longer) => budget = budget.max(longer),
                    Verdict::Continue => {}
                }
                None
            }
            Err(failure) => Some(failure),
        };
        let enough = u32::try_from(polls.len()).unwrap_or(u32::MAX) >= schedule.min_polls;
        if (over(budget) && enough) || now >= schedule.deadline {
            break match failed {
                Some(failure) if !seen => End::Unseen(failure),
                _ if late && slow_looks(&polls, schedule.interval) => End::Stalled,
                _ => End::Expired,
            };
        }
        let ends = (budget_start + budget).min(schedule.deadline);
        // Looks that are made in any case are made within the request's limit all the same.
        let room = if enough { ends } else { schedule.deadline };
        let pause = schedule.interval.min(room.saturating_duration_since(now));
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = cancel.cancelled() => break End::Cancelled,
        }
    };
    Observation { end, polls, waited_ms: millis(started.elapsed()) }
}

/// Looks took longer than the pause between them, at least every second one: what was not seen may have been there.
fn slow_looks(polls: &[Poll], interval: Duration) -> bool {
    let slow = polls.iter().filter(|poll| poll.duration_ms > millis(interval)).count();
    slow * 2 >= polls.len()
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
