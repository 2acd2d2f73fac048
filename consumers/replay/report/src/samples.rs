//! Records for the tests of this crate.

use flow::{Attempt, FlowRecord, Outcome, Place, Shard, Status, StepRecord, SuiteRecord};
use serde_json::{Value, json};

pub fn step(number: u32, parent: Option<u32>, status: Status, text: &str) -> StepRecord {
    StepRecord {
        number,
        parent,
        place: Place { file: "flows/pay.yaml".to_owned(), line: 10 + number },
        text: text.to_owned(),
        status,
        started_ms: u64::from(number) * 100,
        duration_ms: 90,
        asks: Vec::new(),
        failure: None,
        notes: Vec::new(),
    }
}

pub fn attempt(number: u32, outcome: Outcome, steps: Vec<StepRecord>) -> Attempt {
    Attempt {
        number,
        outcome,
        started_at_ms: 1_796_065_146_000 + u64::from(number) * 1000,
        duration_ms: 900,
        session: format!("suite-1-{number}"),
        device: Some("stage-1".to_owned()),
        steps,
        failure: None,
        artifacts: Vec::new(),
        trace: None,
    }
}

pub fn flow(name: &str, file: &str, outcome: Outcome, attempts: Vec<Attempt>) -> FlowRecord {
    FlowRecord {
        name: name.to_owned(),
        file: file.to_owned(),
        tags: Vec::new(),
        outcome,
        shard: None,
        attempts,
        reason: None,
    }
}

pub fn suite(flows: Vec<FlowRecord>) -> SuiteRecord {
    SuiteRecord {
        version: 1,
        agent_device: "0.1.0".to_owned(),
        run_id: "20261130-185906".to_owned(),
        started_at_ms: 1_796_065_146_012,
        duration_ms: 12_345,
        flows,
        artifacts_dir: Some("/artifacts/20261130-185906".to_owned()),
    }
}

pub fn suite_of(outcomes: &[Outcome]) -> SuiteRecord {
    suite(outcomes.iter().map(|&outcome| flow("a", "a.ad", outcome, Vec::new())).collect())
}

pub fn covered() -> Value {
    json!({
        "code": "ELEMENT_COVERED",
        "message": "\"Pay\" is covered by [dialog] \"Cookies <b>\"",
        "hint": "press the dialog's own button first",
        "details": {"dispatched": "no", "dispatchRow": "daemon.guard.covered"}
    })
}

pub fn device_gone() -> Value {
    json!({"code": "DEVICE_UNAVAILABLE", "message": "the browser ended", "details": {"dispatched": "unknown", "dispatchedSteps": 2}})
}

fn failed_attempt(number: u32) -> Attempt {
    let mut tap = step(3, Some(2), Status::Failed, "tapOn \"Pay\"");
    tap.failure = Some(covered());
    tap.notes.push("retryTapIfNoChange is not followed".to_owned());
    let steps = vec![
        step(1, None, Status::Passed, "launchApp"),
        step(2, None, Status::Failed, "runFlow checkout.yaml"),
        tap,
        step(4, None, Status::Skipped, "assertVisible \"Thanks\""),
    ];
    Attempt {
        failure: Some(covered()),
        artifacts: vec!["/artifacts/pay/last.png".to_owned()],
        trace: Some(format!("/artifacts/pay/attempt-{number}/trace.html")),
        ..attempt(number, Outcome::Failed, steps)
    }
}

/// One flow of every outcome, two of them in folders, one twice.
pub fn everything() -> SuiteRecord {
    let passed = attempt(1, Outcome::Passed, vec![step(1, None, Status::Passed, "press label=\"Save\"")]);
    let mut warned = step(2, None, Status::Warned, "tapOn \"Later\" (optional)");
    warned.failure =
        Some(json!({"code": "ELEMENT_NOT_FOUND", "message": "no \"Later\"", "details": {"dispatched": "no"}}));
    let second = attempt(2, Outcome::Passed, vec![step(1, None, Status::Passed, "launchApp"), warned]);
    let gone = Attempt { failure: Some(device_gone()), ..attempt(1, Outcome::Infrastructure, Vec::new()) };
    let shard = |index| Some(Shard { index, count: 2 });
    let mut flows = vec![
        FlowRecord {
            tags: vec!["smoke".to_owned(), "fast".to_owned()],
            shard: shard(1),
            ..flow("login", "login.ad", Outcome::Passed, vec![passed.clone()])
        },
        FlowRecord { shard: shard(2), ..flow("login", "login.ad", Outcome::Passed, vec![passed]) },
        flow("wavers", "flows/wavers.yaml", Outcome::Flaky, vec![failed_attempt(1), second]),
        flow("pay & go", "flows/pay.yaml", Outcome::Failed, vec![failed_attempt(1), failed_attempt(2)]),
        flow("gone", "flows/gone.yaml", Outcome::Infrastructure, vec![gone]),
        flow("wrong", "wrong.yaml", Outcome::Invalid, Vec::new()),
        flow("later", "later.yaml", Outcome::NotRun, Vec::new()),
    ];
    flows[5].reason = Some("wrong.yaml:3:5: tapOm is no command; did you mean tapOn?".to_owned());
    flows[6].reason = Some("stopped by --fail-fast".to_owned());
    suite(flows)
}
