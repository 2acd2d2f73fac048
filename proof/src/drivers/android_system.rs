//! What surrounds the app on an Android device: settings, emulators, films, pairing.

use std::{fs, os::unix::fs::PermissionsExt, sync::Arc};

use android_lab::Lab;
use tokio::sync::Notify;

use super::Driver;
use crate::{
    adb_cut::AdbCut,
    android::{GROUND, Phone},
    patience::until,
    program::Program,
};

/// A scale of the system's animations, and how it is set back.
const SCALE: &str = "window_animation_scale";

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(AndroidSettingRefused, |world| {
        let phone = Phone::on_ground(world).await;
        let told = phone.session.fails("settings permission grant android.permission.NOT_ASKED_FOR").await;
        let granted = phone.device.granted(GROUND).len();
        told.and(u32::try_from(granted).expect("a few"), 1)
    }),
    driver!(AndroidSettingNotHeld, |world| {
        let phone = Phone::on_ground(world).await;
        let released = Arc::new(Notify::new());
        phone.proxy.cut(1, &format!("shell,v2,raw:*settings get global {SCALE}"), AdbCut::Hold(released.clone()));
        let changed = phone.session.fails("settings animations off");
        let meanwhile = async {
            until("the look at what was written", || phone.proxy.struck() == 1).await;
            assert_eq!(phone.device.setting("global", SCALE).as_deref(), Some("0"), "it was written");
            // Something else on the device sets it back before it is looked at.
            let back = phone.device.adb().args(["shell", "settings", "put", "global", SCALE, "1"]).output();
            assert!(back.is_ok_and(|done| done.status.success()));
            released.notify_one();
        };
        let (told, ()) = tokio::join!(changed, meanwhile);
        assert_eq!(told.detail("held"), "1", "{:#}", told.error);
        told.and(1, 1).in_vain()
    }),
    driver!(AndroidEmulatorNotStarted, |_world| {
        let lab = Lab::start().await.expect("the lab starts");
        let mut program = Program::new();
        let folder = program.folder().join("bin");
        fs::create_dir(&folder).expect("a folder");
        let emulator = folder.join("emulator");
        // A machine without hardware virtualisation runs no emulator: its last words are played.
        let script = "#!/bin/sh\n[ \"$1\" = -list-avds ] && { echo Pixel_8; exit; }\necho \"$@\" >> \"$0.started\"\n\
                      echo 'FATAL | x86_64 emulation currently requires hardware acceleration!' >&2\nexit 1\n";
        fs::write(&emulator, script).expect("a program");
        fs::set_permissions(&emulator, fs::Permissions::from_mode(0o755)).expect("it can be run");
        for (name, value) in [
            ("PATH", format!("{}:/usr/bin:/bin", folder.display())),
            ("ANDROID_ADB_SERVER_PORT", lab.port().to_string()),
            ("ANDROID_HOME", String::new()),
            ("ANDROID_SDK_ROOT", String::new()),
        ] {
            program.environment.push((name.to_owned(), value));
        }
        let (code, told) = program.fails(&["boot", "--device", "Pixel_8", "--platform", "android"]).await;
        assert_eq!(code, 1, "to try again is safe");
        assert!(told.message().contains("hardware acceleration"), "its own words: {:#}", told.error);
        let started = fs::read_to_string(folder.join("emulator.started")).expect("it was started");
        assert_eq!(started.lines().count(), 1, "once: {started}");
        program.end().await;
        told.without_app()
    }),
    driver!(AndroidRecordingFailed, |world| {
        let phone = Phone::on_ground(world).await;
        let file = world.folder().join("film.mp4");
        phone.session.does(&format!("record start {}", file.display())).await;
        let killed = phone.device.adb().args(["shell", "kill -9 $(pidof screenrecord)"]).output();
        assert!(killed.is_ok_and(|done| done.status.success()), "a recorder runs");
        let told = phone.session.fails("record stop").await;
        assert!(!file.exists(), "no film is left that cannot be played");
        told.without_app()
    }),
    driver!(AndroidPairingRefused, |world| {
        let phone = Phone::attached(world).await;
        // The words of an adb server that knows pairing (platform-tools 30 or newer), of a phone that shows another code.
        let said = "Failed: Wrong password or connection was dropped.";
        phone.proxy.cut(1, "host:pair:", AdbCut::Answer(format!("OKAY{:04x}{said}", said.len()).into_bytes()));
        let told = phone.session.fails("pair 127.0.0.1:9 123456").await;
        assert!(told.message().contains("Wrong password"), "{:#}", told.error);
        assert_eq!(phone.proxy.handed_on("host:connect"), 0, "nothing is connected to");
        told.without_app()
    }),
];
