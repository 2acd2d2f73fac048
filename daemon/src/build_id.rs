//! Which build this is: two builds of one version are told apart.

use std::{fs, os::unix::fs::MetadataExt, path::Path};

/// Size and time of change of the running program's file: another build differs in at least one. Taken once, so that a
/// daemon whose file is replaced keeps the identity of what it runs.
pub fn of_this_program() -> String {
    std::env::current_exe().map_or_else(|_| UNKNOWN.to_owned(), |program| of(&program))
}

/// The identity of a program's file.
pub fn of(program: &Path) -> String {
    fs::metadata(program).map_or_else(
        |_| UNKNOWN.to_owned(),
        |file| format!("{:x}-{:x}-{:x}", file.len(), file.mtime(), file.mtime_nsec()),
    )
}

const UNKNOWN: &str = "unknown";
