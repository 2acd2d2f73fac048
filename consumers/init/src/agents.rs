//! Which agents there are, and which files they read.
//!
//! Each agent keeps its list of MCP servers in a file and a form of its own; skills follow one standard (a folder with a
//! `SKILL.md`), in one of two places.

use clap::ValueEnum;
use serde_json::{Map, Value, json};

/// An agent that can be told of this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Agent {
    /// Claude Code
    ClaudeCode,
    /// Codex: the command line, the app and the extension
    Codex,
    /// Cursor
    Cursor,
    /// Visual Studio Code
    #[value(name = "vscode")]
    VsCode,
    /// Gemini CLI
    Gemini,
    /// OpenCode
    #[value(name = "opencode")]
    OpenCode,
}

/// How a list of servers is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// JSON, comments allowed: `{ KEY: { "agent-device": ENTRY } }`.
    Json(&'static str),
    /// TOML: `[KEY.agent-device]`.
    Toml(&'static str),
}

/// The name under which the server is registered, and that of the skill.
pub const NAME: &str = "agent-device";

/// Skills where most agents look.
const SKILLS: &str = ".agents/skills";

/// Everything that is known of an agent.
pub struct Habits {
    /// Its files of servers in a project: the first that is there, else the first.
    pub project: &'static [&'static str],
    /// The same below the home folder; none where the agent's own command must be used.
    pub user: &'static [&'static str],
    /// The agent's own command that registers for all projects, where there is no such file.
    pub by_hand: &'static str,
    /// How the file is written.
    pub form: Form,
    /// Where it looks for skills, in the project and at home.
    pub skills: &'static str,
    /// What shows that a project is used with it.
    pub signs: &'static [&'static str],
    /// What shows that a user has it: below the home folder.
    pub signs_at_home: &'static [&'static str],
    /// What is left to do for the user.
    pub next: &'static str,
}

impl Agent {
    /// Its name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// What is known of it.
    pub const fn habits(self) -> Habits {
        match self {
            Agent::ClaudeCode => Habits {
                project: &[".mcp.json"],
                user: &[],
                by_hand: "claude mcp add --scope user agent-device -- agent-device mcp",
                form: Form::Json("mcpServers"),
                skills: ".claude/skills",
                signs: &[".claude", ".mcp.json", "CLAUDE.md"],
                signs_at_home: &[".claude", ".claude.json"],
                next: "it asks once whether the project's servers may be used; /mcp shows them",
            },
            Agent::Codex => Habits {
                project: &[".codex/config.toml"],
                user: &[".codex/config.toml"],
                by_hand: "",
                form: Form::Toml("mcp_servers"),
                skills: SKILLS,
                signs: &[".codex"],
                signs_at_home: &[".codex"],
                next: "a project's servers are used once the project is trusted; /mcp shows them",
            },
            Agent::Cursor => Habits {
                project: &[".cursor/mcp.json"],
                user: &[".cursor/mcp.json"],
                by_hand: "",
                form: Form::Json("mcpServers"),
                skills: SKILLS,
                signs: &[".cursor"],
                signs_at_home: &[".cursor"],
                next: "switch the server on in its settings, under MCP",
            },
            Agent::VsCode => Habits {
                project: &[".vscode/mcp.json"],
                user: &[],
                by_hand: r#"code --add-mcp '{"name":"agent-device","command":"agent-device","args":["mcp"]}'"#,
                form: Form::Json("servers"),
                skills: SKILLS,
                signs: &[".vscode"],
                signs_at_home: &[".vscode"],
                next: "start the server from the file .vscode/mcp.json, or with the command MCP: List Servers",
            },
            Agent::Gemini => Habits {
                project: &[".gemini/settings.json"],
                user: &[".gemini/settings.json"],
                by_hand: "",
                form: Form::Json("mcpServers"),
                skills: SKILLS,
                signs: &[".gemini", "GEMINI.md"],
                signs_at_home: &[".gemini"],
                next: "trust the folder when it asks: it starts no server in one that it does not trust; /mcp shows the server",
            },
            Agent::OpenCode => Habits {
                project: &["opencode.json", "opencode.jsonc"],
                user: &[".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"],
                by_hand: "",
                form: Form::Json("mcp"),
                skills: SKILLS,
                signs: &["opencode.json", "opencode.jsonc", ".opencode"],
                signs_at_home: &[".config/opencode"],
                next: "start it anew",
            },
        }
    }

    /// The entry that starts the server, in the order in which it is written.
    pub fn entry(self, program: &str) -> Vec<(&'static str, Value)> {
        match self {
            Agent::OpenCode => {
                vec![("type", json!("local")), ("command", json!([program, "mcp"])), ("enabled", json!(true))]
            }
            Agent::VsCode | Agent::ClaudeCode => {
                vec![("type", json!("stdio")), ("command", json!(program)), ("args", json!(["mcp"]))]
            }
            Agent::Codex | Agent::Cursor | Agent::Gemini => {
                vec![("command", json!(program)), ("args", json!(["mcp"]))]
            }
        }
    }
}

/// Whether an entry says what ours says; what else stands in it (an environment, a time limit) is the user's.
pub fn says(entry: &Value, ours: &[(&'static str, Value)]) -> bool {
    entry.as_object().is_some_and(|entry| {
        ours.iter().all(|(key, value)| {
            entry.get(*key) == Some(value) || may_be_absent(key, value) && !entry.contains_key(*key)
        })
    })
}

/// Agents take `stdio` for granted where a command stands, and an entry for switched on.
fn may_be_absent(key: &str, value: &Value) -> bool {
    (key == "type" && value == "stdio") || key == "enabled"
}

/// The entry as a value.
pub fn object(entry: &[(&'static str, Value)]) -> Value {
    Value::Object(entry.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect::<Map<_, _>>())
}
