//! `docs/reference/protocol.md` says what the daemon says: every exchange on the page is made again.
//!
//! `WRITE_DOCS=1 cargo test -p cli --test protocol` writes what is said now into the page: read the difference before you
//! keep it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::Shutdown,
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use serde_json::Value;

const PAGE: &str = "../../docs/reference/protocol.md";
/// Where the page's reader has the state folder.
const SHOWN: &str = "/home/ada/.local/state/agent-device";
/// What differs between two runs.
const CHANGING: [&str; 6] = ["build", "instance", "pid", "startedMs", "waitedMs", "durationMs"];
/// No answer of the page takes longer.
const LIMIT: Duration = Duration::from_secs(30);

/// A folder with a daemon of its own, which ends with it.
struct Place {
    folder: tempfile::TempDir,
    state: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        Self { folder, state }
    }

    /// What a shell line prints, on both channels.
    fn typed(&self, line: &str) -> String {
        let program = Path::new(env!("CARGO_BIN_EXE_agent-device")).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("sh")
            .args(["-c", line])
            .current_dir(self.folder.path())
            .env("PATH", format!("{}:{path}", program.display()))
            .env("AGENT_DEVICE_STATE_DIR", &self.state)
            .env_remove("AGENT_DEVICE_SESSION")
            .env_remove("AGENT_DEVICE_PLATFORM")
            .env_remove("AGENT_DEVICE_URL")
            .output()
            .unwrap();
        let printed = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&printed).replace(&self.state.display().to_string(), SHOWN)
    }

    /// The lines of an exchange with what the daemon really answers, on a connection of its own.
    fn exchanged(&self, block: &str) -> String {
        let started: Value = serde_json::from_str(&self.typed("agent-device daemon start --json")).unwrap();
        assert_eq!(started["success"], true, "{started}");
        let stream = UnixStream::connect(self.state.join("daemon.sock")).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut writer = stream;
        let answer = |reader: &mut BufReader<UnixStream>| {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            format!("<- {}", line.trim_end().replace(&self.state.display().to_string(), SHOWN))
        };
        let mut lines = Vec::new();
        for line in block.lines() {
            match line.split_at_checked(3) {
                Some(("-> ", request)) => {
                    writeln!(writer, "{request}").unwrap();
                    lines.push(line.to_owned());
                }
                Some(("<- ", _)) => lines.push(answer(&mut reader)),
                _ if line == "-|" => {
                    writer.shutdown(Shutdown::Write).unwrap();
                    lines.push(line.to_owned());
                }
                _ => panic!("no line of an exchange: {line}"),
            }
        }
        lines.join("\n")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.typed("agent-device daemon stop");
    }
}

/// The same text for two runs that say the same.
fn masked(text: &str) -> Vec<String> {
    fn mask(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for (key, field) in fields {
                    if CHANGING.contains(&key.as_str()) { *field = "#".into() } else { mask(field) }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(mask),
            // A sentence that says how long something took.
            Value::String(text) if text.contains(" ms") => {
                *text = text.chars().map(|letter| if letter.is_ascii_digit() { '#' } else { letter }).collect();
            }
            _ => {}
        }
    }
    let line = |line: &str| {
        let start = line.find('{').unwrap_or(line.len());
        let (before, json) = line.split_at(start);
        match serde_json::from_str::<Value>(json) {
            Ok(mut value) => {
                mask(&mut value);
                format!("{before}{value}")
            }
            Err(_) => line.to_owned(),
        }
    };
    text.trim_end().lines().map(line).collect()
}

#[test]
fn the_page_on_the_protocol_says_what_the_daemon_says() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let text = fs::read_to_string(&file).unwrap();
    let place = Place::new();
    let (mut made, mut differences, mut rewritten) = (0, Vec::new(), Vec::new());
    for block in text.split("\n```") {
        let fresh = if let Some(exchange) = block.strip_prefix("text\n").filter(|block| block.starts_with("-> ")) {
            made += exchange.lines().filter(|line| line.starts_with("<- ")).count();
            format!("text\n{}", place.exchanged(exchange))
        } else if let Some(session) = block.strip_prefix("console\n") {
            let lines = format!("\n{session}").split("\n$ ").skip(1).fold(Vec::new(), |mut lines, exchange| {
                let typed = exchange.lines().next().unwrap_or_default();
                lines.push(format!("$ {typed}"));
                lines.extend(place.typed(typed).trim_end().lines().map(str::to_owned));
                lines
            });
            made += 1;
            format!("console\n{}", lines.join("\n"))
        } else {
            if let Some(files) = block.strip_prefix("sh\n").filter(|block| block.starts_with("cat > ")) {
                assert_eq!(place.typed(files), "");
            }
            block.to_owned()
        };
        if masked(&fresh) == masked(block) {
            rewritten.push(block.to_owned());
        } else {
            differences.push(format!("--- said\n{fresh}\n--- told\n{block}"));
            rewritten.push(fresh);
        }
    }
    assert!(made > 25, "only {made} answers were found");
    if std::env::var_os("WRITE_DOCS").is_some() {
        fs::write(file, rewritten.join("\n```")).unwrap();
    } else {
        assert!(differences.is_empty(), "protocol.md (see the head of this file):\n{}", differences.join("\n"));
    }
}

#[test]
fn what_differs_between_runs_is_made_equal_and_nothing_else() {
    assert_eq!(masked("<- {\"pid\":1,\"a\":[{\"waitedMs\":3}]}"), masked("<- {\"pid\":2,\"a\":[{\"waitedMs\":4}]}"));
    assert_eq!(masked("{\"a\":\"Waited 5 ms for x\"}"), masked("{\"a\":\"Waited 7 ms for x\"}"));
    assert_ne!(masked("<- {\"sessions\":1}"), masked("<- {\"sessions\":2}"));
    assert_ne!(masked("-> {\"id\":1}"), masked("<- {\"id\":1}"));
    assert_ne!(masked("Pressed 3 times"), masked("Pressed 4 times"));
}
