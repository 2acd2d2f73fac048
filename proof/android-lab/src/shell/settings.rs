//! `settings`, `ime`, `getprop`, `setprop`, `wm`.

use std::sync::Arc;

use crate::{
    call::Call,
    core::Core,
    display::DENSITY,
    process::{full, keyboard_changed},
    state::KEYBOARD,
};

/// Runs `settings get|put|delete|list`.
pub async fn settings(core: &Arc<Core>, call: &mut Call) -> u8 {
    let argv = call.argv.clone();
    let mut words: Vec<&str> = argv.iter().skip(1).map(String::as_str).collect();
    if let Some(at) = words.iter().position(|word| *word == "--user") {
        words.drain(at..(at + 2).min(words.len()));
    }
    match words.as_slice() {
        ["get", space, key] => {
            let value = core.state().settings.get(&format!("{space}/{key}")).cloned();
            call.line(value.unwrap_or_else(|| "null".to_owned())).await;
        }
        ["put", space, key, value, ..] => {
            core.state().settings.insert(format!("{space}/{key}"), (*value).to_owned());
            changed(core, space, key).await;
        }
        ["delete", space, key] => {
            let gone = core.state().settings.remove(&format!("{space}/{key}"));
            call.line(format!("Deleted {} rows", u8::from(gone.is_some()))).await;
        }
        ["list", space] => {
            let lines: Vec<String> = {
                let state = core.state();
                let prefix = format!("{space}/");
                let own = state.settings.iter();
                own.filter_map(|(key, value)| key.strip_prefix(&prefix).map(|key| format!("{key}={value}"))).collect()
            };
            for line in lines {
                call.line(line).await;
            }
        }
        _ => {
            call.complain("Invalid command").await;
            return 255;
        }
    }
    0
}

/// Settings that something follows from.
async fn changed(core: &Arc<Core>, space: &str, key: &str) {
    let value = |key: &str| core.state().settings.get(key).cloned().unwrap_or_default();
    match (space, key) {
        ("system", "user_rotation" | "accelerometer_rotation") if value("system/accelerometer_rotation") == "0" => {
            let rotation = value("system/user_rotation").parse().unwrap_or(0);
            core.turn(rotation).await;
        }
        // The phone lies on a table, upright.
        ("system", "accelerometer_rotation") => core.turn(0).await,
        ("secure", "default_input_method") => keyboard_changed(core).await,
        _ => {}
    }
}

/// Runs `ime`.
pub async fn ime(core: &Arc<Core>, call: &mut Call) -> u8 {
    let argv = call.argv.clone();
    let words: Vec<&str> = argv.iter().skip(1).map(String::as_str).collect();
    ime_words(core, call, &words).await
}

/// `ime list|enable|disable|set|reset`.
pub async fn ime_words(core: &Arc<Core>, call: &mut Call, words: &[&str]) -> u8 {
    let id = words.last().copied().unwrap_or_default();
    let enabled = |core: &Core| -> Vec<String> {
        let state = core.state();
        let list = state.settings.get("secure/enabled_input_methods").cloned().unwrap_or_default();
        list.split(':').filter(|id| !id.is_empty()).map(str::to_owned).collect()
    };
    let store = |list: &[String]| {
        core.state().settings.insert("secure/enabled_input_methods".to_owned(), list.join(":"));
    };
    match words.first().copied().unwrap_or_default() {
        "list" => {
            let all = words.contains(&"-a");
            let list = if all { core.state().keyboards.clone() } else { enabled(core) };
            for id in list {
                call.line(if words.contains(&"-s") { id } else { format!("{id}:\n  mId={id}") }).await;
            }
            0
        }
        "reset" => {
            store(&[KEYBOARD.to_owned()]);
            core.state().settings.insert("secure/default_input_method".to_owned(), KEYBOARD.to_owned());
            keyboard_changed(core).await;
            call.line("Reset current and enabled IMEs for user #0").await;
            call.line(format!("  Selected: {KEYBOARD}")).await;
            0
        }
        action @ ("enable" | "disable" | "set") => {
            let known = core.state().keyboards.iter().find(|known| full(known) == full(id)).cloned();
            let Some(id) = known else {
                call.complain(format!("Unknown input method {id} cannot be {} for user #0", said(action))).await;
                return 255;
            };
            let mut list = enabled(core);
            match action {
                "enable" => {
                    let was = list.contains(&id);
                    if !was {
                        list.push(id.clone());
                    }
                    store(&list);
                    let before = if was { "already" } else { "now" };
                    call.line(format!("Input method {id}: {before} enabled for user #0")).await;
                }
                "disable" => {
                    list.retain(|known| *known != id);
                    store(&list);
                    let current = core.state().keyboard() == id;
                    if current {
                        core.state().settings.insert("secure/default_input_method".to_owned(), KEYBOARD.to_owned());
                    }
                    call.line(format!("Input method {id}: now disabled for user #0")).await;
                }
                _ if !list.contains(&id) => {
                    call.complain(format!("Unknown input method {id} cannot be selected for user #0")).await;
                    return 255;
                }
                _ => {
                    core.state().settings.insert("secure/default_input_method".to_owned(), id.clone());
                    call.line(format!("Input method {id} selected for user #0")).await;
                }
            }
            keyboard_changed(core).await;
            core.event();
            0
        }
        other => {
            call.complain(format!("Unknown command: {other}")).await;
            255
        }
    }
}

fn said(action: &str) -> &'static str {
    match action {
        "enable" => "enabled",
        "disable" => "disabled",
        _ => "selected",
    }
}

/// Runs `getprop`.
pub async fn getprop(core: &Arc<Core>, call: &mut Call) -> u8 {
    match call.argv.get(1).cloned() {
        Some(key) => {
            let value = core.state().properties.get(&key).cloned();
            call.line(value.or_else(|| call.argv.get(2).cloned()).unwrap_or_default()).await;
        }
        None => {
            let all: Vec<String> =
                core.state().properties.iter().map(|(key, value)| format!("[{key}]: [{value}]")).collect();
            for line in all {
                call.line(line).await;
            }
        }
    }
    0
}

/// Runs `setprop`.
pub async fn setprop(core: &Arc<Core>, call: &mut Call) -> u8 {
    let [_, key, value] = call.argv.as_slice() else {
        call.complain("usage: setprop NAME VALUE").await;
        return 1;
    };
    core.state().properties.insert(key.clone(), value.clone());
    0
}

/// Runs `wm size` and `wm density`.
pub async fn wm(core: &Arc<Core>, call: &mut Call) -> u8 {
    let (width, height) = core.state().display.physical();
    match call.words().as_slice() {
        ["size"] => call.line(format!("Physical size: {width}x{height}")).await,
        ["density"] => call.line(format!("Physical density: {DENSITY}")).await,
        _ => {
            call.complain("Error: unknown command").await;
            return 255;
        }
    }
    0
}
