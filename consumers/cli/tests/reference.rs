//! `docs/reference` says what the program says.

use std::{fs, path::Path, process::Command};

#[test]
fn the_reference_in_docs_is_what_the_program_writes() {
    let folder = tempfile::tempdir().unwrap();
    let written =
        Command::new(env!("CARGO_BIN_EXE_agent-device")).arg("__reference").arg(folder.path()).output().unwrap();
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    for page in ["commands.md", "failures.md", "guarantees.md"] {
        let fresh = fs::read_to_string(folder.path().join(page)).unwrap();
        let kept = fs::read_to_string(docs.join(page)).unwrap_or_default();
        let differs = fresh.lines().zip(kept.lines()).position(|(fresh, kept)| fresh != kept);
        assert!(
            fresh == kept,
            "docs/reference/{page} is not what the program says (line {}); write it anew: cargo run -p cli -- __reference docs/reference",
            differs.unwrap_or(fresh.lines().count().min(kept.lines().count())) + 1
        );
    }
}

#[test]
fn a_folder_that_is_not_there_is_a_failure() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_agent-device")).args(["__reference", "/no/such/folder"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("STORAGE_FAILED"));
}
