//! What went wrong. A failure is built once, where it is understood, and never re-worded on the way out.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Claim, Dispatched, Row};

macro_rules! codes {
    ($( #[doc = $doc:literal] $variant:ident = $text:literal, hint: $hint:expr; )*) => {
        /// The closed list of error codes. Scripts match on these, never on message text.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code { $( #[doc = $doc] $variant, )* }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Code] = &[$(Code::$variant),*];

            /// The code as callers see it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $text,)* }
            }

            /// What it stands for, one sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $(Code::$variant => $doc.trim_ascii(),)* }
            }

            /// The advice given where a failure brings none of its own.
            pub const fn default_hint(self) -> Option<&'static str> {
                match self { $(Code::$variant => $hint,)* }
            }
        }
    };
}

codes! {
    /// The request itself is wrong: unknown command or flag, malformed selector, impossible combination.
    InvalidArgs = "INVALID_ARGS", hint: Some("see `agent-device help` or `agent-device <command> --help`");
    /// No such device on any backend.
    DeviceNotFound = "DEVICE_NOT_FOUND", hint: Some("list what is there: agent-device devices");
    /// Another session holds the device.
    DeviceInUse = "DEVICE_IN_USE", hint: None;
    /// A program that is needed is not installed or does not start.
    ToolMissing = "TOOL_MISSING", hint: Some("see what is missing: agent-device doctor");
    /// The app or page could not be opened.
    OpenFailed = "OPEN_FAILED", hint: None;
    /// The backend cannot do this operation.
    UnsupportedOperation = "UNSUPPORTED_OPERATION", hint: Some("see what this device can do: agent-device capabilities");
    /// No session of that name, or nothing opened in it yet.
    SessionNotFound = "SESSION_NOT_FOUND", hint: Some("open something first: agent-device open <app or URL>");
    /// The session's app or browser is gone.
    SessionLost = "SESSION_LOST", hint: Some("close it and open again: agent-device close && agent-device open <app or URL>");
    /// Several elements match where one is meant.
    AmbiguousMatch = "AMBIGUOUS_MATCH", hint: Some("name one of the candidates by its ref, or add a term to the selector");
    /// Nothing on the screen matches.
    ElementNotFound = "ELEMENT_NOT_FOUND", hint: Some("look at the screen: agent-device snapshot -i");
    /// A ref whose element has left the screen since it was shown.
    RefExpired = "REF_EXPIRED", hint: Some("take a new snapshot and use its refs: agent-device snapshot -i");
    /// The target lies outside the viewport and could not be brought into it.
    ElementOffscreen = "ELEMENT_OFFSCREEN", hint: Some("scroll it into view first: agent-device scroll down --until <selector>");
    /// Something lies over the target.
    ElementCovered = "ELEMENT_COVERED", hint: Some("deal with what covers it first");
    /// The target is disabled.
    ElementDisabled = "ELEMENT_DISABLED", hint: Some("wait until it is enabled: agent-device wait '<selector> enabled'");
    /// The target takes no text.
    ElementNotEditable = "ELEMENT_NOT_EDITABLE", hint: Some("find the field: agent-device snapshot -i shows [editable] ones");
    /// A point outside the viewport, or a gesture that leaves it.
    OutsideViewport = "OUTSIDE_VIEWPORT", hint: Some("the viewport's size is in `agent-device snapshot --json`");
    /// The field holds something else than what was filled in.
    TextMismatch = "TEXT_MISMATCH", hint: Some("look at the field: agent-device get text <target>");
    /// A wait ended without what it waited for.
    WaitTimeout = "WAIT_TIMEOUT", hint: None;
    /// A predicate asked for with `is` does not hold.
    PredicateFailed = "PREDICATE_FAILED", hint: None;
    /// The screen could not be read, or came back without content.
    CaptureFailed = "CAPTURE_FAILED", hint: Some("take a screenshot to see what is there: agent-device screenshot");
    /// No dialog is open where one was to be answered.
    AlertNotFound = "ALERT_NOT_FOUND", hint: Some("see what is open: agent-device alert get");
    /// A dialog blocks the page.
    AlertOpen = "ALERT_OPEN", hint: Some("answer it first: agent-device alert accept (or dismiss)");
    /// The operation's own time limit passed.
    Timeout = "TIMEOUT", hint: None;
    /// The caller went away or asked to stop.
    Cancelled = "CANCELLED", hint: None;
    /// Client and daemon are of different builds.
    VersionMismatch = "VERSION_MISMATCH", hint: Some("stop the old daemon: agent-device daemon stop");
    /// The daemon could not be started or reached.
    DaemonUnavailable = "DAEMON_UNAVAILABLE", hint: None;
    /// The state directory or an output file could not be read or written.
    StorageFailed = "STORAGE_FAILED", hint: None;
    /// The peer process does not let this user in.
    Unauthorized = "UNAUTHORIZED", hint: None;
    /// A step of a script or flow did not do what it did when it was written.
    ReplayDivergence = "REPLAY_DIVERGENCE", hint: Some("the step, its cause and what was on the screen are in the details; go on from it with --from");
    /// An operation failed in a way that has no code of its own.
    CommandFailed = "COMMAND_FAILED", hint: None;
    /// A fault of agent-device itself.
    Internal = "INTERNAL", hint: Some("this is a fault of agent-device: please report it with the daemon's log");
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A closed list: a client may match on it.
impl JsonSchema for Code {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let codes: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        json_schema!({"type": "string", "description": "What kind of failure.", "enum": codes})
    }
}

/// A code that this build does not know is read as `COMMAND_FAILED`.
impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Ok(Code::ALL.iter().copied().find(|code| code.as_str() == text).unwrap_or(Code::CommandFailed))
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What went wrong, and whether it reached the device.
// It becomes visible to a caller only as `crate::Disclosed`, which adds `details.dispatched`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// What kind of failure.
    pub code: Code,
    /// What happened and what was being done, one or two sentences.
    pub message: String,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Whether the same request may succeed later without anybody changing anything.
    #[serde(default)]
    pub retriable: bool,
    /// Facts for programs: `reason`, candidates, both strings of a mismatch, the polls of a wait.
    #[serde(default)]
    #[schemars(with = "crate::disclosure::Details")]
    pub details: Map<String, Value>,
    #[serde(skip)]
    claim: Option<Claim>,
}

impl Failure {
    /// A failure that nobody classified: `unknown`, unless the command only reads.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            hint: code.default_hint().map(str::to_owned),
            retriable: false,
            details: Map::new(),
            claim: None,
        }
    }

    /// A refusal before anything was sent, under the row that the golden table holds for it.
    ///
    /// The request's ledger still overrules it: a refusal after an earlier send is `unknown`.
    pub fn refused(row: Row, code: Code, message: impl Into<String>) -> Self {
        Self { claim: Some(Claim { row, dispatched: Dispatched::No }), ..Self::new(code, message) }
    }

    /// A failure after which nobody knows whether the operation ran, under its row.
    pub fn lost(row: Row, code: Code, message: impl Into<String>) -> Self {
        Self { claim: Some(Claim { row, dispatched: Dispatched::Unknown }), ..Self::new(code, message) }
    }

    /// Replaces the advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// Adds the machine-readable reason, snake_case.
    #[must_use]
    pub fn reason(self, reason: &str) -> Self {
        self.detail("reason", reason)
    }

    /// Says that the same request may succeed later.
    #[must_use]
    pub const fn retriable(mut self) -> Self {
        self.retriable = true;
        self
    }

    /// What the producer claims, if it classified the failure.
    pub const fn claim(&self) -> Option<Claim> {
        self.claim
    }

    /// Puts the failure under another row, for a producer that knows more than the place where it arose.
    #[must_use]
    pub const fn under(mut self, claim: Claim) -> Self {
        self.claim = Some(claim);
        self
    }

    /// The machine-readable reason, if there is one.
    pub fn reason_str(&self) -> Option<&str> {
        self.details.get("reason").and_then(Value::as_str)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_its_code_its_reason_and_what_its_producer_claims() {
        let refused = Failure::refused(Row::ALL[0], Code::ElementCovered, "it is covered").reason("covered");
        assert_eq!(refused.to_string(), "ELEMENT_COVERED: it is covered");
        assert_eq!(refused.reason_str(), Some("covered"));
        assert_eq!(refused.claim(), Some(Claim { row: Row::ALL[0], dispatched: Dispatched::No }));
        let lost = Failure::lost(Row::ALL[0], Code::Timeout, "late");
        assert_eq!(lost.claim(), Some(Claim { row: Row::ALL[0], dispatched: Dispatched::Unknown }));
        assert_eq!(lost.reason_str(), None);
        assert_eq!(Failure::new(Code::Timeout, "late").claim(), None);
    }

    #[test]
    fn every_code_is_read_back_and_one_of_another_build_is_a_failed_command() {
        for code in Code::ALL {
            let text = serde_json::to_string(code).unwrap();
            assert_eq!(serde_json::from_str::<Code>(&text).unwrap(), *code);
        }
        assert_eq!(serde_json::from_str::<Code>("\"E_LATER\"").unwrap(), Code::CommandFailed);
    }
}
