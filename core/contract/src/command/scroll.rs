//! `scroll`: move the content of a scroll container.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SettleArgs, Spec};
use crate::Capability;

/// Share of the container that one pass moves when nothing is said (the field's default).
pub const SCROLL_AMOUNT: f64 = 0.6;
/// Steps that `--until` makes at most. The field allows 12, which ends in the middle of an ordinary documentation page.
pub const SCROLL_UNTIL_PASSES: u32 = 40;

/// Scroll the page or the container under the middle of the screen
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scroll {
    /// Where to: up, down, left, right by a step, or all the way to the top or bottom
    #[arg(value_enum)]
    pub direction: ScrollDirection,
    /// Size of a step as a share of the container, 0.05 to 1 [default: 0.6]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<f64>,
    /// Size of a step in px, instead of a share
    #[arg(long, value_name = "PX", conflicts_with = "amount")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pixels: Option<f64>,
    /// Scroll on until this selector is in view, at most 40 steps
    #[arg(long, value_name = "SELECTOR")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Scroll the container of this element: @ref or selector
    #[arg(long = "in", value_name = "TARGET")]
    #[serde(default, rename = "in", skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    #[allow(missing_docs, reason = "see SettleArgs")]
    #[command(flatten)]
    #[serde(flatten)]
    pub settle: SettleArgs,
}

/// Where to scroll. `down` shows what is further down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ScrollDirection {
    /// A step up.
    Up,
    /// A step down.
    Down,
    /// A step left.
    Left,
    /// A step right.
    Right,
    /// To the very top.
    Top,
    /// To the very bottom.
    Bottom,
}

impl Scroll {
    pub(super) const SPEC: Spec = Spec { timeout_ms: 60_000, ..Spec::mutates("scroll", &[Capability::Scroll]) };
}
