//! Positional words of a command line as arguments: `press @e5`, `press 10 20`, `fill @e5 "some text"`.
//!
//! Clap cannot say "one word or two, depending on the first", so a command flattens [`Words<T>`] and `T` reads them.

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, error::ErrorKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that is written as positional words.
pub trait FromWords: Sized {
    /// How the words are written in the usage line.
    const USAGE: &'static str;
    /// One line of help.
    const HELP: &'static str;
    /// The most words there can be.
    const MAX: usize;
    /// May there be no words at all?
    const OPTIONAL: bool = false;

    /// Takes the words it needs; words left over are an error of the caller's.
    fn from_words(words: &mut TakeWords) -> Result<Self, String>;
}

/// The words not taken yet.
#[derive(Debug)]
pub struct TakeWords(std::collections::VecDeque<String>);

impl TakeWords {
    /// The next word; `wanted` says what is missing if there is none.
    pub fn next(&mut self, wanted: &str) -> Result<String, String> {
        self.0.pop_front().ok_or_else(|| format!("missing {wanted}"))
    }

    /// The next word, if there is one.
    pub fn next_if_any(&mut self) -> Option<String> {
        self.0.pop_front()
    }

    /// The next word as a whole number of milliseconds, if there is one.
    pub fn millis(&mut self, what: &str) -> Result<Option<u64>, String> {
        self.0
            .pop_front()
            .map(|word| word.parse().map_err(|_| format!("{what} is a whole number of milliseconds, not {word:?}")))
            .transpose()
    }

    /// How many are left.
    pub fn left(&self) -> usize {
        self.0.len()
    }

    /// How many of the next words are numbers.
    pub fn numbers_ahead(&self) -> usize {
        self.0.iter().take_while(|word| word.parse::<f64>().is_ok()).count()
    }
}

/// Reads all words, or says which are too many.
pub fn parse_words<T: FromWords>(words: Vec<String>) -> Result<T, String> {
    let mut take = TakeWords(words.into());
    let value = T::from_words(&mut take)?;
    match take.next_if_any() {
        None => Ok(value),
        Some(extra) => Err(format!("unexpected {extra:?} (quote a text or selector that contains spaces)")),
    }
}

/// The name of the argument that a flattened [`Words`] adds.
pub const ID: &str = "words";

/// A flattened group of arguments read from positional words.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Words<T>(pub T);

impl<T> std::ops::Deref for Words<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: FromWords> Args for Words<T> {
    fn augment_args(command: Command) -> Command {
        command.arg(
            Arg::new(ID)
                .value_name(T::USAGE)
                .help(T::HELP)
                // Appending lets flags stand between the words: fill @e1 --settle "text".
                .action(clap::ArgAction::Append)
                .num_args(if T::OPTIONAL { 0 } else { 1 }..=T::MAX)
                .required(!T::OPTIONAL)
                .allow_negative_numbers(true),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: FromWords> FromArgMatches for Words<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let words = matches.get_many::<String>(ID).map(|words| words.cloned().collect()).unwrap_or_default();
        parse_words(words).map(Words).map_err(|why| clap::Error::raw(ErrorKind::ValueValidation, format!("{why}\n")))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
