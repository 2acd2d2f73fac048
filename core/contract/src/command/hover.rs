//! `hover`: move a pointer over something.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SettleArgs, Spec};
use crate::{Capability, Target, words::Words};

/// Move the pointer over an element or a point
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hover {
    /// What to point at
    #[command(flatten)]
    pub target: Words<Target>,
    #[allow(missing_docs, reason = "see SettleArgs")]
    #[command(flatten)]
    #[serde(flatten)]
    pub settle: SettleArgs,
}

impl Hover {
    pub(super) const SPEC: Spec = Spec::mutates("hover", &[Capability::Hover]);
}
