//! What devices without a session answer: their apps and files, emulators, pairing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An app on a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct App {
    /// What `open` takes.
    pub id: String,
    /// Its name for people, where the device tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its version, where the device tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// It came with the system.
    pub system: bool,
}

/// What `apps` answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Apps {
    /// The device's id.
    pub device: String,
    /// By name.
    pub apps: Vec<App>,
}

/// What was installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Installed {
    /// The app's id, where it could be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// For the caller.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// What `install` and `reinstall` answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InstalledOn {
    /// The device's id.
    pub device: String,
    /// What was installed.
    #[serde(flatten)]
    pub installed: Installed,
}

/// What `push` answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pushed {
    /// The device's id.
    pub device: String,
    /// The file on the device.
    pub to: String,
    /// Its size, bytes.
    pub bytes: u64,
}

/// What `pull` answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pulled {
    /// The device's id.
    pub device: String,
    /// The file here.
    pub path: String,
    /// Its size, bytes.
    pub bytes: u64,
}

/// What `boot` answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Booted {
    /// The id under which it can be opened.
    pub device: String,
    /// Always true.
    pub booted: bool,
}

/// What `shutdown` answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShutDown {
    /// The device's id.
    pub device: String,
    /// Always true.
    pub shutdown: bool,
}

/// What `pair` answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Pairing {
    /// A device that was paired with.
    Paired(Paired),
    /// `list`.
    Offers(PairingOffers),
}

/// A device that was paired with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Paired {
    /// Always true.
    pub paired: bool,
    /// It can be opened now.
    pub connected: bool,
    /// Its address, `HOST:PORT`.
    pub address: String,
    /// Its id, where it is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// What was done, for people.
    pub message: String,
}

/// Devices on the network that offer themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingOffers {
    /// One per service.
    pub services: Vec<PairingOffer>,
    /// The same for people.
    pub message: String,
}

/// A device on the network that offers itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingOffer {
    /// Its name.
    pub name: String,
    /// The kind of service, as it is announced.
    #[serde(rename = "type")]
    pub kind: String,
    /// `HOST:PORT`.
    pub address: String,
    /// `pairing`, `connection` or `connection without encryption`.
    pub offers: String,
}
