//! Accessibility actions and text, as the app in front takes them.

use std::sync::Arc;

use backend::{Aim, Aimed, Device, Input, ScrollTo};
use contract::{Point, command::Button};
use screen::{NodeKey, States};
use serde_json::{Value, json};

use super::Event;
use crate::{core::Core, process::full, scene::Target, state::Running};

/// Performs an action on a node. False where the view does not take it, is gone, or cannot be reached.
pub async fn on_node(core: &Arc<Core>, question: &Value) -> bool {
    let number = question["hash"].as_i64().and_then(|hash| i32::try_from(hash).ok()).unwrap_or_default();
    let Some(Target { package, node }) = core.targets().get(&number).cloned() else { return false };
    let Some(running) = core.state().running.get(&package).cloned() else { return false };
    let input = match question["action"].as_i64().unwrap_or_default() {
        0x10 => press(&running, node, 0).await,
        0x20 => press(&running, node, 500).await,
        1 => return focus(core, &package, &running, node).await,
        0x1000 | 0x0102_0038 | 0x0102_003a => Some(scroll(node, 0.0, 0.8)),
        0x2000 | 0x0102_003b => Some(scroll(node, 0.0, -0.8)),
        0x0102_0036 => return reach(&running, node).await.is_some(),
        0x20_0000 => {
            return set_text(core, &package, &running, node, question["text"].as_str().unwrap_or_default()).await;
        }
        0x2_0000 => return is_field(&running, node).await,
        _ => None,
    };
    match input {
        Some(Input::Scroll { within, to }) => core
            .input_to(&package, &running, Input::Scroll { within, to })
            .await
            .is_ok_and(|receipt| receipt.moved.is_some_and(|(x, y)| x.abs() + y.abs() > 0.0)),
        Some(input) => core.input_to(&package, &running, input).await.is_ok(),
        None => false,
    }
}

fn scroll(node: NodeKey, x: f64, y: f64) -> Input {
    Input::Scroll { within: Some(node), to: ScrollTo::Share { x, y } }
}

/// A point that reaches a node, which may bring it into view.
async fn reach(running: &Running, node: NodeKey) -> Option<Point> {
    match running.device.aim(&Core::context(), node).await {
        Ok(Some(Aimed::Ready(landing))) => Some(landing.point),
        _ => None,
    }
}

async fn press(running: &Running, node: NodeKey, hold_ms: u64) -> Option<Input> {
    let point = reach(running, node).await?;
    Some(Input::Press { aim: Aim { point, node: Some(node) }, button: Button::default(), hold_ms })
}

async fn is_field(running: &Running, node: NodeKey) -> bool {
    matches!(running.device.field(&Core::context(), node).await, Ok(Some(_)))
}

/// Only fields take the focus here; a press is what gives it to them.
async fn focus(core: &Arc<Core>, package: &str, running: &Running, node: NodeKey) -> bool {
    if !is_field(running, node).await {
        return false;
    }
    match press(running, node, 0).await {
        Some(input) => core.input_to(package, running, input).await.is_ok(),
        None => false,
    }
}

async fn set_text(core: &Arc<Core>, package: &str, running: &Running, node: NodeKey, text: &str) -> bool {
    core.state().entries += 1;
    let Some(point) = reach(running, node).await else { return false };
    let input = Input::Fill { aim: Aim { point, node: Some(node) }, text: text.to_owned(), delay_ms: 0 };
    core.input_to(package, running, input).await.is_ok_and(|receipt| receipt.warnings.is_empty())
}

/// The app on top and its node that has the focus, if that is a field which takes text.
async fn focused(core: &Arc<Core>) -> Option<(String, Running, screen::Node)> {
    let (package, running) = core.on_screen().await.pop()?;
    let tree = running.device.capture(&Core::context(), u32::MAX).await.ok()?;
    let node = tree.nodes().iter().find(|node| node.is(States::FOCUSED | States::EDITABLE))?.clone();
    Some((package, running, node))
}

/// What an input method is told of the field that has the focus.
pub async fn field(core: &Arc<Core>) -> Value {
    match focused(core).await {
        None => json!({ "editable": false }),
        Some((package, _, node)) => json!({
            "editable": true, "package": package, "text": node.value.as_deref().unwrap_or_default(),
            "password": node.is(States::PASSWORD), "multiLine": node.is(States::MULTILINE),
        }),
    }
}

/// Text from an input method, at the end of the field.
pub async fn commit(core: &Arc<Core>, text: &str) -> bool {
    core.state().entries += 1;
    typed(core, text).await
}

async fn typed(core: &Arc<Core>, text: &str) -> bool {
    let Some((package, running, _)) = focused(core).await else { return false };
    core.input_to(&package, &running, Input::Type { text: text.to_owned() }).await.is_ok()
}

/// Characters taken away before the end of the field; there are none after it.
pub async fn delete(core: &Arc<Core>, before: i64, _after: i64) -> bool {
    let count = usize::try_from(before).unwrap_or_default().min(10_000);
    typed(core, &"\u{8}".repeat(count)).await
}

/// The whole content replaced: everything selected, then text committed.
pub async fn replace(core: &Arc<Core>, text: &str) -> bool {
    let Some((_, _, node)) = focused(core).await else { return false };
    let held = node.value.as_deref().unwrap_or_default().chars().count();
    commit(core, &format!("{}{text}", "\u{8}".repeat(held))).await
}

/// Tells the processes whose package the current keyboard belongs to, and those it no longer belongs to.
pub fn bind_current_keyboard(core: &Core) {
    let state = core.state();
    let (package, class) = full(&state.keyboard());
    for process in &state.processes {
        let Some(events) = &process.events else { continue };
        let event =
            if process.package == package { Event::ImeBound { class: class.clone() } } else { Event::ImeUnbound };
        // A process that is gone needs no word.
        let _gone = events.send(event);
    }
}
