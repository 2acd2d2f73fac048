//! `swipe`: a contact that moves in a straight line.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Spec;
use crate::Capability;

/// How long a swipe takes when nothing is said, ms (the field's default).
pub const SWIPE_MS: u64 = 100;

/// Drag a contact from one point to another
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Swipe {
    /// Start, px from the left
    #[arg(allow_negative_numbers = true)]
    pub x1: f64,
    /// Start, px from the top
    #[arg(allow_negative_numbers = true)]
    pub y1: f64,
    /// End, px from the left
    #[arg(allow_negative_numbers = true)]
    pub x2: f64,
    /// End, px from the top
    #[arg(allow_negative_numbers = true)]
    pub y2: f64,
    /// How long the movement takes, ms [default: 100]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(0..=10_000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// How many swipes [1..=200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Pause between two swipes, ms
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(0..=10_000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pause_ms: Option<u64>,
    /// Whether every second swipe goes back
    #[arg(long, value_enum)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<SwipePattern>,
}

/// Direction of the swipes of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum SwipePattern {
    /// All the same way.
    #[default]
    OneWay,
    /// There and back.
    PingPong,
}

impl Swipe {
    pub(super) const SPEC: Spec = Spec { timeout_ms: 90_000, ..Spec::mutates("swipe", &[Capability::Swipe]) };
}
