//! Every failure seen anywhere says whether it was sent, under a row that says the same.

use std::sync::{Arc, Mutex};

use contract::Code;
use serde_json::Value;

use crate::{seen::Told, table};

/// Collects what is wrong with failures that were seen. Clones share the list.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    objections: Arc<Mutex<Vec<String>>>,
}

impl Recorder {
    /// Notes one failure and hands it on.
    pub fn failure(&self, error: &Value) -> Told {
        let told = Told::of(error);
        if let Some(why) = objection(&told) {
            self.objections.lock().unwrap().push(format!("{why}: {error}"));
        }
        told
    }

    /// What was wrong with any of them.
    pub fn objections(&self) -> Vec<String> {
        self.objections.lock().unwrap().clone()
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
