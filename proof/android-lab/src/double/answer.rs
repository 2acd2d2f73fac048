//! Each question of the double.

use std::{sync::Arc, time::Duration};

use backend::{Aim, Input};
use contract::command::Button;
use serde_json::{Value, json};

use super::{act, clipboard, idle};
use crate::{
    core::Core,
    keys,
    shell::run_line,
    touch::{Event, Kind, LONG_PRESS, Meaning},
};

/// The answer, or the text of an exception that the framework throws.
///
/// # Errors
/// As the framework would throw.
pub async fn answer(core: &Arc<Core>, pid: i32, kind: &str, question: &Value) -> Result<Value, String> {
    let number = |key: &str| question[key].as_i64().unwrap_or_default();
    let text = |key: &str| question[key].as_str().unwrap_or_default();
    match kind {
        "hello" => {
            let state = core.state();
            Ok(json!({ "api": core.api, "display": state.display.json(), "faults": state.faults }))
        }
        "connect" => {
            let mut state = core.state();
            match state.automation {
                Some(other) if other != pid => Err(format!(
                    "UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@{other:x}already registered!"
                )),
                _ => {
                    state.automation = Some(pid);
                    Ok(json!({}))
                }
            }
        }
        "disconnect" => {
            let mut state = core.state();
            if state.automation == Some(pid) {
                state.automation = None;
            }
            Ok(json!({}))
        }
        "scene" => Ok(core.scene().await),
        "idle" => {
            let ms = |key| Duration::from_millis(u64::try_from(number(key)).unwrap_or_default());
            Ok(json!({ "idle": idle::wait(core, ms("quiet"), ms("timeout")).await }))
        }
        "inject" => touch(core, question).await.map(|()| json!({ "ok": true })),
        "key" => {
            if number("action") == 0 {
                keys::press(core, &keys::Key::of(number("code"), number("meta"))).await;
            }
            Ok(json!({ "ok": true }))
        }
        "act" => Ok(json!({ "ok": act::on_node(core, question).await })),
        "global" => Ok(json!({ "ok": keys::global(core, number("id")).await })),
        "shell" => {
            let (out, err) = run_line(core, text("command")).await;
            Ok(json!({ "out": out, "err": err }))
        }
        "clip" => Ok(clipboard::read(core, pid)),
        "copy" => {
            core.state().copy(text("text"));
            Ok(json!({}))
        }
        "field" => Ok(act::field(core).await),
        "commit" => Ok(json!({ "ok": act::commit(core, text("text")).await })),
        "delete" => Ok(json!({ "ok": act::delete(core, number("before"), number("after")).await })),
        "replace" => Ok(json!({ "ok": act::replace(core, text("text")).await })),
        other => Err(format!("the lab knows no question {other:?}")),
    }
}

/// A helper has seen a broadcast through.
pub fn broadcast_done(core: &Core, answer: &Value) {
    if let Some(number) = answer["broadcast"].as_u64() {
        let result = (answer["code"].as_i64().unwrap_or_default(), answer["data"].as_str().map(str::to_owned));
        core.state().broadcast_results.insert(number, result);
        core.changed.notify_waiters();
    }
}

async fn touch(core: &Arc<Core>, question: &Value) -> Result<(), String> {
    let event = event(&question["event"]).ok_or("not a touch event")?;
    let meaning = core.screen().take(&event)?;
    perform(core, meaning.unwrap_or(Meaning::Nothing)).await;
    Ok(())
}

/// Does what a gesture means. An app that does not take it leaves the finger where it was: the framework knows nothing of it.
pub async fn perform(core: &Arc<Core>, meaning: Meaning) {
    let press = |point, hold_ms| Input::Press { aim: Aim { point, node: None }, button: Button::default(), hold_ms };
    let input = match meaning {
        Meaning::Press(point, held) if held >= LONG_PRESS => press(point, 500),
        Meaning::Press(point, _) => press(point, 0),
        Meaning::SecondPress(point) => {
            if let Err(cause) = core.second_press(point).await {
                core.log(0, 'W', "InputDispatcher", &cause);
            }
            return;
        }
        Meaning::Swipe(from, to) => Input::Swipe { from, to, duration_ms: 0 },
        Meaning::Nothing => return,
    };
    if let Err(cause) = core.input(input).await {
        core.log(0, 'W', "InputDispatcher", &cause);
    }
}

fn event(value: &Value) -> Option<Event> {
    let action = value["action"].as_i64()?;
    let index = usize::try_from(action >> 8 & 0xff).ok()?;
    let points: Vec<(i32, f64, f64)> = value["points"]
        .as_array()?
        .iter()
        .filter_map(|point| {
            Some((i32::try_from(point["id"].as_i64()?).ok()?, point["x"].as_f64()?, point["y"].as_f64()?))
        })
        .collect();
    let kind = match action & 0xff {
        0 | 5 => Kind::Down,
        1 | 6 => Kind::Up,
        2 => Kind::Move,
        3 => Kind::Cancel,
        _ => return None,
    };
    let pointer = points.get(index).or(points.first())?.0;
    Some(Event { kind, pointer, points })
}
