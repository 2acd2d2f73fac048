//! A share of the cuts between the web backend and an Appium server: none breaks a promise. All of them:
//! `cargo run --release -p proof -- cut appium`.
#![allow(clippy::print_stderr, missing_docs, reason = "a test")]

use std::sync::Arc;

use proof::{
    cuts::{
        Plan, Share,
        appium::{
            self,
            click::{Keys, Which},
        },
    },
    resolve,
};

/// Another seed each day would find more; the same seed each time tells a change from chance.
const SEED: u64 = 4;

fn plan(operation: Option<&str>) -> Plan {
    Plan {
        share: Share::Some { places: 4, seed: SEED },
        operation: operation.map(str::to_owned),
        kept: Arc::default(),
        progress: |line| eprintln!("{line}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_press_is_done_twice_or_called_undone_wherever_the_way_to_appium_is_cut() {
    let found = appium::run(&plan(Some("press"))).await;
    assert!(found.broken.is_empty(), "{} broken promises:\n{}", found.broken.len(), found.broken.join("\n"));
    let [line] = &found.figures.lines[..] else { panic!("one operation: {:?}", found.figures.lines) };
    assert!(line.unknown > 0 && line.resolved > 0, "cuts on the way there and lost replies were seen: {line:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_click_is_done_once_whether_its_reply_is_asked_for_or_not() {
    let tally = appium::clicks(&plan(None), &[Keys::Off, Keys::On], Which::All).await;
    assert!(tally.broken().is_empty(), "{} broken promises:\n{}", tally.broken().len(), tally.broken().join("\n"));
    for line in tally.lines() {
        let asks = line.operation == Keys::On.name();
        assert!(line.unknown > 0, "what was lost on its way there stays unknown: {line:?}");
        assert_eq!(line.resolved > 0, asks, "{line:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_lost_reply_that_appium_kept_is_the_result() {
    let subject = resolve::SUBJECTS.iter().find(|subject| subject.name == "appium").expect("it is a subject");
    let found = (subject.run)(&plan(None)).await;
    assert!(found.broken.is_empty(), "{}", found.broken.join("\n"));
    assert!(resolve::certain(&found.figures) >= resolve::GOAL, "{:?}", found.figures.lines);
}
