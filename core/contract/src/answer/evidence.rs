//! What a device tells beside its screen: logs, measurements, films; and traces.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Noted;

/// What `logs` answers, by its action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Logs {
    /// `show`.
    Lines(LogLines),
    /// Everything else: about the file.
    File(LogFile),
}

/// The newest lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogLines {
    /// Oldest first.
    pub lines: Vec<String>,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// The file that the log is kept in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogFile {
    /// Where.
    pub path: String,
    /// The log is being kept: after `start` and `stop`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// It was being kept: after `stop`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was_active: Option<bool>,
    /// The file is there: for `path`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exists: Option<bool>,
    /// What was written: for `mark`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// What `perf` answers: `frames` or `memory`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Measured {
    /// `frames`.
    Frames(FramesOf),
    /// `memory`.
    Memory(MemoryOf),
}

/// How an app of a device draws.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FramesOf {
    /// The app.
    pub app: String,
    /// The counters began anew afterwards.
    pub reset: bool,
    /// The counters.
    #[serde(flatten)]
    pub frames: Frames,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// What an app takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryOf {
    /// The app.
    pub app: String,
    /// How much.
    #[serde(flatten)]
    pub memory: Memory,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// How an app draws.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Frames {
    /// Its process.
    pub pid: u32,
    /// Frames drawn since the counters began.
    pub total_frames: u64,
    /// Those that came late.
    pub janky_frames: u64,
    /// Their share, percent.
    pub janky_percent: f64,
    /// Half of all frames took at most this long, ms. Not told before Android 7.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50_ms: Option<u64>,
    /// 90 % of them, ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p90_ms: Option<u64>,
    /// 95 %, ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p95_ms: Option<u64>,
    /// 99 %, ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99_ms: Option<u64>,
    /// Frames that missed a vertical sync.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_vsync: Option<u64>,
    /// Frames whose input waited long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high_input_latency: Option<u64>,
    /// Frames held up by the app's own thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slow_ui_thread: Option<u64>,
    /// Frames held up by drawing commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slow_draw_commands: Option<u64>,
    /// Frames per second while something moved, of the newest ones (up to 120 per window). Nothing where nothing moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fps: Option<f64>,
    /// From how many frames that is.
    pub fps_frames: u64,
}

/// How much memory an app takes, in KiB.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    /// Its processes.
    pub processes: Vec<ProcessMemory>,
    /// Memory in use, what is shared counted by its share.
    pub total_pss_kb: u64,
    /// Memory in use, what is shared counted whole. Told since Android 11.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_rss_kb: Option<u64>,
    /// The areas that take the most of it.
    pub top_consumers: Vec<MemoryArea>,
}

/// One process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessMemory {
    /// Its number.
    pub pid: u32,
    /// Its name.
    pub name: String,
    /// Its share of `totalPssKb`.
    pub pss_kb: u64,
}

/// One area.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryArea {
    /// `Native Heap`, `Dalvik Heap`, `.dex mmap`, ...
    pub name: String,
    /// Memory in use, KiB.
    pub pss_kb: u64,
}

/// What `record` answers: `start` or `stop`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Filmed {
    /// `start`.
    Started(FilmStarted),
    /// `stop`.
    Film(Film),
}

/// A film that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FilmStarted {
    /// The file that it will be.
    pub path: String,
    /// Always true.
    pub recording: bool,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// A film.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Film {
    /// Its files in order: a device may end a file at its own limit and begin another.
    pub paths: Vec<String>,
    /// `mp4`.
    pub format: String,
    /// How long it was filmed, ms.
    pub duration_ms: u64,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// What `trace` answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Traced {
    /// Where the trace is written.
    pub folder: String,
    /// It goes on.
    pub tracing: bool,
    /// Commands in it: after `stop`, as all that follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<u32>,
    /// Its size, bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// It was full before the end: what came then is not in it, or has no pictures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full: Option<bool>,
    /// The folder stays when the session is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<bool>,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}
