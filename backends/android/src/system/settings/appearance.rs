//! Light or dark.

use backend::Receipt;
use contract::{Code, Failure, Row, command::Appearance};
use wire::Context;

use super::{not_held, refused};
use crate::{
    adb::Phone,
    system::{
        key::first,
        script::{Script, text},
    },
};

/// Makes the system's surfaces light or dark.
///
/// # Errors
/// See [`super::change`].
pub async fn set(context: &Context, phone: &Phone, appearance: Appearance) -> Result<Receipt, Failure> {
    const WHAT: &str = "the appearance cannot be changed on this device";
    let dark = match appearance {
        Appearance::Light => false,
        Appearance::Dark => true,
        Appearance::Toggle => {
            let parts = Script::of("cmd uimode night").look(context, phone).await?;
            match night(text(&parts, 0)) {
                Some("yes") => false,
                Some("no") => true,
                Some(_) => {
                    return Err(refused(WHAT, "it follows the time of day, so there is no other one")
                        .hint("say which: agent-device settings appearance light (or dark)"));
                }
                None => return Err(refused(WHAT, first(text(&parts, 0))).hint("Android has it since version 10")),
            }
        }
    };
    let wanted = if dark { "yes" } else { "no" };
    let script = Script::of(format!("cmd uimode night {wanted}")).then("cmd uimode night");
    let answered = script.change(context, phone).await?;
    let said = answered.reply().first().cloned().unwrap_or_default();
    let found = night(text(answered.reply(), 1)).unwrap_or_default().to_owned();
    if night(&said.text).is_none() {
        let why = first(&said.text);
        let failure = if said.refuses() {
            answered.refused(Row::AndroidSettingRefused, why).failure(Code::UnsupportedOperation, WHAT)
        } else {
            answered.undecided();
            Failure::lost(Row::AdbCommandFailed, Code::CommandFailed, format!("{WHAT}: {why}"))
        };
        return Err(failure.reason("setting_refused").hint("Android has it since version 10"));
    }
    answered.completed();
    if found == wanted { Ok(Receipt::default()) } else { Err(not_held("the night mode", wanted, &found)) }
}

/// `Night mode: yes`.
fn night(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.trim().strip_prefix("Night mode:")).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_is_read_and_a_complaint_is_none() {
        for (text, expected) in [
            ("Night mode: yes\n", Some("yes")),
            ("Night mode: no\n", Some("no")),
            ("Night mode: auto\n", Some("auto")),
            ("Night mode: custom_schedule\n", Some("custom_schedule")),
            ("No shell command implementation.\n", None),
            ("Unknown command: night\n", None),
            ("", None),
        ] {
            assert_eq!(night(text), expected, "{text}");
        }
    }
}
