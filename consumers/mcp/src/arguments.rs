//! From what a model sends to a command: targets as plain strings, a `kind` left out, and what belongs to the request
//! rather than to the command.

use std::{collections::BTreeMap, sync::LazyLock};

use contract::{
    Code, Command, Failure, Row, Target,
    command::{SPECS, Step, Wanted},
    target::RefToken,
    view::Platform,
    words::parse_words,
};
use serde_json::{Map, Value};

use crate::schema::Arguments;

/// The arguments of every command, read once.
pub static ARGUMENTS: LazyLock<BTreeMap<&'static str, Arguments>> =
    LazyLock::new(|| SPECS.iter().map(|spec| (spec.name, Arguments::of(spec.name))).collect());

/// What is said beside a command's own arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// Another session than the server's.
    pub session: Option<String>,
    /// Which platform, when opening.
    pub platform: Option<Platform>,
    /// Which device, when opening.
    pub device: Option<String>,
    /// The whole call's limit, ms.
    pub timeout_ms: Option<u64>,
    /// An id of the caller's choice: asked for twice, it runs once.
    pub request_id: Option<String>,
    /// Whether a program asks, for data in full.
    pub data: bool,
}

impl Scope {
    /// Takes what is the request's out of the arguments. What the command itself has under that name stays.
    pub(crate) fn take(command: &str, args: &mut Map<String, Value>) -> Result<Self, Failure> {
        let own = ARGUMENTS.get(command);
        let mut taken = |name: &str| {
            let is_own = own.is_some_and(|own| own.properties.contains_key(name));
            if is_own { None } else { args.remove(name).filter(|value| !value.is_null()) }
        };
        let read = |name: &str, value: Option<Value>| match value {
            Some(Value::String(word)) => Ok((!word.is_empty()).then_some(word)),
            Some(other) => Err(refused(format!("{name} is a text, not {other}"))),
            None => Ok(None),
        };
        let (session, device) = (read("session", taken("session"))?, read("device", taken("device"))?);
        let platform = taken("platform")
            .map(serde_json::from_value)
            .transpose()
            .map_err(|_| refused("there is no such platform".to_owned()).hint("platform: stage, web or android"))?;
        let timeout_ms = match taken("timeoutMs") {
            None => None,
            Some(value) => Some(
                value
                    .as_u64()
                    .filter(|limit| (1..=86_400_000).contains(limit))
                    .ok_or_else(|| refused(format!("timeoutMs is 1 to 86400000, not {value}")))?,
            ),
        };
        Ok(Self { session, platform, device, timeout_ms, ..Self::default() })
    }
}

/// Reads a call of a command by its name or another of its names.
///
/// # Errors
/// `INVALID_ARGS`, with what is wrong and what would fit.
pub fn read(name: &str, mut args: Map<String, Value>) -> Result<(Command, Scope), Failure> {
    let name = canonical(name).unwrap_or(name);
    let scope = Scope::take(name, &mut args)?;
    if let Some(known) = ARGUMENTS.get(name) {
        for target in &known.targets {
            if let Some(value) = args.get_mut(target) {
                *value = aimed(target, value.take())?;
            }
        }
        choose(known, &mut args);
    }
    let command = Command::from_call(name, &Value::Object(args))?;
    own_input(&command)?;
    Ok((command, scope))
}

/// Reads a call as it would stand on a command line; what is the request's may stand beside it.
///
/// # Errors
/// `INVALID_ARGS`, with the word that is wrong.
pub fn read_line(line: &str, mut beside: Map<String, Value>) -> Result<(Command, Scope), Failure> {
    let scope = Scope::take("", &mut beside)?;
    if let Some(name) = beside.keys().next() {
        return Err(refused(format!("a whole line has its arguments in it; {name:?} is too much"))
            .hint("give the command's name alone as command, or no args"));
    }
    let command = Command::from_line(line.trim().trim_start_matches("agent-device "))?;
    own_input(&command)?;
    Ok((command, scope))
}

/// The command's own name for one of its names.
pub fn canonical(name: &str) -> Option<&'static str> {
    SPECS.iter().find(|spec| spec.name == name || spec.aliases.contains(&name)).map(|spec| spec.name)
}

/// A target as the contract has it. A plain string is read as on a command line.
fn aimed(name: &str, value: Value) -> Result<Value, Failure> {
    match value {
        Value::String(text) => {
            let target = aimed_at(text.trim()).map_err(|why| refused(format!("{name}: {why}")).hint(HOW_TO_AIM))?;
            serde_json::to_value(target).map_err(|why| refused(format!("{name}: {why}")))
        }
        Value::Object(mut object) => {
            if !object.contains_key("kind") {
                let kind = ["ref", "selector"].into_iter().find(|kind| object.contains_key(*kind));
                let kind = kind.or_else(|| object.contains_key("x").then_some("point"));
                if let Some(kind) = kind {
                    object.insert("kind".into(), kind.into());
                }
            }
            Ok(Value::Object(object))
        }
        other => Err(refused(format!("{name} is no target: {other}")).hint(HOW_TO_AIM)),
    }
}

const HOW_TO_AIM: &str =
    "a target is \"@e5\" from a snapshot, a selector such as \"label=\\\"Save\\\"\", or a point \"10 20\"";

fn aimed_at(text: &str) -> Result<Target, String> {
    if text.is_empty() {
        return Err("an empty target aims at nothing".to_owned());
    }
    // `e5` is no selector: whoever writes it means the ref.
    if RefToken::parse(text).is_ok() {
        return Ok(Target::Ref { reference: format!("@{}", text.trim_start_matches('@')) });
    }
    let numbers: Vec<&str> = text.split([' ', ',']).filter(|part| !part.is_empty()).collect();
    let words = match numbers.iter().all(|number| number.parse::<f64>().is_ok()) {
        true => numbers.into_iter().map(str::to_owned).collect(),
        false => vec![text.to_owned()],
    };
    parse_words(words)
}

/// A `kind` that was left out, where what is there can mean only one: the first form that has all it needs, and knows
/// all that is there.
fn choose(known: &Arguments, args: &mut Map<String, Value>) {
    if known.forms.is_empty() || args.contains_key("kind") || args.is_empty() {
        return;
    }
    let fits = known.forms.iter().find(|form| {
        let of_forms = |name: &&String| known.forms.iter().any(|form| form.known.contains(name));
        form.required.iter().filter(|name| *name != "kind").all(|name| args.contains_key(name))
            && args.keys().filter(of_forms).all(|name| form.known.contains(name))
    });
    if let Some(form) = fits {
        args.insert("kind".into(), form.kind.clone().into());
    }
}

/// Standard input is the protocol's: nothing may be read from it.
fn own_input(command: &Command) -> Result<(), Failure> {
    let reads = match command {
        Command::Open(open) => matches!(&open.capabilities, Some(Wanted::In(file)) if file == "-"),
        Command::Batch(batch) => {
            for step in batch.steps.iter().flat_map(|steps| &steps.0) {
                let step = match step {
                    Step::Line(line) => Command::from_line(line),
                    Step::Call(call) => Command::from_call(&call.command, &call.args),
                };
                if let Ok(step) = step {
                    own_input(&step)?;
                }
            }
            batch.steps_file.as_deref() == Some("-")
        }
        _ => false,
    };
    match reads {
        true => Err(refused("standard input belongs to the protocol here".to_owned())
            .hint("write what the file would hold into the arguments")),
        false => Ok(()),
    }
}

/// A call that cannot be understood: nothing was sent.
pub fn refused(message: String) -> Failure {
    Failure::refused(Row::ClientUsage, Code::InvalidArgs, message).reason("invalid_arguments")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reads(name: &str, args: Value) -> Result<Command, Failure> {
        read(name, args.as_object().cloned().unwrap()).map(|(command, _)| command)
    }

    #[test]
    fn a_target_may_be_written_as_on_a_command_line_or_as_an_object() {
        for (line, target) in [
            ("press @e5", json!("@e5")),
            ("press @e5", json!("e5")),
            ("press @e5~s3", json!(" @e5~s3 ")),
            ("press @e5", json!({"kind": "ref", "ref": "@e5"})),
            ("press @e5", json!({"ref": "@e5"})),
            ("press 'label=\"Save all\" role=button'", json!("label=\"Save all\" role=button")),
            ("press label=Save", json!({"selector": "label=Save"})),
            ("press 10 20.5", json!("10 20.5")),
            ("press 10 20.5", json!("10, 20.5")),
            ("press 10 20.5", json!({"x": 10, "y": 20.5})),
        ] {
            assert_eq!(reads("press", json!({"target": target})).unwrap(), Command::from_line(line).unwrap());
        }
        for wrong in [json!(""), json!(5), json!([1, 2]), json!("@5"), json!("10"), json!("1 2 3"), json!({"z": 1})] {
            let refused = reads("press", json!({"target": wrong})).unwrap_err();
            assert_eq!(refused.code, Code::InvalidArgs, "{wrong}: {refused}");
        }
    }

    #[test]
    fn a_kind_that_goes_without_saying_may_be_left_out() {
        for (line, args) in [
            ("wait text Saved", json!({"text": "Saved"})),
            ("wait text Saved 500", json!({"text": "Saved", "timeoutMs": 500})),
            ("wait @e5", json!({"ref": "@e5"})),
            ("wait id=a", json!({"selector": "id=a"})),
            ("wait absent id=a", json!({"kind": "absent", "selector": "id=a"})),
            ("wait stable 300", json!({"quietMs": 300})),
            ("wait 300", json!({"durationMs": 300})),
        ] {
            assert_eq!(reads("wait", args).unwrap(), Command::from_line(line).unwrap());
        }
        assert!(reads("wait", json!({})).is_err(), "nothing said is nothing to wait for");
    }

    #[test]
    fn what_is_the_requests_is_taken_out_and_what_is_the_commands_stays() {
        let read = |name: &str, args: Value| read(name, args.as_object().cloned().unwrap());
        let (_, scope) =
            read("open", json!({"app": "demo", "platform": "stage", "session": "two", "timeoutMs": 9})).unwrap();
        assert_eq!(
            scope,
            Scope {
                session: Some("two".into()),
                platform: Some(Platform::Stage),
                timeout_ms: Some(9),
                ..Scope::default()
            }
        );
        let (command, scope) = read("wait", json!({"text": "x", "timeoutMs": 9})).unwrap();
        assert_eq!((command, scope.timeout_ms), (Command::from_line("wait text x 9").unwrap(), None));
        for wrong in [json!({"platform": "amiga"}), json!({"session": 3}), json!({"timeoutMs": 0})] {
            assert_eq!(read("open", wrong).unwrap_err().code, Code::InvalidArgs);
        }
    }

    #[test]
    fn nothing_is_read_from_the_input_that_the_protocol_uses() {
        let line = |line: &str| read_line(line, Map::new());
        let said = line("batch --steps-file -").unwrap_err().message;
        assert!(said.contains("standard input"), "{said}");
        assert!(line("open a.test --capabilities @-").is_err());
        assert!(reads("batch", json!({"steps": ["open a.test --capabilities @-"]})).is_err());
        assert!(line("agent-device press @e5").is_ok());
    }

    #[test]
    fn an_argument_that_is_not_there_is_named_with_what_is() {
        let failure = reads("press", json!({"targt": "@e5"})).unwrap_err();
        assert!(failure.message.contains("targt") && failure.hint.unwrap().contains("target"));
    }
}
