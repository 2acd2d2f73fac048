//! After the answer to a command was lost: the helper's journal is asked what became of it.

use std::{
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Duration,
};

use contract::{Effect, Failure, Row};
use observe::{BudgetFrom, End, Schedule, Verdict as Look, observe_until};
use wire::{Context, Lost, NotSent, Sent};

use super::{
    exchange::exchange,
    fields::Fields,
    journal::{Asked, Verdict, judge},
    refusals::{self, Outcome},
    reply::Reply,
    request::{Action, new_id},
    session::Session,
};
use crate::adb::Phone;

/// Pause between two questions about a command that has not ended.
const INTERVAL: Duration = Duration::from_millis(50);
/// How long one question may take.
const QUESTION: Duration = Duration::from_secs(1);
/// Questions in a row that find nothing listening, of a helper whose end was told, before its journal counts as gone
/// with it. One would not do: adb also says so of a line that breaks at that moment.
const GONE: u32 = 3;

/// Which command of which session.
#[derive(Debug, Clone, Copy)]
pub struct Command<'a> {
    /// The device.
    pub phone: &'a Phone,
    /// The helper that was told it.
    pub session: &'a Session,
    /// The command's id, without options.
    pub id: &'a str,
    /// What is being done, for messages.
    pub doing: &'a str,
}

/// Turns a lost answer into the real one, or into a proof, where the journal can; asks again while the command runs
/// and there is time.
///
/// # Errors
/// The command failed after it began, or nobody can say: `unknown`, under the journal's rows.
pub async fn settle(context: &Context, command: Command<'_>, asked: &Asked, lost: Lost) -> Result<Outcome, Failure> {
    let cause = lost.cause().to_owned();
    // A caller that went away changes nothing about what has to be known: the timeline keeps it.
    let cancel = tokio_util::sync::CancellationToken::new();
    let schedule = Schedule {
        interval: INTERVAL,
        budget: context.left(),
        min_polls: 1,
        budget_from: BudgetFrom::Start,
        deadline: context.deadline,
    };
    let mut running = false;
    let refusals_in_a_row = AtomicU32::new(0);
    let observed = observe_until(
        schedule,
        &cancel,
        || async {
            let answer = question(context, command).await;
            let refused = answer.as_ref().is_err_and(nothing_listens) && command.session.ending().is_some();
            let in_a_row = if refused { refusals_in_a_row.load(Relaxed) + 1 } else { 0 };
            refusals_in_a_row.store(in_a_row, Relaxed);
            if in_a_row == GONE { Ok(None) } else { answer.map(Some) }
        },
        |status| match status.map_or_else(ended, |status| judge(asked, &status)) {
            Verdict::Running => {
                running = true;
                Look::Continue
            }
            verdict => Look::Done(verdict),
        },
    )
    .await;
    context.looks.note(&observed.polls);
    let open = |row, why: String| Err(lost_under(row, &cause, &why, command.doing));
    match observed.end {
        End::Done(Verdict::Completed(reply)) => {
            let reply = lost.recovered(reply).completed();
            Ok(Outcome::Done(Reply { resolved: Some(Row::HelperJournalCompleted), ..reply }))
        }
        End::Done(Verdict::NeverAccepted) => Err(refusals::unreached(never(lost), command.doing)),
        End::Done(Verdict::Refused(error)) => {
            let proof = lost.disproved(refusals::meaning(&error).row, error.to_string());
            Ok(Outcome::Refused(error, proof))
        }
        End::Done(Verdict::Failed(error)) => Err(refusals::failed(Row::HelperJournalFailed, &error, command.doing)),
        End::Done(Verdict::Open(row, why)) => open(row, why),
        End::Done(Verdict::Running) | End::Expired | End::Stalled | End::Cancelled if running => {
            open(Row::HelperJournalInFlight, "the command had begun and not ended when the time was up".to_owned())
        }
        End::Unseen(failure) | End::Stopped(failure) => {
            open(Row::HelperJournalUnavailable, format!("the journal could not be asked: {}", failure.message))
        }
        End::Done(Verdict::Running) | End::Expired | End::Stalled | End::Cancelled => {
            open(Row::HelperJournalUnavailable, "the time was up before the journal could be asked".to_owned())
        }
    }
}

fn nothing_listens(failure: &Failure) -> bool {
    failure.claim().is_some_and(|claim| claim.row == Row::HelperSessionGone)
}

/// There is no journal to be asked any more.
fn ended() -> Verdict {
    Verdict::Open(Row::HelperJournalUnavailable, "the helper has ended since, and its journal with it".to_owned())
}

fn never(lost: Lost) -> NotSent {
    let cause = format!("{}; the helper's journal proves that the command never arrived", lost.cause());
    lost.disproved(Row::HelperJournalNeverAccepted, cause)
}

fn lost_under(row: Row, cause: &str, why: &str, doing: &str) -> Failure {
    Failure::lost(row, contract::Code::CommandFailed, format!("{doing}: {cause}; {why}")).reason("reply_lost")
}

/// One question. It changes nothing, so it may be asked as often as need be.
async fn question(context: &Context, command: Command<'_>) -> Result<Fields, Failure> {
    let context = context.until(QUESTION);
    let id = new_id(Action::Status);
    let line = format!("status {id} {}\n", command.id);
    match exchange(command.phone, command.session.port(), &context, Effect::Observes, &id, line.as_bytes()).await {
        Sent::Answered(answered) => Ok(answered.completed().fields),
        Sent::Lost(lost) => Err(lost.failure("asking the helper's journal")),
        Sent::NotSent(proof) => Err(refusals::unreached(proof, "asking the helper's journal")),
    }
}
