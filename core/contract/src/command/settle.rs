//! The flags that look at the screen after an action.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Quiet time after which a screen counts as settled, ms (the field's default).
pub const SETTLE_QUIET_MS: u64 = 500;
/// Longest wait for a screen to settle, ms (the field's default).
pub const SETTLE_TIMEOUT_MS: u64 = 10_000;

/// Waits for the screen to come to rest after the action, and shows what changed. Never fails the action.
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SettleArgs {
    /// Wait until the screen is quiet, then show what changed
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub settle: bool,
    /// How long nothing may change, ms [default: 500]
    #[arg(long, value_name = "MS", requires = "settle")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settle_quiet_ms: Option<u64>,
    /// How long to wait for that at most, ms [default: 10000]
    #[arg(long, value_name = "MS", requires = "settle")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settle_timeout_ms: Option<u64>,
}

/// Settling, and evidence whether the action changed the screen.
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AfterArgs {
    #[allow(missing_docs, reason = "the doc comment would become the help of its first flag")]
    #[command(flatten)]
    #[serde(flatten)]
    pub settle: SettleArgs,
    /// Say whether the screen changed, with evidence
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub verify: bool,
}
