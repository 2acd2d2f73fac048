//! `get`: the text or the attributes of one element.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Spec;
use crate::{Capability, Target, words::Words};

/// Read the text or the attributes of an element
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Get {
    /// What to read
    #[arg(value_enum)]
    pub format: GetFormat,
    /// Of what
    #[command(flatten)]
    pub target: Words<Target>,
}

/// What `get` reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum GetFormat {
    /// The element's text, nothing else.
    Text,
    /// Everything known of the element, as JSON.
    Attrs,
}

impl Get {
    pub(super) const SPEC: Spec = Spec::observes("get", &[Capability::Snapshot]);
}
