//! The wait for rest that a step leaves to the next one, and steps of several commands: a failure is told of the step that
//! it belongs to, with all that this step has sent.

mod common;

use std::{cell::Cell, rc::Rc};

use common::{Double, absent, fails, flow, flow_with, run, say};
use contract::{Code, Command, Disclosed, Failure, Row, Sends};
use maestro::RunOptions;

fn settles(command: &Command) -> bool {
    say(command).starts_with("wait stable 300")
}

#[test]
fn a_press_leaves_the_wait_for_rest_to_the_next_step_that_looks() {
    let mut host = Double::willing();
    run(
        &flow("- tapOn: A\n- tapOn: B\n- assertNotVisible: C\n- assertNotVisible: D"),
        &mut host,
        &RunOptions::default(),
    )
    .unwrap();
    let asked: Vec<String> = host.asks.iter().map(|ask| say(&ask.command)).collect();
    assert_eq!(
        asked,
        [
            "press anytext~=\"A\" first",
            "press anytext~=\"B\" first",
            "wait stable 300 2000",
            "wait absent anytext~=\"C\" visible 7000",
            "wait absent anytext~=\"D\" visible 7000",
        ]
    );
}

#[test]
fn a_rest_that_never_comes_is_noted_once_and_the_step_goes_on() {
    let mut host = Double::new(|ask| settles(&ask.command).then(|| fails(&ask.command, Code::WaitTimeout)));
    run(&flow("- tapOn: A\n- assertNotVisible: B\n- assertNotVisible: C"), &mut host, &RunOptions::default()).unwrap();
    assert_eq!(host.asks.iter().filter(|ask| settles(&ask.command)).count(), 1);
    assert!(host.noted("the screen was not at rest after 2000 ms"));
}

#[test]
fn a_rest_that_nobody_can_look_at_fails_the_step_that_needs_it_and_names_the_one_that_acted() {
    let mut host = Double::new(|ask| settles(&ask.command).then(|| fails(&ask.command, Code::CaptureFailed)));
    let failed =
        run(&flow("- tapOn: A\n- assertNotVisible: B\n- tapOn: C"), &mut host, &RunOptions::default()).unwrap_err();
    assert_eq!((failed.step.as_str(), failed.place.line), ("assertNotVisible: B", 4));
    assert_eq!(failed.failure.details["dispatched"], "no", "the step itself has sent nothing");
    assert!(failed.settling);
    assert!(failed.failure.message.contains("to rest after tapOn: A (flow.yaml:3)"), "{}", failed.failure.message);
    assert_eq!(host.asked(), ["press anytext~=\"A\" first"]);
}

#[test]
fn an_optional_step_whose_look_failed_leaves_the_wait_to_the_next() {
    let looks = Rc::new(Cell::new(0));
    let seen = Rc::clone(&looks);
    let mut host = Double::new(move |ask| {
        seen.set(seen.get() + u32::from(settles(&ask.command)));
        (settles(&ask.command) && seen.get() == 1).then(|| fails(&ask.command, Code::CaptureFailed))
    });
    let commands = "- tapOn: A\n- assertNotVisible: {text: B, optional: true}\n- assertNotVisible: C";
    run(&flow(commands), &mut host, &RunOptions::default()).unwrap();
    assert_eq!(looks.get(), 2);
}

#[test]
fn a_press_that_was_not_sent_leaves_nothing_to_wait_for() {
    let mut host = Double::new(|ask| match &ask.command {
        command @ Command::Press(_) => Some(absent(command)),
        command @ Command::Wait(_) if !say(command).starts_with("wait absent") => {
            Some(fails(command, Code::WaitTimeout))
        }
        _ => None,
    });
    run(&flow("- tapOn: {text: A, optional: true}\n- assertNotVisible: B"), &mut host, &RunOptions::default()).unwrap();
    assert!(!host.asks.iter().any(|ask| settles(&ask.command)));
}

#[test]
fn a_step_that_was_cut_after_it_acted_says_so() {
    // The swipe lands, and nobody can look whether the screen rests.
    let mut host = Double::new(|ask| {
        say(&ask.command).starts_with("wait stable").then(|| fails(&ask.command, Code::CaptureFailed))
    });
    let swipe = "- swipe: {start: '10,10', end: '10,90', waitToSettleTimeoutMs: 500}";
    let failed = run(&flow(swipe), &mut host, &RunOptions::default()).unwrap_err();
    let details = &failed.failure.details;
    assert_eq!((&details["dispatched"], &details["dispatchedSteps"]), (&"unknown".into(), &1.into()));
    assert_eq!(details["dispatchRow"], Row::ReplayFlowStepCut.id());
    assert!(!failed.settling);
}

#[test]
fn what_was_sent_is_told_of_the_step_and_of_the_steps_around_it() {
    let refuse = |command: &Command| {
        let failure = Failure::refused(Row::DaemonRefusalAbsent, Code::UnsupportedOperation, "not here");
        Err(Disclosed::seal(failure, Some(command.effect()), Sends::NONE))
    };
    let told = |commands: &str| {
        let mut host =
            Double::new(move |ask| say(&ask.command).starts_with("permission").then(|| refuse(&ask.command)));
        let failed = run(&flow_with("appId: a\n", commands), &mut host, &RunOptions::default()).unwrap_err();
        failed.failure.details["dispatched"].clone()
    };
    assert_eq!(told("- launchApp: {permissions: {camera: deny}}"), "unknown", "the app was opened for it");
    assert_eq!(told("- launchApp\n- setPermissions: {permissions: {camera: deny}}"), "no");
    // The innermost step counts its own sends, not those of its neighbours.
    assert_eq!(
        told("- launchApp\n- runFlow: {commands: [back, {setPermissions: {permissions: {camera: deny}}}]}"),
        "no"
    );
}
