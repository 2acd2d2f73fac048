//! Movements of one contact.

use contract::Point;

use super::{Sample, TouchPlan, between};

/// How long a tap is down at least, ms. `input tap` of Android sends both events with one time; what keeps them apart is
/// that the second is sent when the app has taken the first.
pub const TAP_MS: u64 = 1;
/// How long a pan rests before it lifts, ms: Android's velocity tracker looks back 100 ms, so nothing flings.
const PAN_REST_MS: u64 = 112;

impl TouchPlan {
    /// A contact that comes down and goes up at one place.
    pub fn tap(at: Point) -> Self {
        Self::hold(at, TAP_MS)
    }

    /// A contact that stays at one place for a time, ms.
    pub fn hold(at: Point, ms: u64) -> Self {
        let sample = |offset_ms| Sample { offset_ms, x: at.x, y: at.y };
        let duration_ms = ms.max(1);
        Self { duration_ms, contacts: vec![vec![sample(0), sample(duration_ms)]] }
    }

    /// A contact that moves evenly and lifts while it moves.
    pub fn swipe(from: Point, to: Point, duration_ms: u64) -> Self {
        Self::sampled(duration_ms, 1, |_, share| between(from, to, share))
    }

    /// A contact that moves evenly and rests before it lifts.
    pub fn pan(from: Point, to: Point, duration_ms: u64) -> Self {
        Self::swipe(from, to, duration_ms).resting(0, PAN_REST_MS)
    }

    /// Two contacts side by side, `apart` px from each other, that move evenly and rest before they lift.
    pub fn pan_by_two(from: Point, to: Point, apart: f64, duration_ms: u64) -> Self {
        let aside = |contact: usize| if contact == 0 { -apart / 2.0 } else { apart / 2.0 };
        Self::sampled(duration_ms, 2, |contact, share| {
            let at = between(from, to, share);
            Point { x: at.x + aside(contact), ..at }
        })
        .resting(0, PAN_REST_MS)
    }

    /// A contact that slows down towards the end, as a finger that scrolls.
    pub fn scroll(from: Point, to: Point, duration_ms: u64) -> Self {
        Self::sampled(duration_ms, 1, |_, share| between(from, to, 1.0 - (1.0 - share).powi(2)))
    }

    /// A contact that rests on what it picks up, moves, and rests again before it lets go, ms each.
    pub fn drag(from: Point, to: Point, hold_ms: u64, move_ms: u64, drop_hold_ms: u64) -> Self {
        Self::swipe(from, to, move_ms).resting(hold_ms, drop_hold_ms)
    }
}
