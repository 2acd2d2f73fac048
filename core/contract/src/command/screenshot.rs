//! `screenshot`: a picture of the screen.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Spec;
use crate::Capability;

/// Save a PNG of the screen
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Screenshot {
    /// Where to save it [default: a new file in the current folder]
    #[arg(value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Where to save it
    #[arg(long, value_name = "FILE", conflicts_with = "path")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// Draw the refs of what takes input over the picture
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub overlay_refs: bool,
    /// The whole page, not only what is in view
    #[arg(long, visible_aliases = ["full"], short = 'f')]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fullscreen: bool,
}

impl Screenshot {
    pub(super) const SPEC: Spec = Spec::observes("screenshot", &[Capability::Screenshot]);
}
