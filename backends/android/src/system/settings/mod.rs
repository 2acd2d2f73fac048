//! `settings`: each one written, then read back.
//!
//! | module | answers |
//! | --- | --- |
//! | [`switch`] | Wi-Fi, airplane mode, location, animations: on or off |
//! | [`appearance`] | light or dark |
//! | [`permission`] | what the app may do |
//! | [`granting`] | what the package manager says of permissions, and its refusals |
//! | [`names`] | the permissions behind a name like `camera` |
//! | [`place`] | where the device believes to be |
//! | [`stored`] | what an app has stored |

pub mod appearance;
pub mod granting;
pub mod names;
pub mod permission;
pub mod place;
pub mod stored;
pub mod switch;

use backend::Receipt;
use contract::{Code, Failure, Row, command::Setting};
use wire::Context;

use crate::adb::Phone;

/// Changes a setting of a device with Android `api`. `app` is the session's own.
///
/// # Errors
/// `android.setting-refused` where this device has no such thing; `android.setting-not-held` where it was written and
/// does not hold.
pub async fn change(
    context: &Context,
    phone: &Phone,
    api: u32,
    app: Option<&str>,
    setting: &Setting,
) -> Result<Receipt, Failure> {
    match setting {
        Setting::Wifi { on } => switch::wifi(context, phone, *on).await,
        Setting::Airplane { on } => switch::airplane(context, phone, api, *on).await,
        Setting::Location { on } => switch::location(context, phone, api, *on).await,
        Setting::Animations { on } => switch::animations(context, phone, *on).await,
        Setting::LocationSet { latitude, longitude } => place::set(context, phone, *latitude, *longitude).await,
        Setting::Appearance { appearance } => appearance::set(context, phone, *appearance).await,
        Setting::Permission { grant, permission } => {
            permission::change(context, phone, api, own(app, None)?, *grant, permission).await
        }
        Setting::ClearAppState { app: named } => stored::clear(context, phone, own(app, named.as_deref())?).await,
    }
}

/// The app that is meant.
pub(super) fn own<'a>(session: Option<&'a str>, named: Option<&'a str>) -> Result<&'a str, Failure> {
    named.or(session).ok_or_else(|| {
        Failure::refused(Row::DaemonProtocolBadArguments, Code::InvalidArgs, "no app is open, so none is meant")
            .reason("no_app")
            .hint("open the app first: agent-device open com.example.app")
    })
}

/// The failure where something was written and does not hold.
pub(super) fn not_held(what: &str, wanted: &str, held: &str) -> Failure {
    let held = if held.is_empty() || held == "null" { "nothing" } else { held };
    Failure::lost(
        Row::AndroidSettingNotHeld,
        Code::CommandFailed,
        format!("{what} was to be {wanted}, and is {held} after it was written"),
    )
    .reason("setting_not_held")
    .detail("wanted", wanted)
    .detail("held", held)
    .hint("the device may forbid it (a work profile, a vendor's own rule): look at it in the device's Settings")
}

/// The failure where the device has no such setting.
pub(super) fn refused(what: &str, why: &str) -> Failure {
    Failure::refused(Row::AndroidSettingRefused, Code::UnsupportedOperation, format!("{what}: {why}"))
        .reason("setting_refused")
}
