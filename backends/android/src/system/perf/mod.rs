//! How an app does: frames and memory.
//!
//! | module | answers |
//! | --- | --- |
//! | [`frames`] | `dumpsys gfxinfo`: how many frames came, how many late |
//! | [`memory`] | `dumpsys meminfo`: how much memory its processes take |

pub mod frames;
pub mod memory;

use contract::{Code, Failure, Row, command::PerfArea};
use serde_json::Value;
use wire::Context;

use super::script::{Script, text};
use crate::adb::{Phone, quote};

/// Measures an app; counts its frames anew afterwards where `reset` is set.
///
/// # Errors
/// No way to the device; `adb.look-failed` where the app does not run.
pub async fn measure(
    context: &Context,
    phone: &Phone,
    app: &str,
    area: PerfArea,
    reset: bool,
) -> Result<Value, Failure> {
    let line = match area {
        PerfArea::Frames => quote::line(["dumpsys", "gfxinfo", app, "framestats"]),
        PerfArea::Memory => quote::line(["dumpsys", "meminfo", app]),
    };
    let mut script = Script::of(line);
    if reset && area == PerfArea::Frames {
        // Only the counters change, nothing of the app.
        script = script.then(format!("{} >/dev/null", quote::line(["dumpsys", "gfxinfo", app, "reset"])));
    }
    let parts = script.look(context, phone).await?;
    let dump = text(&parts, 0);
    let read = match area {
        PerfArea::Frames => frames::read(dump, app).map(|frames| serde_json::json!(frames)),
        PerfArea::Memory => memory::read(dump, app).map(|memory| serde_json::json!(memory)),
    };
    let Some(mut measured) = read else {
        return Err(nothing(app, dump));
    };
    measured["app"] = app.into();
    if area == PerfArea::Frames {
        measured["reset"] = reset.into();
    }
    Ok(measured)
}

fn nothing(app: &str, dump: &str) -> Failure {
    if dump.contains("No process found for") || dump.trim().is_empty() {
        return Failure::refused(
            Row::AdbLookFailed,
            Code::CommandFailed,
            format!("{app} does not run, so there is nothing to measure"),
        )
        .reason("app_not_running")
        .hint(format!("open it first: agent-device open {app}"));
    }
    Failure::refused(
        Row::AdbLookFailed,
        Code::CommandFailed,
        format!("what the device says of {app} cannot be read: {}", super::key::first(dump)),
    )
    .reason("measure_unreadable")
}

/// Counts an app's frames anew. An app that does not run has none to count.
///
/// # Errors
/// No way to the device.
pub async fn reset(context: &Context, phone: &Phone, app: &str) -> Result<(), Failure> {
    let line = format!("{} >/dev/null", quote::line(["dumpsys", "gfxinfo", app, "reset"]));
    Script::of(line).look(context, phone).await.map(drop)
}
