//! Annotations and the summary of a job, for GitHub Actions.
//!
//! Annotations are lines on standard output that the runner takes for commands, so everything in them is escaped as its
//! commands are. The summary is Markdown, appended to the file that `GITHUB_STEP_SUMMARY` names.

use std::{fmt::Write as _, path::Path};

use contract::plain;
use flow::{FlowRecord, Outcome, SuiteRecord};

use crate::{
    clock,
    facts::{self, Totals, Why},
};

/// The runner takes no more than 1 MiB for a summary; this leaves room for what others append.
const SUMMARY: usize = 768 << 10;

/// Whether a job of GitHub Actions is running: the value of `GITHUB_ACTIONS`.
pub fn is_wanted(github_actions: Option<&str>) -> bool {
    github_actions == Some("true")
}

/// The caller's folder as seen from the repository's (`GITHUB_WORKSPACE`): what [`annotations`] puts before files.
pub fn folder(caller: &Path, workspace: &Path) -> String {
    let below = caller.strip_prefix(workspace).unwrap_or(Path::new(""));
    below.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>().join("/")
}

/// One line per flow that did not pass: errors, and warnings for flaky ones and those that were not run.
pub fn annotations(suite: &SuiteRecord, folder: &str) -> String {
    let mut out = String::new();
    for flow in &suite.flows {
        let title = facts::title(suite, flow);
        if flow.outcome == Outcome::Flaky {
            if let Some(attempt) = facts::earlier_failures(flow).last() {
                let tries = flow.attempts.len();
                let title = format!("Flaky: {title} (passed at attempt {tries})");
                annotation(&mut out, "warning", folder, &title, &facts::why(flow, attempt));
            }
            continue;
        }
        let (level, word) = match flow.outcome {
            Outcome::Failed => ("error", "Failed"),
            Outcome::Infrastructure => ("error", "Infrastructure"),
            Outcome::Invalid => ("error", "Invalid"),
            Outcome::NotRun => ("warning", "Not run"),
            Outcome::Passed | Outcome::Flaky => continue,
        };
        if let Some(why) = facts::why_not(flow) {
            annotation(&mut out, level, folder, &format!("{word}: {title}"), &why);
        }
    }
    out
}

fn annotation(out: &mut String, level: &str, folder: &str, title: &str, why: &Why<'_>) {
    let file = if folder.is_empty() || why.file.starts_with('/') {
        why.file.to_owned()
    } else {
        format!("{folder}/{}", why.file.trim_start_matches("./"))
    };
    let _ = write!(out, "::{level} file={}", property(&file));
    if let Some(line) = why.line {
        let _ = write!(out, ",line={line}");
    }
    let _ = writeln!(out, ",title={}::{}", property(title), data(&message(why)));
}

fn message(why: &Why<'_>) -> String {
    let mut message = String::new();
    if let Some(step) = why.step {
        let _ = writeln!(message, "{step}");
    }
    let _ = match why.told.code {
        "" => write!(message, "{}", why.told.message),
        code => write!(message, "{code}: {}", why.told.message),
    };
    if let Some(reached) = why.told.reached() {
        let _ = write!(message, "\nDispatched: {reached}");
    }
    if let Some(hint) = why.told.hint {
        let _ = write!(message, "\nHint: {hint}");
    }
    message
}

/// As the runner reads what stands behind `::`.
fn data(text: &str) -> String {
    plain::text(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// As the runner reads what stands behind `=`.
fn property(text: &str) -> String {
    data(&plain::line(text)).replace(':', "%3A").replace(',', "%2C")
}

/// The summary of the job.
pub fn summary(suite: &SuiteRecord) -> String {
    let totals = Totals::of(suite);
    let mut out = format!("### agent-device: {} in {}\n\n", totals.words(), clock::short(suite.duration_ms));
    if suite.flows.is_empty() {
        return out;
    }
    // What needs attention comes first: a summary that is too long is cut.
    let mut flows: Vec<_> = suite.flows.iter().collect();
    flows.sort_by_key(|flow| rank(flow.outcome));
    out.push_str("| | flow | file | attempts | time |\n| --- | --- | --- | ---: | ---: |\n");
    let rows = flows.iter().map(|flow| {
        format!(
            "| {} | {} | {} | {} | {} |\n",
            facts::word(flow.outcome),
            cell(&facts::title(suite, flow)),
            cell(&flow.file),
            flow.attempts.len(),
            clock::short(facts::duration_ms(flow))
        )
    });
    append(&mut out, rows, |left| format!("\n{left} more flows are not listed here.\n"));
    out.push('\n');
    let details = flows.iter().filter(|flow| flow.outcome != Outcome::Passed).map(|flow| details(suite, flow));
    append(&mut out, details, |left| format!("{left} more flows are not shown here.\n"));
    out
}

fn append(out: &mut String, parts: impl Iterator<Item = String>, rest: impl Fn(usize) -> String) {
    let mut left = 0;
    for part in parts {
        if left > 0 || out.len() + part.len() > SUMMARY {
            left += 1;
        } else {
            out.push_str(&part);
        }
    }
    if left > 0 {
        out.push_str(&rest(left));
    }
}

const fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Failed => 0,
        Outcome::Infrastructure => 1,
        Outcome::Invalid => 2,
        Outcome::Flaky => 3,
        Outcome::NotRun => 4,
        Outcome::Passed => 5,
    }
}

fn details(suite: &SuiteRecord, flow: &FlowRecord) -> String {
    let reasons: Vec<_> = match facts::why_not(flow) {
        Some(why) => vec![why],
        None => facts::earlier_failures(flow).map(|attempt| facts::why(flow, attempt)).collect(),
    };
    let title = format!("{}: {}", facts::word(flow.outcome), facts::title(suite, flow));
    let mut out = format!("<details><summary>{}</summary>\n\n", cell(&title));
    for why in reasons {
        let place = why.line.map_or_else(|| why.file.to_owned(), |line| format!("{}:{line}", why.file));
        let _ = writeln!(out, "<pre>{}\n{}</pre>\n", html(&place), html(&message(&why)));
    }
    // Of a flow that passed in the end, the attempt that did not is the one to look at.
    let shown =
        if flow.outcome == Outcome::Flaky { facts::earlier_failures(flow).last() } else { flow.attempts.last() };
    if let Some(trace) = shown.and_then(|attempt| attempt.trace.as_ref()) {
        let _ = writeln!(out, "Trace: <code>{}</code>\n", html(trace));
    }
    out.push_str("</details>\n\n");
    out
}

/// Of one line, and without anything that Markdown or HTML would act upon.
fn cell(text: &str) -> String {
    let mut out = String::new();
    for letter in html(&plain::line(text)).chars() {
        if matches!(letter, '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '@' | '!' | '#') {
            // As an entity, it is neither Markdown nor a mention of somebody.
            let _ = write!(out, "&#{};", u32::from(letter));
        } else {
            out.push(letter);
        }
    }
    out
}

fn html(text: &str) -> String {
    // An empty line would end the block of HTML, and begin Markdown.
    let text = plain::text(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.lines().map(|line| if line.trim().is_empty() { "&nbsp;" } else { line }).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn every_flow_that_did_not_pass_is_annotated_at_its_line() {
        assert_eq!(
            annotations(&samples::everything(), "e2e"),
            "::warning file=e2e/flows/pay.yaml,line=13,title=Flaky%3A wavers (passed at attempt 2)::tapOn \"Pay\"%0A\
             ELEMENT_COVERED: \"Pay\" is covered by [dialog] \"Cookies <b>\"%0ADispatched: no%0AHint: press the dialog's own button first\n\
             ::error file=e2e/flows/pay.yaml,line=13,title=Failed%3A pay & go::tapOn \"Pay\"%0A\
             ELEMENT_COVERED: \"Pay\" is covered by [dialog] \"Cookies <b>\"%0ADispatched: no%0AHint: press the dialog's own button first\n\
             ::error file=e2e/flows/gone.yaml,title=Infrastructure%3A gone::DEVICE_UNAVAILABLE: the browser ended%0ADispatched: unknown (2 sent before)\n\
             ::error file=e2e/wrong.yaml,title=Invalid%3A wrong::wrong.yaml:3:5: tapOm is no command; did you mean tapOn?\n\
             ::warning file=e2e/later.yaml,title=Not run%3A later::stopped by --fail-fast\n"
        );
    }

    #[test]
    fn an_app_cannot_write_commands_of_its_own() {
        let mut suite = samples::everything();
        suite.flows.truncate(4);
        suite.flows.drain(..3);
        suite.flows[0].name = "a,line=1::b\n::set-env name=X::1".to_owned();
        suite.flows[0].attempts[1].failure = Some(serde_json::json!({"code": "C", "message": "100%\r\n::error::no"}));
        let told = annotations(&suite, "");
        assert_eq!(
            told,
            "::error file=flows/pay.yaml,line=13,title=Failed%3A a%2Cline=1%3A%3Ab\\n%3A%3Aset-env name=X%3A%3A1::\
             tapOn \"Pay\"%0AC: 100%25\\r%0A::error::no\n"
        );
    }

    #[test]
    fn files_are_named_from_the_repository_on() {
        let mut suite = samples::suite_of(&[Outcome::NotRun, Outcome::NotRun]);
        suite.flows[0].file = "/elsewhere/a.ad".to_owned();
        suite.flows[1].file = "./a.ad".to_owned();
        let told = annotations(&suite, "e2e");
        assert!(told.contains(" file=/elsewhere/a.ad,") && told.contains(" file=e2e/a.ad,"), "{told}");
        assert_eq!(folder(Path::new("/w/repo/apps/e2e"), Path::new("/w/repo")), "apps/e2e");
        assert_eq!(folder(Path::new("/w/repo"), Path::new("/w/repo")), "");
        assert_eq!(folder(Path::new("/elsewhere"), Path::new("/w/repo")), "");
        assert!(is_wanted(Some("true")) && !is_wanted(Some("1")) && !is_wanted(None));
    }

    #[test]
    fn the_summary_shows_first_what_needs_attention() {
        let told = summary(&samples::everything());
        assert!(
            told.starts_with(
                "### agent-device: 2 passed, 1 flaky, 1 failed, 1 infrastructure, 1 invalid, 1 not run in 12.3 s\n\n\
                 | | flow | file | attempts | time |\n| --- | --- | --- | ---: | ---: |\n\
                 | FAILED | pay &amp; go | flows/pay.yaml | 2 | 1.8 s |\n\
                 | INFRASTRUCTURE | gone | flows/gone.yaml | 1 | 900 ms |\n"
            ),
            "{told}"
        );
        assert!(told.contains("Trace: <code>/artifacts/pay/attempt-1/trace.html</code>"), "of the flaky flow: {told}");
        assert!(
            told.contains(
                "<details><summary>FAILED: pay &amp; go</summary>\n\n<pre>flows/pay.yaml:13\ntapOn \"Pay\"\n\
                 ELEMENT_COVERED: \"Pay\" is covered by [dialog] \"Cookies &lt;b&gt;\"\nDispatched: no\n\
                 Hint: press the dialog's own button first</pre>\n\nTrace: <code>/artifacts/pay/attempt-2/trace.html</code>\n\n</details>\n"
            ),
            "{told}"
        );
    }

    #[test]
    fn the_summary_takes_texts_for_texts() {
        let mut suite = samples::suite_of(&[Outcome::Failed]);
        suite.flows[0].name = "a|b`*_<script>[x](y) @team #1\n| c".to_owned();
        suite.flows[0].reason = Some("one\n\n# two</pre>".to_owned());
        let told = summary(&suite);
        assert!(
            told.contains(
                "| FAILED | a&#124;b&#96;&#42;&#95;&lt;script&gt;&#91;x&#93;(y) &#64;team &#35;1&#92;n&#124; c |"
            ),
            "{told}"
        );
        assert!(told.contains("<pre>a.ad\none\n&nbsp;\n# two&lt;/pre&gt;</pre>"), "{told}");
    }

    #[test]
    fn the_summary_is_cut_before_the_runner_refuses_it() {
        let mut suite = samples::suite_of(&[Outcome::Failed; 300]);
        for flow in &mut suite.flows {
            flow.reason = Some("x".repeat(10_000));
        }
        let told = summary(&suite);
        assert!(told.len() < 1 << 20);
        assert!(told.ends_with(" more flows are not shown here.\n"));
    }
}
