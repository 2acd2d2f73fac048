//! Pointer action lists, for mouse and touch.

use backend::{TouchPlan, touch::Sample};
use contract::{Point, command::Button};
use serde_json::{Value, json};

use crate::reply::ELEMENT;

/// What the page is pointed at with. An input source's id is bound to its type for the whole session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pointer {
    /// A mouse.
    Mouse,
    /// A finger.
    Touch,
}

/// Where a pointer goes.
#[derive(Debug, Clone, PartialEq)]
pub enum To {
    /// A point of the viewport.
    Point(Point),
    /// The middle of what is visible of an element when the action runs: for what moves.
    Element(String),
}

/// Longest pause between two points of a drag, ms: one frame of a 60 Hz screen.
const FRAME_MS: u64 = 16;
/// Time between the two presses of a double press, ms; browsers take up to 500 for one.
const DOUBLE_PAUSE_MS: u64 = 40;

impl Pointer {
    fn source(self, actions: Vec<Value>) -> Value {
        json!({"actions": [self.contact(0, actions)]})
    }

    /// One input source; the first contact's is the one that everything else uses.
    fn contact(self, number: usize, actions: Vec<Value>) -> Value {
        let (id, kind) = match self {
            Pointer::Mouse => ("p-mouse", "mouse"),
            Pointer::Touch => ("p-touch", "touch"),
        };
        let id = if number == 0 { id.to_owned() } else { format!("{id}-{}", number + 1) };
        json!({"type": "pointer", "id": id, "parameters": {"pointerType": kind}, "actions": actions})
    }

    /// Contacts that move as planned: all have a step at the same times, so the driver keeps them together.
    pub fn moved(self, plan: &TouchPlan) -> Value {
        let actions = |samples: &Vec<Sample>| {
            let Some(first) = samples.first() else { return Vec::new() };
            let mut actions = vec![move_to(&To::Point(first.point()), 0), json!({"type": "pointerDown", "button": 0})];
            for pair in samples.windows(2) {
                let [before, after] = pair else { continue };
                let took = after.offset_ms.saturating_sub(before.offset_ms);
                if before.point() == after.point() {
                    actions.push(pause(took));
                } else {
                    let place = Point { x: after.x.round(), y: after.y.round() };
                    actions.push(move_to(&To::Point(place), took));
                }
            }
            actions.push(json!({"type": "pointerUp", "button": 0}));
            actions
        };
        let sources: Vec<_> =
            plan.contacts.iter().enumerate().map(|(number, samples)| self.contact(number, actions(samples))).collect();
        json!({"actions": sources})
    }

    /// One press, held for `hold_ms`, `times` times.
    pub fn press(self, to: &To, button: Button, hold_ms: u64, times: u32) -> Value {
        // A finger has one button.
        let button = match (self, button) {
            (Pointer::Touch, _) | (_, Button::Primary) => 0,
            (_, Button::Middle) => 1,
            (_, Button::Secondary) => 2,
        };
        let mut actions = vec![move_to(to, 0)];
        for time in 0..times {
            if time > 0 {
                actions.push(pause(DOUBLE_PAUSE_MS));
            }
            actions.push(json!({"type": "pointerDown", "button": button}));
            if hold_ms > 0 {
                actions.push(pause(hold_ms));
            }
            actions.push(json!({"type": "pointerUp", "button": button}));
        }
        self.source(actions)
    }

    /// A move without a press.
    pub fn hover(self, to: &To) -> Value {
        self.source(vec![move_to(to, 0)])
    }

    /// A drag in a straight line, a point a frame.
    pub fn drag(self, from: Point, to: Point, duration_ms: u64) -> Value {
        let steps = (duration_ms / FRAME_MS).clamp(4, 600);
        let mut actions = vec![move_to(&To::Point(from), 0), json!({"type": "pointerDown", "button": 0})];
        for step in 1..=steps {
            let share = step as f64 / steps as f64;
            let point =
                Point { x: (from.x + (to.x - from.x) * share).round(), y: (from.y + (to.y - from.y) * share).round() };
            let took = duration_ms * step / steps - duration_ms * (step - 1) / steps;
            actions.push(move_to(&To::Point(point), took));
        }
        actions.push(json!({"type": "pointerUp", "button": 0}));
        self.source(actions)
    }
}

fn pause(ms: u64) -> Value {
    json!({"type": "pause", "duration": ms})
}

/// A whole number where it is one: some drivers take nothing else.
fn length(px: f64) -> Value {
    if px.fract() == 0.0 { json!(px as i64) } else { json!(px) }
}

fn move_to(to: &To, duration_ms: u64) -> Value {
    match to {
        To::Point(point) => {
            json!({"type": "pointerMove", "x": length(point.x), "y": length(point.y), "duration": duration_ms,
                "origin": "viewport"})
        }
        To::Element(id) => {
            json!({"type": "pointerMove", "x": 0, "y": 0, "duration": duration_ms, "origin": {ELEMENT: id}})
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Point = Point { x: 10.5, y: 20.0 };

    #[test]
    fn a_press_moves_goes_down_and_comes_up() {
        let list = Pointer::Mouse.press(&To::Point(HERE), Button::Secondary, 0, 1);
        let source = &list["actions"][0];
        assert_eq!((&source["id"], &source["parameters"]["pointerType"]), (&json!("p-mouse"), &json!("mouse")));
        assert_eq!(
            source["actions"],
            json!([
                {"type": "pointerMove", "x": 10.5, "y": 20, "duration": 0, "origin": "viewport"},
                {"type": "pointerDown", "button": 2},
                {"type": "pointerUp", "button": 2}
            ])
        );
    }

    #[test]
    fn a_finger_has_one_button_and_a_double_press_is_two() {
        let list = Pointer::Touch.press(&To::Point(HERE), Button::Secondary, 0, 2);
        let kinds: Vec<_> =
            list["actions"][0]["actions"].as_array().unwrap().iter().map(|one| one["type"].clone()).collect();
        assert_eq!(kinds, ["pointerMove", "pointerDown", "pointerUp", "pause", "pointerDown", "pointerUp"]);
        assert_eq!(list["actions"][0]["actions"][1]["button"], 0);
    }

    #[test]
    fn a_drag_takes_as_long_as_it_should_and_ends_where_it_should() {
        for duration in [0, 1, 100, 333, 20_000] {
            let list = Pointer::Touch.drag(HERE, Point { x: 110.0, y: 220.0 }, duration);
            let actions = list["actions"][0]["actions"].as_array().unwrap().clone();
            let took: u64 = actions.iter().filter_map(|one| one["duration"].as_u64()).sum();
            assert_eq!(took, duration);
            assert_eq!(
                (&actions[actions.len() - 2]["x"], &actions[actions.len() - 2]["y"]),
                (&json!(110), &json!(220))
            );
        }
    }
}
