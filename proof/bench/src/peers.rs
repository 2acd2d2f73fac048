//! The other tools, in the folder that `peers.sh` prepared; each is started in the way that is fastest for it.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use crate::call::Tool;

/// Names the folder.
const PEERS_VARIABLE: &str = "AGENT_DEVICE_BENCH_PEERS";
/// Overrides which browser the peers drive.
const BROWSER_VARIABLE: &str = "AGENT_DEVICE_BENCH_BROWSER";
/// What a browser needs here to start at all, for all tools the same.
const BROWSER_FLAGS: &str = "--no-sandbox,--disable-gpu";
/// How long a peer's daemon has to end after it was told to.
const END_LIMIT: Duration = Duration::from_secs(10);

/// agent-device 0.21.5, on Node. Its daemon is ended when this is dropped.
pub struct NodeTool {
    pub tool: Tool,
    home: PathBuf,
    /// How its session is closed.
    close: Vec<String>,
}

/// agent-browser 0.27.1, its native program, without the wrapper that npm puts around it.
pub struct BrowserTool {
    pub tool: Tool,
    sockets: TempDir,
}

/// Where the peers are, if they are anywhere.
pub fn folder() -> Option<PathBuf> {
    std::env::var_os(PEERS_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// What to do where they are not.
pub fn missing() -> String {
    format!("not there: proof/bench/peers.sh DIR, then {PEERS_VARIABLE}=DIR")
}

fn browser() -> OsString {
    std::env::var_os(BROWSER_VARIABLE).unwrap_or_else(|| "/usr/bin/chromium".into())
}

impl NodeTool {
    /// The tool in `peers` for web pages, started from `folder`; `None` where it is not there.
    pub fn find(peers: &Path, folder: &Path) -> Option<Self> {
        let set = vec![("AGENT_BROWSER_EXECUTABLE_PATH", browser()), ("AGENT_BROWSER_ARGS", BROWSER_FLAGS.into())];
        Self::at_home(peers, folder, &peers.join("home"), set, &["close", "--platform", "web"])
    }

    /// The tool in `peers` with another home folder, more variables, and how its session is closed at the end.
    pub fn at_home(
        peers: &Path,
        folder: &Path,
        home: &Path,
        set: Vec<(&'static str, OsString)>,
        close: &[&str],
    ) -> Option<Self> {
        // The script itself, not its link: it finds its other files beside itself.
        let script = fs::canonicalize(peers.join("agent-device.mjs")).ok()?;
        let own = [("HOME", home.into()), ("AGENT_DEVICE_NO_UPDATE_NOTIFIER", "1".into())];
        let tool = Tool {
            program: fs::canonicalize(peers.join("node.bin")).ok()?,
            first: vec![script.into()],
            set: own.into_iter().chain(set).collect(),
            unset: &["AGENT_DEVICE_STATE_DIR", "AGENT_DEVICE_SESSION", "AGENT_DEVICE_PLATFORM", "ANDROID_SERIAL"],
            folder: folder.to_path_buf(),
        };
        Some(Self { tool, home: home.to_path_buf(), close: close.iter().map(|word| (*word).to_owned()).collect() })
    }

    /// Its state folder, which also has its browser backend.
    pub fn state(&self) -> String {
        self.home.join(".agent-device").display().to_string()
    }

    /// Process id of its daemon.
    pub fn daemon(&self) -> Option<u32> {
        let text = fs::read(self.home.join(".agent-device/daemon.json")).ok()?;
        let value: serde_json::Value = serde_json::from_slice(&text).ok()?;
        value.get("pid")?.as_u64()?.try_into().ok()
    }
}

impl Drop for NodeTool {
    fn drop(&mut self) {
        let words: Vec<&str> = self.close.iter().map(String::as_str).collect();
        let _closed = self.tool.call(&words);
        if let Some(pid) = self.daemon() {
            end(pid);
        }
    }
}

impl BrowserTool {
    /// The tool in `peers`, started from `folder`; `None` where it is not there.
    pub fn find(peers: &Path, folder: &Path) -> Option<Self> {
        let sockets = tempfile::Builder::new().prefix("bench-ab-").tempdir().ok()?;
        let tool = Tool {
            program: fs::canonicalize(peers.join("agent-browser.bin")).ok()?,
            first: Vec::new(),
            set: vec![
                ("HOME", sockets.path().into()),
                ("AGENT_BROWSER_SOCKET_DIR", sockets.path().into()),
                ("AGENT_BROWSER_EXECUTABLE_PATH", browser()),
                ("AGENT_BROWSER_ARGS", BROWSER_FLAGS.into()),
            ],
            unset: &["AGENT_BROWSER_SESSION"],
            folder: folder.to_path_buf(),
        };
        Some(Self { tool, sockets })
    }

    /// Process id of its daemon.
    pub fn daemon(&self) -> Option<u32> {
        fs::read_to_string(self.sockets.path().join("default.pid")).ok()?.trim().parse().ok()
    }
}

impl Drop for BrowserTool {
    fn drop(&mut self) {
        let pid = self.daemon();
        let _closed = self.tool.call(&["close", "--all"]);
        if let Some(pid) = pid {
            end(pid);
        }
    }
}

/// Ends a daemon that this bench's own calls started, and waits until it is gone.
fn end(pid: u32) {
    if crate::process::rss(pid).is_none() {
        return;
    }
    let _gone_already = Command::new("kill").arg(pid.to_string()).output();
    let deadline = Instant::now() + END_LIMIT;
    while crate::process::rss(pid).is_some() && Instant::now() < deadline {
        std::thread::park_timeout(Duration::from_millis(20));
    }
}
