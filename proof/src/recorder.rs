//! Every failure seen anywhere says whether it was sent, under a row that says the same.
//!
//! A [`Recorder`] sees what a test's own clients read. [`audited`] judges what the program noted of all that left it
//! (`daemon::audit`), whoever read it.

use std::{
    fs, io,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use contract::Code;
use daemon::audit::Door;
use serde_json::Value;

use crate::{program::Ended, seen::Told, table};

/// Collects what is wrong with failures that were seen. Clones share the list; a list that nobody asks for fails the test
/// when the last of them goes.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    list: Arc<List>,
}

#[derive(Debug, Default)]
struct List {
    objections: Mutex<Vec<String>>,
    read: AtomicBool,
}

impl Recorder {
    /// Notes one failure and hands it on.
    pub fn failure(&self, error: &Value) -> Told {
        let told = Told::of(error);
        if let Some(why) = objection(&told) {
            self.object(format!("{why}: {error}"));
        }
        told
    }

    /// Notes how a call of the program ended: exit code and words agree with what was disclosed.
    pub fn ended(&self, ended: &Ended) {
        if let Some(why) = disagreement(ended) {
            self.object(format!("{why}: {ended:?}"));
        }
    }

    fn object(&self, why: String) {
        self.list.objections.lock().unwrap().push(why);
    }

    /// What was wrong with any of them.
    pub fn objections(&self) -> Vec<String> {
        self.list.read.store(true, Ordering::Relaxed);
        self.list.objections.lock().unwrap().clone()
    }
}

impl Drop for List {
    fn drop(&mut self) {
        let objections = self.objections.get_mut().unwrap();
        if !objections.is_empty() && !*self.read.get_mut() && !std::thread::panicking() {
            panic!("failures were seen that do not say what they must: {objections:#?}");
        }
    }
}

/// What is wrong with a failure whatever it is about.
pub fn objection(told: &Told) -> Option<String> {
    if !["no", "unknown"].contains(&told.dispatched.as_str()) {
        return Some("a failure without `dispatched`".into());
    }
    if !Code::ALL.iter().any(|code| code.as_str() == told.code) {
        return Some(format!("a code that is not in the list: {:?}", told.code));
    }
    if told.dispatched == "no" && told.steps > 0 {
        return Some("`no` after a send".into());
    }
    if told.dispatched == "unknown" && told.hint().is_empty() {
        return Some("an `unknown` that does not say what to do next".into());
    }
    let Some(row) = &told.row else { return Some("a failure under no row".into()) };
    match table::read().into_iter().find(|entry| entry.id == *row) {
        None => Some(format!("a failure under a row that does not exist: {row}")),
        Some(entry) if entry.dispatched.word() != told.dispatched => Some(format!(
            "a failure that says {:?} under {row}, which says {:?}",
            told.dispatched,
            entry.dispatched.word()
        )),
        Some(_) => None,
    }
}

/// Where exit code and words of a failed call do not agree. A call that a signal ended says nothing, and words for a
/// person who asked for help are no failure.
fn disagreement(ended: &Ended) -> Option<String> {
    let wanted = match said(&ended.out, &ended.err)? {
        Said::Told(told) => told.exit_code(),
        // A text does not say which of the two codes for `no` is meant: its own first line does.
        Said::Text { dispatched, usage } => exit_code(&dispatched, usage),
        // A suite that was stopped ends as programs do that a signal ended.
        Said::Suite(_) if ended.code == 130 => return None,
        Said::Suite(code) => code,
        Said::Nothing => return Some("a failure in words that do not say whether it was sent".into()),
    };
    (ended.code != wanted).then(|| format!("exit code {} where {wanted} is documented", ended.code))
}

/// 1: nothing reached the device. 2: wrong usage. 3: it may have reached the device.
pub fn exit_code(dispatched: &str, usage: bool) -> i32 {
    match (dispatched, usage) {
        ("no", true) => 2,
        ("no", false) => 1,
        _ => 3,
    }
}

enum Said {
    Told(Box<Told>),
    Text {
        dispatched: String,
        usage: bool,
    },
    /// A suite is told as a whole: its failures stand in its report, and its exit code too.
    Suite(i32),
    Nothing,
}

/// The failure that a call printed; `None` where it printed none.
fn said(out: &str, err: &str) -> Option<Said> {
    if let Ok(envelope) = serde_json::from_str::<Value>(out.trim())
        && envelope["success"] == false
    {
        let suite = envelope["data"]["totals"].as_object().and_then(|_| envelope["data"]["exitCode"].as_i64());
        if let Some(code) = suite {
            return Some(Said::Suite(i32::try_from(code).unwrap_or(-1)));
        }
        return Some(Said::Told(Box::new(Told::of(&envelope["error"]))));
    }
    let head = err.lines().find(|line| line.starts_with("Error ("))?;
    let dispatched = err.lines().find_map(|line| line.strip_prefix("Dispatched: "));
    let Some(dispatched) = dispatched.and_then(|words| words.split(' ').next()) else { return Some(Said::Nothing) };
    let usage = head.starts_with(&format!("Error ({})", Code::InvalidArgs));
    Some(Said::Text { dispatched: dispatched.to_owned(), usage })
}

/// What is wrong with the failures of a file of `daemon::audit`, and how many of them there are.
///
/// # Errors
/// A file that cannot be read.
pub fn audited(file: &Path) -> io::Result<(usize, Vec<String>)> {
    let text = fs::read_to_string(file)?;
    let objections = text.lines().filter_map(|line| wrong(line).map(|why| format!("{why}: {line}"))).collect();
    Ok((text.lines().count(), objections))
}

fn wrong(line: &str) -> Option<String> {
    let Ok(noted) = serde_json::from_str::<Value>(line) else {
        return Some("a line that was not written whole".into());
    };
    let text = noted["text"].as_str().unwrap_or_default();
    let error = match noted["door"].as_str() {
        Some(door) if door == Door::Socket.word() => {
            let mut error = serde_json::from_str::<Value>(text).unwrap_or_default()["error"].take();
            // The hop's own refusals are no JSON-RPC: the failure is the error itself.
            if error["data"].is_object() { error["data"].take() } else { error }
        }
        Some(door) if door == Door::Output.word() => match said(text, text) {
            Some(Said::Told(told)) => return objection(&told),
            Some(Said::Text { dispatched, .. }) if ["no", "unknown"].contains(&dispatched.as_str()) => return None,
            _ => return Some("a failure in words that do not say whether it was sent".into()),
        },
        Some(door) if door == Door::Misfit.word() => {
            return Some("an answer that is not what its command's type says (contract::answer)".into());
        }
        _ => return Some("a failure that left by no known door".into()),
    };
    objection(&Told::of(&error))
}
