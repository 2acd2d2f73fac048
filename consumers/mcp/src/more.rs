//! The tool `more`: a command that is not listed, by name or as a line; help; or the list of both.

use contract::{Command, Failure, request::Answer};
use serde_json::{Map, Value};

use crate::{
    Options,
    arguments::{self, Scope},
    replays, tools,
};

/// What was asked for.
#[derive(Debug)]
pub enum More {
    /// To run a command.
    Run(Box<(Command, Scope)>),
    /// To run a recorded flow.
    Replay(Box<(replays::Flow, Scope)>),
    /// To be told something.
    Told(Answer),
}

/// Reads the arguments of `more`.
///
/// # Errors
/// `INVALID_ARGS`, with what would fit.
pub fn read(mut args: Map<String, Value>, options: &Options) -> Result<More, Box<Failure>> {
    let mut word = |name: &str| match args.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(word)) => Ok(Some(word)),
        Some(other) => Err(Box::new(arguments::refused(format!("{name} is a text, not {other}")))),
    };
    let (command, help) = (word("command")?, word("help")?);
    let given = match args.remove("args") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(given)) => given,
        Some(other) => return Err(Box::new(arguments::refused(format!("args is an object, not {other}")))),
    };
    match (command, help) {
        (Some(command), _) => run(command.trim(), given, args),
        (None, help) if args.is_empty() && given.is_empty() => told(help.as_deref(), options),
        (None, _) => {
            let name = args.keys().next().map_or("args without a command", String::as_str);
            let failure = arguments::refused(format!("more has no argument {name:?}"));
            Err(Box::new(failure.hint("more takes command with args, a command line as command, or help")))
        }
    }
}

/// A command by name, with its arguments in `args` or beside; or a whole line.
fn run(command: &str, given: Map<String, Value>, mut beside: Map<String, Value>) -> Result<More, Box<Failure>> {
    beside.extend(given);
    if command == replays::NAME {
        return Ok(More::Replay(Box::new(replays::read(beside)?)));
    }
    if command.split(' ').next() == Some(replays::NAME) {
        let failure = arguments::refused("replay takes args, not a line".to_owned());
        return Err(Box::new(failure.hint(replays::HOW)));
    }
    // A single word that is no command is refused by whoever knows the names.
    let asked = match arguments::canonical(command).is_some() || !command.contains(' ') {
        true => arguments::read(command, beside)?,
        false => arguments::read_line(command, beside)?,
    };
    Ok(More::Run(Box::new(asked)))
}

/// Help on a command or a topic, or the list of commands.
fn told(help: Option<&str>, options: &Options) -> Result<More, Box<Failure>> {
    let text = match help {
        None => tools::overview(options.profile),
        Some(replays::NAME) => {
            let told = (options.help)(Some(replays::NAME)).map_err(Box::new)?;
            format!("{}\n\n{}{}", replays::EXPLAINED, tools::ABOUT_LINES, told.text.unwrap_or_default())
        }
        Some(name) => match tools::explained(name) {
            Some(text) => text,
            None => {
                let told = (options.help)(Some(name)).map_err(Box::new)?;
                format!("{}{}", tools::ABOUT_LINES, told.text.unwrap_or_default())
            }
        },
    };
    Ok(More::Told(Answer::new(Value::Null, text)))
}
