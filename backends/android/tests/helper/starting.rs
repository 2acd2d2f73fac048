//! Sessions that start, do not start, end; the single run in their place.

use std::time::Duration;

use android::helper::{
    features::Features,
    install::Policy,
    options::Options,
    refusals::Outcome,
    request::{Action, Ask},
};
use contract::{Dispatched, Failure, Row, Sends};
use serde_json::json;
use wire::Context;

use crate::phone::{PACKAGE, phone, phone_with};

const TAKEN: &str = "INSTRUMENTATION_RESULT: errorType=java.net.BindException\nINSTRUMENTATION_RESULT: message=EADDRINUSE\n\
    INSTRUMENTATION_RESULT: ok=false\nINSTRUMENTATION_CODE: 1\n";
const CRASHED: &str = "INSTRUMENTATION_RESULT: shortMsg=java.lang.NullPointerException\nINSTRUMENTATION_CODE: 0\n";
const OCCUPIED: &str = "INSTRUMENTATION_RESULT: shortMsg=java.lang.IllegalStateException\n\
    INSTRUMENTATION_RESULT: longMsg=java.lang.IllegalStateException: UiAutomationService x already registered!\n\
    INSTRUMENTATION_CODE: 0\n";
const ONCE_OK: &str = "INSTRUMENTATION_RESULT: agentDeviceProtocol=android-snapshot-helper-v1\n\
    INSTRUMENTATION_RESULT: agentDeviceExtensions=journal,look\nINSTRUMENTATION_RESULT: injectedEvents=3\n\
    INSTRUMENTATION_RESULT: ok=true\nINSTRUMENTATION_CODE: 0\n";
const ABSENT: &str = "INSTRUMENTATION_FAILED: com.x/.Y\n";

fn gesture() -> Ask {
    Ask::of(Action::Gesture).with(json!({"kind": "swipe"}))
}

fn soon() -> Context {
    Context::with_limit(Duration::from_secs(5))
}

fn claim(failure: &Failure) -> (Row, Dispatched) {
    failure.claim().map(|claim| (claim.row, claim.dispatched)).unwrap()
}

#[tokio::test]
async fn a_session_tells_what_it_can_and_is_asked_only_for_what_it_knows() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    let features = helper.ready(&soon()).await.unwrap();
    assert!(features.contains(Features::JOURNAL | Features::GUARD) && !features.contains(Features::IME));
    let line = phone.shell.lock().unwrap().iter().find(|line| line.contains("am instrument")).unwrap().clone();
    for words in ["-w", "-e emitChunks false", "-e sessionPort ", "-e clientTimeoutMs 60000", PACKAGE] {
        assert!(line.contains(words), "{words}: {line}");
    }
}

#[tokio::test]
async fn a_port_that_is_taken_is_followed_by_others_and_not_for_ever() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    phone.with(|behaviour| {
        behaviour.ready = None;
        behaviour.not_ready = TAKEN.into();
        behaviour.once = ONCE_OK.into();
    });
    let context = soon();
    assert!(matches!(helper.ask(&context, &gesture(), "pressing").await, Ok(Outcome::Done(_))));
    let ports: std::collections::HashSet<String> = phone
        .shell
        .lock()
        .unwrap()
        .iter()
        .filter_map(|line| line.split("-e sessionPort ").nth(1).map(|rest| rest.split(' ').next().unwrap().to_owned()))
        .collect();
    assert_eq!((phone.ran("-e sessionPort"), ports.len()), (3, 3));
}

#[tokio::test]
async fn without_a_session_the_helper_is_run_once_for_each_command_and_that_is_said() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    phone.with(|behaviour| {
        behaviour.ready = None;
        behaviour.not_ready = CRASHED.into();
        behaviour.once = ONCE_OK.into();
    });
    let context = soon();
    for _ in 0..2 {
        let Outcome::Done(reply) = helper.ask(&context, &gesture(), "pressing").await.unwrap() else {
            panic!("refused")
        };
        assert_eq!(reply.fields.number::<u32>("injectedEvents"), Some(3));
    }
    // The start is not tried again for a while; what ran before is ended and proven gone before each run.
    assert_eq!((phone.ran("-e sessionPort"), phone.ran("-e mode gesture -e payloadBase64")), (1, 2));
    assert_eq!((phone.ran(&format!("am force-stop {PACKAGE}")), phone.ran("pidof")), (2, 2));
    assert_eq!(context.ledger.sends(), Sends { completed: 2, open: 0 });
    assert_eq!(helper.notices().len(), 1);
    assert!(helper.ready(&context).await.unwrap().contains(Features::LOOK), "what it named in its single run");
}

#[tokio::test]
async fn a_helper_that_starts_in_no_way_is_left_alone_for_a_while() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    phone.with(|behaviour| {
        behaviour.ready = None;
        behaviour.not_ready = ABSENT.into();
        behaviour.once = ABSENT.into();
    });
    let context = soon();
    let failure = helper.ask(&context, &gesture(), "pressing").await.unwrap_err();
    assert_eq!(claim(&failure), (Row::HelperStartFailed, Dispatched::No));
    let ran = phone.ran("am instrument");
    let failure = helper.ask(&context, &gesture(), "pressing").await.unwrap_err();
    assert_eq!(claim(&failure), (Row::HelperCoolingDown, Dispatched::No));
    assert_eq!((phone.ran("am instrument"), context.ledger.sends()), (ran, Sends::NONE));
}

#[tokio::test]
async fn single_runs_that_end_badly_leave_open_what_they_did() {
    let options = Options { session: false, ..Options::default() };
    for (printed, row) in [
        ("", Row::HelperOneShotNoResult),
        (CRASHED, Row::HelperOneShotCrashed),
        ("INSTRUMENTATION_RESULT: ok=perhaps\nINSTRUMENTATION_CODE: 0\n", Row::HelperReplyUnreadable),
    ] {
        let (phone, helper, _folder) = phone_with(Policy::Ensure, options).await;
        phone.with(|behaviour| behaviour.once = printed.into());
        let context = soon();
        let failure = helper.ask(&context, &gesture(), "pressing").await.unwrap_err();
        assert_eq!(claim(&failure), (row, Dispatched::Unknown), "{printed}");
        assert_eq!((phone.ran("-e mode gesture"), phone.ran("-e sessionPort")), (1, 0));
        assert_eq!(context.ledger.sends(), Sends { completed: 0, open: 1 });
    }
}

#[tokio::test]
async fn another_owner_of_ui_automation_is_named_and_no_single_run_is_tried() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    phone.with(|behaviour| {
        behaviour.ready = None;
        behaviour.not_ready = OCCUPIED.into();
    });
    let failure = helper.ask(&soon(), &gesture(), "pressing").await.unwrap_err();
    assert_eq!(claim(&failure), (Row::HelperOccupied, Dispatched::No));
    assert_eq!(phone.ran("am instrument"), 1);
}

#[tokio::test]
async fn released_means_gone() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    let context = soon();
    helper.ready(&context).await.unwrap();
    helper.release(&context).await.unwrap();
    assert_eq!((phone.times("quit"), phone.ran("am force-stop"), phone.ran("pidof")), (1, 0, 1));
    helper.release(&context).await.unwrap();
    assert_eq!(phone.times("quit"), 1, "what is released is released");
}

#[tokio::test]
async fn a_helper_that_does_not_go_is_reported() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    let context = soon();
    helper.ready(&context).await.unwrap();
    phone.with(|behaviour| behaviour.ends = false);
    let failure = helper.release(&context).await.unwrap_err();
    assert_eq!(claim(&failure), (Row::HelperOccupied, Dispatched::No));
    assert_eq!((phone.times("quit"), phone.ran("am force-stop")), (1, 1));
}

#[tokio::test]
async fn other_options_are_another_session() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    let context = soon();
    helper.ready(&context).await.unwrap();
    helper.allow_nodes(5_000).await;
    helper.ready(&context).await.unwrap();
    assert_eq!(phone.ran("am instrument"), 1);
    helper.allow_nodes(9_000).await;
    helper.ready(&context).await.unwrap();
    assert_eq!((phone.ran("am instrument"), phone.ran("-e maxNodes 9000")), (2, 1));
}

#[tokio::test]
async fn a_request_without_time_for_a_start_says_nothing_of_the_helper_and_leaves_nothing_behind() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    phone.with(|behaviour| behaviour.silent = true);
    let short = Context::with_limit(Duration::from_secs(1));
    let failure = helper.ask(&short, &gesture(), "pressing").await.unwrap_err();
    assert_eq!(claim(&failure), (Row::DaemonDeadlineBeforeSend, Dispatched::No));
    assert_eq!((phone.ran("-e sessionPort"), phone.ran("-e mode gesture")), (1, 0));
    // It may listen by now, and nobody here knows of it.
    helper.release(&soon()).await.unwrap();
    assert!(phone.with(|behaviour| !behaviour.alive));

    phone.with(|behaviour| behaviour.silent = false);
    assert!(matches!(helper.ask(&soon(), &gesture(), "pressing").await, Ok(Outcome::Done(_))));
    assert_eq!((phone.ran("-e sessionPort"), phone.ran("-e mode gesture"), phone.times("gesture")), (2, 0, 1));
    assert_eq!(helper.notices(), Vec::<String>::new());
}

#[tokio::test]
async fn in_single_runs_our_own_helper_can_do_what_it_can_and_another_what_it_names() {
    let options = Options { session: false, ..Options::default() };
    for (policy, knows) in [(Policy::Ensure, true), (Policy::Skip, false)] {
        let (phone, helper, _folder) = phone_with(policy, options).await;
        phone.with(|behaviour| behaviour.once = ONCE_OK.replace("journal,look", ""));
        for _ in 0..2 {
            let features = helper.ready(&soon()).await.unwrap();
            assert_eq!(features.contains(Features::TEXT | Features::GLOBAL | Features::REPEAT), knows, "{policy:?}");
            assert!(!features.intersects(Features::JOURNAL | Features::NODE_KEYS));
            helper.ask(&soon(), &Ask::of(Action::Snapshot), "looking").await.unwrap();
        }
    }
}
