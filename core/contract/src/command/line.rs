//! A command written as a line: `fill @e5 "some text" --settle`. Batches and scripts are made of them.

use clap::Parser;

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

impl Command {
    /// Reads a line as the shell would: words between spaces, quotes and backslashes as in POSIX.
    ///
    /// # Errors
    /// `INVALID_ARGS` saying which word is wrong. The line itself is not repeated: a text to type may be a secret.
    pub fn from_line(line: &str) -> Result<Self, Failure> {
        let refuse = |message: String| {
            Failure::refused(Row::DaemonProtocolBadArguments, Code::InvalidArgs, message).reason("invalid_arguments")
        };
        if line.len() > LONGEST {
            return Err(refuse(format!("a line of more than {} KiB: write the step as JSON", LONGEST >> 10)));
        }
        let words = shlex::split(line)
            .ok_or_else(|| refuse("a quote is not closed, or the line ends with a backslash".into()))?;
        // Before the parser sees it: it looks long for what may have been meant.
        if let Some(name) = words.first().filter(|word| !word.starts_with('-')) {
            canonical(name)?;
        }
        let parsed = Line::try_parse_from(words).map_err(|why| refuse(first_line(&why.to_string())))?;
        parsed.command.check()?;
        Ok(parsed.command)
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}
