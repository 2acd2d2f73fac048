//! The seam: the one place where a failure gets its `dispatched`.
//!
//! Handlers return a [`Failure`]; what leaves the daemon is a [`Disclosed`]. The rule itself is `contract`'s, so that
//! clients seal what fails before a daemon is reached by the same one.

use contract::{Claim, Disclosed, Dispatched, Effect, Failure, Row};
use wire::Ledger;

/// Seals the failure of a request: from its ledger, its command's effect and the producer's own proof.
pub fn disclose(failure: Failure, effect: Option<Effect>, ledger: &Ledger) -> Disclosed {
    let sends = ledger.sends();
    Disclosed::seal(with_row(failure, effect, sends.any()), effect, sends)
}

/// Puts a failure under the row that says what is disclosed: where the rule overrules the producer, under a row of the
/// daemon's own, and where nobody classified it, under the row of its kind.
fn with_row(failure: Failure, effect: Option<Effect>, sent: bool) -> Failure {
    let observes = matches!(effect, None | Some(Effect::Observes));
    match failure.claim() {
        Some(Claim { dispatched: Dispatched::No, .. }) if sent => after_send(failure, Row::DaemonRefusedAfterSend),
        Some(Claim { dispatched: Dispatched::Unknown, .. }) | None if observes && !sent => {
            failure.under(Claim { row: Row::DaemonReadOnlyCommand, dispatched: Dispatched::No })
        }
        Some(_) => failure,
        None => failure.under(Claim { row: Row::DaemonUnclassified, dispatched: Dispatched::Unknown }),
    }
}

/// A refusal that came too late to be one. The row under which it was refused stays in `details.refusalRow`.
fn after_send(failure: Failure, otherwise: Row) -> Failure {
    let refusal = failure.claim().map(|claim| claim.row);
    let row = match refusal {
        Some(Row::DaemonCancelledBeforeSend) => Row::DaemonCancelledAfterSend,
        Some(Row::DaemonDeadlineBeforeSend) => Row::DaemonDeadlineAfterSend,
        _ => otherwise,
    };
    let failure = failure.under(Claim { row, dispatched: Dispatched::Unknown });
    match refusal {
        Some(refusal) => failure.detail("refusalRow", refusal.id()),
        None => failure,
    }
}

/// A refusal after earlier steps of the same command were sent belongs to the row of the series, and says how many
/// steps went well. A step that was itself sent and lost keeps its own row.
pub fn after_steps(failure: Failure, done: usize, row: Row) -> Failure {
    if done == 0 {
        return failure;
    }
    let failure = failure.detail("completed", done);
    match failure.claim() {
        Some(Claim { dispatched: Dispatched::Unknown, .. }) => failure,
        _ => after_send(failure, row),
    }
}
