//! Emulators: which there are, starting one and shutting it down.
//!
//! | module | answers |
//! | --- | --- |
//! | [`program`] | the emulator program: where it is, what it lists, one that runs |
//! | [`boot`] | starting one and waiting until Android is up |

pub mod boot;
pub mod program;

use std::{path::PathBuf, time::Duration};

use contract::{
    Code, Effect, Failure, Row,
    view::{DeviceView, Platform},
};
use wire::Context;

use super::{
    script::{Script, text},
    settle::{Settled, until},
};
use crate::adb::{Adb, Phone, console};

/// How long an emulator may take to go away.
const GOES_WITHIN: Duration = Duration::from_secs(30);
/// Pause between two looks at the list of devices.
const INTERVAL: Duration = Duration::from_millis(250);
/// How long an emulator that is coming up may take to tell its name.
const NAME_LIMIT: Duration = Duration::from_secs(2);
/// The first port of an emulator's console; the next one takes the next even number.
pub(super) const FIRST_PORT: u16 = 5554;
/// The last one that adb looks at by itself.
pub(super) const LAST_PORT: u16 = 5682;

/// The port of an emulator's console, by its serial number.
pub fn console_port(serial: &str) -> Option<u16> {
    serial.strip_prefix("emulator-")?.parse().ok()
}

/// Says a line that changes something to an emulator's console.
///
/// # Errors
/// Nobody listens, the password is not accepted, or the console refuses the line.
pub async fn console(context: &Context, port: u16, line: &str) -> Result<String, Failure> {
    console::say(context, Effect::Mutates, port, &token(), line).await
}

/// The file with the password of the consoles of this user.
fn token() -> PathBuf {
    std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default().join(".emulator_console_auth_token")
}

/// The name of the virtual device that runs as this emulator; `None` for what is no emulator or does not say.
pub async fn avd_name(context: &Context, phone: &Phone) -> Option<String> {
    let port = console_port(phone.serial())?;
    let said = console::say(context, Effect::Observes, port, &token(), "avd name").await;
    // The console may be closed to this user; Android knows the name too, once it is up.
    let said = match said {
        Ok(said) => said,
        Err(_) => {
            let script = Script::of("getprop ro.boot.qemu.avd_name; getprop ro.kernel.qemu.avd_name");
            let parts = script.look(&context.until(NAME_LIMIT), phone).await.ok()?;
            text(&parts, 0).to_owned()
        }
    };
    said.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

/// The serial number of the emulator that runs a virtual device; `None` where none does.
async fn running(context: &Context, adb: &Adb, name: &str) -> Result<Option<String>, Failure> {
    for listed in adb.devices(context).await? {
        if listed.is_emulator() && avd_name(context, &adb.device(listed.serial.clone())).await.as_deref() == Some(name)
        {
            return Ok(Some(listed.serial));
        }
    }
    Ok(None)
}

/// The virtual devices that do not run, for the list of devices. Empty where there is no emulator program.
pub async fn stopped(context: &Context, adb: &Adb) -> Vec<DeviceView> {
    let Some(program) = program::find() else { return Vec::new() };
    let Ok(mut names) = program::list(context, &program).await else { return Vec::new() };
    for listed in adb.devices(context).await.unwrap_or_default() {
        if let Some(name) = avd_name(context, &adb.device(listed.serial)).await {
            names.retain(|other| *other != name);
        }
    }
    names.into_iter().map(|name| view(&name)).collect()
}

fn view(name: &str) -> DeviceView {
    DeviceView {
        id: name.to_owned(),
        name: name.replace('_', " "),
        platform: Platform::Android,
        kind: "emulator".to_owned(),
        available: false,
        unavailable_reason: Some(format!("not running: agent-device boot --device {name}")),
        claimed_by: None,
    }
}

/// Shuts an emulator down, named by its serial number or by its virtual device, and waits until it is gone.
///
/// # Errors
/// It is no emulator, does not run, or is still there after 30 s.
pub async fn shutdown(context: &Context, adb: &Adb, device: &str) -> Result<(), Failure> {
    let serial = match console_port(device) {
        Some(_) => Some(device.to_owned()),
        None => running(context, adb, device).await?,
    };
    let Some((port, serial)) = serial.and_then(|serial| Some((console_port(&serial)?, serial))) else {
        let attached = adb.devices(context).await?.into_iter().any(|listed| listed.serial == device);
        return Err(if attached { no_emulator(device) } else { not_running(device) });
    };
    if !adb.devices(context).await?.iter().any(|listed| listed.serial == serial) {
        return Err(not_running(&serial));
    }
    match console(context, port, "kill").await {
        // It may go away before it has answered: whether it is gone is looked at below.
        Ok(_) => {}
        Err(failure) if failure.claim().is_some_and(|claim| claim.row == Row::AdbReplyLost) => {}
        Err(failure) => return Err(failure),
    }
    let look = || async { Ok(adb.devices(context).await?.iter().any(|listed| listed.serial == serial)) };
    match until(context, INTERVAL, GOES_WITHIN, look, |there| !there).await? {
        Settled::Held(_) => Ok(()),
        Settled::Not(_) => Err(Failure::new(
            Code::CommandFailed,
            format!("{serial} was told to shut down, and is still there after {} s", GOES_WITHIN.as_secs()),
        )
        .reason("emulator_still_running")),
    }
}

fn no_emulator(device: &str) -> Failure {
    Failure::refused(
        Row::DaemonAdmissionUnsupportedOperation,
        Code::UnsupportedOperation,
        format!("{device} is no emulator: a phone is switched off by hand"),
    )
    .reason("not_an_emulator")
    .hint("close the session that uses it instead: agent-device close")
}

fn not_running(device: &str) -> Failure {
    Failure::refused(Row::AdbDeviceNotFound, Code::DeviceNotFound, format!("no emulator {device} runs"))
        .reason("device_not_found")
        .hint("see what runs: agent-device devices")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_emulator_has_a_console() {
        assert_eq!(console_port("emulator-5554"), Some(5554));
        for serial in ["127.0.0.1:5555", "8A1X0", "emulator-", "emulator-x"] {
            assert_eq!(console_port(serial), None, "{serial}");
        }
    }

    #[test]
    fn a_device_that_does_not_run_says_how_to_start_it() {
        let view = view("Pixel_8_API_34");
        assert_eq!((view.name.as_str(), view.available), ("Pixel 8 API 34", false));
        assert_eq!(view.unavailable_reason.as_deref(), Some("not running: agent-device boot --device Pixel_8_API_34"));
    }
}
