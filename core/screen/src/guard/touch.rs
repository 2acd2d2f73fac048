//! The point of a node that belongs to it and to nothing inside it.

use contract::{Point, Rect};

use crate::{States, Tree};

/// Points per axis that are tried where the middle belongs to something inside: odd, so that the middle is one.
const TRIED: u32 = 15;

/// The part of a node that is in view: its box, cut by every ancestor that clips and by the viewport. `None` where
/// nothing remains. A node that the backend calls visible is cut by the viewport alone where its ancestors would leave
/// nothing of it: a fixed box escapes the scroll container it is written in.
pub fn visible_box(tree: &Tree, place: u32) -> Option<Rect> {
    let node = tree.get(place)?;
    let viewport = tree.viewport.bounds();
    let part = tree
        .ancestors(place)
        .filter_map(|up| tree.get(up))
        .filter(|up| up.states.intersects(States::SCROLLABLE | States::CLIPS) && up.parent.is_some())
        .fold(node.rect.intersect(viewport), |part, up| part.intersect(up.rect));
    let part = if part.is_empty() && node.is(States::VISIBLE) { node.rect.intersect(viewport) } else { part };
    (!part.is_empty()).then_some(part)
}

/// The middle of what is in view; where that belongs to a control inside the node, the nearest point that belongs to
/// none. `None` where controls fill the whole node, or nothing of it is in view.
pub fn touch_point(tree: &Tree, place: u32) -> Option<Point> {
    let part = visible_box(tree, place)?;
    let inside: Vec<Rect> = tree
        .descendants(place)
        .filter(|(_, node)| node.is(States::INTERACTIVE | States::VISIBLE) && !node.is(States::PRESS_THROUGH))
        .map(|(_, node)| node.rect.intersect(part))
        .filter(|rect| !rect.is_empty())
        .collect();
    let middle = part.centre();
    let free = |point: &Point| !inside.iter().any(|rect| rect.contains(*point));
    if free(&middle) {
        return Some(middle);
    }
    let step = |at: u32, from: f64, length: f64| from + length * (f64::from(at) + 0.5) / f64::from(TRIED);
    let distance = |point: &Point| (point.x - middle.x).powi(2) + (point.y - middle.y).powi(2);
    (0..TRIED)
        .flat_map(|row| (0..TRIED).map(move |column| (row, column)))
        .map(|(row, column)| Point { x: step(column, part.x, part.width), y: step(row, part.y, part.height) })
        .filter(free)
        .min_by(|one, other| distance(one).total_cmp(&distance(other)))
}
