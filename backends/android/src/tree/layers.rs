//! What lies over what: windows by their place in the stack, views by the order in which they are drawn.
//!
//! A view covers a point only if it takes touches there: views overlap a lot, and most let touches through. Taken are
//! taps (clickable or long-clickable, disabled ones included: they swallow them), text, scrolling, and what a web page
//! or a slider does itself. That something can have the focus alone takes no touch. A window above covers wherever it
//! is, one that has the focus as a dialog everything beside it too. Inside a web page nothing is said to cover anything:
//! its nodes come in reading order, and a header that stays on top stands before what it lies over.

use contract::{Point, Rect};
use screen::Cover;

use super::{
    facts::{Facts, Raw, RawNode},
    names::takes_taps,
    roles::{is_field, is_in_reading_order},
    windows::{Window, WindowKind, is_modal},
};

/// The display is split into so many columns and rows, so that a point is held against what is near it only.
const CELLS: usize = 32;
/// What reaches into more cells than this is listed once instead; bounds the memory where many large views overlap.
const WIDE: usize = 64;

/// The layers of one capture. Lists have one entry per node of the tree.
#[derive(Debug, Clone, Default)]
pub struct Layers {
    /// What can be seen of the node.
    parts: Vec<Rect>,
    /// Its window's place in the stack.
    stack: Vec<u32>,
    /// Its place in the order of drawing, in its window.
    drawn: Vec<u32>,
    /// Place after the last node in it.
    ends: Vec<u32>,
    /// It takes touches.
    takes: Vec<bool>,
    /// The page that it is a part of.
    pages: Vec<Option<usize>>,
    planes: Vec<Plane>,
    extent: Rect,
    /// What takes touches, by the part of the display that it reaches into. Each list holds the topmost first.
    cells: Vec<Vec<u32>>,
    /// What reaches into too many of them.
    wide: Vec<u32>,
}

/// A window as something that covers.
#[derive(Debug, Clone)]
struct Plane {
    z: u32,
    bounds: Rect,
    modal: bool,
    cover: Cover,
}

/// Whether a node takes the touches that land on it.
pub fn takes_touches(node: &RawNode<'_>, role: &str) -> bool {
    takes_taps(node)
        || node.any(Facts::EDITABLE.union(Facts::SCROLLABLE))
        || matches!(role, "slider" | "webview")
        || is_field(node)
}

/// A node as far as layers go.
#[derive(Debug, Clone, Copy)]
pub struct Layered {
    /// Its place in the capture as sent.
    pub at: usize,
    /// Place after the last node in it, in the tree.
    pub end: u32,
    /// What can be seen of it.
    pub part: Rect,
    /// It is in view and takes touches.
    pub takes: bool,
}

impl Layers {
    /// Of a capture; `nodes` are those of the tree, in its order.
    pub fn of(raw: &Raw<'_>, windows: &[Window], nodes: &[Layered], display: Rect, keyboard: Option<Rect>) -> Self {
        let order = drawing_order(raw);
        let pages = pages(raw);
        let z = |at: usize| raw.nodes.get(at).and_then(|node| windows.get(node.window)).map_or(0, |window| window.z);
        let mut layers = Self {
            parts: nodes.iter().map(|node| node.part).collect(),
            stack: nodes.iter().map(|node| z(node.at)).collect(),
            drawn: nodes.iter().map(|node| order.get(node.at).copied().unwrap_or_default()).collect(),
            ends: nodes.iter().map(|node| node.end).collect(),
            takes: nodes.iter().map(|node| node.takes).collect(),
            pages: nodes.iter().map(|node| pages.get(node.at).copied().flatten()).collect(),
            planes: planes(raw, windows, keyboard),
            extent: display,
            cells: vec![Vec::new(); CELLS * CELLS],
            wide: Vec::new(),
        };
        layers.fill_cells();
        layers
    }

    fn fill_cells(&mut self) {
        let mut takers: Vec<u32> = (0u32..)
            .zip(&self.parts)
            .filter(|(place, part)| self.takes(*place) && !part.is_empty())
            .map(|(place, _)| place)
            .collect();
        takers.sort_unstable_by_key(|place| std::cmp::Reverse(self.order(*place)));
        for place in takers {
            let part = self.part(place);
            let (left, top) = cell(self.extent, part.x, part.y);
            let (right, bottom) = cell(self.extent, part.right(), part.bottom());
            if (right - left + 1) * (bottom - top + 1) > WIDE {
                self.wide.push(place);
                continue;
            }
            for row in top..=bottom {
                for cell in self.cells.iter_mut().skip(row * CELLS + left).take(right - left + 1) {
                    cell.push(place);
                }
            }
        }
    }

    /// What can be seen of a node.
    pub fn part(&self, place: u32) -> Rect {
        self.parts.get(place as usize).copied().unwrap_or_default()
    }

    /// It takes touches.
    pub fn takes(&self, place: u32) -> bool {
        self.takes.get(place as usize).copied().unwrap_or_default()
    }

    fn order(&self, place: u32) -> (u32, u32) {
        let at = place as usize;
        (self.stack.get(at).copied().unwrap_or_default(), self.drawn.get(at).copied().unwrap_or_default())
    }

    fn is_below(&self, inner: u32, outer: u32) -> bool {
        inner > outer && self.ends.get(outer as usize).is_some_and(|end| inner < *end)
    }

    fn are_of_one_page(&self, one: u32, other: u32) -> bool {
        let page = |place: u32| self.pages.get(place as usize).copied().flatten();
        page(one).is_some() && page(one) == page(other)
    }

    /// The nodes in a node that take touches, with what can be seen of them.
    pub fn takers_in(&self, place: u32) -> impl Iterator<Item = (u32, Rect)> {
        let end = self.ends.get(place as usize).copied().unwrap_or_default();
        (place.saturating_add(1)..end).filter(|inner| self.takes(*inner)).map(|inner| (inner, self.part(inner)))
    }

    /// A window that covers all of a node.
    pub fn buried(&self, place: u32) -> Option<Cover> {
        let (z, _) = self.order(place);
        let part = self.part(place);
        let covers = |plane: &&Plane| plane.z > z && (plane.modal || part.intersect(plane.bounds) == part);
        self.planes.iter().find(covers).map(|plane| plane.cover.clone())
    }

    /// What covers a node at a point: the topmost that is neither in it nor around it.
    pub fn over(&self, place: u32, point: Point) -> Option<Cover> {
        let (z, drawn) = self.order(place);
        if let Some(plane) =
            self.planes.iter().find(|plane| plane.z > z && (plane.modal || plane.bounds.contains(point)))
        {
            return Some(plane.cover.clone());
        }
        let (column, row) = cell(self.extent, point.x, point.y);
        let near = self.cells.get(row * CELLS + column).map_or(&[][..], Vec::as_slice);
        let topmost = |list: &[u32]| {
            list.iter()
                .copied()
                .take_while(|over| self.order(*over) > (z, drawn))
                .filter(|over| self.order(*over).0 == z)
                .find(|over| {
                    self.part(*over).contains(point)
                        && !self.is_below(*over, place)
                        && !self.is_below(place, *over)
                        && !self.are_of_one_page(*over, place)
                })
        };
        [near, &self.wide].into_iter().filter_map(topmost).max_by_key(|over| self.order(*over)).map(Cover::Node)
    }

    /// What covers all of a node by itself.
    pub fn buried_by(&self, place: u32, over: &Cover) -> bool {
        let part = self.part(place);
        matches!(over, Cover::Node(over) if part.intersect(self.part(*over)) == part)
    }
}

fn cell(extent: Rect, x: f64, y: f64) -> (usize, usize) {
    (slot(x - extent.x, extent.width), slot(y - extent.y, extent.height))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..CELLS before the cast")]
fn slot(at: f64, length: f64) -> usize {
    if length > 0.0 { (at / length * CELLS as f64).clamp(0.0, (CELLS - 1) as f64) as usize } else { 0 }
}

/// The windows that cover, topmost first. One in which nothing takes touches and which has no focus lets them through:
/// a toast, rounded corners, what is drawn by an accessibility service.
fn planes(raw: &Raw<'_>, windows: &[Window], keyboard: Option<Rect>) -> Vec<Plane> {
    let mut planes: Vec<Plane> = windows
        .iter()
        .enumerate()
        .zip(&raw.windows)
        .filter(|((_, window), sent)| match window.kind {
            WindowKind::App | WindowKind::Dialog | WindowKind::Keyboard | WindowKind::Bar => true,
            _ => window.focused || raw.of_window(sent).any(|(_, node)| takes_touches(node, "")),
        })
        .map(|((at, window), _)| Plane {
            z: window.z,
            bounds: match window.kind {
                WindowKind::Keyboard => keyboard.map_or(window.bounds, |keys| keys.intersect(window.bounds)),
                _ => window.bounds,
            },
            modal: is_modal(at, windows, raw),
            cover: match (window.root, window.kind) {
                (Some(root), _) => Cover::Node(root),
                (None, WindowKind::Bar) => Cover::Other("a bar of the system".into()),
                (None, _) => Cover::Other("another window".into()),
            },
        })
        .collect();
    planes.sort_by_key(|plane| std::cmp::Reverse(plane.z));
    planes
}

/// For every node the outermost view around it that lists its content in reading order.
fn pages(raw: &Raw<'_>) -> Vec<Option<usize>> {
    let mut pages: Vec<Option<usize>> = Vec::with_capacity(raw.nodes.len());
    for node in &raw.nodes {
        let above = node.parent.and_then(|parent| {
            let around = pages.get(parent).copied().flatten();
            around.or_else(|| raw.nodes.get(parent).filter(|node| is_in_reading_order(node)).map(|_| parent))
        });
        pages.push(above);
    }
    pages
}

/// For every node its place in the order of drawing: a view before what is in it, siblings by their drawing order,
/// those of equal order as they stand.
fn drawing_order(raw: &Raw<'_>) -> Vec<u32> {
    let mut order = vec![0; raw.nodes.len()];
    let mut next = 0u32;
    // What is still to be drawn, the next last.
    let mut waiting: Vec<usize> = raw.windows.iter().rev().map(|window| window.root).collect();
    while let Some(at) = waiting.pop() {
        if let Some(slot) = order.get_mut(at) {
            *slot = next;
        }
        next = next.saturating_add(1);
        let first = waiting.len();
        waiting.extend(raw.children(at));
        let children = waiting.get_mut(first..).unwrap_or_default();
        children.reverse();
        let drawn = |at: &usize| std::cmp::Reverse(raw.nodes.get(*at).and_then(|node| node.drawing_order));
        if !children.is_sorted_by_key(drawn) {
            // Stable: of equal ones the later stays in front of the earlier, and is drawn after it.
            children.sort_by_key(drawn);
        }
    }
    order
}
