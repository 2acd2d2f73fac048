//! Devices themselves: boot, shutdown, pair.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Spec;

/// Start an emulator and wait until it is ready
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Boot {
    /// Without a window
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub headless: bool,
}

impl Boot {
    /// An emulator that starts cold takes minutes (the field allows 180 s and more), ms.
    pub(super) const SPEC: Spec = Spec { timeout_ms: 240_000, ..Spec::manages("boot") };
}

/// Shut an emulator down
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Shutdown {}

impl Shutdown {
    pub(super) const SPEC: Spec = Spec { timeout_ms: 60_000, ..Spec::manages("shutdown") };
}

/// Pair with a phone over Wi-Fi: by a QR code shown here, or by the address and the code that the phone shows
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Pair {
    /// The address that the phone shows: HOST:PORT
    #[arg(value_name = "HOST:PORT", requires = "code")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The six digits that the phone shows
    #[arg(value_name = "CODE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// List the phones that offer themselves on this network
    #[arg(long, conflicts_with = "address")]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub list: bool,
    /// The name in the QR code; the command line makes one up
    #[arg(long, hide = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// The password in the QR code; the command line makes one up
    #[arg(long, hide = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
}

impl Pair {
    /// Somebody has to find the menu and hold the phone up to the screen, ms.
    pub(super) const SPEC: Spec = Spec { batchable: false, mcp: false, timeout_ms: 120_000, ..Spec::manages("pair") };
}
