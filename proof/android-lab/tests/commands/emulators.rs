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
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpSocket, TcpStream},
};

use crate::rig::{demo, soon, within};

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

/// A program that lists one device and runs on when it is started, for as long as its folder is there.
const RUNNING: &str = "#!/bin/sh
[ \"$1\" = -list-avds ] && { echo Pixel_8; exit; }
echo \"$@\" > \"$0.started\"
while [ -e \"$0\" ]; do sleep 0.05; done
";

/// Takes the ports that every adb server looks at by itself when it starts, without listening on them: what this test
/// starts is nobody else's device.
fn reserve() -> Vec<TcpSocket> {
    let socket = |port: u16| {
        let socket = TcpSocket::new_v4().ok()?;
        socket.bind(([127, 0, 0, 1], port).into()).ok().map(|()| socket)
    };
    (5554..=5586).filter_map(socket).collect()
}

/// What an emulator does beside running Android: it hands on to adbd, tells adb of itself, and has a console.
async fn emulate(port: u16, adbd: u16, server: u16, token: &'static str) {
    let serving = |listener: tokio::net::TcpListener| async move {
        // Every connection ends with it.
        let mut connections = tokio::task::JoinSet::new();
        loop {
            let (mut here, _) = listener.accept().await.unwrap();
            connections.spawn(async move {
                let mut there = TcpStream::connect(("127.0.0.1", adbd)).await.unwrap();
                // It breaks when the emulator ends.
                let _ended = copy_bidirectional(&mut here, &mut there).await;
            });
        }
    };
    let relay = tokio::net::TcpListener::bind(("127.0.0.1", port + 1)).await.unwrap();
    let console = tokio::net::TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    let mut adb = TcpStream::connect(("127.0.0.1", server)).await.unwrap();
    let word = format!("host:emulator:{}", port + 1);
    adb.write_all(format!("{:04x}{word}", word.len()).as_bytes()).await.unwrap();
    tokio::select! {
        () = serving(relay) => {}
        () = consoles(console, token) => {}
    }
}

/// Answers on the console until it is told to end.
async fn consoles(listener: tokio::net::TcpListener, token: &str) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let mut stream = tokio::io::BufStream::new(stream);
        stream.write_all(b"Android Console: Authentication required\r\nOK\r\n").await.unwrap();
        stream.flush().await.unwrap();
        let mut line = String::new();
        while stream.read_line(&mut line).await.is_ok_and(|count| count > 0) {
            let answer = match line.trim() {
                "avd name" => "Pixel_8\r\nOK\r\n",
                "kill" => return,
                said if said == format!("auth {token}") => "OK\r\n",
                _ => "KO: unknown command\r\n",
            };
            stream.write_all(answer.as_bytes()).await.unwrap();
            stream.flush().await.unwrap();
            line.clear();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_emulator_is_booted_waited_for_and_shut_down() {
    let Some(rig) = demo().await else { return };
    let _reserved = reserve();
    let folder = tempfile::tempdir().unwrap();
    let program = sdk(folder.path());
    std::fs::write(&program, RUNNING).unwrap();
    std::fs::write(folder.path().join(".emulator_console_auth_token"), "secret").unwrap();
    rig.device.set_property("sys.boot_completed", "0");
    let server = rig.device.adb_port();
    let home = folder.path().to_owned();
    let ask = move |what: &'static str| {
        let home = home.clone();
        tokio::task::spawn_blocking(move || asked(what, server, &home))
    };

    let booting = ask("boot Pixel_8");
    let started = program.with_extension("started");
    let words = || std::fs::read_to_string(&started).unwrap_or_default();
    soon("the program", || words().contains('\n')).await;
    let port: u16 = words().split(' ').nth(3).unwrap().parse().unwrap();
    let adbd: u16 = rig.device.serial().rsplit_once(':').unwrap().1.parse().unwrap();
    let emulator = tokio::spawn(emulate(port, adbd, server, "secret"));
    soon("a look at how far it is", || rig.runs(&["getprop", "sys.boot_completed"]) > 1).await;
    assert!(!booting.is_finished(), "Android is not up yet");
    rig.device.set_property("sys.boot_completed", "1");
    let serial = format!("emulator-{port}");
    assert_eq!(within("the boot", booting).await.unwrap(), serde_json::json!({"ok": serial}));

    // It runs: it is not among those that do not, and is not started again.
    assert_eq!(within("the list", ask("list")).await.unwrap(), serde_json::json!([]));
    assert_eq!(within("the boot", ask("boot Pixel_8")).await.unwrap(), serde_json::json!({"ok": serial}));
    assert_eq!(words().lines().count(), 1);
    assert_eq!(within("the end", ask("shutdown Pixel_8")).await.unwrap(), serde_json::json!({"ok": "gone"}));
    within("the emulator", emulator).await.unwrap();
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
