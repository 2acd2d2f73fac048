//! Movements of contacts, planned: where each one is at which time.
//!
//! | module | answers |
//! | --- | --- |
//! | [`one`] | movements of one contact: tap, hold, swipe, pan, scroll, drag |
//! | [`two`] | movements of two: pinch, rotate, transform |

pub mod one;
pub mod two;

use contract::{Code, Failure, Point, Row, Size};
use serde::Serialize;

/// Time between two samples of a movement, ms: a display's frame (the field samples so on Android).
pub const SAMPLE_MS: u64 = 16;
/// A contact closer to the edge than this is not on the display, px (the field's bound).
const EDGE_PX: f64 = 1.0;

/// Where a contact is at one time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sample {
    /// Time since the contacts came down, ms.
    pub offset_ms: u64,
    /// Rightwards, px.
    pub x: f64,
    /// Downwards, px.
    pub y: f64,
}

impl Sample {
    /// The place.
    pub const fn point(self) -> Point {
        Point { x: self.x, y: self.y }
    }
}

/// One or two contacts from coming down to going up. Every contact has at least two samples; the first is at 0 ms, the
/// last at the end, all contacts have theirs at the same times.
#[derive(Debug, Clone, PartialEq)]
pub struct TouchPlan {
    /// How long it takes, ms.
    pub duration_ms: u64,
    /// The contacts.
    pub contacts: Vec<Vec<Sample>>,
}

impl TouchPlan {
    /// Contacts that are where `at` says for each share of the way (0 to 1) of a movement of `duration_ms`.
    fn sampled(duration_ms: u64, contacts: usize, at: impl Fn(usize, f64) -> Point) -> Self {
        let duration_ms = duration_ms.max(1);
        let steps = duration_ms.div_ceil(SAMPLE_MS).max(1);
        let contacts = (0..contacts)
            .map(|contact| {
                (0..=steps)
                    .map(|step| {
                        // Rounded to whole ms and evenly spread: 100 ms are 0, 14, 29, 43, ...
                        let offset_ms = duration_ms * step / steps;
                        let Point { x, y } = at(contact, offset_ms as f64 / duration_ms as f64);
                        Sample { offset_ms, x, y }
                    })
                    .collect()
            })
            .collect();
        Self { duration_ms, contacts }
    }

    /// Every contact stays where it is for a time, before or after the movement.
    #[must_use]
    fn resting(mut self, before_ms: u64, after_ms: u64) -> Self {
        for samples in &mut self.contacts {
            if before_ms > 0 {
                let Some(first) = samples.first().copied() else { continue };
                samples.iter_mut().for_each(|sample| sample.offset_ms += before_ms);
                let rests =
                    (0..before_ms.div_ceil(SAMPLE_MS)).map(|step| Sample { offset_ms: step * SAMPLE_MS, ..first });
                *samples = rests.chain(samples.iter().copied()).collect();
            }
            if after_ms > 0 {
                let Some(last) = samples.last().copied() else { continue };
                let steps = after_ms.div_ceil(SAMPLE_MS);
                samples.extend(
                    (1..=steps).map(|step| Sample { offset_ms: last.offset_ms + after_ms * step / steps, ..last }),
                );
            }
        }
        self.duration_ms += before_ms + after_ms;
        self
    }

    /// Where the first contact comes down.
    pub fn start(&self) -> Point {
        self.contacts
            .first()
            .and_then(|samples| samples.first())
            .map_or(Point { x: 0.0, y: 0.0 }, |sample| sample.point())
    }

    /// Where the first contact goes up.
    pub fn end(&self) -> Point {
        self.contacts
            .first()
            .and_then(|samples| samples.last())
            .map_or(Point { x: 0.0, y: 0.0 }, |sample| sample.point())
    }

    /// Refuses a movement that leaves the viewport.
    ///
    /// # Errors
    /// `OUTSIDE_VIEWPORT` naming the first place outside.
    pub fn inside(self, viewport: Size) -> Result<Self, Failure> {
        let on = |value: f64, size: f64| value >= EDGE_PX && value <= size - EDGE_PX;
        let outside = self
            .contacts
            .iter()
            .flatten()
            .find(|sample| !on(sample.x, viewport.width) || !on(sample.y, viewport.height));
        match outside {
            None => Ok(self),
            Some(sample) => Err(Failure::refused(
                Row::DaemonRefusalOutsideViewport,
                Code::OutsideViewport,
                format!(
                    "the gesture would leave the screen: after {} ms a contact is at ({:.0}, {:.0}), the screen is {:.0} x {:.0}",
                    sample.offset_ms, sample.x, sample.y, viewport.width, viewport.height
                ),
            )
            .reason("gesture_trajectory_out_of_bounds")
            .hint("start further inside, or make it smaller")),
        }
    }
}

/// The place between two at a share of the way.
fn between(from: Point, to: Point, share: f64) -> Point {
    Point { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}

#[cfg(test)]
mod tests;
