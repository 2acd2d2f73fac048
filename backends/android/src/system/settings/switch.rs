//! What is either on or off.

use std::time::Duration;

use backend::Receipt;
use contract::{Code, Failure, Row};
use wire::Context;

use super::not_held;
use crate::{
    adb::Phone,
    system::{
        key::first,
        script::{Part, Script, value},
        settle::{Settled, until},
    },
};

/// How long a radio may take to follow.
const FOLLOWS_WITHIN: Duration = Duration::from_secs(5);
/// Pause between two looks.
const INTERVAL: Duration = Duration::from_millis(200);
/// The first Android with `cmd connectivity airplane-mode` and `cmd location set-location-enabled` (API level).
const COMMANDS_SINCE: u32 = 30;
/// `Settings.Secure.LOCATION_MODE_HIGH_ACCURACY`.
const HIGH_ACCURACY: &str = "3";
/// The three factors by which animations are stretched.
const SCALES: [&str; 3] = ["window_animation_scale", "transition_animation_scale", "animator_duration_scale"];

/// Wi-Fi.
///
/// # Errors
/// See [`super::change`].
pub async fn wifi(context: &Context, phone: &Phone, on: bool) -> Result<Receipt, Failure> {
    let script = Script::of(format!("svc wifi {}", if on { "enable" } else { "disable" }));
    send(context, phone, &script, "Wi-Fi").await?;
    // 0 off, 1 on, 2 on in spite of airplane mode, 3 off because of it.
    held(context, phone, "Wi-Fi", "settings get global wifi_on", on, |value| match value {
        "1" | "2" => Some(true),
        "0" | "3" => Some(false),
        _ => None,
    })
    .await
}

/// Airplane mode.
///
/// # Errors
/// See [`super::change`].
pub async fn airplane(context: &Context, phone: &Phone, api: u32, on: bool) -> Result<Receipt, Failure> {
    const WHAT: &str = "airplane mode";
    const READ: &str = "settings get global airplane_mode_on";
    let mut warnings = Vec::new();
    if api >= COMMANDS_SINCE {
        let word = if on { "enable" } else { "disable" };
        send(context, phone, &Script::of(format!("cmd connectivity airplane-mode {word}")), WHAT).await?;
    } else {
        let script = Script::of(format!("settings put global airplane_mode_on {}", u8::from(on)))
            .then(format!("am broadcast -a android.intent.action.AIRPLANE_MODE --ez state {on}"));
        let parts = send(context, phone, &script, WHAT).await?;
        if parts.get(1).is_some_and(|part| part.exit != 0 || part.refuses()) {
            warnings.push(
                "the setting is written, but the radios do not follow: this Android lets only the system announce it"
                    .to_owned(),
            );
        }
    }
    let receipt = held(context, phone, WHAT, READ, on, switched).await?;
    Ok(Receipt { warnings, ..receipt })
}

/// Location services.
///
/// # Errors
/// See [`super::change`].
pub async fn location(context: &Context, phone: &Phone, api: u32, on: bool) -> Result<Receipt, Failure> {
    let line = if api >= COMMANDS_SINCE {
        format!("cmd location set-location-enabled {on}")
    } else {
        format!("settings put secure location_mode {}", if on { HIGH_ACCURACY } else { "0" })
    };
    send(context, phone, &Script::of(line), "location").await?;
    held(context, phone, "location", "settings get secure location_mode", on, |value| match value {
        "0" => Some(false),
        "1" | "2" | "3" => Some(true),
        _ => None,
    })
    .await
}

/// The system's animations: all three factors.
///
/// # Errors
/// See [`super::change`].
pub async fn animations(context: &Context, phone: &Phone, on: bool) -> Result<Receipt, Failure> {
    let wanted = u8::from(on);
    let script = SCALES
        .iter()
        .fold(Script::default(), |script, scale| script.then(format!("settings put global {scale} {wanted}")));
    send(context, phone, &script, "animations").await?;
    let read =
        SCALES.iter().fold(Script::default(), |script, scale| script.then(format!("settings get global {scale}")));
    let parts = read.look(context, phone).await?;
    for (number, scale) in SCALES.iter().enumerate() {
        let found = value(&parts, number).unwrap_or_default();
        if found.parse::<f64>().ok() != Some(f64::from(wanted)) {
            return Err(not_held(scale, &wanted.to_string(), found));
        }
    }
    let warnings = match on {
        true => Vec::new(),
        false => vec!["an app that runs already may keep its animations until it starts anew".to_owned()],
    };
    Ok(Receipt { warnings, ..Receipt::default() })
}

fn switched(value: &str) -> Option<bool> {
    match value {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

/// Sends the lines that change it; the first one must not fail. Where all of them refuse, nothing was changed.
async fn send(context: &Context, phone: &Phone, script: &Script, what: &str) -> Result<Vec<Part>, Failure> {
    let answered = script.change(context, phone).await?;
    let Some(failed) = answered.reply().first().filter(|part| part.exit != 0 || part.refuses()).cloned() else {
        return Ok(answered.completed());
    };
    let why = first(&failed.text);
    let what = format!("{what} cannot be changed on this device");
    let failure = if answered.reply().iter().all(Part::refuses) {
        answered.refused(Row::AndroidSettingRefused, why).failure(Code::UnsupportedOperation, &what)
    } else {
        answered.undecided();
        Failure::lost(Row::AdbCommandFailed, Code::CommandFailed, format!("{what}: {why}"))
    };
    Err(failure.reason("setting_refused").hint("change it in the device's own Settings"))
}

/// Looks until the device says what it was told.
async fn held(
    context: &Context,
    phone: &Phone,
    what: &str,
    read: &str,
    on: bool,
    meaning: fn(&str) -> Option<bool>,
) -> Result<Receipt, Failure> {
    let script = Script::of(read);
    let look = || async { Ok(value(&script.look(context, phone).await?, 0).unwrap_or_default().to_owned()) };
    match until(context, INTERVAL, FOLLOWS_WITHIN, look, |found| meaning(found) == Some(on)).await? {
        Settled::Held(_) => Ok(Receipt::default()),
        Settled::Not(found) => {
            let word = |on: bool| if on { "on" } else { "off" };
            let found = meaning(&found).map_or(found, |on| word(on).to_owned());
            Err(not_held(what, word(on), &found))
        }
    }
}
