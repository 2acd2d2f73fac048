//! The point of a node where a touch reaches it, or why there is none.

use backend::{Aimed, Landing};
use contract::{Point, Rect};
use screen::{Cover, NodeKey, States, Tree, describe};

use super::layers::Layers;

/// Points per axis that are tried where the middle will not do: odd, so that the middle is one.
const TRIED: u32 = 15;

/// What a look at one node of a capture found.
#[derive(Debug, Clone, PartialEq)]
pub enum Touch {
    /// A touch here reaches it.
    At(Point),
    /// It is not drawn.
    NotRendered,
    /// It has no area.
    NoSize,
    /// Nothing of it is in view.
    Offscreen,
    /// Something lies over every point of it.
    Covered(Cover),
    /// Every point of it that is free belongs to a control inside it; the first of these.
    OwnControls(u32),
}

/// Where to touch a node: the middle of what is in view, else the nearest point that nothing lies over and that belongs
/// to no control inside the node.
pub fn touch(tree: &Tree, layers: &Layers, place: u32) -> Touch {
    let Some(node) = tree.get(place) else { return Touch::NotRendered };
    if !node.is(States::RENDERED) {
        return Touch::NotRendered;
    }
    if node.rect.is_empty() {
        return Touch::NoSize;
    }
    let part = layers.part(place);
    if part.is_empty() || !node.is(States::VISIBLE) {
        return Touch::Offscreen;
    }
    let own: Vec<(u32, Rect)> = layers.takers_in(place).collect();
    let owner = |point: Point| own.iter().find(|(_, part)| part.contains(point)).map(|(inner, _)| *inner);
    let mut cover = layers.buried(place);
    let mut inner = None;
    if cover.is_none() {
        for point in from_the_middle(part) {
            if let Some(over) = layers.over(place, point) {
                if layers.buried_by(place, &over) {
                    return Touch::Covered(over);
                }
                cover = cover.or(Some(over));
            } else if let Some(owner) = owner(point) {
                inner = inner.or(Some(owner));
            } else {
                return Touch::At(point);
            }
        }
    }
    match (cover, inner) {
        (Some(cover), _) => Touch::Covered(cover),
        (None, Some(inner)) => Touch::OwnControls(inner),
        (None, None) => Touch::NoSize,
    }
}

/// What lies over every point of a node; what is inside it leaves it free.
pub fn cover(layers: &Layers, place: u32) -> Option<Cover> {
    let part = layers.part(place);
    if part.is_empty() {
        return None;
    }
    layers.buried(place).or_else(|| {
        let mut first = None;
        for point in from_the_middle(part) {
            let over = layers.over(place, point)?;
            if layers.buried_by(place, &over) {
                return Some(over);
            }
            first = first.or(Some(over));
        }
        first
    })
}

/// The middle of a box, then points all over it, the nearest to the middle first.
fn from_the_middle(part: Rect) -> impl Iterator<Item = Point> {
    let middle = part.centre();
    // The grid is made only if the middle will not do.
    std::iter::once(middle).chain(std::iter::once_with(move || grid(part, middle)).flatten())
}

fn grid(part: Rect, middle: Point) -> Vec<Point> {
    let step = |at: u32, from: f64, length: f64| from + length * (f64::from(at) + 0.5) / f64::from(TRIED);
    let distance = |point: &Point| (point.x - middle.x).powi(2) + (point.y - middle.y).powi(2);
    let mut points: Vec<Point> = (0..TRIED)
        .flat_map(|row| (0..TRIED).map(move |column| (row, column)))
        .map(|(row, column)| Point { x: step(column, part.x, part.width), y: step(row, part.y, part.height) })
        .collect();
    points.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
    points
}

/// The same in the words of a live look.
pub fn aim(tree: &Tree, layers: &Layers, place: u32) -> Aimed {
    let Some(node) = tree.get(place) else { return Aimed::Gone };
    let key_of = |place: u32| -> Option<NodeKey> { tree.get(place).and_then(|node| node.key) };
    let words = |place: u32| tree.get(place).map(describe::describe).unwrap_or_default();
    match touch(tree, layers, place) {
        Touch::At(point) => Aimed::Ready(Landing {
            point,
            role: node.role.clone(),
            name: node.name.to_string(),
            states: node.states,
            rect: node.rect,
        }),
        Touch::NotRendered => Aimed::NotRendered,
        Touch::NoSize => Aimed::NoSize,
        Touch::Offscreen => Aimed::Offscreen { rect: node.rect },
        Touch::Covered(Cover::Node(over)) | Touch::OwnControls(over) => {
            Aimed::Covered { by: words(over), key: key_of(over) }
        }
        Touch::Covered(Cover::Other(by)) => Aimed::Covered { by: by.into(), key: None },
    }
}
