use std::{cell::Cell, time::Duration};

use contract::{Code, Failure};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::*;

const MS: Duration = Duration::from_millis(1);

fn every_200_for_2000() -> Schedule {
    Schedule {
        interval: 200 * MS,
        budget: 2_000 * MS,
        min_polls: 1,
        budget_from: BudgetFrom::FirstLook,
        deadline: Instant::now() + Duration::from_secs(600),
    }
}

/// Looks that take `each`; the verdict is done at the look with number `at` (from 1).
async fn run(schedule: Schedule, each: Duration, at: u32) -> Observation<u32> {
    let count = Cell::new(0);
    let look = || async {
        sleep(each).await;
        count.set(count.get() + 1);
        Ok(count.get())
    };
    observe_until(schedule, &CancellationToken::new(), look, |seen| {
        if seen >= at { Verdict::Done(seen) } else { Verdict::Continue }
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn what_is_there_at_once_costs_one_look_and_no_pause() {
    let seen = run(every_200_for_2000(), 30 * MS, 1).await;
    assert!(matches!(seen.end, End::Done(1)));
    assert_eq!((seen.polls.len(), seen.waited_ms), (1, 30));
}

#[tokio::test(start_paused = true)]
async fn the_budget_counts_from_the_first_look_and_a_last_look_is_made_at_its_end() {
    let seen = run(every_200_for_2000(), 60 * MS, u32::MAX).await;
    assert!(matches!(seen.end, End::Expired));
    // 60 ms first look, then 2000 ms in steps of 200 + 60; the last pause is shortened so that a look starts at the end.
    assert_eq!(seen.polls.first().map(|poll| poll.started_ms), Some(0));
    let last = seen.polls.last().unwrap();
    assert_eq!((last.started_ms, last.duration_ms, seen.waited_ms), (2_060, 60, 2_120));
    assert_eq!(seen.polls.len(), 9);
}

#[tokio::test(start_paused = true)]
async fn a_slow_first_look_does_not_eat_the_budget() {
    let seen = run(every_200_for_2000(), 5_000 * MS, 2).await;
    assert!(matches!(seen.end, End::Done(2)), "{:?}", seen.end);
}

#[tokio::test(start_paused = true)]
async fn a_budget_from_the_start_still_sees_the_screen_once() {
    let schedule = Schedule { budget_from: BudgetFrom::Start, budget: 100 * MS, ..every_200_for_2000() };
    let seen = run(schedule, 500 * MS, u32::MAX).await;
    assert!(matches!(seen.end, End::Expired));
    assert_eq!(seen.polls.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_look_that_does_not_come_back_in_time_is_joined_and_called_stalled() {
    let count = Cell::new(0);
    let look = || async {
        count.set(count.get() + 1);
        sleep(if count.get() == 1 { 10 * MS } else { 3_000 * MS }).await;
        Ok(())
    };
    let seen = observe_until(every_200_for_2000(), &CancellationToken::new(), look, |()| Verdict::<()>::Continue).await;
    assert!(matches!(seen.end, End::Stalled));
    assert_eq!((count.get(), seen.waited_ms), (2, 3_210));
    assert_eq!(seen.polls.last().unwrap().outcome, PollOutcome::Stalled);
}

#[tokio::test(start_paused = true)]
async fn failed_looks_are_ridden_out_and_the_last_one_is_reported_if_nothing_was_ever_seen() {
    let count = Cell::new(0);
    let look = || async {
        count.set(count.get() + 1);
        if count.get() < 3 { Err(Failure::new(Code::CaptureFailed, "no")) } else { Ok(()) }
    };
    let seen = observe_until(every_200_for_2000(), &CancellationToken::new(), look, |()| Verdict::Done(())).await;
    assert!(matches!(seen.end, End::Done(())));
    let outcomes: Vec<_> = seen.polls.iter().map(|poll| poll.outcome).collect();
    assert_eq!(outcomes, [PollOutcome::RodeOut, PollOutcome::RodeOut, PollOutcome::Observed]);

    let never = || async { Err::<(), _>(Failure::new(Code::CaptureFailed, "no")) };
    let seen =
        observe_until(every_200_for_2000(), &CancellationToken::new(), never, |()| Verdict::<()>::Continue).await;
    assert!(matches!(seen.end, End::Unseen(failure) if failure.code == Code::CaptureFailed));
}

#[tokio::test(start_paused = true)]
async fn cancellation_joins_the_look_under_way() {
    let cancel = CancellationToken::new();
    let finished = Cell::new(false);
    let look = || async {
        cancel.cancel();
        sleep(700 * MS).await;
        finished.set(true);
        Ok(())
    };
    let seen = observe_until(every_200_for_2000(), &cancel, look, |()| Verdict::<()>::Continue).await;
    assert!(matches!(seen.end, End::Cancelled));
    assert!(finished.get());
    assert_eq!(seen.waited_ms, 700);
}

#[tokio::test(start_paused = true)]
async fn the_deadline_of_the_request_ends_it_whatever_the_budget() {
    let schedule = Schedule { deadline: Instant::now() + 450 * MS, min_polls: 50, ..every_200_for_2000() };
    let seen = run(schedule, MS, u32::MAX).await;
    assert!(matches!(seen.end, End::Expired));
    // The last look starts with the deadline: no pause goes beyond it, also between looks that are made in any case.
    assert_eq!(seen.waited_ms, 451);
}

#[tokio::test(start_paused = true)]
async fn a_verdict_may_lengthen_the_budget_and_never_shorten_it() {
    let look = || async { Ok(()) };
    let longer =
        observe_until(every_200_for_2000(), &CancellationToken::new(), look, |()| Verdict::<()>::Extend(3_000 * MS))
            .await;
    let shorter =
        observe_until(every_200_for_2000(), &CancellationToken::new(), look, |()| Verdict::<()>::Extend(MS)).await;
    assert_eq!((longer.waited_ms, shorter.waited_ms), (3_000, 2_000));
}
