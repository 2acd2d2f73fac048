//! One device: started, looked into, broken, ended.
//!
//! | module | answers |
//! | --- | --- |
//! | here | what a device is to be; what can be seen of it |
//! | [`start`] | how one is put together |
//! | [`inside`] | what can be changed from the inside |
//! | [`breaking`] | what can be broken |

mod breaking;
mod inside;
mod start;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::Value;
use stage::Probe;
use tempfile::TempDir;
use tokio::{process::Child, runtime::Handle, task::AbortHandle};

use crate::{
    adb::Server,
    core::Core,
    lab::{Trouble, on},
    process::kill,
    touch::Gesture,
};

/// How long the end of a device looks for what is left of it.
const SWEEP_LIMIT: Duration = Duration::from_secs(2);

/// What a device is to be.
#[derive(Debug, Clone)]
pub struct Options {
    /// Stage apps that are installed: package, and `demo` or a file. The first one's size is the display's.
    pub apps: Vec<(String, String)>,
    /// Android version, 23 or newer.
    pub api: u32,
    /// Without the hidden three-argument `injectInputEvent`.
    pub public_inject: bool,
    /// A port for the adb server to connect to; a free one unless given.
    pub port: Option<u16>,
    /// The multi-call program of the device's commands; beside the running program unless given.
    pub commands: Option<PathBuf>,
}

impl Options {
    /// A device with the built-in demo app as `com.example.demo`.
    pub fn demo() -> Self {
        Self::app("com.example.demo", "demo")
    }

    /// A device with one app: its package, and `demo` or a file.
    pub fn app(package: &str, app: &str) -> Self {
        Self {
            apps: vec![(package.to_owned(), app.to_owned())],
            api: 34,
            public_inject: false,
            port: None,
            commands: None,
        }
    }

    /// One more app.
    #[must_use]
    pub fn and(mut self, package: &str, app: &str) -> Self {
        self.apps.push((package.to_owned(), app.to_owned()));
        self
    }

    /// Another Android version.
    #[must_use]
    pub const fn api(mut self, api: u32) -> Self {
        self.api = api;
        self
    }
}

/// A device that runs. It ends with this, or with its lab.
#[derive(Debug)]
pub struct LabDevice {
    core: Arc<Core>,
    server: Arc<Server>,
    handle: Handle,
    serial: String,
    adbd: Option<Child>,
    tasks: Vec<AbortHandle>,
    folder: TempDir,
}

impl LabDevice {
    /// Its serial: `adb -s SERIAL`.
    pub fn serial(&self) -> &str {
        &self.serial
    }

    /// Port of the adb server that it is connected to.
    pub fn adb_port(&self) -> u16 {
        self.server.port()
    }

    /// `adb -s SERIAL` against the lab's server, arguments to be added.
    pub fn adb(&self) -> std::process::Command {
        let mut command = std::process::Command::new("adb");
        command
            .args(["-P", &self.server.port().to_string(), "-s", &self.serial])
            .env("HOME", self.server.home())
            .env("ANDROID_ADB_SERVER_PORT", self.server.port().to_string())
            .env_remove("ANDROID_SERIAL");
        command
    }

    /// The folder that holds its `/data` and `/sdcard`.
    pub fn root(&self) -> &Path {
        &self.core.root
    }

    /// The folder that everything of it is in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The inside of the app of a package that was started last, also after its end: what tests count with.
    pub fn probe(&self, package: &str) -> Option<Probe> {
        self.core.state().probes.get(package).cloned()
    }

    /// The package in front.
    pub fn front(&self) -> String {
        self.core.state().front.clone()
    }

    /// What the framework double would be shown now.
    ///
    /// # Errors
    /// The lab has ended.
    pub async fn scene(&self) -> Result<Value, Trouble> {
        let core = self.core.clone();
        on(&self.handle, async move { core.scene().await }).await
    }

    /// Every command that a shell ran on it, name first.
    pub fn commands(&self) -> Vec<Vec<String>> {
        self.core.state().commands.clone()
    }

    /// How many keys and global actions took effect.
    pub fn keys(&self) -> u32 {
        self.core.state().keys
    }

    /// How often text was put into a field, or a field's text replaced.
    pub fn entries(&self) -> u32 {
        self.core.state().entries
    }

    /// How often a text was put on its clipboard.
    pub fn copies(&self) -> u32 {
        self.core.state().copies
    }

    /// Whether a shell runs on it whose line has these words.
    pub fn runs(&self, words: &str) -> bool {
        processes_of(&self.core.root).into_iter().any(|pid| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(words)
        })
    }

    /// Every gesture that its touch screen saw to its end.
    pub fn gestures(&self) -> Vec<Gesture> {
        self.core.screen().past.clone()
    }

    /// Processes of instrumentations that run: id and package.
    pub fn helpers(&self) -> Vec<(i32, String)> {
        self.core.state().processes.iter().map(|process| (process.pid, process.package.clone())).collect()
    }

    /// The process that holds UiAutomation, if one does.
    pub fn automation(&self) -> Option<i32> {
        self.core.state().automation
    }

    /// A setting, as `settings get` has it.
    pub fn setting(&self, space: &str, key: &str) -> Option<String> {
        self.core.state().settings.get(&format!("{space}/{key}")).cloned()
    }

    /// What is installed under a name: version code.
    pub fn version_of(&self, package: &str) -> Option<i64> {
        self.core.state().packages.get(package).map(|package| package.version_code)
    }

    /// Permissions that a package was granted.
    pub fn granted(&self, package: &str) -> Vec<String> {
        self.core.state().packages.get(package).map(|package| package.granted.clone()).unwrap_or_default()
    }
}

impl Drop for LabDevice {
    fn drop(&mut self) {
        self.kill_adbd();
        for task in &self.tasks {
            task.abort();
        }
        let (server, serial) = (self.server.clone(), self.serial.clone());
        self.handle.spawn(async move { server.disconnect(&serial).await });
        let known: Vec<i32> = {
            let state = self.core.state();
            let helpers = state.processes.iter().map(|process| process.pid);
            state.running.values().map(|running| running.pid).chain(helpers).collect()
        };
        known.into_iter().for_each(kill);
        // A shell that is killed may just have started something: looked for until there is nothing.
        let end = Instant::now() + SWEEP_LIMIT;
        loop {
            let left = processes_of(&self.core.root);
            if left.is_empty() || Instant::now() >= end {
                return;
            }
            left.into_iter().for_each(kill);
            std::thread::yield_now();
        }
    }
}

/// Processes that live on a device's file system: its shells and what they started.
fn processes_of(root: &Path) -> Vec<i32> {
    let mark = format!("LAB_ROOT={}\0", root.display());
    let own = i32::try_from(std::process::id()).unwrap_or_default();
    let Ok(list) = fs::read_dir("/proc") else { return Vec::new() };
    list.flatten()
        .filter_map(|entry| entry.file_name().to_string_lossy().parse::<i32>().ok())
        .filter(|pid| *pid != own)
        .filter(|pid| {
            fs::read(format!("/proc/{pid}/environ"))
                .is_ok_and(|environment| environment.windows(mark.len()).any(|window| window == mark.as_bytes()))
        })
        .collect()
}
