//! What a command's target was when the command was recorded: it is acted on only if it still is that.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Code, Command, Failure, Row, Target,
    command::{FindWords, GestureWords, Predicate},
};

/// What a target was. What is left out is not judged. How it is judged: `screen::recorded`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Expected {
    /// Its identifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Its accessible name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Names of what it lay in, the nearest first; what had no name is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<String>,
    /// Its selector meant several then, so what it lay in is part of what it was.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ambiguous: bool,
}

/// An element that a command is about, as the command names it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Named<'a> {
    /// By a target.
    Target(&'a Target),
    /// By what `find` looks for.
    Found(&'a FindWords),
}

impl Command {
    /// The elements that the command acts on or reads, in the order of the arguments: these can be held to what they were.
    ///
    /// A `wait` has none: it asks that something comes, and what it came to is held to a recording by the step that then
    /// acts on it or reads it. Nor has `is absent`: what is there is its failure, whatever it is.
    pub fn named(&self) -> Vec<Named<'_>> {
        let targets: Vec<&Target> = match self {
            Command::Press(press) => vec![&press.target],
            Command::Longpress(press) => vec![&press.words.target],
            Command::Hover(hover) => vec![&hover.target],
            Command::Focus(focus) => vec![&focus.target],
            Command::Fill(fill) => vec![&fill.words.target],
            Command::Get(get) => vec![&get.target],
            Command::Is(is) if is.words.predicate != Predicate::Absent => vec![&is.words.target],
            Command::Find(find) if find.words.action.means_one() => return vec![Named::Found(&find.words)],
            Command::Gesture(gesture) => match &*gesture.words {
                GestureWords::Drag { source, destination } => vec![source, destination],
                GestureWords::Pan { origin, .. } | GestureWords::Transform { origin, .. } => vec![origin],
                GestureWords::Fling { origin, .. }
                | GestureWords::Pinch { origin, .. }
                | GestureWords::Rotate { origin, .. } => origin.iter().collect(),
            },
            _ => Vec::new(),
        };
        targets.into_iter().map(Named::Target).collect()
    }

    /// Refuses expectations that nothing would be held to.
    ///
    /// # Errors
    /// `INVALID_ARGS`.
    pub fn check_expected(&self, expected: &[Expected]) -> Result<(), Failure> {
        let (said, aims) = (expected.len(), self.named().len());
        if said <= aims {
            return Ok(());
        }
        let name = self.spec().name;
        Err(Failure::refused(
            Row::DaemonProtocolBadArguments,
            Code::InvalidArgs,
            format!("expect has {said} target(s), and this {name} has {aims}"),
        )
        .reason("invalid_arguments")
        .hint(
            "it goes with press, longpress, hover, focus, fill, gesture, get, is and find: one for each target, in their \
             order; not with wait, is absent and find's exists, list and wait",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expectation_that_nothing_is_held_to_is_refused() {
        let expected = [Expected::default(), Expected::default()];
        for (line, aims) in [
            ("press id=a", 1),
            ("fill id=a text", 1),
            ("gesture drag id=a id=b", 2),
            ("gesture pinch 2", 0),
            ("gesture pinch 2 id=a", 1),
            ("get text id=a", 1),
            ("is visible id=a", 1),
            ("is absent id=a", 0),
            ("find Save", 1),
            ("find id=a getText", 1),
            ("find Save list", 0),
            ("wait id=a", 0),
            ("back", 0),
        ] {
            let command = Command::from_line(line).unwrap();
            assert_eq!(command.named().len(), aims, "{line}");
            assert!(command.check_expected(&expected[..aims]).is_ok(), "{line}");
            let told = command.check_expected(&expected).err().map(|failure| failure.code);
            assert_eq!(told, (aims < 2).then_some(Code::InvalidArgs), "{line}");
        }
    }
}
