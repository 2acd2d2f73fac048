//! Ending the helper, and the proof that UiAutomation is free again.

use std::{sync::Arc, time::Duration};

use contract::{Code, Effect, Failure, Row};
use observe::{BudgetFrom, End, Schedule, Verdict, observe_until};
use tokio::time::Instant;
use wire::{Context, Sent};

use super::{
    exchange::exchange,
    request::{Action, Ask, new_id},
    session::Session,
};
use crate::adb::{Phone, quote};

/// How long the answer to `quit` may take.
const QUIT_LIMIT: Duration = Duration::from_secs(1);
/// How long the helper may take to end after that: it waits up to 10 s for a UiAutomation that is still connecting.
const END_LIMIT: Duration = Duration::from_secs(11);
/// The same where it did not answer.
const UNTOLD_LIMIT: Duration = Duration::from_millis(500);
/// Kept of the time for the case that it does not end by itself.
const FORCE_RESERVE: Duration = Duration::from_secs(3);
/// How long a process that was ended may still be seen.
const GONE_LIMIT: Duration = Duration::from_secs(2);
const GONE_INTERVAL: Duration = Duration::from_millis(50);
/// Printed where no process of the helper is left.
const NONE_LEFT: &str = "AGENT_DEVICE_NO_HELPER";

/// Ends a session: asks it to, waits, and ends it by force where it does not. Proves that it is gone.
///
/// # Errors
/// `helper.occupied` where its process stays.
pub async fn quit(phone: &Phone, context: &Context, package: &str, session: Arc<Session>) -> Result<(), Failure> {
    if session.ending().is_none() {
        let asking = context.until(QUIT_LIMIT);
        let id = new_id(Action::Quit);
        let line = Ask::of(Action::Quit).line(&id);
        let asked = exchange(phone, session.port(), &asking, Effect::Observes, &id, &line).await;
        // One that did not answer may not have been told: it is not waited for as if it had been.
        let limit = match asked {
            Sent::Answered(answered) => {
                answered.completed();
                END_LIMIT
            }
            Sent::NotSent(_) | Sent::Lost(_) => UNTOLD_LIMIT,
        };
        let limit = limit.min(context.left().saturating_sub(FORCE_RESERVE));
        let ended = session.wait_for_end(Instant::now() + limit).await.is_some();
        drop(session);
        if !ended {
            return stop(phone, context, package).await;
        }
    }
    match gone(phone, context, package).await {
        Ok(()) => Ok(()),
        Err(_) => stop(phone, context, package).await,
    }
}

/// Ends whatever runs of the helper, by force, and proves that it is gone.
///
/// # Errors
/// No way to the device; `helper.occupied` where its process stays.
pub async fn stop(phone: &Phone, context: &Context, package: &str) -> Result<(), Failure> {
    phone.shell(context, Effect::Manages, &quote::line(["am", "force-stop", package])).await?.completed();
    gone(phone, context, package).await
}

/// Waits until no process of the helper is left.
async fn gone(phone: &Phone, context: &Context, package: &str) -> Result<(), Failure> {
    let schedule = Schedule {
        interval: GONE_INTERVAL,
        budget: GONE_LIMIT,
        min_polls: 1,
        budget_from: BudgetFrom::Start,
        deadline: context.deadline,
    };
    let line = format!("pidof {} || echo {NONE_LEFT}", quote::quote(package));
    let observed = observe_until(
        schedule,
        &context.cancel,
        || async { Ok(phone.shell(context, Effect::Observes, &line).await?.completed().text()) },
        |said| if said.contains(NONE_LEFT) { Verdict::Done(()) } else { Verdict::Continue },
    )
    .await;
    context.looks.note(&observed.polls);
    match observed.end {
        End::Done(()) => Ok(()),
        End::Unseen(failure) | End::Stopped(failure) => Err(failure),
        End::Expired | End::Stalled | End::Cancelled => Err(Failure::refused(
            Row::HelperOccupied,
            Code::CommandFailed,
            format!("the helper on {} does not end, so UiAutomation is not free", phone.serial()),
        )
        .reason("helper_runtime_occupied")
        .hint(
            "restart the device, or end it by hand: adb shell am force-stop com.callstack.agentdevice.snapshothelper",
        )),
    }
}
