//! The clipboard: through the helper, which Android lets at it; by the shell's `cmd` where the helper is too old for it.

use backend::Receipt;
use contract::Failure;
use serde_json::json;
use wire::Context;

use super::press;
use crate::{
    device::AndroidDevice,
    helper::{
        features::Features,
        request::{Action, Ask},
    },
    system::clipboard::not_held,
};

/// The text on it; empty where there is none.
///
/// Since Android 10 only an app with the focus or a chosen input method may read it: the helper's own is chosen for that
/// long, which takes the on-screen keyboard away as any change of the input method does.
///
/// # Errors
/// What the helper says; `UNSUPPORTED_OPERATION` where neither it nor the shell reaches the clipboard.
pub async fn read(device: &AndroidDevice, context: &Context) -> Result<String, Failure> {
    if !device.helper().ready(context).await?.contains(Features::CLIPBOARD) {
        return device.system().clipboard(context).await;
    }
    let ask = Ask::of(Action::ClipboardRead).with(json!({"mode": "get"}));
    let said = device.helper().done(context, &ask, "reading the clipboard").await;
    device.changed();
    Ok(said?.fields.text("textBase64").unwrap_or_default())
}

/// Puts a text on it, once.
///
/// # Errors
/// How the command was lost; `android.setting-not-held` where the device tells that it holds something else (it does up
/// to Android 9).
pub async fn write(device: &AndroidDevice, context: &Context, text: &str) -> Result<Receipt, Failure> {
    if !device.helper().ready(context).await?.contains(Features::CLIPBOARD) {
        return device.system().write_clipboard(context, text).await;
    }
    let ask = Ask::of(Action::ClipboardWrite).with(json!({"mode": "set", "text": text}));
    let said = press::act(device, context, ask, Features::CLIPBOARD, "writing the clipboard").await?;
    if let Some(held) = said.fields.text("textBase64").filter(|held| held != text) {
        return Err(not_held(text, &held));
    }
    Ok(Receipt { resolved: said.resolved, ..Receipt::default() })
}
