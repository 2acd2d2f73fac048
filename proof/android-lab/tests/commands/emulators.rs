//! The real emulator needs a system image that no machine here has: the program is scripted, adb is the real one.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use contract::Row;
use serde_json::Value;

use crate::rig::demo;

/// A program that lists two devices and ends at once, with words, when one of them is started.
const PROGRAM: &str = "#!/bin/sh
case \"$1\" in
  -list-avds) echo 'INFO    | Storing crashdata in: /nowhere'; echo Pixel_8; echo Broken ;;
  *) echo \"$@\" >> \"$0.started\"; echo 'PANIC: Missing emulator engine program' >&2; exit 1 ;;
esac
";

/// An SDK with that program.
fn sdk(folder: &Path) -> PathBuf {
    let program = folder.join("emulator/emulator");
    std::fs::create_dir_all(folder.join("emulator")).unwrap();
    std::fs::write(&program, PROGRAM).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program
}

/// The backend in a process of its own, so that its environment is: this test's program, asked for one thing.
fn asked(what: &str, port: u16, folder: &Path) -> Value {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "emulators::asked_in_a_process_of_its_own", "--ignored", "--nocapture"])
        .env("LAB_ASKS", what)
        .env("LAB_ADB_PORT", port.to_string())
        .env("ANDROID_HOME", folder)
        .env("HOME", folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.split_once("ANSWER ")).unwrap_or_else(|| panic!("{text}"));
    serde_json::from_str(line.1).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the other half of the tests below, which start it"]
async fn asked_in_a_process_of_its_own() {
    use android::{
        adb::{Adb, Address},
        system::{emulator, fleet::AndroidFleet},
    };
    use backend::Fleet;
    let Some(port) = std::env::var("LAB_ADB_PORT").ok().and_then(|port| port.parse().ok()) else { return };
    let adb = Adb::new(Address::local(port), None);
    let context = crate::rig::context();
    let what = std::env::var("LAB_ASKS").unwrap();
    let fleet = AndroidFleet::new(adb.clone());
    let told = |result: Result<String, contract::Failure>| match result {
        Ok(serial) => serde_json::json!({"ok": serial}),
        Err(failure) => serde_json::json!({
            "row": failure.claim().map(|claim| claim.row.id()), "reason": failure.reason_str(), "message": failure.message,
        }),
    };
    let answer = match what.split_once(' ') {
        Some(("boot", device)) => told(fleet.boot(&context, device, true).await),
        Some(("shutdown", device)) => told(fleet.shutdown(&context, device).await.map(|()| "gone".to_owned())),
        _ => serde_json::json!(emulator::stopped(&context, &adb).await),
    };
    println!("ANSWER {answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn emulators_that_do_not_run_are_listed_and_one_that_ends_says_why() {
    let Some(rig) = demo().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = sdk(folder.path());
    let port = rig.device.adb_port();
    let listed = asked("list", port, folder.path());
    assert_eq!(listed.as_array().map(Vec::len), Some(2), "{listed}");
    assert_eq!(listed[0]["id"], "Pixel_8");
    assert_eq!(listed[0]["unavailableReason"], "not running: agent-device boot --device Pixel_8");

    let failed = asked("boot Pixel_8", port, folder.path());
    assert_eq!(failed["row"], Row::AndroidEmulatorNotStarted.id());
    assert!(failed["message"].as_str().unwrap().contains("PANIC: Missing emulator engine"), "{failed}");
    let started = std::fs::read_to_string(program.with_extension("started")).unwrap();
    assert!(started.starts_with("-avd Pixel_8 -port 5") && started.contains("-no-window"), "{started}");

    let unknown = asked("boot Nexus", port, folder.path());
    assert_eq!(
        (unknown["row"].as_str(), unknown["reason"].as_str()),
        (Some(Row::AndroidEmulatorNotStarted.id()), Some("avd_not_found"))
    );
    let nothing = asked("boot Pixel_8", port, &folder.path().join("empty"));
    assert_eq!(nothing["reason"], "emulator_missing", "{nothing}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_is_neither_started_nor_switched_off() {
    let Some(rig) = demo().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (serial, port) = (rig.device.serial(), rig.device.adb_port());
    for what in ["boot", "shutdown"] {
        let refused = asked(&format!("{what} {serial}"), port, folder.path());
        assert_eq!(refused["reason"], "not_an_emulator", "{refused}");
        assert_eq!(refused["row"], Row::DaemonAdmissionUnsupportedOperation.id());
    }
    let absent = asked("shutdown emulator-5600", port, folder.path());
    assert_eq!(absent["row"], Row::AdbDeviceNotFound.id());
}

/// A console that asks for its password, as the emulator's does. It ends with the first connection.
fn console(listener: TcpListener, token: &'static str) -> std::thread::JoinHandle<Vec<String>> {
    std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let (mut to, mut from) = (stream.try_clone().unwrap(), BufReader::new(stream));
        to.write_all(
            b"Android Console: Authentication required\r\nAndroid Console: type 'auth <auth_token>'\r\nOK\r\n",
        )
        .unwrap();
        let mut said = Vec::new();
        for _ in 0..2 {
            let mut line = String::new();
            from.read_line(&mut line).unwrap();
            let known = line.trim() == format!("auth {token}") || !line.starts_with("auth");
            to.write_all(if known { b"OK\r\n" } else { b"KO: authentication token does not match\r\n" }).unwrap();
            said.push(line.trim().to_owned());
        }
        said
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_emulator_is_told_where_it_is_through_its_console() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let console = console(listener, "secret");
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    std::fs::write(&token, "secret\n").unwrap();
    let context = crate::rig::context();
    let line = "geo fix 13.4 52.5";
    android::adb::console::say(&context, contract::Effect::Mutates, port, &token, line).await.unwrap();
    assert_eq!(console.join().unwrap(), ["auth secret", line]);
    assert_eq!(crate::rig::sends(&context), (1, 0));
}
