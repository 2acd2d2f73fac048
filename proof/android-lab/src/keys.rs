//! Keys and the system's global actions.

use std::sync::Arc;

use backend::Input;

use crate::{core::Core, state::LAUNCHER};

/// One key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// One that writes.
    Writes(char),
    /// One that the system takes.
    System(i64),
}

/// META_SHIFT_ON.
const SHIFT: i64 = 1;

/// Names that `input keyevent` takes, with or without `KEYCODE_`, and their codes.
const NAMES: &[(&str, i64)] = &[
    ("HOME", 3),
    ("BACK", 4),
    ("CALL", 5),
    ("ENDCALL", 6),
    ("STAR", 17),
    ("POUND", 18),
    ("DPAD_UP", 19),
    ("DPAD_DOWN", 20),
    ("DPAD_LEFT", 21),
    ("DPAD_RIGHT", 22),
    ("DPAD_CENTER", 23),
    ("VOLUME_UP", 24),
    ("VOLUME_DOWN", 25),
    ("POWER", 26),
    ("CAMERA", 27),
    ("CLEAR", 28),
    ("COMMA", 55),
    ("PERIOD", 56),
    ("TAB", 61),
    ("SPACE", 62),
    ("ENTER", 66),
    ("DEL", 67),
    ("MINUS", 69),
    ("EQUALS", 70),
    ("MENU", 82),
    ("SEARCH", 84),
    ("PAGE_UP", 92),
    ("PAGE_DOWN", 93),
    ("ESCAPE", 111),
    ("FORWARD_DEL", 112),
    ("MOVE_HOME", 122),
    ("MOVE_END", 123),
    ("APP_SWITCH", 187),
    ("ASSIST", 219),
    ("SLEEP", 223),
    ("WAKEUP", 224),
    ("CUT", 277),
    ("COPY", 278),
    ("PASTE", 279),
];

impl Key {
    /// The key of a code.
    pub fn of(code: i64, meta: i64) -> Key {
        let letter =
            |first: u8, from: i64| u8::try_from(code - from).ok().and_then(|by| first.checked_add(by)).map(char::from);
        let shifted = |key: Option<char>| key.map(|key| if meta & SHIFT != 0 { key.to_ascii_uppercase() } else { key });
        let written = match code {
            7..=16 => letter(b'0', 7),
            29..=54 => shifted(letter(b'a', 29)),
            55 => Some(','),
            56 => Some('.'),
            62 => Some(' '),
            66 | 160 => Some('\n'),
            67 => Some('\u{8}'),
            69 => Some('-'),
            70 => Some('='),
            74 => Some(';'),
            76 => Some('/'),
            77 => Some('@'),
            _ => None,
        };
        written.map_or(Key::System(code), Key::Writes)
    }

    /// The key of a code or a name, as `input keyevent` takes them.
    pub fn named(word: &str) -> Option<Key> {
        if let Ok(code) = word.parse() {
            return Some(Key::of(code, 0));
        }
        let name = word.strip_prefix("KEYCODE_").unwrap_or(word);
        if let [letter] = name.as_bytes() {
            return Some(Key::Writes(char::from(letter.to_ascii_lowercase())))
                .filter(|_| letter.is_ascii_alphanumeric());
        }
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, code)| Key::of(*code, 0))
    }
}

/// Presses a key.
pub async fn press(core: &Arc<Core>, key: &Key) {
    core.state().keys += 1;
    match key {
        Key::Writes(character) => {
            if let Err(cause) = core.input(Input::Type { text: character.to_string() }).await {
                core.log(0, 'W', "InputDispatcher", &cause);
            }
        }
        Key::System(3) => home(core),
        Key::System(4) => back(core).await,
        Key::System(111) => escape(core).await,
        Key::System(187) => recents(core).await,
        Key::System(26) => {
            let mut state = core.state();
            state.awake = !state.awake;
        }
        Key::System(223) => core.state().awake = false,
        Key::System(224) => core.state().awake = true,
        // Volume, media and the rest change nothing that can be seen here.
        Key::System(_) => core.event(),
    }
}

/// `performGlobalAction`. False for one that is not known.
pub async fn global(core: &Arc<Core>, action: i64) -> bool {
    core.state().keys += u32::from((1..=6).contains(&action));
    match action {
        1 => back(core).await,
        2 => home(core),
        3 => recents(core).await,
        4..=6 => core.event(),
        _ => return false,
    }
    true
}

/// The way back: the app's own, else out of it.
async fn back(core: &Arc<Core>) {
    match core.input(Input::Back).await {
        // The stage warns where there was nothing to go back to.
        Ok(receipt) if !receipt.warnings.is_empty() && core.state().over.is_none() => home(core),
        Ok(_) => {}
        Err(cause) => core.log(0, 'W', "InputDispatcher", &cause),
    }
}

/// Escape: the keyboard takes it and goes, the field keeps the focus; without one it falls back to Back.
async fn escape(core: &Arc<Core>) {
    let scene = core.scene().await;
    if !scene["windows"].as_array().into_iter().flatten().any(|window| window["type"] == "input-method") {
        return back(core).await;
    }
    if let Err(cause) = core.input(Input::HideKeyboard).await {
        core.log(0, 'W', "InputDispatcher", &cause);
    }
}

/// The home screen.
pub fn home(core: &Core) {
    {
        let mut state = core.state();
        if state.front != LAUNCHER {
            let before = std::mem::replace(&mut state.front, LAUNCHER.to_owned());
            state.behind.push(before);
        }
    }
    core.event();
}

/// The app before this one: what two quick presses of the overview key lead to.
async fn recents(core: &Arc<Core>) {
    let before = core.state().behind.last().cloned();
    if let Some(before) = before
        && let Err(cause) = core.bring(&before).await
    {
        core.log(0, 'W', "ActivityManager", &cause);
    }
    core.event();
}
