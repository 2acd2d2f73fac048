//! Did it reach the device? The one rule behind `error.details.dispatched`.
//!
//! A [`Failure`] cannot be put on the wire: only a [`Disclosed`] one can, and [`Disclosed::seal`] is the only way to
//! get one. The daemon's seam and the clients (for what fails before a daemon is reached) both go through it.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::{Effect, Failure, Row};

/// The answer to "is a resend safe?". There is no `yes`: no backend can prove execution on its failure path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Dispatched {
    /// Nothing of the request reached the device, or the command only reads: it may be sent again.
    No,
    /// It may have landed: look first.
    Unknown,
}

impl std::fmt::Display for Dispatched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Dispatched::No => "no",
            Dispatched::Unknown => "unknown",
        })
    }
}

/// What a producer says of its own failure, and the row of the golden table under which it says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The row.
    pub row: Row,
    /// The producer's value; the rule may overrule a `no`, never an `unknown` of a command that mutates.
    pub dispatched: Dispatched,
}

/// The sends of one request, as its ledger counted them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sends {
    /// Mutating operations whose send returned.
    pub completed: u32,
    /// Mutating operations that were begun and whose outcome nobody knows.
    pub open: u32,
}

impl Sends {
    /// Nothing that could have reached the device.
    pub const NONE: Sends = Sends { completed: 0, open: 0 };

    /// Whether anything may have reached the device.
    pub const fn any(self) -> bool {
        self.completed > 0 || self.open > 0
    }
}

/// A failure that says whether it reached the device; the only kind that crosses a boundary.
#[derive(Debug, Clone)]
pub struct Disclosed(Failure);

impl Disclosed {
    /// Applies the rule: a send of this request -> `unknown`; a command that only observes -> `no`; the producer's
    /// own proof; everything else -> `unknown`.
    ///
    /// `effect` is that of the command, `None` where no command was recognised (then nothing can have been sent).
    /// Sends are only ever counted for operations that mutate, so an observing command has none; if one ever did,
    /// the safe value wins.
    pub fn seal(mut failure: Failure, effect: Option<Effect>, sends: Sends) -> Self {
        let dispatched = if sends.any() {
            Dispatched::Unknown
        } else {
            match (effect, failure.claim()) {
                (None | Some(Effect::Observes), _) => Dispatched::No,
                (_, Some(claim)) => claim.dispatched,
                (_, None) => Dispatched::Unknown,
            }
        };
        failure.details.insert("dispatched".into(), dispatched.to_string().into());
        if sends.completed > 0 {
            failure.details.insert("dispatchedSteps".into(), sends.completed.into());
        }
        if let Some(claim) = failure.claim() {
            failure.details.insert("dispatchRow".into(), claim.row.id().into());
        }
        Self(failure)
    }

    /// The failure, `details.dispatched` included.
    pub const fn failure(&self) -> &Failure {
        &self.0
    }

    /// The sealed value.
    pub fn dispatched(&self) -> Dispatched {
        match self.0.details.get("dispatched").and_then(|value| value.as_str()) {
            Some("no") => Dispatched::No,
            _ => Dispatched::Unknown,
        }
    }

    /// What was said of it, and under which row, also where another process sealed it: for whoever makes it part of a
    /// failure of its own.
    pub fn claim(&self) -> Option<Claim> {
        let row = self.0.details.get("dispatchRow").and_then(serde_json::Value::as_str)?;
        let row = Row::ALL.iter().copied().find(|known| known.id() == row)?;
        Some(Claim { row, dispatched: self.dispatched() })
    }

    /// Adds what was made of it later: a file, a line of advice. What was said of sends stays as it is.
    #[must_use]
    pub fn also(mut self, key: &str, value: impl Into<serde_json::Value>, advice: Option<&str>) -> Self {
        if !key.starts_with("dispatch") {
            self.0.details.insert(key.to_owned(), value.into());
        }
        if let Some(advice) = advice {
            self.0.hint = Some(self.0.hint.map_or_else(|| advice.to_owned(), |hint| format!("{hint}\n{advice}")));
        }
        self
    }

    /// Sends that returned before the failure.
    pub fn steps(&self) -> u64 {
        self.0.details.get("dispatchedSteps").and_then(serde_json::Value::as_u64).unwrap_or(0)
    }
}

/// What every `details` of a sealed failure holds; the rest of it is the failure's own.
pub(crate) struct Details;

impl JsonSchema for Details {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Details".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "required": ["dispatched"],
            "properties": {
                "dispatched": generator.subschema_for::<Dispatched>(),
                "dispatchedSteps": {
                    "description": "How many sends of this request returned before it failed; only where there are some.",
                    "type": "integer",
                    "minimum": 1,
                },
                "dispatchRow": {
                    "description": "The row of the golden table under which it was classified.",
                    "type": "string",
                },
                "reason": {"description": "A finer word than the code, snake_case.", "type": "string"},
            },
        })
    }
}

impl JsonSchema for Disclosed {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Failure::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Failure::json_schema(generator)
    }
}

impl Serialize for Disclosed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Reading back what another process sealed. One that says nothing is read as `unknown`, the safe value.
impl<'de> Deserialize<'de> for Disclosed {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut failure = Failure::deserialize(deserializer)?;
        failure.details.entry("dispatched").or_insert_with(|| "unknown".into());
        Ok(Self(failure))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    fn failure(claim: Option<Dispatched>) -> Failure {
        match claim {
            Some(Dispatched::No) => Failure::refused(Row::ALL[0], Code::CommandFailed, "x"),
            Some(Dispatched::Unknown) => Failure::lost(Row::ALL[0], Code::CommandFailed, "x"),
            None => Failure::new(Code::CommandFailed, "x"),
        }
    }

    #[test]
    fn the_rule_holds_for_every_combination() {
        for effect in [None, Some(Effect::Observes), Some(Effect::Mutates), Some(Effect::Manages)] {
            for claim in [None, Some(Dispatched::No), Some(Dispatched::Unknown)] {
                // What the rule asks of the sends is said here and not taken from the code that is tried.
                for (completed, open, sent) in [(0, 0, false), (2, 0, true), (0, 1, true), (2, 1, true)] {
                    let sends = Sends { completed, open };
                    assert_eq!(sends.any(), sent);
                    let sealed = Disclosed::seal(failure(claim), effect, sends);
                    let looks_only = matches!(effect, None | Some(Effect::Observes));
                    let expected = if sent || !(looks_only || claim == Some(Dispatched::No)) {
                        Dispatched::Unknown
                    } else {
                        Dispatched::No
                    };
                    assert_eq!(sealed.dispatched(), expected, "{effect:?} {claim:?} {sends:?}");
                    assert_eq!(sealed.steps(), u64::from(completed));
                    let shown = sealed.failure().details.contains_key("dispatchedSteps");
                    assert_eq!(shown, completed > 0, "steps are said only where there are some");
                    let row = sealed.failure().details.get("dispatchRow").and_then(|row| row.as_str());
                    assert_eq!(row, claim.map(|_| Row::ALL[0].id()));
                }
            }
        }
    }

    #[test]
    fn what_was_said_of_a_failure_is_known_on_the_other_side_as_well() {
        let sealed = Disclosed::seal(failure(Some(Dispatched::No)), Some(Effect::Mutates), Sends::NONE);
        let read: Disclosed = serde_json::from_str(&serde_json::to_string(&sealed).unwrap()).unwrap();
        assert_eq!(read.failure().claim(), None, "a claim is its producer's");
        assert_eq!(read.claim(), Some(Claim { row: Row::ALL[0], dispatched: Dispatched::No }));
        let after = Disclosed::seal(failure(Some(Dispatched::No)), None, Sends { completed: 1, open: 0 });
        assert_eq!(after.claim().map(|claim| claim.dispatched), Some(Dispatched::Unknown));
        assert_eq!(Disclosed::seal(failure(None), None, Sends::NONE).claim(), None);
    }

    #[test]
    fn a_foreign_failure_that_says_nothing_is_read_as_unknown() {
        let read: Disclosed = serde_json::from_str(r#"{"code":"COMMAND_FAILED","message":"x"}"#).unwrap();
        assert_eq!(read.dispatched(), Dispatched::Unknown);
    }
}
