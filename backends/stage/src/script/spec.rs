//! The keys of a stage app's file, one struct per table. What each means to a reader is in `docs/guide/stage.md`.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::action::Action;
pub use super::words::{Filter, Kind, OverlayRole, Placement, State};
use crate::fault::Fault;

/// A word that names something in the file, with its place for error messages.
pub type Name = Spanned<String>;

/// The whole file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The app's id.
    pub app: Name,
    /// The app's title.
    pub title: String,
    /// The screen shown first.
    pub start: Name,
    /// Size of the simulated display.
    #[serde(default)]
    pub viewport: Viewport,
    /// Picture pixels to one px, 1 to 4.
    pub scale: Option<f64>,
    /// Colour of buttons and switches, `#rrggbb`.
    pub accent: Option<Name>,
    /// Counters and where they start.
    #[serde(default)]
    pub counters: BTreeMap<String, i64>,
    /// The on-screen keyboard; without this table there is none.
    pub keyboard: Option<KeyboardSpec>,
    /// The screens.
    #[serde(default, rename = "screen")]
    pub screens: Vec<ScreenSpec>,
    /// What can be opened over a screen.
    #[serde(default, rename = "overlay")]
    pub overlays: Vec<OverlaySpec>,
    /// Faults armed from the start.
    #[serde(default, rename = "fault")]
    pub faults: Vec<Fault>,
}

/// Size of the display, px.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Viewport {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// A common phone in CSS px.
impl Default for Viewport {
    fn default() -> Self {
        Viewport { width: 390, height: 780 }
    }
}

/// `[keyboard]`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KeyboardSpec {
    /// How much of the lower part of the screen it covers, px.
    pub height: f64,
    /// How long it takes to slide in, ms.
    pub slide_ms: u64,
}

impl Default for KeyboardSpec {
    fn default() -> Self {
        KeyboardSpec { height: 260.0, slide_ms: 250 }
    }
}

/// `[[screen]]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScreenSpec {
    /// What `goto` names.
    pub id: Name,
    /// The title bar's text.
    #[serde(default)]
    pub title: String,
    /// Whether there is a title bar.
    #[serde(default = "yes")]
    pub bar: bool,
    /// Space around the content, px.
    pub padding: Option<f64>,
    /// Space between elements, px.
    pub gap: Option<f64>,
    /// Run each time the screen is shown.
    #[serde(default)]
    pub on_show: Vec<Action>,
    /// The content.
    #[serde(default, rename = "element")]
    pub elements: Vec<ElementSpec>,
}

/// `[[overlay]]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverlaySpec {
    /// What `open` and `close` name.
    pub id: Name,
    /// What it is to assistive technology.
    #[serde(default)]
    pub role: OverlayRole,
    /// Its name.
    #[serde(default)]
    pub label: String,
    /// Nothing below it takes input.
    #[serde(default = "yes")]
    pub modal: bool,
    /// Where it lies, unless `rect` says so.
    #[serde(default)]
    pub place: Placement,
    /// Where it lies, in viewport coordinates.
    pub rect: Option<RectSpec>,
    /// Width, px; the viewport's less a margin unless said.
    pub width: Option<f64>,
    /// Height, px; that of the content unless said.
    pub height: Option<f64>,
    /// How long it takes to slide in, ms.
    #[serde(default)]
    pub slide_ms: u64,
    /// Closed by Back and by a press beside it.
    #[serde(default = "yes")]
    pub dismissable: bool,
    /// Stays when the screen changes.
    #[serde(default)]
    pub stays: bool,
    /// Space around the content, px.
    pub padding: Option<f64>,
    /// Space between elements, px.
    pub gap: Option<f64>,
    /// The content.
    #[serde(default, rename = "element")]
    pub elements: Vec<ElementSpec>,
}

/// A box, px.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RectSpec {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// `[[screen.element]]`, `[[overlay.element]]` and, inside containers, `element = [...]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ElementSpec {
    /// What it is.
    pub role: Spanned<Kind>,
    /// What actions name, and the identifier in a capture.
    pub id: Option<Name>,
    /// What it says.
    #[serde(default)]
    pub label: String,
    /// What a field holds at first; a progress bar's share in percent.
    #[serde(default)]
    pub value: String,
    /// A second line, and the accessible description.
    #[serde(default)]
    pub description: String,
    /// Shown while a field is empty.
    #[serde(default)]
    pub placeholder: String,
    /// Heading level, 1 to 6.
    pub level: Option<u8>,
    /// Generates this many elements; `{n}` is the number of each, from 1.
    pub repeat: Option<u32>,
    /// A place of its own in the container, outside the flow.
    pub rect: Option<RectSpec>,
    /// Width, px.
    pub width: Option<f64>,
    /// Height, px. A list or scroll container lower than its content scrolls.
    pub height: Option<f64>,
    /// Children from left to right.
    #[serde(default)]
    pub row: bool,
    /// Space between children, px.
    pub gap: Option<f64>,
    /// Space around children, px.
    pub padding: Option<f64>,
    /// Drawing order among siblings: higher is later.
    #[serde(default)]
    pub z: i32,
    /// What is true of it at first.
    #[serde(default)]
    pub states: Vec<State>,
    /// Not there until so long after its screen was shown, ms.
    pub appear_after_ms: Option<u64>,
    /// Gone so long after its screen was shown, ms.
    pub disappear_after_ms: Option<u64>,
    /// Disabled until so long after its screen was shown, ms.
    pub enabled_after_ms: Option<u64>,
    /// A progress bar that fills over this time, ms.
    pub fills_over_ms: Option<u64>,
    /// It wanders.
    pub moves: Option<Moves>,
    /// Most characters that a field takes.
    pub max_length: Option<usize>,
    /// A field that hides what it holds.
    #[serde(default)]
    pub mask: bool,
    /// What a field does to the text.
    pub filter: Option<Filter>,
    /// A field that loses every n-th character of fast typing.
    pub drops_every: Option<u32>,
    /// Whether the keyboard comes when the field gets the focus.
    #[serde(default = "yes")]
    pub keyboard: bool,
    /// Run by a press.
    #[serde(default)]
    pub on_press: Vec<Action>,
    /// Run by a press held for 500 ms or longer.
    #[serde(default)]
    pub on_long_press: Vec<Action>,
    /// Run by the second press of a double press.
    #[serde(default)]
    pub on_double_press: Vec<Action>,
    /// Run by a pointer that moves over it.
    #[serde(default)]
    pub on_hover: Vec<Action>,
    /// Run when a person's input changed the text.
    #[serde(default)]
    pub on_fill: Vec<Action>,
    /// Run by Enter in a one-line field.
    #[serde(default)]
    pub on_submit: Vec<Action>,
    /// Run by a swipe that starts on it.
    #[serde(default)]
    pub on_swipe: Swipes,
    /// What it contains.
    #[serde(default, rename = "element")]
    pub elements: Vec<ElementSpec>,
}

impl ElementSpec {
    /// An element that only has a role, for the parts that the stage adds by itself.
    pub fn of(kind: Kind) -> Self {
        ElementSpec {
            role: Spanned::new(0..0, kind),
            id: None,
            label: String::new(),
            value: String::new(),
            description: String::new(),
            placeholder: String::new(),
            level: None,
            repeat: None,
            rect: None,
            width: None,
            height: None,
            row: false,
            gap: None,
            padding: None,
            z: 0,
            states: Vec::new(),
            appear_after_ms: None,
            disappear_after_ms: None,
            enabled_after_ms: None,
            fills_over_ms: None,
            moves: None,
            max_length: None,
            mask: false,
            filter: None,
            drops_every: None,
            keyboard: false,
            on_press: Vec::new(),
            on_long_press: Vec::new(),
            on_double_press: Vec::new(),
            on_hover: Vec::new(),
            on_fill: Vec::new(),
            on_submit: Vec::new(),
            on_swipe: Swipes::default(),
            elements: Vec::new(),
        }
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        *self.role.get_ref()
    }

    /// Every list of actions, with its key.
    pub fn handlers(&self) -> [(&'static str, &[Action]); 10] {
        [
            ("on_press", &self.on_press),
            ("on_long_press", &self.on_long_press),
            ("on_double_press", &self.on_double_press),
            ("on_hover", &self.on_hover),
            ("on_fill", &self.on_fill),
            ("on_submit", &self.on_submit),
            ("on_swipe.left", &self.on_swipe.left),
            ("on_swipe.right", &self.on_swipe.right),
            ("on_swipe.up", &self.on_swipe.up),
            ("on_swipe.down", &self.on_swipe.down),
        ]
    }
}

/// What a swipe runs, by its direction.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Swipes {
    /// Leftwards.
    pub left: Vec<Action>,
    /// Rightwards.
    pub right: Vec<Action>,
    /// Upwards.
    pub up: Vec<Action>,
    /// Downwards.
    pub down: Vec<Action>,
}

/// How an element wanders.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moves {
    /// How far to the right, px.
    #[serde(default)]
    pub dx: f64,
    /// How far down, px.
    #[serde(default)]
    pub dy: f64,
    /// How long one way takes, ms.
    pub over_ms: u64,
    /// Comes back and starts again, for ever.
    #[serde(default)]
    pub back_and_forth: bool,
}

const fn yes() -> bool {
    true
}
