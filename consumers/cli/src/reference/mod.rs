//! The reference in `docs/`, written from what the program is made of, so that it cannot say anything else.
//!
//! | module | answers |
//! | --- | --- |
//! | [`commands`] | every command: arguments, flags, effect, limits, and its JSON arguments |
//! | [`schema`] | a command's JSON arguments, read from its schema |
//! | [`effects`] | what a command does where that depends on an argument |
//! | [`failures`] | every code with its advice, the exit codes, and the golden table |
//! | [`guarantees`] | what each way to a device guarantees |
//! | [`catalogue`] | `contracts/schemas/commands.json`, for clients in other languages |
//! | [`maestro::table`] | which of Maestro's commands do the same here |
//!
//! `agent-device __reference` (in debug builds) prints it, `agent-device __reference docs/reference contracts/schemas` writes it, the catalogue
//! into the second folder; tests hold both folders against it.

mod catalogue;
mod commands;
mod effects;
mod failures;
mod guarantees;
mod schema;

use std::{ffi::OsStr, path::Path, process::ExitCode};

use contract::{Code, Failure, Row, request::Answer};
use serde_json::json;

use crate::{before_sending, output};

/// The word that makes the program write the reference. For developers, so it stands in no help.
pub const REFERENCE_WORD: &str = "__reference";

/// First line of every page.
const ORIGIN: &str =
    "<!-- Written by `cargo run -p cli -- __reference docs/reference`. A test compares it with the program. -->\n\n";

/// The pages by file name.
fn pages() -> Result<[(&'static str, String); 4], Failure> {
    Ok([
        ("commands.md", format!("{ORIGIN}{}", commands::page())),
        ("failures.md", format!("{ORIGIN}{}", failures::page()?)),
        ("guarantees.md", format!("{ORIGIN}{}", guarantees::page())),
        ("maestro.md", maestro::table::reference()),
    ])
}

/// Prints the reference, or writes it into a folder; into a second one the catalogue of commands.
pub fn run(folder: Option<&OsStr>, schemas: Option<&OsStr>) -> ExitCode {
    let written = match folder.map(Path::new) {
        None => return printed(),
        Some(folder) => write(folder, schemas.map(Path::new)),
    };
    match written {
        Ok(names) => {
            let names = names.join(", ");
            output::done(&Answer::new(json!({"written": names}), format!("Wrote {names}")), false)
        }
        Err(failure) => output::failed(&before_sending(failure), false),
    }
}

fn printed() -> ExitCode {
    match pages() {
        Ok(pages) => output::raw(pages.map(|(_, text)| text).join("\n").as_bytes()),
        Err(failure) => output::failed(&before_sending(failure), false),
    }
}

/// The names of what was written.
fn write(folder: &Path, schemas: Option<&Path>) -> Result<Vec<&'static str>, Failure> {
    let mut files: Vec<_> = pages()?.into_iter().map(|(name, text)| (folder, name, text)).collect();
    if let Some(schemas) = schemas {
        let text = catalogue::text().map_err(|why| Failure::new(Code::Internal, why.to_string()))?;
        files.push((schemas, catalogue::FILE, text));
    }
    files
        .into_iter()
        .map(|(folder, name, text)| {
            let file = folder.join(name);
            std::fs::write(&file, text).map(|()| name).map_err(|why| {
                let message = format!("{}: {why}", file.display());
                Failure::refused(Row::ClientOutputUnwritable, Code::StorageFailed, message)
            })
        })
        .collect()
}

/// A text that can stand in a cell of a Markdown table.
fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    // Every second part lies between backticks, where Markdown reads no tags.
    let parts: Vec<_> = line
        .split('`')
        .enumerate()
        .map(|(at, part)| if at % 2 == 0 { part.replace('<', "&lt;") } else { part.to_owned() })
        .collect();
    parts.join("`")
}

/// Words as code, in a cell: `a`, `b`.
fn codes<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(|word| format!("`{}`", word.replace('|', "\\|"))).collect::<Vec<_>>().join(", ")
}
