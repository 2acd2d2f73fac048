//! Boxes: where a node is, which part of it can be seen, and what a scroll container hides.
//!
//! The unit is the device's pixel, as taps are, from the display's top left corner.
//!
//! The platform cuts a view's box by those around it. Of a view that lies wholly outside, that leaves edges in the wrong
//! order: the one that it really has, and the one of what it is outside of. Put in order they are a box on the side
//! where the view is, which is what one has to know to scroll there. So "inverted" boxes are boxes off-screen here.
//!
//! A backend of its own words, and not the core's pass over boxes: the platform says what can be seen, and only it knows
//! of transparent views and of views that cut off their content without being scroll containers.

use contract::{Rect, Size};
use screen::States;

use super::{
    facts::{Edges, Facts, Raw, RawWindow},
    roles,
};

/// A box from its edges, whatever their order.
pub fn rect_of([left, top, right, bottom]: Edges) -> Rect {
    let (x, y) = (f64::from(left.min(right)), f64::from(top.min(bottom)));
    Rect::new(x, y, f64::from(left.max(right)) - x, f64::from(top.max(bottom)) - y)
}

/// Where a node is.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Placed {
    /// Its box.
    pub rect: Rect,
    /// What can be seen of it, things over it left aside: cut by its window, the display and every scroll container
    /// around it.
    pub part: Rect,
    /// What its children can be seen through.
    opening: Rect,
    /// `RENDERED` and `VISIBLE`.
    pub states: States,
}

/// Places the nodes of a window that is laid out in `frame`. `placed` has one entry for every node of the capture.
pub fn place(raw: &Raw<'_>, window: &RawWindow, frame: Rect, display: Size, placed: &mut [Placed]) {
    // Where nothing is known of the window, only the display cuts it.
    let whole = if frame.is_empty() { display.bounds() } else { frame.intersect(display.bounds()) };
    for (at, node) in raw.of_window(window) {
        let opening = node.parent.and_then(|parent| placed.get(parent)).map_or(whole, |parent| parent.opening);
        let mut rect = node.bounds.map(rect_of).unwrap_or_default();
        let seen = node.fact(Facts::VISIBLE_TO_USER);
        // Edges in the wrong order: nothing of it is inside, wherever the box around the gap lies.
        let mut outside = node.bounds.is_some_and(|[left, top, right, bottom]| left > right || top > bottom);
        if seen == Some(false) && rect.is_empty() {
            outside |= behind_the_edge(&mut rect, opening);
        }
        let part = if outside { Rect { width: 0.0, height: 0.0, ..rect } } else { rect.intersect(opening) };
        let visible = !part.is_empty() && seen != Some(false);
        // The platform lists no views that are not laid out. One that is inside and cannot be seen is transparent.
        let rendered = visible || (!rect.is_empty() && part.is_empty());
        let mut states = States::empty();
        states.set(States::VISIBLE, visible);
        states.set(States::RENDERED, rendered);
        let cuts = node.is(Facts::SCROLLABLE) || roles::is_scroll_container(node);
        if let Some(slot) = placed.get_mut(at) {
            *slot = Placed { rect, part, opening: if cuts { part } else { opening }, states };
        }
    }
}

/// A view that begins just where its container ends is cut to a line on that edge: it gets one pixel on the other side,
/// so that the way to it can be told. Says whether it is one.
fn behind_the_edge(rect: &mut Rect, opening: Rect) -> bool {
    let (lies, stands) = (rect.width > 0.0, rect.height > 0.0);
    if lies && rect.height <= 0.0 && rect.y >= opening.bottom() {
        rect.height = 1.0;
    } else if lies && rect.height <= 0.0 && rect.y <= opening.y {
        (rect.y, rect.height) = (rect.y - 1.0, 1.0);
    } else if stands && rect.width <= 0.0 && rect.x >= opening.right() {
        rect.width = 1.0;
    } else if stands && rect.width <= 0.0 && rect.x <= opening.x {
        (rect.x, rect.width) = (rect.x - 1.0, 1.0);
    } else {
        return false;
    }
    true
}

/// Content hidden above, below, left and right of a scroll container. The platform says whether there is some, not how
/// much: `f64::INFINITY` stands for "some". `None` where the helper did not say.
pub fn hidden(raw: &Raw<'_>, at: usize, placed: &[Placed]) -> Option<[f64; 4]> {
    let node = raw.nodes.get(at).filter(|node| node.is(Facts::SCROLLABLE))?;
    let forward = node.fact(Facts::CAN_SCROLL_FORWARD)?;
    let backward = node.fact(Facts::CAN_SCROLL_BACKWARD)?;
    let px = |some: bool| if some { f64::INFINITY } else { 0.0 };
    Some(if roles::is_horizontal(node) || lies_in_a_row(raw, at, placed) {
        [0.0, 0.0, px(backward), px(forward)]
    } else {
        [px(backward), px(forward), 0.0, 0.0]
    })
}

/// The children that are in view stand side by side.
fn lies_in_a_row(raw: &Raw<'_>, at: usize, placed: &[Placed]) -> bool {
    let mut parts = raw.children(at).filter_map(|child| placed.get(child)).map(|child| child.part);
    let mut parts = parts.by_ref().filter(|part| !part.is_empty());
    match (parts.next(), parts.next()) {
        (Some(first), Some(second)) => second.x >= first.right() && second.y < first.bottom(),
        _ => false,
    }
}
