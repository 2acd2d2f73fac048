//! The app in one TOML file.
//!
//! | module | answers |
//! | --- | --- |
//! | [`spec`] | which keys there are |
//! | [`words`] | which words they take: roles, states, filters |
//! | [`action`] | what an app does when something happens |
//! | [`template`] | how texts show counters and field contents |
//! | [`check`] | what else can be wrong with a file |
//! | [`error`] | how that is told: file, line, key, what to do |
//! | [`app`] | the checked app: every element in one arena |

pub mod action;
pub mod app;
pub mod check;
pub mod error;
pub mod spec;
pub mod template;
pub mod words;

#[cfg(test)]
mod tests;

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::Path,
};

pub use app::{App, Index};
pub use error::ScriptError;
use spec::Script;

/// The most elements an app may have, generated rows included: what a capture of a large page is tested with, twice.
pub const MAX_ELEMENTS: u64 = 100_000;

/// An app's file is no larger, bytes: [`MAX_ELEMENTS`] written out one by one have room.
const LARGEST: u64 = 64 << 20;

/// The app that is built in.
pub const DEMO: &str = include_str!("../../assets/demo.toml");

/// Reads an app: `demo`, or the path of a file.
///
/// # Errors
/// The file cannot be read, or is wrong: where, which key, what to do.
pub fn load(name: &str) -> Result<App, ScriptError> {
    if name == "demo" {
        return parse("demo", DEMO);
    }
    let text = text_of(Path::new(name)).map_err(|cause| ScriptError::unreadable(name, &cause))?;
    parse(name, &text)
}

/// The text of an ordinary file of sane size: it is the daemon that reads, for all of its sessions. A pipe may never end, and
/// neither does `/dev/zero`.
fn text_of(path: &Path) -> io::Result<String> {
    let other = |why: &str| Err(io::Error::other(why));
    let facts = fs::metadata(path)?;
    if facts.is_dir() {
        return other("it is a folder");
    }
    if !facts.is_file() {
        return other("it is no ordinary file");
    }
    let mut text = String::new();
    if File::open(path)?.take(LARGEST + 1).read_to_string(&mut text)? as u64 > LARGEST {
        return other(&format!("it is larger than {} MB", LARGEST >> 20));
    }
    Ok(text)
}

/// Reads an app from its text. `file` is what errors call it.
///
/// # Errors
/// As [`load`].
pub fn parse(file: &str, text: &str) -> Result<App, ScriptError> {
    let script: Script = toml::from_str(text).map_err(|error| {
        let hint = "every key is in docs/guide/stage.md";
        ScriptError::at(file, text, error.span().unwrap_or(0..0), error.message(), hint)
    })?;
    let (counters, accent) = check::check(file, text, &script)?;
    Ok(App::assemble(script, accent, counters))
}
