//! A session that is being recorded, and a daemon that is killed: what was recorded until then is still to be had.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::{fs, path::PathBuf};

use proof::{patience::until, program::Program};

/// An app whose button acts at once and answers long after every limit of this test.
const SLOW: &str = r#"
app = "slow"
title = "Slow"
start = "one"
[[screen]]
id = "one"
title = "One"
[[screen.element]]
role = "text-field"
id = "pin"
label = "PIN"
mask = true
keyboard = false
[[screen.element]]
role = "button"
id = "quick"
label = "Quick"
[[screen.element]]
role = "button"
id = "slow"
label = "Slow"
[[fault]]
on = "press"
kind = "late-reply"
element = "slow"
ms = 600000
"#;

const SECRET: &str = "Zq7-hunter2-Zq7";

fn record(program: &Program) -> PathBuf {
    program.state().session("lost").join("script.ndjson")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_daemon_had_recorded_is_saved_by_the_next_one() {
    let program = Program::new();
    fs::write(program.folder().join("slow.toml"), SLOW).unwrap();
    let session = ["--session", "lost"];
    let call = |words: &[&'static str]| [words, &session].concat();
    program.does(&call(&["open", "slow.toml", "--save-script=flow.ad"])).await;
    program.does(&call(&["press", "id=quick"])).await;
    program.does(&call(&["fill", "id=pin", SECRET])).await;
    let daemon = program.daemon().await;
    // In the middle of a press that has landed and was not answered.
    let pressing = program.start(&call(&["press", "id=slow"]));
    until("the press to begin", || fs::read_to_string(record(&program)).is_ok_and(|text| text.contains("id=slow")))
        .await;
    program.kill_daemon(daemon).await;
    program.ended(pressing).await;
    assert!(!program.folder().join("flow.ad").exists(), "nothing was published");
    assert!(!fs::read_to_string(record(&program)).unwrap().contains(SECRET), "no secret on the disk");

    let (_, told) = program.fails(&call(&["press", "id=quick"])).await;
    let told = told.error["hint"].as_str().unwrap().to_owned();
    assert!(told.contains("session save-script"), "whoever goes on is told what is left: {told}");
    let saved = program.does(&call(&["session", "save-script"])).await;
    let script = fs::read_to_string(program.folder().join("flow.ad")).unwrap();
    let lines: Vec<&str> = script.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    assert_eq!(
        lines,
        ["context platform=stage", "open ./slow.toml --relaunch", "press id=quick", "fill id=pin ${SECRET_1}"],
        "{script}"
    );
    assert!(script.contains("# dispatched: unknown: press id=slow"), "{script}");
    let warnings = saved["warnings"].to_string();
    assert!(
        warnings.contains("lost") && warnings.contains("after step 3") && warnings.contains("unknown"),
        "{saved:#}"
    );
    assert_eq!(saved["scriptVariables"][0], "SECRET_1", "{saved:#}");
    assert!(!record(&program).exists(), "it is written: the record goes");
    let (_, again) = program.fails(&call(&["session", "save-script"])).await;
    assert_eq!(again.error["code"], "SESSION_NOT_FOUND", "{:#}", again.error);
    // It can be replayed up to there.
    let value = format!("SECRET_1={SECRET}");
    program.does(&["replay", "flow.ad", "--session", "again", "-e", &value]).await;
    program.does(&["close", "--session", "again"]).await;
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_recording_does_not_write_over_what_a_lost_one_left() {
    let program = Program::new();
    let open = ["open", "demo", "--save-script=flow.ad", "--session", "lost"];
    program.does(&open).await;
    program.does(&["press", "label=Counter", "--session", "lost"]).await;
    program.kill_daemon(program.daemon().await).await;
    let opened = program.does(&open).await;
    let beside = program.state().session("lost").join("flow.ad");
    assert!(opened["warnings"][0].as_str().unwrap().ends_with(&beside.display().to_string()), "{opened:#}");
    assert!(fs::read_to_string(&beside).unwrap().contains("press label=Counter"));
    program.does(&["close", "--session", "lost"]).await;
    let script = fs::read_to_string(program.folder().join("flow.ad")).unwrap();
    assert!(script.contains("open demo --relaunch") && !script.contains("Counter"), "{script}");
    assert!(!record(&program).exists(), "closed: the record goes");
    program.end().await;
}
