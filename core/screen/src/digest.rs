//! Is this still the same screen? For settling and for evidence that an action changed something.

use crate::{
    Node, States, Tree,
    hash::{Fnv, NumberMap},
};

/// Boxes may move by this much and count as at rest, px: what sub-pixel layout and rounding do.
const AT_REST: f64 = 1.0;

/// States that are part of what a person sees. Whether something is in view, covered or focusable follows from boxes
/// and is compared there.
const SEEN: States = States::DISABLED
    .union(States::SELECTED)
    .union(States::FOCUSED)
    .union(States::CHECKED)
    .union(States::MIXED)
    .union(States::EXPANDED)
    .union(States::INVALID)
    .union(States::PRESSED)
    .union(States::READONLY)
    .union(States::RENDERED)
    .union(States::MODAL);

/// A capture in one number, with its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest {
    /// Of roles, labels, identifiers, values and states in document order; boxes left out, because a number can not
    /// say "within one pixel". Equal in every build.
    pub hash: u64,
    /// Nodes.
    pub nodes: u32,
    /// Of these, nodes that take input.
    pub interactive: u32,
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ax1:{:016x}", self.hash)
    }
}

fn identity(node: &Node) -> u64 {
    Fnv::new()
        .text(node.role.as_str())
        .text(&node.name)
        .maybe(node.identifier.as_deref())
        .maybe(node.value.as_deref())
        .value()
}

/// The capture in one number.
pub fn digest(tree: &Tree) -> Digest {
    let mut hash = Fnv::new();
    let mut interactive = 0;
    for node in tree.nodes() {
        let states = node.states.intersection(SEEN).bits();
        hash = hash.number(identity(node)).number(u64::from(states)).number(u64::from(node.depth));
        interactive += u32::from(node.is(States::INTERACTIVE));
    }
    Digest { hash: hash.value(), nodes: u32::try_from(tree.len()).unwrap_or(u32::MAX), interactive }
}

/// Nothing changed that a person would notice: the same nodes in the same order, states and texts equal, every box
/// within one px of where it was.
pub fn same_screen(one: &Tree, other: &Tree) -> bool {
    one.len() == other.len()
        && one.title == other.title
        && one.nodes().iter().zip(other.nodes()).all(|(one, other)| {
            one.depth == other.depth
                && one.role == other.role
                && one.name == other.name
                && one.value == other.value
                && one.identifier == other.identifier
                && one.states.intersection(SEEN) == other.states.intersection(SEEN)
                && one.rect.close_to(other.rect, AT_REST)
        })
}

/// The share of `before`'s identities (role, label, identifier, value; each as often as it occurs) that `now` still
/// has, 0 to 1. An empty screen survives whole.
pub fn survival(before: &Tree, now: &Tree) -> f64 {
    if before.is_empty() {
        return 1.0;
    }
    let mut left: NumberMap<u64, u32> = NumberMap::default();
    left.reserve(now.len());
    for node in now.nodes() {
        *left.entry(identity(node)).or_default() += 1;
    }
    let survived = before
        .nodes()
        .iter()
        .filter(|node| left.get_mut(&identity(node)).filter(|count| **count > 0).map(|count| *count -= 1).is_some())
        .count();
    survived as f64 / before.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::{Sketch, button, field, node};

    fn screen(moved: f64, label: &str, states: States) -> Tree {
        Sketch::new()
            .node(0, node("webview", "Page").at(0.0, 0.0, 400.0, 800.0))
            .node(1, button(label).at(10.0 + moved, 10.0, 80.0, 40.0).with(states))
            .node(1, field("Email", "a@b.c", States::empty()).at(10.0, 60.0, 80.0, 40.0))
            .tree()
    }

    #[test]
    fn a_pixel_of_movement_is_rest_and_two_are_not() {
        let screens = [0.0, 1.0, 2.0].map(|moved| screen(moved, "Save", States::empty()));
        assert!(same_screen(&screens[0], &screens[1]));
        assert!(!same_screen(&screens[0], &screens[2]));
        assert_eq!(digest(&screens[0]), digest(&screens[2]));
    }

    #[test]
    fn another_label_or_state_is_another_screen() {
        let before = screen(0.0, "Save", States::empty());
        for after in [screen(0.0, "Saved", States::empty()), screen(0.0, "Save", States::DISABLED)] {
            assert!(!same_screen(&before, &after));
            assert_ne!(digest(&before).hash, digest(&after).hash);
        }
    }

    #[test]
    fn the_digest_is_the_same_on_every_machine() {
        assert_eq!(digest(&screen(0.0, "Save", States::empty())).to_string().len(), "ax1:".len() + 16);
        assert_eq!(Fnv::new().text("Save").value(), Fnv::new().text("Save").value());
        assert_ne!(Fnv::new().text("a").text("bc").value(), Fnv::new().text("ab").text("c").value());
    }

    #[test]
    fn survival_is_the_share_that_is_still_there() {
        let before = screen(0.0, "Save", States::empty());
        let after = screen(300.0, "Saved", States::empty());
        assert!((survival(&before, &after) - 2.0 / 3.0).abs() < 1e-9);
        let twins = |count| (0..count).fold(Sketch::new(), |sketch, _| sketch.node(0, button("x"))).tree();
        assert!((survival(&twins(4), &twins(1)) - 0.25).abs() < 1e-9, "each as often as it occurs");
        assert!((survival(&before, &before) - 1.0).abs() < 1e-9);
        assert!((survival(&Tree::default(), &after) - 1.0).abs() < 1e-9);
        assert!(survival(&before, &Tree::default()).abs() < 1e-9);
    }
}
