//! What an app has stored.

use backend::Receipt;
use contract::{Code, Failure, Row};
use wire::Context;

use crate::{
    adb::{Phone, quote},
    system::{
        apps::installed,
        key::first,
        script::{Script, text},
    },
};

/// Ends an app and removes everything that it has stored, the permissions it was given included.
///
/// # Errors
/// `android.app-not-installed`; `android.setting-not-held` where the package manager does not do it.
pub async fn clear(context: &Context, phone: &Phone, app: &str) -> Result<Receipt, Failure> {
    installed(context, phone, app).await?;
    let script = Script::of(quote::line(["am", "force-stop", app])).then(quote::line(["pm", "clear", app]));
    let answered = script.change(context, phone).await?;
    let said = text(answered.reply(), 1).trim().to_owned();
    if said == "Success" {
        answered.completed();
        let warning = format!("{app} was ended: open it again");
        return Ok(Receipt { warnings: vec![warning], ..Receipt::default() });
    }
    answered.undecided();
    Err(Failure::lost(
        Row::AndroidSettingNotHeld,
        Code::CommandFailed,
        format!("{app} was ended, and what it has stored is not removed: {}", first(&said)),
    )
    .reason("clear_failed")
    .hint("some vendors forbid it for their own apps; remove and install the app instead: agent-device reinstall"))
}
