//! A command written as a line: `fill @e5 "some text" --settle`. Batches and scripts are made of them.

use clap::{
    CommandFactory, Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};

use super::{Command, canonical};
use crate::{Code, Failure, Row};

/// A longer line is refused, bytes: to say what is wrong with a word takes the parser time that grows with its square.
const LONGEST: usize = 256 << 10;

#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true, disable_help_subcommand = true)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

/// Words that are no command, and which of them is to blame.
#[derive(Debug, Clone)]
pub struct Misread {
    /// What is wrong.
    pub failure: Failure,
    /// Index of the word; `None` where one is missing.
    pub word: Option<usize>,
}

impl Misread {
    fn at(word: Option<usize>, failure: Failure) -> Box<Self> {
        Box::new(Self { failure, word })
    }
}

impl Command {
    /// Reads a line as the shell would: words between spaces, quotes and backslashes as in POSIX.
    ///
    /// # Errors
    /// `INVALID_ARGS` saying which word is wrong. The line itself is not repeated: a text to type may be a secret.
    pub fn from_line(line: &str) -> Result<Self, Failure> {
        short_enough(line.len())?;
        let words = shlex::split(line)
            .ok_or_else(|| refuse("a quote is not closed, or the line ends with a backslash".into()))?;
        Self::from_words(&words).map_err(|misread| misread.failure)
    }

    /// The longest beginning of a line that is a command, and how many bytes of the line it is. Behind it may stand more of
    /// a sentence, as in hints.
    pub fn leading(line: &str) -> Option<(Self, usize)> {
        let ends = line.char_indices().filter(|(_, letter)| ";,.)(& ".contains(*letter)).map(|(at, _)| at);
        let mut ends: Vec<usize> = ends.chain([line.len()]).collect();
        ends.reverse();
        ends.into_iter().find_map(|end| {
            let words = line[..end].trim_end();
            Self::from_line(words).ok().map(|command| (command, words.len()))
        })
    }

    /// Reads the words of a line, quotes already taken off.
    ///
    /// # Errors
    /// `INVALID_ARGS`, and which word is wrong.
    pub fn from_words<S: AsRef<str>>(words: &[S]) -> Result<Self, Box<Misread>> {
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        short_enough(words.iter().map(|word| word.len() + 1).sum()).map_err(|failure| Misread::at(None, failure))?;
        let misread = |error: &clap::Error, mut parser: clap::Command| {
            let usage = parser.render_usage().to_string();
            Misread::at(blamed(error, &words), refuse(sentence(&error.to_string())).hint(hint(error, &usage)))
        };
        let command = match words.split_first() {
            // A known name first, before the parser looks long for what may have been meant. And only that command's
            // parser is made: that of all of them takes a hundred times as long.
            Some((name, rest)) if !name.starts_with('-') => {
                let name = canonical(name).map_err(|failure| Misread::at(Some(0), failure))?;
                let mut parser =
                    parser_of(name).no_binary_name(true).disable_help_flag(true).disable_help_subcommand(true);
                let matches = parser.try_get_matches_from_mut(rest);
                let command = matches.and_then(|matches| Self::from_matches(name, &matches));
                command.map_err(|error| misread(&error, parser))?
            }
            _ => Line::try_parse_from(&words).map_err(|error| misread(&error, Line::command()))?.command,
        };
        command.check().map_err(|failure| Misread::at(named(&failure.message, &words), failure))?;
        Ok(command)
    }
}

/// The parser of one command's words.
pub(super) fn parser_of(name: &'static str) -> clap::Command {
    Command::add_arguments(name, clap::Command::new(name))
}

fn short_enough(length: usize) -> Result<(), Failure> {
    if length > LONGEST {
        return Err(refuse(format!("a line of more than {} KiB: write the step as JSON", LONGEST >> 10)));
    }
    Ok(())
}

fn refuse(message: String) -> Failure {
    Failure::refused(Row::DaemonProtocolBadArguments, Code::InvalidArgs, message).reason("invalid_arguments")
}

/// What clap says, in one line: up to the usage, without the tips.
fn sentence(text: &str) -> String {
    let said: Vec<_> = text
        .lines()
        .map(|line| line.trim_start_matches("error: ").trim())
        .take_while(|line| !line.is_empty() && !line.starts_with("Usage:") && !line.starts_with("For more"))
        .collect();
    said.join(" ")
}

/// What to do about it: clap's own tip, else how the command is written.
fn hint(error: &clap::Error, usage: &str) -> String {
    let rendered = error.to_string();
    let tips: Vec<_> = rendered.lines().filter_map(|line| line.trim().strip_prefix("tip: ")).collect();
    if !tips.is_empty() {
        return tips.join("; ");
    }
    let usage = usage.trim_start_matches("Usage: ").replace(">...", "").replace(['<', '>'], "");
    format!("usage: {usage}")
}

/// The word that clap objects to.
fn blamed(error: &clap::Error, words: &[&str]) -> Option<usize> {
    if error.kind() == ErrorKind::MissingRequiredArgument {
        return None;
    }
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) if !text.is_empty() => Some(text.as_str()),
        _ => None,
    };
    let value = context(ContextKind::InvalidValue);
    let flag = context(ContextKind::InvalidArg)
        .and_then(|text| text.split([' ', '=']).next())
        .filter(|flag| flag.starts_with('-'))
        .and_then(|flag| words.iter().position(|word| *word == flag || is_assigned(word, flag)));
    let holds = |word: &str, value: &str| word == value || word.split_once('=').is_some_and(|(_, end)| end == value);
    match (value, flag) {
        // The value behind its flag, or within `--flag=value`.
        (Some(value), Some(flag)) if words.get(flag + 1) == Some(&value) => Some(flag + 1),
        (_, Some(flag)) => Some(flag),
        (Some(value), None) => words.iter().skip(1).position(|word| holds(word, value)).map(|found| found + 1),
        (None, None) => context(ContextKind::InvalidArg)
            .and_then(|text| words.iter().skip(1).position(|word| *word == text))
            .map(|found| found + 1)
            .or_else(|| quoted(&error.to_string(), words)),
    }
}

/// The last word that stands in the message in quotes. What `FromWords` refuses names the word it is about.
fn quoted(message: &str, words: &[&str]) -> Option<usize> {
    words.iter().rposition(|word| !word.is_empty() && message.contains(&format!("{word:?}")))
}

/// The word behind the flag whose JSON name begins the message: `count is 1 to 200, not 500`. Else the last word that
/// the message ends with; else the command's name.
fn named(message: &str, words: &[&str]) -> Option<usize> {
    let name = message.split([' ', ',']).next().unwrap_or_default();
    let flag: String = name.chars().fold("--".to_owned(), |mut flag, letter| {
        if letter.is_ascii_uppercase() {
            flag.push('-');
        }
        flag.push(letter.to_ascii_lowercase());
        flag
    });
    let at_flag = words.iter().position(|word| *word == flag || is_assigned(word, &flag));
    let last = message.rsplit(' ').next().unwrap_or_default();
    match at_flag {
        Some(at) if words.get(at).is_some_and(|word| *word == flag) && at + 1 < words.len() => Some(at + 1),
        Some(at) => Some(at),
        None => words.iter().rposition(|word| *word == last).or(Some(0)),
    }
}

fn is_assigned(word: &str, flag: &str) -> bool {
    word.strip_prefix(flag).is_some_and(|rest| rest.starts_with('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn misread(words: &[&str]) -> (Option<usize>, String) {
        let misread = Command::from_words(words).unwrap_err();
        (misread.word, misread.failure.message)
    }

    #[test]
    fn words_and_lines_are_the_same_commands() {
        for (line, words) in [
            ("press 'label=\"Save all\"' --count 2", &["press", "label=\"Save all\"", "--count", "2"][..]),
            ("tap @e5", &["tap", "@e5"]),
            ("swipe 1 2 -3 4", &["swipe", "1", "2", "-3", "4"]),
            ("fill @e1 --settle text", &["fill", "@e1", "--settle", "text"]),
            ("home", &["home"]),
        ] {
            assert_eq!(Command::from_line(line).unwrap(), Command::from_words(words).unwrap(), "{line}");
        }
    }

    #[test]
    fn the_word_to_blame_is_named() {
        for (words, at) in [
            (&["pres", "@e1"][..], Some(0)),
            (&["press", "@e1", "--conut", "2"], Some(2)),
            (&["press", "@e1", "--count", "many"], Some(3)),
            (&["press", "@e1", "--count=many"], Some(2)),
            (&["press", "@e1", "--count", "500"], Some(3)),
            (&["press", "@5"], Some(1)),
            (&["press", "10", "y"], Some(2)),
            (&["press", "id=a", "id=b", "id=c"], Some(3)),
            (&["press"], None),
            (&["press", "10"], None),
            (&["scroll", "sideways"], Some(1)),
            (&["longpress", "@e1", "500000"], Some(2)),
            (&["fill", "@e1"], None),
            (&["home", "now"], Some(1)),
            (&["press", "@e1", "--settle-quiet-ms", "5"], None),
            (&["wait", "text", " "], Some(0)),
            (&["--count"], Some(0)),
            (&[], None),
        ] {
            assert_eq!(misread(words).0, at, "{words:?}: {}", misread(words).1);
        }
    }

    #[test]
    fn what_is_missing_is_said_in_the_same_line() {
        let (_, message) = misread(&["swipe", "1", "2"]);
        assert!(message.contains("<X2>") && message.contains("<Y2>"), "{message}");
        let hint = |words: &[&str]| Command::from_words(words).unwrap_err().failure.hint.unwrap();
        assert!(hint(&["swipe", "1", "2"]).starts_with("usage: swipe"), "{}", hint(&["swipe", "1", "2"]));
        assert!(hint(&["press", "id=a", "--conut"]).contains("--count"));
    }
}
