//! Which nodes get a line.

use std::ops::Range;

use contract::command::ViewArgs;

use super::LINE_LIMIT;
use crate::{
    Node, States, Tree,
    text::{fold, fold_contains, squeeze},
};

/// A node that gets a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Picked {
    /// Its place.
    pub place: u32,
    /// Levels of indentation: ancestors that have a line; 0 in the flat view.
    pub depth: u32,
}

/// What was picked, and how much was not.
#[derive(Debug, Default)]
pub struct Pick {
    /// In document order.
    pub lines: Vec<Picked>,
    /// Left out because of the depth asked for.
    pub deeper: usize,
    /// Left out because of [`LINE_LIMIT`].
    pub beyond: usize,
}

/// Takes a press, text, a choice or a scroll.
pub fn takes_input(tree: &Tree, place: u32) -> bool {
    tree.get(place).is_some_and(|node| {
        node.states.intersects(States::INTERACTIVE | States::CLICKABLE)
            // The page as a whole scrolls too; that is no control.
            || (node.is(States::SCROLLABLE) && node.parent.is_some() && hides_something(node))
    })
}

/// A scroll container with content out of its sight.
pub(super) fn hides_something(node: &Node) -> bool {
    node.extra().hidden.is_some_and(|hidden| hidden.iter().any(|px| *px >= 1.0))
}

/// The node would get a line in this view, leaving depth, limit and repeated texts aside.
pub(super) fn is_content(tree: &Tree, place: u32, args: &ViewArgs) -> bool {
    let Some(node) = tree.get(place) else { return false };
    if args.raw {
        return !args.interactive_only || takes_input(tree, place);
    }
    node.is(States::VISIBLE)
        && if args.interactive_only { takes_input(tree, place) } else { !is_empty_group(tree, place, node) }
}

/// Says nothing: a wrapper without a name that nothing can be done with. A `generic` says nothing by its identifier
/// either, every other element of a page has one. An item of a list says something only where it holds several things
/// together.
pub(super) fn is_empty_group(tree: &Tree, place: u32, node: &Node) -> bool {
    let has_id = node.identifier.as_deref().is_some_and(|id| !id.is_empty());
    let silent = match node.role.as_str() {
        "generic" | "none" | "presentation" | "text" | "paragraph" | "rowgroup" => true,
        "group" => !has_id,
        "listitem" => !has_id && tree.get(place + 1).is_none_or(|child| child.end >= node.end),
        _ => false,
    };
    silent
        && node.name.is_empty()
        && node.value.as_deref().is_none_or(str::is_empty)
        && !node.states.intersects(States::INTERACTIVE | States::CLICKABLE | States::FOCUSED | States::MODAL)
        && !(node.is(States::SCROLLABLE) && hides_something(node))
}

pub(super) fn pick(tree: &Tree, args: &ViewArgs, range: Range<u32>) -> Pick {
    let mut pick = Pick::default();
    // The open ancestors that have a line, each with the end of its subtree.
    let mut open: Vec<Open<'_>> = Vec::new();
    for place in range {
        let Some(node) = tree.get(place) else { break };
        while open.last().is_some_and(|above| above.end <= place) {
            open.pop();
        }
        // The flat view counts levels as the full one does, so that -d means the same in both.
        if !node.is(States::VISIBLE) || is_empty_group(tree, place, node) {
            continue;
        }
        if node.role.as_str() == "text" && open.last().is_some_and(|above| above.says(node)) {
            continue;
        }
        let depth = u32::try_from(open.len()).unwrap_or(u32::MAX);
        open.push(Open { end: node.end, node });
        if args.interactive_only && !takes_input(tree, place) {
            continue;
        }
        if args.depth.is_some_and(|limit| depth >= limit) {
            pick.deeper += 1;
        } else if pick.lines.len() >= LINE_LIMIT {
            pick.beyond += 1;
        } else {
            pick.lines.push(Picked { place, depth: if args.interactive_only { 0 } else { depth } });
        }
    }
    pick
}

struct Open<'a> {
    end: u32,
    node: &'a Node,
}

impl Open<'_> {
    /// The line of this ancestor holds the text of `below` already.
    fn says(&self, below: &Node) -> bool {
        if below.states.intersects(States::INTERACTIVE | States::CLICKABLE) {
            return false;
        }
        let text = squeeze(below.label());
        if text.is_empty() {
            return true;
        }
        let node = self.node;
        if node.name.contains(&*text) {
            return true;
        }
        let value = node.value.as_deref().filter(|_| !node.is(States::PASSWORD)).unwrap_or_default();
        // Nothing to be held in: the usual case, a wrapper without a name.
        if node.name.is_empty() && value.is_empty() {
            return false;
        }
        let text = fold(&text);
        fold_contains(&node.name, &text) || fold_contains(value, &text)
    }
}
