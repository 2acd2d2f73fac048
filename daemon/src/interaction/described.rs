//! How a target stands in an answer: what it was, where it was hit.

use contract::{Point, Target};
use screen::{LabelChanged, NodeKey};
use serde_json::{Map, Value, json};

/// A target that was found, and the point that reaches it.
#[derive(Debug, Clone)]
pub struct Located {
    /// Where an input lands.
    pub point: Point,
    /// The element, where the backend numbers them.
    pub node: Option<NodeKey>,
    /// Its place in the capture on which it was found, where it was found on one.
    pub place: Option<u32>,
    /// `[button] "Save"`; for a bare point nothing.
    pub what: Option<String>,
    /// A selector that finds it again.
    pub selector_chain: Option<String>,
    /// A plain ref whose element is now called something else.
    pub changed: Option<LabelChanged>,
    /// Looks made while waiting for it, and how long that took, ms; only where more than one was made.
    pub waited: Option<(usize, u64)>,
}

impl Located {
    /// `@e5 [button] "Save" at (10, 20)`.
    pub fn sentence(&self, target: &Target) -> String {
        let Point { x, y } = self.point;
        match (target, &self.what) {
            (Target::Point { .. }, _) | (_, None) => format!("({x}, {y})"),
            (Target::Ref { .. }, Some(what)) => format!("{target} {what} at ({x}, {y})"),
            (Target::Selector { .. }, Some(what)) => format!("{what} at ({x}, {y})"),
        }
    }

    /// The facts for programs.
    pub fn facts(&self, target: &Target) -> Map<String, Value> {
        let mut facts = Map::new();
        facts.insert("x".into(), json!(self.point.x));
        facts.insert("y".into(), json!(self.point.y));
        let kind = match target {
            Target::Ref { .. } => "ref",
            Target::Selector { .. } => "selector",
            Target::Point { .. } => "point",
        };
        facts.insert("targetKind".into(), kind.into());
        if let Some(what) = &self.what {
            facts.insert("element".into(), what.as_str().into());
        }
        if let Some(chain) = &self.selector_chain {
            facts.insert("selectorChain".into(), chain.as_str().into());
        }
        if let Some(changed) = &self.changed {
            facts.insert("labelChanged".into(), json!({"was": changed.was, "now": changed.now}));
        }
        if let Some((polls, waited_ms)) = self.waited {
            facts.insert("readiness".into(), json!({"polls": polls, "waitedMs": waited_ms}));
        }
        facts
    }
}
