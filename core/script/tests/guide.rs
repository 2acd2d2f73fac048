//! The guide's examples are scripts, and its errors are those that are printed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test: what it does not expect has to fail it"
)]

use std::{fs, path::Path};

use script::{ScriptError, Variables, parse};

/// The fenced blocks of the guide: their language and their text.
fn blocks() -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/scripts.md");
    let text = fs::read_to_string(path).unwrap();
    let mut parts = text.split("```");
    let mut found = Vec::new();
    while let (Some(_), Some(block)) = (parts.next(), parts.next()) {
        let (language, body) = block.split_once('\n').unwrap();
        found.push((language.to_owned(), body.to_owned()));
    }
    found
}

#[test]
fn every_example_is_a_script() {
    let examples: Vec<_> = blocks().into_iter().filter(|(language, _)| language == "ad").collect();
    assert!(examples.len() >= 3, "the guide has lost its examples");
    for (_, example) in examples {
        let script = parse(&example, "guide.ad").unwrap_or_else(|errors| panic!("{example}\n{}", errors[0]));
        let commands = script.commands(&script.variables(Variables::new()));
        commands.unwrap_or_else(|errors| panic!("{example}\n{}", errors[0]));
    }
}

#[test]
fn the_errors_are_as_they_are_printed() {
    let blocks = blocks();
    let wrong = blocks.iter().position(|(language, _)| language == "ad wrong").unwrap();
    let errors = parse(&blocks[wrong].1, "shop.ad").unwrap_err();
    let shown: Vec<_> = errors.iter().map(ScriptError::to_string).collect();
    assert_eq!(shown.join("\n"), blocks[wrong + 1].1.trim_end());
}
