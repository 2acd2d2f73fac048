//! `windows`: the session's tabs and windows.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Effect, Spec};
use crate::Capability;

/// List the session's tabs and windows, switch to one or close one
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Windows {
    /// Make this one the active one (its number in the list)
    #[arg(long, value_name = "N", conflicts_with = "close")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch: Option<u32>,
    /// Close this one (its number in the list)
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close: Option<u32>,
}

impl Windows {
    /// Listing and switching do nothing to the app.
    pub const fn effect(&self) -> Effect {
        if self.close.is_some() { Effect::Mutates } else { Effect::Observes }
    }

    pub(super) const SPEC: Spec = Spec::mutates("windows", &[Capability::Windows]);
}
