//! What can be broken.

use std::{sync::Arc, time::Duration};

use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::{LabDevice, processes_of};
use crate::{
    lab::{Trouble, on},
    link::{Link, Mode},
    process::kill,
    state::{Kind, Package, SceneEdit},
    trap::Trap,
};

/// How long the adb server may take to see what became of a device.
const LIMIT: Duration = Duration::from_secs(10);

impl LabDevice {
    /// Sets a trap.
    pub fn trap(&self, trap: &Trap) {
        self.core.traps.set(trap.clone());
    }

    /// Takes all traps away.
    pub fn clear_traps(&self) {
        self.core.traps.clear();
    }

    /// Faults of the framework, by the keys of a scene's `faults`: `connectBlocksMs`, `eventEveryMs`, `windowsEmptyUntilMs`, ...
    /// Those about connecting hold for helpers that start later.
    pub fn set_faults(&self, faults: Value) {
        self.core.state().faults = faults;
    }

    /// Rewrites every answer about the screen from now on: windows without a root, windows that are not there.
    pub fn edit_scene(&self, edit: impl Fn(&mut Value) + Send + Sync + 'static) {
        self.core.state().edit = Some(SceneEdit(Arc::new(edit)));
    }

    /// Stops rewriting.
    pub fn keep_scene(&self) {
        self.core.state().edit = None;
    }

    /// The next install says this instead: `INSTALL_FAILED_INSUFFICIENT_STORAGE: ...`.
    pub fn fail_install(&self, refusal: &str) {
        self.core.state().install_faults.push_back(refusal.to_owned());
    }

    /// Whether `cmd clipboard` works, as on the systems of some vendors, or says what Android's own says (as it does at first).
    pub fn clipboard_by_cmd(&self, works: bool) {
        self.core.state().clipboard_by_cmd = works;
    }

    /// Keeps the display from turning, whatever the settings say.
    pub fn keep_rotation(&self, keeps: bool) {
        self.core.state().keeps_rotation = keeps;
    }

    /// `screenrecord` says this and fails at once, until it is called with `None`.
    pub fn fail_recorder(&self, why: Option<&str>) {
        self.core.state().recorder_fault = why.map(str::to_owned);
    }

    /// Refuses packages that are test-only even with `-t`, as the installers of some vendors do.
    pub fn refuse_test_only(&self, refuses: bool) {
        self.core.state().refuses_test_only = refuses;
    }

    /// The line to the adb server, to be broken.
    pub fn link(&self) -> &Link {
        &self.core.link
    }

    /// The device asks its user whether this computer is trusted, and nobody answers.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub async fn unauthorize(&self) -> Result<(), Trouble> {
        self.core.link.set(Mode::Unauthorized);
        self.reconnect_until("unauthorized").await
    }

    /// The adb server still lists the device, and it does not answer.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub async fn go_offline(&self) -> Result<(), Trouble> {
        self.core.link.go_offline();
        self.reconnect_until("offline").await
    }

    /// Everything as it was: the line works, the server sees the device.
    ///
    /// # Errors
    /// It does not come back.
    pub async fn restore(&self) -> Result<(), Trouble> {
        if self.core.link.mode() != Mode::Open {
            self.core.link.set(Mode::Open);
        }
        let (server, serial) = (self.server.clone(), self.serial.clone());
        on(&self.handle, async move {
            server.disconnect(&serial).await;
            server.connect(&serial).await
        })
        .await?
        .map_err(Trouble::from)
    }

    /// The server lets the device go: it is no longer listed.
    ///
    /// # Errors
    /// The lab has ended.
    pub async fn unlist(&self) -> Result<(), Trouble> {
        let (server, serial) = (self.server.clone(), self.serial.clone());
        on(&self.handle, async move { server.disconnect(&serial).await }).await
    }

    async fn reconnect_until(&self, wanted: &'static str) -> Result<(), Trouble> {
        let (server, serial) = (self.server.clone(), self.serial.clone());
        on(&self.handle, async move {
            let end = Instant::now() + LIMIT;
            loop {
                let listed = server.ask("host:devices").await?.unwrap_or_default();
                let state =
                    listed.lines().find_map(|line| line.strip_prefix(&serial)).map(str::trim).map(str::to_owned);
                if state.as_deref() == Some(wanted) {
                    return Ok(());
                }
                if state.is_none() {
                    // What it says of a device that does not answer is no news.
                    let _said = server.ask(&format!("host:connect:{serial}")).await?;
                }
                if Instant::now() >= end {
                    return Err(std::io::Error::other(format!("the device is {state:?}, not {wanted}")));
                }
                sleep(Duration::from_millis(20)).await;
            }
        })
        .await?
        .map_err(Trouble::from)
    }

    /// Kills a helper's process, as a system short of memory does.
    pub fn kill_helper(&self, package: &str) {
        let pids: Vec<i32> =
            self.helpers().into_iter().filter(|(_, known)| known == package).map(|(pid, _)| pid).collect();
        pids.into_iter().for_each(kill);
    }

    /// The system finds no instrumentation in a package any more, as while it is disabled. It stays listed.
    pub fn hide_instrumentations(&self, package: &str) {
        if let Some(Package { kind: Kind::Apk { instrumentations, .. }, .. }) =
            self.core.state().packages.get_mut(package)
        {
            instrumentations.clear();
        }
    }

    /// Kills every program of a name that a shell runs on the device: `am`, not what it started.
    pub fn kill_command(&self, name: &str) {
        let begin = format!("{name}\0");
        let runs = |pid: &i32| {
            std::fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|words| words.starts_with(begin.as_bytes()))
        };
        processes_of(&self.core.root).into_iter().filter(runs).for_each(kill);
    }

    /// Kills adbd itself.
    pub fn kill_adbd(&mut self) {
        if let Some(adbd) = &mut self.adbd {
            // One that is gone already is as good.
            let _gone = adbd.start_kill();
        }
    }
}
