//! What the helper's journal says of a command whose answer was lost, and what that proves.

use base64::{Engine, engine::general_purpose::STANDARD};
use contract::Row;

use super::{
    fields::{Fields, HelperError},
    reply::{self, Reply},
};

/// Commands that a journal remembers where it does not say how many.
const CAPACITY: u64 = 64;

/// Which journal was told the command, and how much it held by then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The helper process that the command was sent to.
    pub boot_id: String,
    /// Commands that it had accepted, as last heard before the command was sent.
    pub accepted_before: u64,
}

/// What is known now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It ended well: the answer that was lost.
    Completed(Reply),
    /// It was refused before it touched the app.
    Refused(HelperError),
    /// It failed after it began.
    Failed(HelperError),
    /// It never arrived, and is refused if it still does.
    NeverAccepted,
    /// It has not ended yet: ask again.
    Running,
    /// Nobody can say, under this row.
    Open(Row, String),
}

/// Judges the answer to `status`.
pub fn judge(asked: &Asked, status: &Fields) -> Verdict {
    let unavailable = |why: String| Verdict::Open(Row::HelperJournalUnavailable, why);
    if !status.ok() {
        return unavailable(format!("the helper does not answer for the command: {}", status.error()));
    }
    match status.get("bootId") {
        Some(boot) if boot == asked.boot_id => {}
        Some(_) => {
            return Verdict::Open(
                Row::HelperJournalRestarted,
                "the helper that answers now is not the one that was asked".to_owned(),
            );
        }
        None => return unavailable("the helper does not say which one it is".to_owned()),
    }
    match status.get("state") {
        Some("completed") => match kept(status) {
            Ok(reply) if reply.fields.ok() => Verdict::Completed(reply),
            Ok(_) => unavailable("the journal calls a failure completed".to_owned()),
            Err(why) => unavailable(why),
        },
        Some("failed") => {
            let error = match kept(status) {
                Ok(reply) => reply.fields.error(),
                Err(why) => HelperError { class: String::new(), message: why, began: None },
            };
            // The journal's own word counts first; a failure that nobody places before the beginning is after it.
            let began = status.flag("began").or(error.began).unwrap_or(true);
            if began { Verdict::Failed(error) } else { Verdict::Refused(error) }
        }
        Some("accepted" | "started") => Verdict::Running,
        Some("absent" | "fenced") => absent(asked, status),
        Some(other) => unavailable(format!("the journal knows a state that this host does not: {other}")),
        None => unavailable("the journal does not say what became of the command".to_owned()),
    }
}

/// Absent is a proof only where the command could not have been forgotten.
fn absent(asked: &Asked, status: &Fields) -> Verdict {
    let capacity = status.number("capacity").unwrap_or(CAPACITY);
    match status.number::<u64>("acceptedTotal") {
        Some(total) if total >= asked.accepted_before && total - asked.accepted_before < capacity => {
            Verdict::NeverAccepted
        }
        Some(_) => Verdict::Open(
            Row::HelperJournalForgotten,
            "the helper's journal no longer reaches back to the command".to_owned(),
        ),
        None => Verdict::Open(
            Row::HelperJournalUnavailable,
            "the journal does not say how many commands it has accepted".to_owned(),
        ),
    }
}

fn kept(status: &Fields) -> Result<Reply, String> {
    let text = status.get("reply").ok_or("the journal has not kept the answer")?;
    let bytes = STANDARD.decode(text.trim()).map_err(|why| format!("the kept answer is no base64: {why}"))?;
    let head = String::from_utf8(bytes).map_err(|why| format!("the kept answer is no text: {why}"))?;
    reply::retained(&head).map_err(|why| format!("the kept answer cannot be read: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Asked {
        Asked { boot_id: "b00710a3c5d7e9f1".into(), accepted_before: 100 }
    }

    fn said(pairs: &[(&str, &str)]) -> Verdict {
        let mut status: Fields =
            [("ok", "true"), ("bootId", "b00710a3c5d7e9f1"), ("acceptedTotal", "101")].into_iter().collect();
        pairs.iter().for_each(|(key, value)| status.insert(*key, *value));
        judge(&asked(), &status)
    }

    fn encoded(head: &str) -> String {
        STANDARD.encode(head)
    }

    fn row(verdict: &Verdict) -> Option<Row> {
        match verdict {
            Verdict::Open(row, _) => Some(*row),
            _ => None,
        }
    }

    #[test]
    fn a_completed_command_gives_the_answer_that_was_lost() {
        let kept = encoded("ok=true\ninjectedEvents=3\n");
        let Verdict::Completed(reply) = said(&[("state", "completed"), ("reply", &kept)]) else { panic!("not it") };
        assert_eq!(reply.fields.number::<u32>("injectedEvents"), Some(3));
        for bad in ["*", "", &encoded("ok=false\nmessage=x\n")] {
            let verdict = said(&[("state", "completed"), ("reply", bad)]);
            assert_eq!(row(&verdict), Some(Row::HelperJournalUnavailable), "{bad:?}");
        }
    }

    #[test]
    fn a_failure_is_a_refusal_only_where_it_had_not_begun() {
        let kept = encoded("ok=false\nerrorType=x.NodeGoneException\nmessage=gone\nbegan=false\n");
        assert!(matches!(said(&[("state", "failed"), ("began", "false"), ("reply", &kept)]), Verdict::Refused(_)));
        assert!(matches!(said(&[("state", "failed"), ("reply", &kept)]), Verdict::Refused(_)));
        // The journal's word counts over that of the answer it kept.
        assert!(matches!(said(&[("state", "failed"), ("began", "true"), ("reply", &kept)]), Verdict::Failed(_)));
        assert!(matches!(said(&[("state", "failed")]), Verdict::Failed(_)));
    }

    #[test]
    fn absent_proves_something_only_while_the_journal_reaches_back() {
        let total = |total: &str| said(&[("state", "absent"), ("acceptedTotal", total)]);
        assert_eq!(total("100"), Verdict::NeverAccepted);
        assert_eq!(total("163"), Verdict::NeverAccepted);
        assert_eq!(row(&total("164")), Some(Row::HelperJournalForgotten));
        assert_eq!(row(&total("99")), Some(Row::HelperJournalForgotten), "it counts backwards: another journal");
        assert_eq!(row(&total("?")), Some(Row::HelperJournalUnavailable));
        assert_eq!(said(&[("state", "fenced")]), Verdict::NeverAccepted);
        let small = said(&[("state", "absent"), ("acceptedTotal", "110"), ("capacity", "8")]);
        assert_eq!(row(&small), Some(Row::HelperJournalForgotten));
    }

    #[test]
    fn another_helper_cannot_answer() {
        for state in ["absent", "completed", "failed", "started"] {
            let verdict = said(&[("state", state), ("bootId", "0000000000000000")]);
            assert_eq!(row(&verdict), Some(Row::HelperJournalRestarted), "{state}");
        }
        let nameless: Fields = [("ok", "true"), ("state", "absent"), ("acceptedTotal", "100")].into_iter().collect();
        assert_eq!(row(&judge(&asked(), &nameless)), Some(Row::HelperJournalUnavailable));
    }

    #[test]
    fn what_runs_is_asked_for_again_and_what_is_unknown_is_open() {
        assert_eq!(said(&[("state", "accepted")]), Verdict::Running);
        assert_eq!(said(&[("state", "started")]), Verdict::Running);
        assert_eq!(row(&said(&[("state", "paused")])), Some(Row::HelperJournalUnavailable));
        assert_eq!(row(&said(&[])), Some(Row::HelperJournalUnavailable));
        let old = [("errorType", "java.lang.IllegalArgumentException"), ("message", "unknown session command")];
        let verdict = said(&[("ok", "false"), old[0], old[1]]);
        assert_eq!(row(&verdict), Some(Row::HelperJournalUnavailable));
    }
}
