//! The on-screen keyboard: whether it is shown, for which kind of text, and hiding it.

use std::time::Duration;

use backend::{KeyboardState, Receipt};
use contract::{Code, Failure};
use wire::Context;

use super::{
    script::{Script, text, value},
    settle::{Settled, until},
};
use crate::adb::Phone;

/// `KEYCODE_ESCAPE`: hides a keyboard and, unlike Back, leaves the screen behind it alone.
const ESCAPE: u32 = 111;
/// How often it is pressed at most (the field's number).
const TRIES: u32 = 2;
/// Pause between two looks at the keyboard (the field's number).
const INTERVAL: Duration = Duration::from_millis(120);
/// How long one press has to take effect: the slide-out takes up to 300 ms.
const HIDES_WITHIN: Duration = Duration::from_millis(1200);

fn script() -> Script {
    Script::of("dumpsys input_method | grep -E 'mInputShown=|mIsInputViewShown=|inputType=0x'")
        .then("settings get secure default_input_method")
}

/// How the keyboard stands. `rect` is not known here.
///
/// # Errors
/// No way to the device.
pub async fn state(context: &Context, phone: &Phone) -> Result<KeyboardState, Failure> {
    let parts = script().look(context, phone).await?;
    Ok(read(text(&parts, 0), value(&parts, 1)))
}

/// Hides it: the escape key at most twice, never Back.
///
/// # Errors
/// No way to the device; `COMMAND_FAILED` where it is still shown.
pub async fn hide(context: &Context, phone: &Phone) -> Result<Receipt, Failure> {
    let mut last = state(context, phone).await?;
    for _ in 0..TRIES {
        if !last.visible {
            return Ok(Receipt::default());
        }
        context.check()?;
        super::key::press(context, phone, ESCAPE).await?;
        let seen = until(context, INTERVAL, HIDES_WITHIN, || state(context, phone), |state| !state.visible).await?;
        match seen {
            Settled::Held(state) | Settled::Not(state) => last = state,
        }
    }
    if !last.visible {
        return Ok(Receipt::default());
    }
    let method = last.input_method.as_deref().unwrap_or("the keyboard");
    Err(Failure::new(Code::CommandFailed, format!("{method} is still shown after {TRIES} presses of escape"))
        .reason("keyboard_not_hidden")
        .hint("press its own hide key, or something outside the field; agent-device back hides it too, where the app lets it"))
}

/// Reads the dump of the input method manager.
pub(crate) fn read(dump: &str, method: Option<&str>) -> KeyboardState {
    let flag = |name: &str| dump.lines().find_map(|line| word(line, name)).map(|value| value == "true");
    // The manager's own word; the service's where a manager of newer Androids keeps none.
    let visible = flag("mInputShown=").or_else(|| flag("mIsInputViewShown=")).unwrap_or(false);
    let kind = dump
        .lines()
        .find_map(|line| u32::from_str_radix(word(line, "inputType=0x")?, 16).ok())
        .filter(|kind| *kind != 0);
    KeyboardState {
        visible,
        rect: None,
        input_type: kind.filter(|_| visible).map(|kind| meaning(kind).to_owned()),
        input_method: method.map(str::to_owned),
    }
}

/// What follows a name in a line of `name=value` words.
fn word<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split_whitespace().find_map(|word| word.strip_prefix(name))
}

/// What an `android:inputType` asks for: class in the low 4 bits, variation in the next 8 (`android.text.InputType`).
const fn meaning(kind: u32) -> &'static str {
    match (kind & 0xf, kind >> 4 & 0xff) {
        // TYPE_TEXT_VARIATION_PASSWORD, VISIBLE_PASSWORD, WEB_PASSWORD; TYPE_NUMBER_VARIATION_PASSWORD.
        (1, 0x8 | 0x9 | 0xe) | (2, 0x1) => "password",
        // TYPE_TEXT_VARIATION_EMAIL_ADDRESS, WEB_EMAIL_ADDRESS.
        (1, 0x2 | 0xd) => "email",
        (2, _) => "number",
        (3, _) => "phone",
        (4, _) => "datetime",
        _ => "text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_type_says_what_is_asked_for() {
        for (kind, expected) in [
            (0x1, "text"),
            (0x20001, "text"),
            (0x11, "text"),
            (0x21, "email"),
            (0xd1, "email"),
            (0x81, "password"),
            (0x91, "password"),
            (0xe1, "password"),
            (0x12, "password"),
            (0x2, "number"),
            (0x2002, "number"),
            (0x3, "phone"),
            (0x4, "datetime"),
            (0x14, "datetime"),
        ] {
            assert_eq!(meaning(kind), expected, "{kind:#x}");
        }
    }

    /// Lines as Android prints them, the manager's before the service's.
    #[test]
    fn the_state_is_read_in_every_format() {
        let eight = "    mCurMethodId=com.android.inputmethod.latin/.LatinIME\n    mShowRequested=true mShowExplicitlyRequested=true mShowForced=false mInputShown=true\n      inputType=0x20001 imeOptions=0x2000005 privateImeOptions=null\n    mWindowVisible=true mIsInputViewShown=true\n";
        let fourteen = "    mRequestedShowExplicitly=false mShowForced=false\n    mInputShown=true\n        inputType=0x21 imeOptions=0x5 privateImeOptions=nm\n";
        let service_only = "  mIsInputViewShown=true\n    inputType=0x3 imeOptions=0x6 privateImeOptions=null\n";
        for (dump, visible, kind) in [
            (eight, true, Some("text")),
            (fourteen, true, Some("email")),
            (service_only, true, Some("phone")),
            ("    mInputShown=false\n      inputType=0x1 imeOptions=0x0\n    mIsInputViewShown=true\n", false, None),
            ("    mInputShown=true\n      inputType=0x0 imeOptions=0x0\n", true, None),
            ("", false, None),
        ] {
            let state = read(dump, Some("com.example/.Keys"));
            assert_eq!((state.visible, state.input_type.as_deref()), (visible, kind), "{dump}");
            assert_eq!(state.input_method.as_deref(), Some("com.example/.Keys"));
        }
    }
}
