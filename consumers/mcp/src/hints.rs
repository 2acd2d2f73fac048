//! Advice in the words of whoever reads it: a hint that names a command line becomes the call of a tool.

use contract::Command;
use serde_json::Value;

use crate::tools::{MORE, Profile};

const PROGRAM: &str = "agent-device ";

/// A hint with every command line in it written as a tool call.
pub fn spoken(hint: &str, profile: Profile) -> String {
    let mut out = String::with_capacity(hint.len());
    let mut rest = hint;
    while let Some(at) = rest.find(PROGRAM) {
        let (before, line) = (&rest[..at], &rest[at + PROGRAM.len()..]);
        let quoted = before.ends_with('`');
        let whole = if quoted { line.find('`').unwrap_or(line.len()) } else { line.find('\n').unwrap_or(line.len()) };
        let read = Command::leading(&line[..whole])
            .filter(|(command, _)| command.spec().mcp)
            .map(|(call, taken)| (called(&call, profile), taken))
            .or_else(|| helped(line));
        match read {
            Some((call, taken)) => {
                out.push_str(before.strip_suffix('`').filter(|_| quoted).unwrap_or(before));
                out.push_str(&call);
                rest = &line[taken..];
                if quoted {
                    rest = rest.strip_prefix('`').unwrap_or(rest);
                }
            }
            None => {
                out.push_str(&rest[..at + PROGRAM.len()]);
                rest = line;
            }
        }
    }
    out.push_str(rest);
    resumed(&out).unwrap_or(out)
}

/// Where to go on with a replay, as arguments of its call.
fn resumed(hint: &str) -> Option<String> {
    let (before, rest) = hint.split_once("--from ")?;
    let (from, rest) = rest.split_once(" --plan-digest ")?;
    let from: u32 = from.parse().ok()?;
    let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let (digest, after) = rest.split_at(end);
    Some(format!("{before}the same call with {}{after}", serde_json::json!({"from": from, "planDigest": digest})))
}

/// `help TOPIC` and `COMMAND --help` as the call that tells the same.
fn helped(line: &str) -> Option<(String, usize)> {
    let words: Vec<&str> =
        line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').take(2).collect();
    let told = |topic: &str| format!("{MORE} {}", serde_json::json!({"help": topic}));
    match words.as_slice() {
        ["help", topic] if is_word(topic) && tells_of(topic) => Some((told(topic), "help ".len() + topic.len())),
        ["help", ..] => Some((format!("{MORE} {{}}"), "help".len())),
        [command, "--help"] if is_word(command) => Some((told(command), command.len() + " --help".len())),
        _ => None,
    }
}

fn is_word(word: &str) -> bool {
    !word.is_empty() && !word.starts_with('-')
}

/// Whether this is what one is told of, and not the sentence that goes on.
fn tells_of(topic: &str) -> bool {
    const TOPICS: &[&str] = &["workflow", "selectors", "errors", "web", "android", "stage", "replay", "scripting"];
    TOPICS.contains(&topic) || crate::arguments::canonical(topic).is_some()
}

/// A command as the call of a tool: `press {"target":"@e5"}`.
pub fn called(command: &Command, profile: Profile) -> String {
    let name = command.spec().name;
    let mut args = command.to_args();
    if let Value::Object(args) = &mut args {
        args.retain(|_, value| !value.is_null());
        // A snapshot shows what takes input where nothing is said.
        if let Command::Snapshot(snapshot) = command
            && profile.lists(name)
        {
            let _said = match snapshot.view.interactive_only {
                true => args.remove("interactiveOnly"),
                false => args.insert("interactiveOnly".into(), false.into()),
            };
        }
        for target in crate::arguments::ARGUMENTS.get(name).into_iter().flat_map(|known| &known.targets) {
            if let Some(value) = args.get_mut(target)
                && let Ok(read) = serde_json::from_value::<contract::Target>(value.clone())
            {
                *value = match read {
                    contract::Target::Point { x, y } => format!("{x} {y}"),
                    other => other.to_string(),
                }
                .into();
            }
        }
    }
    match profile.lists(name) {
        true => format!("{name} {args}"),
        false => format!("{MORE} {}", serde_json::json!({"command": name, "args": args})),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_to_go_on_with_a_replay_is_said_as_arguments() {
        assert_eq!(
            spoken("nothing was sent; go on from it: --from 4 --plan-digest ab12", Profile::Core),
            r#"nothing was sent; go on from it: the same call with {"from":4,"planDigest":"ab12"}"#
        );
        assert_eq!(spoken("say --from where", Profile::Core), "say --from where");
    }

    #[test]
    fn a_command_line_in_a_hint_becomes_a_call() {
        for (hint, spoken_as) in [
            ("look at the screen: agent-device snapshot -i", "look at the screen: snapshot {}"),
            ("look first (agent-device snapshot), then", "look first (snapshot {\"interactiveOnly\":false}), then"),
            (
                "answer it first: agent-device alert accept (or dismiss)",
                "answer it first: alert {\"action\":\"accept\"} (or dismiss)",
            ),
            (
                "it has [button] \"No\": agent-device press 'id=no'",
                "it has [button] \"No\": press {\"target\":\"id=no\"}",
            ),
            (
                "see what is missing: agent-device doctor",
                "see what is missing: more {\"args\":{},\"command\":\"doctor\"}",
            ),
            ("run `agent-device close` first", "run close {} first"),
            ("agent-device help lists the commands", "more {} lists the commands"),
            ("see agent-device press --help", "see more {\"help\":\"press\"}"),
            ("read agent-device help errors.", "read more {\"help\":\"errors\"}."),
            (
                "see `agent-device help` or `agent-device <command> --help`",
                "see more {} or `agent-device <command> --help`",
            ),
            // For a person at a terminal, and said as to one.
            ("stop it: agent-device daemon stop", "stop it: agent-device daemon stop"),
            ("nothing to translate", "nothing to translate"),
        ] {
            assert_eq!(spoken(hint, Profile::Core), spoken_as, "{hint}");
        }
    }
}
