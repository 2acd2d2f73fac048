//! Text through the keys of `input`, for helpers that cannot enter any: what a keyboard from 1981 has, and no more.

use backend::Receipt;
use contract::{Code, Effect, Failure, Row};
use screen::NodeKey;
use wire::Context;

use crate::{adb::quote, device::AndroidDevice};

/// Keys pressed by one run of `input`: each run starts a virtual machine.
const BATCH: usize = 24;
/// `KEYCODE_MOVE_END`, `KEYCODE_DEL`, `KEYCODE_ENTER`.
const MOVE_END: &str = "123";
const DELETE: &str = "67";
const ENTER: &str = "66";

/// Refuses what `input` cannot type, before anything is touched.
///
/// # Errors
/// `UNSUPPORTED_OPERATION`.
pub fn printable(text: &str) -> Result<(), Failure> {
    let Some(bad) = text.chars().find(|one| !(one.is_ascii_graphic() || matches!(one, ' ' | '\n'))) else {
        return Ok(());
    };
    Err(Failure::refused(
        Row::HelperCommandRefused,
        Code::UnsupportedOperation,
        format!("{bad:?} cannot be typed: the helper on this device is too old, and the device's own keys have no such character"),
    )
    .reason("character_unsupported")
    .hint("let this program install its own helper: unset AGENT_DEVICE_ANDROID_HELPER"))
}

/// Replaces the content of the field that has the focus.
///
/// # Errors
/// How a run of `input` was lost.
pub async fn replace(
    device: &AndroidDevice,
    context: &Context,
    node: Option<NodeKey>,
    text: &str,
) -> Result<Receipt, Failure> {
    let seen = device.look(context, device.max_nodes()).await?;
    let tree = &seen.capture.tree;
    let held = node.and_then(|node| tree.place_of(node)).and_then(|place| tree.get(place));
    let length = held.and_then(|node| node.value.as_deref()).unwrap_or_default().chars().count();
    let mut keys = vec![MOVE_END];
    keys.extend(std::iter::repeat_n(DELETE, length));
    for batch in keys.chunks(BATCH) {
        run(device, context, &quote::line(["input", "keyevent"].iter().chain(batch))).await?;
    }
    type_text(device, context, text).await
}

/// Types into what has the focus.
///
/// # Errors
/// How a run of `input` was lost.
pub async fn type_text(device: &AndroidDevice, context: &Context, text: &str) -> Result<Receipt, Failure> {
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            run(device, context, &quote::line(["input", "keyevent", ENTER])).await?;
        }
        for piece in pieces(line) {
            run(device, context, &quote::line(["input", "text", &piece])).await?;
        }
    }
    device.changed();
    Ok(Receipt::default())
}

/// `input text` takes `%s` for a space, so a `%s` that is meant has to go in two pieces.
fn pieces(line: &str) -> Vec<String> {
    let mut rest = line;
    let mut pieces = Vec::new();
    while let Some((before, after)) = rest.find("%s").and_then(|at| rest.split_at_checked(at + 1)) {
        pieces.push(before.replace(' ', "%s"));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(rest.replace(' ', "%s"));
    }
    pieces
}

async fn run(device: &AndroidDevice, context: &Context, line: &str) -> Result<(), Failure> {
    device.helper().phone().run(context, Effect::Mutates, line).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_are_spelt_as_input_wants_them_and_a_percent_s_stays_one() {
        assert_eq!(pieces("a b"), ["a%sb"]);
        assert_eq!(pieces("100%sure x"), ["100%", "sure%sx"]);
        assert_eq!(pieces("%s"), ["%", "s"]);
        assert!(pieces("").is_empty());
    }

    #[test]
    fn what_the_keys_do_not_have_is_refused_before_anything_is_touched() {
        assert!(printable("a B-9!~\nline two").is_ok());
        for text in ["é", "日本", "🎉", "tab\t", "\u{7f}"] {
            assert_eq!(printable(text).unwrap_err().code, Code::UnsupportedOperation, "{text:?}");
        }
    }
}
