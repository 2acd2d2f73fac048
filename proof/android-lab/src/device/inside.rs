//! What can be changed from the inside, as a person with the phone in hand would.

use super::LabDevice;
use crate::lab::{Trouble, on};

impl LabDevice {
    /// Starts an app and brings it in front.
    ///
    /// # Errors
    /// It is not installed, or its file is wrong.
    pub async fn open(&self, package: &str) -> Result<(), Trouble> {
        let (core, package) = (self.core.clone(), package.to_owned());
        on(&self.handle, async move { core.bring(&package).await }).await?.map(drop).map_err(Trouble::Failed)
    }

    /// Shows an app's only screen as a system dialog over everything, until it shows a screen named `closed`. The package must be
    /// installed, as a permission controller is.
    ///
    /// # Errors
    /// It is not installed, or its file is wrong.
    pub async fn show_over(&self, package: &str) -> Result<(), Trouble> {
        let (core, package) = (self.core.clone(), package.to_owned());
        on(&self.handle, async move {
            core.run_app(&package).await?;
            core.state().over = Some(package);
            core.event();
            Ok::<(), String>(())
        })
        .await?
        .map_err(Trouble::Failed)
    }

    /// Puts a text on the clipboard.
    pub fn copy(&self, text: &str) {
        self.core.state().clipboard = Some(text.to_owned());
    }

    /// The text on the clipboard; `None` where nothing is on it.
    pub fn copied(&self) -> Option<String> {
        self.core.state().clipboard.clone()
    }

    /// Writes to its log, as the app of a package or the system.
    pub fn log(&self, package: &str, level: char, tag: &str, text: &str) {
        let pid = self.core.state().running.get(package).map_or(0, |running| running.pid);
        self.core.log(pid, level, tag, text);
    }

    /// Changes a property that `getprop` reads.
    pub fn set_property(&self, key: &str, value: &str) {
        self.core.state().properties.insert(key.to_owned(), value.to_owned());
    }
}
