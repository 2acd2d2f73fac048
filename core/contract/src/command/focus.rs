//! `focus`: give something the input focus by pressing it.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Spec;
use crate::{Capability, Target, words::Words};

/// Give an element the input focus
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Focus {
    /// What to focus
    #[command(flatten)]
    pub target: Words<Target>,
}

impl Focus {
    pub(super) const SPEC: Spec = Spec::mutates("focus", &[Capability::Tap]);
}
