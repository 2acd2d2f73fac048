//! Is this the same node as in an earlier capture?
//!
//! Where the backend has a [`NodeKey`], that decides. Where it has none, the node's shape does: its role, name and
//! identifier and those of all its ancestors. Nodes of equal shape (the "Delete" button of every row) are told apart
//! by what their own branch of the tree contains, the branch being the part that holds no other of them. Those that
//! are equal even so are counted through, and their number is part of the identity: where one of them goes, all of
//! them become new nodes, because nobody can say which one went.

use crate::{
    Node, NodeKey, Tree,
    hash::{Fnv, NumberMap},
};

/// Ancestors that are climbed at most to find a node's own branch.
const CLIMB: usize = 64;

/// What makes a node the same node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Identity {
    /// The backend says so.
    Key(NodeKey),
    /// It stands where an equal node stood.
    Shape(u64),
}

/// The identities of one capture.
#[derive(Debug)]
pub struct Identities {
    /// One per node, or none at all where every node has a key.
    shapes: Vec<u64>,
}

impl Identities {
    /// Of a capture. Costs nothing where every node has a key, else time linear in the nodes.
    pub fn of(tree: &Tree) -> Self {
        if tree.nodes().iter().all(|node| node.key.is_some()) {
            return Self { shapes: Vec::new() };
        }
        let mut shapes = paths(tree);
        tell_apart(tree, &mut shapes);
        Self { shapes }
    }

    /// Of the node at a place.
    pub fn at(&self, tree: &Tree, place: u32) -> Option<Identity> {
        match tree.get(place)?.key {
            Some(key) => Some(Identity::Key(key)),
            None => self.shapes.get(place as usize).copied().map(Identity::Shape),
        }
    }
}

fn own(hash: Fnv, node: &Node) -> Fnv {
    hash.text(node.role.as_str()).text(&node.name).maybe(node.identifier.as_deref())
}

/// Each node with its ancestors.
fn paths(tree: &Tree) -> Vec<u64> {
    let mut paths: Vec<u64> = Vec::with_capacity(tree.len());
    for node in tree.nodes() {
        let above = node.parent.and_then(|parent| paths.get(parent as usize)).copied().unwrap_or_default();
        paths.push(own(Fnv::new().number(above), node).value());
    }
    paths
}

/// Each node with everything below it.
fn contents(tree: &Tree) -> Vec<u64> {
    let mut contents: Vec<u64> = tree.nodes().iter().map(|node| own(Fnv::new(), node).value()).collect();
    for (place, node) in tree.nodes().iter().enumerate().rev() {
        if let (Some(parent), Some(mine)) = (node.parent, contents.get(place).copied())
            && let Some(above) = contents.get_mut(parent as usize)
        {
            // A sum of mixed parts: what the rows are counts here, their order is counted through later.
            *above = above.wrapping_add(Fnv::new().number(mine).value());
        }
    }
    contents
}

fn tell_apart(tree: &Tree, shapes: &mut [u64]) {
    let mut groups: NumberMap<u64, Vec<u32>> = NumberMap::default();
    for (place, shape) in (0u32..).zip(shapes.iter()) {
        groups.entry(*shape).or_default().push(place);
    }
    groups.retain(|_, group| group.len() > 1);
    if groups.is_empty() {
        return;
    }
    let contents = contents(tree);
    for (shape, group) in groups {
        let mut equal: NumberMap<u64, Vec<u32>> = NumberMap::default();
        for (at, place) in group.iter().copied().enumerate() {
            let before = at.checked_sub(1).and_then(|at| group.get(at)).copied();
            let branch = branch(tree, place, before, group.get(at + 1).copied());
            let content = contents.get(branch as usize).copied().unwrap_or_default();
            equal.entry(Fnv::new().number(shape).number(content).value()).or_default().push(place);
        }
        for (shape, places) in equal {
            let count = places.len() as u64;
            for (ordinal, place) in (0u64..).zip(places) {
                let told =
                    if count == 1 { shape } else { Fnv::new().number(shape).number(count).number(ordinal).value() };
                if let Some(slot) = shapes.get_mut(place as usize) {
                    *slot = told;
                }
            }
        }
    }
}

/// The highest node at or above `place` that contains neither neighbour.
fn branch(tree: &Tree, place: u32, before: Option<u32>, after: Option<u32>) -> u32 {
    tree.ancestors(place)
        .take(CLIMB)
        .take_while(|up| {
            let end = tree.get(*up).map_or(0, |node| node.end);
            before.is_none_or(|before| before < *up) && after.is_none_or(|after| after >= end)
        })
        .last()
        .unwrap_or(place)
}
