//! How equal controls are told apart: `[button] "Delete" in "Row 3"`, and whether one is still where it was: lists that
//! are reused while they scroll give an element of one row to another.

use std::collections::HashMap;

use super::pick::{Picked, takes_input};
use crate::{
    Node, States, Tree,
    describe::shown_label,
    text::{cut, same, squeeze},
};

/// Ancestors that are climbed at most, and nodes of a branch that are looked at for a name.
const LOOKED_AT: usize = 40;
/// Longest context that is printed, characters.
const LONGEST: usize = 60;

/// Nodes of an ancestor's subtree that are looked through for a context.
const SUBTREE: usize = 2_000;

/// Whether the control at `place` still lies with what told it apart when it was shown: in the nearest ancestor that
/// holds the context, and no other control of the same role and label.
pub(crate) fn still_in(tree: &Tree, place: u32, context: &str) -> bool {
    let Some(node) = tree.get(place) else { return false };
    let (role, label) = (&node.role, shown_label(node));
    let is_twin = |other: u32, twin: &Node| {
        other != place && twin.role == *role && shown_label(twin) == label && is_control(tree, other, twin)
    };
    let says = |name: &str| cut(&squeeze(name), LONGEST).0 == context;
    for up in tree.ancestors(place).take(LOOKED_AT) {
        let Some(above) = tree.get(up) else { return false };
        let inside = || tree.descendants(up).take(SUBTREE);
        if inside().any(|(other, twin)| is_twin(other, twin)) {
            return false;
        }
        if says(&above.name) || inside().any(|(other, inside)| other != place && says(&inside.name)) {
            return true;
        }
    }
    false
}

/// For every line that takes input the context that tells it from others of the same role and label, `None` where it needs none or
/// nothing around it has a name.
pub(super) fn contexts(tree: &Tree, lines: &[Picked]) -> Vec<Option<String>> {
    let mut groups: HashMap<(&str, &str), Vec<u32>> = HashMap::new();
    for (place, node) in tree.iter().filter(|(place, node)| is_control(tree, *place, node)) {
        groups.entry((node.role.as_str(), shown_label(node))).or_default().push(place);
    }
    let context = |line: &Picked| {
        let node = tree.get(line.place).filter(|node| is_control(tree, line.place, node))?;
        told_apart(tree, line.place, groups.get(&(node.role.as_str(), shown_label(node)))?)
    };
    lines.iter().map(context).collect()
}

/// The same for one control.
pub fn context(tree: &Tree, place: u32) -> Option<String> {
    let node = tree.get(place).filter(|node| is_control(tree, place, node))?;
    let is_twin = |other: u32, twin: &Node| {
        twin.role == node.role && shown_label(twin) == shown_label(node) && is_control(tree, other, twin)
    };
    let group: Vec<u32> = tree.iter().filter(|(other, twin)| is_twin(*other, twin)).map(|(other, _)| other).collect();
    told_apart(tree, place, &group)
}

/// What tells one of a group of equal controls from the others; the group is in document order.
fn told_apart(tree: &Tree, place: u32, group: &[u32]) -> Option<String> {
    let nth = group.binary_search(&place).ok().filter(|_| group.len() > 1)?;
    let before = nth.checked_sub(1).and_then(|nth| group.get(nth)).copied();
    surroundings(tree, place, before, group.get(nth + 1).copied())
}

/// What can be told apart, and what it must be told apart from: controls in view, whether they are listed or not.
fn is_control(tree: &Tree, place: u32, node: &Node) -> bool {
    node.is(States::VISIBLE) && takes_input(tree, place)
}

/// A name from the part of the tree that holds this one of the equal controls and no other: of the nearest ancestor
/// that has one, else of the first thing in it.
fn surroundings(tree: &Tree, place: u32, before: Option<u32>, after: Option<u32>) -> Option<String> {
    let own = tree.get(place).map(shown_label)?;
    let telling = |place: u32| {
        let name = tree.get(place).map_or("", |node| &node.name);
        (!name.trim().is_empty() && !same(name, own)).then(|| cut(&squeeze(name), LONGEST).0.to_owned())
    };
    let branch: Vec<u32> = tree
        .ancestors(place)
        .take(LOOKED_AT)
        .take_while(|up| {
            let end = tree.get(*up).map_or(0, |node| node.end);
            before.is_none_or(|before| before < *up) && after.is_none_or(|after| after >= end)
        })
        .collect();
    branch.iter().copied().find_map(telling).or_else(|| {
        let top = branch.last().copied()?;
        tree.descendants(top).take(LOOKED_AT).map(|(other, _)| other).find_map(telling)
    })
}
