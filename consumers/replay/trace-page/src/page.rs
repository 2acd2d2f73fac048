//! What a page is made of.

use std::{fs, io, path::Path};

use contract::trace::Entry;
use flow::{Attempt, Outcome, StepRecord};
use serde_json::Value;

use crate::{Trace, html};

/// So much of pictures goes into a page unless one asks otherwise, bytes.
pub const PICTURE_BYTES: u64 = 64 * 1024 * 1024;

/// A page. [`Page::new`], then one [`Run`] or several, then [`Page::write`].
#[derive(Debug, Clone)]
pub struct Page {
    /// The flow's name, or whatever was traced.
    pub title: String,
    /// The flow's file as a person would name it; empty where there is none.
    pub file: String,
    /// What else the head of the page says: name and value, such as a tag or a shard.
    pub facts: Vec<(String, String)>,
    /// The attempts in order, or the one that there is.
    pub runs: Vec<Run>,
    /// So much of pictures goes in, bytes: those of failures first. The page says what it leaves out.
    pub picture_bytes: u64,
}

/// One attempt, or one traced session.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// `Attempt 2`; empty where there is only one.
    pub name: String,
    /// How it ended; `None` for a session that was only watched.
    pub outcome: Option<Outcome>,
    /// ms since 1970-01-01 UTC; times on the page count from here.
    pub started_at_ms: u64,
    /// How long it took, ms.
    pub duration_ms: u64,
    /// Its session.
    pub session: String,
    /// The device; empty where it is in the trace or not known.
    pub device: String,
    /// The flow's steps; empty for a session that was only watched: each of its commands is a step.
    pub steps: Vec<StepRecord>,
    /// Why it failed, as `--json` shows failures. Where a step failed, the page shows that step's.
    pub failure: Option<Value>,
    /// The trace; without one there are no pictures.
    pub trace: Option<Trace>,
}

impl Page {
    /// A page without runs.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            file: String::new(),
            facts: Vec::new(),
            runs: Vec::new(),
            picture_bytes: PICTURE_BYTES,
        }
    }

    /// The page as text. Prefer [`Page::write`] for pages with many pictures.
    ///
    /// # Errors
    /// None of its own: what cannot be read is named on the page.
    pub fn html(&self) -> io::Result<String> {
        let mut out = Vec::new();
        html::write(self, &mut out)?;
        String::from_utf8(out).map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why))
    }

    /// Writes the page: whole or not at all.
    ///
    /// # Errors
    /// The file, or one beside it, cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{}.part", std::process::id()));
        let beside = Path::new(&beside);
        let written = fs::File::create(beside).and_then(|file| {
            let mut out = io::BufWriter::new(file);
            html::write(self, &mut out)?;
            out.into_inner().map_err(io::IntoInnerError::into_error)?;
            fs::rename(beside, path)
        });
        if written.is_err() {
            // What remains of a page that could not be written is of no use to anybody.
            let _ = fs::remove_file(beside);
        }
        written
    }
}

impl Run {
    /// A traced session: each command is a step.
    pub fn of_trace(trace: Trace) -> Self {
        let first = trace.entries.iter().map(|entry| entry.at_ms).min();
        let started_at_ms = match &trace.header {
            Some(header) => first.map_or(header.started_at_ms, |first| first.min(header.started_at_ms)),
            None => first.unwrap_or_default(),
        };
        let ended = trace.entries.iter().map(|entry: &Entry| entry.at_ms.saturating_add(entry.duration_ms)).max();
        Self {
            started_at_ms,
            duration_ms: ended.unwrap_or(started_at_ms).saturating_sub(started_at_ms),
            session: trace.header.as_ref().map(|header| header.session.clone()).unwrap_or_default(),
            trace: Some(trace),
            ..Self::default()
        }
    }

    /// An attempt of a flow, with its trace where there is one.
    pub fn of_attempt(attempt: &Attempt, trace: Option<Trace>) -> Self {
        Self {
            name: format!("Attempt {}", attempt.number),
            outcome: Some(attempt.outcome),
            started_at_ms: attempt.started_at_ms,
            duration_ms: attempt.duration_ms,
            session: attempt.session.clone(),
            device: attempt.device.clone().unwrap_or_default(),
            steps: attempt.steps.clone(),
            failure: attempt.failure.clone(),
            trace,
        }
    }
}
