//! What a driver brings back: what the caller was told, and what really happened.

use contract::Row;
use serde_json::Value;

/// Stands in [`Told::dispatched`] for an answer that is no failure.
pub const RESOLVED: &str = "resolved";

/// A failure as it stood in front of the caller.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// `details.dispatched`; empty where it was missing.
    pub dispatched: String,
    /// `details.dispatchedSteps`, else 0.
    pub steps: u64,
    /// `details.dispatchRow`.
    pub row: Option<String>,
    /// `code`.
    pub code: String,
    /// `details.reason`.
    pub reason: Option<String>,
    /// The whole error object.
    pub error: Value,
}

impl Told {
    /// Reads an error object.
    pub fn of(error: &Value) -> Self {
        let text = |pointer: &str| error.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        Self {
            dispatched: text("/details/dispatched").unwrap_or_default(),
            steps: error.pointer("/details/dispatchedSteps").and_then(Value::as_u64).unwrap_or(0),
            row: text("/details/dispatchRow"),
            code: text("/code").unwrap_or_default(),
            reason: text("/details/reason"),
            error: error.clone(),
        }
    }

    /// Reads an answer that was made sure of although the reply was lost.
    pub fn resolved(answer: &Value) -> Self {
        let row = answer.pointer("/resolvedRow").and_then(Value::as_str).map(str::to_owned);
        let dispatched = if row.is_some() { RESOLVED } else { "" };
        Self {
            dispatched: dispatched.to_owned(),
            steps: 0,
            row,
            code: String::new(),
            reason: None,
            error: answer.clone(),
        }
    }

    /// The exit code that the program's documentation promises for it.
    pub fn exit_code(&self) -> i32 {
        crate::recorder::exit_code(&self.dispatched, self.code == contract::Code::InvalidArgs.as_str())
    }

    /// The message for people.
    pub fn message(&self) -> &str {
        self.error["message"].as_str().unwrap_or_default()
    }

    /// The advice for people.
    pub fn hint(&self) -> &str {
        self.error["hint"].as_str().unwrap_or_default()
    }

    /// One of the details.
    pub fn detail(&self, key: &str) -> &Value {
        &self.error["details"][key]
    }

    /// With what reached the app: `landed` effects of `asked`.
    pub fn and(self, landed: u32, asked: u32) -> Seen {
        Seen { told: self, truth: Truth { landed, asked, achieved: landed >= asked && asked > 0 } }
    }

    /// Nothing reached an app, and nothing could have: none was open, or only looked at.
    pub fn without_app(self) -> Seen {
        self.and(0, 0)
    }

    /// Stops unless the failure is of this row: for steps on the way to the one that is tried.
    pub fn under(self, row: Row) -> Self {
        assert_eq!(self.row.as_deref(), Some(row.id()), "another failure than meant: {:#}", self.error);
        self
    }
}

/// An answer in the words of a campaign.
pub fn word(said: &Result<Value, Told>) -> cut::Told {
    match said {
        Ok(answer) => match answer.get("resolvedRow").and_then(Value::as_str) {
            Some(row) => cut::Told::Resolved(row.to_owned()),
            None => cut::Told::Done,
        },
        Err(told) => {
            let row = told.row.clone().unwrap_or_default();
            match told.dispatched.as_str() {
                "no" => cut::Told::No(row),
                "unknown" => cut::Told::Unknown(row, told.steps),
                _ => cut::Told::Malformed(told.error.to_string()),
            }
        }
    }
}

/// What really happened to the app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Truth {
    /// Effects that reached it.
    pub landed: u32,
    /// Effects that the request asked for, at most.
    pub asked: u32,
    /// What the request asked for came about.
    pub achieved: bool,
}

/// Both.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// What the caller was told.
    pub told: Told,
    /// What happened.
    pub truth: Truth,
}

impl Seen {
    /// Something reached the app and did not bring about what was asked for.
    #[must_use]
    pub const fn in_vain(mut self) -> Self {
        self.truth.achieved = false;
        self
    }
}
