//! What every fault leaves in the ledger, and whether the effect took place.

use std::time::Duration;

use backend::Input;
use contract::{Code, Dispatched, Row, Sends};
use stage::{Fault, FaultKind, Operation};
use wire::Context;

use crate::rig::{Rig, context, elements, press_at};

const NONE: Sends = Sends { completed: 0, open: 0 };

async fn button() -> Rig {
    elements(
        "{ role = \"button\", id = \"go\", label = \"Go\" }, { role = \"button\", id = \"other\", label = \"Other\" }",
        "",
    )
    .await
}

#[tokio::test(start_paused = true)]
async fn a_refused_press_did_nothing_and_is_proven_not_sent() {
    let rig = button().await;
    rig.probe.faults().inject(Fault::new(Operation::Press, FaultKind::Refuse));
    let aim = rig.target("go").await;
    let request = context();
    let (failure, sends) = rig.fails(&request, press_at(aim)).await;
    let claim = failure.claim().unwrap();
    assert_eq!((claim.row, claim.dispatched), (Row::StageRefused, Dispatched::No));
    assert_eq!((sends, rig.probe.effects("go").presses), (NONE, 0));
}

#[tokio::test(start_paused = true)]
async fn an_answer_past_the_deadline_is_unknown_and_the_slow_device_still_does_it() {
    let rig = button().await;
    rig.probe.faults().inject(Fault::new(Operation::Press, FaultKind::Delay).ms(3000));
    let aim = rig.target("go").await;
    let request = Context::with_limit(Duration::from_millis(500));
    let (failure, sends) = rig.fails(&request, press_at(aim)).await;
    assert_eq!(failure.claim().map(|claim| claim.row), Some(Row::StageDelayedPastDeadline));
    assert_eq!(failure.code, Code::Timeout);
    assert_eq!((sends, rig.probe.effects("go").presses), (Sends { completed: 0, open: 1 }, 0), "not done yet");
    rig.tree().await;
    assert_eq!(rig.probe.effects("go").presses, 1, "done when the device got to it");
}

#[tokio::test(start_paused = true)]
async fn a_short_delay_within_the_limit_is_a_success() {
    let rig = button().await;
    rig.probe.faults().inject(Fault::new(Operation::Press, FaultKind::Delay).ms(300));
    let request = context();
    let aim = rig.target("go").await;
    rig.device.perform(&request, press_at(aim)).await.unwrap();
    assert_eq!((request.ledger.sends(), rig.probe.effects("go").presses), (Sends { completed: 1, open: 0 }, 1));
}

#[tokio::test(start_paused = true)]
async fn the_second_half_of_a_double_press_can_be_refused() {
    let rig = button().await;
    rig.probe.faults().inject(Fault::new(Operation::Press, FaultKind::Refuse).element("go").nth(2));
    let aim = rig.target("go").await;
    let (failure, sends) = rig.fails(&context(), Input::DoublePress { aim }).await;
    assert_eq!(failure.claim().map(|claim| claim.row), Some(Row::StageRefused));
    assert_eq!(sends, Sends { completed: 1, open: 0 });
    let effects = rig.probe.effects("go");
    assert_eq!((effects.presses, effects.double_presses), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn a_fault_strikes_only_its_element_and_only_when_it_is_its_turn() {
    let rig = button().await;
    rig.probe.faults().inject(Fault::new(Operation::Press, FaultKind::Refuse).element("go").nth(2));
    rig.press("other").await;
    rig.press("other").await;
    rig.press("go").await;
    let aim = rig.target("go").await;
    rig.fails(&context(), press_at(aim)).await;
    rig.press("go").await;
    assert_eq!((rig.probe.effects("go").presses, rig.probe.effects("other").presses), (2, 2));
    assert_eq!(rig.probe.faults().struck(), 1);
}

#[tokio::test(start_paused = true)]
async fn faults_can_stand_in_the_file_and_be_cleared_at_run_time() {
    let fault = "[[fault]]\non = \"press\"\nelement = \"go\"\nkind = \"refuse\"\n";
    let rig = elements("{ role = \"button\", id = \"go\", label = \"Go\" }", fault).await;
    let aim = rig.target("go").await;
    rig.fails(&context(), press_at(aim)).await;
    rig.probe.faults().clear();
    rig.press("go").await;
    assert_eq!(rig.probe.effects("go").presses, 1);
}

#[tokio::test(start_paused = true)]
async fn a_capture_can_come_back_empty_or_not_at_all_and_counts_no_send() {
    let rig = button().await;
    rig.probe.faults().inject(Fault::new(Operation::Capture, FaultKind::EmptyCapture).nth(1));
    assert!(rig.device.capture(&context(), 100).await.unwrap().is_empty());
    rig.probe.faults().inject(Fault::new(Operation::Capture, FaultKind::DropReplyBeforeEffect).nth(1));
    let request = context();
    rig.device.capture(&request, 100).await.expect_err("the reply is lost");
    assert_eq!(request.ledger.sends(), NONE, "looking is never counted");
    assert!(!rig.tree().await.is_empty(), "the next one is whole");
}

#[tokio::test(start_paused = true)]
async fn a_panic_strikes_the_caller_and_leaves_the_device_alive() {
    let rig = button().await;
    rig.probe.faults().inject(Fault::new(Operation::Press, FaultKind::Panic).nth(1));
    let aim = rig.target("go").await;
    let (device, request) = (rig.device.clone(), context());
    let ledger = request.ledger.clone();
    let died = tokio::spawn(async move { device.perform(&request, press_at(aim)).await }).await;
    assert!(died.expect_err("the caller panics").is_panic());
    assert_eq!(ledger.sends(), Sends { completed: 0, open: 1 }, "nobody judged the reply");
    rig.press("go").await;
    assert_eq!(rig.probe.effects("go").presses, 2);
}

#[tokio::test(start_paused = true)]
async fn every_input_can_be_refused_without_any_effect() {
    let rig = elements(
        "{ role = \"text-field\", id = \"field\", label = \"Field\" }, { role = \"list\", id = \"list\", height = 100, \
         element = [{ role = \"text\", label = \"row {n}\", repeat = 50 }] }",
        "",
    )
    .await;
    rig.press("field").await;
    let before = rig.probe.log();
    let (aim, list) = (rig.target("field").await, rig.target("list").await);
    let inputs = [
        (Operation::Press, press_at(aim)),
        (Operation::Hover, Input::Hover { aim }),
        (Operation::Swipe, Input::Swipe { from: list.point, to: aim.point, duration_ms: 0 }),
        (Operation::Fill, Input::Fill { aim, text: "x".into(), delay_ms: 0 }),
        (Operation::Type, Input::Type { text: "x".into() }),
        (Operation::Scroll, Input::Scroll { within: list.node, to: backend::ScrollTo::Bottom }),
        (Operation::Back, Input::Back),
        (Operation::Home, Input::Home),
        (Operation::Viewport, Input::Viewport { width: 500, height: 500 }),
        (Operation::AnswerDialog, Input::AnswerDialog { accept: true, text: None }),
        (Operation::Navigate, Input::Navigate { address: "demo".into(), load_timeout_ms: 1000 }),
    ];
    for (operation, input) in inputs {
        rig.probe.faults().inject(Fault::new(operation, FaultKind::Refuse));
        let (failure, sends) = rig.fails(&context(), input).await;
        assert_eq!(failure.claim().map(|claim| claim.row), Some(Row::StageRefused), "{operation:?}");
        assert_eq!(sends, NONE, "{operation:?}");
    }
    assert_eq!(rig.probe.log(), before, "nothing at all happened");
}
