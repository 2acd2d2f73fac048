//! What covers what, from the drawing order alone: for backends that cannot try out where a press goes.
//!
//! A node covers another if it is drawn later (document order, or a window above), lies over the other's touch point,
//! is neither inside nor around it, lets no press through, and is opaque: it takes input, is modal, is the root of a
//! window above. What is merely drawn over something (a text, an icon) does not cover. A modal node covers everything
//! drawn before it, wherever it lies: nothing outside it takes input.

use contract::{Point, Rect};

use crate::{
    Cover, Node, States, Tree,
    guard::touch::{touch_point, visible_box},
};

/// The screen is split into so many columns and rows, so that a point is held against what is near it only.
const CELLS: usize = 64;
/// Cells that a node may be listed in; bounds the memory where many large nodes overlap.
const WIDE: usize = 64;
/// Nodes in a large container.
const LARGE: u32 = 256;

/// Fills `cover` of every node in view that has none yet, in a finished tree. Covers which the backend reported stay.
pub fn mark(tree: &mut Tree) {
    let index = Index::of(tree);
    let covers: Vec<(u32, u32)> = tree
        .iter()
        .filter(|(_, node)| node.is(States::VISIBLE) && node.cover.is_none() && !node.is(States::HIT_TESTED))
        .filter_map(|(place, _)| Some((place, index.topmost_over(tree, place, aimed_at(tree, place)?)?)))
        .collect();
    for (place, over) in covers {
        if let Some(node) = tree.nodes_mut().get_mut(place as usize) {
            node.cover = Some(Cover::Node(over));
        }
    }
}

/// The point that a press would go to. Large containers are judged by their middle: they are not pressed, and looking
/// for a gap between all their controls would cost more than it tells.
fn aimed_at(tree: &Tree, place: u32) -> Option<Point> {
    let size = tree.get(place).map_or(0, |node| node.end - place);
    if size > LARGE { visible_box(tree, place).map(|part| part.centre()) } else { touch_point(tree, place) }
}

/// The topmost node that covers `place` at `point`. For one question; [`mark`] answers all at once.
pub fn covering(tree: &Tree, place: u32, point: Point) -> Option<u32> {
    topmost(tree, place, point, opaque(tree).into_iter())
}

fn is_opaque(tree: &Tree, node: &Node) -> bool {
    if !node.is(States::VISIBLE) || node.is(States::PRESS_THROUGH) || node.rect.is_empty() {
        return false;
    }
    let tops_window = node.window > 0
        && node.parent.and_then(|parent| tree.get(parent)).is_none_or(|parent| parent.window != node.window);
    node.states.intersects(States::INTERACTIVE | States::CLICKABLE | States::MODAL) || tops_window
}

/// The first of `candidates`, which come topmost first, that covers.
fn topmost(tree: &Tree, place: u32, point: Point, candidates: impl Iterator<Item = u32>) -> Option<u32> {
    let node = tree.get(place)?;
    let mut above = candidates
        .filter_map(|over| Some((over, tree.get(over)?)))
        .take_while(|(over, cover)| (cover.window, *over) > (node.window, place));
    above
        .find(|(over, cover)| {
            (cover.is(States::MODAL) || cover.rect.contains(point))
                && !tree.is_below(*over, place)
                && !tree.is_below(place, *over)
        })
        .map(|(over, _)| over)
}

/// Opaque nodes, topmost first.
fn opaque(tree: &Tree) -> Vec<u32> {
    let mut opaque: Vec<(u32, u32)> =
        tree.iter().filter(|(_, node)| is_opaque(tree, node)).map(|(place, node)| (node.window, place)).collect();
    opaque.sort_unstable_by(|one, other| other.cmp(one));
    opaque.into_iter().map(|(_, place)| place).collect()
}

/// Opaque nodes by the part of the screen that they reach into. Each list holds the topmost first.
struct Index {
    /// What the cells divide: the box around all opaque nodes, as far as it is in the viewport.
    extent: Rect,
    cells: Vec<Vec<u32>>,
    /// Modals, and what reaches into so many cells that a list of its own is cheaper.
    wide: Vec<u32>,
}

impl Index {
    fn of(tree: &Tree) -> Self {
        let opaque: Vec<(u32, &Node, Rect)> = opaque(tree)
            .into_iter()
            .filter_map(|place| Some((place, tree.get(place)?)))
            .map(|(place, node)| (place, node, node.rect.intersect(tree.viewport.bounds())))
            .filter(|(_, node, part)| node.is(States::MODAL) || !part.is_empty())
            .collect();
        let extent = opaque.iter().map(|(.., part)| *part).reduce(around).unwrap_or_default();
        let mut index = Self { extent, cells: vec![Vec::new(); CELLS * CELLS], wide: Vec::new() };
        for (place, node, part) in opaque {
            let (left, top) = index.cell(part.x, part.y);
            let (right, bottom) = index.cell(part.right(), part.bottom());
            // Boxes that are no numbers end before they begin, and are listed nowhere.
            let columns = (right + 1).saturating_sub(left);
            if node.is(States::MODAL) || columns * (bottom + 1).saturating_sub(top) > WIDE {
                index.wide.push(place);
                continue;
            }
            for row in top..=bottom {
                for cell in index.cells.iter_mut().skip(row * CELLS + left).take(columns) {
                    cell.push(place);
                }
            }
        }
        index
    }

    fn topmost_over(&self, tree: &Tree, place: u32, point: Point) -> Option<u32> {
        let (column, row) = self.cell(point.x, point.y);
        let near = topmost(tree, place, point, self.cells.get(row * CELLS + column)?.iter().copied());
        let wide = topmost(tree, place, point, self.wide.iter().copied());
        near.into_iter().chain(wide).max_by_key(|over| (tree.get(*over).map(|node| node.window), *over))
    }

    /// Column and row of a point; of points outside the extent those at its edge.
    fn cell(&self, x: f64, y: f64) -> (usize, usize) {
        (slot(x - self.extent.x, self.extent.width), slot(y - self.extent.y, self.extent.height))
    }
}

fn around(one: Rect, other: Rect) -> Rect {
    let (x, y) = (one.x.min(other.x), one.y.min(other.y));
    Rect::new(x, y, one.right().max(other.right()) - x, one.bottom().max(other.bottom()) - y)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..CELLS before the cast")]
fn slot(at: f64, length: f64) -> usize {
    if length > 0.0 { (at / length * CELLS as f64).clamp(0.0, (CELLS - 1) as f64) as usize } else { 0 }
}

#[cfg(test)]
mod tests;
