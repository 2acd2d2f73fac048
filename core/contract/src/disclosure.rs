//! Did it reach the device? The one rule behind `error.details.dispatched`.
//!
//! A [`Failure`] cannot be put on the wire: only a [`Disclosed`] one can, and [`Disclosed::seal`] is the only way to
//! get one. The daemon's seam and the clients (for what fails before a daemon is reached) both go through it.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::{Code, Effect, Failure, Row};

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

/// Advice where nobody knows whether it took effect.
const LOOK_FIRST: &str = "it may have taken effect: look first (agent-device snapshot), then decide";
/// Advice where the command failed after some of it was done.
const SENT_STAYS: &str = "what was sent before stays: look first (agent-device snapshot), then decide";

/// What to do next after an `unknown`: never the same again without a look. Whatever is advised beside that follows it,
/// on a line of its own.
fn cautious(failure: &Failure, effect: Option<Effect>, sends: Sends) -> String {
    let first = if sends.open == 0 && sends.completed > 0 { SENT_STAYS } else { LOOK_FIRST };
    // Where what could be looked at is gone or not open yet; where a text was looked at already, by reading it back; and a
    // script's failure advises where to go on from.
    let elsewhere = effect == Some(Effect::Manages)
        || matches!(
            failure.code,
            Code::SessionLost
                | Code::SessionNotFound
                | Code::DeviceNotFound
                | Code::OpenFailed
                | Code::TextMismatch
                | Code::ReplayDivergence
        );
    let looks = |hint: &str| {
        hint.split(|letter: char| !letter.is_alphabetic()).any(|word| ["look", "snapshot"].contains(&word))
    };
    match &failure.hint {
        None => first.to_owned(),
        Some(hint) if elsewhere || looks(hint) => hint.clone(),
        Some(hint) => format!("{first}\n{hint}"),
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
        if dispatched == Dispatched::Unknown {
            failure.hint = Some(cautious(&failure, effect, sends));
        }
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

    /// What is advised after a failure that advises `own`.
    fn advice(code: Code, own: Option<&str>, (completed, open): (u32, u32)) -> Option<String> {
        let failure = Failure::refused(Row::ALL[0], code, "x");
        let failure = own.map_or(failure.clone(), |own| failure.hint(own));
        Disclosed::seal(failure, Some(Effect::Mutates), Sends { completed, open }).failure().hint.clone()
    }

    #[test]
    fn nothing_that_may_have_been_sent_is_told_without_advice_to_look_first() {
        let more_time = "give it more time: --timeout MS";
        assert_eq!(advice(Code::Timeout, Some(more_time), (0, 0)).as_deref(), Some(more_time), "not sent: as it was");
        assert_eq!(advice(Code::Timeout, None, (0, 0)), None);
        for (sends, first) in [((2, 0), SENT_STAYS), ((2, 1), LOOK_FIRST), ((0, 1), LOOK_FIRST)] {
            assert_eq!(advice(Code::Timeout, None, sends).as_deref(), Some(first));
            assert_eq!(advice(Code::Timeout, Some(more_time), sends).unwrap(), format!("{first}\n{more_time}"));
            for looks in ["answer it, then look: agent-device alert accept", "see agent-device snapshot -i"] {
                assert_eq!(advice(Code::AlertOpen, Some(looks), sends).as_deref(), Some(looks));
            }
            assert_eq!(advice(Code::SessionLost, Some("open it again"), sends).as_deref(), Some("open it again"));
        }
        let scroll = "go on to what is looked for";
        assert_eq!(advice(Code::CommandFailed, Some(scroll), (1, 0)).unwrap(), format!("{SENT_STAYS}\n{scroll}"));
        let opened = |failure| Disclosed::seal(failure, Some(Effect::Manages), Sends { completed: 0, open: 1 });
        assert_eq!(opened(failure(None).hint(more_time)).failure().hint.as_deref(), Some(more_time), "no app yet");
        assert_eq!(opened(failure(None)).failure().hint.as_deref(), Some(LOOK_FIRST));
        // A failure of another process that was not sealed by this rule.
        let lost = Disclosed::seal(failure(Some(Dispatched::Unknown)), Some(Effect::Mutates), Sends::NONE);
        assert_eq!(lost.failure().hint.as_deref(), Some(LOOK_FIRST));
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
    fn what_is_added_later_cannot_change_what_was_said() {
        let sealed = Disclosed::seal(failure(None), Some(Effect::Mutates), Sends { completed: 0, open: 1 });
        let added = sealed.also("file", "a.png", Some("see the file")).also("dispatched", "no", None);
        assert_eq!(added.failure().details.get("file"), Some(&"a.png".into()));
        assert_eq!(added.dispatched(), Dispatched::Unknown);
        assert_eq!(added.failure().hint.as_deref(), Some(format!("{LOOK_FIRST}\nsee the file").as_str()));
    }

    #[test]
    fn the_schema_asks_for_what_every_failure_says() {
        let schema = schemars::schema_for!(Disclosed).to_value();
        assert_eq!(schema["properties"]["details"]["required"], serde_json::json!(["dispatched"]), "{schema}");
        let codes = schema["$defs"]["Code"]["enum"].as_array().map(Vec::len);
        assert_eq!(codes, Some(Code::ALL.len()), "a client may match on the code: {schema}");
    }

    #[test]
    fn a_foreign_failure_that_says_nothing_is_read_as_unknown() {
        let read: Disclosed = serde_json::from_str(r#"{"code":"COMMAND_FAILED","message":"x"}"#).unwrap();
        assert_eq!(read.dispatched(), Dispatched::Unknown);
    }
}
