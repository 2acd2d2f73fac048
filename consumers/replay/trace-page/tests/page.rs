//! The file that is written.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test")]

mod support;

use std::fs;

use flow::Outcome;
use support::sample;
use trace_page::{Page, Run, Trace};

#[test]
fn a_page_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::new("Nothing");
    let path = folder.path().join("page.html");
    page.write(&path).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), page.html().unwrap());
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["page.html"]);
    // A folder is in the way: nothing is left beside it.
    let taken = folder.path().join("taken");
    fs::create_dir(&taken).unwrap();
    assert!(page.write(&taken).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn equal_input_makes_an_equal_page() {
    let folder = tempfile::tempdir().unwrap();
    let attempt = sample::failing(folder.path(), &["Basket", "Store"], "Save");
    let page = || {
        let mut page = Page::new("Buy a lamp");
        page.runs.push(Run::of_attempt(&attempt, Some(Trace::read(folder.path()).unwrap())));
        page.html().unwrap()
    };
    assert_eq!(page(), page());
}

#[test]
fn pictures_that_attempts_share_are_in_the_page_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut page = Page::new("Twice");
    for number in 1..=2 {
        let inside = folder.path().join(number.to_string());
        let mut attempt = sample::failing(&inside, &["Basket"], "Save");
        attempt.number = number;
        page.runs.push(Run::of_attempt(&attempt, Some(Trace::read(&inside).unwrap())));
    }
    let html = page.html().unwrap();
    assert_eq!(html.matches("id=\"picture-").count(), 3);
    assert_eq!(html.matches("id=\"trees-").count(), 1);
    assert!(html.contains("\"name\":\"Attempt 2\""));
}

#[test]
fn a_page_keeps_to_its_size_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let attempt = sample::failing(folder.path(), &["Basket"], "Save");
    let mut page = Page::new("Small");
    page.picture_bytes = 0;
    page.runs.push(Run::of_attempt(&attempt, Some(Trace::read(folder.path()).unwrap())));
    let html = page.html().unwrap();
    assert_eq!(html.matches("id=\"picture-").count(), 0);
    assert!(html.contains("\"picturesLeftOut\":3"));
}

#[test]
fn a_trace_that_was_cut_off_is_a_page_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    sample::failing(folder.path(), &["Basket"], "Save");
    let file = folder.path().join(contract::trace::FILE);
    let text = fs::read(&file).unwrap();
    fs::write(&file, &text[..text.len() - 20]).unwrap();
    let trace = Trace::read(folder.path()).unwrap();
    let run = Run::of_trace(trace);
    assert_eq!((run.started_at_ms, run.duration_ms, run.session.as_str()), (sample::BEGAN, 1540, "sample"));
    let mut page = Page::new("Cut off");
    page.runs.push(run);
    assert!(page.html().unwrap().contains("\"problems\":[]"));
}

#[test]
fn an_attempt_without_a_trace_has_its_steps_and_no_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let mut attempt = sample::failing(folder.path(), &["Basket"], "Save");
    attempt.outcome = Outcome::Infrastructure;
    let mut page = Page::new("No trace");
    page.runs.push(Run::of_attempt(&attempt, None));
    let html = page.html().unwrap();
    assert!(html.contains("\"outcome\":\"infrastructure\"") && html.contains("shop.ad:7"));
    assert!(!html.contains("id=\"picture-"));
}
