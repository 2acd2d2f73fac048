//! `docs/reference` says what the program says.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::{fs, path::Path, process::Command};

/// Both folders, written anew.
fn written() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let written = Command::new(env!("CARGO_BIN_EXE_agent-device"))
        .arg("__reference")
        .args([folder.path(), folder.path()])
        .output()
        .unwrap();
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    folder
}

fn same(fresh: &Path, kept: &str) {
    let fresh = fs::read_to_string(fresh).unwrap();
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(kept)).unwrap_or_default();
    let differs = fresh.lines().zip(text.lines()).position(|(fresh, kept)| fresh != kept);
    assert!(
        fresh == text,
        "{kept} is not what the program says (line {}); write it anew: cargo run -p cli -- __reference docs/reference contracts/schemas",
        differs.unwrap_or(fresh.lines().count().min(text.lines().count())) + 1
    );
}

#[test]
fn the_reference_in_docs_is_what_the_program_writes() {
    let folder = written();
    for page in ["commands.md", "failures.md", "guarantees.md"] {
        same(&folder.path().join(page), &format!("docs/reference/{page}"));
    }
}

#[test]
fn the_catalogue_of_commands_is_what_the_program_writes() {
    same(&written().path().join("commands.json"), "contracts/schemas/commands.json");
}

#[test]
fn a_folder_that_is_not_there_is_a_failure() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_agent-device")).args(["__reference", "/no/such/folder"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("STORAGE_FAILED"));
}
