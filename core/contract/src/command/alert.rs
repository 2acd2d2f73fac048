//! `alert`: the dialog that blocks the app.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Effect, Spec};
use crate::Capability;

/// Read or answer the dialog that blocks the page or app
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Alert {
    /// What to do with it
    #[arg(value_enum)]
    pub action: AlertAction,
    /// Text to enter into a prompt before it is accepted
    #[arg(long)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How long `wait` waits for a dialog, ms [default: 10000]
    #[arg(long, value_name = "MS")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<u64>,
}

/// What to do with a dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum AlertAction {
    /// Read it.
    Get,
    /// Press its confirming button.
    Accept,
    /// Press its cancelling button.
    Dismiss,
    /// Wait for one.
    Wait,
}

impl AlertAction {
    /// Reading and waiting only look.
    pub const fn effect(self) -> Effect {
        match self {
            AlertAction::Get | AlertAction::Wait => Effect::Observes,
            AlertAction::Accept | AlertAction::Dismiss => Effect::Mutates,
        }
    }
}

impl Alert {
    pub(super) const SPEC: Spec = Spec::mutates("alert", &[Capability::Alert]);
}
