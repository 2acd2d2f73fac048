//! The script as it is written: what it needs, where it was made, then a line per step with its evidence above it.

use std::{fmt::Write as _, path::Path};

use contract::{Command, command::Screenshot, plain};
use serde_json::Value;

use super::{Recording, rewrite};

/// The text of a script that is to lie at `path`: files of the caller's below its folder are named from there.
pub fn of(recording: &Recording, path: &Path) -> String {
    let mut out = format!("# Recorded by agent-device {}.\n", contract::VERSION);
    let mut needed: Vec<&str> = Vec::new();
    for variable in recording.steps.iter().flat_map(|step| &step.variables) {
        if !needed.contains(&variable.as_str()) {
            needed.push(variable);
        }
    }
    if !needed.is_empty() {
        let given: Vec<String> = needed.iter().map(|name| format!("-e {name}=...")).collect();
        let _infallible =
            writeln!(out, "# What was typed there is not in it; give it when it is replayed: {}", given.join(" "));
    }
    if let Some(platform) = recording.platform {
        let _infallible = writeln!(out, "context platform={platform}");
    }
    out.push('\n');
    let folder = path.parent().unwrap_or(Path::new("/"));
    for step in &recording.steps {
        for comment in &step.comments {
            remark(&mut out, comment);
        }
        let Some(command) = &step.command else { continue };
        match line(&from(command, folder)) {
            Some(line) => {
                if let Some(evidence) = super::evidence::comment(&step.evidence) {
                    out.push_str(&evidence);
                    out.push('\n');
                }
                out.push_str(&line);
                out.push('\n');
            }
            None => remark(&mut out, &format!("not recorded: {}", command.spec().name)),
        }
    }
    if recording.left_out > 0 {
        remark(&mut out, &format!("{} more steps: a script has {} at most", recording.left_out, super::STEPS));
    }
    for line in &recording.remarks {
        remark(&mut out, line);
    }
    out
}

fn remark(out: &mut String, text: &str) {
    let _infallible = writeln!(out, "# {}", plain::line(text));
}

/// The line of a command that may stand in a script.
fn line(command: &Command) -> Option<String> {
    script::line_of(command)?;
    written(command)
}

/// A command as a person would type it, variables where it has marks for them.
pub fn written(command: &Command) -> Option<String> {
    let words: Vec<String> = command.to_words()?.iter().map(|text| word(text)).collect();
    Some(words.join(" "))
}

/// One word. A variable is expanded in a bare word and in a JSON string, and nowhere else.
fn word(text: &str) -> String {
    if !text.contains(rewrite::OPEN) {
        return script::quote(text);
    }
    let variables = |text: &str| text.replace(rewrite::OPEN, "${").replace(rewrite::CLOSE, "}");
    let bare =
        |letter: char| plain::is_shown(letter) && !letter.is_whitespace() && !matches!(letter, '"' | '\'' | '\\');
    if text.chars().all(bare) && !text.contains("${") && !text.starts_with('#') {
        return variables(text);
    }
    let json = serde_json::to_string(&text.replace("${", "\\${")).unwrap_or_default();
    variables(&plain::json(&json))
}

/// The command with the caller's files named from the script's folder, where they lie in it or below.
fn from(command: &Command, folder: &Path) -> Command {
    let near = |text: &str| -> Option<String> {
        let path = text.strip_prefix("file://").filter(|rest| !rest.contains('%')).unwrap_or(text);
        let below = Path::new(path).is_absolute().then(|| Path::new(path).strip_prefix(folder).ok())??;
        Some(format!("./{}", below.display()))
    };
    let mut args = command.to_args();
    match command {
        Command::Open(open) => {
            if let Some(app) = open.app.as_deref().and_then(near) {
                args["app"] = app.into();
            }
        }
        Command::Screenshot(Screenshot { out, path, .. }) => {
            if let Some(file) = out.as_deref().or(path.as_deref()).and_then(near) {
                args["out"] = Value::Null;
                args["path"] = file.into();
            }
        }
        Command::Upload(upload) => {
            args["files"] = upload.words.files.iter().map(|file| near(file).unwrap_or_else(|| file.clone())).collect();
        }
        _ => return command.clone(),
    }
    Command::from_call(command.spec().name, &args).unwrap_or_else(|_| command.clone())
}
