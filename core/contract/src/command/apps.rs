//! Apps and files on a device, with or without a session: apps, install, reinstall, push, pull.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Effect, Spec};

/// List the apps on a device
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Apps {
    /// Those of the system too
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
}

impl Apps {
    pub(super) const SPEC: Spec = Spec { effect: Effect::Observes, ..Spec::manages("apps") };
}

/// Install an app, or a newer version of it; what it has stored stays
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Install {
    /// The package: an .apk file
    #[arg(value_name = "FILE")]
    pub path: String,
    /// Grant every permission that it asks for
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub grant_all: bool,
    /// Allow an older version than the one that is installed
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub downgrade: bool,
}

impl Install {
    /// An install that the caller does not bound may take this long, ms (the field's default).
    pub(super) const SPEC: Spec = Spec { effect: Effect::Mutates, timeout_ms: 180_000, ..Spec::manages("install") };
}

/// Remove an app with all that it has stored, and install it
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reinstall {
    /// The app's id: com.example.app
    pub app: String,
    /// The package: an .apk file
    #[arg(value_name = "FILE")]
    pub path: String,
    /// Grant every permission that it asks for
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub grant_all: bool,
}

impl Reinstall {
    pub(super) const SPEC: Spec = Spec { effect: Effect::Mutates, timeout_ms: 180_000, ..Spec::manages("reinstall") };
}

/// Copy a file onto the device
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Push {
    /// The file here
    #[arg(value_name = "FILE")]
    pub path: String,
    /// Where to, on the device; a folder takes the file's name
    #[arg(value_name = "DEVICE_PATH")]
    pub to: String,
}

impl Push {
    pub(super) const SPEC: Spec = Spec { effect: Effect::Mutates, timeout_ms: 180_000, ..Spec::manages("push") };
}

/// Copy a file from the device
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pull {
    /// The file on the device
    #[arg(value_name = "DEVICE_PATH")]
    pub from: String,
    /// Where to, here [default: its name in this folder]
    #[arg(value_name = "FILE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl Pull {
    pub(super) const SPEC: Spec = Spec { effect: Effect::Observes, timeout_ms: 180_000, ..Spec::manages("pull") };
}
