//! The flows of one result, as a table.

use std::{fmt::Write as _, path::Path};

use flow::{Attempt, FlowRecord, Outcome, SuiteRecord};

use super::markup::{link, text};
use crate::{
    clock,
    facts::{self, Why},
};

/// Writes it; `name` is what the result is called.
pub fn table(out: &mut String, name: &str, suite: &SuiteRecord, flows: &[&FlowRecord], folder: &Path) {
    let _ = writeln!(
        out,
        "<table>\n<caption>{name}</caption>\n<thead><tr><th scope=\"col\">Flow</th><th scope=\"col\" class=\"time\">Time</th>\
         <th scope=\"col\" class=\"attempts\">Attempts</th></tr></thead>"
    );
    for flow in flows {
        out.push_str("<tbody>\n");
        row(out, suite, flow, folder);
        reasons(out, flow, folder);
        out.push_str("</tbody>\n");
    }
    out.push_str("</table>\n");
}

fn row(out: &mut String, suite: &SuiteRecord, flow: &FlowRecord, folder: &Path) {
    let title = text(&facts::title(suite, flow));
    let _ = write!(out, "<tr><th scope=\"row\"><b>{title}</b>");
    for tag in &flow.tags {
        let _ = write!(out, " <span class=\"tag\">{}</span>", text(tag));
    }
    let _ = write!(out, "<span class=\"file\">{}</span></th>", text(&flow.file));
    let time = if flow.attempts.is_empty() { "–".to_owned() } else { clock::short(facts::duration_ms(flow)) };
    let _ = write!(out, "<td class=\"time\">{time}</td><td class=\"attempts\">");
    if flow.attempts.is_empty() {
        out.push_str("none");
    } else {
        out.push_str("<ol>");
        for attempt in &flow.attempts {
            let _ = write!(out, "<li>{}</li>", attempted(attempt, &title, folder));
        }
        out.push_str("</ol>");
    }
    out.push_str("</td></tr>\n");
}

/// `1: failed, 0.9 s on stage-1, trace`.
fn attempted(attempt: &Attempt, title: &str, folder: &Path) -> String {
    let number = attempt.number;
    let mut words = format!(
        "{number}: <span class=\"{}\">{}</span>, {}",
        class(attempt.outcome),
        facts::word(attempt.outcome).to_lowercase(),
        clock::short(attempt.duration_ms)
    );
    if let Some(device) = &attempt.device {
        let _ = write!(words, " on {}", text(device));
    }
    if let Some(trace) = &attempt.trace {
        let _ = write!(
            words,
            ", <a href=\"{}\" aria-label=\"trace of {title}, attempt {number}\">trace</a>",
            link(folder, trace)
        );
    }
    words
}

/// Why it did not pass, and what failed before it did.
fn reasons(out: &mut String, flow: &FlowRecord, folder: &Path) {
    let several = flow.attempts.len() > 1;
    let earlier = facts::earlier_failures(flow).map(|attempt| (Some(attempt), facts::why(flow, attempt), false));
    let last = facts::why_not(flow).map(|why| (flow.attempts.last(), why, true));
    let reasons: Vec<_> = earlier.chain(last).collect();
    if reasons.is_empty() {
        return;
    }
    out.push_str("<tr class=\"why\"><td colspan=\"3\">\n");
    for (attempt, why, open) in reasons {
        let open = if open { " open" } else { "" };
        let number = attempt.filter(|_| several).map(|attempt| format!("<b>Attempt {}</b>: ", attempt.number));
        let _ =
            writeln!(out, "<details{open}><summary>{}{}</summary>", number.unwrap_or_default(), text(why.told.message));
        facts_of(out, &why, attempt, folder);
        out.push_str("</details>\n");
    }
    out.push_str("</td></tr>\n");
}

fn facts_of(out: &mut String, why: &Why<'_>, attempt: Option<&Attempt>, folder: &Path) {
    let mut facts: Vec<(&str, String)> = Vec::new();
    if let (Some(line), Some(step)) = (why.line, why.step) {
        facts.push(("Step", format!("<code>{}</code> ({}:{line})", text(step), text(why.file))));
    }
    if !why.told.code.is_empty() {
        facts.push(("Code", format!("<code>{}</code>", text(why.told.code))));
    }
    facts.extend(why.told.reached().map(|reached| ("Dispatched", text(&reached))));
    let hints = why.told.hint.unwrap_or_default().lines();
    facts.extend(hints.map(|line| ("Hint", text(line))));
    let beside = attempt.map(|attempt| (&attempt.artifacts, attempt.trace.as_ref()));
    for file in beside.iter().flat_map(|(files, trace)| files.iter().filter(move |file| Some(*file) != *trace)) {
        let name = Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        facts.push(("File", format!("<a href=\"{}\">{}</a>", link(folder, file), text(&name))));
    }
    if facts.is_empty() {
        return;
    }
    out.push_str("<dl>");
    for (name, value) in facts {
        let _ = write!(out, "<dt>{name}</dt><dd>{value}</dd>");
    }
    out.push_str("</dl>\n");
}

const fn class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Flaky => "flaky",
        Outcome::Failed => "failed",
        Outcome::Infrastructure => "infrastructure",
        Outcome::Invalid => "invalid",
        Outcome::NotRun => "not-run",
    }
}
