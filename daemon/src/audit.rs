//! Every failure that leaves the program, noted for a run of tests that looks at all of them afterwards; and every answer
//! that is not what its command's type says.
//!
//! A test sees the failures that it asks for. This sees every one, at the two doors that they leave by: the socket and the
//! command line's output. Debug builds only, and only where the environment names a file.

use std::{fs::File, io::Write, path::PathBuf};

use contract::{
    answer,
    request::{Answer, Render},
};
use serde_json::json;

/// Names the file that failures are appended to, one JSON object a line: `{"door", "text"}`.
pub const VARIABLE: &str = "AGENT_DEVICE_AUDIT";

/// Where a failure leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// A reply line of the daemon.
    Socket,
    /// What the command line printed.
    Output,
    /// No failure: an answer that its command's type does not describe.
    Misfit,
}

impl Door {
    /// As it stands in the file.
    pub const fn word(self) -> &'static str {
        match self {
            Door::Socket => "socket",
            Door::Output => "output",
            Door::Misfit => "misfit",
        }
    }
}

/// The file, where there is one.
fn file() -> Option<PathBuf> {
    if !cfg!(debug_assertions) {
        return None;
    }
    std::env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Holds an answer against its command's type (`contract::answer`), and notes where they differ.
///
/// What is rendered for people leaves bulky data out, so what holds such data is not looked at then.
pub fn typed(command: &str, render: Render, data: &Answer) {
    let bulky = ["snapshot", "batch"].contains(&command);
    if file().is_none() || (render == Render::Text && bulky) {
        return;
    }
    if let Some(why) = answer::misfit(command, &data.data) {
        note(Door::Misfit, &format!("{command}: {why}: {}", data.data));
    }
}

/// Notes the text of a failure as it leaves.
pub fn note(door: Door, text: &str) {
    let Some(path) = file() else { return };
    let line = format!("{}\n", json!({"door": door.word(), "text": text}));
    // One write of a file that is appended to: lines of several processes stay whole.
    let noted =
        File::options().create(true).append(true).open(&path).and_then(|mut file| file.write_all(line.as_bytes()));
    if let Err(why) = noted {
        crate::log::line(&format!("a failure could not be noted in {}: {why}", path.display()));
    }
}
