//! Installing, with the refusals that phones give.

use std::sync::Arc;

use super::after;
use crate::{
    apk,
    call::Call,
    core::Core,
    state::{Kind, Package},
};

/// `install ...`: `words` are those after it. An APK comes over standard input, or is named by a path on the device.
pub async fn run(core: &Arc<Core>, call: &mut Call, words: &[&str]) -> u8 {
    let size = after(words, "-S").and_then(|size| size.parse().ok());
    let bytes = match words.last().filter(|word| word.ends_with(".apk")) {
        Some(path) => {
            let file = core.root.join(path.trim_start_matches('/'));
            match tokio::fs::read(&file).await {
                Ok(bytes) => bytes,
                Err(_) => {
                    call.complain(format!("Error: Unable to open file: {path}")).await;
                    return 1;
                }
            }
        }
        None => call.input(size).await,
    };
    match install(core, &bytes, words).await {
        Ok(()) => {
            call.line("Success").await;
            0
        }
        Err(refusal) => {
            call.line(format!("Failure [{refusal}]")).await;
            1
        }
    }
}

async fn install(core: &Arc<Core>, bytes: &[u8], words: &[&str]) -> Result<(), String> {
    if let Some(refusal) = core.state().install_faults.pop_front() {
        return Err(refusal);
    }
    let folder = core.root.join("data/app");
    let failed = |cause: std::io::Error| format!("INSTALL_FAILED_INSUFFICIENT_STORAGE: {cause}");
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let arriving = tempfile::Builder::new().prefix("vmdl").suffix(".apk").tempfile_in(&folder).map_err(failed)?;
    std::fs::write(arriving.path(), bytes).map_err(failed)?;
    let manifest = apk::read(arriving.path())
        .await
        .ok_or("INSTALL_PARSE_FAILED_NOT_APK: Failed to parse base.apk: Failed to load asset path")?;
    let flag = |letter: char| {
        words.iter().any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
    };
    let package = manifest.package.clone();
    if manifest.test_only && core.state().refuses_test_only {
        return Err("-99".to_owned());
    }
    if manifest.test_only && !flag('t') {
        return Err("INSTALL_FAILED_TEST_ONLY: installPackageLI".to_owned());
    }
    if manifest.min_sdk > core.api {
        return Err(format!(
            "INSTALL_FAILED_OLDER_SDK: Failed parse during installPackageLI: Requires newer sdk version #{} (current version is #{})",
            manifest.min_sdk, core.api
        ));
    }
    if let Some(before) = core.state().packages.get(&package) {
        refuse_update(before, &manifest, &package, flag('r'), flag('d'))?;
    }
    core.stop_package(&package, "installPackageLI").await;
    let path = format!("/data/app/~~lab==/{package}-1==/base.apk");
    let file = core.root.join(path.trim_start_matches('/'));
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    arriving.persist(&file).map_err(|cause| failed(cause.error))?;
    let mut state = core.state();
    let keyboards = manifest.keyboards.clone();
    state.keyboards.retain(|known| !known.starts_with(&format!("{package}/")));
    state.keyboards.extend(keyboards.iter().cloned());
    let kind =
        Kind::Apk { file, path, instrumentations: manifest.instrumentations, keyboards, signer: manifest.signer };
    let (version_code, version_name) = (manifest.version_code, manifest.version_name);
    state.packages.insert(package, Package { kind, version_code, version_name, granted: Vec::new(), system: false });
    Ok(())
}

fn refuse_update(
    before: &Package,
    new: &apk::Manifest,
    package: &str,
    replace: bool,
    downgrade: bool,
) -> Result<(), String> {
    if !replace {
        return Err(format!(
            "INSTALL_FAILED_ALREADY_EXISTS: Attempt to re-install {package} without first uninstalling."
        ));
    }
    if new.version_code < before.version_code && !downgrade {
        return Err(format!(
            "INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update version code {} is older than current {}",
            new.version_code, before.version_code
        ));
    }
    if let Kind::Apk { signer: Some(old), .. } = &before.kind
        && new.signer.as_ref().is_some_and(|new| new != old)
    {
        return Err(format!(
            "INSTALL_FAILED_UPDATE_INCOMPATIBLE: Package {package} signatures do not match previously installed version; ignoring!"
        ));
    }
    Ok(())
}
