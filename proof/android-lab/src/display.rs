//! The device's display, and how a stage app's px lie on it.

use contract::{Point, Rect, Size};
use serde_json::{Value, json};

/// Display px to one px of a stage app; 480 dpi.
pub const SCALE: f64 = 3.0;
/// Dots per inch, as `wm density` says.
pub const DENSITY: u32 = 480;
/// Height of the status bar, display px (24 dp); the app's content begins below it.
pub const STATUS_BAR: f64 = 72.0;

/// The display as it is turned now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Display {
    /// What a stage app has, upright, px of the stage.
    pub upright: Size,
    /// Quarter turns, 0 to 3.
    pub rotation: u8,
}

impl Display {
    /// What a stage app has now, px of the stage.
    pub const fn content(&self) -> Size {
        if self.rotation.is_multiple_of(2) {
            self.upright
        } else {
            Size { width: self.upright.height, height: self.upright.width }
        }
    }

    /// Width and height, display px.
    pub fn size(&self) -> (i64, i64) {
        let content = self.content();
        (px(content.width * SCALE), px(content.height * SCALE + STATUS_BAR))
    }

    /// Width and height without the turn, display px, as `wm size` says.
    pub fn physical(&self) -> (i64, i64) {
        Display { rotation: 0, ..*self }.size()
    }

    /// A point of the display as the stage has it.
    pub fn on_stage(x: f64, y: f64) -> Point {
        Point { x: x / SCALE, y: (y - STATUS_BAR) / SCALE }
    }

    /// A box of the stage on the display: left, top, right, bottom.
    pub fn bounds(rect: Rect) -> [i64; 4] {
        [
            px(rect.x * SCALE),
            px(rect.y * SCALE + STATUS_BAR),
            px((rect.x + rect.width) * SCALE),
            px((rect.y + rect.height) * SCALE + STATUS_BAR),
        ]
    }

    /// As the double reads it.
    pub fn json(&self) -> Value {
        let (width, height) = self.size();
        json!({ "width": width, "height": height, "density": DENSITY })
    }
}

#[allow(clippy::cast_possible_truncation, reason = "a display has few px")]
fn px(value: f64) -> i64 {
    value.round() as i64
}
