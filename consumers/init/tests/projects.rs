//! Projects as they are found, and what `init` makes of them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use contract::{Code, Failure, request::Answer};
use init::{Agent, Init, Place, SKILL};
use serde_json::{Value, json};

/// A project and a home, both empty.
struct Tried {
    _all: tempfile::TempDir,
    place: Place,
}

impl Tried {
    fn new() -> Self {
        let all = tempfile::tempdir().unwrap();
        let (folder, home) = (all.path().join("shop"), all.path().join("home"));
        fs::create_dir(&folder).unwrap();
        fs::create_dir(&home).unwrap();
        let place = Place {
            folder,
            home: Some(home),
            codex_home: None,
            program: "agent-device".to_owned(),
            interactive: false,
        };
        Self { _all: all, place }
    }

    fn with(self, file: &str, text: &str) -> Self {
        let path = self.place.folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn run(&self, init: &Init) -> Result<Answer, Failure> {
        init::run(init, &self.place, |_| panic!("nobody is asked"))
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.place.folder.join(file)).unwrap()
    }

    /// Every file of the project and of home.
    fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self._all.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                match entry.is_dir() {
                    true => folders.push(entry),
                    false => found.push(entry.strip_prefix(self._all.path()).unwrap().display().to_string()),
                }
            }
        }
        found.sort();
        found
    }
}

fn yes(agents: &[Agent]) -> Init {
    Init { agents: agents.to_vec(), yes: true, ..Init::default() }
}

fn outcomes(answer: &Answer) -> Vec<(String, String)> {
    let text = |file: &Value, key: &str| file[key].as_str().unwrap().to_owned();
    let name = |path: String| Path::new(&path).file_name().unwrap().to_string_lossy().into_owned();
    answer.data["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| (name(text(file, "path")), text(file, "outcome")))
        .collect()
}

const ALL: &[Agent] = &[Agent::ClaudeCode, Agent::Codex, Agent::Cursor, Agent::VsCode, Agent::Gemini, Agent::OpenCode];

#[test]
fn every_agent_gets_its_own_file_in_its_own_form() {
    let tried = Tried::new();
    tried.run(&yes(ALL)).unwrap();
    let json = |file: &str| serde_json::from_str::<Value>(&tried.text(file)).unwrap();
    let stdio = json!({"type": "stdio", "command": "agent-device", "args": ["mcp"]});
    let plain = json!({"command": "agent-device", "args": ["mcp"]});
    assert_eq!(json(".mcp.json"), json!({"mcpServers": {"agent-device": stdio}}));
    assert_eq!(json(".vscode/mcp.json"), json!({"servers": {"agent-device": stdio}}));
    assert_eq!(json(".cursor/mcp.json"), json!({"mcpServers": {"agent-device": plain}}));
    assert_eq!(json(".gemini/settings.json"), json!({"mcpServers": {"agent-device": plain}}));
    let local = json!({"type": "local", "command": ["agent-device", "mcp"], "enabled": true});
    assert_eq!(json("opencode.json"), json!({"mcp": {"agent-device": local}}));
    assert_eq!(
        tried.text(".codex/config.toml"),
        "[mcp_servers.agent-device]\ncommand = \"agent-device\"\nargs = [\"mcp\"]\n"
    );
    for skills in [".claude/skills", ".agents/skills"] {
        assert_eq!(tried.text(&format!("{skills}/agent-device/SKILL.md")), SKILL);
    }
    assert_eq!(tried.files().len(), 8, "and nothing else: {:?}", tried.files());
}

#[test]
fn to_run_it_again_changes_nothing() {
    let tried = Tried::new();
    tried.run(&yes(ALL)).unwrap();
    let before: Vec<_> = tried.files().iter().map(|file| fs::read(tried._all.path().join(file)).unwrap()).collect();
    let again = tried.run(&yes(ALL)).unwrap();
    assert_eq!(again.data["written"], false);
    assert!(outcomes(&again).iter().all(|(_, outcome)| outcome == "same"), "{again:?}");
    let after: Vec<_> = tried.files().iter().map(|file| fs::read(tried._all.path().join(file)).unwrap()).collect();
    assert_eq!(before, after);
    // Where nothing would change nobody needs to be asked.
    tried.run(&Init { yes: false, ..yes(ALL) }).unwrap();
}

#[test]
fn what_is_in_a_file_stays_byte_for_byte() {
    let settings = "{\n    // how I like it\n    \"theme\": \"dark\",   /* really */\n    \"mcpServers\": {\n        \"files\": { \"command\": \"npx\", \"args\": [\"-y\", \"files\"], \"env\": {\"A\": \"$A\"} }, // the files\n    },\n}\n";
    let config = "# mine\nmodel = 'gpt'\n\n[mcp_servers.docs]\nurl = \"https://example.org/mcp\"\n\n[projects.\"/home/ada\"]\ntrust_level = \"trusted\"";
    let tried = Tried::new().with(".gemini/settings.json", settings).with(".codex/config.toml", config);
    let answer = tried.run(&yes(&[Agent::Gemini, Agent::Codex])).unwrap();
    let new = tried.text(".gemini/settings.json");
    let (before, after) = settings.split_at(settings.find("    },\n}\n").unwrap());
    let added = new.strip_prefix(before).unwrap().strip_suffix(after).unwrap();
    assert_eq!(
        added,
        "        \"agent-device\": {\n            \"command\": \"agent-device\",\n            \"args\": [\"mcp\"]\n        },\n"
    );
    assert!(tried.text(".codex/config.toml").starts_with(config));
    assert!(answer.text.unwrap().contains("Added to .gemini/settings.json: the MCP server, for gemini"));
}

#[test]
fn a_file_that_cannot_be_read_stops_everything_and_says_where() {
    let tried = Tried::new().with(".cursor/mcp.json", "{\n  \"mcpServers\": {\n    \"a\": {}\n    \"b\": {}\n  }\n}\n");
    let before = tried.files();
    let failure = tried.run(&yes(ALL)).unwrap_err();
    assert_eq!(failure.code, Code::InvalidArgs);
    assert!(failure.message.ends_with(".cursor/mcp.json cannot be understood: line 4, column 5: a , or } is expected"));
    assert_eq!(tried.files(), before, "nothing was written");
    for (file, text) in [
        (".codex/config.toml", "a = = 1"),
        (".codex/config.toml", "mcp_servers = 1"),
        (".codex/config.toml", "mcp_servers = { docs = { command = \"d\" } }"),
        (".mcp.json", "[]"),
        (".mcp.json", "{\"mcpServers\": [1]}"),
    ] {
        let tried = Tried::new().with(file, text);
        let failure = tried.run(&yes(ALL)).unwrap_err();
        assert_eq!(failure.code, Code::InvalidArgs, "{text}");
        assert!(failure.message.contains(file) && failure.hint.unwrap().contains("nothing was written"), "{text}");
        assert_eq!((tried.text(file).as_str(), tried.files().len()), (text, 1), "{text}");
    }
}

#[test]
fn another_server_of_that_name_is_kept_until_force_is_used() {
    let old =
        "{\"mcpServers\": {\"agent-device\": {\"command\": \"npx\", \"args\": [\"-y\", \"agent-device\", \"mcp\"]}}}\n";
    let tried = Tried::new().with(".mcp.json", old);
    let kept = tried.run(&yes(&[Agent::ClaudeCode])).unwrap();
    assert_eq!(tried.text(".mcp.json"), old);
    assert!(kept.text.unwrap().contains("--force replaces it"));
    let replaced = tried.run(&Init { force: true, ..yes(&[Agent::ClaudeCode]) }).unwrap();
    assert!(
        replaced.text.unwrap().contains("which was {\"args\":[\"-y\",\"agent-device\",\"mcp\"],\"command\":\"npx\"}")
    );
    let new: Value = serde_json::from_str(&tried.text(".mcp.json")).unwrap();
    assert_eq!(new["mcpServers"]["agent-device"]["command"], "agent-device");
}

#[test]
fn what_the_user_added_to_our_entry_is_the_users() {
    let old = "{\"mcpServers\": {\"agent-device\": {\"command\": \"agent-device\", \"args\": [\"mcp\"], \"env\": {\"AGENT_DEVICE_PLATFORM\": \"stage\"}}}}";
    let tried = Tried::new().with(".cursor/mcp.json", old);
    let answer = tried.run(&Init { force: true, ..yes(&[Agent::Cursor]) }).unwrap();
    assert_eq!(outcomes(&answer)[0], ("mcp.json".to_owned(), "same".to_owned()));
    assert_eq!(tried.text(".cursor/mcp.json"), old);
}

#[test]
fn a_skill_that_was_changed_is_kept_until_force_is_used() {
    let file = ".claude/skills/agent-device/SKILL.md";
    let tried = Tried::new().with(file, "mine");
    tried.run(&yes(&[Agent::ClaudeCode])).unwrap();
    assert_eq!(tried.text(file), "mine");
    tried.run(&Init { force: true, ..yes(&[Agent::ClaudeCode]) }).unwrap();
    assert_eq!(tried.text(file), SKILL);
}

#[test]
fn to_look_writes_nothing_and_shows_the_lines() {
    let tried = Tried::new().with(".mcp.json", "{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n");
    let before = (tried.files(), tried.text(".mcp.json"));
    let answer = tried.run(&Init { print: true, yes: false, ..yes(&[Agent::ClaudeCode]) }).unwrap();
    assert_eq!((tried.files(), tried.text(".mcp.json")), before);
    let text = answer.text.unwrap();
    assert!(text.contains(".mcp.json: the MCP server, for claude-code\n  line 3:\n  -     \"a\": {}\n  +     \"a\": {},\n  +     \"agent-device\": {"), "{text}");
    assert!(text.contains("SKILL.md: new, the skill, for claude-code\n  + ---\n"), "{text}");
    assert_eq!(answer.data["written"], false);
}

#[test]
fn whoever_cannot_be_asked_must_say_yes_and_a_no_writes_nothing() {
    let mut tried = Tried::new();
    let ask = Init { yes: false, ..yes(&[Agent::Cursor]) };
    let failure = tried.run(&ask).unwrap_err();
    assert!(failure.hint.unwrap().contains("agent-device init --yes"));
    tried.place.interactive = true;
    let mut shown = String::new();
    let no = init::run(&ask, &tried.place, |question| {
        shown = question.to_owned();
        false
    });
    assert_eq!(no.unwrap().text.unwrap(), "Nothing was written");
    assert!(shown.contains(".cursor/mcp.json") && shown.ends_with("Write these 2 files? [y/N] "), "{shown}");
    assert!(tried.files().is_empty());
    init::run(&ask, &tried.place, |_| true).unwrap();
    assert_eq!(tried.files().len(), 2);
}

#[test]
fn agents_are_found_by_what_they_leave_in_a_project_and_at_home() {
    let tried = Tried::new();
    let failure = tried.run(&yes(&[])).unwrap_err();
    assert!(failure.hint.unwrap().contains("claude-code|codex|cursor|vscode|gemini|opencode"));
    let tried = Tried::new().with("CLAUDE.md", "");
    fs::create_dir(tried.place.home.as_ref().unwrap().join(".codex")).unwrap();
    tried.run(&yes(&[])).unwrap();
    let written: Vec<_> = tried.files().into_iter().filter(|file| !file.ends_with(".md")).collect();
    assert_eq!(written, ["shop/.codex/config.toml", "shop/.mcp.json"]);
}

#[test]
fn for_all_projects_the_users_own_files_are_meant() {
    let mut tried = Tried::new();
    let user = Init { user: true, ..yes(&[Agent::ClaudeCode, Agent::Codex, Agent::Cursor]) };
    let answer = tried.run(&user).unwrap();
    assert_eq!(
        tried.files(),
        [
            "home/.agents/skills/agent-device/SKILL.md",
            "home/.claude/skills/agent-device/SKILL.md",
            "home/.codex/config.toml",
            "home/.cursor/mcp.json",
        ]
    );
    let text = answer.text.unwrap();
    assert!(text.contains("claude mcp add --scope user agent-device -- agent-device mcp"), "{text}");
    assert!(text.contains("Wrote ~/.codex/config.toml"), "{text}");
    tried.place.codex_home = Some(tried.place.folder.join("moved"));
    tried.run(&user).unwrap();
    assert!(tried.text("moved/config.toml").contains("[mcp_servers.agent-device]"));
}

#[test]
fn links_and_permissions_stay() {
    let tried = Tried::new().with("kept/settings.json", "{}").with(".gemini/x", "");
    let (real, link) =
        (tried.place.folder.join("kept/settings.json"), tried.place.folder.join(".gemini/settings.json"));
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&real, &link).unwrap();
    tried.run(&yes(&[Agent::Gemini])).unwrap();
    assert!(link.is_symlink() && tried.text("kept/settings.json").contains("agent-device"));
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_folder_that_cannot_be_written_is_told_and_the_rest_is_named() {
    let tried = Tried::new().with(".agents", "a file where a folder is needed");
    let failure = tried.run(&yes(&[Agent::Cursor])).unwrap_err();
    assert_eq!(failure.code, Code::StorageFailed);
    assert!(failure.message.contains(".agents/skills/agent-device/SKILL.md"), "{failure:?}");
}

#[test]
fn a_path_that_only_this_machine_has_is_told() {
    let mut tried = Tried::new();
    tried.place.program = "/opt/a d/agent-device".to_owned();
    let answer = tried.run(&yes(&[Agent::Codex])).unwrap();
    assert!(tried.text(".codex/config.toml").contains("command = \"/opt/a d/agent-device\""));
    assert!(answer.text.unwrap().contains("other machines will not have it there"));
}

#[test]
fn one_part_alone_can_be_written() {
    let tried = Tried::new();
    tried.run(&Init { no_mcp: true, ..yes(&[Agent::Codex]) }).unwrap();
    assert_eq!(tried.files(), ["shop/.agents/skills/agent-device/SKILL.md"]);
    let tried = Tried::new();
    tried.run(&Init { no_skill: true, ..yes(&[Agent::Codex]) }).unwrap();
    assert_eq!(tried.files(), ["shop/.codex/config.toml"]);
}
