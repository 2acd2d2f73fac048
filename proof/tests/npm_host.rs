//! Another host on our lab device: agent-device 0.21.5 from npm, with the helper that it carries and with ours. It speaks the same
//! protocol and knows nothing of us: what it cannot do here, the lab or our helper gets wrong.
//!
//! It is left out where Node, npm or the lab's packages are missing; `AGENT_DEVICE_TEST_OFFLINE=1`: only a package that was fetched
//! before.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use android_lab::{Lab, LabDevice, Options, Trouble};
use proof::{
    pages::{
        archive::{self, Cache, Missing},
        listing::{Archive, Source},
    },
    patience::{soon, until},
    program::Program,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::Command;

const APP: &str = "com.example.demo";
const HELPER: &str = "com.callstack.agentdevice.snapshothelper";
/// Where its package keeps the helper, and our repository ours.
const ITS_FOLDER: &str = "android/snapshot-helper/dist";
const OUR_FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../on-device/android-helper/dist");
/// What its helper is called, and what it says of itself.
const ITS_VERSION: &str = "0.21.5";
/// It runs on this version of Node and later.
const NODE: u32 = 20;

/// The package, as the registry has it.
fn package() -> Archive {
    let text = str::to_owned;
    Archive {
        id: text("agent-device"),
        source: Source::Npm,
        package: text("agent-device"),
        version: text("0.21.5"),
        file: text("agent-device-0.21.5.tgz"),
        sha256: text("f8ab38bf6e1785d0340078f4a7504b6b9d71be319bd2975e7a79394ad3675758"),
    }
}

/// The package, unpacked; or why this machine cannot have it.
async fn unpacked() -> Result<PathBuf, String> {
    let version = Command::new("node").arg("--version").output().await.map_err(|why| format!("node: {why}"))?;
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major.is_none_or(|major| major < NODE) {
        return Err(format!("node {NODE} or later is needed, this is {version:?}"));
    }
    if Command::new("npm").arg("--version").output().await.is_err() {
        return Err("npm is not installed".to_owned());
    }
    match Cache::from_environment().unpacked(&[package()]).await {
        Ok(folder) => Ok(folder),
        Err(Missing::LeftOut(why)) => Err(why),
        Err(Missing::Broken(why)) => panic!("{why}"),
    }
}

/// The host, with a home folder of its own; its daemon ends with it.
struct Host {
    script: PathBuf,
    home: TempDir,
    port: u16,
    serial: String,
}

impl Host {
    fn new(package: &Path, device: &LabDevice) -> Self {
        let home = tempfile::Builder::new().prefix("npm-host").tempdir().unwrap();
        let script = package.join("bin/agent-device.mjs");
        Self { script, home, port: device.adb_port(), serial: device.serial().to_owned() }
    }

    /// Runs a command that must work.
    async fn does(&self, words: &[&str]) -> String {
        let output = Command::new("node")
            .arg(&self.script)
            .args(words)
            .args(["--platform", "android", "--serial", &self.serial])
            .current_dir(self.home.path())
            .env("HOME", self.home.path())
            .env("ANDROID_ADB_SERVER_PORT", self.port.to_string())
            .env("AGENT_DEVICE_NO_UPDATE_NOTIFIER", "1")
            .env_remove("AGENT_DEVICE_STATE_DIR")
            .env_remove("AGENT_DEVICE_SESSION")
            .env_remove("AGENT_DEVICE_PLATFORM")
            .env_remove("ANDROID_SERIAL")
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output();
        let output = soon(&words.join(" "), output).await.unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{}: {}{}", words.join(" "), text(&output.stderr), text(&output.stdout));
        text(&output.stdout)
    }

    /// What its snapshot says.
    async fn sees(&self) -> Value {
        let text = self.does(&["snapshot", "-i", "--json"]).await;
        let said: Value = serde_json::from_str(&text).unwrap();
        said.get("data").unwrap().clone()
    }

    /// The ref of what its snapshot calls so.
    async fn finds(&self, label: &str) -> String {
        let seen = self.sees().await;
        let node = nodes(&seen).iter().find(|node| node.get("label") == Some(&json!(label)));
        let node = node.unwrap_or_else(|| panic!("the snapshot does not show {label:?}: {seen:#}"));
        format!("@{}", node.get("ref").and_then(Value::as_str).unwrap())
    }

    /// Closes its session, ends its daemon, and waits until no process of it is left.
    async fn ends(self) {
        self.does(&["close"]).await;
        if let Some(pid) = daemon_of(self.home.path()) {
            kill_process(pid, Signal::TERM).unwrap();
        }
        until("the end of all processes of the host", || processes_at(self.home.path()).is_empty()).await;
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        for pid in processes_at(self.home.path()) {
            // One that has ended meanwhile is as good.
            let _gone = kill_process(pid, Signal::KILL);
        }
    }
}

fn nodes(seen: &Value) -> &[Value] {
    seen.get("nodes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn daemon_of(home: &Path) -> Option<Pid> {
    let noted: Value = serde_json::from_slice(&fs::read(home.join(".agent-device/daemon.json")).ok()?).ok()?;
    Pid::from_raw(noted.get("pid")?.as_i64()?.try_into().ok()?)
}

/// Processes with this home folder: the daemon, and whatever it started.
fn processes_at(home: &Path) -> Vec<Pid> {
    let mark = format!("HOME={}\0", home.display());
    let known = |pid: &i32| {
        fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|environment| environment.windows(mark.len()).any(|window| window == mark.as_bytes()))
    };
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(known).filter_map(Pid::from_raw).collect()
}

/// A device of the lab, or why there is none on this machine.
async fn device() -> Result<(LabDevice, Lab), String> {
    if env::var("AGENT_DEVICE_TEST_WITHOUT_ANDROID").is_ok_and(|value| value == "1") {
        return Err("there is no Android lab (AGENT_DEVICE_TEST_WITHOUT_ANDROID)".to_owned());
    }
    let lab = match Lab::start().await {
        Ok(lab) => lab,
        Err(Trouble::Missing(missing)) => return Err(missing.to_string()),
        Err(trouble) => panic!("{trouble}"),
    };
    let device = lab.device(Options::demo()).await.unwrap();
    Ok((device, lab))
}

/// What a host of this protocol does all day, each effect counted in the app itself.
async fn works(host: Host, device: &LabDevice, version: &str) {
    let effects = |id: &str| device.probe(APP).map(|probe| probe.effects(id)).unwrap_or_default();
    host.does(&["open", APP]).await;
    host.does(&["press", &host.finds("Counter").await]).await;
    assert_eq!(effects("go-counter").presses, 1);
    // Its refs last until the next action.
    for wanted in 1..=3 {
        host.does(&["press", &host.finds("Press me").await]).await;
        assert_eq!(effects("tap").presses, wanted, "each press lands once");
    }
    host.does(&["longpress", &host.finds("Hold me").await, "800"]).await;
    assert_eq!(effects("hold").long_presses, 1);

    let seen = host.sees().await;
    let facts = seen.get("androidSnapshot").unwrap();
    let says = |key: &str| facts.get(key).cloned().unwrap_or_default();
    assert_eq!(says("helperVersion"), json!(version), "{facts:#}");
    assert_eq!(says("backend"), json!("android-helper"), "{facts:#}");
    assert_eq!(says("captureMode"), json!("interactive-windows"), "{facts:#}");
    // One process on the device for all of it: the port is forwarded, the lines of the protocol are as it expects them.
    assert_eq!(says("helperTransport"), json!("persistent-session"), "{facts:#}");
    assert_eq!(says("helperSessionReused"), json!(true), "{facts:#}");
    assert_eq!(seen.pointer("/snapshotQuality/state"), Some(&json!("healthy")), "{seen:#}");
    let starts = device.commands().iter().filter(|words| words.iter().any(|word| word == "instrument")).count();
    assert_eq!(starts, 1, "{:#?}", device.commands());

    host.does(&["back"]).await;
    host.does(&["press", &host.finds("New note").await]).await;
    host.does(&["fill", &host.finds("What did you see?").await, "A wren at dawn"]).await;
    let seen = host.sees().await;
    let filled = nodes(&seen).iter().any(|node| node.get("value") == Some(&json!("A wren at dawn")));
    assert!(filled, "the field holds the text: {seen:#}");

    let picture = host.home.path().join("screen.png");
    host.does(&["screenshot", picture.to_str().unwrap()]).await;
    assert!(fs::read(&picture).unwrap().starts_with(b"\x89PNG"));
    host.ends().await;
    until("the helper's end", || device.helpers().is_empty()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_host_from_npm_works_on_the_lab_device_with_its_own_helper() {
    let (package, (device, _lab)) = match (unpacked().await, device().await) {
        (Ok(package), Ok(device)) => (package, device),
        (Err(why), _) | (_, Err(why)) => return println!("left out: {why}"),
    };
    works(Host::new(&package, &device), &device, ITS_VERSION).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_host_from_npm_works_with_our_helper_in_the_place_of_its_own() {
    let (package, (device, _lab)) = match (unpacked().await, device().await) {
        (Ok(package), Ok(device)) => (package, device),
        (Err(why), _) | (_, Err(why)) => return println!("left out: {why}"),
    };
    let copy = tempfile::Builder::new().prefix("npm-host-package").tempdir().unwrap();
    copied(&package, copy.path());
    let version = ours_in(copy.path());
    works(Host::new(copy.path(), &device), &device, &version).await;
    assert_eq!(device.version_of(HELPER), Some(our_manifest().get("versionCode").unwrap().as_i64().unwrap()));
}

/// Theirs has a higher version and another signer, so nothing but taking it off makes room for ours.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn our_host_puts_our_helper_in_the_place_of_the_one_from_npm() {
    let (package, (device, lab)) = match (unpacked().await, device().await) {
        (Ok(package), Ok(device)) => (package, device),
        (Err(why), _) | (_, Err(why)) => return println!("left out: {why}"),
    };
    let theirs = package.join(ITS_FOLDER).join(format!("agent-device-android-snapshot-helper-{ITS_VERSION}.apk"));
    let installed = device.adb().args(["install", "-r"]).arg(&theirs).stdin(Stdio::null()).output().unwrap();
    assert!(installed.status.success(), "{installed:?}");
    let before = device.version_of(HELPER);
    let mut program = Program::new();
    program.environment = vec![("ANDROID_ADB_SERVER_PORT".to_owned(), lab.port().to_string())];
    program.does(&["open", APP, "--platform", "android"]).await;
    program.does(&["press", "label=Counter"]).await;
    let ours = our_manifest().get("versionCode").unwrap().as_i64();
    assert!(before > ours && device.version_of(HELPER) == ours, "{before:?}, then {:?}", device.version_of(HELPER));
    assert_eq!(device.probe(APP).unwrap().effects("go-counter").presses, 1);
    program.does(&["close"]).await;
    program.end().await;
}

/// A folder with everything in it. The host resolves links, so it must be copies.
fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copied(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Of the variant that is no test-only package: this host installs without `-t`.
fn our_manifest() -> Value {
    let manifests = fs::read_dir(OUR_FOLDER).unwrap().map(|entry| entry.unwrap().path());
    let manifests = manifests.filter(|path| path.to_string_lossy().ends_with(".manifest.json"));
    let mut plain = manifests
        .map(|path| serde_json::from_slice::<Value>(&fs::read(path).unwrap()).unwrap())
        .filter(|manifest| !manifest.get("installArgs").and_then(Value::as_array).unwrap().contains(&json!("-t")));
    plain.next().expect("a manifest without -t")
}

/// Puts our helper where the package keeps its own, under the names that it looks for; says our version.
fn ours_in(package: &Path) -> String {
    let ours = our_manifest();
    let text = |key: &str| ours.get(key).and_then(Value::as_str).unwrap().to_owned();
    let file = Path::new(OUR_FOLDER).join(text("assetName"));
    assert_eq!(archive::hash(&file).unwrap(), text("sha256"), "our own manifest");
    let name = format!("agent-device-android-snapshot-helper-{ITS_VERSION}");
    let folder = package.join(ITS_FOLDER);
    let mut manifest = ours.clone();
    manifest.as_object_mut().unwrap().insert("assetName".to_owned(), json!(format!("{name}.apk")));
    manifest.as_object_mut().unwrap().insert("checksumName".to_owned(), json!(format!("{name}.apk.sha256")));
    let theirs = folder.join(format!("{name}.apk"));
    assert!(theirs.is_file(), "the package keeps its helper there");
    fs::copy(&file, theirs).unwrap();
    fs::write(folder.join(format!("{name}.apk.sha256")), format!("{}  {name}.apk\n", text("sha256"))).unwrap();
    fs::write(folder.join(format!("{name}.manifest.json")), manifest.to_string()).unwrap();
    text("version")
}

#[test]
fn processes_are_found_by_their_home_folder() {
    let home = tempfile::tempdir().unwrap();
    let mut child =
        std::process::Command::new("sleep").arg("30").env("HOME", home.path()).stdin(Stdio::null()).spawn().unwrap();
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    assert_eq!(processes_at(home.path()), [pid]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(processes_at(home.path()).is_empty());
    assert!(daemon_of(home.path()).is_none());
}
