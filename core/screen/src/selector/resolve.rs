//! Which one node is meant.
//!
//! The first alternative that matches anything counts. Of its matches, those that are not drawn at all (`display:
//! none` twins) are left out as long as one is drawn. What then remains must be one node, or collapse to one:
//!
//! **Captions give way.** Bare text that lies in no control is left out as long as a control matches too: the caption
//! "Email" beside the field "Email" is not what is meant.
//!
//! **The wrapper collapse.** Several matches mean one thing if they form a single chain, each inside the one before,
//! and one of these holds:
//! 1. some of them take input: the innermost of those (a wrapper is pressed through what it wraps), unless matches
//!    inside it belong to yet another control;
//! 2. none does, and all lie in the same control: the innermost (the text of a button that has no name);
//! 3. nothing around them takes input, and all but one are mere wrappers (`generic`, `group`, `text` ...): the one
//!    that is not, or the innermost where all are.
//!
//! Where a node lies never decides: of two buttons "Save" in different places neither is taken, even if only one is
//! in view. Relations do not change that: they are terms like others, and what fulfils them must still come down to one
//! thing. `first` and `index` choose before any of this, see [`super::pick`].

use super::{Alternative, Selector, matching::Prepared, pick::pick, relation::Related};
use crate::{States, Tree};

/// What a selector means on a screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// One node.
    One(u32),
    /// Nothing matches.
    None,
    /// Several different things match, at least two, in document order.
    Many(Vec<u32>),
}

/// All matches of the first alternative that matches anything, in document order; drawn ones only, if any is drawn.
/// At most one where that alternative picks one.
pub fn matches(selector: &Selector, tree: &Tree) -> Vec<u32> {
    selector
        .alternatives
        .iter()
        .map(|alternative| of_alternative(alternative, tree))
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

fn of_alternative(alternative: &Alternative, tree: &Tree) -> Vec<u32> {
    let prepared = Prepared::new(alternative);
    let mut found: Vec<u32> =
        tree.iter().filter(|(place, node)| prepared.matches(tree, *place, node)).map(|(place, _)| place).collect();
    let mut related = Vec::new();
    for (relation, anchor) in alternative.relations() {
        if found.is_empty() {
            return found;
        }
        let relation = Related::new(relation, anchor, tree);
        found.retain(|place| relation.holds(*place));
        related.push(relation);
    }
    let found = drawn_first(found, tree);
    match alternative.pick() {
        Some(which) => pick(which, found, &related, tree).into_iter().collect(),
        None => found,
    }
}

/// The one node that is meant, after the wrapper collapse.
pub fn resolve(selector: &Selector, tree: &Tree) -> Resolution {
    of_matches(matches(selector, tree), tree)
}

/// The one node that is meant where text is to be entered: of several matches, the only one that takes text. What takes
/// none would be refused anyway.
pub fn resolve_for_text(selector: &Selector, tree: &Tree) -> Resolution {
    let takes_text = |place: &u32| tree.get(*place).is_some_and(|node| node.is(States::EDITABLE));
    match resolve(selector, tree) {
        Resolution::Many(found) => {
            let mut fields = found.iter().copied().filter(takes_text);
            match (fields.next(), fields.next()) {
                (Some(one), None) => Resolution::One(one),
                _ => Resolution::Many(found),
            }
        }
        other => other,
    }
}

/// Only those that are drawn, if any is.
pub(crate) fn drawn_first(found: Vec<u32>, tree: &Tree) -> Vec<u32> {
    let drawn = |place: &u32| tree.get(*place).is_some_and(|node| node.is(States::RENDERED));
    if found.iter().any(drawn) { found.into_iter().filter(drawn).collect() } else { found }
}

/// The collapse, on matches in document order.
pub(crate) fn of_matches(found: Vec<u32>, tree: &Tree) -> Resolution {
    let found = captions_give_way(found, tree);
    match found.as_slice() {
        [] => Resolution::None,
        [one] => Resolution::One(*one),
        several => match collapse(several, tree) {
            Some(one) => Resolution::One(one),
            None => Resolution::Many(found),
        },
    }
}

/// Without the bare texts, where a control matches too: the caption "Email" beside the field "Email".
fn captions_give_way(found: Vec<u32>, tree: &Tree) -> Vec<u32> {
    let is_caption = |place: &u32| {
        tree.get(*place).is_some_and(|node| node.role.as_str() == "text") && tree.actionable(*place).is_none()
    };
    let takes_input = |place: &u32| tree.actionable(*place) == Some(*place);
    if found.len() > 1 && found.iter().any(takes_input) {
        found.into_iter().filter(|place| !is_caption(place)).collect()
    } else {
        found
    }
}

fn collapse(found: &[u32], tree: &Tree) -> Option<u32> {
    let chain = found.windows(2).all(|pair| matches!(pair, [outer, inner] if tree.is_below(*inner, *outer)));
    if !chain {
        return None;
    }
    let innermost = found.last().copied();
    let takes_input = |place: &u32| {
        tree.get(*place).is_some_and(|node| node.states.intersects(States::INTERACTIVE | States::CLICKABLE))
    };
    if let Some(control) = found.iter().rev().copied().find(takes_input) {
        let inner = innermost.and_then(|place| tree.actionable(place));
        return (inner == Some(control)).then_some(control);
    }
    // None takes input itself, so the controls are around them: the same for all if the outermost and the innermost agree.
    let around = |place: Option<u32>| place.and_then(|place| tree.actionable(place));
    match (around(found.first().copied()), around(innermost)) {
        (Some(outer), Some(inner)) if outer == inner => innermost,
        (None, None) => {
            let mut telling = found.iter().copied().filter(|place| !is_wrapper(tree, *place));
            match (telling.next(), telling.next()) {
                (None, _) => innermost,
                (one, None) => one,
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_wrapper(tree: &Tree, place: u32) -> bool {
    tree.get(place)
        .is_some_and(|node| matches!(node.role.as_str(), "generic" | "group" | "text" | "paragraph" | "none"))
}
