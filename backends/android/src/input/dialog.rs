//! Answering native dialogs: their own buttons are pressed.

use backend::{Aimed, Receipt, TouchPlan};
use contract::{Code, Failure, Row};
use wire::Context;

use super::press;
use crate::device::AndroidDevice;

/// Presses the button that accepts the open dialog, or the one that dismisses it.
///
/// # Errors
/// Refused where no dialog is open, or it has no such button.
pub async fn answer(device: &AndroidDevice, context: &Context, accept: bool) -> Result<Receipt, Failure> {
    let seen = device.look(context, device.max_nodes()).await?;
    let absent = |what: &str, reason| {
        Err(Failure::refused(Row::DaemonRefusalAbsent, Code::ElementNotFound, what.to_owned()).reason(reason))
    };
    let Some(alert) = &seen.capture.alert else { return absent("no dialog is open", "no_dialog") };
    let Some(place) = (if accept { alert.accept } else { alert.dismiss }) else {
        let word = if accept { "accepts" } else { "dismisses" };
        return absent(&format!("the dialog has no button that {word} it"), "no_such_button");
    };
    let Aimed::Ready(landing) = seen.capture.aim(place) else {
        return absent("the dialog's button cannot be pressed", "button_unreachable");
    };
    let touch = press::Touch {
        at: landing.point,
        node: seen.capture.tree.get(place).and_then(|node| node.key),
        plan: TouchPlan::tap,
        times: 1,
        doing: "answering the dialog",
        guarded: false,
    };
    press::touch(device, context, touch).await
}
