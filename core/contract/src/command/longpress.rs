//! `longpress`: a press that stays down.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SettleArgs, Spec, spec::Readiness};
use crate::{
    Capability, Target,
    words::{FromWords, TakeWords, Words},
};

/// How long a long press lasts when nothing is said, ms (the field's default).
pub const LONGPRESS_MS: u64 = 800;

/// Press an element or a point and keep it down
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Longpress {
    #[allow(missing_docs, reason = "the help comes from the words")]
    #[command(flatten)]
    #[serde(flatten)]
    pub words: Words<LongpressWords>,
    #[allow(missing_docs, reason = "see SettleArgs")]
    #[command(flatten)]
    #[serde(flatten)]
    pub settle: SettleArgs,
}

/// What to press, and for how long.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LongpressWords {
    /// What to press
    pub target: Target,
    /// How long, ms [default: 800]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
}

impl FromWords for LongpressWords {
    const USAGE: &'static str = "TARGET [DURATION_MS]";
    const HELP: &'static str = "@ref, a selector, or x y in px; then how long, ms [default: 800]";
    const MAX: usize = 3;

    fn from_words(words: &mut TakeWords) -> Result<Self, String> {
        Ok(Self { target: Target::take(words)?, duration_ms: words.millis("the duration")? })
    }
}

impl Longpress {
    pub(super) const SPEC: Spec = Spec {
        aliases: &["long-press"],
        readiness: Readiness::Budgeted,
        timeout_ms: 60_000,
        ..Spec::mutates("longpress", &[Capability::LongPress])
    };
}
