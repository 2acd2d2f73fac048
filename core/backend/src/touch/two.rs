//! Movements of two contacts around a middle.

use contract::{Code, Failure, Point, Row, Size};

use super::TouchPlan;

/// Distance of the two contacts at the start of a pinch, as a share of the screen's shorter side (the field's).
const PINCH_SPAN: f64 = 0.4;
/// The same for a turn.
const TURN_SPAN: f64 = 0.25;
/// Two contacts closer than this count as one to a recogniser, px (the field's bound).
const LEAST_SPAN: f64 = 48.0;
/// Room that is kept to the edge, px.
const EDGE: f64 = 2.0;
/// A turn takes 16 ms for each 3 degrees (the field's), within these bounds, ms.
const TURN_MS: std::ops::RangeInclusive<u64> = 300..=2_400;

/// What two contacts do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// The middle at the start.
    pub middle: Point,
    /// How far the middle moves, px.
    pub by: (f64, f64),
    /// The distance at the end as a share of that at the start.
    pub scale: f64,
    /// How far they turn, degrees clockwise.
    pub degrees: f64,
}

/// How long a turn takes when nothing is said, ms.
pub fn turn_ms(degrees: f64) -> u64 {
    let ms = (degrees.abs() / 3.0).ceil() * 16.0;
    (ms as u64).clamp(*TURN_MS.start(), *TURN_MS.end())
}

impl TouchPlan {
    /// Two contacts that move, spread and turn at once. The distance at the start is chosen so that the whole movement
    /// fits the screen and the contacts never come closer than a recogniser can tell apart.
    ///
    /// # Errors
    /// `OUTSIDE_VIEWPORT` where no distance fits.
    pub fn transform(viewport: Size, what: Transform, duration_ms: u64) -> Result<Self, Failure> {
        let Transform { middle, by, scale, degrees } = what;
        let shorter = viewport.width.min(viewport.height);
        let wanted = shorter * if degrees == 0.0 { PINCH_SPAN } else { TURN_SPAN };
        // A turn starts upright, a pinch lies: so do the field's on Android.
        let first = if degrees == 0.0 { 0.0_f64 } else { -90.0 };
        let end = Point { x: middle.x + by.0, y: middle.y + by.1 };
        let room = room(viewport, middle).min(room(viewport, end)) * 2.0;
        let most = room.min(room / scale);
        let least = LEAST_SPAN.max(LEAST_SPAN / scale);
        if most < least {
            return Err(Failure::refused(
                Row::DaemonRefusalOutsideViewport,
                Code::OutsideViewport,
                format!("two contacts around {middle} have {room:.0} px between them: no room for a scale of {scale}"),
            )
            .reason("gesture_trajectory_out_of_bounds")
            .hint("choose a middle further inside, or a scale nearer to 1"));
        }
        let span = wanted.clamp(least, most);
        Ok(Self::sampled(duration_ms, 2, |contact, share| {
            let radius = span * (1.0 + (scale - 1.0) * share) / 2.0;
            let side = if contact == 0 { 180.0 } else { 0.0 };
            let angle = (first + side + degrees * share).to_radians();
            Point {
                x: middle.x + by.0 * share + radius * angle.cos(),
                y: middle.y + by.1 * share + radius * angle.sin(),
            }
        }))
    }
}

/// The radius of the largest circle around a point that lies on the screen, px.
fn room(viewport: Size, around: Point) -> f64 {
    let sides = [around.x, viewport.width - around.x, around.y, viewport.height - around.y];
    sides.into_iter().fold(f64::INFINITY, f64::min) - EDGE
}
