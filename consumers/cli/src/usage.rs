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
    ("setvalue", "fill"),
    ("select", "fill <list> <option>"),
    ("choose", "fill <list> <option>"),
    ("check", "press"),
    ("uncheck", "press"),
    ("toggle", "press"),
    ("rightclick", "press --button secondary"),
    ("drag", "gesture drag <from> <to>"),
    ("pinch", "gesture pinch"),
    ("pan", "gesture pan"),
    ("fling", "gesture fling"),
    ("key", ENTER),
    ("keys", ENTER),
    ("keypress", ENTER),
    ("send-keys", ENTER),
    ("enter", ENTER),
    ("reload", "open <the same address>"),
    ("refresh", "open <the same address>"),
    ("list", "snapshot -i"),
    ("ls", "snapshot -i"),
    ("elements", "snapshot -i"),
    ("look", "snapshot -i"),
    ("url", "snapshot (its first lines are title and address)"),
    ("title", "snapshot (its first lines are title and address)"),
    ("html", "snapshot"),
    ("source", "snapshot"),
    ("inspect", "get attrs"),
    ("attributes", "get attrs"),
    ("search", "find"),
    ("query", "find"),
    ("scroll-to", "scroll down --until <selector>"),
    ("scrollto", "scroll down --until <selector>"),
    ("exit", "close"),
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

/// Keys are typed: Enter as a line break, by the shell's own notation.
const ENTER: &str = "type $'\\n' (a line break presses Enter; on a phone: keyboard enter)";

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
    if let Some(meant) = slip(words) {
        return meant;
    }
    let tips: Vec<_> = rendered.lines().filter_map(|line| line.trim().strip_prefix("tip: ")).collect();
    match (tips.is_empty(), usage(words)) {
        (false, Some(usage)) => format!("{}; usage: {usage}", tips.join("; ")),
        (false, None) => tips.join("; "),
        (true, Some(usage)) => format!("usage: {usage}"),
        (true, None) => "agent-device help".to_owned(),
    }
}

/// What was meant by words that another program understands, in a command that is known.
fn slip(words: &[OsString]) -> Option<String> {
    let words: Vec<&str> = words.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let at = words.iter().position(|word| !word.starts_with('-'))?;
    let word = |nth: usize| words.get(at + nth).copied().unwrap_or_default();
    let is_target = |word: &str| word.starts_with('@') || word.contains('=');
    match (word(0), word(1), word(2)) {
        ("type", target, text) if is_target(target) && !text.is_empty() => {
            Some(format!("type writes where the focus is; to fill a field: agent-device fill {target} {text:?}"))
        }
        ("get", target, _) if is_target(target) => Some(format!("agent-device get text {target}")),
        ("wait", "for", text) if !text.is_empty() => Some(format!("agent-device wait text {text:?}")),
        ("scroll", target, _) if is_target(target) => Some(
            "a press scrolls to its target by itself; to look for one: agent-device scroll down --until <selector>"
                .into(),
        ),
        ("swipe", way @ ("up" | "down" | "left" | "right"), _) => Some(format!(
            "agent-device gesture fling {way}, or to move through a page: agent-device scroll <direction>"
        )),
        ("keyboard", "press" | "type" | "key", _) => Some(format!("agent-device {ENTER}")),
        _ => None,
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
    fn words_of_other_programs_are_answered_with_ours() {
        let slip = |line: &str| slip(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        let fill = slip("agent-device --json type @e1 Ada").unwrap();
        assert!(fill.ends_with("agent-device fill @e1 \"Ada\""), "{fill}");
        assert_eq!(slip("agent-device wait for Saved").unwrap(), "agent-device wait text \"Saved\"");
        assert_eq!(slip("agent-device get @e1").unwrap(), "agent-device get text @e1");
        assert!(slip("agent-device swipe left").unwrap().starts_with("agent-device gesture fling left"));
        for right in ["agent-device type Ada", "agent-device get text @e1", "agent-device wait 5", "agent-device"] {
            assert_eq!(slip(right), None, "{right}");
        }
    }

    #[test]
    fn every_synonym_names_a_command_and_is_none() {
        let mut all = Arguments::command();
        all.build();
        for (theirs, ours) in SYNONYMS {
            let ours = ours.split(' ').next().unwrap();
            assert!(all.find_subcommand(ours).is_some(), "{theirs}: {ours}");
            assert!(all.find_subcommand(theirs).is_none(), "{theirs} is a command");
        }
    }

    #[test]
    fn the_usage_of_a_command_is_written_as_it_is_typed() {
        let words = ["agent-device", "--json", "fill"].map(OsString::from);
        assert_eq!(usage(&words).unwrap(), "agent-device fill [OPTIONS] TARGET TEXT");
        assert_eq!(usage(&["agent-device", "nonsense"].map(OsString::from)), None);
    }
}
