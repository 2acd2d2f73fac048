//! `help`: topics, and every command by its own help.

use std::process::ExitCode;

use clap::CommandFactory;
use contract::{Code, Failure, Row, command::nearest, request::Answer};
use serde_json::json;

use crate::{arguments::Arguments, before_sending, output};

/// Name, one line, text.
pub const TOPICS: &[(&str, &str, &str)] = &[
    ("workflow", "the loop of looking, acting and checking", include_str!("../topics/workflow.md")),
    ("selectors", "how elements are named: refs, selectors, points", include_str!("../topics/selectors.md")),
    ("errors", "dispatched, codes, exit codes, what to do after a failure", include_str!("../topics/errors.md")),
    ("web", "browsers: what they need, tabs, dialogs, files, phones", include_str!("../topics/web.md")),
    ("android", "phones and emulators: what they need, text, system, evidence", include_str!("../topics/android.md")),
    ("stage", "the embedded simulated device", include_str!("../topics/stage.md")),
    ("replay", "recorded scripts, Maestro flows, suites and reports", include_str!("../topics/replay.md")),
    ("scripting", "JSON, batches, sessions, environment variables", include_str!("../topics/scripting.md")),
    ("mcp", "the same commands as tools, for agents that call tools", include_str!("../topics/mcp.md")),
    ("remote", "devices of another machine, through a tunnel", include_str!("../topics/remote.md")),
    ("clients", "TypeScript, Python, and any other language", include_str!("../topics/clients.md")),
];

/// Prints a topic, a command's help, or the list of both.
pub fn print(topic: Option<&str>, json: bool) -> ExitCode {
    match answer(topic) {
        Ok(answer) => output::done(&answer, json),
        Err(failure) => output::failed(&before_sending(failure), json),
    }
}

/// A topic, a command's help, or the list of both.
pub fn answer(topic: Option<&str>) -> Result<Answer, Failure> {
    let Some(topic) = topic else {
        return Ok(Answer::new(json!({"topics": names(), "commands": commands()}), overview()));
    };
    if let Some((_, _, text)) = TOPICS.iter().find(|(name, ..)| *name == topic) {
        return Ok(Answer::new(json!({"topic": topic, "text": text}), *text));
    }
    let mut all = Arguments::command();
    all.build();
    if let Some(command) = all.find_subcommand_mut(topic) {
        let text = command.render_long_help().to_string();
        return Ok(Answer::new(json!({"topic": topic, "text": text}), text.clone()));
    }
    let known: Vec<String> = names().into_iter().map(str::to_owned).chain(commands()).collect();
    let hint = nearest(topic, known.iter().map(String::as_str))
        .map_or_else(|| "agent-device help lists them".to_owned(), |near| format!("did you mean {near}?"));
    Err(Failure::refused(Row::ClientUsage, Code::InvalidArgs, format!("there is no topic or command {topic:?}"))
        .reason("usage")
        .hint(hint))
}

/// Whether there is a topic or command of that name.
#[cfg(test)]
pub fn knows(topic: &str) -> bool {
    names().contains(&topic) || commands().iter().any(|command| command == topic)
}

fn names() -> Vec<&'static str> {
    TOPICS.iter().map(|(name, ..)| *name).collect()
}

fn commands() -> Vec<String> {
    Arguments::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

fn overview() -> String {
    let mut text = String::from("Begin with: agent-device help workflow\n\nTopics (agent-device help TOPIC):\n");
    for (name, line, _) in TOPICS {
        text.push_str(&format!("  {name:<12} {line}\n"));
    }
    text.push_str("\nCommands (agent-device COMMAND --help):\n");
    for command in Arguments::command().get_subcommands() {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        text.push_str(&format!("  {:<12} {about}\n", command.get_name()));
    }
    text
}
