//! Which stage devices there are, and how one is opened.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use backend::{Check, CheckStatus, Device, Provider};
use contract::command::Open;
use contract::view::{DeviceView, Platform};
use contract::{Capabilities, Code, Failure, Row};
use wire::Context;

use crate::device::{self, StageDevice};
use crate::effects::Probe;
use crate::paint::Sheet;
use crate::scene::Scene;
use crate::script;

/// A fresh device for each session.
const FRESH: &str = "stage";
/// Devices that one session at a time may hold, as with a phone.
const FIXED: [&str; 2] = ["stage-1", "stage-2"];
/// The app that is opened when none is named.
const DEFAULT_APP: &str = "demo";
/// Probes of this many opened apps are kept.
const PROBES: usize = 256;

/// The number of the next app instance. Never used twice in a process, so a node key never means two things.
pub(crate) fn next_instance() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The simulated devices. Clones share the probes.
#[derive(Debug, Clone, Default)]
pub struct StageProvider {
    opened: Arc<Mutex<Vec<(String, Probe)>>>,
    unwatched: bool,
}

impl StageProvider {
    /// The simulated devices of one process, every one of which can be looked into.
    pub fn new() -> Self {
        Self::default()
    }

    /// The simulated devices of a process that nobody looks into: what was opened and closed leaves nothing behind,
    /// and what is open keeps no log of what happened to it.
    pub fn unwatched() -> Self {
        Self { unwatched: true, ..Self::default() }
    }

    /// The inside of the app that was opened last on a device, also after it was closed.
    pub fn probe(&self, device: &str) -> Option<Probe> {
        self.probes(device).pop()
    }

    /// The insides of all apps that were opened on a device, the last 256 of them, in that order.
    pub fn probes(&self, device: &str) -> Vec<Probe> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.iter().filter(|(on, _)| on == device).map(|(_, probe)| probe.clone()).collect()
    }

    /// Opens an app as [`Provider::open`] does, under its own type: for doubles of other platforms around a stage app.
    ///
    /// # Errors
    /// There is no such device, or the app's file is wrong.
    pub async fn open_stage(&self, context: &Context, device: &str, open: &Open) -> Result<StageDevice, Failure> {
        if !is_known(device) {
            return Err(Failure::refused(
                Row::DaemonAdmissionDeviceNotFound,
                Code::DeviceNotFound,
                format!("there is no simulated device {device:?}"),
            )
            .reason("device_not_found"));
        }
        let app = device::load(open.app.clone().unwrap_or_else(|| DEFAULT_APP.to_owned())).await?;
        let probe = if self.unwatched { Probe::without_log() } else { self.remembered(device) };
        StageDevice::open(context, Arc::new(app), next_instance(), probe).await
    }

    /// A probe that can be asked for later.
    fn remembered(&self, device: &str) -> Probe {
        let probe = Probe::default();
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if opened.len() >= PROBES {
            opened.remove(0);
        }
        opened.push((device.to_owned(), probe.clone()));
        probe
    }
}

fn is_known(device: &str) -> bool {
    device == FRESH || FIXED.contains(&device)
}

#[async_trait]
impl Provider for StageProvider {
    fn platform(&self) -> Platform {
        Platform::Stage
    }

    fn opens(&self, app: &str) -> bool {
        app == DEFAULT_APP || Path::new(app).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"))
    }

    async fn devices(&self) -> Vec<DeviceView> {
        let view = |id: &str, name: String| DeviceView {
            id: id.to_owned(),
            name,
            platform: Platform::Stage,
            kind: "simulated".to_owned(),
            available: true,
            unavailable_reason: None,
            claimed_by: None,
        };
        let fixed = FIXED.iter().map(|id| view(id, format!("Simulated phone {}", id.trim_start_matches("stage-"))));
        std::iter::once(view(FRESH, "Simulated phone, a fresh one for each session".to_owned())).chain(fixed).collect()
    }

    async fn default_device(&self, _context: &Context, _open: &Open) -> Result<String, Failure> {
        Ok(FRESH.to_owned())
    }

    fn exclusive(&self, device: &str) -> bool {
        FIXED.contains(&device)
    }

    fn capabilities(&self, device: &str) -> Option<Capabilities> {
        is_known(device).then(device::capabilities)
    }

    async fn open(&self, context: &Context, device: &str, open: &Open) -> Result<Arc<dyn Device>, Failure> {
        Ok(Arc::new(self.open_stage(context, device, open).await?))
    }

    async fn doctor(&self) -> Vec<Check> {
        let tried = script::parse(DEFAULT_APP, script::DEMO).map_err(|error| error.to_string()).and_then(|app| {
            let scene = Scene::new(Arc::new(app), next_instance(), Probe::default(), tokio::time::Instant::now());
            let nodes = scene.capture(u32::MAX).len();
            Sheet::of(&scene, false).png().map(|png| (nodes, png.len()))
        });
        let (status, found, remedy) = match tried {
            Ok((nodes, bytes)) => {
                (CheckStatus::Pass, format!("the built-in app starts: {nodes} nodes, a picture of {bytes} bytes"), None)
            }
            Err(cause) => (CheckStatus::Fail, cause, Some("reinstall agent-device: this build is broken".to_owned())),
        };
        vec![Check { name: "simulated device".to_owned(), status, found, remedy }]
    }
}
