use std::path::Path;

use android::system::fleet::AndroidFleet;
use backend::{Fleet, Package};
use contract::Row;

use crate::rig::{DEMO, context, demo, refusal, sends};

fn package(path: &Path) -> Package {
    Package { path: path.to_owned(), replacing: None, grant_all: false, downgrade: false }
}

fn helper() -> std::path::PathBuf {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../on-device/android-helper/dist");
    let built = std::fs::read_dir(&dist).expect("the helper is built");
    let mut apks: Vec<_> = built.flatten().map(|entry| entry.path()).collect();
    apks.retain(|path| path.to_string_lossy().ends_with(".apk"));
    apks.sort();
    apks.pop().expect("an APK")
}

const HELPER: &str = "com.callstack.agentdevice.snapshothelper";

#[tokio::test(flavor = "multi_thread")]
async fn apps_are_those_that_somebody_installed_and_can_start() {
    let Some(rig) = demo().await else { return };
    let fleet = AndroidFleet::new(rig.adb.clone());
    let ids = |apps: Vec<backend::App>| apps.into_iter().map(|app| app.id).collect::<Vec<_>>();
    let own = fleet.apps(&context(), rig.device.serial(), false).await.unwrap();
    assert_eq!(own.len(), 1, "{own:?}");
    assert_eq!((own[0].id.as_str(), own[0].version.as_deref(), own[0].system), (DEMO, Some("1.0"), false));
    let asked = context();
    let all = ids(fleet.apps(&asked, rig.device.serial(), true).await.unwrap());
    assert!(all.contains(&DEMO.to_owned()) && all.contains(&"com.android.settings".to_owned()), "{all:?}");
    assert_eq!(sends(&asked), (0, 0), "to list changes nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_package_is_installed_under_its_own_name_and_a_refusal_says_why() {
    let Some(rig) = demo().await else { return };
    let fleet = AndroidFleet::new(rig.adb.clone());
    let serial = rig.device.serial();
    let installing = context();
    let installed = fleet.install(&installing, serial, &package(&helper())).await.unwrap();
    assert_eq!((installed.app.as_deref(), sends(&installing)), (Some(HELPER), (1, 0)));
    assert!(rig.device.version_of(HELPER).is_some());

    let asked = context();
    rig.device.fail_install("INSTALL_FAILED_UPDATE_INCOMPATIBLE: signatures do not match");
    let failure = fleet.install(&asked, serial, &package(&helper())).await.unwrap_err();
    assert_eq!(refusal(&failure), (Some(Row::AndroidInstallRefused), Some("install_refused")));
    assert!(failure.hint.as_deref().unwrap().contains("another key"), "{failure:?}");
    assert_eq!(sends(&asked), (0, 0), "a refused install installed nothing");

    let again = Package { replacing: Some(HELPER.to_owned()), ..package(&helper()) };
    let reinstalling = context();
    let installed = fleet.install(&reinstalling, serial, &again).await.unwrap();
    assert_eq!((installed.warnings, sends(&reinstalling)), (Vec::<String>::new(), (2, 0)), "removed and installed");

    let other = Package { replacing: Some("com.example.other".to_owned()), ..package(&helper()) };
    let refused = context();
    let failure = fleet.install(&refused, serial, &other).await.unwrap_err();
    assert_eq!(failure.reason_str(), Some("package_mismatch"));
    assert_eq!(sends(&refused), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_package_never_reaches_the_device() {
    let Some(rig) = demo().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.apk");
    std::fs::write(&file, "not a package").unwrap();
    let before = rig.device.commands().len();
    let asked = context();
    let failure =
        AndroidFleet::new(rig.adb.clone()).install(&asked, rig.device.serial(), &package(&file)).await.unwrap_err();
    assert_eq!(refusal(&failure), (Some(Row::AndroidPackageUnreadable), Some("package_unreadable")));
    assert_eq!((rig.device.commands().len(), sends(&asked)), (before, (0, 0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_goes_there_and_back() {
    let Some(rig) = demo().await else { return };
    let fleet = AndroidFleet::new(rig.adb.clone());
    let serial = rig.device.serial();
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("a picture's name.bin");
    let content: Vec<u8> = (0..200_000_u32).map(|byte| byte as u8).collect();
    std::fs::write(&here, &content).unwrap();
    let pushing = context();
    // A folder takes the file's name.
    assert_eq!(fleet.push(&pushing, serial, &here, "/data/local/tmp").await.unwrap(), 200_000);
    assert_eq!(sends(&pushing), (1, 0));
    let back = folder.path().join("back.bin");
    let pulling = context();
    let there = "/data/local/tmp/a picture's name.bin";
    assert_eq!(fleet.pull(&pulling, serial, there, &back).await.unwrap(), 200_000);
    assert_eq!((std::fs::read(&back).unwrap(), sends(&pulling)), (content, (0, 0)));

    for (path, said) in [("/data/local/tmp/none", "no such file"), ("/data/local/tmp", "a folder")] {
        let failure = fleet.pull(&context(), serial, path, &back).await.unwrap_err();
        assert_eq!(refusal(&failure), (Some(Row::AdbLookFailed), Some("device_file_unreadable")));
        assert!(failure.message.contains(said), "{}", failure.message);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_has_one_name_whatever_else_adb_would_take_for_it() {
    let Some(rig) = demo().await else { return };
    let fleet = AndroidFleet::new(rig.adb.clone());
    // The only one that is attached: adb itself would go to it.
    assert!(rig.adb.device("").look(&context(), "true").await.is_ok());
    for name in ["", "127.0.0.1", "tcp:127.0.0.1"] {
        let failure = fleet.install(&context(), name, &package(&helper())).await.unwrap_err();
        assert_eq!(refusal(&failure), (Some(Row::AdbDeviceNotFound), Some("device_not_found")), "{name:?}");
        assert!(failure.hint.is_some_and(|hint| hint.contains(rig.device.serial())), "{name:?}");
    }
}
