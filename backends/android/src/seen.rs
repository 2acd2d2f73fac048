//! What the device's screen was when it was last looked at, and the helper's own words for it.

use std::time::Duration;

use contract::Rect;
use screen::{Node, NodeKey, Role, States};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::tree::Capture;

/// One look at the screen.
#[derive(Debug)]
pub struct Seen {
    /// What it showed.
    pub capture: Capture,
    /// How many changes of the screen the helper had been told of when it looked; `None` where it does not count.
    pub stamp: Option<u64>,
    /// When the answer came.
    pub at: Instant,
}

/// A look younger than this is taken for the screen as it is, where the helper cannot say that nothing changed: the look
/// that found a target and the press on it belong to one command.
const FRESH: Duration = Duration::from_millis(150);

/// What a press is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// Nothing at all has changed since the look.
    Unchanged,
    /// Nothing has changed, or else the helper finds that the touch reaches the element all the same.
    Touch,
    /// The element is there, at the point, in the window on top: what lies over it was judged a moment ago.
    Judged,
}

/// Whether a node's name is its own text or description: not one that it got from a label, a hint or what is in it.
fn says_its_name(node: &Node) -> bool {
    let named_otherwise = node.is(States::EDITABLE) || node.is(States::CHECKABLE) || node.value.is_some();
    !named_otherwise && !node.name.is_empty() && node.name.trim() == &*node.name
}

impl Seen {
    /// Whether the helper will refuse a press on a node by itself if the screen is no longer this, or the look is that
    /// young. A node that the helper does not number is held against nothing.
    pub fn can_be_trusted(&self, node: NodeKey) -> bool {
        let guarded = self.stamp.is_some() && self.capture.keys.spell(node).is_some();
        guarded || self.at.elapsed() < FRESH
    }

    /// What the helper is to hold a press on a node against; `None` where it does not number its nodes.
    pub fn expectation(&self, node: NodeKey, guard: Guard) -> Option<Value> {
        let mut expect = json!({"node": self.capture.keys.spell(node)?});
        if let Some(stamp) = self.stamp.filter(|_| guard != Guard::Judged) {
            expect["stamp"] = stamp.into();
        }
        if guard == Guard::Touch {
            expect["touch"] = true.into();
        }
        let place = self.capture.tree.place_of(node);
        if let Some(node) = place.and_then(|place| self.capture.tree.get(place)) {
            if says_its_name(node) {
                expect["says"] = (*node.name).into();
            }
            // What was disabled already was judged by whoever presses it all the same.
            if !node.is(States::DISABLED) {
                expect["enabled"] = true.into();
            }
        }
        Some(expect)
    }

    /// What a node is and is called.
    pub fn described(&self, node: NodeKey) -> Option<(Role, String)> {
        let place = self.capture.tree.place_of(node)?;
        self.capture.tree.get(place).map(|node| (node.role.clone(), node.name.to_string()))
    }

    /// The app in front.
    pub fn app(&self) -> Option<&str> {
        self.capture.tree.app.as_deref()
    }

    /// The whole display, px.
    pub fn display(&self) -> Rect {
        self.capture.tree.viewport.bounds()
    }
}
