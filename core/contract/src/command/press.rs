//! `press`: one press, or a series of them.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AfterArgs, Spec, spec::Readiness};
use crate::{Capability, Target, words::Words};

/// Press an element or a point
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Press {
    /// What to press
    #[command(flatten)]
    pub target: Words<Target>,
    /// How many presses, one after another [1..=200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Pause between two presses of a series, ms
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(0..=10_000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval_ms: Option<u64>,
    /// How long the contact stays down, ms
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(0..=10_000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold_ms: Option<u64>,
    /// Two presses so close that they count as a double press
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub double_tap: bool,
    /// Which button of a mouse
    #[arg(long, value_enum)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub button: Option<Button>,
    #[allow(missing_docs, reason = "see AfterArgs")]
    #[command(flatten)]
    #[serde(flatten)]
    pub after: AfterArgs,
}

/// A button of a mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Button {
    /// Usually the left one.
    #[default]
    Primary,
    /// Usually the right one: the context menu.
    Secondary,
    /// The wheel.
    Middle,
}

impl Press {
    pub(super) const SPEC: Spec = Spec {
        aliases: &["click", "tap"],
        readiness: Readiness::Budgeted,
        ..Spec::mutates("press", &[Capability::Tap])
    };
}
