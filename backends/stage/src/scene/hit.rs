//! What a contact at a point reaches, and what lies over an element.

use contract::{Point, Rect};

use super::{Frame, Scene};
use crate::script::Index;
use crate::script::spec::State;

/// What is topmost at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// This item.
    Item(usize),
    /// The dimmed ground of a modal layer, named by the layer.
    Scrim(usize),
    /// Bare display.
    Nothing,
}

/// The display, ready to be asked for many points.
#[derive(Debug)]
pub struct Contacts<'a> {
    scene: &'a Scene,
    frame: &'a Frame,
    /// What can be reached at all, from the topmost down: place, seen part, layer.
    solid: Vec<(usize, Rect, usize)>,
    modal: Option<usize>,
}

impl<'a> Contacts<'a> {
    /// Sorts out what a contact can reach.
    pub fn of(scene: &'a Scene, frame: &'a Frame) -> Self {
        let display = scene.viewport.bounds();
        let modal = frame.layers.iter().rposition(|layer| layer.modal);
        let solid = frame
            .drawn
            .iter()
            .rev()
            .filter_map(|place| frame.get(*place).map(|item| (*place, item)))
            .map(|(place, item)| (place, item.seen().intersect(display), item))
            .filter(|(_, seen, item)| !seen.is_empty() && scene.is_solid(item.element))
            .map(|(place, seen, item)| (place, seen, item.layer))
            .collect();
        Contacts { scene, frame, solid, modal }
    }

    /// What is topmost at a point.
    pub fn at(&self, point: Point) -> Hit {
        if !self.scene.on_display(point) {
            return Hit::Nothing;
        }
        for (place, seen, layer) in &self.solid {
            if let Some(modal) = self.modal.filter(|modal| layer < modal) {
                return Hit::Scrim(modal);
            }
            if seen.contains(point) {
                return Hit::Item(*place);
            }
        }
        self.modal.map_or(Hit::Nothing, Hit::Scrim)
    }

    /// Whether a contact at the point reaches an item or something in it.
    pub fn reaches(&self, point: Point, place: usize) -> bool {
        matches!(self.at(point), Hit::Item(hit) if self.frame.is_within(hit, place))
    }

    /// The item to name as the one in the way at a point: the whole panel where a layer above is in the way.
    pub fn in_the_way(&self, point: Point, of: usize) -> Option<usize> {
        let layer = self.frame.get(of)?.layer;
        match self.at(point) {
            Hit::Nothing => None,
            Hit::Scrim(above) => self.frame.layers.get(above).map(|layer| layer.root),
            Hit::Item(hit) => match self.frame.get(hit) {
                Some(item) if item.layer > layer => self.frame.layers.get(item.layer).map(|layer| layer.root),
                _ => Some(hit),
            },
        }
    }

    /// A point that reaches an item and no control inside it: the middle of what is seen of it, else the first of a grid of
    /// 49 over it.
    pub fn point_on(&self, place: usize) -> Option<Point> {
        let seen = self.frame.get(place)?.seen().intersect(self.scene.viewport.bounds());
        if seen.is_empty() {
            return None;
        }
        let grid = (1..=7).flat_map(|down| (1..=7).map(move |across| (f64::from(across) / 8.0, f64::from(down) / 8.0)));
        std::iter::once((0.5, 0.5))
            .chain(grid)
            .map(|(across, down)| Point { x: seen.x + seen.width * across, y: seen.y + seen.height * down })
            .find(|point| self.is_own(*point, place))
    }

    /// Whether a contact at the point is one with the item, and not with something inside it that takes presses itself.
    fn is_own(&self, point: Point, place: usize) -> bool {
        let Hit::Item(hit) = self.at(point) else { return false };
        let inside = |place: usize| self.frame.get(place).map(|item| item.element);
        let (Some(hit_element), Some(element)) = (inside(hit), inside(place)) else { return false };
        let between = self.scene.app.upwards(hit_element).take_while(|up| *up != element);
        self.frame.is_within(hit, place) && !between.into_iter().any(|up| self.scene.takes_presses(up))
    }
}

impl Scene {
    /// Whether a contact stops at an element.
    fn is_solid(&self, index: Index) -> bool {
        !self.live(index).is(State::Invisible)
            && !self.app.upwards(index).any(|up| self.live(up).is(State::PressThrough))
    }

    /// The element that takes a press which hit `index`: the nearest one, outwards, that does anything with presses.
    pub fn presser(&self, index: Index) -> Option<Index> {
        self.app.upwards(index).find(|up| self.takes_presses(*up))
    }

    /// Whether an element does anything with presses.
    pub fn takes_presses(&self, index: Index) -> bool {
        self.app.element(index).is_some_and(|element| {
            let spec = &element.spec;
            spec.kind().is_interactive()
                || !(spec.on_press.is_empty() && spec.on_long_press.is_empty() && spec.on_double_press.is_empty())
        })
    }
}
