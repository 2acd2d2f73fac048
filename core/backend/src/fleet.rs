//! Devices without a session: the apps and files on them, emulators, pairing.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use contract::{
    Failure,
    answer::fleet::{App, Installed},
};
use serde_json::Value;
use wire::Context;

/// What one platform can do with its devices without opening an app.
///
/// Every method is bounded by the context's deadline. What changes something on a device goes through `wire`, which notes
/// it in the context's ledger.
#[async_trait]
pub trait Fleet: Send + Sync {
    /// The apps on a device, by name; those of the system too where `all` is set.
    async fn apps(&self, context: &Context, device: &str, all: bool) -> Result<Vec<App>, Failure>;

    /// Installs an app.
    async fn install(&self, context: &Context, device: &str, package: &Package) -> Result<Installed, Failure>;

    /// Copies a file onto a device; how many bytes it has.
    async fn push(&self, context: &Context, device: &str, from: &Path, to: &str) -> Result<u64, Failure>;

    /// Copies a file from a device; how many bytes it has.
    async fn pull(&self, context: &Context, device: &str, from: &str, to: &Path) -> Result<u64, Failure>;

    /// Starts an emulator and waits until it is ready. Its id as a device, which need not be the name it was started by.
    async fn boot(&self, context: &Context, device: &str, headless: bool) -> Result<String, Failure>;

    /// Shuts an emulator down.
    async fn shutdown(&self, context: &Context, device: &str) -> Result<(), Failure>;

    /// Pairs with a device on the network, or lists those that offer themselves.
    async fn pair(&self, context: &Context, pairing: &Pairing) -> Result<Value, Failure>;
}

/// What to install.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// The file.
    pub path: PathBuf,
    /// Removed first with all that it has stored.
    pub replacing: Option<String>,
    /// Every permission that it asks for is granted.
    pub grant_all: bool,
    /// An older version may replace a newer one.
    pub downgrade: bool,
}

/// How to pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pairing {
    /// Only say who offers itself.
    List,
    /// With the address and the code that the device shows.
    Code {
        /// `HOST:PORT`.
        address: String,
        /// Six digits.
        code: String,
    },
    /// With a device that has read a QR code of this name and password: waits until it offers itself.
    Qr {
        /// The name in the code.
        service: String,
        /// The password in the code.
        password: String,
    },
}
