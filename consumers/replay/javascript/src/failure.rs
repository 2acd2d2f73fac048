//! How a script fails, and where.

use std::fmt;

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It is not JavaScript, or a `${` has no end.
    Syntax,
    /// It threw, or the engine did: a `TypeError`, a `ReferenceError`.
    Thrown,
    /// It did not end within its time.
    TimedOut,
    /// It wanted more memory than it may have.
    OutOfMemory,
    /// It called itself too often.
    TooDeep,
    /// It asked for something that scripts may not have.
    Forbidden,
}

/// A script that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptFailure {
    /// What kind of failure it is.
    pub kind: Kind,
    /// What was wrong, as a sentence without its place.
    pub message: String,
    /// The name under which the script was evaluated.
    pub file: String,
    /// From 1 on, in that file.
    pub line: u32,
    /// From 1 on; counted in the file where the script's own column is known, else in the script.
    pub column: u32,
}

impl fmt::Display for ScriptFailure {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for ScriptFailure {}

/// Where the first character of a script stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl Origin {
    pub fn new(file: &str, line: u32, column: u32) -> Self {
        Self { file: file.to_owned(), line: line.max(1), column: column.max(1) }
    }

    /// The origin of what begins `before` later.
    pub fn after(&self, before: &str) -> Self {
        let lines = u32::try_from(before.matches('\n').count()).unwrap_or(u32::MAX);
        let last = before.rsplit('\n').next().unwrap_or(before);
        let columns = u32::try_from(last.chars().count()).unwrap_or(u32::MAX);
        Self {
            file: self.file.clone(),
            line: self.line.saturating_add(lines),
            column: if lines == 0 { self.column.saturating_add(columns) } else { columns.saturating_add(1) },
        }
    }

    /// A failure at `line` and `column` of the script.
    pub fn failure(&self, kind: Kind, message: impl Into<String>, line: u32, column: u32) -> ScriptFailure {
        ScriptFailure {
            kind,
            message: message.into(),
            file: self.file.clone(),
            line: self.line.saturating_add(line.max(1) - 1),
            column: if line <= 1 { self.column.saturating_add(column.max(1) - 1) } else { column.max(1) },
        }
    }

    /// A failure of the script as a whole.
    pub fn whole(&self, kind: Kind, message: impl Into<String>) -> ScriptFailure {
        self.failure(kind, message, 1, 1)
    }
}

/// The place of the innermost frame that belongs to a script, from the engine's text of a stack.
///
/// The engine calls evaluated code `<input>`. It keeps no place for its own functions, and 1:1 for some that are too
/// simple, such as an empty loop: then the call that led there is told.
pub(crate) fn place(stack: &str) -> Option<(u32, u32)> {
    let places = || {
        stack.lines().filter_map(|frame| {
            let frame = frame.trim();
            let place = frame.rsplit_once('(').map_or(frame, |(_, place)| place.trim_end_matches(')'));
            let (_, place) = place.rsplit_once("<input>:")?;
            let (line, column) = place.split_once(':')?;
            Some((line.parse().ok()?, column.parse().ok()?))
        })
    };
    places().find(|place| *place != (1, 1)).or_else(|| places().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_of_the_script_is_found_below_frames_of_the_engine() {
        let stack = "    at forEach (native)\n    at inner (<input>:3:17)\n    at <eval> (<input>:9:1)\n";
        assert_eq!(place(stack), Some((3, 17)));
        assert_eq!(place("    at <input>:2:5\n"), Some((2, 5)));
        assert_eq!(place("    at f (<input>:1:1)\n    at <eval> (<input>:9:1)\n"), Some((9, 1)));
        assert_eq!(place("    at <eval> (<input>:1:1)\n"), Some((1, 1)));
        assert_eq!(place("    at get (agent-device:4:1)\nnonsense (<input>:a:b"), None);
    }

    #[test]
    fn places_are_counted_from_where_the_script_begins() {
        let origin = Origin::new("flow.yaml", 7, 12);
        let first = origin.failure(Kind::Thrown, "x", 1, 3);
        assert_eq!((first.line, first.column), (7, 14));
        let later = origin.failure(Kind::Thrown, "x", 2, 3);
        assert_eq!((later.line, later.column), (8, 3));
        assert_eq!(origin.after("ab"), Origin::new("flow.yaml", 7, 14));
        assert_eq!(origin.after("ab\nc"), Origin::new("flow.yaml", 8, 2));
    }
}
