//! Everything that can be read from a device.

use contract::{Point, Rect};
use screen::{NodeKey, States};
use serde::Serialize;

/// What a live look at one element found.
#[derive(Debug, Clone, PartialEq)]
pub enum Aimed {
    /// A press at the point reaches it.
    Ready(Landing),
    /// The element has left the screen for good.
    Gone,
    /// It is there and not drawn.
    NotRendered,
    /// It is drawn without any area.
    NoSize,
    /// It cannot be brought into the viewport.
    Offscreen {
        /// Where it is.
        rect: Rect,
    },
    /// Something lies over every point of it that was tried.
    Covered {
        /// What, in words: `[dialog] "Cookie settings"`.
        by: String,
        /// The element that covers it, if the backend numbers it.
        key: Option<NodeKey>,
    },
    /// It is shown and takes no input (`inert`, behind a modal dialog).
    Inert,
}

/// A point that reaches an element, and what the element is at this moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Landing {
    /// Where to press.
    pub point: Point,
    /// Normalised role.
    pub role: screen::Role,
    /// Accessible name.
    pub name: String,
    /// What is true of it.
    pub states: States,
    /// Its box.
    pub rect: Rect,
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its content.
    pub value: String,
    /// Whether it is one that hides what it holds; then `value` may be a mask.
    pub masked: bool,
}

/// A picture of the screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// PNG.
    pub png: Vec<u8>,
    /// Picture pixels to one unit of the capture's rects.
    pub scale: f64,
    /// Where the picture's top left corner lies in the viewport: negative for a full page that is scrolled.
    pub origin: Point,
}

/// A dialog that blocks the app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dialog {
    /// `alert`, `confirm`, `prompt`, `beforeunload`, or the platform's kind.
    pub kind: String,
    /// What it says.
    pub text: String,
    /// Labels of its buttons, where they are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buttons: Vec<String>,
}

/// A tab or window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Window {
    /// The backend's id of it.
    pub id: String,
    /// Title.
    pub title: String,
    /// Address.
    pub address: String,
    /// The one that commands go to.
    pub active: bool,
}

/// A file that the app saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Download {
    /// Where it is.
    pub path: String,
    /// Bytes so far.
    pub bytes: u64,
    /// Nothing more is coming.
    pub complete: bool,
}

/// The on-screen keyboard.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyboardState {
    /// It is shown.
    pub visible: bool,
    /// Where, px.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
    /// What it is for: `text`, `number`, `email`, `phone`, `password`, `datetime`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_type: Option<String>,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_method: Option<String>,
}

/// The app in front.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Foreground {
    /// Its id.
    pub app: String,
    /// The part of it that is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<String>,
    /// The windows that lie over it and take input: a system dialog, a permission question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub above: Vec<String>,
}

/// A film of the screen.
#[derive(Clone, PartialEq, Eq)]
pub struct Film {
    /// The files, in order: a device may end a film at its own limit and begin another.
    pub chunks: Vec<Vec<u8>>,
    /// `mp4`.
    pub format: String,
    /// How long it was filmed, ms.
    pub duration_ms: u64,
}

/// Its size, not its bytes.
impl std::fmt::Debug for Film {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Film")
            .field("bytes", &self.chunks.iter().map(Vec::len).collect::<Vec<_>>())
            .field("format", &self.format)
            .field("duration_ms", &self.duration_ms)
            .finish()
    }
}
