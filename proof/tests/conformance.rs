//! The conformance cases through the command line and through the raw socket, on the stage and in a browser.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test")]

use std::collections::BTreeSet;

use proof::{
    conformance::{
        Case, CommandLine, Place, Report, Socket, Surface,
        cases::{self, Expect},
        run,
        runner::run_cases,
    },
    program::Program,
};

fn without_browser(place: Place) -> bool {
    let without = place == Place::Web && std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_BROWSER").is_some();
    if without {
        println!("skipped: there is no browser (AGENT_DEVICE_TEST_WITHOUT_BROWSER)");
    }
    without
}

/// Everything passed, and only what the surface does not offer was left out.
fn judged(report: &Report, left_out: usize) {
    println!("{} cases passed; left out: {}", report.passed.len(), report.left_out.join(", "));
    assert!(report.failed.is_empty(), "{} cases failed:\n{}", report.failed.len(), report.failed.join("\n"));
    assert_eq!(report.left_out.len(), left_out, "{:?}", report.left_out);
    assert!(report.passed.len() > 60, "{:?}", report.passed);
}

/// Cases that need one of these.
fn needing(needs: &[&str]) -> usize {
    cases::all().iter().filter(|case| case.needs.iter().any(|need| needs.contains(&need.as_str()))).count()
}

async fn by_words(place: Place) {
    if without_browser(place) {
        return;
    }
    let program = Program::new();
    program.daemon_started().await;
    let report = run(&mut CommandLine(&program), place, &program).await;
    program.end().await;
    judged(&report, needing(&["readiness", "cancel", "requestId"]));
}

async fn by_lines(place: Place) {
    if without_browser(place) {
        return;
    }
    let program = Program::new();
    program.daemon_started().await;
    let report = run(&mut Socket::new(&program), place, &program).await;
    program.end().await;
    judged(&report, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_on_the_stage() {
    by_words(Place::Stage).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_in_a_browser() {
    by_words(Place::Web).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_socket_on_the_stage() {
    by_lines(Place::Stage).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_socket_in_a_browser() {
    by_lines(Place::Web).await;
}

/// A runner that never objects would pass everything.
#[tokio::test(flavor = "multi_thread")]
async fn a_case_with_a_wrong_expectation_fails() {
    let mut turned: Vec<Case> = Vec::new();
    let wanted = ["press.absent", "press.selector", "batch.stops", "fill.mismatch", "press.ref"];
    for mut case in cases::all().into_iter().filter(|case| wanted.contains(&case.id.as_str())) {
        let step = case.steps.iter_mut().rev().find(|step| match &step.expect {
            Expect::Failed(_) => true,
            Expect::Ok(wanted) => wanted.as_object().is_some_and(|fields| !fields.is_empty()),
        });
        match &mut step.unwrap().expect {
            Expect::Failed(wanted) if wanted["dispatched"] == "no" => wanted["dispatched"] = "unknown".into(),
            Expect::Failed(wanted) => wanted["dispatched"] = "no".into(),
            Expect::Ok(wanted) => wanted["pass"] = false.into(),
        }
        turned.push(case);
    }
    assert_eq!(turned.len(), wanted.len());
    let program = Program::new();
    program.daemon_started().await;
    let mut surfaces: [Box<dyn Surface>; 2] = [Box::new(CommandLine(&program)), Box::new(Socket::new(&program))];
    for surface in &mut surfaces {
        let report = run_cases(&turned, surface.as_mut(), Place::Stage, &program).await;
        assert_eq!((report.passed, report.failed.len()), (Vec::new(), wanted.len()));
    }
    drop(surfaces);
    program.end().await;
}

#[test]
fn ids_are_unique_and_every_row_and_code_that_is_expected_exists() {
    let cases = cases::all();
    let ids: BTreeSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids.len(), cases.len());
    for case in &cases {
        for step in &case.steps {
            let Expect::Failed(wanted) = &step.expect else { continue };
            let code = wanted["code"].as_str().unwrap();
            assert!(contract::Code::ALL.iter().any(|known| known.as_str() == code), "{}: {code}", case.id);
            if let Some(row) = wanted["row"].as_str() {
                let known = contract::Row::ALL.iter().find(|known| known.id() == row);
                assert!(known.is_some(), "{}: there is no row {row}", case.id);
            }
        }
    }
}
