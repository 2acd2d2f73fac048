//! Where everything lies at one moment, and in which order it is drawn.

use contract::{Point, Rect, Size};

use super::Scene;
use super::measure::{self, BAR_HEIGHT};
use crate::script::Index;
use crate::script::spec::{Kind, Placement};

/// One element on the display.
#[derive(Debug, Clone)]
pub struct Item {
    /// Which.
    pub element: Index,
    /// Where, in viewport coordinates; may lie outside the viewport.
    pub rect: Rect,
    /// The part of the display that its containers leave it.
    pub clip: Rect,
    /// Place of what contains it.
    pub parent: Option<usize>,
    /// Its layer: the screen is 0, overlays, keyboard and dialog lie above.
    pub layer: usize,
    /// For containers that scroll: the size of their content.
    pub content: Option<Size>,
    /// For the same: how far it is scrolled, within what is possible.
    pub scrolled: (f64, f64),
}

impl Item {
    /// The part of it that can be seen, as far as nothing lies over it.
    pub fn seen(&self) -> Rect {
        self.rect.intersect(self.clip)
    }

    /// How far its content can be scrolled at most.
    pub fn room(&self) -> (f64, f64) {
        self.content.map_or((0.0, 0.0), |content| {
            ((content.width - self.rect.width).max(0.0), (content.height - self.rect.height).max(0.0))
        })
    }
}

/// What lies in one layer.
#[derive(Debug, Clone, Copy)]
pub struct Layer {
    /// The first item of it.
    pub root: usize,
    /// Nothing below it takes input.
    pub modal: bool,
}

/// The whole display.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    /// In document order.
    pub items: Vec<Item>,
    /// Places of the items in drawing order.
    pub drawn: Vec<usize>,
    /// From the lowest to the highest.
    pub layers: Vec<Layer>,
}

impl Frame {
    /// Lays everything out.
    pub fn of(scene: &Scene) -> Frame {
        Frame::of_size(scene, scene.viewport)
    }

    /// Lays everything out on a display of another size.
    pub fn of_size(scene: &Scene, size: Size) -> Frame {
        let mut frame = Frame::default();
        let display = size.bounds();
        if let Some(screen) = scene.app.screens.get(scene.screen) {
            let top = if screen.bar.is_some() { BAR_HEIGHT } else { 0.0 };
            let body = Rect::new(0.0, top, display.width, (display.height - top).max(0.0));
            frame.layer(false);
            if let Some(bar) = screen.bar {
                frame.bar(scene, bar, screen.back, Rect::new(0.0, 0.0, display.width, top));
            }
            frame.place(scene, screen.main, body, display, None);
        }
        for opened in &scene.overlays {
            let Some(overlay) = scene.app.overlays.get(opened.overlay) else { continue };
            let mut rect = match overlay.rect {
                Some(rect) => Rect::new(rect.x, rect.y, rect.width, rect.height),
                None => panel(scene, overlay.root, overlay.place),
            };
            rect.y += slide(scene.now.saturating_duration_since(opened.since).as_secs_f64() * 1000.0, overlay.slide_ms)
                * (display.height - rect.y);
            frame.layer(overlay.modal);
            frame.place(scene, overlay.root, rect, display, None);
        }
        if let (Some(keyboard), Some(since)) = (&scene.app.keyboard, scene.keyboard_since) {
            let height = keyboard.spec.height;
            let hidden =
                slide(scene.now.saturating_duration_since(since).as_secs_f64() * 1000.0, keyboard.spec.slide_ms);
            let rect = Rect::new(0.0, display.height - height * (1.0 - hidden), display.width, height);
            frame.layer(false);
            let root = frame.push(keyboard.root, rect, display, None);
            let done = Rect::new(rect.right() - 84.0, rect.y + 4.0, 80.0, 36.0);
            frame.push(keyboard.done, done, display, Some(root));
        }
        if scene.dialog.is_some() {
            frame.layer(true);
            frame.place(
                scene,
                scene.app.dialog.root,
                panel(scene, scene.app.dialog.root, Placement::Center),
                display,
                None,
            );
        }
        frame.order(scene);
        frame
    }

    /// The item of an element.
    pub fn item_of(&self, element: Index) -> Option<usize> {
        self.items.iter().position(|item| item.element == element)
    }

    /// The item at a place.
    pub fn get(&self, place: usize) -> Option<&Item> {
        self.items.get(place)
    }

    /// The item itself, then what contains it, and so on.
    pub fn upwards(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(place), |up| self.get(*up).and_then(|item| item.parent))
    }

    /// Whether `inner` is `outer` or lies in it.
    pub fn is_within(&self, inner: usize, outer: usize) -> bool {
        self.upwards(inner).any(|up| up == outer)
    }

    fn layer(&mut self, modal: bool) {
        self.layers.push(Layer { root: self.items.len(), modal });
    }

    fn push(&mut self, element: Index, rect: Rect, clip: Rect, parent: Option<usize>) -> usize {
        self.items.push(Item {
            element,
            rect,
            clip,
            parent,
            layer: self.layers.len().saturating_sub(1),
            content: None,
            scrolled: (0.0, 0.0),
        });
        self.items.len() - 1
    }

    fn bar(&mut self, scene: &Scene, bar: Index, back: Option<Index>, rect: Rect) {
        let root = self.push(bar, rect, rect, None);
        let mut left = 16.0;
        for child in scene.app.element(bar).map(|element| element.children.as_slice()).unwrap_or_default() {
            if Some(*child) == back {
                if !scene.way.is_empty() {
                    self.push(*child, Rect::new(4.0, 4.0, 48.0, 48.0), rect, Some(root));
                    left = 60.0;
                }
            } else {
                self.push(*child, Rect::new(left, 10.0, rect.width - left - 16.0, 36.0), rect, Some(root));
            }
        }
    }

    fn place(&mut self, scene: &Scene, index: Index, rect: Rect, clip: Rect, parent: Option<usize>) {
        let Some(element) = scene.app.element(index) else { return };
        let rect = match element.spec.moves {
            None => rect,
            Some(moves) => {
                let gone = scene.progress(index, moves.over_ms, moves.back_and_forth);
                Rect { x: rect.x + moves.dx * gone, y: rect.y + moves.dy * gone, ..rect }
            }
        };
        let place = self.push(index, rect, clip, parent);
        if element.children.is_empty() {
            return;
        }
        let spec = &element.spec;
        let (pad, gap) = (measure::padding(spec), measure::gap(spec));
        let mut origin = Point { x: rect.x + pad, y: rect.y + pad + measure::heading_room(scene, index) };
        let mut inner_clip = clip;
        if spec.kind().scrolls() {
            let (across, down) = measure::content(scene, index, rect.width);
            inner_clip = clip.intersect(rect);
            let wanted = scene.live(index).scroll;
            if let Some(item) = self.items.get_mut(place) {
                item.content = Some(Size { width: across.max(rect.width), height: down.max(rect.height) });
                let room = item.room();
                item.scrolled = (wanted.x.clamp(0.0, room.0), wanted.y.clamp(0.0, room.1));
                origin = Point { x: origin.x - item.scrolled.0, y: origin.y - item.scrolled.1 };
            }
        }
        let inner = (rect.width - 2.0 * pad).max(0.0);
        let there: Vec<Index> = element.children.iter().copied().filter(|child| scene.is_there(*child)).collect();
        let flow: Vec<Index> = there.iter().copied().filter(|child| !measure::is_placed(scene, *child)).collect();
        let row = measure::is_row(spec);
        let mut widths = if row { measure::row_widths(scene, spec, &flow, inner) } else { Vec::new() }.into_iter();
        let mut cursor = origin;
        for child in there {
            let placed = scene.app.element(child).and_then(|child| child.spec.rect);
            if let Some(own) = placed {
                let own = Rect::new(origin.x + own.x, origin.y + own.y, own.width, own.height);
                self.place(scene, child, own, inner_clip, Some(place));
                continue;
            }
            let width = widths.next().or_else(|| measure::own_width(scene, child)).unwrap_or(inner);
            let height = measure::height(scene, child, width);
            self.place(scene, child, Rect::new(cursor.x, cursor.y, width, height), inner_clip, Some(place));
            if row {
                cursor.x += width + gap;
            } else {
                cursor.y += height + gap;
            }
        }
    }

    /// Containers before what they contain, siblings by `z` and then as they stand in the file.
    fn order(&mut self, scene: &Scene) {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.items.len()];
        let mut roots = Vec::new();
        for (place, item) in self.items.iter().enumerate() {
            match item.parent {
                Some(parent) => children.get_mut(parent).into_iter().for_each(|list| list.push(place)),
                None => roots.push(place),
            }
        }
        let z = |place: &usize| {
            self.items.get(*place).and_then(|item| scene.app.element(item.element)).map_or(0, |element| element.spec.z)
        };
        for list in &mut children {
            list.sort_by_key(z);
        }
        let mut waiting: Vec<usize> = roots.into_iter().rev().collect();
        let mut drawn = Vec::with_capacity(self.items.len());
        while let Some(place) = waiting.pop() {
            drawn.push(place);
            waiting.extend(children.get(place).into_iter().flatten().rev());
        }
        self.drawn = drawn;
    }
}

/// How much of the way something that slides in still has before it, 1 to 0, slowing down at the end.
fn slide(passed_ms: f64, over_ms: u64) -> f64 {
    if over_ms == 0 {
        return 0.0;
    }
    let left = (1.0 - passed_ms / over_ms as f64).clamp(0.0, 1.0);
    left * left
}

/// Where a panel lies by itself.
fn panel(scene: &Scene, root: Index, place: Placement) -> Rect {
    let display = scene.viewport;
    let spread = scene.app.kind(root) == Kind::Panel(crate::script::spec::OverlayRole::Region);
    let margin = if spread { 12.0 } else { 28.0 };
    let width = measure::own_width(scene, root).unwrap_or((display.width - 2.0 * margin).min(420.0)).min(display.width);
    let height = measure::height(scene, root, width).min(display.height);
    let x = (display.width - width) / 2.0;
    let y = match place {
        Placement::Center => (display.height - height) / 2.0,
        Placement::Top => (BAR_HEIGHT + 8.0).min(display.height - height),
        Placement::Bottom => display.height - height - 12.0,
    };
    Rect::new(x, y.max(0.0), width, height)
}
