//! Whether a press left the app.

use contract::{Code, Failure, Row};

use crate::{device::AndroidDevice, helper::fields::Fields};

/// Packages of the system whose windows lie over an app without taking its place: questions, choosers, shades.
const OVER_APPS: [&str; 9] = [
    "android",
    "com.android.systemui",
    "com.android.permissioncontroller",
    "com.google.android.permissioncontroller",
    "com.android.packageinstaller",
    "com.google.android.packageinstaller",
    "com.android.intentresolver",
    "com.android.documentsui",
    "com.google.android.documentsui",
];

/// Holds the window in front after a press against the session's app. Only where that app was in front before: who works
/// in another app on purpose is not told so with every press.
///
/// # Errors
/// `android.press-left-app`, and `android.guard-read-failed` where nobody can say. The press itself was made.
pub fn still_there(device: &AndroidDevice, before: Option<&str>, after: &Fields) -> Result<(), Failure> {
    if let Some(why) = after.get("foregroundError") {
        return Err(Failure::lost(
            Row::AndroidGuardReadFailed,
            Code::CommandFailed,
            format!("the press was made; which app is in front since could not be read: {why}"),
        )
        .reason("foreground_unknown")
        .hint("look where the press led: agent-device snapshot -i"));
    }
    let (Some(app), Some(now)) = (device.app(), after.get("packageName")) else { return Ok(()) };
    if before != Some(app.as_str()) || !left(&app, now) {
        return Ok(());
    }
    Err(Failure::lost(
        Row::AndroidPressLeftApp,
        Code::CommandFailed,
        format!("the press was made, and {now} is in front of {app} since"),
    )
    .reason("left_app")
    .detail("app", app)
    .detail("foreground", now)
    .hint("go on there (agent-device snapshot -i), go back (agent-device back), or start the app again"))
}

fn left(app: &str, now: &str) -> bool {
    !now.is_empty() && now != app && !OVER_APPS.contains(&now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_app_counts_as_having_left() {
        assert!(left("com.example", "com.android.chrome"));
        assert!(left("com.example", "com.google.android.apps.nexuslauncher"));
        for over in ["com.example", "android", "com.android.systemui", "com.google.android.permissioncontroller", ""] {
            assert!(!left("com.example", over), "{over}");
        }
    }
}
