//! A driver of a browser that belongs to one test, for what goes through `--driver-url`.

use std::{path::PathBuf, process::Stdio};

use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};
use webdriver::driver::processes;

use crate::patience::soon;

/// A chromedriver that listens on a port of its own choice.
#[derive(Debug)]
pub struct BrowserDriver {
    /// `host:port`.
    pub authority: String,
    child: Child,
    group: Option<i32>,
    folder: TempDir,
}

/// The installed chromedriver.
///
/// # Panics
/// Where there is none.
pub fn chromedriver() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join("chromedriver"))
        .find(|program| program.is_file())
        .expect("chromedriver is installed (Debian: chromium-driver): rows of the web backend are tried against it")
}

impl BrowserDriver {
    /// Starts one.
    pub async fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("ad-driver").tempdir().expect("a folder for the driver");
        let mut child = Command::new(chromedriver())
            .arg("--port=0")
            // Names the folder: everything that the driver starts is known by it.
            .env("HOME", folder.path())
            .env("TMPDIR", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .expect("chromedriver starts");
        let group = child.id().and_then(|id| i32::try_from(id).ok());
        let mut lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
        let port = soon("chromedriver's port", async {
            loop {
                let line = lines.next_line().await.ok().flatten().expect("chromedriver says on which port it listens");
                let port =
                    line.rsplit("on port ").next().and_then(|rest| rest.trim_end_matches('.').parse::<u16>().ok());
                if let Some(port) = port.filter(|_| line.contains("started successfully")) {
                    break port;
                }
            }
        })
        .await;
        Self { authority: format!("127.0.0.1:{port}"), child, group, folder }
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://{}", self.authority)
    }

    /// Ends the browser without a chance to say goodbye; the driver stays.
    pub fn kill_browser(&self) {
        for process in processes::naming(self.folder.path()).iter().filter(|process| Some(process.pid) != self.group) {
            if let Some(pid) = rustix::process::Pid::from_raw(process.pid) {
                // Children go with their parents.
                let _gone = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
    }

    /// Ends the driver and everything that it started.
    pub async fn kill(&mut self) {
        processes::kill(self.folder.path(), self.group);
        let _collected = soon("chromedriver's end", self.child.wait()).await;
        assert!(processes::gone(self.folder.path()).await, "a browser outlives its driver");
    }
}

impl Drop for BrowserDriver {
    fn drop(&mut self) {
        processes::kill(self.folder.path(), self.group);
    }
}
