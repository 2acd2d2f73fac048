//! In which order siblings are drawn. A capture lists them as they stand in the file; where one that stands earlier lies over one
//! that stands later, it is drawn later.

use std::collections::HashMap;

use screen::{Cover, Tree};

/// The drawing order of every node of a capture, from 1 among its siblings.
pub fn of(tree: &Tree) -> Vec<i64> {
    let mut orders = vec![0_i64; tree.len()];
    let mut counts: HashMap<Option<u32>, i64> = HashMap::new();
    for (place, node) in tree.iter() {
        let count = counts.entry(node.parent).or_insert(0);
        *count += 1;
        if let Some(order) = orders.get_mut(place as usize) {
            *order = *count;
        }
    }
    for (place, node) in tree.iter() {
        let Some(Cover::Node(by)) = node.cover else { continue };
        let Some((under, over)) = branches(tree, place, by) else { continue };
        let order = |place: u32| orders.get(place as usize).copied().unwrap_or_default();
        if order(over) < order(under) {
            let last = counts.entry(tree.get(over).and_then(|node| node.parent)).or_insert(0);
            *last += 1;
            if let Some(order) = orders.get_mut(over as usize) {
                *order = *last;
            }
        }
    }
    orders
}

/// The two siblings that contain a node and what covers it; `None` where one contains the other.
fn branches(tree: &Tree, under: u32, over: u32) -> Option<(u32, u32)> {
    let way = |place: u32| {
        let mut way: Vec<u32> = std::iter::once(place).chain(tree.ancestors(place)).collect();
        way.reverse();
        way
    };
    way(under).into_iter().zip(way(over)).find(|(one, other)| one != other)
}
