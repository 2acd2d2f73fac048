//! The device's commands. Each prints what Android's own prints, as far as anybody reads it.
//!
//! | module | commands |
//! | --- | --- |
//! | [`am`] | am, monkey |
//! | [`broadcast`] | am broadcast |
//! | [`package`] | pm, cmd package |
//! | [`install`] | installing: pm install, cmd package install |
//! | [`service`] | cmd, svc |
//! | [`input`] | input |
//! | [`dumpsys`] | dumpsys |
//! | [`settings`] | settings, ime, getprop, setprop, wm |
//! | [`capture`] | screencap, screenrecord |
//! | [`logs`] | logcat, log |
//! | [`permissions`] | pm grant, pm revoke |
//! | [`processes`] | pidof, pkill, ps |

pub mod am;
pub mod broadcast;
pub mod capture;
pub mod dumpsys;
pub mod input;
pub mod install;
pub mod logs;
pub mod package;
pub mod permissions;
pub mod processes;
pub mod service;
pub mod settings;

use std::{process::Stdio, sync::Arc};

use tokio::process::Command;

use crate::{call::Call, core::Core};

/// Every command there is; the device's folder has one link for each.
pub const COMMANDS: &[&str] = &[
    "am",
    "pm",
    "cmd",
    "input",
    "dumpsys",
    "getprop",
    "setprop",
    "wm",
    "screencap",
    "screenrecord",
    "settings",
    "ime",
    "svc",
    "logcat",
    "log",
    "pidof",
    "pkill",
    "ps",
    "monkey",
];

/// Runs one.
pub async fn run(core: &Arc<Core>, mut call: Call) {
    core.state().commands.push(call.argv.clone());
    let name = call.argv.first().cloned().unwrap_or_default();
    let code = match name.as_str() {
        "am" => am::run(core, &mut call).await,
        "monkey" => am::monkey(core, &mut call).await,
        "pm" => package::run(core, &mut call, 1).await,
        "cmd" => service::cmd(core, &mut call).await,
        "svc" => service::svc(core, &mut call).await,
        "input" => input::run(core, &mut call).await,
        "dumpsys" => dumpsys::run(core, &mut call).await,
        "getprop" => settings::getprop(core, &mut call).await,
        "setprop" => settings::setprop(core, &mut call).await,
        "wm" => settings::wm(core, &mut call).await,
        "settings" => settings::settings(core, &mut call).await,
        "ime" => settings::ime(core, &mut call).await,
        "screencap" => capture::screencap(core, &mut call).await,
        "screenrecord" => capture::screenrecord(core, &mut call).await,
        "logcat" => logs::logcat(core, &mut call).await,
        "log" => logs::log(core, &mut call).await,
        "pidof" => processes::pidof(core, &mut call).await,
        "pkill" => processes::pkill(core, &mut call).await,
        "ps" => processes::ps(core, &mut call).await,
        other => {
            call.complain(format!("/system/bin/sh: {other}: inaccessible or not found")).await;
            127
        }
    };
    call.exit(code).await;
}

/// Runs a line in the device's shell; what it printed on both outputs.
pub async fn run_line(core: &Arc<Core>, line: &str) -> (String, String) {
    let output = Command::new("/bin/sh")
        .args(["-c", line])
        .env_clear()
        .envs(core.environment())
        .env("LD_PRELOAD", core.parts.paths_library())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output {
        Ok(output) => (text(&output.stdout), text(&output.stderr)),
        Err(cause) => (String::new(), cause.to_string()),
    }
}

/// The value after a flag.
pub fn after<'a>(words: &[&'a str], flag: &str) -> Option<&'a str> {
    words.iter().position(|word| *word == flag).and_then(|at| words.get(at + 1)).copied()
}
