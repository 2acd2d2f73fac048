//! Turning the screen, and seeing that it turned.

use std::time::Duration;

use backend::Receipt;
use contract::{Code, Failure, Row, command::Turn};
use wire::Context;

use super::{
    script::{Part, Script, text},
    settle::{Settled, until},
};
use crate::adb::Phone;

/// How long a turn may take (the field's number).
const TURNS_WITHIN: Duration = Duration::from_secs(15);
/// Pause between two looks.
const INTERVAL: Duration = Duration::from_millis(200);

/// How the screen stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stand {
    /// Quarter turns from how the display is built in: 0 to 3 (`Surface.ROTATION_*`).
    rotation: Option<u8>,
    /// The display is built in wider than high, as in most tablets and TVs.
    wide: bool,
}

fn look() -> Script {
    Script::of("wm size").then("dumpsys display | grep -E 'mCurrentOrientation=|mOverrideDisplayInfo='")
}

/// Turns the screen and locks it so. Where the turn is not seen within the limit, a warning says so.
///
/// # Errors
/// No way to the device; `android.setting-refused` where the device does not take it.
pub async fn turn(context: &Context, phone: &Phone, turn: Turn) -> Result<Receipt, Failure> {
    let stand = read_stand(context, phone).await?;
    let wanted = user_rotation(turn, stand.wide);
    // One trip; auto-rotation goes first, or the sensor may win in between.
    let script = Script::of("settings put system accelerometer_rotation 0")
        .then(format!("settings put system user_rotation {wanted}"))
        .then("settings get system user_rotation");
    let answered = script.change(context, phone).await?;
    let held = text(answered.reply(), 2).trim().to_owned();
    if held != wanted.to_string() {
        let said: String = answered.reply().iter().map(|part| part.text.trim()).collect::<Vec<_>>().join(" ");
        // Nothing was written where both lines refuse.
        if answered.reply().iter().take(2).all(Part::refuses) {
            return Err(answered
                .refused(Row::AndroidSettingRefused, said)
                .failure(Code::UnsupportedOperation, "could not turn the screen")
                .reason("setting_refused"));
        }
        answered.undecided();
        return Err(super::settings::not_held("user_rotation", &wanted.to_string(), &held));
    }
    answered.completed();
    let seen =
        until(context, INTERVAL, TURNS_WITHIN, || read_stand(context, phone), |stand| stand.rotation == Some(wanted))
            .await;
    let warning = match seen {
        Ok(Settled::Held(_)) => return Ok(Receipt::default()),
        Ok(Settled::Not(Stand { rotation: Some(_), .. })) => {
            "unconfirmed: the rotation is set, but the screen has not turned; the app in front may be fixed to one orientation"
        }
        Ok(Settled::Not(Stand { rotation: None, .. })) | Err(_) => {
            "unconfirmed: the rotation is set, and the device does not tell how its screen stands"
        }
    };
    Ok(Receipt { warnings: vec![warning.to_owned()], ..Receipt::default() })
}

async fn read_stand(context: &Context, phone: &Phone) -> Result<Stand, Failure> {
    let parts = look().look(context, phone).await?;
    Ok(Stand { rotation: rotation(text(&parts, 1)), wide: wide(text(&parts, 0)) })
}

/// The value of `user_rotation` for a turn. On a display that is built in wide, 0 is landscape, and upright is a
/// quarter turn away (`config_reverseDefaultRotation` unset).
const fn user_rotation(turn: Turn, wide: bool) -> u8 {
    let quarters = turn.quarters();
    if wide { (quarters + 3) % 4 } else { quarters }
}

/// `Physical size: 1080x2400`.
fn wide(text: &str) -> bool {
    text.lines()
        .find_map(|line| line.trim().strip_prefix("Physical size:"))
        .and_then(|size| size.trim().split_once('x'))
        .and_then(|(width, height)| Some((width.parse::<u32>().ok()?, height.parse::<u32>().ok()?)))
        .is_some_and(|(width, height)| width > height)
}

/// The rotation of the first display, which is the built-in one.
fn rotation(dump: &str) -> Option<u8> {
    let digit = |text: &str| text.trim_start().chars().next()?.to_digit(10).and_then(|digit| u8::try_from(digit).ok());
    let current = dump.lines().find_map(|line| digit(line.trim().strip_prefix("mCurrentOrientation=")?));
    current
        .or_else(|| {
            // `mOverrideDisplayInfo=DisplayInfo{"Built-in Screen", ..., rotation 1, ...`
            dump.lines()
                .find_map(|line| digit(line.split_once("mOverrideDisplayInfo=")?.1.split_once(", rotation ")?.1))
        })
        .filter(|rotation| *rotation < 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_counted_from_how_the_display_is_built_in() {
        let turns = [Turn::Portrait, Turn::LandscapeLeft, Turn::PortraitUpsideDown, Turn::LandscapeRight];
        assert_eq!(turns.map(|turn| user_rotation(turn, false)), [0, 1, 2, 3]);
        assert_eq!(turns.map(|turn| user_rotation(turn, true)), [3, 0, 1, 2]);
        assert!(!wide("Physical size: 1080x2400\n"));
        assert!(wide("Physical size: 2560x1600\nOverride size: 800x1200\n"));
        assert!(!wide("Error type 3"));
    }

    /// Lines of Android 6 to 16, the built-in display first.
    #[test]
    fn the_rotation_is_read_in_every_format() {
        for (dump, expected) in [
            ("    mCurrentOrientation=0\n    mCurrentOrientation=1\n", Some(0)),
            ("    mCurrentOrientation=3\n", Some(3)),
            (
                "    mOverrideDisplayInfo=DisplayInfo{\"Built-in Screen, displayId 0\", uniqueId \"local:0\", app 1794 x 1080, real 1920 x 1080, largest app 1794 x 1731, smallest app 1080 x 1017, mode 1, rotation 1, density 420 (420.0 x 420.0) dpi}\n",
                Some(1),
            ),
            ("    mCurrentOrientation=7\n", None),
            ("", None),
        ] {
            assert_eq!(rotation(dump), expected, "{dump}");
        }
    }
}
