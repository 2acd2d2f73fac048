//! The published TypeScript host (npm `agent-device` 0.21.5) on a lab device, with its own helper and with ours: a check of the wire
//! that nobody here wrote. Left out where npm cannot fetch it.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use android_lab::{Lab, LabDevice};

use crate::rig::{DEMO, HELPER, adb, apk, demo, text};

const VERSION: &str = "0.21.5";

/// The package, fetched once into the cache; none where that does not work.
fn package() -> Option<PathBuf> {
    let cache = std::env::var_os("AGENT_DEVICE_CACHE").map(PathBuf::from).or_else(|| {
        let home = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        home.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))
            .map(|at| at.join("agent-device"))
    })?;
    let folder = cache.join("peers").join(format!("agent-device-{VERSION}"));
    let package = folder.join("node_modules/agent-device");
    if package.join("package.json").is_file() {
        return Some(package);
    }
    std::fs::create_dir_all(&folder).ok()?;
    let fetched = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--prefix"])
        .arg(&folder)
        .arg(format!("agent-device@{VERSION}"))
        .stdin(Stdio::null())
        .output();
    match fetched {
        Ok(output) if output.status.success() => Some(package),
        other => {
            eprintln!("left out: npm does not fetch agent-device {VERSION}: {other:?}");
            None
        }
    }
}

/// The host, with a state folder of its own.
struct Host<'l> {
    package: PathBuf,
    lab: &'l Lab,
    state: PathBuf,
}

impl Host<'_> {
    fn call(&self, words: &[&str]) -> (bool, String) {
        let output = Command::new("node")
            .arg(self.package.join("bin/agent-device.mjs"))
            .args(words)
            .current_dir(self.lab.folder())
            .env("HOME", self.lab.home())
            .env("AGENT_DEVICE_STATE_DIR", &self.state)
            .env("ANDROID_ADB_SERVER_PORT", self.lab.port().to_string())
            .stdin(Stdio::null())
            .output()
            .expect("node starts");
        (output.status.success(), text(&output))
    }

    fn does(&self, words: &[&str]) -> String {
        let (worked, said) = self.call(words);
        assert!(worked, "{words:?}: {said}");
        said
    }
}

/// Ends its daemon, which would outlive the test.
impl Drop for Host<'_> {
    fn drop(&mut self) {
        let said = std::fs::read_to_string(self.state.join("daemon.json")).unwrap_or_default();
        let pid = serde_json::from_str::<serde_json::Value>(&said).ok().and_then(|daemon| daemon["pid"].as_i64());
        if let Some(pid) = pid {
            // One that has ended is as good.
            let _gone = Command::new("kill").arg(pid.to_string()).status();
        }
    }
}

/// Opens, looks, presses, looks again.
fn walk(host: &Host<'_>, device: &LabDevice) {
    host.does(&["open", DEMO, "--platform", "android", "--serial", device.serial()]);
    let said = host.does(&["snapshot", "-i"]);
    assert!(said.contains("\"Counter\""), "{said}");
    host.does(&["press", "label=Counter"]);
    let probe = device.probe(DEMO).expect("a probe");
    assert_eq!((probe.effects("go-counter").presses, probe.screen().as_str()), (1, "counter"));
    let said = host.does(&["snapshot", "-i", "--json"]);
    assert!(said.contains("\"persistent-session\"") && said.contains("Press me"), "{said}");
    host.does(&["close"]);
}

#[tokio::test]
async fn the_published_host_opens_looks_and_presses_with_its_own_helper() {
    let Some(package) = package() else { return };
    let Some((lab, device)) = demo().await else { return };
    let host = Host { package, state: lab.folder().join("state"), lab: &lab };
    walk(&host, &device);
    assert_eq!(device.version_of(HELPER), Some(21_005));
}

#[tokio::test]
async fn the_published_host_opens_looks_and_presses_with_our_helper() {
    let Some(published) = package() else { return };
    let Some((lab, device)) = demo().await else { return };
    let package = lab.folder().join("package");
    let copied = Command::new("cp").arg("-r").args([&published, &package]).status().expect("cp starts");
    assert!(copied.success());
    ours(&package.join("android/snapshot-helper/dist"));
    let host = Host { package, state: lab.folder().join("state"), lab: &lab };
    walk(&host, &device);
    assert_ne!(device.version_of(HELPER), Some(21_005));
}

/// Puts our helper in the place of the published one. The published host installs without `-t`: the variant for that.
fn ours(dist: &Path) {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../on-device/android-helper/dist");
    let files: Vec<PathBuf> =
        std::fs::read_dir(&own).expect("it is built").flatten().map(|entry| entry.path()).collect();
    let of = |ending: &str| files.iter().find(|file| file.to_string_lossy().ends_with(ending)).expect("it is there");
    let manifest = std::fs::read_to_string(of("-plain.manifest.json")).expect("a manifest");
    let mut manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    let name = format!("agent-device-android-snapshot-helper-{VERSION}");
    manifest["assetName"] = format!("{name}.apk").into();
    manifest["checksumName"] = format!("{name}.apk.sha256").into();
    std::fs::copy(of("-plain.apk"), dist.join(format!("{name}.apk"))).expect("a copy");
    let sum = manifest["sha256"].as_str().expect("a hash");
    std::fs::write(dist.join(format!("{name}.apk.sha256")), format!("{sum}  {name}.apk\n")).expect("a file");
    std::fs::write(dist.join(format!("{name}.manifest.json")), manifest.to_string()).expect("a file");
}

#[tokio::test]
async fn an_older_package_and_one_of_another_signer_are_refused() {
    let Some(package) = package() else { return };
    let Some((_lab, device)) = demo().await else { return };
    let published =
        package.join(format!("android/snapshot-helper/dist/agent-device-android-snapshot-helper-{VERSION}.apk"));
    assert!(adb(&device, &["install", "-r", &published.display().to_string()]).1.contains("Success"));
    let ours = apk().display().to_string();
    assert!(adb(&device, &["install", "-r", "-t", &ours]).1.contains("INSTALL_FAILED_VERSION_DOWNGRADE"));
    assert!(adb(&device, &["install", "-r", "-t", "-d", &ours]).1.contains("INSTALL_FAILED_UPDATE_INCOMPATIBLE"));
    assert_eq!(device.version_of(HELPER), Some(21_005));
}
