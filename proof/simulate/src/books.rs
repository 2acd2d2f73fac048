//! What was asked, what was told, what the devices were made to do: one page per request.

use std::{
    collections::BTreeMap,
    fmt::{self, Write},
    ops::RangeInclusive,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use contract::{Effect, Row};
use cut::Told;
use daemon::state_dir::fnv;
use serde_json::Value;
use stage::{Fault, Probe};
use tokio::time::Instant;

use crate::model::Finding;

/// Everything about one request.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its place in the plan.
    pub step: u32,
    /// The session it was for.
    pub session: String,
    /// The daemon it was written to, counted from 0.
    pub life: u32,
    /// The command's name.
    pub operation: &'static str,
    /// The command's effect.
    pub effect: Effect,
    /// It is for several sessions.
    pub several: bool,
    /// How often it must, if done, and may have reached the device.
    pub asked: RangeInclusive<u32>,
    /// How long the answer may take.
    pub limit: Duration,
    /// What goes wrong meanwhile.
    pub faults: Vec<Fault>,
    /// The ref's element, and the opened app that showed it.
    pub names: Option<(u32, String)>,
    /// The element that every press of it must hit, if nothing delays it.
    pub hits: Option<String>,
    /// Each press of it comes in two halves.
    pub halves: bool,
    /// When its line was written whole; nothing where it never was.
    pub written: Option<Instant>,
    /// What was told, and the answer itself.
    pub told: Option<(Told, Value)>,
    /// How long that took; nothing where the client did not wait.
    pub took: Option<Duration>,
    /// The first call that it made on each session's device: a number that counts up over all of them.
    pub calls: BTreeMap<String, u64>,
    /// The opened app that it called last.
    pub app: Option<u32>,
    /// Sends of it that returned, at least and at most.
    pub returned: (u32, u32),
}

/// An opened app.
#[derive(Debug, Clone)]
pub struct Opened {
    /// For which session.
    pub session: String,
    /// On which device.
    pub device: String,
    /// By which daemon.
    pub life: u32,
    /// Its inside.
    pub probe: Probe,
}

/// All of it. Clones are the same books.
#[derive(Debug, Clone, Default)]
pub struct Books(Arc<Mutex<Pages>>);

/// See [`Books`].
#[derive(Debug, Default)]
pub struct Pages {
    /// By request id.
    pub requests: BTreeMap<String, Page>,
    /// Every app that was ever opened; its place is its number.
    pub opened: Vec<Opened>,
    /// What is held now, by daemon and device: by how many sessions.
    pub held: BTreeMap<(u32, String), u32>,
    /// What was found wrong.
    pub findings: Vec<Finding>,
    /// Device calls so far.
    calls: u64,
    hash: u64,
    lines: Option<Vec<String>>,
    line: String,
}

impl Books {
    /// New ones; with `kept` every line of the trace is kept, else only their hash.
    pub fn new(kept: bool) -> Self {
        let books = Self::default();
        books.open().lines = kept.then(Vec::new);
        books
    }

    /// To read and write in.
    pub fn open(&self) -> MutexGuard<'_, Pages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line to the trace.
    pub fn trace(&self, started: Instant, what: fmt::Arguments<'_>) {
        self.open().trace(started, what);
    }

    /// Notes that something is wrong.
    pub fn wrong(&self, finding: Finding) {
        self.open().findings.push(finding);
    }
}

impl Page {
    /// Whether the caller was told that the time was up while the command went on: the timeline tells how it ended.
    pub fn went_on(&self) -> bool {
        matches!(&self.told, Some((Told::Unknown(row, _), body)) if row == Row::DaemonDeadlineAfterSend.id()
            && body.pointer("/details/refusalRow").is_none())
    }
}

impl Pages {
    /// Adds a line to the trace.
    pub fn trace(&mut self, started: Instant, what: fmt::Arguments<'_>) {
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        write!(line, "{:>8} {what}", started.elapsed().as_millis()).expect("a string takes everything");
        self.hash = self.hash.rotate_left(5) ^ fnv(line.as_bytes());
        if let Some(lines) = &mut self.lines {
            lines.push(line.clone());
        }
        self.line = line;
    }

    /// The trace's hash, and its lines where they were kept.
    pub fn traced(&mut self) -> (u64, Vec<String>) {
        (self.hash, self.lines.take().unwrap_or_default())
    }

    /// Notes a call on a session's app. True for the first one of its request in that session.
    pub fn called(&mut self, request: &str, session: &str, app: u32) -> bool {
        self.calls += 1;
        let number = self.calls;
        let Some(page) = self.requests.get_mut(request) else { return false };
        page.app = Some(app);
        if page.calls.contains_key(session) {
            return false;
        }
        page.calls.insert(session.to_owned(), number);
        true
    }

    /// Notes what of a request's sends returned.
    pub fn returned(&mut self, request: &str, least: u32, most: u32) {
        if let Some(page) = self.requests.get_mut(request) {
            page.returned.0 += least;
            page.returned.1 += most;
        }
    }
}
