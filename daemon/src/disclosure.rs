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

#[cfg(test)]
mod tests {
    use contract::Code;

    use super::*;

    fn ledger(sent: bool) -> Ledger {
        let ledger = Ledger::default();
        if sent {
            ledger.begin(Effect::Mutates).completed();
        }
        ledger
    }

    fn told(failure: Failure, effect: Option<Effect>, sent: bool) -> (Dispatched, String) {
        let disclosed = disclose(failure, effect, &ledger(sent));
        let row = disclosed.failure().details.get("dispatchRow").and_then(|row| row.as_str()).unwrap_or_default();
        (disclosed.dispatched(), row.to_owned())
    }

    /// Whatever is told, it is told under a row that says the same.
    #[test]
    fn the_row_agrees_with_what_is_told() {
        let refused = || Failure::refused(Row::DaemonRefusalCovered, Code::ElementCovered, "x");
        let lost = || Failure::lost(Row::WebdriverReplyLost, Code::CommandFailed, "x");
        let nobody = || Failure::new(Code::CommandFailed, "x");
        let (no, unknown) = (Dispatched::No, Dispatched::Unknown);
        let is = |dispatched, row: Row| (dispatched, row.id().to_owned());
        for effect in [Some(Effect::Mutates), Some(Effect::Manages)] {
            assert_eq!(told(refused(), effect, false), is(no, Row::DaemonRefusalCovered));
            assert_eq!(told(refused(), effect, true), is(unknown, Row::DaemonRefusedAfterSend));
            for sent in [false, true] {
                assert_eq!(told(lost(), effect, sent), is(unknown, Row::WebdriverReplyLost));
                assert_eq!(told(nobody(), effect, sent), is(unknown, Row::DaemonUnclassified));
            }
        }
        for effect in [None, Some(Effect::Observes)] {
            assert_eq!(told(refused(), effect, false), is(no, Row::DaemonRefusalCovered));
            assert_eq!(told(lost(), effect, false), is(no, Row::DaemonReadOnlyCommand));
            assert_eq!(told(nobody(), effect, false), is(no, Row::DaemonReadOnlyCommand));
            assert_eq!(told(lost(), effect, true), is(unknown, Row::WebdriverReplyLost));
            assert_eq!(told(nobody(), effect, true), is(unknown, Row::DaemonUnclassified));
        }
    }

    #[test]
    fn a_refusal_that_came_too_late_keeps_the_name_it_was_refused_under() {
        for (refusal, row) in [
            (Row::DaemonCancelledBeforeSend, Row::DaemonCancelledAfterSend),
            (Row::DaemonDeadlineBeforeSend, Row::DaemonDeadlineAfterSend),
            (Row::DaemonRefusalCovered, Row::DaemonRefusedAfterSend),
        ] {
            let failure = Failure::refused(refusal, Code::CommandFailed, "x");
            let disclosed = disclose(failure, Some(Effect::Mutates), &ledger(true));
            let details = &disclosed.failure().details;
            assert_eq!((&details["dispatchRow"], &details["refusalRow"]), (&row.id().into(), &refusal.id().into()));
        }
    }

    #[test]
    fn a_series_says_how_many_steps_went_well() {
        let refused = || Failure::refused(Row::DaemonRefusalCovered, Code::ElementCovered, "x");
        let first = after_steps(refused(), 0, Row::DaemonBatchMutationThenRefusedStep);
        assert_eq!(first.claim().unwrap().row, Row::DaemonRefusalCovered);
        let third = after_steps(refused(), 2, Row::DaemonBatchMutationThenRefusedStep);
        assert_eq!(
            (third.claim().unwrap().row, &third.details["completed"]),
            (Row::DaemonBatchMutationThenRefusedStep, &2.into())
        );
        let lost = after_steps(
            Failure::lost(Row::WebdriverReplyLost, Code::CommandFailed, "x"),
            2,
            Row::DaemonBatchMutationThenRefusedStep,
        );
        assert_eq!((lost.claim().unwrap().row, &lost.details["completed"]), (Row::WebdriverReplyLost, &2.into()));
    }
}
