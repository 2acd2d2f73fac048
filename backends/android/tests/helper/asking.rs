//! Is anything ever sent twice, and what does a lost answer come to?

use std::time::Duration;

use android::helper::{
    install::Policy,
    refusals::Outcome,
    request::{Action, Ask},
};
use contract::{Dispatched, Failure, Row, Sends};
use serde_json::json;
use wire::Context;

use crate::phone::{JOURNAL, Says, Scripted, phone};

const COMPLETED: &str =
    "bootId=b00710a3c5d7e9f1\nacceptedTotal=8\nstate=completed\nreply=b2s9dHJ1ZQppbmplY3RlZEV2ZW50cz0zCg==\n";
const ABSENT: &str = "bootId=b00710a3c5d7e9f1\nacceptedTotal=7\ncapacity=64\nstate=absent\n";
const STARTED: &str = "bootId=b00710a3c5d7e9f1\nacceptedTotal=8\nstate=started\n";
const NOT_BEGUN: &str = "bootId=b00710a3c5d7e9f1\nacceptedTotal=8\nstate=failed\nbegan=false\n\
    reply=b2s9ZmFsc2UKZXJyb3JUeXBlPXguTm9kZUdvbmVFeGNlcHRpb24KbWVzc2FnZT1nb25lCmJlZ2FuPWZhbHNlCg==\n";
const FAILED: &str = "bootId=b00710a3c5d7e9f1\nacceptedTotal=8\nstate=failed\nbegan=true\n";
const OTHER_BOOT: &str = "bootId=0000000000000000\nacceptedTotal=0\nstate=absent\n";
const FORGOTTEN: &str = "bootId=b00710a3c5d7e9f1\nacceptedTotal=99\ncapacity=64\nstate=absent\n";

fn gesture() -> Ask {
    Ask::of(Action::Gesture).with(json!({"kind": "swipe"})).taking(16)
}

fn soon() -> Context {
    Context::with_limit(Duration::from_secs(5))
}

fn answers(phone: &Scripted, answers: &[(&'static str, Says)]) {
    phone.with(|behaviour| behaviour.answers = answers.iter().cloned().collect());
}

fn row(outcome: Result<Outcome, Failure>) -> (Row, Dispatched) {
    match outcome {
        Err(failure) => failure.claim().map(|claim| (claim.row, claim.dispatched)).unwrap(),
        Ok(Outcome::Refused(_, proof)) => (proof.row(), Dispatched::No),
        Ok(Outcome::Done(reply)) => panic!("done: {reply:?}"),
    }
}

#[tokio::test]
async fn one_session_serves_every_command_and_each_is_one_line() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    answers(&phone, &[("gesture", Says::Ok("injectedEvents=3\n"))]);
    let context = soon();
    let Outcome::Done(reply) = helper.ask(&context, &gesture(), "pressing").await.unwrap() else { panic!("refused") };
    assert_eq!((reply.fields.number::<u32>("injectedEvents"), reply.resolved), (Some(3), None));
    helper.ask(&context, &Ask::of(Action::Viewport), "looking").await.unwrap();
    assert_eq!((phone.ran("am instrument"), phone.times("gesture"), phone.times("viewport")), (1, 1, 1));
    assert_eq!(context.ledger.sends(), Sends { completed: 1, open: 0 });
    // The device's clock was 50 s when it was last heard; the command may begin until the request's time is nearly up.
    let line = phone.last("gesture");
    let deadline: u64 = line.split(";deadlineAtMs=").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!((53_000..54_000).contains(&deadline), "{line}");
}

#[tokio::test]
async fn what_was_not_written_is_sent_over_a_new_session_and_only_once() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    let context = soon();
    helper.ready(&context).await.unwrap();
    answers(&phone, &[("gesture", Says::Refuses), ("gesture", Says::Ok(""))]);
    assert!(matches!(helper.ask(&context, &gesture(), "pressing").await, Ok(Outcome::Done(_))));
    assert_eq!((phone.ran("am instrument"), phone.times("gesture")), (2, 1));
    assert_eq!(context.ledger.sends(), Sends { completed: 1, open: 0 });
    assert_eq!(helper.notices().len(), 1, "it is said aloud");
}

#[tokio::test]
async fn a_lost_answer_that_the_journal_kept_is_the_answer() {
    for lost in [Says::Closes, Says::Stalls] {
        let (phone, helper, _folder) = phone(Policy::Ensure).await;
        answers(&phone, &[("gesture", lost), ("status", Says::Ok(STARTED)), ("status", Says::Ok(COMPLETED))]);
        let context = Context::with_limit(Duration::from_secs(2));
        let Outcome::Done(reply) = helper.ask(&context, &gesture(), "pressing").await.unwrap() else {
            panic!("refused")
        };
        assert_eq!(reply.fields.number::<u32>("injectedEvents"), Some(3));
        assert_eq!(reply.resolved, Some(Row::HelperJournalCompleted));
        assert_eq!((phone.times("gesture"), phone.times("status")), (1, 2));
        assert_eq!(context.ledger.sends(), Sends { completed: 1, open: 0 });
        // The question is about the command's id, without the options that ride on it.
        let id = phone.last("gesture").split([' ', ';']).nth(1).unwrap().to_owned();
        assert!(phone.last("status").ends_with(&format!(" {id}")), "{}", phone.last("status"));
    }
}

#[tokio::test]
async fn every_other_word_of_the_journal_has_its_row_and_nothing_is_sent_again() {
    for (says, expected, open) in [
        (Says::Ok(ABSENT), (Row::HelperJournalNeverAccepted, Dispatched::No), 0),
        (Says::Ok(NOT_BEGUN), (Row::HelperNodeGone, Dispatched::No), 0),
        (Says::Ok(FAILED), (Row::HelperJournalFailed, Dispatched::Unknown), 1),
        (Says::Ok(OTHER_BOOT), (Row::HelperJournalRestarted, Dispatched::Unknown), 1),
        (Says::Ok(FORGOTTEN), (Row::HelperJournalForgotten, Dispatched::Unknown), 1),
        (Says::Ok(""), (Row::HelperJournalUnavailable, Dispatched::Unknown), 1),
        (
            Says::Plain("ok=false\nmessage=unknown session command\n"),
            (Row::HelperJournalUnavailable, Dispatched::Unknown),
            1,
        ),
    ] {
        let (phone, helper, _folder) = phone(Policy::Ensure).await;
        answers(&phone, &[("gesture", Says::Closes), ("status", says.clone())]);
        let context = soon();
        assert_eq!(row(helper.ask(&context, &gesture(), "pressing").await), expected, "{says:?}");
        assert_eq!(phone.times("gesture"), 1, "{says:?}");
        assert_eq!(context.ledger.sends(), Sends { completed: 0, open }, "{says:?}");
    }
}

#[tokio::test]
async fn a_command_that_does_not_end_is_asked_for_within_the_requests_own_time() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    let context = Context::with_limit(Duration::from_secs(1));
    helper.ready(&context).await.unwrap();
    phone.with(|behaviour| {
        behaviour.answers = std::iter::once(("gesture", Says::Stalls))
            .chain(std::iter::repeat_n(("status", Says::Ok(STARTED)), 1000))
            .collect();
    });
    let began = std::time::Instant::now();
    let row = row(helper.ask(&context, &gesture(), "pressing").await);
    assert_eq!(row, (Row::HelperJournalInFlight, Dispatched::Unknown));
    assert!(began.elapsed() < Duration::from_millis(1_300), "{:?}", began.elapsed());
    assert_eq!((phone.times("gesture"), context.ledger.sends().open), (1, 1));
}

#[tokio::test]
async fn a_helper_that_is_gone_with_the_answer_leaves_it_open() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    let context = soon();
    helper.ready(&context).await.unwrap();
    answers(&phone, &[("gesture", Says::Closes)]);
    let press = gesture();
    let asking = helper.ask(&context, &press, "pressing");
    // Its process ends with the connection.
    let dying = async {
        while phone.times("gesture") == 0 {
            tokio::task::yield_now().await;
        }
        phone.with(|behaviour| behaviour.alive = false);
    };
    let (asked, ()) = tokio::join!(asking, dying);
    assert_eq!(row(asked), (Row::HelperJournalUnavailable, Dispatched::Unknown));
    assert_eq!((phone.times("gesture"), context.ledger.sends().open), (1, 1));
}

#[tokio::test]
async fn an_old_helper_has_no_journal_to_ask_and_hears_nothing_that_it_does_not_know() {
    let (phone, helper, _folder) = phone(Policy::Skip).await;
    phone.with(|behaviour| behaviour.ready = Some(String::new()));
    answers(&phone, &[("gesture", Says::Closes)]);
    let context = soon();
    assert_eq!(row(helper.ask(&context, &gesture(), "pressing").await), (Row::HelperReplyLost, Dispatched::Unknown));
    assert_eq!((phone.times("gesture"), phone.times("status")), (1, 0));
    assert!(!phone.last("gesture").contains(';'), "{}", phone.last("gesture"));
}

#[tokio::test]
async fn a_look_whose_answer_is_lost_is_made_again_once() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    answers(&phone, &[("viewport", Says::Closes), ("viewport", Says::Ok("width=1080\n"))]);
    let context = soon();
    assert!(matches!(helper.ask(&context, &Ask::of(Action::Viewport), "looking").await, Ok(Outcome::Done(_))));
    assert_eq!(phone.times("viewport"), 2);
    answers(&phone, &[("viewport", Says::Closes), ("viewport", Says::Closes)]);
    let lost = row(helper.ask(&context, &Ask::of(Action::Viewport), "looking").await);
    assert_eq!(lost, (Row::HelperLookLost, Dispatched::No));
    assert_eq!(phone.times("viewport"), 4);
}

#[tokio::test]
async fn refusals_are_proofs_and_failures_are_not() {
    for (says, expected, open) in [
        (
            "ok=false\nerrorType=x.NodeGoneException\nmessage=gone\nbegan=false\n",
            (Row::HelperNodeGone, Dispatched::No),
            0,
        ),
        (
            "ok=false\nerrorType=java.lang.IllegalArgumentException\nmessage=durationMs\n",
            (Row::HelperCommandRefused, Dispatched::No),
            0,
        ),
        (
            "ok=false\nerrorType=java.lang.IllegalStateException\nmessage=injectInputEvent returned false\n",
            (Row::HelperCommandFailed, Dispatched::Unknown),
            1,
        ),
        (
            "ok=false\nerrorType=java.lang.SecurityException\nmessage=no\nbegan=true\n",
            (Row::HelperCommandFailed, Dispatched::Unknown),
            1,
        ),
    ] {
        let (phone, helper, _folder) = phone(Policy::Ensure).await;
        answers(&phone, &[("gesture", Says::Plain(says))]);
        let context = soon();
        assert_eq!(row(helper.ask(&context, &gesture(), "pressing").await), expected, "{says}");
        assert_eq!(context.ledger.sends(), Sends { completed: 0, open }, "{says}");
        assert_eq!((phone.times("gesture"), phone.times("status")), (1, 0), "{says}");
    }
}

#[tokio::test]
async fn an_answer_without_a_verdict_is_asked_for_in_the_journal() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    answers(&phone, &[("gesture", Says::Plain("injectedEvents=3\n")), ("status", Says::Ok(COMPLETED))]);
    let context = soon();
    let Outcome::Done(reply) = helper.ask(&context, &gesture(), "pressing").await.unwrap() else { panic!("refused") };
    assert_eq!((reply.resolved, phone.times("gesture")), (Some(Row::HelperJournalCompleted), 1));
    assert!(JOURNAL.contains("journal"));
}

const LATE: &str =
    "ok=false\nerrorType=x.DeadlinePassedException\nmessage=late\nbegan=false\nelapsedRealtimeMs=900000\n";

#[tokio::test]
async fn a_device_whose_clock_was_estimated_wrongly_is_asked_once_more_with_its_own_time() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    answers(&phone, &[("gesture", Says::Plain(LATE)), ("gesture", Says::Ok(""))]);
    let context = soon();
    assert!(matches!(helper.ask(&context, &gesture(), "pressing").await, Ok(Outcome::Done(_))));
    assert_eq!((phone.times("gesture"), context.ledger.sends()), (2, Sends { completed: 1, open: 0 }));
    let line = phone.last("gesture");
    let deadline: u64 = line.split(";deadlineAtMs=").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!((903_000..905_000).contains(&deadline), "{line}");

    answers(&phone, &[("gesture", Says::Plain(LATE)), ("gesture", Says::Plain(LATE))]);
    let context = soon();
    assert_eq!(row(helper.ask(&context, &gesture(), "pressing").await), (Row::HelperDeadlinePassed, Dispatched::No));
    assert_eq!((phone.times("gesture"), context.ledger.sends()), (4, Sends::NONE));
}

#[tokio::test]
async fn a_command_that_is_late_indeed_is_not_tried_again() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    let context = soon();
    helper.ready(&context).await.unwrap();
    answers(&phone, &[("gesture", Says::Plain(LATE))]);
    let long = gesture().taking(60_000);
    assert_eq!(row(helper.ask(&context, &long, "pressing").await), (Row::HelperDeadlinePassed, Dispatched::No));
    assert_eq!(phone.times("gesture"), 1);
}
