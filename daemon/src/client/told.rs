//! What a client says where no daemon does.

use std::path::Path;

use contract::{Claim, Code, Dispatched, Effect, Failure, Row};

/// Nobody can say what became of a request.
pub(crate) fn lost(effect: Effect, cause: &str) -> Failure {
    let message = format!("the daemon went away before it answered ({cause})");
    let failure = if effect == Effect::Observes {
        Failure::refused(Row::ClientLookLost, Code::DaemonUnavailable, message).retriable()
    } else {
        let message = format!("{message}; no daemon can say what became of the request");
        Failure::lost(Row::ClientReplyLost, Code::DaemonUnavailable, message)
            .hint("look first (agent-device snapshot), then decide; the daemon's log: agent-device session state-dir")
    };
    failure.reason("daemon_reply_lost")
}

/// The daemon that was asked has never had the request, and refuses it from now on.
pub(crate) fn not_taken(cause: &str) -> Failure {
    let message = format!("the connection was lost before the daemon had the request ({cause}); it did not run");
    Failure::refused(Row::ClientRequestNotTaken, Code::DaemonUnavailable, message)
        .reason("request_not_taken")
        .retriable()
}

/// There is no daemon to ask, and none can be started.
pub(super) fn unreachable(why: &str) -> Failure {
    Failure::new(Code::DaemonUnavailable, why.to_owned())
        .under(Claim { row: Row::ClientDaemonNotStarted, dispatched: Dispatched::No })
        .reason("daemon_unavailable")
        .hint("the daemon's log is daemon.log in the state folder: agent-device session state-dir")
}

/// The last lines of the log after `from`, for an error.
pub(super) fn tail(log: &Path, from: u64) -> String {
    let text = std::fs::read(log).unwrap_or_default();
    let new = text.get(usize::try_from(from).unwrap_or(usize::MAX)..).unwrap_or_default();
    let new = String::from_utf8_lossy(new);
    let lines: Vec<_> = new.lines().rev().take(3).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join(" | ")
}
