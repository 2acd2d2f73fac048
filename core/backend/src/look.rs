//! Everything that can be read from a device.

use std::time::Duration;

use contract::{Point, Rect};
use screen::{NodeKey, States};

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

/// What an app asked of the network.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Traffic {
    /// What ended, in no order.
    pub requests: Vec<Fetched>,
    /// How many more there were.
    pub left_out: u32,
    /// What is known to be missing, one sentence each.
    pub notes: Vec<String>,
}

/// One request that has ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fetched {
    /// The address as the app gave it.
    pub url: String,
    /// What asked for it, in the words of Resource Timing: `navigation`, `fetch`, `script`, `img`.
    pub kind: String,
    /// The status of the answer, where it is told.
    pub status: Option<u16>,
    /// Whether it failed, where that can be known.
    pub failed: Option<bool>,
    /// How long ago it began.
    pub ago: Duration,
    /// How long it took.
    pub took: Duration,
    /// What came over the network, bytes: 0 from a cache.
    pub bytes: Option<u64>,
}
