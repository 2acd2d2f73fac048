//! An Appium server of a test's own, with its drivers for browsers (chromedriver behind it) and for an app of its own (fake).
//!
//! The packages are those of `proof/appium`, installed once by npm into a folder of the cache that their lock names.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    net::TcpStream,
    process::{Child, Command},
    time::{sleep, timeout},
};
use webdriver::{browser, driver::processes};

use crate::{
    browser_driver::chromedriver,
    cuts::web::ground::Subject,
    pages::archive::{caches, hash, is_offline},
    patience::{LIMIT, soon},
    web::ask,
    workspace,
};

/// How long npm may take to install the packages: 130 MB on disk.
const INSTALL_LIMIT: Duration = Duration::from_secs(300);
/// Ports that are tried: a free one may be taken by somebody else before the server takes it.
const PORTS: u32 = 5;
/// Pause between two looks whether it listens.
const PAUSE: Duration = Duration::from_millis(20);

/// A server that listens.
#[derive(Debug)]
pub struct Appium {
    /// `host:port`.
    pub authority: String,
    child: Child,
    group: Option<i32>,
    folder: TempDir,
}

impl Appium {
    /// Starts one.
    ///
    /// # Panics
    /// Where node or npm are missing, or it does not start.
    pub async fn start() -> Self {
        let packages = packages().await;
        for _ in 0..PORTS {
            if let Some(server) = Self::start_at(&packages, free_port()).await {
                return server;
            }
        }
        panic!("Appium does not start ({PORTS} ports tried): {}", packages.display())
    }

    /// `None` where it ends instead: the port was taken meanwhile.
    async fn start_at(packages: &Path, port: u16) -> Option<Self> {
        let folder = tempfile::Builder::new().prefix("ad-appium").tempdir().expect("a folder for the server");
        let authority = format!("127.0.0.1:{port}");
        let mut child = Command::new("node")
            .arg(packages.join("node_modules/appium/index.js"))
            .args(["server", "--address", "127.0.0.1", "--port", &port.to_string()])
            .args(["--use-drivers", "fake,chromium", "--log-level", "error"])
            // Whoever counts browsers asks it which sessions it has.
            .args(["--allow-insecure", "*:session_discovery"])
            .env("APPIUM_HOME", packages)
            // Names the folder: everything that the server starts is known by it.
            .env("HOME", folder.path())
            .env("TMPDIR", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .expect("node starts (Debian: nodejs, or https://nodejs.org): the proof runs against Appium");
        let group = child.id().and_then(|id| i32::try_from(id).ok());
        let listens = async {
            while child.try_wait().expect("the server can be asked after").is_none() {
                if TcpStream::connect(&authority).await.is_ok() {
                    return true;
                }
                sleep(PAUSE).await;
            }
            false
        };
        if !timeout(LIMIT, listens).await.expect("Appium listens or ends") {
            return None;
        }
        let status = ask(&authority, "GET", "/status", "").await;
        assert_eq!(status["value"]["ready"], true, "no Appium answers: {status}");
        Some(Self { authority, child, group, folder })
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://{}", self.authority)
    }

    /// What it has to be told to drive a browser of this machine, each time anew.
    pub fn for_browser(&self) -> Value {
        let chromium = browser::find(browser::facts(contract::command::Browser::Chrome).programs);
        json!({
            "platformName": "linux",
            "appium:automationName": "Chromium",
            "appium:executable": chromedriver(),
            // It looks for drivers of its own there, and is to find none.
            "appium:executableDir": self.folder.path(),
            // Else every session would want the same.
            "appium:chromedriverPort": free_port(),
            "goog:chromeOptions": {"binary": chromium},
        })
    }

    /// Ends it and everything that it started.
    pub async fn kill(&mut self) {
        processes::kill(self.folder.path(), self.group);
        let _collected = soon("Appium's end", self.child.wait()).await;
        assert!(processes::gone(self.folder.path()).await, "something outlives Appium");
    }
}

impl Drop for Appium {
    fn drop(&mut self) {
        processes::kill(self.folder.path(), self.group);
    }
}

#[async_trait::async_trait]
impl Subject for Appium {
    fn authority(&self) -> String {
        self.authority.clone()
    }

    fn options(&self) -> String {
        format!(" --capabilities '{}'", self.for_browser())
    }

    fn sessions(&self) -> &'static str {
        "/appium/sessions"
    }

    async fn end(&mut self) {
        self.kill().await;
    }
}

fn free_port() -> u16 {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    taken.local_addr().expect("a bound socket has an address").port()
}

/// The folder of the packages, installed where they are not there yet.
async fn packages() -> PathBuf {
    let wanted = workspace().join("proof/appium");
    let lock = hash(&wanted.join("package-lock.json")).expect("the lock can be read");
    let folder = caches().join(format!("appium-{}", lock.get(..16).unwrap_or(&lock)));
    if folder.is_dir() {
        return folder;
    }
    assert!(!is_offline(), "Appium is not in the cache, and there is no network");
    fs::create_dir_all(caches()).expect("the cache can be made");
    let scratch = tempfile::Builder::new().prefix("new-").tempdir_in(caches()).expect("the cache can be written to");
    for file in ["package.json", "package-lock.json"] {
        fs::copy(wanted.join(file), scratch.path().join(file)).expect("a copy of the packages' names");
    }
    let install = Command::new("npm")
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"])
        .current_dir(scratch.path())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = timeout(INSTALL_LIMIT, install).await.expect("npm ends").expect("npm starts (Debian: npm)");
    assert!(output.status.success(), "npm ci: {}", String::from_utf8_lossy(&output.stderr));
    if let Err(why) = fs::rename(scratch.path(), &folder) {
        // Another run was faster: what it installed is the same.
        assert!(folder.is_dir(), "{}: {why}", folder.display());
    }
    folder
}
