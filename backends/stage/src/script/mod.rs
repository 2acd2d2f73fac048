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

use std::path::Path;

pub use app::{App, Index};
pub use error::ScriptError;
use spec::Script;

/// The most elements an app may have, generated rows included: what a capture of a large page is tested with, twice.
pub const MAX_ELEMENTS: u64 = 100_000;

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
    let text = std::fs::read_to_string(Path::new(name)).map_err(|cause| ScriptError::unreadable(name, &cause))?;
    parse(name, &text)
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
