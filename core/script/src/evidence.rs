//! What a step's target was when the step was recorded: a comment directly above the step.

use contract::{Expected, Rect, plain};
use serde::{Deserialize, Serialize};

use crate::error::Problem;

/// What evidence comments begin with.
pub const PREFIX: &str = "# agent-device:";
/// A comment with one target.
const ONE: &str = "target-v1";
/// A comment with the two ends of a drag.
const TWO: &str = "targets-v1";

/// The longest JSON of one target, bytes.
pub const TARGET_BYTES: usize = 4_096;
/// The longest JSON of two, bytes.
pub const TARGETS_BYTES: usize = 8_320;
/// The longest text of a field, bytes.
pub const FIELD_BYTES: usize = 256;
/// The most ancestors.
pub const ANCESTORS: usize = 8;

/// What one target was.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TargetEvidence {
    /// Its identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its role.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub role: String,
    /// Its accessible name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What it lay in, the nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ancestry: Vec<Ancestor>,
    /// Its place among its parent's children, from 0 on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sibling: Option<u32>,
    /// Its place among all that had its role and label and were in view, from 0 on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewport_order: Option<u32>,
    /// Its box, px of the viewport.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
    /// How sure it is to be found again.
    pub verification: Verification,
}

/// Something that a target lay in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Ancestor {
    /// Its role.
    pub role: String,
    /// Its accessible name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// How sure a recorded target is to be found again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verification {
    /// The step's selector meant it alone.
    Unique,
    /// Several were alike; place and surroundings tell them apart.
    Ambiguous,
    /// Nothing says.
    #[default]
    #[serde(other)]
    None,
}

/// What the target of a step, or both ends of a drag, were.
#[derive(Debug, Clone, PartialEq)]
pub enum Evidence {
    /// One target.
    Target(Box<TargetEvidence>),
    /// What was picked up, and where it was let go.
    Targets(Box<Ends>),
}

/// Both ends of a drag.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ends {
    /// What was picked up.
    pub source: TargetEvidence,
    /// Where it was let go.
    pub destination: TargetEvidence,
}

impl TargetEvidence {
    /// The same within all limits: long texts are cut, far ancestors left out.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        self.ancestry.truncate(ANCESTORS);
        self.texts().into_iter().for_each(|text| cut(text, FIELD_BYTES));
        self.rect = self.rect.filter(|rect| [rect.x, rect.y, rect.width, rect.height].iter().all(|px| px.is_finite()));
        // Texts of control characters take six bytes each in JSON.
        let mut most = FIELD_BYTES;
        while json(&self).len() > TARGET_BYTES {
            if self.ancestry.pop().is_none() {
                most /= 2;
                self.texts().into_iter().for_each(|text| cut(text, most));
            }
        }
        self
    }

    /// What a command that aims at it again is held to. A label that only repeats the id says nothing more.
    pub fn expected(&self) -> Expected {
        let named = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        Expected {
            id: named(&self.id),
            role: Some(self.role.clone()).filter(|role| !role.is_empty()),
            label: named(&self.label).filter(|label| Some(label) != self.id.as_ref()),
            within: self.ancestry.iter().filter_map(|up| named(&up.label)).collect(),
            ambiguous: self.verification == Verification::Ambiguous,
        }
    }

    fn texts(&mut self) -> Vec<&mut String> {
        let own = self.id.iter_mut().chain(std::iter::once(&mut self.role)).chain(self.label.iter_mut());
        own.chain(self.ancestry.iter_mut().flat_map(|up| std::iter::once(&mut up.role).chain(up.label.iter_mut())))
            .collect()
    }
}

impl Evidence {
    /// The evidence of one target, within all limits.
    pub fn target(target: TargetEvidence) -> Self {
        Evidence::Target(Box::new(target.bounded()))
    }

    /// The evidence of both ends of a drag, within all limits.
    pub fn targets(source: TargetEvidence, destination: TargetEvidence) -> Self {
        Evidence::Targets(Box::new(Ends { source: source.bounded(), destination: destination.bounded() }))
    }

    /// Of each target, in the order of the step's arguments.
    pub fn expected(&self) -> Vec<Expected> {
        match self {
            Evidence::Target(target) => vec![target.expected()],
            Evidence::Targets(ends) => vec![ends.source.expected(), ends.destination.expected()],
        }
    }

    /// The comment, on one line.
    pub fn comment(&self) -> String {
        match self {
            Evidence::Target(target) => format!("{PREFIX}{ONE} {}", json(target)),
            Evidence::Targets(ends) => format!("{PREFIX}{TWO} {}", json(ends)),
        }
    }

    /// Reads a line that begins with [`PREFIX`]. `None` is a kind that this build does not know.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(line: &str) -> Result<Option<Self>, Problem> {
        let Some(rest) = line.strip_prefix(PREFIX) else { return Ok(None) };
        let (kind, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let column = line.chars().count() - text.chars().count() + 1;
        let problem = |message: String| {
            Problem::at(column, message)
                .wide(text.chars().count())
                .hint("record the step again, or remove this line: the step runs without it")
        };
        let limit = match kind {
            ONE => TARGET_BYTES,
            TWO => TARGETS_BYTES,
            _ => return Ok(None),
        };
        if text.len() > limit {
            return Err(problem(format!("the evidence takes {} bytes; {limit} is the most", text.len())));
        }
        let parsed = match kind {
            ONE => serde_json::from_str(text).map(|target| Evidence::Target(Box::new(target))),
            _ => serde_json::from_str(text).map(|ends| Evidence::Targets(Box::new(ends))),
        };
        let mut evidence = parsed.map_err(|why| {
            let said = why.to_string();
            // The column in the file says more than that in the JSON.
            let said = said.split(" at line ").next().unwrap_or(&said);
            let mut problem = problem(format!("this is no evidence of a target: {said}"));
            if why.line() == 1 && why.column() > 0 {
                let before = text.get(..why.column() - 1).unwrap_or(text);
                problem.column += before.chars().count();
                problem.width = 1;
            }
            problem
        })?;
        evidence.check().map_err(problem)?;
        Ok(Some(evidence))
    }

    fn check(&mut self) -> Result<(), String> {
        let targets = match self {
            Evidence::Target(target) => vec![target.as_mut()],
            Evidence::Targets(ends) => vec![&mut ends.source, &mut ends.destination],
        };
        for target in targets {
            if target.ancestry.len() > ANCESTORS {
                return Err(format!("there are {} ancestors; {ANCESTORS} is the most", target.ancestry.len()));
            }
            if let Some(text) = target.texts().into_iter().find(|text| text.len() > FIELD_BYTES) {
                return Err(format!("a text takes {} bytes; {FIELD_BYTES} is the most", text.len()));
            }
        }
        Ok(())
    }
}

/// On one line, without a letter that acts on a terminal.
fn json<T: Serialize>(value: &T) -> String {
    let written = serde_json::to_string(value).unwrap_or_default();
    plain::json(&written).into_owned()
}

fn cut(text: &mut String, most: usize) {
    if text.len() > most {
        let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target() -> TargetEvidence {
        TargetEvidence {
            id: Some("save".into()),
            role: "button".into(),
            label: Some("Save \"all\"\n\u{202e}".into()),
            ancestry: vec![Ancestor { role: "form".into(), label: None }],
            sibling: Some(2),
            viewport_order: Some(0),
            rect: Some(Rect::new(1.0, 2.5, 30.0, 40.0)),
            verification: Verification::Unique,
        }
    }

    #[test]
    fn a_comment_is_one_line_and_reads_back() {
        for evidence in [Evidence::target(target()), Evidence::targets(target(), TargetEvidence::default())] {
            let comment = evidence.comment();
            assert!(comment.chars().all(plain::is_shown), "{comment}");
            assert_eq!(Evidence::read(&comment).unwrap(), Some(evidence));
        }
    }

    #[test]
    fn what_was_recorded_is_what_a_step_is_held_to() {
        let expected = target().expected();
        assert_eq!((expected.id.as_deref(), expected.role.as_deref()), (Some("save"), Some("button")));
        assert_eq!((expected.label, expected.ambiguous), (target().label, false));
        assert!(expected.within.is_empty(), "a form without a name says nothing");
        let named_by_id = TargetEvidence { label: target().id, verification: Verification::Ambiguous, ..target() };
        let ends = Evidence::targets(named_by_id, TargetEvidence::default()).expected();
        assert_eq!((ends[0].label.as_ref(), ends[0].ambiguous), (None, true));
        assert_eq!(ends[1], Expected::default());
    }

    #[test]
    fn evidence_is_bounded_whatever_a_page_says() {
        let long = "\u{1}ü".repeat(5_000);
        let endless = TargetEvidence {
            id: Some(long.clone()),
            role: long.clone(),
            label: Some(long.clone()),
            ancestry: vec![Ancestor { role: long.clone(), label: Some(long) }; 50],
            rect: Some(Rect::new(f64::NAN, 0.0, f64::INFINITY, 0.0)),
            ..TargetEvidence::default()
        };
        let evidence = Evidence::targets(endless.clone(), endless);
        assert_eq!(Evidence::read(&evidence.comment()).unwrap(), Some(evidence));
    }

    #[test]
    fn evidence_of_others_is_read_as_far_as_it_is_known() {
        let read =
            Evidence::read(r#"# agent-device:target-v1 {"role":"button","colour":"red","verification":"later"}"#);
        let expected = TargetEvidence { role: "button".into(), ..TargetEvidence::default() };
        assert_eq!(read.unwrap(), Some(Evidence::target(expected)));
        assert_eq!(Evidence::read("# agent-device:target-v9 {}").unwrap(), None);
        assert_eq!(Evidence::read("# a comment").unwrap(), None);
    }

    #[test]
    fn what_is_no_evidence_is_refused_where_it_goes_wrong() {
        let deep = format!("# agent-device:target-v1 {{\"ancestry\":[{}]}}", ["{\"role\":\"x\"}"; 9].join(","));
        let wide = format!("# agent-device:target-v1 {{\"role\":\"{}\"}}", "x".repeat(257));
        let huge = format!("# agent-device:target-v1 {{\"x\":\"{}\"}}", "x".repeat(5_000));
        for (line, column, message) in [
            ("# agent-device:target-v1 {\"role\":5}", 34, "no evidence"),
            ("# agent-device:target-v1", 25, "no evidence"),
            ("# agent-device:targets-v1 {}", 28, "no evidence"),
            (&deep, 26, "9 ancestors"),
            (&wide, 26, "257 bytes"),
            (&huge, 26, "4096 is the most"),
        ] {
            let problem = Evidence::read(line).unwrap_err();
            assert!(problem.message.contains(message), "{line}: {problem:?}");
            assert_eq!(problem.column, column, "{line}: {problem:?}");
        }
    }
}
