//! The page of a suite in a real Chromium: nothing in it runs, nothing is asked for, axe-core finds nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test")]

#[allow(dead_code, reason = "a part of another crate's tests")]
#[path = "../../trace-page/tests/support/axe.rs"]
mod axe;
#[allow(dead_code, reason = "a part of another crate's tests")]
#[path = "../../trace-page/tests/support/browser.rs"]
mod browser;

use browser::Browser;
use flow::SuiteRecord;
use serde_json::{Value, json};

/// A flow of every result, as `--report-json` writes suites.
fn suite() -> SuiteRecord {
    let step = |number: u32, status: &str, failure: Value| {
        json!({"number": number, "file": "flows/pay.yaml", "line": 3 + number, "text": "tapOn \"Pay\"", "status": status,
            "startedMs": 0, "durationMs": 10, "failure": failure})
    };
    let covered = json!({"code": "ELEMENT_COVERED", "message": "\"Pay\" is covered by [dialog] \"<b>Cookies</b>\"",
        "hint": "press the dialog's own button first", "details": {"dispatched": "no"}});
    let attempt = |number: u32, outcome: &str, steps: Vec<Value>| {
        json!({"number": number, "outcome": outcome, "startedAtMs": 1_796_065_146_000_u64, "durationMs": 900, "session": "s", "device": "stage-1",
            "steps": steps, "trace": format!("/run/pay/attempt-{number}/trace.html"), "artifacts": ["/run/pay/last.png"]})
    };
    let failed =
        |number| attempt(number, "failed", vec![step(1, "passed", Value::Null), step(2, "failed", covered.clone())]);
    let flow = |name: &str, outcome: &str, attempts: Vec<Value>| {
        json!({"name": name, "file": format!("flows/{name}.yaml"), "tags": ["smoke"], "outcome": outcome, "attempts": attempts,
            "reason": attempts.is_empty().then_some("stopped by --fail-fast")})
    };
    let passed: Vec<_> =
        (0..30).map(|number| flow(&format!("p{number}"), "passed", vec![attempt(1, "passed", Vec::new())])).collect();
    let flows = [
        flow("pay", "failed", vec![failed(1), failed(2)]),
        flow("wavers", "flaky", vec![failed(1), attempt(2, "passed", Vec::new())]),
        flow("gone", "infrastructure", vec![attempt(1, "infrastructure", Vec::new())]),
        flow("wrong", "invalid", Vec::new()),
        flow("later", "notRun", Vec::new()),
    ];
    let flows: Vec<_> = flows.into_iter().chain(passed).collect();
    serde_json::from_value(json!({"version": 1, "agentDevice": "0.1.0", "runId": "1", "startedAtMs": 1_796_065_146_000_u64, "durationMs": 9_000,
        "flows": flows, "artifactsDir": "/run"}))
    .unwrap()
}

#[test]
fn the_page_of_a_suite_is_found_faultless_in_both_colour_schemes_and_on_a_phone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.html");
    std::fs::write(&path, report::page::page(&suite(), folder.path())).unwrap();
    for (width, height, dark) in [(1280, 900, false), (1280, 900, true), (390, 780, false)] {
        let Some(mut browser) = Browser::start(width, height, dark) else { return };
        browser.load(&path);
        assert_eq!(browser.run("return document.querySelectorAll('tbody').length"), 35);
        assert_eq!(browser.run("return document.querySelectorAll('details').length"), 6);
        // Nothing is wider than the screen.
        assert_eq!(browser.run("return document.documentElement.scrollWidth <= innerWidth"), true);
        let background = browser.run("return getComputedStyle(document.body).backgroundColor");
        assert_eq!(background == "rgb(18, 22, 29)", dark, "its own style is the one that counts: {background}");
        // By the keyboard alone: the first link of the list leads to what failed, and what is told there opens and closes.
        browser.press(&["\u{e004}", "\u{e007}"]);
        assert_eq!(browser.run("return location.hash"), "#failed");
        browser.press(&["\u{e004}"]);
        let link = browser.run("return document.activeElement.getAttribute('href')");
        assert!(link.as_str().unwrap().ends_with("run/pay/attempt-1/trace.html"), "{link}");
        browser.press(&["\u{e004}", "\u{e004}", "\u{e007}"]);
        assert_eq!(browser.run("return document.activeElement.parentElement.open"), true);
        assert_eq!(browser.console(), Vec::<String>::new());
        assert_eq!(browser.requests(), [format!("file://{}", path.display())]);
        if let Some(axe) = axe::script() {
            browser.run(&axe);
            let found = browser.settled("axe.run().then((told) => told.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' ')))");
            assert_eq!(found, json!([]), "{width} px wide, dark: {dark}");
        }
        if let Some(kept) = std::env::var_os("AGENT_DEVICE_TEST_KEEP") {
            let shot = browser.devtools("Page.captureScreenshot", json!({}));
            let name = format!("report-{width}-{}.png", if dark { "dark" } else { "light" });
            use base64::Engine as _;
            let png = base64::engine::general_purpose::STANDARD.decode(shot["data"].as_str().unwrap()).unwrap();
            std::fs::write(std::path::Path::new(&kept).join(name), png).unwrap();
        }
    }
}
