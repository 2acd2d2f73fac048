//! What a model is given: text first. Structured data only where it adds something.
//!
//! | | text | `structuredContent` |
//! | --- | --- | --- |
//! | a question with a small answer ([`ANSWERS`]) | as the CLI prints it | the data, up to [`SMALL`] bytes |
//! | `snapshot`, `diff`, lists | as the CLI prints it, neighbours of one role [together](crate::runs) | none: it would say the same again at five times the size |
//! | an action | one line, and with `settle` what changed | none |
//! | a failure | what, `Dispatched:`, what to do next, details | the error object |
//! | any of them, asked for by [`DATA`] or in the typed profile | the data as JSON | the data |
//!
//! Some clients show a model `structuredContent` in the place of the text. So it is there only where it says all that the
//! text says.

use contract::{Command, Disclosed, Dispatched, Effect, plain, request::Answer};
use daemon::audit;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use crate::{hints, runs, tools::Profile};

/// Questions whose data says all that their text says.
pub const ANSWERS: &[&str] = &["appstate", "clipboard", "find", "get", "is", "keyboard", "wait"];

/// Data of an answer goes along up to this size, bytes of JSON.
pub const SMALL: usize = 400;

/// Facts of a failure go along up to this size, bytes of JSON; of more, only those that a decision needs.
pub const FACTS: usize = 2_000;

/// Those.
const NEEDED: &[&str] = &["dispatched", "dispatchedSteps", "dispatchRow", "reason", "step", "candidates", "resume"];

/// The `_meta` key by which a program, not a model, asks for the data of every answer in full.
pub const DATA: &str = "agent-device/data";
/// The `_meta` key of the id that a program gives its request: asked for twice, it runs once.
pub const REQUEST_ID: &str = "agent-device/requestId";
/// The `_meta` key of the limit that a program sets, ms, also for a command that has a `timeoutMs` of its own.
pub const TIMEOUT: &str = "agent-device/timeoutMs";
/// The `_meta` key under which a program is told what became of calls that it cancelled, with its next answer.
pub const CANCELLED: &str = "agent-device/cancelled";

/// What a command answered.
pub fn done(answer: &Answer, command: Option<&Command>, as_data: bool) -> CallToolResult {
    if as_data {
        let mut result = CallToolResult::success(vec![ContentBlock::text(answer.data.to_string())]);
        result.structured_content = Some(answer.data.clone());
        return result;
    }
    let text = match &answer.text {
        Some(text) if text.trim().is_empty() => "Done".to_owned(),
        Some(text) => {
            let text = plain::text(text.trim_end_matches('\n'));
            match command {
                Some(Command::Snapshot(snapshot)) if snapshot.view.interactive_only && !snapshot.view.raw => {
                    runs::gathered(&text)
                }
                _ => text.into_owned(),
            }
        }
        None => format!("{:#}", answer.data),
    };
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    let asks =
        command.is_some_and(|command| command.effect() == Effect::Observes && ANSWERS.contains(&command.spec().name));
    if asks && answer.data.to_string().len() <= SMALL {
        result.structured_content = Some(answer.data.clone());
    }
    result
}

/// What went wrong.
pub fn failed(failed: &Disclosed, profile: Profile, as_data: bool) -> CallToolResult {
    let text = told(failed, profile);
    audit::note(audit::Door::Output, &text);
    let mut error = serde_json::to_value(failed).unwrap_or_else(|_| json!({}));
    if let (false, Value::Object(error)) = (as_data, &mut error) {
        if let Some(hint) = &failed.failure().hint {
            error.insert("hint".into(), hints::spoken(hint, profile).into());
        }
        if let Some(Value::Object(details)) = error.get_mut("details")
            && serde_json::to_string(details).map_or(0, |text| text.len()) > FACTS
        {
            // Of what a replay tells, where to go on.
            if let Some(resume) = details.get("divergence").and_then(|told| told.get("resume")).cloned() {
                details.insert("resume".to_owned(), resume);
            }
            details.retain(|fact, _| NEEDED.contains(&fact.as_str()));
        }
    }
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.structured_content = Some(json!({"error": error}));
    result
}

/// A failure in words: what happened, whether it reached the device, what to do next; then the rest.
pub fn told(failed: &Disclosed, profile: Profile) -> String {
    let failure = failed.failure();
    let mut text = format!("Error ({}): {}\n", failure.code, plain::line(&failure.message));
    text.push_str(&match failed.steps() {
        0 => format!("Dispatched: {}\n", failed.dispatched()),
        steps => format!("Dispatched: {} ({steps} sent before)\n", failed.dispatched()),
    });
    let next = match (&failure.hint, failed.dispatched()) {
        (Some(hint), _) => hints::spoken(hint, profile),
        (None, Dispatched::Unknown) => "it may have happened: take a snapshot, then decide".to_owned(),
        (None, Dispatched::No) => "nothing reached the device: it may be called again".to_owned(),
    };
    text.push_str(&format!("Next: {}\n", plain::text(&next)));
    let cautions = failure.hint.as_ref().is_none_or(|hint| hint.contains("look first"));
    if failed.dispatched() == Dispatched::Unknown && !cautions {
        text.push_str("Do not repeat it blindly: it may have happened.\n");
    }
    for (title, key) in [("Candidates", "candidates"), ("Near", "near"), ("Checks", "report")] {
        let lines: Vec<&str> = failure
            .details
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        if !lines.is_empty() {
            text.push_str(&format!("{title}:\n"));
            for line in lines {
                text.push_str(&format!("  {}\n", plain::line(line)));
            }
        }
    }
    for problem in failure.details.get("problems").and_then(Value::as_array).into_iter().flatten() {
        if let Some(shown) = problem.get("shown").and_then(Value::as_str) {
            text.push_str(&format!("{}\n", plain::text(shown)));
        }
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use contract::{Code, Failure, Row, Sends};

    use super::*;

    #[test]
    fn the_first_three_lines_of_a_failure_say_what_whether_and_what_next() {
        let failure = Failure::refused(Row::ALL[0], Code::AmbiguousMatch, "2 elements match")
            .hint("take a snapshot: agent-device snapshot -i")
            .detail("candidates", json!(["@e1 [button] \"Save\"", "@e2 [button] \"Save\""]));
        let sealed = Disclosed::seal(failure, Some(Effect::Mutates), Sends::NONE);
        let result = failed(&sealed, Profile::Core, false);
        let text = result.content[0].as_text().unwrap().text.clone();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "Error (AMBIGUOUS_MATCH): 2 elements match");
        assert_eq!(lines[1], "Dispatched: no");
        assert_eq!(lines[2], "Next: take a snapshot: snapshot {}");
        assert_eq!(lines[3..], ["Candidates:", "  @e1 [button] \"Save\"", "  @e2 [button] \"Save\""]);
        assert_eq!(result.is_error, Some(true));
        assert_eq!(result.structured_content.unwrap()["error"]["details"]["dispatched"], "no");
    }

    #[test]
    fn what_may_have_happened_is_not_to_be_repeated_blindly() {
        let lost = |hint: Option<&str>| {
            let mut failure = Failure::new(Code::CommandFailed, "the reply was lost");
            failure.hint = hint.map(str::to_owned);
            told(&Disclosed::seal(failure, Some(Effect::Mutates), Sends::NONE), Profile::Core)
        };
        let cautioned = lost(None);
        assert!(
            cautioned.contains("Dispatched: unknown\nNext: it may have taken effect: look first (snapshot"),
            "{cautioned}"
        );
        assert!(!cautioned.contains("blindly"), "said once: {cautioned}");
        assert!(lost(Some("look")).contains("Next: look\nDo not repeat it blindly"));
    }

    #[test]
    fn small_answers_to_questions_bring_their_data_and_actions_one_line() {
        let of = |line: &str| Command::from_line(line).unwrap();
        let data = |answer: &Answer, line: &str, asked| done(answer, Some(&of(line)), asked).structured_content;
        let answer = Answer::new(json!({"pass": true}), "Passed");
        assert_eq!(data(&answer, "is exists id=a", false), Some(answer.data.clone()));
        for line in ["press @e1", "snapshot", "find Save click"] {
            assert_eq!(data(&answer, line, false), None, "{line}");
        }
        let large = Answer::new(json!({"text": "x".repeat(SMALL)}), "x");
        assert_eq!(data(&large, "get text @e1", false), None);
        assert_eq!(data(&large, "press @e1", true), Some(large.data));
    }

    #[test]
    fn a_failure_with_many_facts_keeps_those_that_a_decision_needs_and_a_program_gets_all() {
        let failure = Failure::refused(Row::ALL[0], Code::CommandFailed, "x")
            .reason("r")
            .detail("results", json!("y".repeat(FACTS)));
        let sealed = Disclosed::seal(failure, Some(Effect::Mutates), Sends::NONE);
        let details =
            |as_data| failed(&sealed, Profile::Core, as_data).structured_content.unwrap()["error"]["details"].clone();
        assert_eq!(details(false)["dispatched"], "no");
        assert_eq!(details(false)["reason"], "r");
        assert!(details(false).get("results").is_none() && details(true).get("results").is_some());
    }
}
