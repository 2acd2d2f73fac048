//! What the helper's own refusals and failures mean: the only place where its exception names are matched.

use contract::{Code, Effect, Failure, Row};
use wire::{Answered, NotSent};

use super::{fields::HelperError, reply::Reply};
use crate::adb;

/// What a failure in the helper's words comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meaning {
    /// The row, where the app was not touched.
    pub row: Row,
    /// The code for callers.
    pub code: Code,
    /// The machine-readable reason.
    pub reason: &'static str,
    /// What to do about it.
    pub hint: Option<&'static str>,
    /// Whether the same may succeed later.
    pub retriable: bool,
}

const REFUSED: Meaning = Meaning {
    row: Row::HelperCommandRefused,
    code: Code::CommandFailed,
    reason: "helper_refused",
    hint: None,
    retriable: false,
};
const OCCUPIED: Meaning = Meaning {
    row: Row::HelperOccupied,
    code: Code::CommandFailed,
    reason: "ui_automation_occupied",
    hint: Some("end the other program that automates the device (a uiautomator dump, Appium, another test run)"),
    retriable: true,
};

/// Exceptions by their simple name.
const MEANINGS: [(&str, Meaning); 13] = [
    (
        "NodeGoneException",
        Meaning {
            row: Row::HelperNodeGone,
            code: Code::ElementNotFound,
            reason: "target_gone",
            hint: Some("look at what is there now: agent-device snapshot -i"),
            retriable: true,
        },
    ),
    ("ScreenChangedException", Meaning { reason: "screen_changed", retriable: true, ..REFUSED }),
    (
        "NodeMovedException",
        Meaning { code: Code::ElementOffscreen, reason: "target_moved", retriable: true, ..REFUSED },
    ),
    (
        "NodeChangedException",
        Meaning { code: Code::ElementNotFound, reason: "target_changed", retriable: true, ..REFUSED },
    ),
    ("NodeCoveredException", Meaning { code: Code::ElementCovered, reason: "covered", ..REFUSED }),
    (
        "NoFocusException",
        Meaning {
            code: Code::ElementNotEditable,
            reason: "no_focus",
            hint: Some("press the field first, or use fill: agent-device fill <target> <text>"),
            ..REFUSED
        },
    ),
    (
        "DeadlinePassedException",
        Meaning {
            row: Row::HelperDeadlinePassed,
            code: Code::Timeout,
            reason: "deadline_exceeded",
            hint: Some("give it more time: --timeout MS"),
            retriable: true,
        },
    ),
    ("FencedException", Meaning { reason: "fenced", ..REFUSED }),
    ("NotConnectedException", OCCUPIED),
    // The published helper's name for the same; it answers so only before it touches anything.
    ("TimeoutException", OCCUPIED),
    (
        "IncompleteCaptureException",
        Meaning {
            row: Row::HelperCaptureIncomplete,
            code: Code::CaptureFailed,
            reason: "capture_incomplete",
            hint: Some("the screen is changing: try again in a moment"),
            retriable: true,
        },
    ),
    // Checks of a payload: before anything is injected.
    ("IllegalArgumentException", REFUSED),
    ("JSONException", REFUSED),
];

/// What a failure means.
pub fn meaning(error: &HelperError) -> Meaning {
    MEANINGS.iter().find(|(name, _)| *name == error.simple()).map_or(REFUSED, |(_, meaning)| *meaning)
}

/// Whether the helper's words prove that the app was not touched. A helper that does not say is believed only where
/// its kind of failure is known to come before the first effect.
pub fn proves_nothing_ran(error: &HelperError) -> bool {
    let known = || MEANINGS.iter().any(|(name, _)| *name == error.simple());
    error.began.map_or_else(known, |began| !began)
}

/// The helper dropped the command because its time had passed.
pub fn is_late(error: &HelperError) -> bool {
    error.simple() == "DeadlinePassedException"
}

/// An answer told apart by what it says.
#[derive(Debug)]
pub enum Outcome {
    /// The command succeeded; counted as a completed send.
    Done(Reply),
    /// It was refused before it touched the app. The proof allows another try.
    Refused(HelperError, NotSent),
}

/// Judges an answer.
///
/// # Errors
/// `helper.command-failed`: it failed after it began.
pub fn judged(answered: Answered<Reply>, effect: Effect, doing: &str) -> Result<Outcome, Failure> {
    if answered.reply().fields.ok() {
        return Ok(Outcome::Done(answered.completed()));
    }
    let error = answered.reply().fields.error();
    if effect == Effect::Observes || proves_nothing_ran(&error) {
        let proof = answered.refused(meaning(&error).row, error.to_string());
        return Ok(Outcome::Refused(error, proof));
    }
    answered.undecided();
    Err(failed(Row::HelperCommandFailed, &error, doing))
}

/// A failure after the command began.
pub fn failed(row: Row, error: &HelperError, doing: &str) -> Failure {
    Failure::lost(row, Code::CommandFailed, format!("{doing}: {error}"))
        .reason("helper_failed")
        .hint("it may have taken effect in part: look first (agent-device snapshot), then decide")
        .detail("errorType", error.class.clone())
}

/// The failure to report for a refusal that is not tried again.
pub fn refused(error: &HelperError, proof: NotSent, doing: &str) -> Failure {
    let meaning = meaning(error);
    let mut failure =
        proof.failure(meaning.code, doing).reason(meaning.reason).detail("errorType", error.class.clone());
    if let Some(hint) = meaning.hint {
        failure = failure.hint(hint);
    }
    if meaning.retriable { failure.retriable() } else { failure }
}

/// The failure to report where the command did not reach the helper.
pub fn unreached(proof: NotSent, doing: &str) -> Failure {
    match proof.row() {
        Row::HelperSessionGone | Row::HelperNotWritten => proof
            .failure(Code::CommandFailed, doing)
            .reason("helper_session_gone")
            .hint("the helper on the device ended: the next command starts it anew")
            .retriable(),
        Row::HelperJournalNeverAccepted => proof
            .failure(Code::CommandFailed, doing)
            .reason("never_accepted")
            .hint("the command never reached the device: it can be sent again")
            .retriable(),
        _ => adb::refusals::failure(proof, doing),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(class: &str, began: Option<bool>) -> HelperError {
        HelperError { class: class.into(), message: "m".into(), began }
    }

    #[test]
    fn exceptions_of_both_helpers_have_their_meaning() {
        let ours = "com.callstack.agentdevice.snapshothelper.";
        for (class, row, reason) in [
            (format!("{ours}NodeGoneException"), Row::HelperNodeGone, "target_gone"),
            (format!("{ours}journal.DeadlinePassedException"), Row::HelperDeadlinePassed, "deadline_exceeded"),
            (
                format!("{ours}AccessibilityCaptureStabilizer$IncompleteCaptureException"),
                Row::HelperCaptureIncomplete,
                "capture_incomplete",
            ),
            ("java.util.concurrent.TimeoutException".to_owned(), Row::HelperOccupied, "ui_automation_occupied"),
            ("java.lang.IllegalArgumentException".to_owned(), Row::HelperCommandRefused, "helper_refused"),
            ("java.lang.IllegalStateException".to_owned(), Row::HelperCommandRefused, "helper_refused"),
        ] {
            let meaning = meaning(&error(&class, None));
            assert_eq!((meaning.row, meaning.reason), (row, reason), "{class}");
        }
    }

    #[test]
    fn a_helper_that_does_not_say_is_believed_only_where_it_cannot_have_begun() {
        for (class, began, proves) in [
            ("java.lang.IllegalArgumentException", None, true),
            ("org.json.JSONException", None, true),
            ("java.lang.IllegalStateException", None, false),
            ("java.lang.SecurityException", None, false),
            ("java.lang.SecurityException", Some(false), true),
            ("java.lang.IllegalArgumentException", Some(true), false),
        ] {
            assert_eq!(proves_nothing_ran(&error(class, began)), proves, "{class} {began:?}");
        }
    }
}
