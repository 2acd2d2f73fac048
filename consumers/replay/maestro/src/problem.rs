//! What is wrong with a file, where, and what to do.

use contract::{Code, Failure};
use flow::Place;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// File and line.
    pub place: Place,
    /// From 1 on, in characters.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}: {}", self.place.file, self.place.line, self.column, self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "\n  {hint}"))
    }
}

/// Everything that is wrong with a flow and the files that it names, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// As a failure: the first in its message, all of them in `details.problems`.
    pub fn failure(&self) -> Failure {
        let first = self.0.first().map_or_else(String::new, Problem::to_string);
        let message = match self.0.len() {
            0 | 1 => first,
            count => format!("{first} (and {} more)", count - 1),
        };
        let all: Vec<String> = self.0.iter().map(Problem::to_string).collect();
        Failure::new(Code::InvalidArgs, message)
            .reason("flow_invalid")
            .hint("nothing was run: repair the flow first")
            .detail("problems", all)
    }
}

impl std::fmt::Display for Problems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (number, problem) in self.0.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
