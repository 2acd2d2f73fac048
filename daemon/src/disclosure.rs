//! The seam: the one place where a failure gets its `dispatched`.
//!
//! Handlers return a [`Failure`]; what leaves the daemon is a [`Disclosed`]. The rule itself is `contract`'s, so that
//! clients seal what fails before a daemon is reached by the same one.

use contract::{Claim, Disclosed, Dispatched, Effect, Failure, Row};
use wire::Ledger;

/// Seals the failure of a request: from its ledger, its command's effect and the producer's own proof.
pub fn disclose(failure: Failure, effect: Option<Effect>, ledger: &Ledger) -> Disclosed {
    Disclosed::seal(with_row(failure, effect), effect, ledger.sends())
}

/// A failure that nobody classified belongs to the row of its kind.
fn with_row(failure: Failure, effect: Option<Effect>) -> Failure {
    if failure.claim().is_some() {
        return failure;
    }
    match effect {
        Some(Effect::Observes) => failure.under(Claim { row: Row::DaemonReadOnlyCommand, dispatched: Dispatched::No }),
        _ => failure.under(Claim { row: Row::DaemonUnclassified, dispatched: Dispatched::Unknown }),
    }
}

/// A failure after earlier steps of the same command were sent belongs to the row of the series, and says how many
/// steps went well.
pub fn after_steps(failure: Failure, done: usize, row: Row) -> Failure {
    if done == 0 {
        return failure;
    }
    failure.detail("completed", done).under(Claim { row, dispatched: Dispatched::Unknown })
}
