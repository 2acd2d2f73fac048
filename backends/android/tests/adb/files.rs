//! Files and packages.

use std::{fs, os::unix::fs::PermissionsExt};

use android::adb::{Features, Phone, sync::push::Attributes};
use contract::{Code, Dispatched, Effect, Row, Sends};

use crate::rig::{Rig, context, until};

/// The device as it is, and taken for an older one.
fn both(rig: &Rig) -> [Phone; 2] {
    [rig.phone.clone(), rig.phone.clone().with_features(Features::parse(""))]
}

#[tokio::test]
async fn a_file_goes_over_and_comes_back_whole() {
    let Some(rig) = Rig::start().await else { return };
    let content: Vec<u8> = (0..1_000_003_u32).map(|i| (i % 253) as u8).collect();
    for (phone, name) in both(&rig).iter().zip(["new", "old"]) {
        let context = context();
        let to = rig.device.path(&format!("{name}/deep/file.bin"));
        let attributes = Attributes { permissions: 0o755, modified: 1_700_000_000 };
        phone.push(&context, Effect::Mutates, &content, &to, attributes).await.unwrap();
        assert_eq!(context.ledger.sends(), Sends { completed: 1, open: 0 });
        assert_eq!(fs::read(&to).unwrap(), content);
        assert_eq!(fs::metadata(&to).unwrap().permissions().mode() & 0o700, 0o700);
        let stat = phone.stat(&context, &to).await.unwrap().unwrap();
        assert_eq!((stat.is_file(), stat.size), (true, content.len() as u64));
        // adbd says that it is done just before it sets the time.
        until("its time", async || phone.stat(&context, &to).await.unwrap().unwrap().modified == 1_700_000_000).await;
        assert_eq!(phone.pull(&context, &to).await.unwrap(), content);
        let here = rig.server.home.path().join(name);
        assert_eq!(phone.pull_to(&context, &to, &here).await.unwrap(), content.len() as u64);
        assert_eq!(fs::read(&here).unwrap(), content);
        let empty = rig.device.path(&format!("{name}/empty"));
        phone.push(&context, Effect::Mutates, b"", &empty, Attributes::default()).await.unwrap();
        assert_eq!(phone.pull(&context, &empty).await.unwrap(), b"");
        let entries = phone.list(&context, &rig.device.path(name)).await.unwrap();
        let seen: Vec<_> = entries.iter().map(|entry| (entry.name.as_str(), entry.stat.is_folder())).collect();
        assert_eq!(seen, [("deep", true), ("empty", false)]);
    }
}

#[tokio::test]
async fn what_is_not_there_is_told_and_nothing_is_left_of_it() {
    let Some(rig) = Rig::start().await else { return };
    for phone in both(&rig) {
        let context = context();
        let nowhere = rig.device.path("nowhere");
        assert_eq!(phone.stat(&context, &nowhere).await.unwrap(), None);
        assert_eq!(phone.list(&context, &nowhere).await.unwrap(), []);
        let failure = phone.pull(&context, &nowhere).await.unwrap_err();
        let claim = failure.claim().unwrap();
        assert_eq!((claim.row, claim.dispatched), (Row::AdbLookFailed, Dispatched::No));
        assert!(failure.message.contains("No such file"), "{failure}");
        let here = rig.server.home.path().join("here");
        phone.pull_to(&context, &nowhere, &here).await.unwrap_err();
        assert!(!here.exists() && !rig.server.home.path().join("here.part").exists());
        let failure = phone.pull_to(&context, &nowhere, &here.join("no/folder")).await.unwrap_err();
        assert_eq!(failure.code, Code::StorageFailed);
        assert_eq!(context.ledger.sends(), Sends::NONE);
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_written_is_told_in_the_devices_words() {
    let Some(rig) = Rig::start().await else { return };
    // Large enough that adbd refuses while parts are still on their way.
    for size in [10, 5_000_000] {
        let context = context();
        let content = vec![7; size];
        let to = "/proc/no-such-folder/file";
        let failure = rig.phone.push(&context, Effect::Mutates, &content, to, Attributes::default()).await.unwrap_err();
        let claim = failure.claim().unwrap();
        assert_eq!((claim.row, claim.dispatched), (Row::AdbCommandFailed, Dispatched::Unknown));
        assert!(failure.message.contains("the device says"), "{failure}");
        assert_eq!(context.ledger.sends(), Sends { completed: 0, open: 1 });
    }
    let context = context();
    let none = rig.server.home.path().join("none");
    let failure =
        rig.phone.push_file(&context, Effect::Mutates, &none, "/tmp/x", Attributes::default()).await.unwrap_err();
    assert_eq!((failure.code, context.ledger.sends()), (Code::InvalidArgs, Sends::NONE));
    let long = format!("/{}", "x".repeat(2000));
    let failure = rig.phone.push(&context, Effect::Mutates, b"", &long, Attributes::default()).await.unwrap_err();
    assert_eq!((failure.code, context.ledger.sends()), (Code::InvalidArgs, Sends::NONE));
}

/// A package manager that keeps what it is given, and answers what the test wants.
fn package_manager(rig: &Rig, verdict: &str, reads: bool) {
    let kept = rig.device.path("kept");
    let keep = if reads { format!("head -c \"$4\" > {kept}") } else { String::new() };
    rig.device.program("cmd", &format!("echo \"$@\" >> {kept}.args; {keep}\necho \"{verdict}\"\n"));
    rig.device.program("pm", &format!("echo \"$@\" >> {kept}.args; cp \"$3\" {kept}\necho \"{verdict}\"\n"));
}

#[tokio::test]
async fn a_package_is_installed_by_either_way() {
    let Some(rig) = Rig::start().await else { return };
    package_manager(&rig, "Success", true);
    let mut content = b"PK\x03\x04".to_vec();
    content.extend(std::iter::repeat_n(9, 2_000_000));
    let package = rig.server.home.path().join(format!("it's an app {}.apk", rig.device.port));
    fs::write(&package, &content).unwrap();
    let kept = rig.device.path("kept");
    let [new, old] = both(&rig);

    new.install(&context(), Effect::Mutates, &package, &["-r", "-t"]).await.unwrap();
    assert_eq!(fs::read(&kept).unwrap(), content);
    assert_eq!(fs::read_to_string(format!("{kept}.args")).unwrap(), "package install -S 2000004 -r -t\n");
    fs::remove_file(&kept).unwrap();

    let ledger = context();
    old.install(&ledger, Effect::Mutates, &package, &["-r"]).await.unwrap();
    assert_eq!(fs::read(&kept).unwrap(), content);
    assert_eq!(ledger.ledger.sends(), Sends { completed: 1, open: 0 });
    let left: Vec<_> = fs::read_dir(rig.device.path("data/local/tmp")).unwrap().collect();
    assert!(left.is_empty(), "it is removed again: {left:?}");
}

#[tokio::test]
async fn a_verdict_of_the_package_manager_is_proof_and_none_is_none() {
    let Some(rig) = Rig::start().await else { return };
    let package = rig.server.home.path().join("app.apk");
    let mut content = b"PK\x03\x04".to_vec();
    content.extend(std::iter::repeat_n(9, 5_000_000));
    fs::write(&package, &content).unwrap();
    for reads in [true, false] {
        package_manager(&rig, "Failure [INSTALL_FAILED_OLDER_SDK: Requires newer sdk version #99]", reads);
        let ledger = context();
        let failure = rig.phone.install(&ledger, Effect::Mutates, &package, &[]).await.unwrap_err();
        let claim = failure.claim().unwrap();
        assert_eq!((claim.row, claim.dispatched), (Row::AndroidInstallRefused, Dispatched::No), "{failure}");
        assert_eq!(failure.details.get("installCode").unwrap(), "INSTALL_FAILED_OLDER_SDK");
        assert_eq!(ledger.ledger.sends(), Sends::NONE);

        package_manager(&rig, "Killed", reads);
        let ledger = context();
        let failure = rig.phone.install(&ledger, Effect::Mutates, &package, &[]).await.unwrap_err();
        let claim = failure.claim().unwrap();
        assert_eq!((claim.row, claim.dispatched), (Row::AndroidInstallFailed, Dispatched::Unknown), "{failure}");
        assert_eq!(ledger.ledger.sends(), Sends { completed: 0, open: 1 });
    }
    fs::write(&package, "no zip").unwrap();
    for path in [package.as_path(), rig.server.home.path(), std::path::Path::new("/nowhere")] {
        let ledger = context();
        let failure = rig.phone.install(&ledger, Effect::Mutates, path, &[]).await.unwrap_err();
        assert_eq!(failure.claim().unwrap().row, Row::AndroidPackageUnreadable);
        assert_eq!(ledger.ledger.sends(), Sends::NONE);
    }
}
