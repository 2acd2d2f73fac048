//! Touch events become what a stage app understands: presses, long presses, swipes. Everything is also kept as it came.

use std::time::Duration;

use contract::Point;
use tokio::time::Instant;

/// How far a contact may wander and still be a press, display px (8 dp).
const SLOP: f64 = 8.0 * crate::display::SCALE;
/// A contact that stays this long is a long press to the stage.
pub const LONG_PRESS: Duration = Duration::from_millis(500);
/// Two presses closer than this are a double press (Android's own limit).
const DOUBLE: Duration = Duration::from_millis(300);

/// One contact from down to up.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    /// Its pointer id.
    pub pointer: i32,
    /// Where it was, display px, and when after the first one came down, ms.
    pub path: Vec<(u64, f64, f64)>,
}

/// Everything between the first finger down and the last finger up.
#[derive(Debug, Clone, PartialEq)]
pub struct Gesture {
    /// The fingers.
    pub contacts: Vec<Contact>,
    /// It was called off; no app saw it through.
    pub cancelled: bool,
}

/// One event of a touch screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// What.
    pub kind: Kind,
    /// The pointer that came down or went up.
    pub pointer: i32,
    /// All pointers that are down, display px.
    pub points: Vec<(i32, f64, f64)>,
}

/// What an event says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The first or a further finger came down.
    Down,
    /// Fingers moved.
    Move,
    /// A finger went up.
    Up,
    /// The gesture is called off.
    Cancel,
}

/// What an app makes of a gesture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Meaning {
    /// A press, held so long.
    Press(Point, Duration),
    /// The second press of two.
    SecondPress(Point),
    /// A drag from one point to another.
    Swipe(Point, Point),
    /// More than one finger, or called off: nothing that a stage app knows.
    Nothing,
}

/// Follows the fingers.
#[derive(Debug, Default)]
pub struct Screen {
    now: Option<(Instant, Gesture)>,
    /// Gestures that are over.
    pub past: Vec<Gesture>,
    last_press: Option<(Instant, f64, f64)>,
}

impl Screen {
    /// Takes an event. What the gesture meant, once it is over.
    ///
    /// # Errors
    /// An event that no touch screen can send: a second finger without a first, an up without a down.
    pub fn take(&mut self, event: &Event) -> Result<Option<Meaning>, &'static str> {
        let now = Instant::now();
        if event.kind == Kind::Down && event.points.len() == 1 {
            self.now = Some((now, Gesture { contacts: Vec::new(), cancelled: false }));
        }
        let Some((since, gesture)) = &mut self.now else {
            return Err("no finger is down");
        };
        let ms = u64::try_from(now.duration_since(*since).as_millis()).unwrap_or(u64::MAX);
        for (pointer, x, y) in &event.points {
            match gesture.contacts.iter_mut().find(|contact| contact.pointer == *pointer) {
                Some(contact) => contact.path.push((ms, *x, *y)),
                None if event.kind == Kind::Down => {
                    gesture.contacts.push(Contact { pointer: *pointer, path: vec![(ms, *x, *y)] });
                }
                None => return Err("a finger that never came down"),
            }
        }
        let over = event.kind == Kind::Cancel || (event.kind == Kind::Up && event.points.len() <= 1);
        if !over {
            return Ok(None);
        }
        let Some((since, mut gesture)) = self.now.take() else { return Ok(None) };
        gesture.cancelled = event.kind == Kind::Cancel;
        let meaning = self.meaning(&gesture, now.duration_since(since), now);
        self.past.push(gesture);
        Ok(Some(meaning))
    }

    fn meaning(&mut self, gesture: &Gesture, held: Duration, now: Instant) -> Meaning {
        let before = self.last_press.take();
        let [contact] = gesture.contacts.as_slice() else { return Meaning::Nothing };
        let (Some((_, x, y)), Some((_, to_x, to_y))) = (contact.path.first(), contact.path.last()) else {
            return Meaning::Nothing;
        };
        if gesture.cancelled {
            return Meaning::Nothing;
        }
        let at = |x: &f64, y: &f64| crate::display::Display::on_stage(*x, *y);
        if contact.path.iter().any(|(_, px, py)| (px - x).hypot(py - y) >= SLOP) {
            return Meaning::Swipe(at(x, y), at(to_x, to_y));
        }
        let second = before.is_some_and(|(when, px, py)| {
            now.duration_since(when) < DOUBLE && (px - x).hypot(py - y) < 100.0 * crate::display::SCALE
        });
        if held < LONG_PRESS && second {
            return Meaning::SecondPress(at(x, y));
        }
        if held < LONG_PRESS {
            self.last_press = Some((now, *x, *y));
        }
        Meaning::Press(at(x, y), held)
    }
}
