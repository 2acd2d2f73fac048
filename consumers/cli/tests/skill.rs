//! The skill does what it says: every command in it runs, and `init` writes it as it is.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    path::Path,
    process::{Command, Output},
};

const PAGE: &str = r#"<!doctype html><title>Notes</title>
<button onclick="document.querySelector('p').textContent = 'Saved'">Save</button><p role="status"></p>"#;

fn skill() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../skill/SKILL.md")).unwrap()
}

/// Every command line of a text: in fenced blocks, and in tables between back quotes.
fn commands(text: &str) -> Vec<String> {
    let inline = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let fenced = text.lines();
    let mut found: Vec<String> = fenced
        .chain(inline)
        .map(|line| line.split(" #").next().unwrap_or(line).trim().to_owned())
        .filter(|line| line.starts_with("agent-device "))
        .collect();
    found.dedup();
    found
}

struct Place {
    all: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { all: tempfile::tempdir().unwrap() }
    }

    fn run(&self, line: &str) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_agent-device")).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        Command::new("sh")
            .args(["-c", line])
            .current_dir(self.all.path())
            .env("PATH", format!("{}:{path}", program.display()))
            .env("HOME", self.all.path())
            .env("AGENT_DEVICE_STATE_DIR", self.all.path().join("s"))
            .env_remove("AGENT_DEVICE_SESSION")
            .env_remove("AGENT_DEVICE_PLATFORM")
            .env_remove("AGENT_DEVICE_URL")
            .output()
            .unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.run("agent-device daemon stop");
    }
}

/// Serves one page, at a port that is free, for as long as the test runs.
fn page() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _asked = stream.read(&mut [0; 4096]);
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n";
            let _told = write!(stream, "{head}Content-Length: {}\r\n\r\n{PAGE}", PAGE.len());
        }
    });
    port
}

#[test]
fn every_command_of_the_skill_runs() {
    if std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_BROWSER").is_some() {
        return;
    }
    let (place, port) = (Place::new(), page());
    let commands = commands(&skill());
    assert!(commands.len() >= 13, "{commands:?}");
    for line in commands {
        // The place of the reader's own page, and the ref that its snapshot shows.
        let line = line.replace("localhost:3000", &format!("127.0.0.1:{port}")).replace("@e5", "@e1");
        let output = place.run(&line);
        // What a machine lacks is for `doctor` to say; that it says so is enough here.
        let well = output.status.success() || (line.ends_with("doctor") && !output.stderr.is_empty());
        assert!(well, "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn the_skill_is_as_agents_want_it() {
    let text = skill();
    assert!(text.lines().count() < 60);
    let head = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap().0;
    let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))).unwrap();
    assert_eq!(field("name"), "agent-device", "the name of its folder");
    let description = field("description");
    assert!((80..=1024).contains(&description.len()), "{}", description.len());
    assert!(!description.contains(": ") && !description.contains(['<', '>', '"']), "plain YAML, no quotes needed");
}

#[test]
fn init_writes_it_and_says_so_in_json() {
    let place = Place::new();
    let refused = place.run("agent-device init --agent claude-code,codex");
    assert_eq!(refused.status.code(), Some(2), "nobody can be asked: {refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("Dispatched: no\nHint: look with --print"));
    assert!(!place.all.path().join(".mcp.json").exists());
    let output = place.run("agent-device --json init --agent claude-code,codex --yes");
    assert!(output.status.success(), "{output:?}");
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(said["data"]["files"].as_array().unwrap().len(), 4);
    assert_eq!(said["data"]["program"], "agent-device", "a shell finds this program by its name");
    let written = fs::read_to_string(place.all.path().join(".claude/skills/agent-device/SKILL.md")).unwrap();
    assert_eq!(written, skill());
    let config: serde_json::Value =
        serde_json::from_slice(&fs::read(place.all.path().join(".mcp.json")).unwrap()).unwrap();
    let server = &config["mcpServers"]["agent-device"];
    assert_eq!((&server["command"], &server["args"][0]), (&"agent-device".into(), &"mcp".into()));
    let again = place.run("agent-device init --agent claude-code,codex");
    assert!(again.status.success(), "nothing would change, so nobody needs to be asked: {again:?}");
    assert!(!place.all.path().join("s").exists(), "no daemon is needed for it");
}
