//! What is told when a suite ended: counts, and everything that is known of what did not pass.

use std::fmt::Write as _;

use contract::plain;
use flow::{Attempt, FlowRecord, Outcome, Status, SuiteRecord};

use crate::{
    clock,
    facts::{self, Totals, Why},
};

/// The summary: first what needs attention, last the counts, where a terminal ends.
pub fn summary(suite: &SuiteRecord) -> String {
    let mut out = String::new();
    for flow in &suite.flows {
        attention(&mut out, suite, flow);
    }
    let totals = Totals::of(suite);
    let _ = writeln!(out, "{}: {} in {}", flows(totals.flows), totals.words(), clock::short(suite.duration_ms));
    if let Some(folder) = &suite.artifacts_dir {
        let _ = writeln!(out, "Artifacts: {}", plain::line(folder));
    }
    out
}

fn flows(count: usize) -> String {
    if count == 1 { "1 flow".to_owned() } else { format!("{count} flows") }
}

fn attention(out: &mut String, suite: &SuiteRecord, flow: &FlowRecord) {
    if flow.outcome == Outcome::Passed {
        return;
    }
    let title = facts::title(suite, flow);
    let _ = writeln!(out, "{} {} ({})", facts::word(flow.outcome), plain::line(&title), plain::line(&flow.file));
    let several = flow.attempts.len() > 1;
    for attempt in facts::earlier_failures(flow) {
        let _ = writeln!(out, "  Attempt {} of {}:", attempt.number, flow.attempts.len());
        reason(out, "    ", &facts::why(flow, attempt), Some(attempt));
    }
    if let Some(why) = facts::why_not(flow) {
        let last = flow.attempts.last();
        if let Some(last) = last.filter(|_| several) {
            let _ = writeln!(out, "  Attempt {} of {}:", last.number, flow.attempts.len());
        }
        reason(out, if several { "    " } else { "  " }, &why, last);
    } else if let Some(last) = flow.attempts.last() {
        let _ = writeln!(out, "  Attempt {} of {}: passed", last.number, flow.attempts.len());
    }
    out.push('\n');
}

/// Why it failed, in lines that each begin with a word of ours.
fn reason(out: &mut String, indent: &str, why: &Why<'_>, attempt: Option<&Attempt>) {
    let file = plain::line(why.file);
    let _ = match (why.line, why.step) {
        (Some(line), Some(step)) => writeln!(out, "{indent}Step: {} ({file}:{line})", plain::line(step)),
        _ => Ok(()),
    };
    let message = plain::line(why.told.message);
    let _ = match why.told.code {
        "" => writeln!(out, "{indent}Reason: {message}"),
        code => writeln!(out, "{indent}Error ({}): {message}", plain::line(code)),
    };
    if let Some(reached) = why.told.reached() {
        let _ = writeln!(out, "{indent}Dispatched: {}", plain::line(&reached));
    }
    if let Some(hint) = why.told.hint {
        // Each line of it begins with a word of ours.
        for line in hint.lines() {
            let _ = writeln!(out, "{indent}Hint: {}", plain::line(line));
        }
    }
    if let Some(trace) = attempt.and_then(|attempt| attempt.trace.as_ref()) {
        let _ = writeln!(out, "{indent}Trace: {}", plain::line(trace));
    }
}

/// The steps of an attempt, one line each, those inside others indented.
pub fn steps(attempt: &Attempt) -> String {
    let mut out = String::new();
    for step in &attempt.steps {
        let indent = "  ".repeat(facts::depth(attempt, step) + 1);
        let _ = writeln!(
            out,
            "{indent}{} {} {} ({}:{})",
            status(step.status),
            plain::line(&step.text),
            clock::short(step.duration_ms),
            plain::line(&step.place.file),
            step.place.line
        );
        if let Some(failure) = &step.failure {
            let told = facts::Told::from(failure);
            let _ = writeln!(out, "{indent}  {}: {}", plain::line(told.code), plain::line(told.message));
        }
        for note in &step.notes {
            let _ = writeln!(out, "{indent}  Note: {}", plain::line(note));
        }
    }
    out
}

const fn status(status: Status) -> &'static str {
    match status {
        Status::Passed => "passed ",
        Status::Failed => "FAILED ",
        Status::Warned => "warned ",
        Status::Skipped => "skipped",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn what_did_not_pass_is_told_in_full_and_what_passed_is_counted() {
        assert_eq!(
            summary(&samples::everything()),
            r#"FLAKY wavers (flows/wavers.yaml)
  Attempt 1 of 2:
    Step: tapOn "Pay" (flows/pay.yaml:13)
    Error (ELEMENT_COVERED): "Pay" is covered by [dialog] "Cookies <b>"
    Dispatched: no
    Hint: press the dialog's own button first
    Trace: /artifacts/pay/attempt-1/trace.html
  Attempt 2 of 2: passed

FAILED pay & go (flows/pay.yaml)
  Attempt 1 of 2:
    Step: tapOn "Pay" (flows/pay.yaml:13)
    Error (ELEMENT_COVERED): "Pay" is covered by [dialog] "Cookies <b>"
    Dispatched: no
    Hint: press the dialog's own button first
    Trace: /artifacts/pay/attempt-1/trace.html
  Attempt 2 of 2:
    Step: tapOn "Pay" (flows/pay.yaml:13)
    Error (ELEMENT_COVERED): "Pay" is covered by [dialog] "Cookies <b>"
    Dispatched: no
    Hint: press the dialog's own button first
    Trace: /artifacts/pay/attempt-2/trace.html

INFRASTRUCTURE gone (flows/gone.yaml)
  Error (DEVICE_UNAVAILABLE): the browser ended
  Dispatched: unknown (2 sent before)

INVALID wrong (wrong.yaml)
  Reason: wrong.yaml:3:5: tapOm is no command; did you mean tapOn?

not run later (later.yaml)
  Reason: stopped by --fail-fast

7 flows: 2 passed, 1 flaky, 1 failed, 1 infrastructure, 1 invalid, 1 not run in 12.3 s
Artifacts: /artifacts/20261130-185906
"#
        );
    }

    #[test]
    fn what_an_app_wrote_does_not_reach_the_terminal_as_it_is() {
        let mut suite = samples::everything();
        suite.flows[3].attempts[1].failure = Some(serde_json::json!({
            "code": "X\u{1b}[2J", "message": "one\ntwo \u{1b}]0;owned\u{7}", "hint": "a\nb",
            "details": {"dispatched": "no"}
        }));
        let told = summary(&suite);
        assert!(!told.contains('\u{1b}') && !told.contains('\u{7}'), "{told}");
        assert!(told.contains("    Error (X\\u{1b}[2J): one\\ntwo \\u{1b}]0;owned\\u{7}\n"), "{told}");
    }

    #[test]
    fn steps_are_indented_as_they_nest() {
        let suite = samples::everything();
        assert_eq!(
            steps(&suite.flows[3].attempts[0]),
            r#"  passed  launchApp 90 ms (flows/pay.yaml:11)
  FAILED  runFlow checkout.yaml 90 ms (flows/pay.yaml:12)
    FAILED  tapOn "Pay" 90 ms (flows/pay.yaml:13)
      ELEMENT_COVERED: "Pay" is covered by [dialog] "Cookies <b>"
      Note: retryTapIfNoChange is not followed
  skipped assertVisible "Thanks" 90 ms (flows/pay.yaml:14)
"#
        );
    }
}
