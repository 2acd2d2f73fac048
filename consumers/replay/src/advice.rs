//! What somebody is advised to do whose run has failed: it depends on what the run has left behind.

use contract::{Command, Effect, command::SessionNeed};
use trace_page::explain::{PERHAPS_SENT, UNSENT};

const PROGRAM: &str = "agent-device ";
/// As much of a plan's digest tells one plan of a script from the next, hexadecimal digits.
pub const DIGEST: usize = 12;

/// What is there after a run that failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Left {
    /// The session: one can look, and go on.
    #[default]
    Session,
    /// A trace, and no session.
    Trace,
    /// Neither.
    Nothing,
}

impl Left {
    /// What remains of a failure's own advice. Where the session is closed, nobody can look at the screen any more.
    pub fn of_hint(self, hint: &str) -> Option<String> {
        if self == Left::Session {
            return Some(hint.to_owned());
        }
        let lines: Vec<&str> = hint.lines().filter(|line| !only_looks(line)).collect();
        if lines.is_empty() { None } else { Some(lines.join("\n")) }
    }

    /// Whether the step reached the device, and how to go on from it.
    pub fn going_on(self, index: usize, digest: &str, unsent: bool) -> String {
        let digest = digest.get(..DIGEST).unwrap_or(digest);
        match (self, unsent) {
            (Left::Session, true) => format!("{UNSENT}; go on from it: --from {index} --plan-digest {digest}"),
            (Left::Session, false) => {
                format!("{PERHAPS_SENT}: look first, then go on: --from {index} --plan-digest {digest}")
            }
            _ => self.seen(unsent),
        }
    }

    /// Whether the step reached the device, and where what was on the screen then can be seen.
    pub fn seen(self, unsent: bool) -> String {
        let reached = if unsent { UNSENT } else { PERHAPS_SENT };
        match self {
            Left::Trace => format!("{reached}; what was on the screen is in the trace"),
            _ => reached.to_owned(),
        }
    }
}

/// Whether all that a line advises is to look at the app.
fn only_looks(line: &str) -> bool {
    let looks = |command: &Command| command.effect() == Effect::Observes && command.session_need() == SessionNeed::Open;
    let mut commands =
        line.match_indices(PROGRAM).map(|(at, _)| Command::leading(&line[at + PROGRAM.len()..])).peekable();
    commands.peek().is_some() && commands.all(|command| command.is_some_and(|(command, _)| looks(&command)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_is_advised_only_where_the_session_is_open() {
        for look in [
            "look at the screen: agent-device snapshot -i",
            "it may have taken effect: look first (agent-device snapshot), then decide",
            "look at the field: agent-device get text 'id=name'",
        ] {
            assert_eq!(Left::Session.of_hint(look).as_deref(), Some(look));
            assert_eq!(Left::Trace.of_hint(look), None, "{look}");
        }
        for kept in [
            "scroll it into view first: agent-device scroll down --until 'label=Save'",
            "go on there (agent-device snapshot -i), go back (agent-device back), or start the app again",
            "see what is missing: agent-device doctor",
            "name another file, or --force",
            "see agent-device help errors",
        ] {
            assert_eq!(Left::Nothing.of_hint(kept).as_deref(), Some(kept));
        }
        assert_eq!(
            Left::Trace.of_hint("did you mean id=a?\nlook: agent-device snapshot").as_deref(),
            Some("did you mean id=a?")
        );
    }

    #[test]
    fn going_on_needs_a_session() {
        let digest = "0123456789abcdef0123456789abcdef";
        let open = Left::Session.going_on(3, digest, true);
        assert_eq!(open, "nothing of this step reached the device; go on from it: --from 3 --plan-digest 0123456789ab");
        for left in [Left::Trace, Left::Nothing] {
            for unsent in [true, false] {
                let told = left.going_on(3, digest, unsent);
                assert!(!told.contains("--from"), "{told}");
                assert_eq!(told.contains("trace"), left == Left::Trace, "{told}");
            }
        }
        assert!(Left::Nothing.going_on(1, "", false).starts_with("this step may have"));
    }
}
