//! What a device can tell beside its screen: logs, performance, films.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Effect, Spec};
use crate::{
    Capability,
    words::{FromWords, TakeWords, Words},
};

/// Log lines shown when nothing is said.
pub const LOG_LINES: u32 = 200;

/// Show or keep what the app writes to the device's log
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Logs {
    #[allow(missing_docs, reason = "the help comes from the words")]
    #[command(flatten)]
    #[serde(flatten)]
    pub words: Words<LogsWords>,
    /// Lines to show, the newest [default: 200]
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<u32>,
}

/// What to do with the log.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "action", rename_all = "lowercase")]
pub enum LogsWords {
    /// The newest lines of the app.
    #[default]
    Show,
    /// Keeps everything from here on in the session's file.
    Start,
    /// Ends that.
    Stop,
    /// The file's place.
    Path,
    /// Empties the file.
    Clear,
    /// Writes a line of one's own into the file, to find a place again.
    Mark {
        /// The line
        #[serde(default)]
        message: String,
    },
}

impl FromWords for LogsWords {
    const USAGE: &'static str = "[show | start | stop | path | clear | mark MESSAGE]";
    const HELP: &'static str = "show the newest lines [default]; start or stop keeping them in a file; its path; clear it; \
         mark a place in it";
    const MAX: usize = 2;
    const OPTIONAL: bool = true;

    fn from_words(words: &mut TakeWords) -> Result<Self, String> {
        Ok(match words.next_if_any().as_deref() {
            None | Some("show") => LogsWords::Show,
            Some("start") => LogsWords::Start,
            Some("stop") => LogsWords::Stop,
            Some("path") => LogsWords::Path,
            Some("clear") => LogsWords::Clear,
            Some("mark") => LogsWords::Mark { message: words.next_if_any().unwrap_or_default() },
            Some(other) => return Err(format!("{other:?} is not one of: show, start, stop, path, clear, mark")),
        })
    }
}

impl Logs {
    pub(super) const SPEC: Spec = Spec::observes("logs", &[Capability::Logs]);
}

/// Measure the app: how smoothly it draws, how much memory it takes
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Perf {
    /// What to measure
    #[arg(value_enum)]
    pub area: PerfArea,
    /// Start counting anew afterwards
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reset: bool,
}

/// What to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum PerfArea {
    /// Frames drawn since the app was opened, and how many came late.
    Frames,
    /// Memory of the app's processes.
    Memory,
}

impl Perf {
    pub(super) const SPEC: Spec = Spec::observes("perf", &[Capability::Perf]);
}

/// Film the screen
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    #[allow(missing_docs, reason = "the help comes from the words")]
    #[command(flatten)]
    #[serde(flatten)]
    pub words: Words<RecordWords>,
    /// How good the film is [default: medium]
    #[arg(long, value_enum)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<FilmQuality>,
}

/// Begin or end a film.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "action", rename_all = "lowercase")]
pub enum RecordWords {
    /// Begin.
    Start {
        /// The file for the film; the command line names one where nothing is said
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
    },
    /// End, and fetch the film.
    Stop,
}

/// How good a film is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum FilmQuality {
    /// 8 Mbit/s.
    #[default]
    Medium,
    /// 20 Mbit/s.
    High,
}

impl FromWords for RecordWords {
    const USAGE: &'static str = "start [FILE] | stop";
    const HELP: &'static str = "start, with the file for the film; stop, and fetch it";
    const MAX: usize = 2;

    fn from_words(words: &mut TakeWords) -> Result<Self, String> {
        match words.next("start or stop")?.as_str() {
            "start" => Ok(RecordWords::Start { path: words.next_if_any() }),
            "stop" => Ok(RecordWords::Stop),
            other => Err(format!("{other:?} is neither start nor stop")),
        }
    }
}

impl Record {
    /// Filming does nothing to the app.
    pub(super) const SPEC: Spec =
        Spec { effect: Effect::Observes, timeout_ms: 60_000, ..Spec::observes("record", &[Capability::Record]) };
}
