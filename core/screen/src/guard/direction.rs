//! Which way an off-screen node lies.

use crate::{States, Tree};

/// Where something lies, seen from what is in view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Over the top edge.
    Above = 0,
    /// Under the bottom edge.
    Below = 1,
    /// Before the left edge.
    Left = 2,
    /// Behind the right edge.
    Right = 3,
}

impl Direction {
    /// Every direction, in the order of their numbers.
    pub const ALL: [Direction; 4] = [Direction::Above, Direction::Below, Direction::Left, Direction::Right];

    /// The word after `scroll` that brings it nearer.
    pub const fn scroll_word(self) -> &'static str {
        match self {
            Direction::Above => "up",
            Direction::Below => "down",
            Direction::Left => "left",
            Direction::Right => "right",
        }
    }

    /// Of a node that has no part in the viewport, or in the nearest scroll container that it is cut off by.
    pub fn of(tree: &Tree, place: u32) -> Option<Direction> {
        let rect = tree.get(place)?.rect;
        let clips = tree
            .ancestors(place)
            .filter_map(|up| tree.get(up))
            .filter(|up| up.states.intersects(States::SCROLLABLE | States::CLIPS))
            .map(|up| up.rect);
        std::iter::once(tree.viewport.bounds()).chain(clips).find_map(|clip| {
            if rect.bottom() <= clip.y {
                Some(Direction::Above)
            } else if rect.y >= clip.bottom() {
                Some(Direction::Below)
            } else if rect.right() <= clip.x {
                Some(Direction::Left)
            } else if rect.x >= clip.right() {
                Some(Direction::Right)
            } else {
                None
            }
        })
    }
}

impl std::fmt::Display for Direction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Direction::Above => "above",
            Direction::Below => "below",
            Direction::Left => "left",
            Direction::Right => "right",
        })
    }
}

/// Which way to scroll for a node of which nothing is in view; `None` where part of it is.
pub fn offscreen(tree: &Tree, place: u32) -> Option<Direction> {
    let node = tree.get(place)?;
    if node.is(States::VISIBLE) && !node.rect.intersect(tree.viewport.bounds()).is_empty() {
        return None;
    }
    // A node that is said to be out of view and yet overlaps everything that could cut it off: the nearest edge decides.
    Some(Direction::of(tree, place).unwrap_or_else(|| {
        let middle = tree.viewport.bounds().centre();
        if node.rect.centre().y < middle.y { Direction::Above } else { Direction::Below }
    }))
}
