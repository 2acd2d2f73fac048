//! The reference in `docs/`, written from what the program is made of, so that it cannot say anything else.
//!
//! | module | answers |
//! | --- | --- |
//! | [`commands`] | every command: arguments, flags, effect, limits, and its JSON arguments |
//! | [`schema`] | a command's JSON arguments, read from its schema |
//! | [`failures`] | every code with its advice, the exit codes, and the golden table |
//! | [`guarantees`] | what each way to a device guarantees |
//! | [`maestro::table`] | which of Maestro's commands do the same here |
//!
//! `agent-device __reference` prints it, `agent-device __reference FOLDER` writes it; a test holds `docs/reference`
//! against it.

mod commands;
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

/// Prints the reference, or writes it into a folder.
pub fn run(folder: Option<&OsStr>) -> ExitCode {
    let pages = match pages() {
        Ok(pages) => pages,
        Err(failure) => return output::failed(&before_sending(failure), false),
    };
    let Some(folder) = folder.map(Path::new) else {
        let whole: Vec<_> = pages.iter().map(|(_, text)| text.as_str()).collect();
        return output::raw(whole.join("\n").as_bytes());
    };
    for (name, text) in &pages {
        let file = folder.join(name);
        if let Err(why) = std::fs::write(&file, text) {
            let failure = Failure::refused(
                Row::ClientOutputUnwritable,
                Code::StorageFailed,
                format!("{}: {why}", file.display()),
            );
            return output::failed(&before_sending(failure), false);
        }
    }
    let names = pages.map(|(name, _)| name).join(", ");
    output::done(&Answer::new(json!({"written": names}), format!("Wrote {names}")), false)
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
