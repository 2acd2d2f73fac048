//! `first` and `index`: which of several is meant, where a selector says so.
//!
//! Both count *things*: of matches that lie in each other only the innermost count, so that a row and the title in it are
//! one; and a control stands for the only one in it, so that a button is meant and not the text that it shows.

use super::{
    Pick,
    relation::{Related, nearest},
};
use crate::{States, Tree};

/// The one of `found` (in document order) that is picked, or none.
pub fn pick(pick: Pick, found: Vec<u32>, related: &[Related<'_>], tree: &Tree) -> Option<u32> {
    let things = things(found, tree);
    match pick {
        Pick::First => {
            let best = things.iter().map(|place| rank(*place, tree)).min()?;
            let equals: Vec<u32> = things.into_iter().filter(|place| rank(*place, tree) == best).collect();
            nearest(&equals, related)
        }
        Pick::Index(index) => {
            let place = if index >= 0 {
                usize::try_from(index).ok()
            } else {
                things.len().checked_sub(usize::try_from(index.unsigned_abs()).ok()?)
            };
            by_position(things, tree).get(place?).copied()
        }
    }
}

/// One of each thing, in document order, from matches in document order.
pub fn things(found: Vec<u32>, tree: &Tree) -> Vec<u32> {
    let inner = found.iter().skip(1).map(Some).chain(std::iter::once(None));
    // In document order what lies in a node follows it at once.
    let innermost: Vec<u32> = found
        .iter()
        .zip(inner)
        .filter(|(outer, inner)| inner.is_none_or(|inner| !tree.is_below(*inner, **outer)))
        .map(|(place, _)| *place)
        .collect();
    let alone_in = |control: u32| {
        let end = tree.get(control).map_or(control, |node| node.end);
        innermost.partition_point(|place| *place < end) - innermost.partition_point(|place| *place < control) == 1
    };
    innermost
        .iter()
        .map(|place| match tree.actionable(*place) {
            Some(control) if found.binary_search(&control).is_ok() && alone_in(control) => control,
            _ => *place,
        })
        .collect()
}

/// In view before out of view, then what takes input, then what lies in something that does.
fn rank(place: u32, tree: &Tree) -> (bool, u8) {
    let hidden = tree.get(place).is_none_or(|node| !node.is(States::VISIBLE));
    let input = match tree.actionable(place) {
        Some(control) if control == place => 0,
        Some(_) => 1,
        None => 2,
    };
    (hidden, input)
}

/// From the top, then from the left, whole px; what stands at one place in document order.
fn by_position(mut things: Vec<u32>, tree: &Tree) -> Vec<u32> {
    let at = |place: u32| tree.get(place).map_or((0.0, 0.0), |node| (node.rect.y.round(), node.rect.x.round()));
    things.sort_by(|one, other| {
        let ((y, x), (other_y, other_x)) = (at(*one), at(*other));
        y.total_cmp(&other_y).then(x.total_cmp(&other_x))
    });
    things
}
