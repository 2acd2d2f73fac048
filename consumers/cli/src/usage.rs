//! What is said of a command line that cannot be understood.

use std::{ffi::OsString, process::ExitCode};

use clap::{
    CommandFactory,
    error::{ContextKind, ContextValue, ErrorKind},
};
use contract::{Code, Failure, Row};

use crate::{arguments::Arguments, before_sending, output};

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
    let failure = Failure::refused(Row::ClientUsage, Code::InvalidArgs, message.join(" "))
        .reason("usage")
        .hint(hint(error, &rendered, words));
    output::failed(&before_sending(failure), json)
}

fn hint(error: &clap::Error, rendered: &str, words: &[OsString]) -> String {
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && let Some((_, ours)) = SYNONYMS.iter().find(|(theirs, _)| theirs == word)
    {
        return format!("did you mean agent-device {ours}?");
    }
    let tips: Vec<_> = rendered.lines().filter_map(|line| line.trim().strip_prefix("tip: ")).collect();
    match (tips.is_empty(), usage(words)) {
        (false, _) => tips.join("; "),
        (true, Some(usage)) => format!("usage: {usage}"),
        (true, None) => "agent-device help".to_owned(),
    }
}

/// The usage line of the command that was called. Not the one in clap's error: that lists flags which only the
/// environment has set.
fn usage(words: &[OsString]) -> Option<String> {
    let mut all = Arguments::command();
    all.build();
    let called = words.iter().skip(1).filter_map(|word| word.to_str()).find_map(|word| all.find_subcommand(word));
    let name = called?.get_name().to_owned();
    let usage = all.find_subcommand_mut(&name)?.render_usage().to_string();
    // Several words in one argument stand as <A [B]>...: without the frame they read as they are typed.
    Some(usage.trim_start_matches("Usage: ").replace(">...", "").replace(['<', '>'], ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usage_of_a_command_is_written_as_it_is_typed() {
        let words = ["agent-device", "--json", "fill"].map(OsString::from);
        assert_eq!(usage(&words).unwrap(), "agent-device fill [OPTIONS] TARGET TEXT");
        assert_eq!(usage(&["agent-device", "nonsense"].map(OsString::from)), None);
    }
}
