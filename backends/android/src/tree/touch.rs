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
        // What the platform cuts to nothing at the edge of its container is behind that edge.
        return Touch::NotRendered;
    }
    if node.rect.is_empty() {
        return Touch::NoSize;
    }
    let part = layers.part(place);
    if part.is_empty() || !node.is(States::VISIBLE) {
        return Touch::Offscreen;
    }
    let middle = part.centre();
    let own: Vec<(u32, Rect)> = tree
        .descendants(place)
        .filter(|(inner, _)| layers.takes(*inner))
        .map(|(inner, _)| (inner, layers.part(inner)))
        .collect();
    let owner = |point: Point| own.iter().find(|(_, part)| part.contains(point)).map(|(inner, _)| *inner);
    let mut cover = layers.over(tree, place, middle);
    let mut inner = None;
    if cover.is_none() {
        inner = owner(middle);
        if inner.is_none() {
            return Touch::At(middle);
        }
    }
    let mut points = grid(part);
    let distance = |point: &Point| (point.x - middle.x).powi(2) + (point.y - middle.y).powi(2);
    points.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
    for point in points {
        if let Some(owner) = owner(point) {
            inner = inner.or(Some(owner));
            continue;
        }
        match layers.over(tree, place, point) {
            None => return Touch::At(point),
            over => cover = cover.or(over),
        }
    }
    match (cover, inner) {
        (Some(cover), _) => Touch::Covered(cover),
        (None, Some(inner)) => Touch::OwnControls(inner),
        (None, None) => Touch::NoSize,
    }
}

fn grid(part: Rect) -> Vec<Point> {
    let step = |at: u32, from: f64, length: f64| from + length * (f64::from(at) + 0.5) / f64::from(TRIED);
    (0..TRIED)
        .flat_map(|row| (0..TRIED).map(move |column| (row, column)))
        .map(|(row, column)| Point { x: step(column, part.x, part.width), y: step(row, part.y, part.height) })
        .collect()
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
