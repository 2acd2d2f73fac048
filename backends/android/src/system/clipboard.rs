//! The clipboard by the device's shell, which only some vendors let at it: for helpers that are too old for it.

use backend::Receipt;
use contract::{Code, Failure, Row};
use wire::Context;

use super::script::{Part, Script};
use crate::adb::{Phone, quote};

/// The text on it.
///
/// # Errors
/// `UNSUPPORTED_OPERATION` where this device's shell does not reach the clipboard: true of stock Android.
pub async fn read(context: &Context, phone: &Phone) -> Result<String, Failure> {
    let parts = Script::of("cmd clipboard get text").look(context, phone).await?;
    let part = parts.first().cloned().unwrap_or_default();
    match refusal(&part) {
        Some(why) => Err(Failure::refused(
            Row::AndroidSettingRefused,
            Code::UnsupportedOperation,
            format!("the clipboard cannot be read through this device's shell: {why}"),
        )
        .reason("clipboard_unsupported")
        .hint("paste it into a field of the app and read that: long-press the field, press Paste, then agent-device get text")),
        None if part.exit != 0 => Err(Failure::refused(
            Row::AdbLookFailed,
            Code::CommandFailed,
            format!("the clipboard could not be read: {}", super::key::first(&part.text)),
        )
        .reason("clipboard_unreadable")
        .hint("Android lets it be read only while the screen is on and unlocked")),
        None => Ok(part.text.strip_suffix('\n').unwrap_or(&part.text).to_owned()),
    }
}

/// Puts a text on it, and reads it back.
///
/// # Errors
/// `android.setting-refused` where this device's shell does not reach the clipboard; `android.setting-not-held` where
/// it then holds something else.
pub async fn write(context: &Context, phone: &Phone, text: &str) -> Result<Receipt, Failure> {
    let script = Script::of(quote::line(["cmd", "clipboard", "set", "text", text])).then("cmd clipboard get text");
    let answered = script.change(context, phone).await?;
    let set = answered.reply().first().cloned().unwrap_or_default();
    let get = answered.reply().get(1).cloned().unwrap_or_default();
    if let Some(why) = refusal(&set) {
        return Err(answered
            .refused(Row::AndroidSettingRefused, why)
            .failure(Code::UnsupportedOperation, "the clipboard cannot be written through this device's shell")
            .reason("clipboard_unsupported")
            .hint(
                "enter the text itself: agent-device fill or type, any Unicode; the clipboard is not needed for it",
            ));
    }
    answered.completed();
    if refusal(&get).is_some() {
        let warning = "unconfirmed: this device's shell writes the clipboard and does not let it be read back";
        return Ok(Receipt { warnings: vec![warning.to_owned()], ..Receipt::default() });
    }
    let held = get.text.strip_suffix('\n').unwrap_or(&get.text);
    if held == text {
        return Ok(Receipt::default());
    }
    Err(not_held(text, held))
}

/// The clipboard holds something else than was written. It may be a secret: its length says enough.
pub fn not_held(text: &str, held: &str) -> Failure {
    let one = |text: &str| format!("a text of {} characters", text.chars().count());
    super::settings::not_held("the clipboard", &one(text), &one(held))
}

/// What Android says where the clipboard has no such command, in every version's words.
fn refusal(part: &Part) -> Option<String> {
    const WORDS: &[&str] = &[
        // `Binder.onShellCommand` of a service without commands (7 and later).
        "No shell command implementation",
        // `cmd` of a service that is not there; before Android 7 there is no `cmd` at all.
        "Can't find service",
        "not found",
        // A service that has commands, and not this one.
        "Unknown command",
        "SecurityException",
        "Permission Denial",
    ];
    let first = super::key::first(&part.text);
    let refused = WORDS.iter().any(|words| first.contains(words)) && (part.exit != 0 || first.starts_with("No shell"));
    refused.then(|| first.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_without_the_command_is_told_from_a_text() {
        let part = |text: &str, exit| Part { text: text.into(), exit };
        for (text, exit, refused) in [
            ("No shell command implementation.\n", 255, true),
            ("No shell command implementation.\n", 0, true),
            ("cmd: Can't find service: clipboard\n", 20, true),
            ("/system/bin/sh: cmd: not found\n", 127, true),
            ("Unknown command: get\n", 255, true),
            ("\nException occurred while executing 'get':\njava.lang.SecurityException: no\n", 255, false),
            ("java.lang.SecurityException: Permission Denial\n", 255, true),
            ("not found\n", 0, false),
            ("hello\n", 0, false),
            ("", 0, false),
        ] {
            assert_eq!(refusal(&part(text, exit)).is_some(), refused, "{text}");
        }
    }
}
