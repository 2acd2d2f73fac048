//! What a replayed script tells of a step that was cut in its middle, and of a step that reads something else than it was
//! recorded on: through the real program, on the simulated device and on a page.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::fs;

use proof::{program::Program, site::Site};
use serde_json::Value;

const APP: &str = r#"
app = "series"
title = "Series"
start = "main"
[[fault]]
on = "press"
kind = "refuse"
nth = 4
[[fault]]
on = "swipe"
kind = "refuse"
nth = 2
[[screen]]
id = "main"
title = "Main"
[[screen.element]]
role = "button"
id = "save"
label = "Save"
"#;

async fn replayed(program: &Program, script: &str) -> (i32, Value) {
    let path = program.folder().join("run.ad");
    fs::write(&path, script).unwrap();
    let ended = program.run(&["replay", path.to_str().unwrap(), "--json"]).await;
    let envelope = serde_json::from_str(&ended.out).unwrap_or_else(|why| panic!("{why}: {ended:?}"));
    if ended.code != 0 {
        program.does(&["close"]).await;
    }
    (ended.code, envelope)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_series_that_is_cut_says_in_its_script_how_far_it_came() {
    let program = Program::new();
    let app = program.folder().join("series.toml");
    fs::write(&app, APP).unwrap();
    let open = format!("open \"{}\"", app.display());

    // One press before, then two of three.
    let script = format!("{open}\npress id=save\npress id=save --count 3\nclose\n");
    let (code, told) = replayed(&program, &script).await;
    let details = &told["error"]["details"];
    let step = &details["divergence"]["step"];
    assert_eq!(code, 3, "{told:#}");
    assert_eq!((&step["index"], &step["dispatched"]), (&3.into(), &"unknown".into()), "{step:#}");
    assert_eq!(step["dispatchedSteps"], 2, "of the step alone: {step:#}");
    assert_eq!(details["dispatched"], "unknown");
    let before = details["dispatchedSteps"].as_u64().unwrap() - 2;
    assert!(before >= 1, "of the run, with the press before: {details:#}");
    let cause = &details["divergence"]["cause"]["details"];
    assert_eq!(cause["dispatchRow"], "daemon.series.later-press-refused", "{cause:#}");

    let script = format!("{open}\nswipe 200 600 200 300 --count 2\nclose\n");
    let (_, told) = replayed(&program, &script).await;
    let step = &told["error"]["details"]["divergence"]["step"];
    assert_eq!((&step["dispatched"], &step["dispatchedSteps"]), (&"unknown".into(), &1.into()), "{told:#}");

    // The report of a suite has the same of the step.
    let script = program.folder().join("series.ad");
    fs::write(&script, format!("{open}\npress id=save --count 5\nclose\n")).unwrap();
    let ended = program.run(&["test", script.to_str().unwrap(), "--json"]).await;
    let told: Value = serde_json::from_str(&ended.out).unwrap_or_else(|why| panic!("{why}: {ended:?}"));
    let steps = told.pointer("/data/flows/0/attempts/0/steps").or(told.pointer("/flows/0/attempts/0/steps"));
    let failed = steps.and_then(Value::as_array).and_then(|steps| steps.iter().find(|step| step["status"] == "failed"));
    let details = &failed.unwrap_or_else(|| panic!("{told:#}"))["failure"]["details"];
    assert_eq!((&details["dispatched"], &details["dispatchedSteps"]), (&"unknown".into(), &3.into()), "{told:#}");

    // A batch has no place in a script: nothing of the script is run.
    let path = program.folder().join("batch.ad");
    fs::write(&path, format!("{open}\nbatch --steps '[\"press id=save\"]'\n")).unwrap();
    let (code, told) = program.fails(&["replay", path.to_str().unwrap()]).await;
    assert_eq!(code, 2, "{:#}", told.error);
    assert!(told.message().contains("batch.ad:2:"), "{}", told.message());
    program.end().await;
}

const PAGE: &str = "<!doctype html><title>Total</title><h1>Order</h1><button id=total>12 EUR</button>\
                    <button id=pay onclick=\"this.textContent='Paid'\">Pay</button>";
/// Its selectors find other elements.
const OTHER: &str = "<!doctype html><title>Total</title><h1>Order</h1><input type=checkbox id=total aria-label=Gift>\
                     <input type=checkbox id=pay aria-label='Keep me posted'>";

#[tokio::test(flavor = "multi_thread")]
async fn a_read_of_a_page_that_finds_something_else_stops_the_script() {
    if std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_BROWSER").is_some() {
        return;
    }
    let site = Site::with(PAGE).await;
    let program = Program::new();
    let recording = program.folder().join("recorded.ad");
    let save = format!("--save-script={}", recording.display());
    program.does(&["open", &site.url, "--platform", "web", &save]).await;
    program.does(&["is", "visible", "id=total"]).await;
    program.does(&["find", "id=pay", "click"]).await;
    program.does(&["close"]).await;
    let text = fs::read_to_string(&recording).unwrap();
    assert_eq!(text.matches("target-v1").count(), 2, "both have what they were: {text}");
    let evidence = text.lines().find(|line| line.contains("target-v1")).unwrap();
    // What `get` is held to, a person writes above it.
    let text = text.replacen("is visible", &format!("get text id=total\n{evidence}\nis visible"), 1);
    assert!(text.contains("get text"), "{text}");

    let (code, told) = replayed(&program, &text).await;
    assert_eq!(code, 0, "as it was: {told:#}");

    site.add("/other", OTHER);
    let moved = text.replace(&site.url, &format!("{}/other", site.url.trim_end_matches('/')));
    let without = |lines: &[&str]| {
        let mut kept: Vec<&str> = Vec::new();
        for line in moved.lines() {
            if lines.iter().any(|gone| line.starts_with(gone)) {
                // With the comment above it.
                kept.pop();
            } else {
                kept.push(line);
            }
        }
        kept.join("\n")
    };
    for (script, reads) in [
        (moved.clone(), "get text"),
        (without(&["get text"]), "is visible"),
        (without(&["get text", "is visible"]), "find"),
    ] {
        let (code, told) = replayed(&program, &script).await;
        let divergence = &told["error"]["details"]["divergence"];
        assert_eq!(divergence["kind"], "identity-mismatch", "{reads}: {script}\n{told:#}");
        assert!(divergence["step"]["text"].as_str().unwrap().starts_with(reads), "{divergence:#}");
        assert_eq!(divergence["cause"]["details"]["dispatchRow"], "daemon.refusal.identity-mismatch", "{divergence:#}");
        assert_eq!(divergence["step"]["dispatched"], "no", "{divergence:#}");
        assert!(code == 1 || code == 3, "{code}: {told:#}");
    }
    program.end().await;
}
