//! `input`: touches, text and keys from a shell.

use std::{sync::Arc, time::Duration};

use backend::Input;
use tokio::time::sleep;

use crate::{
    call::Call,
    core::Core,
    double::answer::perform,
    keys::{self, Key},
    touch::{Event, Kind, Meaning},
};

/// How long a swipe takes by itself.
const SWIPE: Duration = Duration::from_millis(300);

/// Runs it.
pub async fn run(core: &Arc<Core>, call: &mut Call) -> u8 {
    let argv = call.argv.clone();
    let mut words: Vec<&str> = argv.iter().skip(1).map(String::as_str).collect();
    // Sources are all the same here.
    if matches!(words.first(), Some(&("touchscreen" | "keyboard" | "touchpad" | "mouse"))) {
        words.remove(0);
    }
    let number = |word: &str| word.parse::<f64>().ok();
    match words.as_slice() {
        ["tap", x, y] => match (number(x), number(y)) {
            (Some(x), Some(y)) => swipe(core, (x, y), (x, y), Duration::ZERO).await,
            _ => return refuse(call, "Invalid arguments for command: tap").await,
        },
        ["swipe" | "draganddrop", x, y, to_x, to_y, rest @ ..] => {
            let ms = rest.first().and_then(|ms| ms.parse().ok()).map_or(SWIPE, Duration::from_millis);
            match (number(x), number(y), number(to_x), number(to_y)) {
                (Some(x), Some(y), Some(to_x), Some(to_y)) => swipe(core, (x, y), (to_x, to_y), ms).await,
                _ => return refuse(call, "Invalid arguments for command: swipe").await,
            }
        }
        ["text", rest @ ..] if !rest.is_empty() => {
            let text = rest.join(" ").replace("%s", " ");
            if !text.is_ascii() {
                return refuse(call, "java.lang.NullPointerException: Attempt to get length of null array").await;
            }
            // What the app does with it is not the command's concern.
            let _taken = core.input(Input::Type { text }).await;
        }
        ["keyevent", rest @ ..] if !rest.is_empty() => {
            for word in rest.iter().filter(|word| !word.starts_with("--")) {
                match Key::named(word) {
                    Some(key) => keys::press(core, &key).await,
                    None => return refuse(call, &format!("Error: Unknown keycode: {word}")).await,
                }
            }
        }
        _ => return refuse(call, "Error: Unknown command").await,
    }
    0
}

async fn refuse(call: &mut Call, why: &str) -> u8 {
    call.complain(why).await;
    255
}

async fn swipe(core: &Arc<Core>, from: (f64, f64), to: (f64, f64), lasts: Duration) {
    let event = |kind, (x, y): (f64, f64)| Event { kind, pointer: 0, points: vec![(0, x, y)] };
    // A finger of a shell comes down on a screen that nothing else touches, or the system calls that off first.
    let _down = core.screen().take(&event(Kind::Down, from));
    if !lasts.is_zero() {
        sleep(lasts).await;
    }
    let up = core.screen().take(&event(Kind::Up, to));
    perform(core, up.ok().flatten().unwrap_or(Meaning::Nothing)).await;
}
