//! A live look at one element, brought into view.

use backend::{Aimed, Landing};
use contract::Rect;

use super::hit::Contacts;
use super::{Frame, Scene};
use crate::script::Index;
use crate::script::spec::State;

/// Space kept between an element that was brought into view and the container's edge, px.
const MARGIN: f64 = 8.0;

impl Scene {
    /// Brings an element into view and finds a point that reaches it.
    pub fn aim(&mut self, index: Index) -> Aimed {
        let frame = Frame::of(self);
        let Some(place) = frame.item_of(index) else { return Aimed::Gone };
        if self.app.upwards(index).any(|up| self.live(up).is(State::Invisible)) {
            return Aimed::NotRendered;
        }
        if frame.get(place).is_none_or(|item| item.rect.is_empty()) {
            return Aimed::NoSize;
        }
        if self.is_inert(index) {
            return Aimed::Inert;
        }
        if let Some(ready) = self.landing(&frame, place) {
            let whole = frame.get(place).is_some_and(|item| item.seen().close_to(item.rect, 0.5));
            if whole {
                return ready;
            }
        }
        self.bring_into_view(index);
        let frame = Frame::of(self);
        let Some((place, item)) = frame.item_of(index).and_then(|place| frame.get(place).map(|item| (place, item)))
        else {
            return Aimed::Gone;
        };
        if let Some(ready) = self.landing(&frame, place) {
            return ready;
        }
        let seen = item.seen().intersect(self.viewport.bounds());
        if seen.is_empty() {
            return Aimed::Offscreen { rect: item.rect };
        }
        let by = Contacts::of(self, &frame).in_the_way(seen.centre(), place).and_then(|by| frame.get(by));
        match by {
            Some(by) => Aimed::Covered { by: self.describe(by.element), key: Some(self.key_of(by.element)) },
            None => Aimed::Offscreen { rect: item.rect },
        }
    }

    fn landing(&self, frame: &Frame, place: usize) -> Option<Aimed> {
        let point = Contacts::of(self, frame).point_on(place)?;
        let item = frame.get(place)?;
        let node = self.node(frame, place, item);
        Some(Aimed::Ready(Landing {
            point,
            role: node.role,
            name: node.name.into(),
            states: node.states,
            rect: node.rect,
        }))
    }

    /// Scrolls every container around an element, from the inside out, no further than it takes.
    pub fn bring_into_view(&mut self, index: Index) {
        let app = self.app.clone();
        for container in app.upwards(index).skip(1).filter(|up| app.kind(*up).scrolls()) {
            let frame = Frame::of(self);
            let places = frame.item_of(index).zip(frame.item_of(container));
            let Some((inner, outer)) = places else { return };
            let (Some(item), Some(around)) = (frame.get(inner), frame.get(outer)) else { return };
            let free = self.free_of_keyboard(around.rect.intersect(around.clip));
            let dx = distance(item.rect.x, item.rect.right(), free.x, free.right());
            let dy = distance(item.rect.y, item.rect.bottom(), free.y, free.bottom());
            self.scroll_item(&frame, outer, dx, dy);
        }
    }

    /// The part of a box that the keyboard leaves free; all of it where nothing would be left.
    fn free_of_keyboard(&self, rect: Rect) -> Rect {
        let height = match (&self.app.keyboard, self.keyboard_since) {
            (Some(keyboard), Some(_)) => keyboard.spec.height,
            _ => 0.0,
        };
        let bottom = rect.bottom().min(self.viewport.height - height);
        if bottom <= rect.y + 2.0 * MARGIN { rect } else { Rect { height: bottom - rect.y, ..rect } }
    }
}

/// How far to scroll so that a stretch lies in another, the nearer edge first.
fn distance(start: f64, end: f64, from: f64, to: f64) -> f64 {
    let (from, to) = (from + MARGIN, to - MARGIN);
    if end - start > to - from || start < from {
        start - from
    } else if end > to {
        end - to
    } else {
        0.0
    }
}
