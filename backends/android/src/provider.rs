//! Which Android devices there are, and how one is opened.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use backend::{Check, Device, Fleet, Provider};
use contract::{
    Capabilities, Code, Failure, Row,
    command::Open,
    view::{DeviceView, Platform},
};
use wire::Context;

use crate::{
    abilities,
    adb::{Adb, Listed, State},
    device::AndroidDevice,
    doctor,
    helper::{Helper, install::Policy, options::Options, package::Packages},
    launch::{self, Target},
    marker::Marker,
    system::{emulator, fleet::AndroidFleet, record},
};

/// How long the list of devices may take.
const LIST_LIMIT: Duration = Duration::from_secs(25);
/// How long an emulator may take to tell its name.
const NAME_LIMIT: Duration = Duration::from_secs(2);
/// How long freeing a device may take, after a failed open or for a daemon that was killed.
const RELEASE_LIMIT: Duration = Duration::from_secs(10);

/// The devices behind the adb server that the environment names.
#[derive(Debug)]
pub struct AndroidProvider {
    folder: PathBuf,
    adb: Result<Adb, Failure>,
    fleet: Option<AndroidFleet>,
    options: Options,
    policy: Policy,
    /// One per device, for as long as this process runs: what was found out about its helper holds for all sessions.
    helpers: Mutex<HashMap<String, Arc<Helper>>>,
}

impl AndroidProvider {
    /// The devices behind the adb server that the environment names. Keeps what it has to remember of them under
    /// `state_dir/android`.
    pub fn new(state_dir: &std::path::Path) -> Self {
        Self::with(state_dir, Adb::from_environment(), Options::from_environment(), Policy::from_environment())
    }

    /// The devices behind an adb server.
    pub fn with(state_dir: &std::path::Path, adb: Result<Adb, Failure>, options: Options, policy: Policy) -> Self {
        let fleet = adb.as_ref().ok().cloned().map(AndroidFleet::new);
        Self { folder: state_dir.join("android"), adb, fleet, options, policy, helpers: Mutex::default() }
    }

    /// The adb server.
    ///
    /// # Errors
    /// The environment names none.
    pub fn adb(&self) -> Result<&Adb, Failure> {
        self.adb.as_ref().map_err(Clone::clone)
    }

    /// The helper of a device, whatever state it is in.
    ///
    /// # Errors
    /// This build holds no helper, or the environment names no adb server.
    pub fn helper(&self, serial: &str) -> Result<Arc<Helper>, Failure> {
        let phone = self.adb()?.device(serial);
        let packages = Packages::embedded()?;
        let mut helpers = self.helpers.lock().unwrap_or_else(PoisonError::into_inner);
        let helper = helpers
            .entry(serial.to_owned())
            .or_insert_with(|| Arc::new(Helper::new(phone, packages, self.policy, self.options, self.folder.clone())));
        Ok(helper.clone())
    }

    async fn listed(&self, context: &Context) -> Result<Vec<Listed>, Failure> {
        self.adb()?.devices(context).await
    }

    async fn view(&self, listed: Listed) -> DeviceView {
        let emulator = listed.is_emulator();
        let model = listed.model.as_deref().map(|model| model.replace('_', " "));
        let avd = match (emulator, &self.adb) {
            (true, Ok(adb)) if listed.state == State::Device => avd_name(adb, &listed.serial).await,
            _ => None,
        };
        DeviceView {
            name: avd.or(model).unwrap_or_else(|| listed.serial.clone()),
            platform: Platform::Android,
            kind: if emulator { "emulator" } else { "device" }.to_owned(),
            available: listed.state == State::Device,
            unavailable_reason: reason(&listed.state),
            claimed_by: None,
            id: listed.serial,
        }
    }
}

/// The name that an emulator was created under.
async fn avd_name(adb: &Adb, serial: &str) -> Option<String> {
    let context = Context::with_limit(NAME_LIMIT);
    let line = "getprop ro.boot.qemu.avd_name; getprop ro.kernel.qemu.avd_name";
    let said = adb.device(serial).look(&context, line).await.ok()?;
    said.lines().map(str::trim).find(|line| !line.is_empty()).map(|name| name.replace('_', " "))
}

/// Why a device cannot be used.
fn reason(state: &State) -> Option<String> {
    let why = match state {
        State::Device => return None,
        State::Offline => "it does not answer: reconnect it, or wait until it has booted".to_owned(),
        State::Unauthorized => {
            "it has not accepted this computer's key: unlock it and answer 'Allow USB debugging?'".to_owned()
        }
        State::Authorizing => "it is asking whether to accept this computer's key".to_owned(),
        State::Connecting => "the connection is being made".to_owned(),
        State::NoPermissions(why) => format!("this user may not use it: {why}"),
        other => format!("it is in state {other}"),
    };
    Some(why)
}

/// Of several devices, the one that is meant: the only one that can be used.
fn only(listed: Vec<Listed>) -> Result<String, Failure> {
    let (usable, others): (Vec<_>, Vec<_>) = listed.into_iter().partition(|listed| listed.state == State::Device);
    let serials =
        |listed: &[Listed]| listed.iter().map(|one| format!("{} ({})", one.serial, one.state)).collect::<Vec<_>>();
    match usable.as_slice() {
        [one] => Ok(one.serial.clone()),
        [] if others.is_empty() => Err(Failure::refused(
            Row::AdbNoDevices,
            Code::DeviceNotFound,
            "no Android device is attached and no emulator runs",
        )
        .reason("no_devices")
        .hint("attach one with USB debugging on, or start an emulator: agent-device boot")),
        [] => {
            let only = serials(&others);
            let state = &others.first().map_or(State::Offline, |one| one.state.clone());
            let row = match state {
                State::Unauthorized | State::Authorizing => Row::AdbDeviceUnauthorized,
                _ => Row::AdbDeviceOffline,
            };
            let why = reason(state).unwrap_or_default();
            Err(Failure::refused(row, Code::DeviceNotFound, format!("no device can be used: {}", only.join(", ")))
                .reason(if row == Row::AdbDeviceOffline { "device_offline" } else { "device_unauthorized" })
                .hint(why)
                .detail("devices", only))
        }
        several => {
            let all = serials(several);
            Err(Failure::refused(
                Row::AdbSeveralDevices,
                Code::InvalidArgs,
                format!("several devices are attached: {}", all.join(", ")),
            )
            .reason("multiple_devices")
            .hint("name the one that is meant: --device SERIAL")
            .detail("devices", all))
        }
    }
}

#[async_trait]
impl Provider for AndroidProvider {
    fn platform(&self) -> Platform {
        Platform::Android
    }

    fn opens(&self, app: &str) -> bool {
        Target::parse(app).is_some()
    }

    async fn devices(&self) -> Vec<DeviceView> {
        let context = Context::with_limit(LIST_LIMIT);
        let mut views = Vec::new();
        // Without an adb server there are none to show: `doctor` says why.
        for listed in self.listed(&context).await.unwrap_or_default() {
            views.push(self.view(listed).await);
        }
        if let Ok(adb) = &self.adb {
            views.extend(emulator::stopped(&context, adb).await);
        }
        views
    }

    async fn default_device(&self, context: &Context, _open: &Open) -> Result<String, Failure> {
        only(self.listed(&context.until(LIST_LIMIT)).await?)
    }

    fn exclusive(&self, _device: &str) -> bool {
        true
    }

    fn capabilities(&self, _device: &str) -> Option<Capabilities> {
        // Whether there is such a device is said by adb when it is opened, and why not.
        Some(abilities::all())
    }

    async fn open(&self, context: &Context, device: &str, open: &Open) -> Result<Arc<dyn Device>, Failure> {
        let target = match &open.app {
            Some(app) => Some(Target::parse(app).ok_or_else(|| abilities::unknown(app))?),
            None => None,
        };
        self.adb()?.known(&context.until(LIST_LIMIT), device).await?;
        let helper = self.helper(device)?;
        // What can be refused is refused before anything is installed or started.
        let component = match &target {
            Some(target) => launch::resolve(helper.phone(), context, target).await?,
            None => None,
        };
        if Marker::of(&self.folder, device).is_there() {
            // An earlier session could not clean up, because the device was gone by then. A film that stays harms
            // nothing but the device's room.
            let _swept = record::sweep(context, helper.phone()).await;
        }
        let marker = Marker::write(&self.folder, device).map_err(|why| {
            Failure::refused(
                Row::DaemonAdmissionStorage,
                Code::StorageFailed,
                format!("{} cannot be written to: {why}", self.folder.display()),
            )
        })?;
        let opened = AndroidDevice::new(helper.clone(), marker.clone());
        let ready = async {
            helper.ready(context).await?;
            match &target {
                Some(target) => opened.start(context, target, component.as_deref(), open.relaunch).await,
                None => Ok(backend::Receipt::default()),
            }
        };
        match ready.await {
            Ok(receipt) => {
                receipt.warnings.into_iter().for_each(|warning| helper.notice(warning));
                Ok(Arc::new(opened))
            }
            Err(failure) => {
                // The reason of the failure is what counts; a helper that stays ends itself after a minute.
                if helper.release(&Context::with_limit(RELEASE_LIMIT)).await.is_ok() {
                    marker.remove();
                }
                Err(failure)
            }
        }
    }

    fn fleet(&self) -> Option<&dyn Fleet> {
        self.fleet.as_ref().map(|fleet| fleet as &dyn Fleet)
    }

    async fn doctor(&self) -> Vec<Check> {
        doctor::checks(self).await
    }

    async fn sweep(&self) {
        for (marker, serial) in Marker::left_in(&self.folder) {
            let Ok(helper) = self.helper(&serial) else { return };
            // A device that is not there any more keeps its marker: it may come back.
            let swept = helper.sweep(&Context::with_limit(RELEASE_LIMIT)).await;
            if swept.and(record::sweep(&Context::with_limit(RELEASE_LIMIT), helper.phone()).await).is_ok() {
                marker.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(serial: &str, state: State) -> Listed {
        Listed { serial: serial.into(), state, usb: None, product: None, model: None, device: None, transport_id: None }
    }

    fn refused(devices: Vec<Listed>) -> Row {
        only(devices).unwrap_err().claim().unwrap().row
    }

    #[test]
    fn the_device_that_is_meant_is_the_only_one_that_can_be_used() {
        let one = only(vec![listed("a", State::Offline), listed("b", State::Device)]);
        assert_eq!(one.unwrap(), "b");
        assert_eq!(refused(vec![]), Row::AdbNoDevices);
        assert_eq!(refused(vec![listed("a", State::Device), listed("b", State::Device)]), Row::AdbSeveralDevices);
        assert_eq!(refused(vec![listed("a", State::Offline)]), Row::AdbDeviceOffline);
        assert_eq!(refused(vec![listed("a", State::Unauthorized)]), Row::AdbDeviceUnauthorized);
    }
}
