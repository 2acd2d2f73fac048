//! Waiting until the device holds what it was told: a verdict on the one polling loop.

use std::time::Duration;

use contract::{Code, Failure};
use observe::{BudgetFrom, End, Schedule, Verdict, observe_until};
use wire::Context;

/// How such a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled<T> {
    /// It holds.
    Held(T),
    /// It did not within the limit; what was seen last.
    Not(T),
}

/// Looks until `holds`, at most for `limit`.
///
/// # Errors
/// No look succeeded, or the caller is gone.
pub async fn until<T: Clone, F: Future<Output = Result<T, Failure>>>(
    context: &Context,
    interval: Duration,
    limit: Duration,
    look: impl FnMut() -> F,
    holds: impl Fn(&T) -> bool,
) -> Result<Settled<T>, Failure> {
    let schedule =
        Schedule { interval, budget: limit, min_polls: 1, budget_from: BudgetFrom::Start, deadline: context.deadline };
    let mut last = None;
    let seen = observe_until(schedule, &context.cancel, look, |value: T| {
        last = Some(value.clone());
        if holds(&value) { Verdict::Done(value) } else { Verdict::Continue }
    })
    .await;
    context.looks.note(&seen.polls);
    match (seen.end, last) {
        (End::Done(value), _) => Ok(Settled::Held(value)),
        (End::Unseen(failure) | End::Stopped(failure), _) => Err(failure),
        (End::Expired | End::Stalled, Some(last)) => Ok(Settled::Not(last)),
        (End::Cancelled | End::Expired | End::Stalled, _) => {
            context.check()?;
            Err(Failure::new(Code::Timeout, "the device was not seen within the limit").reason("deadline_exceeded"))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_comes_to_hold_is_seen_and_what_never_does_is_told() {
        let context = Context::with_limit(Duration::from_secs(60));
        let count = Cell::new(0);
        let look = || async { Ok(count.replace(count.get() + 1)) };
        let wait =
            |holds: fn(&i32) -> bool| until(&context, Duration::from_millis(100), Duration::from_secs(1), look, holds);
        assert_eq!(wait(|seen| *seen == 3).await.unwrap(), Settled::Held(3));
        assert!(matches!(wait(|seen| *seen < 0).await.unwrap(), Settled::Not(last) if last > 10));
    }

    #[tokio::test(start_paused = true)]
    async fn a_look_that_never_succeeds_is_the_failure() {
        let context = Context::with_limit(Duration::from_secs(60));
        let look = || async { Err::<(), _>(Failure::new(Code::CommandFailed, "no way")) };
        let end = until(&context, Duration::from_millis(100), Duration::from_secs(1), look, |_| true).await;
        assert_eq!(end.unwrap_err().message, "no way");
    }
}
