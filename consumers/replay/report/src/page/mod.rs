//! One page for people: every flow with its result, its time, its attempts, and a link to the page of each attempt.
//!
//! It needs no network, no server and no script: a browser may run none in it. Texts of apps stand in it as texts. The pages of attempts are
//! linked relative to it, so the folder can be moved as a whole.
//!
//! | module | answers |
//! | --- | --- |
//! | [`mod@self`] | the page |
//! | [`flows`] | the flows of one result, as a table |
//! | `markup` | texts and links as HTML |

pub mod flows;
mod markup;

use std::{fmt::Write as _, path::Path};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use flow::{Outcome, SuiteRecord};
use sha2::{Digest as _, Sha256};

use crate::{clock, facts::Totals};
use markup::text;

const STYLE: &str = include_str!("../../assets/report.css");

/// The parts of the page: what needs attention comes first.
const PARTS: &[(Outcome, &str, &str)] = &[
    (Outcome::Failed, "failed", "Failed"),
    (Outcome::Infrastructure, "infrastructure", "Device, browser or daemon failed"),
    (Outcome::Invalid, "invalid", "Cannot be read"),
    (Outcome::Flaky, "flaky", "Passed when tried again"),
    (Outcome::NotRun, "not-run", "Not run"),
    (Outcome::Passed, "passed", "Passed"),
];

/// The page, as it is to lie in `folder`.
pub fn page(suite: &SuiteRecord, folder: &Path) -> String {
    let totals = Totals::of(suite);
    let count = if totals.flows == 1 { "1 flow".to_owned() } else { format!("{} flows", totals.flows) };
    let title = format!("{count}: {}", totals.words());
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        STANDARD.encode(Sha256::digest(STYLE.as_bytes()))
    );
    let began = clock::timestamp(suite.started_at_ms);
    let began = began.split('.').next().unwrap_or_default().replace('T', " ");
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n\
         <p class=\"soft\">{began} UTC, {}</p>\n",
        clock::short(suite.duration_ms),
    );
    let parts: Vec<_> = PARTS
        .iter()
        .map(|(outcome, id, name)| (id, name, suite.flows.iter().filter(|flow| flow.outcome == *outcome).collect()))
        .filter(|(.., flows): &(_, _, Vec<_>)| !flows.is_empty())
        .collect();
    out.push_str("<nav aria-label=\"Results\"><ul>\n");
    for (id, name, flows) in &parts {
        let _ = writeln!(out, "<li><a href=\"#{id}\">{name} <b>{}</b></a></li>", flows.len());
    }
    out.push_str("</ul></nav>\n</header>\n<main>\n");
    for (id, name, flows) in &parts {
        let _ = writeln!(out, "<section id=\"{id}\" aria-labelledby=\"{id}-title\">");
        let _ = writeln!(out, "<h2 id=\"{id}-title\" class=\"{id}\">{name} ({})</h2>", flows.len());
        flows::table(&mut out, name, suite, flows, folder);
        out.push_str("</section>\n");
    }
    let _ = write!(out, "</main>\n<footer>agent-device {}", text(&suite.agent_device));
    if let Some(artifacts) = &suite.artifacts_dir {
        let _ = write!(out, ", files in <code>{}</code>", text(artifacts));
    }
    out.push_str("</footer>\n</body>\n</html>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn every_flow_stands_in_it_once_under_its_result() {
        let html = page(&samples::everything(), Path::new("/artifacts"));
        assert!(html.contains("<h1>7 flows: 2 passed, 1 flaky, 1 failed, 1 infrastructure, 1 invalid, 1 not run</h1>"));
        assert!(html.contains("2026-11-30 18:59:06 UTC, 12.3 s"), "{html}");
        for (id, _, name) in [("failed", 0, "pay &amp; go"), ("flaky", 0, "wavers"), ("not-run", 0, "later")] {
            let (_, part) = html.split_once(&format!("<section id=\"{id}\"")).unwrap();
            let (part, _) = part.split_once("</section>").unwrap();
            assert!(part.contains(name), "{id}: {part}");
            assert_eq!(html.matches(&format!("<b>{name}</b>")).count(), 1, "{name}");
        }
        // Attention first.
        let places: Vec<_> =
            PARTS.iter().filter_map(|(_, id, _)| html.find(&format!("<section id=\"{id}\""))).collect();
        assert_eq!(places.len(), PARTS.len());
        assert!(places.is_sorted());
        assert!(html.contains("login [shard 2 of 2]"), "{html}");
    }

    #[test]
    fn a_failure_is_told_with_its_step_and_its_page() {
        let html = page(&samples::everything(), Path::new("/artifacts"));
        for words in [
            "<summary><b>Attempt 2</b>: &quot;Pay&quot; is covered by [dialog] &quot;Cookies &lt;b&gt;&quot;</summary>",
            "<dd><code>tapOn &quot;Pay&quot;</code> (flows/pay.yaml:13)</dd>",
            "<dt>Dispatched</dt><dd>no</dd>",
            "<dt>Hint</dt><dd>press the dialog&#39;s own button first</dd>",
            "href=\"pay/attempt-2/trace.html\"",
            "tapOm is no command",
            "stopped by --fail-fast",
        ] {
            assert!(html.contains(words), "{words} in\n{html}");
        }
    }

    #[test]
    fn what_an_app_says_stays_a_text() {
        let mut suite = samples::everything();
        suite.flows[3].name = "</h2><script>alert(1)</script>".to_owned();
        suite.flows[3].attempts[0].failure =
            Some(serde_json::json!({"message": "<img src=x onerror=alert(1)>\u{202e}"}));
        suite.flows[3].attempts[0].trace = Some("/artifacts/\"onclick=x/tra ce.html".to_owned());
        let html = page(&suite, Path::new("/artifacts"));
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains('\u{202e}'), "{html}");
        assert!(html.contains("href=\"%22onclick%3Dx/tra%20ce.html\""), "{html}");
    }

    #[test]
    fn nothing_is_asked_of_a_network_and_no_script_runs() {
        let html = page(&samples::everything(), Path::new("/elsewhere/x"));
        for word in ["http://", "https://", "url(", "@import", "src=", "<script", "style=\"", " on"] {
            let tags: Vec<&str> = html.split('<').filter_map(|part| part.split_once('>')).map(|(tag, _)| tag).collect();
            assert!(!tags.iter().any(|tag| tag.contains(word)) && !STYLE.contains("url("), "{word}");
        }
        assert!(html.contains("href=\"../../artifacts/pay/attempt-1/trace.html\""), "{html}");
    }

    #[test]
    fn a_suite_of_nothing_is_a_page_as_well() {
        let html = page(&samples::suite(Vec::new()), Path::new("/"));
        assert!(html.contains("<h1>0 flows: no flows</h1>") && html.ends_with("</html>\n"));
    }
}
