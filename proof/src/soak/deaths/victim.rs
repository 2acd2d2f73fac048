//! Who is killed.

use std::{fs, path::Path};

use webdriver::driver::processes;

use super::kill;
use crate::cuts::Draw;

/// The process of a browser that stays alive: what a page tells the site that counts goes through it, so that its death
/// would lose counts of presses that landed.
const COUNTERS_WAY: &str = "--utility-sub-type=network.";

/// A kind of process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Victim {
    /// A chromedriver.
    Driver,
    /// Any process of any browser but that of the network: the one with the windows, a page's, the one that draws.
    Browser,
    /// The adb server.
    AdbServer,
    /// The helper on the device.
    Helper,
    /// The daemon.
    Daemon,
}

impl Victim {
    /// Those that can die around a session in a browser.
    pub const OF_BROWSER: [Victim; 6] =
        [Victim::Driver, Victim::Driver, Victim::Browser, Victim::Browser, Victim::Browser, Victim::Daemon];
    /// Those that can die around a session on a device.
    pub const OF_PHONE: [Victim; 6] =
        [Victim::Helper, Victim::Helper, Victim::Helper, Victim::AdbServer, Victim::AdbServer, Victim::Daemon];

    /// Kills one of its kind among all that name the folder; who it was.
    pub fn dies(self, folder: &Path, draw: &mut Draw) -> Option<String> {
        let all: Vec<(i32, String)> = described(folder).into_iter().filter(|(_, words)| self.is(words)).collect();
        let (pid, words) = all.get(draw.below(all.len()))?;
        Self::end(*pid);
        Some(format!("{self:?}, {}", kind(words)))
    }

    /// Kills a process.
    pub fn end(pid: i32) {
        kill(pid);
    }

    fn is(self, words: &str) -> bool {
        let program = words.split(' ').next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
        match self {
            Victim::Driver => program == "chromedriver",
            Victim::Browser => {
                program.starts_with("chrom") && program != "chromedriver" && !words.contains(COUNTERS_WAY)
            }
            Victim::AdbServer => is_adb_line(words),
            Victim::Daemon => program == "agent-device" && words.contains(daemon::client::DAEMON_WORD),
            // The lab kills it from the inside.
            Victim::Helper => false,
        }
    }
}

/// A browser says of each process what it is for.
fn kind(words: &str) -> String {
    let of = words.split(' ').find_map(|word| word.strip_prefix("--type="));
    of.map_or_else(|| "the main process".to_owned(), |of| format!("of type {of}"))
}

/// Every process that names a folder, with its command line.
pub fn described(folder: &Path) -> Vec<(i32, String)> {
    processes::naming(folder).into_iter().map(|process| (process.pid, words(process.pid))).collect()
}

/// Whether a process is adb.
pub fn is_adb(pid: i32) -> bool {
    is_adb_line(&words(pid))
}

fn is_adb_line(words: &str) -> bool {
    words.split(' ').next().is_some_and(|program| program.rsplit('/').next() == Some("adb"))
}

fn words(pid: i32) -> String {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).replace('\0', " ")
}
