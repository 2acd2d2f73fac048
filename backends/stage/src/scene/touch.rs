//! What presses, swipes, scrolling and the system's keys do.

use std::time::Duration;

use backend::{Receipt, ScrollTo};
use contract::Point;

use super::hit::{Contacts, Hit};
use super::{Frame, Scene};
use crate::script::Index;
use crate::script::action::Action;
use crate::script::spec::Kind;

/// A contact that stays down this long is a long press (iOS's recogniser; Android's is 400 ms).
pub const LONG_PRESS: Duration = Duration::from_millis(500);
/// A swipe shorter than this is a shaky press to an app, px (Android's touch slop is 8 dp).
const SWIPE_LEAST: f64 = 8.0;

/// What a contact came down on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touched {
    /// Bare display.
    Nothing,
    /// The dimmed ground beside a modal panel.
    Beside,
    /// The element that takes the press, else the one that was hit.
    Element(Index),
}

/// How a contact came down and went up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contact {
    /// For less than [`LONG_PRESS`].
    Short,
    /// For longer.
    Long,
    /// The second of a double press.
    Second,
}

impl Scene {
    /// What is topmost at a point, as an element. For faults that are meant for one element: the one that would take
    /// the press, else the one that is hit.
    pub fn topmost(&self, point: Point) -> Option<Index> {
        match self.touch(point) {
            Touched::Element(index) => Some(index),
            Touched::Nothing | Touched::Beside => None,
        }
    }

    /// A contact comes down: it belongs to whatever is topmost there, until it goes up.
    pub fn touch(&self, point: Point) -> Touched {
        let frame = Frame::of(self);
        match Contacts::of(self, &frame).at(point) {
            Hit::Nothing => Touched::Nothing,
            Hit::Scrim(_) => Touched::Beside,
            Hit::Item(place) => frame
                .get(place)
                .map_or(Touched::Nothing, |item| Touched::Element(self.presser(item.element).unwrap_or(item.element))),
        }
    }

    /// A short press at a point.
    pub fn press(&mut self, point: Point) -> Receipt {
        self.release(self.touch(point), point, Contact::Short)
    }

    /// A contact goes up.
    pub fn release(&mut self, touched: Touched, point: Point, contact: Contact) -> Receipt {
        match touched {
            Touched::Nothing => {
                self.probe.note_system("press nothing");
                Receipt { warnings: vec![format!("nothing lies at {point}")], ..Receipt::default() }
            }
            Touched::Beside => {
                self.probe.note_system("press beside");
                if self.dialog.is_none() {
                    self.dismiss_overlay();
                }
                Receipt { events: vec!["press beside the dialog".to_owned()], ..Receipt::default() }
            }
            Touched::Element(target) => {
                let said = self.describe(target);
                if self.is_disabled(target) || self.is_inert(target) {
                    self.probe.note(&self.app.name_of(target), "ignored press", |effects| effects.ignored += 1);
                    let why = format!("{said} takes no input now; the press did nothing");
                    return Receipt { warnings: vec![why], ..Receipt::default() };
                }
                let before = self.dialog.is_some();
                self.press_element(target, contact);
                let opened = self.dialog.as_ref().filter(|_| !before).map(|dialog| dialog.text.clone());
                Receipt { events: vec![format!("press {said}")], opened, ..Receipt::default() }
            }
        }
    }

    fn press_element(&mut self, target: Index, contact: Contact) {
        let what = match contact {
            Contact::Short => "press",
            Contact::Long => "long-press",
            Contact::Second => "double-press",
        };
        self.probe.note(&self.app.name_of(target), what, |effects| {
            effects.presses += 1;
            effects.long_presses += u32::from(contact == Contact::Long);
            effects.double_presses += u32::from(contact == Contact::Second);
        });
        let parts = self.app.dialog;
        if target == parts.ok || target == parts.cancel {
            self.answer(target == parts.ok, None);
            return;
        }
        let app = self.app.clone();
        let Some(element) = app.element(target) else { return };
        let spec = &element.spec;
        if contact == Contact::Long && !spec.on_long_press.is_empty() {
            self.run(&spec.on_long_press, element.row);
            return;
        }
        match spec.kind() {
            Kind::Checkbox | Kind::Switch => self.toggle(target),
            Kind::Radio | Kind::Tab => self.select(target),
            kind if kind.is_field() => self.focus_on(target),
            _ => {}
        }
        self.run(&spec.on_press, element.row);
        if contact == Contact::Second {
            self.run(&spec.on_double_press, element.row);
        }
    }

    /// A pointer moves to a point.
    pub fn hover(&mut self, point: Point) -> Receipt {
        let Some(target) = self.topmost(point) else { return Receipt::default() };
        let app = self.app.clone();
        let target = app
            .upwards(target)
            .find(|up| app.element(*up).is_some_and(|element| !element.spec.on_hover.is_empty()))
            .unwrap_or(target);
        self.probe.note(&app.name_of(target), "hover", |effects| effects.hovers += 1);
        if let Some(element) = app.element(target) {
            self.run(&element.spec.on_hover, element.row);
        }
        Receipt { events: vec![format!("hover {}", self.describe(target))], ..Receipt::default() }
    }

    /// A contact is dragged from one point to another: it runs what the element does with swipes, else it scrolls.
    pub fn swipe(&mut self, from: Point, to: Point) -> Receipt {
        let frame = Frame::of(self);
        let Hit::Item(place) = Contacts::of(self, &frame).at(from) else {
            self.probe.note_system("swipe nothing");
            return Receipt::default();
        };
        let Some(hit) = frame.get(place).map(|item| item.element) else { return Receipt::default() };
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        if dx.abs().max(dy.abs()) < SWIPE_LEAST {
            return self.press(from);
        }
        let app = self.app.clone();
        let reaction = app.upwards(hit).find_map(|up| {
            let element = app.element(up)?;
            let list = swiped(&element.spec.on_swipe, dx, dy);
            (!list.is_empty()).then_some((up, list, element.row))
        });
        let target = reaction.map_or_else(|| self.presser(hit).unwrap_or(hit), |(up, ..)| up);
        self.probe.note(&app.name_of(target), "swipe", |effects| effects.swipes += 1);
        let mut receipt = Receipt { events: vec![format!("swipe {}", self.describe(target))], ..Receipt::default() };
        if let Some((_, list, row)) = reaction {
            self.run(list, row);
        } else {
            let along = frame.upwards(place).find(|up| {
                frame.get(*up).is_some_and(|item| {
                    let room = item.room();
                    if dx.abs() > dy.abs() { room.0 > 0.0 } else { room.1 > 0.0 }
                })
            });
            if let Some(container) = along {
                let (moved, more) = self.scroll_item(&frame, container, -dx, -dy);
                receipt.moved = Some(moved);
                receipt.more = Some(more);
            }
        }
        receipt
    }

    /// Scrolls the container that holds an element, or the screen's main one.
    pub fn scroll(&mut self, within: Option<Index>, to: ScrollTo) -> Receipt {
        let frame = Frame::of(self);
        let container = match within {
            Some(index) => frame
                .item_of(index)
                .and_then(|place| frame.upwards(place).find(|up| frame.get(*up).is_some_and(has_room))),
            None => main_container(self, &frame),
        };
        let Some(container) = container else {
            return Receipt {
                moved: Some((0.0, 0.0)),
                more: Some(false),
                warnings: vec!["nothing here scrolls".to_owned()],
                ..Receipt::default()
            };
        };
        let Some(item) = frame.get(container) else { return Receipt::default() };
        let (dx, dy) = match to {
            ScrollTo::Share { x, y } => (x * item.rect.width, y * item.rect.height),
            ScrollTo::Pixels { x, y } => (x, y),
            ScrollTo::Top => (0.0, -item.scrolled.1),
            ScrollTo::Bottom => (0.0, item.room().1 - item.scrolled.1),
        };
        self.probe.note(&self.app.name_of(item.element), "scroll", |effects| effects.scrolls += 1);
        let (moved, more) = self.scroll_item(&frame, container, dx, dy);
        Receipt { moved: Some(moved), more: Some(more), ..Receipt::default() }
    }

    /// Scrolls one container; returns how far it moved and whether more is left in that direction.
    pub fn scroll_item(&mut self, frame: &Frame, place: usize, dx: f64, dy: f64) -> ((f64, f64), bool) {
        let Some(item) = frame.get(place) else { return ((0.0, 0.0), false) };
        let room = item.room();
        let to = ((item.scrolled.0 + dx).clamp(0.0, room.0), (item.scrolled.1 + dy).clamp(0.0, room.1));
        self.change(item.element, |live| live.scroll = super::state::Point2 { x: to.0, y: to.1 });
        let left = |delta: f64, at: f64, room: f64| (delta > 0.0 && at < room - 0.5) || (delta < 0.0 && at > 0.5);
        ((to.0 - item.scrolled.0, to.1 - item.scrolled.1), left(dx, to.0, room.0) || left(dy, to.1, room.1))
    }

    /// The system's way back: first what lies over the screen goes, then the screen.
    pub fn back(&mut self) -> Receipt {
        let went = if self.dialog.is_some() {
            self.answer(false, None)
        } else if self.keyboard_since.is_some() {
            self.blur();
            true
        } else if !self.overlays.is_empty() {
            self.dismiss_overlay()
        } else {
            let before = self.way.len();
            self.run(&[Action::Back], None);
            self.way.len() < before
        };
        self.probe.note_system("back");
        let warnings = if went { Vec::new() } else { vec!["there is nothing to go back to".to_owned()] };
        Receipt { warnings, ..Receipt::default() }
    }

    /// The first screen, with nothing over it.
    pub fn home(&mut self) -> Receipt {
        self.dialog = None;
        self.overlays.clear();
        self.run(&[Action::Home], None);
        self.probe.note_system("home");
        Receipt::default()
    }
}

fn swiped(swipes: &crate::script::spec::Swipes, dx: f64, dy: f64) -> &[Action] {
    match (dx.abs() > dy.abs(), dx > 0.0, dy > 0.0) {
        (true, true, _) => &swipes.right,
        (true, false, _) => &swipes.left,
        (false, _, true) => &swipes.down,
        (false, _, false) => &swipes.up,
    }
}

fn has_room(item: &super::Item) -> bool {
    let room = item.room();
    room.0 > 0.0 || room.1 > 0.0
}

/// The screen's main container: of the topmost layer that scrolls, the one that shows the largest part of itself.
fn main_container(scene: &Scene, frame: &Frame) -> Option<usize> {
    let display = scene.viewport.bounds();
    let lowest = frame.layers.iter().rposition(|layer| layer.modal).unwrap_or(0);
    frame
        .items
        .iter()
        .enumerate()
        .filter(|(_, item)| item.layer >= lowest && has_room(item))
        .map(|(place, item)| (place, item.seen().intersect(display)))
        .filter(|(_, seen)| !seen.is_empty())
        .max_by(|(_, one), (_, other)| (one.width * one.height).total_cmp(&(other.width * other.height)))
        .map(|(place, _)| place)
}
