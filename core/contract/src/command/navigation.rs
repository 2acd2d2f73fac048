//! `back` and `home`: the system's or the browser's own ways.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SettleArgs, Spec};
use crate::Capability;

/// Go back: the browser's history, or the app's back button
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Back {
    #[allow(missing_docs, reason = "see SettleArgs")]
    #[command(flatten)]
    #[serde(flatten)]
    pub settle: SettleArgs,
}

impl Back {
    pub(super) const SPEC: Spec = Spec::mutates("back", &[Capability::Back]);
}

/// Go home: the first address of the session, or the app's first screen
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Home {}

impl Home {
    pub(super) const SPEC: Spec = Spec { timeout_ms: 60_000, ..Spec::mutates("home", &[Capability::Home]) };
}
