//! Makes sure that the helper on a device is ours.

use std::{
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use contract::{Claim, Code, Dispatched, Effect, Failure, Row};
use wire::Context;

use super::{
    package::{Package, Packages},
    verdict::{self, Reason, Refusal},
};
use crate::adb::{Phone, quote};

/// How long an install may take. A vendor's confirmation dialog that nobody answers would hold it forever.
const LIMIT: Duration = Duration::from_secs(30);
/// What to do about the helper on the device: `skip` uses what is there, `force` installs in any case.
pub const POLICY_VARIABLE: &str = "AGENT_DEVICE_ANDROID_HELPER";

/// What to do about the helper on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Install it where it is not ours.
    #[default]
    Ensure,
    /// Use what is there.
    Skip,
    /// Install it in any case.
    Force,
}

impl Policy {
    /// As the environment says.
    pub fn from_environment() -> Self {
        match std::env::var(POLICY_VARIABLE).as_deref().map(str::trim) {
            Ok("skip") => Self::Skip,
            Ok("force") => Self::Force,
            _ => Self::Ensure,
        }
    }
}

/// What was found, and what was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// Why.
    pub reason: Reason,
    /// What the caller should know.
    pub notices: Vec<String>,
}

/// Makes sure that the helper on a device is one of `packages`.
///
/// # Errors
/// No way to the device, or `helper.install-refused`. Nothing of a request has been sent by then.
pub async fn ensure(
    phone: &Phone,
    context: &Context,
    packages: &Packages,
    policy: Policy,
    folder: &std::path::Path,
) -> Result<Installed, Failure> {
    let name = &packages.main.manifest.package_name;
    let version = match policy {
        Policy::Skip => return Ok(Installed { reason: Reason::Skipped, notices: Vec::new() }),
        _ => version(phone, context, name).await?,
    };
    let sum = match version {
        Some(_) => content(phone, context, name).await?,
        None => None,
    };
    let reason = match policy {
        Policy::Force => Reason::Forced,
        _ => verdict::decide(packages, version, sum.as_deref()),
    };
    let mut notices = Vec::new();
    if reason.installs() {
        let limited = context.until(LIMIT);
        install(phone, &limited, packages, folder, &mut notices).await.map_err(|failure| explained(failure, phone))?;
    }
    Ok(Installed { reason, notices })
}

/// The version that is installed; `None` where none is.
async fn version(phone: &Phone, context: &Context, name: &str) -> Result<Option<u64>, Failure> {
    let line = quote::line(["cmd", "package", "list", "packages", "--show-versioncode", name]);
    let listed = phone.shell(context, Effect::Observes, &line).await?.completed();
    if listed.exit == 0 && !listed.all().contains("Unknown option") {
        return Ok(verdict::version_code(&listed.text(), name));
    }
    // Before Android 8 the list has no versions.
    let dumped = phone.shell(context, Effect::Observes, &quote::line(["dumpsys", "package", name])).await?;
    Ok(verdict::version_code(&dumped.completed().text(), name))
}

/// The sum of what is installed; `None` where the device does not give it away.
async fn content(phone: &Phone, context: &Context, name: &str) -> Result<Option<String>, Failure> {
    let path = phone.shell(context, Effect::Observes, &quote::line(["pm", "path", name])).await?.completed().text();
    let Some(path) = verdict::package_path(&path) else { return Ok(None) };
    let line = quote::line(["sha256sum", path]);
    let output = phone.shell(context, Effect::Observes, &line).await?.completed();
    Ok(verdict::sum(&output.text()).map(str::to_owned))
}

/// Installs the helper: the package without the test flag where the installer takes no test packages, and after what
/// stands in the way was removed where it does not fit what is there. Each of these at most once.
async fn install(
    phone: &Phone,
    context: &Context,
    packages: &Packages,
    folder: &std::path::Path,
    notices: &mut Vec<String>,
) -> Result<(), Failure> {
    let mut package = &packages.main;
    let mut removed = false;
    loop {
        let failure = match one(phone, context, package, folder).await {
            Ok(()) => return Ok(()),
            Err(failure) => failure,
        };
        let code = failure.details.get("installCode").and_then(serde_json::Value::as_str).unwrap_or_default();
        match (verdict::refusal(code), &packages.plain) {
            (Refusal::TestOnly, Some(plain)) if package != plain => {
                notices.push(format!(
                    "this device's installer takes no test packages ({code}): the helper was installed without the test flag"
                ));
                package = plain;
            }
            (Refusal::Conflict, _) if !removed => {
                removed = true;
                let line = quote::line(["pm", "uninstall", &package.manifest.package_name]);
                // Whether it went is seen by the install that follows.
                phone.shell(context, Effect::Manages, &line).await?.completed();
            }
            _ => return Err(failure),
        }
    }
}

async fn one(phone: &Phone, context: &Context, package: &Package, folder: &std::path::Path) -> Result<(), Failure> {
    let flags = package.manifest.install_flags().map_err(|why| {
        Failure::refused(
            Row::HelperInstallRefused,
            Code::Internal,
            format!("the helper's manifest is of no use: {}", why.0),
        )
    })?;
    let file = unpacked(package, folder).await.map_err(|why| {
        Failure::refused(
            Row::DaemonAdmissionStorage,
            Code::StorageFailed,
            format!("the helper's package cannot be written to {}: {why}", folder.display()),
        )
    })?;
    phone.install(context, Effect::Manages, &file, &flags).await
}

/// Numbers the files that are being written.
static PARTS: AtomicU64 = AtomicU64::new(0);

/// The package as a file: written once, under a name that holds its sum.
async fn unpacked(package: &Package, folder: &std::path::Path) -> std::io::Result<PathBuf> {
    let sum = package.manifest.sha256.get(..12).unwrap_or_default();
    let file = folder.join(format!("helper-{sum}.apk"));
    let there = tokio::fs::metadata(&file).await.is_ok_and(|facts| facts.len() == package.bytes.len() as u64);
    if !there {
        tokio::fs::create_dir_all(folder).await?;
        // Two devices may be opened at once: each has a part of its own, and either whole file will do.
        let part = PARTS.fetch_add(1, Ordering::Relaxed);
        let partial = folder.join(format!("helper-{sum}.{}-{part}.part", std::process::id()));
        tokio::fs::write(&partial, package.bytes).await?;
        tokio::fs::rename(&partial, &file).await?;
    }
    Ok(file)
}

/// Puts a failure under the helper's row: whatever went wrong, nothing of the request was sent. A device that cannot be
/// reached keeps its own row.
fn explained(failure: Failure, phone: &Phone) -> Failure {
    let code = failure.details.get("installCode").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
    let unreached =
        matches!(failure.claim(), Some(Claim { row, dispatched: Dispatched::No }) if row != Row::AndroidInstallRefused);
    if unreached {
        return failure;
    }
    let hint = match verdict::refusal(&code) {
        Refusal::TestOnly => "allow test packages over USB in the developer options, then try again",
        Refusal::NoRoom => "make room on the device, then try again",
        Refusal::Unconfirmed => {
            "unlock the device and accept the installation there; switch 'Install via USB' on in the developer options"
        }
        Refusal::Conflict | Refusal::Other => {
            "look at the device: some vendors ask there before anything is installed over USB; then try again"
        }
    };
    let mut told = Failure::refused(
        Row::HelperInstallRefused,
        Code::CommandFailed,
        format!("the helper could not be installed on {}: {}", phone.serial(), failure.message),
    )
    .reason("helper_install_refused")
    .hint(hint);
    if !code.is_empty() {
        told = told.detail("installCode", code);
    }
    told
}
