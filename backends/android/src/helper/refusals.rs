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

    /// All that is told of each: what a caller's program decides by.
    #[test]
    fn each_exception_has_its_code_and_says_whether_it_may_pass() {
        for (class, code, reason, hint, retriable) in [
            ("NodeGoneException", Code::ElementNotFound, "target_gone", Some("snapshot -i"), true),
            ("ScreenChangedException", Code::CommandFailed, "screen_changed", None, true),
            ("NodeMovedException", Code::ElementOffscreen, "target_moved", None, true),
            ("NodeChangedException", Code::ElementNotFound, "target_changed", None, true),
            ("NodeCoveredException", Code::ElementCovered, "covered", None, false),
            ("NoFocusException", Code::ElementNotEditable, "no_focus", Some("fill <target> <text>"), false),
            ("DeadlinePassedException", Code::Timeout, "deadline_exceeded", Some("--timeout MS"), true),
            ("FencedException", Code::CommandFailed, "fenced", None, false),
            ("NotConnectedException", Code::CommandFailed, "ui_automation_occupied", Some("other program"), true),
            ("TimeoutException", Code::CommandFailed, "ui_automation_occupied", Some("other program"), true),
            ("IncompleteCaptureException", Code::CaptureFailed, "capture_incomplete", Some("in a moment"), true),
            ("IllegalArgumentException", Code::CommandFailed, "helper_refused", None, false),
            ("JSONException", Code::CommandFailed, "helper_refused", None, false),
            ("MadeUpException", Code::CommandFailed, "helper_refused", None, false),
        ] {
            let Meaning { code: found, reason: why, hint: advice, retriable: passes, .. } =
                meaning(&error(class, None));
            assert_eq!((found, why, passes), (code, reason, retriable), "{class}");
            assert_eq!(advice.is_some(), hint.is_some(), "{class}");
            assert!(hint.is_none_or(|hint| advice.unwrap().contains(hint)), "{class}: {advice:?}");
            assert_eq!(is_late(&error(class, None)), class == "DeadlinePassedException");
        }
    }

    /// What came of a command that the helper answered so.
    async fn answer(fields: &[(&str, &str)], effect: Effect) -> Answered<Reply> {
        let context = wire::Context::with_limit(std::time::Duration::from_secs(5));
        let rows = wire::local::Rows {
            lost: Row::HelperCommandFailed,
            timeout: Row::HelperCommandFailed,
            look_lost: Row::HelperCommandFailed,
        };
        let reply = Reply { fields: fields.iter().copied().collect(), body: bytes::Bytes::new(), resolved: None };
        let sent = wire::local::exchange(&context, effect, rows, || {
            let (hand, comes) = tokio::sync::oneshot::channel();
            drop(hand.send(reply));
            comes
        });
        let wire::Sent::Answered(answered) = sent.await else { panic!("a reply came") };
        answered
    }

    async fn answered(fields: &[(&str, &str)], effect: Effect) -> Result<Outcome, Failure> {
        judged(answer(fields, effect).await, effect, "pressing")
    }

    #[tokio::test]
    async fn a_command_that_did_not_reach_the_helper_may_be_sent_again() {
        for (row, reason, hint) in [
            (Row::HelperSessionGone, "helper_session_gone", "starts it anew"),
            (Row::HelperNotWritten, "helper_session_gone", "starts it anew"),
            (Row::HelperJournalNeverAccepted, "never_accepted", "sent again"),
            (Row::AdbDeviceOffline, "device_offline", "adb devices"),
        ] {
            let proof = answer(&[], Effect::Mutates).await.refused(row, "it says so");
            let failure = unreached(proof, "pressing");
            assert_eq!((failure.reason_str(), failure.retriable), (Some(reason), true), "{row:?}");
            assert!(failure.hint.as_deref().unwrap().contains(hint), "{row:?}: {:?}", failure.hint);
            assert_eq!(
                failure.claim().map(|claim| (claim.row, claim.dispatched)),
                Some((row, contract::Dispatched::No))
            );
        }
    }

    #[tokio::test]
    async fn what_failed_is_a_proof_where_nothing_can_have_begun_and_where_it_only_looked() {
        let state = ("errorType", "java.lang.IllegalStateException");
        assert!(matches!(answered(&[("ok", "true")], Effect::Mutates).await, Ok(Outcome::Done(_))));
        let looked = answered(&[("ok", "false"), state], Effect::Observes).await.unwrap();
        assert!(matches!(looked, Outcome::Refused(..)));
        let argument = ("errorType", "java.lang.IllegalArgumentException");
        let early = answered(&[("ok", "false"), argument], Effect::Mutates).await.unwrap();
        assert!(matches!(early, Outcome::Refused(..)));
        let late = answered(&[("ok", "false"), state], Effect::Mutates).await.unwrap_err();
        assert_eq!(
            late.claim().map(|claim| (claim.row, claim.dispatched)),
            Some((Row::HelperCommandFailed, contract::Dispatched::Unknown))
        );
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
