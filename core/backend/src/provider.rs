//! Where devices come from.

use std::sync::Arc;

use async_trait::async_trait;
use contract::{
    Capabilities, Failure,
    answer::host::Check,
    command::Open,
    view::{DeviceView, Platform},
};
use wire::Context;

use crate::{Device, Fleet};

/// One platform: lists its devices and opens them.
#[async_trait]
pub trait Provider: Send + Sync {
    /// Which platform.
    fn platform(&self) -> Platform;

    /// Whether `app` is something this platform opens: an address, a file, a name.
    fn opens(&self, app: &str) -> bool;

    /// The devices, those that cannot be opened now included. `claimed_by` is left to the daemon.
    async fn devices(&self) -> Vec<DeviceView>;

    /// The device that a command without `--device` means.
    ///
    /// # Errors
    /// None is there, or several are and none is the obvious one.
    async fn default_device(&self, context: &Context, open: &Open) -> Result<String, Failure>;

    /// Whether only one session at a time may hold this device. A browser is started anew for each session, a phone
    /// is not.
    fn exclusive(&self, device: &str) -> bool;

    /// What a device can do, before it is opened.
    fn capabilities(&self, device: &str) -> Option<Capabilities>;

    /// Opens an app on a device. Leaves nothing behind when it fails.
    async fn open(&self, context: &Context, device: &str, open: &Open) -> Result<Arc<dyn Device>, Failure>;

    /// Checks that what this platform needs is there, by trying it.
    async fn doctor(&self) -> Vec<Check>;

    /// What can be done with a device without opening an app; `None` where nothing can.
    fn fleet(&self) -> Option<&dyn Fleet> {
        None
    }

    /// Removes what an earlier daemon that was killed left behind. Called when a daemon starts.
    async fn sweep(&self) {}
}
