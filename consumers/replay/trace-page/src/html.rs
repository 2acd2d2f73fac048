//! The file: the assets, the data, and the policy that lets nothing else run.

use std::io;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use flow::Outcome;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::{
    explain::Explained,
    page::{Page, Run},
    pictures::Picture,
    steps::{Kept, Shown, steps},
};

const STYLE: &str = concat!(
    include_str!("../assets/base.css"),
    include_str!("../assets/steps.css"),
    include_str!("../assets/detail.css"),
    include_str!("../assets/network.css"),
    include_str!("../assets/tree.css"),
);
const BODY: &str = include_str!("../assets/body.html");
/// One script, so that its parts share a scope and nothing of them is global.
const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("../assets/tools.js"),
    include_str!("../assets/data.js"),
    include_str!("../assets/network.js"),
    include_str!("../assets/steps.js"),
    include_str!("../assets/strip.js"),
    include_str!("../assets/picture.js"),
    include_str!("../assets/tree.js"),
    include_str!("../assets/failure.js"),
    include_str!("../assets/timing.js"),
    include_str!("../assets/detail.js"),
    include_str!("../assets/keys.js"),
    include_str!("../assets/main.js"),
    "})();\n"
);

/// Of the data in the page.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    title: &'a str,
    file: &'a str,
    facts: &'a [(String, String)],
    runs: Vec<RunData<'a>>,
    pictures: &'a [Picture],
    trees: &'a [[usize; 2]],
    pictures_left_out: usize,
    problems: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunData<'a> {
    name: &'a str,
    outcome: Option<Outcome>,
    started_at_ms: u64,
    duration_ms: u64,
    session: &'a str,
    device: &'a str,
    platform: &'a str,
    app: &'a str,
    build: &'a str,
    failure: Option<Explained>,
    steps: Vec<Shown>,
}

/// Writes a page.
///
/// # Errors
/// Of `out`.
pub fn write(page: &Page, out: &mut impl io::Write) -> io::Result<()> {
    let mut kept = Kept::default();
    let runs: Vec<_> = page.runs.iter().map(|run| run_data(run, &mut kept)).collect();
    let pictures_left_out = kept.pictures.choose(page.picture_bytes);
    let told = page.runs.iter().filter_map(|run| run.trace.as_ref()).flat_map(|trace| &trace.problems);
    let problems: Vec<_> = told.chain(&kept.problems).cloned().collect();
    let data = Data {
        title: &page.title,
        file: &page.file,
        facts: &page.facts,
        runs,
        pictures: kept.pictures.list(),
        trees: kept.trees.places(),
        pictures_left_out,
        problems: &problems,
    };
    let title = escape(&page.title);
    let policy = format!(
        "default-src 'none'; img-src data:; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    );
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{}\n\
         <script type=\"application/json\" id=\"data\">{}</script>\n<script>{SCRIPT}</script>\n",
        BODY.replace("{{without-script}}", &without_script(page)),
        inert(&serde_json::to_string(&data)?),
    )?;
    // Last, and as text that nothing decodes until it is looked at: the page is there before they are.
    kept.trees.write(out)?;
    kept.pictures.write(out)?;
    out.write_all(b"</body>\n</html>\n")
}

fn run_data<'a>(run: &'a Run, kept: &mut Kept) -> RunData<'a> {
    let header = run.trace.as_ref().and_then(|trace| trace.header.as_ref());
    let of_header =
        |part: fn(&contract::trace::Header) -> &String| header.map(|header| part(header).as_str()).unwrap_or_default();
    RunData {
        name: &run.name,
        outcome: run.outcome,
        started_at_ms: run.started_at_ms,
        duration_ms: run.duration_ms,
        session: &run.session,
        device: if run.device.is_empty() { of_header(|header| &header.device) } else { &run.device },
        platform: of_header(|header| &header.platform),
        app: of_header(|header| &header.app),
        build: of_header(|header| &header.agent_device),
        failure: run.failure.as_ref().map(Explained::of),
        steps: steps(run, kept),
    }
}

/// What a browser without scripts shows.
fn without_script(page: &Page) -> String {
    let failures =
        page.runs.iter().filter_map(|run| run.failure.as_ref()).map(|failure| Explained::of(failure).message);
    let failures: Vec<_> = failures.map(|message| format!("<p>{}</p>", escape(&message))).collect();
    format!("<h1>{}</h1>{}", escape(&page.title), failures.concat())
}

fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text.as_bytes()))
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// JSON that no HTML parser takes for anything else: in JSON these characters stand in strings only, where each may be
/// written as a number.
fn inert(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_app_says_stays_a_text() {
        let hostile = "</script><script>alert(1)</script><!-- \u{2028} & \"'";
        let json = serde_json::to_string(hostile).unwrap();
        let safe = inert(&json);
        assert!(!safe.contains(['<', '>', '&', '\u{2028}']), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), hostile);
        let html = Page::new(hostile).html().unwrap();
        assert!(!html.contains("alert(1)</script>"));
        assert_eq!(html.matches("<script").count(), 2);
    }

    #[test]
    fn the_script_and_the_style_cannot_end_early() {
        assert!(!SCRIPT.contains("</script") && !SCRIPT.contains("<!--"));
        assert!(!STYLE.contains("</style"));
    }

    #[test]
    fn nothing_is_asked_of_a_network() {
        for asset in [STYLE, SCRIPT, BODY] {
            for word in ["http://", "https://", "@import", "fetch(", "XMLHttpRequest", "url(", "src=", "innerHTML"] {
                let allowed = word == "http://"
                    && asset.matches("http://").count() == asset.matches("http://www.w3.org/2000/svg").count();
                assert!(allowed || !asset.contains(word), "{word}");
            }
        }
    }
}
