//! Commands that press, scroll and swipe.

use super::{
    Reader, Scope,
    command::{Call, Outer, Parsed},
    element::PointText,
};
use crate::{
    model::{Action, Direction, DragTo, Element, How, ScrollUntil, Spot, Swipe, SwipeTo, Tap},
    yaml::{Node, Yaml},
};

/// The longest that a contact may move, ms.
const MOVE_MS: std::ops::RangeInclusive<f64> = 0.0..=10_000.0;
/// Waits, ms: a day.
pub(super) const WAIT_MS: std::ops::RangeInclusive<f64> = 0.0..=86_400_000.0;

pub(super) const DIRECTIONS: &[(&str, Direction)] =
    &[("UP", Direction::Up), ("DOWN", Direction::Down), ("LEFT", Direction::Left), ("RIGHT", Direction::Right)];

impl Reader<'_> {
    pub fn tap(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let how = match call.name {
            "doubleTapOn" => How::Double,
            "longPressOn" => How::Long,
            _ => How::Once,
        };
        let node = self.value(scope, call, "an element or a point")?;
        let empty = |element| Tap {
            element,
            point: None,
            how,
            repeat: None,
            delay: None,
            settle: None,
            retry_if_no_change: false,
        };
        if let Yaml::Scalar(_) = node.value {
            let element = self.element(scope, node, call.name)?;
            return Some((Action::Tap(empty(Some(element))), Outer::default()));
        }
        let before = self.problems.len();
        let mut fields = self.fields(scope, node, call.name)?;
        let element = self.element_keys(scope, &mut fields, 0);
        let mut tap = empty(Some(element).filter(|element| *element != Element::default()));
        tap.point = fields.take("point").and_then(|node| self.point(scope, node, "point"));
        tap.repeat = self.number_at(scope, &mut fields, "repeat", 1.0..=200.0);
        tap.delay = self.number_at(scope, &mut fields, "delay", 0.0..=10_000.0);
        tap.settle = self.number_at(scope, &mut fields, "waitToSettleTimeoutMs", WAIT_MS);
        tap.retry_if_no_change = self.switch(scope, &mut fields, "retryTapIfNoChange").unwrap_or(false);
        // What is pressed is always waited for.
        self.switch(scope, &mut fields, "waitUntilVisible");
        let outer = self.outer(scope, &mut fields);
        let (at, pointed) = (fields.at, fields.has("point"));
        let repeated = fields.has("repeat").then(|| fields.place("repeat")).filter(|_| how != How::Once);
        self.finish(scope, fields);
        if let Some(at) = repeated {
            let hint = "write the command once for each, or use repeat".to_owned();
            self.wrong(scope, at, format!("{} takes no repeat", call.name), hint);
        }
        if tap.element.is_none() && !pointed {
            self.naming(scope, Element::default(), at, call.name, before)?;
        }
        Some((Action::Tap(tap), outer))
    }

    pub fn scroll_until(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let node = self.value(scope, call, "element")?;
        let mut fields = self.fields(scope, node, call.name)?;
        let element = match fields.take("element") {
            Some(node) => self.element(scope, node, "element"),
            None => {
                self.wrong(scope, fields.at, "scrollUntilVisible needs element", None);
                None
            }
        };
        let direction = match fields.take("direction") {
            Some(node) => self.word(scope, node, "direction", DIRECTIONS),
            None => Some(Direction::Down),
        };
        let timeout = self.number_at(scope, &mut fields, "timeout", WAIT_MS);
        let speed = self.number_at(scope, &mut fields, "speed", 0.0..=100.0).is_some();
        let visibility = self.number_at(scope, &mut fields, "visibilityPercentage", 0.0..=100.0).is_some();
        let center = self.switch(scope, &mut fields, "centerElement").unwrap_or(false);
        // Each step of the scroll waits for its own movement to end.
        self.number_at(scope, &mut fields, "waitToSettleTimeoutMs", WAIT_MS);
        self.refuse(scope, &mut fields, "fromPoint", "the container under the middle of the screen is scrolled");
        let outer = self.outer(scope, &mut fields);
        self.finish(scope, fields);
        let element = element?;
        let outer = Outer { optional: outer.optional || element.optional, ..outer };
        let until = ScrollUntil { element, direction: direction?, timeout, speed, visibility, center };
        Some((Action::ScrollUntil(until), outer))
    }

    pub fn swipe(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let node = self.value(scope, call, "direction, or start and end, or from")?;
        let mut fields = self.fields(scope, node, call.name)?;
        let direction = fields.take("direction").map(|node| self.word(scope, node, "direction", DIRECTIONS));
        let start = fields.take("start").map(|node| self.point(scope, node, "start"));
        let end = fields.take("end").map(|node| self.point(scope, node, "end"));
        let from = fields.take("from").map(|node| self.element(scope, node, "from"));
        let to = fields.take("to").map(|node| self.point(scope, node, "to"));
        let duration = self.number_at(scope, &mut fields, "duration", MOVE_MS);
        let settle = self.number_at(scope, &mut fields, "waitToSettleTimeoutMs", WAIT_MS);
        let outer = self.outer(scope, &mut fields);
        let at = fields.at;
        self.finish(scope, fields);
        let swipe = match (direction, start, end, from, to) {
            (Some(direction), None, None, None, None) => Swipe::Direction(direction?),
            (None, Some(start), Some(end), None, None) => Swipe::Points(start?, end?),
            (Some(direction), None, None, Some(from), None) => {
                Swipe::From(Box::new(from?), SwipeTo::Direction(direction?))
            }
            (None, None, None, Some(from), Some(to)) => Swipe::From(Box::new(from?), SwipeTo::Point(to?)),
            _ => {
                let hint = "write direction; or start and end; or from with direction or with to".to_owned();
                self.wrong(scope, at, "these keys together say no swipe", hint);
                return None;
            }
        };
        Some((Action::Swipe { swipe, duration, settle }, outer))
    }

    pub fn drag(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let node = self.value(scope, call, "from, and to or offset")?;
        let mut fields = self.fields(scope, node, call.name)?;
        let from = fields.take("from").map(|node| self.spot(scope, node, "from"));
        let to = fields.take("to").map(|node| self.spot(scope, node, "to"));
        let offset = fields.take("offset").map(|node| self.point(scope, node, "offset"));
        let hold = self.number_at(scope, &mut fields, "pressDuration", MOVE_MS);
        let duration = self.number_at(scope, &mut fields, "duration", 16.0..=10_000.0);
        let settle = self.number_at(scope, &mut fields, "waitToSettleTimeoutMs", WAIT_MS);
        let outer = self.outer(scope, &mut fields);
        let at = fields.at;
        self.finish(scope, fields);
        let (from, to) = match (from, to, offset) {
            (Some(from), Some(to), None) => (from?, DragTo::Spot(to?)),
            (Some(from), None, Some(offset)) => (from?, DragTo::Offset(offset?)),
            _ => {
                self.wrong(scope, at, "drag needs from, and either to or offset", None);
                return None;
            }
        };
        Some((Action::Drag { from, to, hold, duration, settle }, outer))
    }

    /// An element or, where a text is written as one, a point.
    fn spot(&mut self, scope: &Scope, node: &Node, what: &'static str) -> Option<Spot> {
        match &node.value {
            Yaml::Scalar(text) if PointText::read(text).is_ok() => Some(Spot::Point(self.text(scope, node, what)?)),
            _ => Some(Spot::Element(Box::new(self.element(scope, node, what)?))),
        }
    }
}
