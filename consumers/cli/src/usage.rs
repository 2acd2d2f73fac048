//! What is said of a command line that cannot be understood.

use std::{ffi::OsString, process::ExitCode};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use contract::{Code, Failure, Row};

use crate::{before_sending, output};

/// Words that people use, and what does it here.
const SYNONYMS: &[(&str, &str)] = &[
    ("start", "open"),
    ("restart", "open --relaunch"),
    ("relaunch", "open --relaunch"),
    ("visit", "open"),
    ("navigate", "open"),
    ("open-url", "open"),
    ("touch", "press"),
    ("dblclick", "press --double-tap"),
    ("doubleclick", "press --double-tap"),
    ("input", "fill"),
    ("settext", "fill"),
    ("entertext", "fill"),
    ("clear", "fill <target> \"\""),
    ("screencap", "screenshot"),
    ("capture", "screenshot"),
    ("tree", "snapshot"),
    ("dump", "snapshot"),
    ("get-text", "get text"),
    ("gettext", "get text"),
    ("text", "get text"),
    ("attrs", "get attrs"),
    ("close-session", "close"),
    ("quit", "close"),
    ("sleep", "wait <ms>"),
    ("assert", "is"),
    ("expect", "is"),
    ("resize", "viewport"),
    ("tabs", "windows"),
    ("dialog", "alert"),
    ("log", "events"),
    ("history", "events"),
    ("sessions", "session list"),
    ("stop", "daemon stop"),
];

/// Prints help and version as asked for, everything else as a failure with `dispatched: no`.
pub fn report(error: &clap::Error, words: &[OsString], json: bool) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return output::raw(error.render().to_string().as_bytes());
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand && words.len() <= 1 {
        let _shown = output::raw(error.render().to_string().as_bytes());
        return ExitCode::from(2);
    }
    let rendered = error.render().to_string();
    let message: Vec<_> = rendered
        .lines()
        .map(|line| line.trim_start_matches("error: ").trim())
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .filter(|line| !line.is_empty() && !line.starts_with("tip:"))
        .collect();
    let failure = Failure::refused(Row::ClientUsage, Code::InvalidArgs, message.join(" ")).reason("usage").hint(hint(error, &rendered));
    output::failed(&before_sending(failure), json)
}

fn hint(error: &clap::Error, rendered: &str) -> String {
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && let Some((_, ours)) = SYNONYMS.iter().find(|(theirs, _)| theirs == word)
    {
        return format!("did you mean agent-device {ours}?");
    }
    let tips: Vec<_> = rendered.lines().filter_map(|line| line.trim().strip_prefix("tip: ")).collect();
    let usage = rendered.lines().find_map(|line| line.trim().strip_prefix("Usage: "));
    match (tips.is_empty(), usage) {
        (false, _) => tips.join("; "),
        (true, Some(usage)) => format!("usage: {usage}"),
        (true, None) => "agent-device help".to_owned(),
    }
}
