//! Installing a package, and what the package manager's refusals mean.

use backend::{Installed, Package};
use contract::{Code, Effect, Failure, Row};
use wire::Context;

use super::{
    package,
    script::{Script, text},
};
use crate::adb::{Phone, install::Verdict, quote};

/// Installs a package; one that replaces another removes that first, with all that it has stored.
///
/// # Errors
/// `android.package-unreadable`, `android.install-refused` with the package manager's code, `android.install-failed`.
pub async fn install(context: &Context, phone: &Phone, wanted: &Package) -> Result<Installed, Failure> {
    let path = wanted.path.clone();
    let id = tokio::task::spawn_blocking(move || package::id(&path))
        .await
        .map_err(|why| Failure::new(Code::Internal, format!("the package was not read: {why}")))??;
    let mut warnings = Vec::new();
    if let Some(old) = &wanted.replacing {
        if *old != id {
            return Err(Failure::refused(
                Row::DaemonProtocolBadArguments,
                Code::InvalidArgs,
                format!("{} is {id}, not {old}", wanted.path.display()),
            )
            .reason("package_mismatch")
            .hint(format!("reinstall what it is: agent-device reinstall {id} {}", wanted.path.display())));
        }
        if !uninstall(context, phone, old).await? {
            warnings.push(format!("{old} was not installed before"));
        }
    }
    // Packages that are marked as test builds are what a developer installs.
    let mut arguments = vec!["-r", "-t"];
    if wanted.grant_all {
        arguments.push("-g");
    }
    if wanted.downgrade {
        arguments.push("-d");
    }
    match phone.install(context, Effect::Mutates, &wanted.path, &arguments).await {
        Ok(()) => Ok(Installed { app: Some(id), warnings }),
        Err(failure) => Err(explained(failure)),
    }
}

/// Removes an app with all that it has stored; whether it was there.
///
/// # Errors
/// `android.install-failed` where the package manager does not remove it.
async fn uninstall(context: &Context, phone: &Phone, app: &str) -> Result<bool, Failure> {
    let answered = Script::of(quote::line(["pm", "uninstall", app])).change(context, phone).await?;
    let said = text(answered.reply(), 0).to_owned();
    let absent = ["DELETE_FAILED_INTERNAL_ERROR", "not installed for", "Unknown package"];
    match Verdict::parse(&said) {
        Verdict::Success => {
            answered.completed();
            Ok(true)
        }
        // Android says so both of what is not there and of what it cannot remove: the list tells them apart.
        _ if absent.iter().any(|words| said.contains(words)) => {
            let parts = Script::of(quote::line(["pm", "list", "packages", app])).look(context, phone).await?;
            if super::apps::packages(text(&parts, 0)).contains(app) {
                answered.undecided();
                return Err(kept(app, &said));
            }
            let _proof = answered.refused(Row::AndroidAppNotInstalled, said);
            Ok(false)
        }
        _ => {
            answered.undecided();
            Err(kept(app, &said))
        }
    }
}

fn kept(app: &str, said: &str) -> Failure {
    Failure::lost(
        Row::AndroidInstallFailed,
        Code::CommandFailed,
        format!("{app} could not be removed, and nothing was installed: {}", super::key::first(said)),
    )
    .reason("uninstall_failed")
    .hint("an app of the system, of a work profile or of a device owner cannot be removed")
}

/// Advice for a code, by the package manager's own names (`PackageManager.INSTALL_*`, `INSTALL_PARSE_*`). A name that is
/// longer is looked up by its beginning, so the more special ones come first.
const ADVICE: &[(&str, &str)] = &[
    (
        "INSTALL_FAILED_UPDATE_INCOMPATIBLE",
        "another key signed the installed one; remove it with all that it has stored: agent-device reinstall APP FILE",
    ),
    (
        "INSTALL_FAILED_VERSION_DOWNGRADE",
        "the installed one is newer: agent-device install FILE --downgrade, or reinstall",
    ),
    (
        "INSTALL_FAILED_PERMISSION_MODEL_DOWNGRADE",
        "the installed one targets a newer Android: agent-device reinstall APP FILE",
    ),
    ("INSTALL_FAILED_INSUFFICIENT_STORAGE", "make room on the device: agent-device apps shows what is installed"),
    ("INSTALL_FAILED_MEDIA_UNAVAILABLE", "make room on the device, or put the storage card back"),
    ("INSTALL_FAILED_NO_MATCHING_ABIS", "it has no native code for this device's processor: build it for that one too"),
    ("INSTALL_FAILED_OLDER_SDK", "it asks for a newer Android than the device has (minSdkVersion)"),
    ("INSTALL_FAILED_NEWER_SDK", "it does not take an Android as new as the device's (maxSdkVersion)"),
    ("INSTALL_FAILED_DEPRECATED_SDK_VERSION", "it targets an Android too old for this device: raise targetSdkVersion"),
    ("INSTALL_FAILED_MISSING_SHARED_LIBRARY", "it needs a library that this device does not have"),
    ("INSTALL_FAILED_MISSING_FEATURE", "it needs hardware that this device does not have"),
    (
        "INSTALL_FAILED_MISSING_SPLIT",
        "it is one part of several: make one APK of them: bundletool build-apks --mode=universal",
    ),
    (
        "INSTALL_FAILED_CONFLICTING_PROVIDER",
        "another app has a content provider of the same authority: remove that app",
    ),
    ("INSTALL_FAILED_DUPLICATE_PERMISSION", "another app declares the same permission: remove that app"),
    ("INSTALL_FAILED_SHARED_USER_INCOMPATIBLE", "it shares a user id with an app of another key"),
    (
        "INSTALL_FAILED_USER_RESTRICTED",
        "allow it on the device: Developer options > 'Install via USB', then confirm the dialog",
    ),
    (
        "INSTALL_FAILED_VERIFICATION",
        "Play Protect holds it back: confirm on the device, or switch off 'Verify apps over USB'",
    ),
    ("INSTALL_FAILED_REJECTED", "a rule of the device keeps it out (a work profile, an administrator)"),
    ("INSTALL_FAILED_ABORTED", "somebody, or a rule of the device, declined it: confirm the dialog on the device"),
    ("INSTALL_FAILED_TEST_ONLY", "this vendor's installer takes no test build: build it without android:testOnly"),
    ("INSTALL_FAILED_CPU_ABI_INCOMPATIBLE", "its native code is for another processor than the installed one's"),
    ("INSTALL_FAILED_DEXOPT", "it could not be prepared: often there is too little room on the device"),
    ("INSTALL_FAILED_CONTAINER_ERROR", "the device could not store it: look at its free room"),
    ("INSTALL_FAILED_PACKAGE_CHANGED", "the installed one was changed meanwhile: try again"),
    ("INSTALL_FAILED_ALREADY_EXISTS", "it is there already: agent-device reinstall APP FILE"),
    ("INSTALL_FAILED_UID_CHANGED", "left-overs of an earlier install are in the way: restart the device"),
    (
        "INSTALL_FAILED_SANDBOX_VERSION_DOWNGRADE",
        "the installed one is of a newer kind: agent-device reinstall APP FILE",
    ),
    ("INSTALL_FAILED_INTERNAL_ERROR", "the device's own fault: restart it and try again"),
    ("INSTALL_FAILED_INVALID_APK", "the file is damaged, or one part of several"),
    ("INSTALL_FAILED_INVALID_URI", "the device could not read the file: try again"),
    (
        "INSTALL_PARSE_FAILED_NO_CERTIFICATES",
        "it is not signed, or not in a way this Android knows: sign it with apksigner",
    ),
    (
        "INSTALL_PARSE_FAILED_INCONSISTENT_CERTIFICATES",
        "its parts are signed by different keys: build and sign it anew",
    ),
    (
        "INSTALL_PARSE_FAILED_RESOURCES_ARSC_COMPRESSED",
        "align it: zipalign -p 4 IN OUT, with its resources stored uncompressed",
    ),
    ("INSTALL_PARSE_FAILED_NOT_APK", "the file is no APK"),
    ("INSTALL_PARSE_FAILED", "its manifest is not what this Android takes: build it anew"),
    (
        "-99",
        "the vendor's guard against installs from a computer stopped it: allow it in Developer options, confirm the dialog",
    ),
];

/// The same failure with advice for its code.
fn explained(failure: Failure) -> Failure {
    let code = failure.details.get("installCode").and_then(|code| code.as_str()).map(str::to_owned);
    match code.and_then(|code| ADVICE.iter().find(|(begin, _)| code.starts_with(begin))) {
        Some((_, advice)) => failure.hint(*advice),
        None => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_brings_its_advice_and_none_hides_another() {
        for (place, (code, advice)) in ADVICE.iter().enumerate() {
            let failure =
                Failure::refused(Row::AndroidInstallRefused, Code::CommandFailed, "x").detail("installCode", *code);
            assert_eq!(explained(failure).hint.as_deref(), Some(*advice), "{code}");
            let hidden = ADVICE.iter().skip(place + 1).find(|(later, _)| later.starts_with(code));
            assert_eq!(hidden, None, "{code} hides it");
        }
        let unlisted =
            Failure::new(Code::CommandFailed, "x").detail("installCode", "INSTALL_FAILED_OF_TOMORROW").hint("h");
        assert_eq!(explained(unlisted).hint.as_deref(), Some("h"));
    }
}
