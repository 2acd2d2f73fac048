//! What really happened to the app: every effect, counted per element. This is what tests hold reports against.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use crate::fault::{Faults, Operation};

/// What happened to one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Effects {
    /// Presses that it took.
    pub presses: u32,
    /// Those of them that were held for 500 ms or longer.
    pub long_presses: u32,
    /// Pairs of presses that counted as a double press.
    pub double_presses: u32,
    /// Pointers that moved over it.
    pub hovers: u32,
    /// Times that its whole text was replaced.
    pub fills: u32,
    /// Characters that arrived, before it filtered or lost any.
    pub typed_chars: u32,
    /// Swipes that started on it.
    pub swipes: u32,
    /// Times that its content was scrolled by a command.
    pub scrolls: u32,
    /// Inputs that landed on it and that it did not take, disabled or inert as it was.
    pub ignored: u32,
}

impl Effects {
    /// Everything that happened, as one number; each press, fill, swipe counts one.
    pub const fn total(self) -> u32 {
        self.presses + self.hovers + self.fills + self.typed_chars + self.swipes + self.scrolls
    }
}

/// One device seen from the inside, for tests: effects and faults. Clones see the same device.
#[derive(Debug, Clone, Default)]
pub struct Probe {
    effects: Arc<Mutex<Record>>,
    faults: Faults,
}

/// One command that the device carried out, not one that it was only sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// The id of the request on whose account.
    pub request: Arc<str>,
    /// What was done.
    pub operation: Operation,
    /// The part of [`Probe::log`] that it left.
    pub logged: Range<usize>,
}

#[derive(Debug, Default)]
struct Record {
    by_element: BTreeMap<String, Effects>,
    log: Vec<String>,
    deeds: Vec<Deed>,
    screen: String,
    started: u32,
    closed: bool,
    over: bool,
    without_log: bool,
}

/// How many effects the log keeps, so that a device that runs for days stays small.
const LOG_LIMIT: usize = 10_000;

impl Probe {
    /// One that counts and keeps no [`Probe::log`].
    pub(crate) fn without_log() -> Self {
        let probe = Self::default();
        probe.lock().without_log = true;
        probe
    }

    /// What happened to the element of this id.
    pub fn effects(&self, id: &str) -> Effects {
        self.lock().by_element.get(id).copied().unwrap_or_default()
    }

    /// What happened to every element that anything happened to. One without an id is `#number`.
    pub fn all_effects(&self) -> BTreeMap<String, Effects> {
        self.lock().by_element.clone()
    }

    /// Everything that happened, in order: `press save`, `back`, `dialog accept`.
    pub fn log(&self) -> Vec<String> {
        self.lock().log.clone()
    }

    /// Every command that was carried out, in order, as far as the log reaches.
    pub fn deeds(&self) -> Vec<Deed> {
        self.lock().deeds.clone()
    }

    /// The id of the screen that is shown.
    pub fn screen(&self) -> String {
        self.lock().screen.clone()
    }

    /// How often the app was started, as `open` asks for; once is right.
    pub fn started(&self) -> u32 {
        self.lock().started
    }

    /// Whether the app was told to end, and did.
    pub fn closed(&self) -> bool {
        self.lock().closed
    }

    /// Whether nothing runs any more: the app was told to end, or nobody can ask it any more.
    pub fn over(&self) -> bool {
        self.lock().over
    }

    /// The device's faults, to be switched on and off.
    pub const fn faults(&self) -> &Faults {
        &self.faults
    }

    pub(crate) fn note(&self, element: &str, what: &str, change: impl FnOnce(&mut Effects)) {
        let mut record = self.lock();
        change(record.by_element.entry(element.to_owned()).or_default());
        if !record.without_log {
            record.push(format!("{what} {element}"));
        }
    }

    pub(crate) fn note_system(&self, what: impl Into<String>) {
        self.lock().push(what.into());
    }

    /// Entries of the log so far.
    pub(crate) fn logged(&self) -> usize {
        self.lock().log.len()
    }

    /// Notes a command that was carried out; `from` is where the log stood before.
    pub(crate) fn carried_out(&self, request: Arc<str>, operation: Operation, from: usize) {
        let mut record = self.lock();
        if !record.without_log && record.deeds.len() < LOG_LIMIT {
            let logged = from..record.log.len();
            record.deeds.push(Deed { request, operation, logged });
        }
    }

    pub(crate) fn show(&self, screen: &str) {
        screen.clone_into(&mut self.lock().screen);
    }

    pub(crate) fn start(&self) {
        self.lock().started += 1;
    }

    pub(crate) fn end(&self) {
        self.lock().over = true;
    }

    pub(crate) fn close(&self) {
        self.lock().closed = true;
    }

    fn lock(&self) -> MutexGuard<'_, Record> {
        self.effects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Record {
    fn push(&mut self, entry: String) {
        if !self.without_log && self.log.len() < LOG_LIMIT {
            self.log.push(entry);
        }
    }
}
