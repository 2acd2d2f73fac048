//! One line of a request: the action, its id with options, the payload.

use std::{
    collections::hash_map::RandomState,
    fmt::Write as _,
    hash::{BuildHasher, Hasher},
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use contract::Effect;
use serde_json::Value;
use tokio::time::Instant;

/// What the helper can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The screen as XML.
    Snapshot,
    /// The box that gestures may use, and the keyboard's.
    Viewport,
    /// Touch contacts.
    Gesture,
    /// One node.
    Look,
    /// The window in front.
    Foreground,
    /// An accessibility action of a node.
    Action,
    /// Text into a field.
    Text,
    /// A key.
    Key,
    /// Back, home ...
    Global,
    /// The clipboard's text.
    ClipboardRead,
    /// A text for the clipboard.
    ClipboardWrite,
    /// What became of an earlier command.
    Status,
    /// The end of the session.
    Quit,
}

impl Action {
    /// The word on the line.
    pub const fn word(self) -> &'static str {
        match self {
            Action::Snapshot => "snapshot",
            Action::Viewport => "viewport",
            Action::Gesture => "gesture",
            Action::Look => "look",
            Action::Foreground => "foreground",
            Action::Action => "action",
            Action::Text => "text",
            Action::Key => "key",
            Action::Global => "global",
            Action::ClipboardRead | Action::ClipboardWrite => "clipboard",
            Action::Status => "status",
            Action::Quit => "quit",
        }
    }

    /// Whether it may change the app. What does is kept in the helper's journal.
    pub const fn effect(self) -> Effect {
        match self {
            Action::Gesture | Action::Action | Action::Text | Action::Key | Action::Global | Action::ClipboardWrite => {
                Effect::Mutates
            }
            _ => Effect::Observes,
        }
    }
}

/// One request, without its id.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// What.
    pub action: Action,
    /// Its payload, an object; `Null` for none.
    pub payload: Value,
    /// Options that ride on the id: name and number.
    pub options: Vec<(&'static str, u64)>,
    /// How long the helper itself may need for it, ms: the duration of a gesture.
    pub takes_ms: u64,
}

impl Ask {
    /// A request without payload and options.
    pub const fn of(action: Action) -> Self {
        Self { action, payload: Value::Null, options: Vec::new(), takes_ms: 0 }
    }

    /// The same with a payload.
    #[must_use]
    pub fn with(mut self, payload: Value) -> Self {
        self.payload = payload;
        self
    }

    /// The same with an option.
    #[must_use]
    pub fn option(mut self, name: &'static str, value: u64) -> Self {
        self.options.push((name, value));
        self
    }

    /// The same, said to take so long.
    #[must_use]
    pub const fn taking(mut self, ms: u64) -> Self {
        self.takes_ms = ms;
        self
    }

    /// The payload as it travels; `None` for none.
    pub fn payload_base64(&self) -> Option<String> {
        (!self.payload.is_null()).then(|| STANDARD.encode(self.payload.to_string()))
    }

    /// The whole line. An option is only written for a helper that knows it: an old one echoes the id with it and does
    /// nothing else, so nothing would be wrong, but nothing would be gained.
    pub fn line(&self, id: &str) -> Vec<u8> {
        let mut line = format!("{} {id}", self.action.word());
        for (name, value) in &self.options {
            // Writing into a string cannot fail.
            let _written = write!(line, ";{name}={value}");
        }
        if let Some(payload) = self.payload_base64() {
            line.push(' ');
            line.push_str(&payload);
        }
        line.push('\n');
        line.into_bytes()
    }
}

/// An id that was never used: `gesture-1796027609205-57175825afab4`.
pub fn new_id(action: Action) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    format!("{}-{now}-{:x}{:02x}", action.word(), random() >> 24, COUNT.fetch_add(1, Ordering::Relaxed) & 0xff)
}

/// A number that another process would not come to.
pub fn random() -> u64 {
    // The keys of a hasher come from the system's random numbers, and differ from one to the next.
    RandomState::new().build_hasher().finish()
}

/// The device's clock, as far as its answers tell.
#[derive(Debug, Clone, Copy)]
pub struct DeviceClock {
    elapsed_ms: u64,
    heard: Instant,
}

impl DeviceClock {
    /// Notes what an answer said: ms since the device's start, when it was written.
    pub fn heard(elapsed_ms: u64) -> Self {
        Self { elapsed_ms, heard: Instant::now() }
    }

    /// The device's time at `moment`, or a little less, ms: the answer was under way before it was heard. A command
    /// with this limit is dropped rather too early than too late.
    pub fn at(&self, moment: Instant) -> u64 {
        let since = moment.saturating_duration_since(self.heard).as_millis();
        self.elapsed_ms.saturating_add(u64::try_from(since).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, time::Duration};

    use super::*;

    #[test]
    fn lines_are_as_the_protocol_says() {
        let line = |ask: Ask| String::from_utf8(ask.line("x-1-a")).unwrap();
        assert_eq!(line(Ask::of(Action::Snapshot)), "snapshot x-1-a\n");
        assert_eq!(line(Ask::of(Action::Snapshot).option("nodeKeys", 1)), "snapshot x-1-a;nodeKeys=1\n");
        let gesture = Ask::of(Action::Gesture).with(serde_json::json!({"kind": "swipe"})).option("deadlineAtMs", 12);
        assert_eq!(line(gesture), "gesture x-1-a;deadlineAtMs=12 eyJraW5kIjoic3dpcGUifQ==\n");
    }

    #[test]
    fn ids_name_their_action_and_never_come_twice() {
        let ids: HashSet<String> = (0..2000).map(|_| new_id(Action::Gesture)).collect();
        assert_eq!(ids.len(), 2000);
        let id = ids.iter().next().unwrap();
        let parts: Vec<&str> = id.split('-').collect();
        assert_eq!(parts[0], "gesture");
        assert!(parts[1].parse::<u64>().unwrap() > 1_700_000_000_000);
        assert!(u64::from_str_radix(parts[2], 16).is_ok(), "{id}");
    }

    #[tokio::test(start_paused = true)]
    async fn the_devices_clock_runs_on_from_what_was_heard() {
        let clock = DeviceClock::heard(50_000);
        tokio::time::advance(Duration::from_millis(1500)).await;
        let now = Instant::now();
        assert_eq!(clock.at(now), 51_500);
        assert_eq!(clock.at(now + Duration::from_millis(500)), 52_000);
    }
}
