//! Does a node lie where it should, seen from what another selector means? Each relation costs one pass over the screen,
//! however many nodes there are on both sides.
//!
//! The four relations of place compare edges, not gaps: what is below a thing begins lower than it does, px by px, also
//! where both overlap. What lies inside the thing, or around it, is neither below nor above it nor beside it. Things
//! without a box have no place.

use super::{Relation, Selector, pick::things, resolve::matches};
use crate::{Node, Tree};

/// Edges this close are on one line, px.
const ONE_LINE: f64 = 1.0;
/// Most distances that are measured to find the nearest; on screens with more, document order decides.
const MOST_DISTANCES: usize = 200_000;

/// A relation to what its selector means on one screen.
pub struct Related<'a> {
    relation: Relation,
    anchors: Vec<u32>,
    holds: Vec<bool>,
    tree: &'a Tree,
}

impl<'a> Related<'a> {
    /// Finds what `anchor` means, and what stands in the relation to any of it.
    pub fn new(relation: Relation, anchor: &Selector, tree: &'a Tree) -> Self {
        let mut anchors = matches(anchor, tree);
        if relation.is_positional() {
            // A wrapper begins higher than what is meant by it: it would make more lie below.
            anchors = things(anchors, tree);
            anchors.retain(|place| tree.get(*place).is_some_and(|node| !node.rect.is_empty()));
        }
        let holds = match relation {
            Relation::ChildOf => inside(&anchors, tree),
            Relation::ContainsChild => parents(&anchors, tree),
            Relation::ContainsDescendant => around(&anchors, tree),
            Relation::Below | Relation::Above | Relation::LeftOf | Relation::RightOf => {
                beyond(relation, &anchors, tree)
            }
        };
        Self { relation, anchors, holds, tree }
    }

    /// The node at `place` stands in the relation.
    pub fn holds(&self, place: u32) -> bool {
        self.holds.get(place as usize).copied().unwrap_or_default()
    }

    /// How many distances [`Related::distance`] measures for one node.
    pub fn distances(&self) -> usize {
        if self.relation.is_positional() { self.anchors.len() } else { 0 }
    }

    /// From the middle of the node to the middle of the nearest thing that it stands in the relation to, px. 0 for
    /// relations in the tree.
    pub fn distance(&self, place: u32) -> f64 {
        let Some(node) = self.tree.get(place).filter(|_| self.relation.is_positional()) else { return 0.0 };
        if node.rect.is_empty() {
            return f64::INFINITY;
        }
        let middle = node.rect.centre();
        self.anchors
            .iter()
            .filter_map(|anchor| Some((*anchor, self.tree.get(*anchor)?)))
            .filter(|(anchor, other)| {
                reach(self.relation, node) - reach(self.relation, other) >= ONE_LINE
                    && !self.tree.is_below(place, *anchor)
                    && !self.tree.is_below(*anchor, place)
            })
            .map(|(_, other)| {
                let other = other.rect.centre();
                (other.x - middle.x).hypot(other.y - middle.y)
            })
            .fold(f64::INFINITY, f64::min)
    }
}

/// The nearest of `places` by all relations together, the first of equals; `None` only where there is none.
pub fn nearest(places: &[u32], related: &[Related<'_>]) -> Option<u32> {
    let each: usize = related.iter().map(Related::distances).sum();
    if each == 0 || each.saturating_mul(places.len()) > MOST_DISTANCES {
        return places.first().copied();
    }
    let distance = |place: u32| related.iter().map(|one| one.distance(place)).sum::<f64>();
    places
        .iter()
        .map(|place| (distance(*place), *place))
        .min_by(|one, other| one.0.total_cmp(&other.0))
        .map(|one| one.1)
}

/// How far a node reaches in the direction of the relation: what has more lies beyond what has less.
fn reach(relation: Relation, node: &Node) -> f64 {
    match relation {
        Relation::Below => node.rect.y,
        Relation::Above => -node.rect.y,
        Relation::LeftOf => -node.rect.x,
        _ => node.rect.x,
    }
}

/// For every node: an anchor that is neither inside nor around it reaches less far.
fn beyond(relation: Relation, anchors: &[u32], tree: &Tree) -> Vec<bool> {
    let mut is_anchor = vec![false; tree.len()];
    for anchor in anchors {
        if let Some(mark) = is_anchor.get_mut(*anchor as usize) {
            *mark = true;
        }
    }
    let reach_of = |place: usize| tree.nodes().get(place).map_or(f64::INFINITY, |node| reach(relation, node));
    // The least reach of the anchors from a place on.
    let mut later = vec![f64::INFINITY; tree.len() + 1];
    let mut least = f64::INFINITY;
    for (place, slot) in later.iter_mut().enumerate().rev() {
        if is_anchor.get(place).copied().unwrap_or_default() {
            least = least.min(reach_of(place));
        }
        *slot = least;
    }
    // Anchors around the node that is looked at, and the least reach of those that ended before it.
    let mut open: Vec<(u32, f64)> = Vec::new();
    let mut earlier = f64::INFINITY;
    tree.iter()
        .zip(is_anchor)
        .map(|((place, node), anchor)| {
            while let Some((_, reach)) = open.pop_if(|(end, _)| *end <= place) {
                earlier = earlier.min(reach);
            }
            if anchor {
                open.push((node.end, reach(relation, node)));
            }
            let after = later.get(node.end as usize).copied().unwrap_or(f64::INFINITY);
            !node.rect.is_empty() && reach(relation, node) - earlier.min(after) >= ONE_LINE
        })
        .collect()
}

/// What lies in an anchor, at any depth.
fn inside(anchors: &[u32], tree: &Tree) -> Vec<bool> {
    let mut inside = vec![false; tree.len()];
    let mut covered = 0;
    for anchor in anchors {
        let Some(end) = tree.get(*anchor).map(|node| node.end) else { continue };
        // Anchors come in document order: what an earlier one covers need not be marked again.
        let from = covered.max(*anchor + 1);
        inside.get_mut(from as usize..end as usize).unwrap_or_default().fill(true);
        covered = covered.max(end);
    }
    inside
}

fn parents(anchors: &[u32], tree: &Tree) -> Vec<bool> {
    let mut parents = vec![false; tree.len()];
    for parent in anchors.iter().filter_map(|place| tree.get(*place)?.parent) {
        if let Some(mark) = parents.get_mut(parent as usize) {
            *mark = true;
        }
    }
    parents
}

/// What has an anchor in it, at any depth.
fn around(anchors: &[u32], tree: &Tree) -> Vec<bool> {
    let mut around = vec![false; tree.len()];
    for anchor in anchors {
        for up in tree.ancestors(*anchor) {
            match around.get_mut(up as usize) {
                // Whatever is above was marked with it.
                Some(true) | None => break,
                Some(mark) => *mark = true,
            }
        }
    }
    around
}

#[cfg(test)]
mod tests;
