//! Which exit code a suite deserves.
//!
//! They say what to do next, as those of single commands: 1, look at the app; 2, correct the call or the file; 3, look
//! at the device, the browser or the machine.

use flow::SuiteRecord;

use crate::facts::Totals;

/// Every flow passed.
pub const PASSED: u8 = 0;
/// A flow failed.
pub const FAILED: u8 = 1;
/// A file could not be read, or there was none; nothing failed.
pub const INVALID: u8 = 2;
/// The device, the browser or the daemon failed, or the suite was stopped before its end; nothing is known to be wrong
/// with app or files.
pub const INCOMPLETE: u8 = 3;

/// What to make of flows that passed at a later attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Flaky {
    /// They passed.
    #[default]
    Passes,
    /// They failed: `--fail-on-flaky`.
    Fails,
}

/// The exit code.
pub fn exit_code(suite: &SuiteRecord, flaky: Flaky) -> u8 {
    let totals = Totals::of(suite);
    if totals.failed > 0 || (flaky == Flaky::Fails && totals.flaky > 0) {
        FAILED
    } else if totals.invalid > 0 || totals.flows == 0 {
        INVALID
    } else if totals.infrastructure > 0 || totals.not_run > 0 {
        INCOMPLETE
    } else {
        PASSED
    }
}

#[cfg(test)]
mod tests {
    use flow::Outcome::{self, Failed, Flaky as Wavered, Infrastructure, Invalid, NotRun, Passed};

    use super::*;
    use crate::samples;

    fn code(outcomes: &[Outcome], flaky: Flaky) -> u8 {
        exit_code(&samples::suite_of(outcomes), flaky)
    }

    #[test]
    fn the_worst_that_is_known_of_the_app_decides() {
        for (outcomes, expected) in [
            (&[Passed, Passed][..], PASSED),
            (&[Passed, Wavered], PASSED),
            (&[Passed, Failed, Infrastructure, Invalid, NotRun], FAILED),
            (&[Infrastructure, Invalid], INVALID),
            (&[Passed, Infrastructure], INCOMPLETE),
            (&[Passed, NotRun], INCOMPLETE),
            (&[], INVALID),
        ] {
            assert_eq!(code(outcomes, Flaky::Passes), expected, "{outcomes:?}");
        }
    }

    #[test]
    fn a_flaky_flow_fails_where_that_is_asked_for() {
        assert_eq!(code(&[Passed, Wavered], Flaky::Fails), FAILED);
        assert_eq!(code(&[Passed], Flaky::Fails), PASSED);
    }
}
