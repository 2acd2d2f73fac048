//! A private adb server and an adbd, ended with the test.

use std::{
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use android::adb::{Adb, Address, Phone};
use tempfile::TempDir;
use wire::Context;

/// How long a test waits for what has to come.
pub const LIMIT: Duration = Duration::from_secs(20);

/// A process that ends with the test.
#[derive(Debug)]
pub struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _gone_already = self.0.kill();
        let _ended = self.0.wait();
    }
}

/// A port that is free.
pub fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

/// The folder of the lab, with the real adbd, where there is one on this machine or it can be built.
pub fn lab() -> Option<PathBuf> {
    let lab = match std::env::var_os("AGENT_DEVICE_LAB") {
        Some(lab) => PathBuf::from(lab),
        None => {
            let build = concat!(env!("CARGO_MANIFEST_DIR"), "/../../proof/android-lab/parts/build");
            let output = Command::new(build).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            if output.status.code() == Some(3) {
                eprintln!("left out: {}", said.trim());
                return None;
            }
            assert!(output.status.success(), "{said}");
            PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())
        }
    };
    assert!(lab.join("adbd").exists(), "the lab has no adbd: {}", lab.display());
    Some(lab)
}

/// A request with a limit that no healthy service reaches.
pub fn context() -> Context {
    Context::with_limit(LIMIT)
}

/// A server of this test alone.
#[derive(Debug)]
pub struct Server {
    pub adb: Adb,
    pub home: TempDir,
    _process: Process,
}

impl Server {
    pub async fn start() -> Self {
        let port = free_port();
        Self::listening(&["-P".into(), port.to_string()], Address::local(port)).await
    }

    pub async fn listening(arguments: &[String], address: Address) -> Self {
        let home = tempfile::tempdir().unwrap();
        let process = adb_program(home.path()).args(arguments).args(["nodaemon", "server"]).spawn().unwrap();
        let server = Self { adb: Adb::new(address, None), home, _process: Process(process) };
        let begin = Instant::now();
        while server.adb.version(&context()).await.is_err() {
            assert!(begin.elapsed() < LIMIT, "the adb server does not answer");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        server
    }
}

/// The adb program, with a home of its own and no look-out for emulators.
pub fn adb_program(home: &Path) -> Command {
    let mut command = Command::new("adb");
    command
        .env("HOME", home)
        .env("ADB_LOCAL_TRANSPORT_MAX_PORT", "5000")
        .env_remove("ADB_SERVER_SOCKET")
        .env_remove("ANDROID_ADB_SERVER_PORT")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// A device: adbd on a port, with programs of the test on its PATH and a `/data` of its own.
#[derive(Debug)]
pub struct Device {
    pub port: u16,
    pub folder: TempDir,
    _process: Process,
}

impl Device {
    /// `None` without a lab.
    pub fn start() -> Option<Self> {
        let lab = lab()?;
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        fs::create_dir_all(folder.path().join("data/local/tmp")).unwrap();
        let port = free_port();
        let path = format!("{}:{}", folder.path().join("bin").display(), std::env::var("PATH").unwrap());
        let process = Command::new(lab.join("adbd"))
            .env("ADBD_PORT", port.to_string())
            // `/data` is the test's own.
            .env("LD_PRELOAD", lab.join("paths.so"))
            .env("LAB_ROOT", folder.path())
            .env("PATH", path)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Some(Self { port, folder, _process: Process(process) })
    }

    /// Puts a shell script on the device's PATH.
    pub fn program(&self, name: &str, script: &str) {
        let path = self.folder.path().join("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }
}

/// A server with a device connected to it.
#[derive(Debug)]
pub struct Rig {
    pub phone: Phone,
    pub device: Device,
    pub server: Server,
}

impl Rig {
    pub async fn start() -> Option<Self> {
        let device = Device::start()?;
        let server = Server::start().await;
        let address = format!("127.0.0.1:{}", device.port);
        let begin = Instant::now();
        let serial = loop {
            match server.adb.connect(&context(), &address).await {
                Ok(serial) => break serial,
                Err(why) => assert!(begin.elapsed() < LIMIT, "{why}"),
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        };
        let phone = server.adb.device(serial);
        phone.wait_for(&context()).await.unwrap();
        Some(Self { phone, device, server })
    }
}

/// Waits until something holds.
pub async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let begin = Instant::now();
    while !holds().await {
        assert!(begin.elapsed() < LIMIT, "never came: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
