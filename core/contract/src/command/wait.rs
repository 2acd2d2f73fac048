//! `wait`: until something is there, is gone, or is quiet.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Spec;
use crate::words::{FromWords, TakeWords, Words};

/// How long a wait lasts at most when nothing is said, ms (the field's default).
pub const WAIT_TIMEOUT_MS: u64 = 10_000;
/// Time between two looks, ms (the field's default).
pub const WAIT_INTERVAL_MS: u64 = 300;

/// Wait for a time, a text, an element, its absence, or a quiet screen
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wait {
    #[allow(missing_docs, reason = "the help comes from the words")]
    #[command(flatten)]
    #[serde(flatten)]
    pub words: Words<WaitFor>,
}

/// What to wait for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WaitFor {
    /// For a time.
    Duration {
        /// How long, ms
        duration_ms: u64,
    },
    /// Until a text is on the screen.
    Text {
        /// The text, or part of it
        text: String,
        /// How long at most, ms [default: 10000]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout_ms: Option<u64>,
    },
    /// Until a ref's element is visible.
    Ref {
        /// The ref
        #[serde(rename = "ref")]
        reference: String,
        /// How long at most, ms [default: 10000]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout_ms: Option<u64>,
    },
    /// Until a selector matches something visible.
    Selector {
        /// The selector
        selector: String,
        /// How long at most, ms [default: 10000]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout_ms: Option<u64>,
    },
    /// Until a selector matches nothing.
    Absent {
        /// The selector
        selector: String,
        /// How long at most, ms [default: 10000]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout_ms: Option<u64>,
    },
    /// Until nothing changes any more.
    Stable {
        /// How long nothing may change, ms [default: 500]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        quiet_ms: Option<u64>,
        /// How long at most, ms [default: 10000]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout_ms: Option<u64>,
    },
}

impl WaitFor {
    /// The limit of this wait, ms.
    pub fn limit_ms(&self) -> u64 {
        match self {
            WaitFor::Duration { duration_ms } => *duration_ms,
            WaitFor::Text { timeout_ms, .. }
            | WaitFor::Ref { timeout_ms, .. }
            | WaitFor::Selector { timeout_ms, .. }
            | WaitFor::Absent { timeout_ms, .. }
            | WaitFor::Stable { timeout_ms, .. } => timeout_ms.unwrap_or(WAIT_TIMEOUT_MS),
        }
    }
}

impl FromWords for WaitFor {
    const USAGE: &'static str = "WHAT [TIMEOUT_MS]";
    const HELP: &'static str = "a time in ms; text TEXT; @ref; a selector; absent SELECTOR; or stable [QUIET_MS]; \
         then how long at most, ms [default: 10000]";
    const MAX: usize = 3;

    fn from_words(words: &mut TakeWords) -> Result<Self, String> {
        let first = words.next("what to wait for")?;
        let limit = |words: &mut TakeWords| words.millis("the time limit");
        if let Ok(duration_ms) = first.parse() {
            return Ok(WaitFor::Duration { duration_ms });
        }
        Ok(match first.as_str() {
            "text" => WaitFor::Text { text: words.next("the text to wait for")?, timeout_ms: limit(words)? },
            "absent" => {
                WaitFor::Absent { selector: words.next("the selector to wait for")?, timeout_ms: limit(words)? }
            }
            "stable" => WaitFor::Stable { quiet_ms: words.millis("the quiet time")?, timeout_ms: limit(words)? },
            _ if first.starts_with('@') => {
                crate::target::RefToken::parse(&first)?;
                WaitFor::Ref { reference: first, timeout_ms: limit(words)? }
            }
            _ => WaitFor::Selector { selector: first, timeout_ms: limit(words)? },
        })
    }
}

impl Wait {
    pub(super) const SPEC: Spec = Spec::observes("wait", &[crate::Capability::Snapshot]);
}
