//! `viewport`: the size of the page's window.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Spec;
use crate::Capability;

/// Change the size of the viewport
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Viewport {
    /// Width, CSS px
    #[arg(value_parser = clap::value_parser!(u32).range(50..=10_000))]
    pub width: u32,
    /// Height, CSS px
    #[arg(value_parser = clap::value_parser!(u32).range(50..=10_000))]
    pub height: u32,
}

impl Viewport {
    pub(super) const SPEC: Spec = Spec::mutates("viewport", &[Capability::Viewport]);
}
