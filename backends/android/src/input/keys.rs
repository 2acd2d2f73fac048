//! Keys and actions of the system: through the helper, or the device's own `input` where the helper cannot.

use backend::Receipt;
use contract::{Code, Failure, Row};
use serde_json::json;
use wire::Context;

use super::press;
use crate::{
    device::AndroidDevice,
    helper::{
        features::Features,
        request::{Action, Ask},
    },
    system::key,
};

/// `KEYCODE_BACK`, `KEYCODE_HOME`.
const BACK: u32 = 4;
const HOME: u32 = 3;

/// Something that a person does with a button of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Button {
    /// The way back.
    Back,
    /// The home screen.
    Home,
    /// The apps that were used last.
    AppSwitcher,
    /// The keyboard's enter key.
    Enter,
}

impl Button {
    const fn facts(self) -> (Option<&'static str>, u32, &'static str) {
        match self {
            Button::Back => (Some("back"), BACK, "going back"),
            Button::Home => (Some("home"), HOME, "going home"),
            Button::AppSwitcher => (Some("recents"), key::APP_SWITCH, "showing the last apps"),
            Button::Enter => (None, key::ENTER, "pressing enter"),
        }
    }
}

/// Presses it.
///
/// # Errors
/// How the command was lost; unknown where the system says that it did not do it.
pub async fn press(device: &AndroidDevice, context: &Context, button: Button) -> Result<Receipt, Failure> {
    let (global, code, doing) = button.facts();
    let features = device.helper().ready(context).await?;
    let (ask, needs) = match global {
        Some(name) => (Ask::of(Action::Global).with(json!({"name": name})), Features::GLOBAL),
        None => (Ask::of(Action::Key).with(json!({"keyCode": code})), Features::KEY),
    };
    if !features.contains(needs) {
        let done = device.system().press(context, code).await;
        device.changed();
        return done;
    }
    let said = press::act(device, context, ask, needs, doing).await?;
    if said.fields.flag("performed") == Some(false) {
        let message = format!("{doing}: the system did not do it");
        return Err(
            Failure::lost(Row::HelperCommandFailed, Code::CommandFailed, message).reason("global_action_refused")
        );
    }
    Ok(Receipt { resolved: said.resolved, ..Receipt::default() })
}
