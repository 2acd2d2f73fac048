//! `cmd` for the services that are asked through it, and `svc`.

use std::sync::Arc;

use super::{package, settings};
use crate::{call::Call, core::Core};

/// Runs `cmd`.
pub async fn cmd(core: &Arc<Core>, call: &mut Call) -> u8 {
    let argv = call.argv.clone();
    let words: Vec<&str> = argv.iter().skip(1).map(String::as_str).collect();
    let has_clipboard = core.state().clipboard_by_cmd;
    match words.as_slice() {
        ["package", ..] => package::run(core, call, 2).await,
        ["uimode", "night", mode @ ("yes" | "no" | "auto")] => {
            core.state().settings.insert("secure/ui_night_mode".to_owned(), (*mode).to_owned());
            call.line(format!("Night mode: {mode}")).await;
            0
        }
        ["uimode", "night"] => {
            let mode = core.state().settings.get("secure/ui_night_mode").cloned().unwrap_or_else(|| "no".to_owned());
            call.line(format!("Night mode: {mode}")).await;
            0
        }
        ["clipboard", ..] if !has_clipboard => {
            call.line("No shell command implementation.").await;
            0
        }
        ["clipboard", rest @ ..] => clipboard(core, call, rest).await,
        ["connectivity", "airplane-mode", rest @ ..] if core.api >= 30 => {
            if let [mode] = rest {
                let on = if *mode == "enable" { "1" } else { "0" };
                core.state().settings.insert("global/airplane_mode_on".to_owned(), on.to_owned());
                return 0;
            }
            let on = core.state().settings.get("global/airplane_mode_on").is_some_and(|on| on == "1");
            call.line(if on { "enabled" } else { "disabled" }).await;
            0
        }
        ["statusbar", ..] | ["notification", ..] | ["overlay", ..] | ["appops", ..] => 0,
        ["location", "set-location-enabled", on, ..] => {
            let mode = if *on == "true" { "3" } else { "0" };
            core.state().settings.insert("secure/location_mode".to_owned(), mode.to_owned());
            0
        }
        ["input_method" | "ime", ..] => settings::ime_words(core, call, words.get(1..).unwrap_or_default()).await,
        [service, ..] => {
            call.complain(format!("cmd: Can't find service: {service}")).await;
            20
        }
        [] => {
            call.complain("cmd: No service specified; use -l to list all services.").await;
            20
        }
    }
}

/// `cmd clipboard`, where a system has it.
async fn clipboard(core: &Arc<Core>, call: &mut Call, words: &[&str]) -> u8 {
    let without = words.iter().filter(|word| !word.starts_with("--")).copied().collect::<Vec<_>>();
    match without.as_slice() {
        ["get" | "get-primary-clip", ..] => {
            let text = core.state().clipboard.clone().unwrap_or_default();
            call.line(text).await;
            0
        }
        ["set" | "set-primary-clip", rest @ ..] => {
            let rest = rest.strip_prefix(&["text"]).unwrap_or(rest);
            core.state().copy(&rest.join(" "));
            0
        }
        _ => {
            call.line("No shell command implementation.").await;
            0
        }
    }
}

/// Runs `svc wifi|data|bluetooth enable|disable`.
pub async fn svc(core: &Arc<Core>, call: &mut Call) -> u8 {
    let argv = call.argv.clone();
    let words: Vec<&str> = argv.iter().skip(1).map(String::as_str).collect();
    match words.as_slice() {
        [radio, "enable" | "disable"] => {
            let on = words.get(1) == Some(&"enable");
            let mut state = core.state();
            state.switches.insert((*radio).to_owned(), on);
            if *radio == "wifi" {
                state.settings.insert("global/wifi_on".to_owned(), u8::from(on).to_string());
            }
            0
        }
        ["power", ..] => 0,
        _ => {
            call.complain("usage: svc wifi|data|bluetooth enable|disable").await;
            1
        }
    }
}
