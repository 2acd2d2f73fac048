//! What a command aims at.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    geometry::Point,
    words::{FromWords, TakeWords},
};

/// A ref as printed by `snapshot`, a selector, or a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Target {
    /// `@e5`, or pinned to what was shown then: `@e5~s3`.
    Ref {
        /// The ref, with or without its `@`.
        #[serde(rename = "ref")]
        reference: String,
    },
    /// `label="Save" role=button`, see `help selectors`.
    Selector {
        /// The selector's text.
        selector: String,
    },
    /// A point in the viewport, px from its top left corner.
    Point {
        /// Rightwards, px.
        x: f64,
        /// Downwards, px.
        y: f64,
    },
}

impl Target {
    /// The first words of a command line as a target: `@ref`, two numbers, or a selector.
    pub fn take(words: &mut TakeWords) -> Result<Self, String> {
        let first = words.next("a target: @ref, a selector such as 'label=\"Save\"', or x y")?;
        if first.starts_with('@') {
            RefToken::parse(&first)?;
            return Ok(Target::Ref { reference: first });
        }
        if let Ok(x) = first.parse::<f64>() {
            let y = words.next(&format!("y after x={first}"))?;
            let y = y.parse::<f64>().map_err(|_| format!("{y:?} is no number: a point is two numbers, x y"))?;
            if !x.is_finite() || !y.is_finite() {
                return Err("a point is two finite numbers, x y".into());
            }
            return Ok(Target::Point { x, y });
        }
        Ok(Target::Selector { selector: first })
    }

    /// The point, if it is one.
    pub const fn point(&self) -> Option<Point> {
        match self {
            Target::Point { x, y } => Some(Point { x: *x, y: *y }),
            _ => None,
        }
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Target::Ref { reference } => write!(f, "@{}", reference.trim_start_matches('@')),
            Target::Selector { selector } => f.write_str(selector),
            Target::Point { x, y } => write!(f, "({x}, {y})"),
        }
    }
}

impl FromWords for Target {
    const USAGE: &'static str = "TARGET";
    const HELP: &'static str = "@ref, a selector ('label=\"Save\"'), or x y in px";
    const MAX: usize = 2;

    fn from_words(words: &mut TakeWords) -> Result<Self, String> {
        Target::take(words)
    }
}

/// A ref taken apart: its number, and the generation it is pinned to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RefToken {
    /// The number after `e`. Never reused in a session.
    pub number: u32,
    /// The generation after `~s`, if pinned.
    pub generation: Option<u64>,
}

impl RefToken {
    /// Reads `@e5`, `e5`, `@e5~s3`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let malformed = || format!("{text:?} is no ref: a ref looks like @e5, or pinned @e5~s3");
        let body = text.strip_prefix('@').unwrap_or(text).strip_prefix('e').ok_or_else(malformed)?;
        let (number, generation) = match body.split_once("~s") {
            Some((number, generation)) => (number, Some(generation)),
            None => (body, None),
        };
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(number) || generation.is_some_and(|generation| !digits(generation)) {
            return Err(malformed());
        }
        Ok(Self {
            number: number.parse().map_err(|_| malformed())?,
            generation: generation.map(str::parse).transpose().map_err(|_| malformed())?,
        })
    }
}

impl std::fmt::Display for RefToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "@e{}", self.number)?;
        self.generation.map_or(Ok(()), |generation| write!(f, "~s{generation}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(words: &[&str]) -> Result<Target, String> {
        crate::words::parse_words::<Target>(words.iter().map(|word| (*word).to_owned()).collect())
    }

    #[test]
    fn words_become_refs_points_and_selectors() {
        assert_eq!(target(&["@e5~s3"]).unwrap(), Target::Ref { reference: "@e5~s3".into() });
        assert_eq!(target(&["10", "20.5"]).unwrap(), Target::Point { x: 10.0, y: 20.5 });
        assert_eq!(target(&["label=Save"]).unwrap(), Target::Selector { selector: "label=Save".into() });
        for bad in [
            &["@5"][..],
            &["@e"],
            &["@e5~s"],
            &["@e99999999999"],
            &["10"],
            &["10", "x"],
            &["nan", "1"],
            &[],
            &["@e1", "@e2"],
        ] {
            assert!(target(bad).is_err(), "{bad:?}");
        }
    }
}
