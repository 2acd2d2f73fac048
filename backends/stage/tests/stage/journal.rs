//! A lost reply: what the device's journal makes of it, and what stays unknown.

use std::time::Duration;

use backend::{Aim, Aimed, Input, Receipt};
use contract::{Dispatched, Failure, Row, Sends};
use stage::{Fault, FaultKind, Operation};
use wire::Context;

use crate::rig::{Rig, context, elements, press_at};

const NONE: Sends = Sends { completed: 0, open: 0 };
const ONE: Sends = Sends { completed: 1, open: 0 };
const OPEN: Sends = Sends { completed: 0, open: 1 };

async fn button() -> Rig {
    elements("{ role = \"button\", id = \"go\", label = \"Go\" }", "").await
}

/// One press of the button under faults: what was told, what the ledger counted, what the button counted.
async fn pressed(
    rig: &Rig,
    faults: &[(Operation, FaultKind)],
    limit_ms: u64,
) -> (Result<Receipt, Failure>, Sends, u32) {
    let aim = rig.target("go").await;
    let before = rig.probe.effects("go").presses;
    for (on, kind) in faults {
        rig.probe.faults().inject(Fault::new(*on, *kind).ms(3000));
    }
    let request = Context::with_limit(Duration::from_millis(limit_ms));
    let told = rig.device.perform(&request, press_at(aim)).await;
    (told, request.ledger.sends(), rig.probe.effects("go").presses - before)
}

fn claim(told: &Result<Receipt, Failure>) -> Option<(Row, Dispatched)> {
    told.as_ref().err().and_then(Failure::claim).map(|claim| (claim.row, claim.dispatched))
}

fn resolved(told: &Result<Receipt, Failure>) -> Option<Row> {
    told.as_ref().ok().and_then(|receipt| receipt.resolved)
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_was_lost_after_the_effect_is_found_in_the_journal() {
    let rig = button().await;
    let (told, sends, presses) = pressed(&rig, &[(Operation::Press, FaultKind::DropReplyAfterEffect)], 5000).await;
    assert_eq!((resolved(&told), sends, presses), (Some(Row::StageJournalCompleted), ONE, 1), "{told:?}");
    assert_eq!(told.unwrap().events, ["press [button] \"Go\""], "the receipt is the one that was lost");
    rig.probe.faults().clear();
    assert_eq!(rig.press("go").await.resolved, None, "a reply that comes needs no journal");
}

#[tokio::test(start_paused = true)]
async fn a_press_that_was_lost_before_the_effect_is_proven_not_to_have_arrived() {
    let rig = button().await;
    let (told, sends, presses) = pressed(&rig, &[(Operation::Press, FaultKind::DropReplyBeforeEffect)], 5000).await;
    assert_eq!(claim(&told), Some((Row::StageJournalNeverAccepted, Dispatched::No)));
    assert_eq!((sends, presses), (NONE, 0));
}

#[tokio::test(start_paused = true)]
async fn a_late_reply_is_asked_for_within_the_requests_own_time() {
    let rig = button().await;
    let before = tokio::time::Instant::now();
    let (told, sends, presses) = pressed(&rig, &[(Operation::Press, FaultKind::LateReply)], 500).await;
    assert_eq!((resolved(&told), sends, presses), (Some(Row::StageJournalCompleted), ONE, 1), "{told:?}");
    assert!(before.elapsed() <= Duration::from_millis(500), "{:?}", before.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_refusal_whose_reply_is_lost_is_still_a_refusal() {
    let rig = button().await;
    rig.probe.faults().inject(Fault::new(Operation::AnswerDialog, FaultKind::DropReplyAfterEffect));
    let (failure, sends) = rig.fails(&context(), Input::AnswerDialog { accept: true, text: None }).await;
    assert_eq!(failure.claim().map(|claim| (claim.row, claim.dispatched)), Some((Row::StageRefused, Dispatched::No)));
    assert_eq!(sends, NONE);
}

#[tokio::test(start_paused = true)]
async fn a_device_that_starts_anew_has_forgotten_and_nobody_can_say() {
    for (kind, landed) in [(FaultKind::RestartBeforeEffect, 0), (FaultKind::RestartAfterEffect, 1)] {
        let rig = button().await;
        let (told, sends, presses) = pressed(&rig, &[(Operation::Press, kind)], 5000).await;
        assert_eq!(claim(&told), Some((Row::StageJournalRestarted, Dispatched::Unknown)), "{kind:?}");
        assert_eq!((sends, presses), (OPEN, landed), "{kind:?}");
        rig.probe.faults().clear();
        // The new journal is as good as the old one.
        let (told, ..) = pressed(&rig, &[(Operation::Press, FaultKind::DropReplyAfterEffect)], 5000).await;
        assert_eq!(resolved(&told), Some(Row::StageJournalCompleted), "{kind:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_restart_during_a_look_costs_a_later_press_nothing() {
    let rig = button().await;
    let aim = rig.target("go").await;
    rig.probe.faults().inject(Fault::new(Operation::Capture, FaultKind::RestartAfterEffect).nth(1));
    rig.device.capture(&context(), 100).await.expect_err("the reply is lost");
    rig.probe.faults().inject(Fault::new(Operation::Press, FaultKind::DropReplyBeforeEffect));
    let (failure, _) = rig.fails(&context(), press_at(aim)).await;
    assert_eq!(failure.claim().map(|claim| claim.row), Some(Row::StageJournalNeverAccepted));
}

#[tokio::test(start_paused = true)]
async fn a_journal_that_cannot_be_asked_leaves_it_unknown_and_takes_no_time() {
    for asked in [FaultKind::Refuse, FaultKind::DropReplyBeforeEffect, FaultKind::DropReplyAfterEffect] {
        for (kind, row, landed) in [
            (FaultKind::DropReplyBeforeEffect, Row::StageReplyLostBeforeEffect, 0),
            (FaultKind::DropReplyAfterEffect, Row::StageReplyLostAfterEffect, 1),
        ] {
            let rig = button().await;
            let before = tokio::time::Instant::now();
            let faults = [(Operation::Press, kind), (Operation::Status, asked)];
            let (told, sends, presses) = pressed(&rig, &faults, 30_000).await;
            assert_eq!(claim(&told), Some((row, Dispatched::Unknown)), "{kind:?} {asked:?}");
            assert_eq!((sends, presses), (OPEN, landed), "{kind:?} {asked:?}");
            assert!(before.elapsed() < Duration::from_secs(1), "{asked:?}: {:?}", before.elapsed());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn one_lost_or_slow_answer_of_the_journal_is_asked_for_again() {
    for asked in
        [FaultKind::DropReplyBeforeEffect, FaultKind::DropReplyAfterEffect, FaultKind::Delay, FaultKind::LateReply]
    {
        let rig = button().await;
        let aim = rig.target("go").await;
        rig.probe.faults().inject(Fault::new(Operation::Press, FaultKind::DropReplyAfterEffect));
        rig.probe.faults().inject(Fault::new(Operation::Status, asked).nth(1).ms(60_000));
        let receipt = rig.device.perform(&context(), press_at(aim)).await.unwrap();
        assert_eq!(receipt.resolved, Some(Row::StageJournalCompleted), "{asked:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_press_that_waits_behind_a_slow_one_is_never_done_once_that_was_said() {
    let rig = button().await;
    let aim = rig.target("go").await;
    rig.probe.faults().inject(Fault::new(Operation::Press, FaultKind::Delay).ms(3000).nth(1));
    let (first, _) = rig.fails(&Context::with_limit(Duration::from_millis(500)), press_at(aim)).await;
    assert_eq!(first.claim().map(|claim| claim.row), Some(Row::StageDelayedPastDeadline), "it has begun");
    let (second, sends) = rig.fails(&Context::with_limit(Duration::from_millis(500)), press_at(aim)).await;
    assert_eq!(second.claim().map(|claim| claim.row), Some(Row::StageJournalNeverAccepted));
    assert_eq!(sends, NONE);
    // Both have had their turn when this is answered.
    rig.tree().await;
    assert_eq!(rig.probe.effects("go").presses, 1, "the first, and not the second");
}

#[tokio::test(start_paused = true)]
async fn a_restart_does_not_bring_back_what_was_said_never_to_arrive() {
    let rig = elements("{ role = \"text-field\", id = \"field\", label = \"Field\" }", "").await;
    let Aimed::Ready(landing) = rig.aim("field").await else { panic!("it can be reached") };
    let aim = Aim { point: landing.point, node: None };
    // Slow by itself, and the device starts anew when it is done.
    rig.probe.faults().inject(Fault::new(Operation::Fill, FaultKind::RestartAfterEffect));
    let slow = Input::Fill { aim, text: "abc".into(), delay_ms: 1000 };
    rig.fails(&Context::with_limit(Duration::from_millis(500)), slow).await;
    let (behind, _) = rig.fails(&Context::with_limit(Duration::from_millis(500)), press_at(aim)).await;
    assert_eq!(behind.claim().map(|claim| claim.row), Some(Row::StageJournalNeverAccepted));
    tokio::time::sleep(Duration::from_secs(5)).await;
    rig.tree().await;
    assert_eq!((rig.probe.effects("field").fills, rig.probe.effects("field").presses), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn each_half_of_a_double_press_is_made_sure_of() {
    for (nth, told) in [(1, (0, NONE)), (2, (1, ONE))] {
        let rig = button().await;
        let aim = rig.target("go").await;
        rig.probe.faults().inject(Fault::new(Operation::Press, FaultKind::DropReplyBeforeEffect).nth(nth));
        let (failure, sends) = rig.fails(&context(), Input::DoublePress { aim }).await;
        assert_eq!(failure.claim().map(|claim| claim.row), Some(Row::StageJournalNeverAccepted), "{nth}");
        assert_eq!((rig.probe.effects("go").presses, sends), told, "{nth}");

        let rig = button().await;
        let aim = rig.target("go").await;
        rig.probe.faults().inject(Fault::new(Operation::Press, FaultKind::DropReplyAfterEffect).nth(nth));
        let receipt = rig.perform(Input::DoublePress { aim }).await;
        assert_eq!(receipt.resolved, Some(Row::StageJournalCompleted), "{nth}");
        assert_eq!(rig.probe.effects("go").double_presses, 1, "{nth}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_app_is_found_in_the_journal_too() {
    let rig = button().await;
    rig.probe.faults().inject(Fault::new(Operation::Close, FaultKind::DropReplyAfterEffect));
    rig.device.close(&context()).await.unwrap();
    assert!(rig.probe.closed());
}
