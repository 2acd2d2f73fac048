//! What is kept of a session beside its timeline while it is open: the script of its steps, its trace, its secrets. It
//! belongs to the session's name and not to what is open in it, so that it goes on over a relaunch.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    secrets::Secrets,
    steps::{self, Script},
    traces::{Folder, Tracer},
};

/// Of every session, by name.
#[derive(Debug, Clone, Default)]
pub struct Records(Arc<Mutex<BTreeMap<String, Record>>>);

/// Of one session.
#[derive(Debug, Default)]
pub struct Record {
    /// The script of its steps.
    pub script: Option<Script>,
    /// The trace that is going on.
    pub trace: Option<Tracer>,
    /// The trace that ended last: its folder lies there until the next one begins.
    pub traced: Option<Folder>,
    /// How many traces there were: none takes the name of one before.
    pub traces: u32,
    /// What it typed that nobody is to read.
    pub secrets: Secrets,
}

impl Record {
    const fn is_empty(&self) -> bool {
        self.script.is_none() && self.trace.is_none() && self.traces == 0
    }

    /// Whether a command should note what it aims at.
    pub const fn wants_notes(&self) -> bool {
        matches!(self.script, Some(Script::Recording(_))) || self.trace.is_some()
    }

    /// Writes the script as far as it is recorded, where it is to be written and was not yet. A script that cannot be
    /// written where it was to go is written into `folder`, the session's own.
    pub fn publish(&mut self, folder: &std::path::Path) -> Option<Result<steps::Published, String>> {
        let Some(Script::Recording(recording)) = &mut self.script else { return None };
        let written = steps::at_last(recording, folder);
        // Where it could be written nowhere, its record on disk is all that is left.
        if let (Ok(_), Some(kept)) = (&written, &mut recording.kept) {
            kept.remove();
        }
        let path = written.as_ref().map_or_else(|_| PathBuf::new(), |published| published.path.clone());
        self.script = Some(Script::Published(path));
        Some(written)
    }
}

/// A session's record, out of the map for as long as its turn lasts. It is put back however that ends.
#[derive(Debug)]
pub struct Taken {
    records: Records,
    name: String,
    /// The record.
    pub record: Record,
    /// It is not put back: its session is gone.
    ended: bool,
}

impl Records {
    /// Takes the record of the session whose turn it is.
    pub fn take(&self, name: &str) -> Taken {
        let record = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(name).unwrap_or_default();
        Taken { records: self.clone(), name: name.to_owned(), record, ended: false }
    }

    /// How many sessions have one.
    pub fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// No session has one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Taken {
    /// The session is gone, and with it the record.
    pub fn end(mut self) {
        self.ended = true;
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let record = std::mem::take(&mut self.record);
        if self.ended || (record.is_empty() && record.secrets.is_empty()) {
            return;
        }
        self.records.0.lock().unwrap_or_else(PoisonError::into_inner).insert(self.name.clone(), record);
    }
}
