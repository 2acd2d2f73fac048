//! The running device: what its commands and its apps share.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use stage::StageProvider;
use tokio::{sync::Notify, time::Instant};
use wire::Context;

use crate::{
    double::Event,
    link::Link,
    parts::Parts,
    scene::Target,
    state::{LogLine, State},
    touch::Screen,
    trap::Traps,
};

/// How long a stage app may take to answer. One that does not is hung.
const APP_LIMIT: Duration = Duration::from_secs(10);
/// Lines that the log keeps.
const LOG_LINES: usize = 5_000;

/// The device.
#[derive(Debug)]
pub struct Core {
    /// What it is made of.
    pub parts: Parts,
    /// Folder of its file system: `data`, `sdcard`.
    pub root: PathBuf,
    /// Folder of its commands.
    pub bin: PathBuf,
    /// Android version.
    pub api: u32,
    /// Without the hidden three-argument `injectInputEvent`.
    pub public_inject: bool,
    /// Where its commands and its apps find it.
    pub address: OnceLock<String>,
    /// Its stage apps.
    pub stage: StageProvider,
    /// Set to go off at moments.
    pub traps: Traps,
    /// The line to the adb server.
    pub link: Link,
    /// Something changed that others may wait for.
    pub changed: Notify,
    /// A line was written to the log.
    pub logged: Notify,
    /// When it started.
    pub booted: Instant,
    state: Mutex<State>,
    screen: Mutex<Screen>,
    targets: Mutex<HashMap<i32, Target>>,
}

/// What a device is made of when it starts.
#[derive(Debug)]
pub struct Making {
    /// See [`Core::parts`].
    pub parts: Parts,
    /// See [`Core::root`].
    pub root: PathBuf,
    /// See [`Core::bin`].
    pub bin: PathBuf,
    /// See [`Core::api`].
    pub api: u32,
    /// See [`Core::public_inject`].
    pub public_inject: bool,
    /// See [`Core::link`].
    pub link: Link,
    /// What is true of it at first.
    pub state: State,
}

impl Core {
    /// A device that nothing runs on yet.
    pub fn new(making: Making) -> Arc<Self> {
        let Making { parts, root, bin, api, public_inject, link, state } = making;
        Arc::new(Self {
            parts,
            root,
            bin,
            api,
            public_inject,
            address: OnceLock::new(),
            stage: StageProvider::new(),
            traps: Traps::default(),
            link,
            changed: Notify::new(),
            logged: Notify::new(),
            booted: Instant::now(),
            state: Mutex::new(state),
            screen: Mutex::default(),
            targets: Mutex::default(),
        })
    }

    /// What is true of it now. Held for moments only, never over an await.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its touch screen.
    pub fn screen(&self) -> MutexGuard<'_, Screen> {
        self.screen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the numbers in scenes stand for.
    pub fn targets(&self) -> MutexGuard<'_, HashMap<i32, Target>> {
        self.targets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A limit for one question to an app.
    pub fn context() -> Context {
        Context::with_limit(APP_LIMIT)
    }

    /// Something happened that an accessibility service would be told of.
    pub fn event(&self) {
        let mut state = self.state();
        state.last_event = Some(Instant::now());
        for events in state.processes.iter().filter_map(|process| process.events.as_ref()) {
            // A process that is gone needs no word.
            let _gone = events.send(Event::Changed);
        }
    }

    /// The environment of every process on the device.
    pub fn environment(&self) -> Vec<(String, String)> {
        let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".to_owned());
        let address = self.address.get().cloned().unwrap_or_default();
        [
            ("PATH", format!("{}:{path}", self.bin.display())),
            ("LAB_DEVICE", address),
            ("LAB_ROOT", self.root.display().to_string()),
            ("HOME", "/data/local/tmp".to_owned()),
            ("TMPDIR", "/data/local/tmp".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .to_vec()
    }

    /// Writes a line to the log.
    pub fn log(&self, pid: i32, level: char, tag: &str, text: &str) {
        let at_ms = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
        let at_ms = u64::try_from(at_ms).unwrap_or(u64::MAX);
        let line = LogLine { at_ms, pid, level, tag: tag.to_owned(), text: text.to_owned() };
        let mut state = self.state();
        state.log.push_back(line);
        state.logged += 1;
        if state.log.len() > LOG_LINES {
            state.log.pop_front();
        }
        drop(state);
        self.logged.notify_waiters();
    }
}
