//! What captures become, written out.
//!
//! | module | answers |
//! | --- | --- |
//! | [`mod@self`] | how a capture is written for a test, and how a listing is read |
//! | [`recorded`] | what the captures of a published helper become |
//! | [`sketch`] | small captures for the other modules |
//! | [`windows`] | which windows stand where, and what is no screen |
//! | [`touches`] | where a touch lands |
//! | [`content`] | what apps show |

mod content;
mod recorded;
mod sketch;
mod touches;
mod windows;

use std::fmt::Write as _;

use contract::{Failure, command::ViewArgs};
use screen::{RefBook, Selector, selector, snapshot};

use super::*;

const OPTIONS: Options = Options { scope: 7, max_nodes: 5_000, whole: false };

fn headers(pairs: &[(&str, &str)]) -> Headers {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn recorded(name: &str) -> Result<Capture, Failure> {
    let path = format!("{}/testdata/capture/{name}.xml", env!("CARGO_MANIFEST_DIR"));
    read(&std::fs::read(path).unwrap(), &Headers::new(), &OPTIONS)
}

/// A listing without its head of two lines, refs left out.
fn lines(capture: &Capture, interactive_only: bool) -> String {
    let args = ViewArgs { interactive_only, ..ViewArgs::default() };
    let listing = snapshot::render(&mut RefBook::new().show(&capture.tree), &args, None).unwrap();
    let mut out = String::new();
    for line in listing.lines() {
        let _ = writeln!(out, "{:indent$}{}", "", line.text, indent = 2 * line.depth as usize);
    }
    for line in listing.text().lines().filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase())) {
        let _ = writeln!(out, "{line}");
    }
    out
}

fn full(capture: &Capture) -> String {
    lines(capture, false)
}

fn flat(capture: &Capture) -> String {
    lines(capture, true)
}

/// The one node that a selector means.
#[track_caller]
fn find(capture: &Capture, text: &str) -> u32 {
    match selector::resolve(&Selector::parse(text).unwrap(), &capture.tree) {
        screen::Resolution::One(place) => place,
        other => panic!("{text}: {other:?}"),
    }
}
