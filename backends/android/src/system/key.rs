//! Keys pressed through `input`, for where no helper is there to press them.

use contract::{Code, Failure, Row};
use wire::Context;

use super::script::Script;
use crate::adb::Phone;

/// `KEYCODE_ENTER`.
pub const ENTER: u32 = 66;
/// `KEYCODE_APP_SWITCH`.
pub const APP_SWITCH: u32 = 187;

/// Presses a key by its number (`android.view.KeyEvent`).
///
/// # Errors
/// No way to the device; `adb.command-failed` where `input` complains.
pub async fn press(context: &Context, phone: &Phone, code: u32) -> Result<(), Failure> {
    let answered = Script::of(format!("input keyevent {code}")).change(context, phone).await?;
    let complaint = match answered.reply().first() {
        Some(part) if part.exit == 0 && !part.text.contains("Exception") => None,
        Some(part) => Some(part.text.trim().to_owned()),
        None => Some(String::new()),
    };
    match complaint {
        None => {
            answered.completed();
            Ok(())
        }
        Some(text) => {
            answered.undecided();
            Err(Failure::lost(
                Row::AdbCommandFailed,
                Code::CommandFailed,
                format!("could not press key {code}: {}", first(&text)),
            )
            .reason("adb_command_failed"))
        }
    }
}

/// The first line that says something.
pub(super) fn first(text: &str) -> &str {
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("nothing was said")
}
