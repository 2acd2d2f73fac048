//! Whether what Android devices need is there, found out by trying.

use std::time::Duration;

use backend::{Check, CheckStatus};
use wire::Context;

use crate::{
    adb::{self, State},
    helper::package::Packages,
    provider::AndroidProvider,
};

/// How long asking the adb server may take, starting it included.
const LIMIT: Duration = Duration::from_secs(25);

/// All checks.
pub async fn checks(provider: &AndroidProvider) -> Vec<Check> {
    let program = program();
    let has_program = program.status == CheckStatus::Pass;
    let mut checks = vec![program, helper()];
    // Without a program nothing is started to be asked; a server that runs all the same is found when it is used.
    if has_program {
        checks.extend(server(provider).await);
    }
    checks
}

fn check(name: &str, status: CheckStatus, found: impl Into<String>, remedy: Option<&str>) -> Check {
    Check { name: name.to_owned(), status, found: found.into(), remedy: remedy.map(str::to_owned) }
}

fn program() -> Check {
    match adb::server::program() {
        Some(path) => check("android: adb", CheckStatus::Pass, path.display().to_string(), None),
        // Who drives no phones needs none.
        None => check(
            "android: adb",
            CheckStatus::Warn,
            "no adb program in PATH, ANDROID_HOME or ANDROID_SDK_ROOT",
            Some("for Android devices: install Android's platform-tools (Debian: apt install adb)"),
        ),
    }
}

fn helper() -> Check {
    match Packages::embedded() {
        Ok(packages) => {
            let kinds =
                if packages.plain.is_some() { "for installers with and without test packages" } else { "one package" };
            let found = format!("version {}, {kinds}", packages.main.manifest.version);
            check("android: helper", CheckStatus::Pass, found, None)
        }
        Err(failure) => check("android: helper", CheckStatus::Fail, failure.message, failure.hint.as_deref()),
    }
}

async fn server(provider: &AndroidProvider) -> Vec<Check> {
    let context = Context::with_limit(LIMIT);
    let asked = async {
        let adb = provider.adb()?;
        let version = adb.version(&context).await?;
        Ok::<_, contract::Failure>((adb.address().to_string(), version, adb.devices(&context).await?))
    };
    let (address, version, devices) = match asked.await {
        Ok(asked) => asked,
        Err(failure) => {
            return vec![check("android: adb server", CheckStatus::Fail, failure.message, failure.hint.as_deref())];
        }
    };
    let mut checks =
        vec![check("android: adb server", CheckStatus::Pass, format!("version {version} at {address}"), None)];
    let usable = devices.iter().filter(|device| device.state == State::Device).count();
    let list =
        devices.iter().map(|device| format!("{} ({})", device.serial, device.state)).collect::<Vec<_>>().join(", ");
    checks.push(match (usable, devices.len()) {
        (_, 0) => check(
            "android: devices",
            CheckStatus::Warn,
            "none attached",
            Some("attach one with USB debugging on, or start an emulator"),
        ),
        (0, _) => check(
            "android: devices",
            CheckStatus::Warn,
            list,
            Some("unlock the device and answer its question, or reconnect it"),
        ),
        _ => check("android: devices", CheckStatus::Pass, list, None),
    });
    checks
}
