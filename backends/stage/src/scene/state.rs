//! What is true of the app and of each element now.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use contract::{Point, Size};
use tokio::time::Instant;

use crate::effects::Probe;
use crate::script::action::Action;
use crate::script::spec::State;
use crate::script::template::render;
use crate::script::{App, Index};

/// The running app.
#[derive(Debug)]
pub struct Scene {
    /// As it stands in its file.
    pub app: Arc<App>,
    /// The app instance: the scope of node keys.
    pub instance: u64,
    /// Size of the display, px.
    pub viewport: Size,
    /// The moment that everything is computed for.
    pub now: Instant,
    /// One per element of the app.
    pub live: Vec<Live>,
    /// The counters.
    pub counters: BTreeMap<String, i64>,
    /// The screen that is shown.
    pub screen: usize,
    /// When it was shown.
    pub screen_since: Instant,
    /// The screens before it.
    pub way: Vec<usize>,
    /// What lies over it, the last one on top.
    pub overlays: Vec<Opened>,
    /// The element that has the focus.
    pub focus: Option<Index>,
    /// Since when the keyboard is there.
    pub keyboard_since: Option<Instant>,
    /// The native dialog that is open.
    pub dialog: Option<OpenDialog>,
    /// What runs later.
    pub timers: Vec<Timer>,
    /// When the last character was typed, and how many came fast one after another.
    pub typed: Option<(Instant, u32)>,
    /// Where effects are counted.
    pub probe: Probe,
}

/// What is true of one element.
#[derive(Debug, Clone, Default)]
pub struct Live {
    /// States that the file gave it, as actions have changed them since.
    pub states: Vec<State>,
    /// A text that replaced the label.
    pub text: Option<String>,
    /// What a field holds.
    pub value: String,
    /// How far its content is scrolled, px.
    pub scroll: Point2,
    /// Raised each time that the same part serves as something new.
    pub generation: u32,
}

/// A distance, px.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Point2 {
    /// Rightwards.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

/// An overlay that is open.
#[derive(Debug, Clone, Copy)]
pub struct Opened {
    /// Which.
    pub overlay: usize,
    /// Since when.
    pub since: Instant,
}

/// A native dialog that is open.
#[derive(Debug, Clone)]
pub struct OpenDialog {
    /// `alert`, `confirm`, `prompt`.
    pub kind: &'static str,
    /// What it says.
    pub text: String,
    /// Run by OK.
    pub accept: Vec<Action>,
    /// Run by Cancel.
    pub dismiss: Vec<Action>,
    /// The element that gets a prompt's text.
    pub into: Option<Index>,
    /// The generated row that opened it.
    pub row: Option<u32>,
    /// Since when.
    pub since: Instant,
}

/// Something that runs later.
#[derive(Debug, Clone)]
pub struct Timer {
    /// When.
    pub at: Instant,
    /// What.
    pub run: Vec<Action>,
    /// The generated row that started it.
    pub row: Option<u32>,
}

impl Live {
    /// Whether this state is set.
    pub fn is(&self, state: State) -> bool {
        self.states.contains(&state)
    }

    /// Sets or clears a state.
    pub fn set(&mut self, state: State, on: bool) {
        self.states.retain(|held| *held != state);
        if on {
            self.states.push(state);
        }
    }
}

impl Scene {
    /// The app, just started.
    pub fn new(app: Arc<App>, instance: u64, probe: Probe, now: Instant) -> Self {
        let live = app
            .elements
            .iter()
            .map(|element| Live {
                states: element.spec.states.clone(),
                value: element.spec.value.clone(),
                ..Live::default()
            })
            .collect();
        let mut scene = Scene {
            viewport: app.viewport,
            counters: app.counters.clone(),
            screen: app.start,
            screen_since: now,
            app,
            instance,
            now,
            live,
            way: Vec::new(),
            overlays: Vec::new(),
            focus: None,
            keyboard_since: None,
            dialog: None,
            timers: Vec::new(),
            typed: None,
            probe,
        };
        scene.shown();
        scene
    }

    /// What is true of an element.
    pub fn live(&self, index: Index) -> &Live {
        static NONE: Live = Live {
            states: Vec::new(),
            text: None,
            value: String::new(),
            scroll: Point2 { x: 0.0, y: 0.0 },
            generation: 0,
        };
        self.live.get(index).unwrap_or(&NONE)
    }

    /// Changes an element.
    pub fn change(&mut self, index: Index, how: impl FnOnce(&mut Live)) {
        if let Some(live) = self.live.get_mut(index) {
            how(live);
        }
    }

    /// A text with counters and field contents in it.
    pub fn text(&self, template: &str, row: Option<u32>) -> String {
        render(
            template,
            row,
            |counter| self.counters.get(counter).copied(),
            |id| self.app.find(id).map(|index| self.live(index).value.clone()),
        )
    }

    /// What an element says.
    pub fn label(&self, index: Index) -> String {
        let Some(element) = self.app.element(index) else { return String::new() };
        match &self.live(index).text {
            Some(text) => text.clone(),
            None => self.text(&element.spec.label, element.row),
        }
    }

    /// How long the root that holds an element (a screen, an overlay, the dialog) has been shown.
    pub fn shown_for(&self, index: Index) -> Duration {
        let root = self.app.upwards(index).last().unwrap_or(index);
        let since = self
            .overlays
            .iter()
            .find(|opened| self.app.overlays.get(opened.overlay).is_some_and(|overlay| overlay.root == root))
            .map(|opened| opened.since)
            .or_else(|| self.dialog.as_ref().filter(|_| root == self.app.dialog.root).map(|dialog| dialog.since))
            .unwrap_or(self.screen_since);
        self.now.saturating_duration_since(since)
    }

    /// Whether an element is there now: not hidden, appeared, not disappeared.
    pub fn is_there(&self, index: Index) -> bool {
        let Some(element) = self.app.element(index) else { return false };
        if self.live(index).is(State::Hidden) {
            return false;
        }
        let (appears, disappears) = (element.spec.appear_after_ms, element.spec.disappear_after_ms);
        if appears.is_none() && disappears.is_none() {
            return true;
        }
        let shown = self.shown_for(index);
        appears.is_none_or(|ms| shown >= Duration::from_millis(ms))
            && disappears.is_none_or(|ms| shown < Duration::from_millis(ms))
    }

    /// Whether an element, or what contains it, takes no input.
    pub fn is_disabled(&self, index: Index) -> bool {
        self.app.upwards(index).any(|up| {
            let waits = self.app.element(up).and_then(|element| element.spec.enabled_after_ms);
            self.live(up).is(State::Disabled) || waits.is_some_and(|ms| self.shown_for(up) < Duration::from_millis(ms))
        })
    }

    /// Whether an element, or what contains it, is shown without taking input.
    pub fn is_inert(&self, index: Index) -> bool {
        self.app.upwards(index).any(|up| self.live(up).is(State::Inert))
    }

    /// How much of its way a moving element has gone, 0 to 1.
    pub fn progress(&self, index: Index, over_ms: u64, back_and_forth: bool) -> f64 {
        let ways = self.shown_for(index).as_secs_f64() * 1000.0 / over_ms.max(1) as f64;
        if !back_and_forth {
            return ways.min(1.0);
        }
        let phase = ways.rem_euclid(2.0);
        if phase <= 1.0 { phase } else { 2.0 - phase }
    }

    /// What a field or a progress bar holds.
    pub fn value(&self, index: Index) -> String {
        match self.app.element(index).and_then(|element| element.spec.fills_over_ms) {
            Some(over) => format!("{}", (self.progress(index, over, false) * 100.0).floor()),
            None => self.live(index).value.clone(),
        }
    }

    /// `[button] "Save"`: an element in words.
    pub fn describe(&self, index: Index) -> String {
        let role = super::look::role_of(self.app.kind(index)).to_string();
        let label = self.label(index);
        let label = if label.is_empty() { self.live(index).value.clone() } else { label };
        match (label.is_empty(), self.app.element(index).and_then(|element| element.id.as_deref())) {
            (false, _) => format!("[{role}] \"{label}\""),
            (true, Some(id)) => format!("[{role}] \"{id}\""),
            (true, None) => format!("[{role}]"),
        }
    }

    /// Goes on to a later moment and runs what has become due on the way, each at its own time.
    pub fn advance(&mut self, now: Instant) {
        while let Some(place) = self
            .timers
            .iter()
            .enumerate()
            .filter(|(_, timer)| timer.at <= now)
            .min_by_key(|(place, timer)| (timer.at, *place))
            .map(|(place, _)| place)
        {
            let timer = self.timers.remove(place);
            self.now = self.now.max(timer.at);
            self.run(&timer.run, timer.row);
        }
        self.now = self.now.max(now);
    }

    /// The point as the app sees it, if the display has it.
    pub fn on_display(&self, point: Point) -> bool {
        self.viewport.bounds().contains(point)
    }
}
