//! What is wrong with a script: where, why, and what to do.

use std::{fmt, sync::Arc};

use contract::{Code, Failure, Row, plain};

/// Columns of a line that are shown at most; of a longer one the part around the place.
const SHOWN: usize = 120;

/// One line of a script's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file as a person would name it.
    pub file: Arc<str>,
    /// From 1 on.
    pub line: u32,
    /// The line as it stands there, without its end.
    pub text: Arc<str>,
}

impl Source {
    /// A problem at a place of this line.
    pub fn error(&self, problem: Problem) -> ScriptError {
        ScriptError { source: self.clone(), problem }
    }
}

/// What is wrong at a place of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// From 1 on, in characters.
    pub column: usize,
    /// How many characters are meant, at least 1.
    pub width: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Problem {
    /// A problem of one character.
    pub fn at(column: usize, message: impl Into<String>) -> Self {
        Self { column, width: 1, message: message.into(), hint: None }
    }

    /// Says how many characters are meant.
    #[must_use]
    pub fn wide(mut self, width: usize) -> Self {
        self.width = width.max(1);
        self
    }

    /// Says what is wrong.
    #[must_use]
    pub fn said(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// A problem of a script. Printed as a compiler prints one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptError {
    /// The line.
    pub source: Source,
    /// What is wrong there.
    pub problem: Problem,
}

impl ScriptError {
    /// `file:line:column`.
    pub fn place(&self) -> String {
        format!("{}:{}:{}", plain::line(&self.source.file), self.source.line, self.problem.column)
    }

    fn show(&self, f: &mut fmt::Formatter<'_>, kind: &str) -> fmt::Result {
        let gutter = self.source.line.to_string();
        let margin = " ".repeat(gutter.len());
        let message: Vec<_> = self.problem.message.lines().map(plain::line).collect();
        writeln!(f, "{kind}: {}", message.join("\n"))?;
        writeln!(f, "{margin}--> {}", self.place())?;
        writeln!(f, "{margin} |")?;
        let (text, before, width) = self.window();
        writeln!(f, "{gutter} | {text}")?;
        write!(f, "{margin} | {}{}", " ".repeat(before), "^".repeat(width))?;
        let hint = self.problem.hint.iter().flat_map(|hint| hint.lines());
        for (number, line) in hint.enumerate() {
            write!(f, "\n{margin} {} {}", if number == 0 { "=" } else { " " }, plain::line(line))?;
        }
        Ok(())
    }

    /// The part of the line to show, what stands before the caret, and how wide it is. One column a character, whatever
    /// it is: what a terminal does not show, tabs too, becomes a space.
    fn window(&self) -> (String, usize, usize) {
        let letters: Vec<char> = self.source.text.chars().map(|c| if plain::is_shown(c) { c } else { ' ' }).collect();
        let at = (self.problem.column - 1).min(letters.len());
        let start = if letters.len() <= SHOWN { 0 } else { at.saturating_sub(SHOWN / 2) };
        let end = letters.len().min(start + SHOWN);
        let mut text = String::new();
        if start > 0 {
            text.push_str("...");
        }
        let before = text.len() + (at - start);
        text.extend(letters.get(start..end).unwrap_or_default());
        if end < letters.len() {
            text.push_str("...");
        }
        (text, before, self.problem.width.min(end.saturating_sub(at)).max(1))
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(f, "error")
    }
}

impl std::error::Error for ScriptError {}

/// Something that is odd and does not keep the script from running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning(pub ScriptError);

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f, "warning")
    }
}

/// The problems of a script as one failure: nothing was sent.
pub fn failure(errors: &[ScriptError]) -> Failure {
    let problems: Vec<_> = errors
        .iter()
        .map(|error| {
            serde_json::json!({
                "file": &*error.source.file,
                "line": error.source.line,
                "column": error.problem.column,
                "message": error.problem.message,
                "hint": error.problem.hint,
                "shown": error.to_string(),
            })
        })
        .collect();
    let first = errors.first().map_or_else(String::new, |error| {
        let (file, line) = (plain::line(&error.source.file).into_owned(), error.source.line);
        format!("{file}:{line}:{}: {}", error.problem.column, error.problem.message)
    });
    let others = match errors.len() {
        0 | 1 => String::new(),
        more => format!(" (and {} more)", more - 1),
    };
    Failure::refused(Row::ClientUsage, Code::InvalidArgs, format!("{first}{others}; nothing was run"))
        .reason("script_invalid")
        .hint("mend what is named there and run it again")
        .detail("problems", problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str, problem: Problem) -> ScriptError {
        Source { file: "login.ad".into(), line: 12, text: text.into() }.error(problem)
    }

    #[test]
    fn an_error_shows_its_line_and_a_caret() {
        let error = error("press\tid=a", Problem::at(7, "what is this").wide(4).hint("do that\nor that"));
        assert_eq!(
            error.to_string(),
            "error: what is this\n  --> login.ad:12:7\n   |\n12 | press id=a\n   |       ^^^^\n   = do that\n     or that"
        );
        assert!(Warning(error).to_string().starts_with("warning: what is this\n"));
    }

    #[test]
    fn of_a_long_line_the_part_around_the_place_is_shown() {
        let text = format!("type {}X{}", "a".repeat(1_000), "b".repeat(1_000));
        let shown = error(&text, Problem::at(1_006, "there").wide(9_999)).to_string();
        let lines: Vec<_> = shown.lines().collect();
        assert!(lines.iter().all(|line| line.len() < 140), "{shown}");
        let caret = lines[4].find('^').unwrap();
        assert_eq!(&lines[3][caret..=caret], "X");
    }

    #[test]
    fn a_place_behind_the_end_gets_a_caret_too() {
        let shown = error("press", Problem::at(6, "a target is missing")).to_string();
        assert!(shown.ends_with("12 | press\n   |      ^"), "{shown}");
        let failure = failure(&[error("press", Problem::at(6, "a target is missing"))]);
        assert_eq!(failure.reason_str(), Some("script_invalid"));
        assert_eq!(failure.details["problems"][0]["column"], 6);
    }

    #[test]
    fn nothing_of_a_line_acts_on_a_terminal() {
        let shown = error("type \u{1b}[2J\u{202e}", Problem::at(6, "a\u{1b}b\tc\nd")).to_string();
        assert!(shown.starts_with("error: a\\u{1b}b c\nd\n"), "{shown:?}");
        assert!(shown.chars().all(|letter| letter == '\n' || plain::is_shown(letter)), "{shown:?}");
    }
}
