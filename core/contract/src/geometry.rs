//! Points, sizes and rectangles, in the capture's own unit: CSS px on the web, dp or points elsewhere.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A point, from the top left corner of the viewport.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// Rightwards, px.
    pub x: f64,
    /// Downwards, px.
    pub y: f64,
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// Width and height, px.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Size {
    /// Width, px.
    pub width: f64,
    /// Height, px.
    pub height: f64,
}

/// No screen reaches so far, px. Sums and products of such lengths stay exact enough to be compared.
pub const FARTHEST: f64 = 1e9;

fn bounded(length: f64) -> f64 {
    if length.is_nan() { 0.0 } else { length.clamp(-FARTHEST, FARTHEST) }
}

impl Size {
    /// See [`Rect::bounded`].
    #[must_use]
    pub fn bounded(self) -> Size {
        Size { width: bounded(self.width), height: bounded(self.height) }
    }

    /// The rectangle from the origin to this size.
    pub const fn bounds(self) -> Rect {
        Rect { x: 0.0, y: 0.0, width: self.width, height: self.height }
    }
}

/// A rectangle, px.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Rect {
    /// Left edge, px.
    pub x: f64,
    /// Top edge, px.
    pub y: f64,
    /// Width, px.
    pub width: f64,
    /// Height, px.
    pub height: f64,
}

impl Rect {
    /// A rectangle from its left, top, width and height.
    pub const fn new(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { x, y, width, height }
    }

    /// The middle of the rectangle.
    pub fn centre(self) -> Point {
        Point { x: self.x + self.width / 2.0, y: self.y + self.height / 2.0 }
    }

    /// No area at all.
    pub fn is_empty(self) -> bool {
        self.width <= 0.0 || self.height <= 0.0
    }

    /// Right edge, px.
    pub fn right(self) -> f64 {
        self.x + self.width
    }

    /// Bottom edge, px.
    pub fn bottom(self) -> f64 {
        self.y + self.height
    }

    /// Left and top edges belong to the rectangle, right and bottom do not.
    pub fn contains(self, point: Point) -> bool {
        point.x >= self.x && point.x < self.right() && point.y >= self.y && point.y < self.bottom()
    }

    /// The shared part, empty where there is none.
    pub fn intersect(self, other: Rect) -> Rect {
        let x = self.x.max(other.x);
        let y = self.y.max(other.y);
        Rect {
            x,
            y,
            width: (self.right().min(other.right()) - x).max(0.0),
            height: (self.bottom().min(other.bottom()) - y).max(0.0),
        }
    }

    /// The same with numbers that can be counted with: what is beyond [`FARTHEST`] is cut to it. A box that is none, with
    /// an edge that is no number or endless, has no area: nothing is ever aimed at it.
    #[must_use]
    pub fn bounded(self) -> Rect {
        let Rect { x, y, width, height } = self;
        if ![x, y, width, height].iter().all(|length| length.is_finite()) {
            return Rect::default();
        }
        Rect { x: bounded(x), y: bounded(y), width: bounded(width), height: bounded(height) }
    }

    /// Every edge within `tolerance` px of the other's.
    pub fn close_to(self, other: Rect, tolerance: f64) -> bool {
        (self.x - other.x).abs() <= tolerance
            && (self.y - other.y).abs() <= tolerance
            && (self.width - other.width).abs() <= tolerance
            && (self.height - other.height).abs() <= tolerance
    }
}
