//! `gesture`: movements of one or two contacts.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SettleArgs, Spec};
use crate::{
    Capability, Target,
    words::{FromWords, TakeWords, Words},
};

/// How long a pan takes when nothing is said, ms (the field's default).
pub const PAN_MS: u64 = 500;
/// How long a fling takes when nothing is said, ms (the field's default).
pub const FLING_MS: u64 = 100;
/// How far a fling goes when nothing is said, px (the field's default).
pub const FLING_PX: f64 = 180.0;
/// How long a pinch takes when nothing is said, ms (the field's default).
pub const PINCH_MS: u64 = 300;
/// How long a drag rests on its source before it moves, ms (the field's default).
pub const DRAG_HOLD_MS: u64 = 800;
/// How long a drag takes from its source to its destination, ms (the field's default).
pub const DRAG_MOVE_MS: u64 = 500;

/// Pan, fling, pinch, rotate, transform or drag
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gesture {
    #[allow(missing_docs, reason = "the help comes from the words")]
    #[command(flatten)]
    #[serde(flatten)]
    pub words: Words<GestureWords>,
    /// How long the movement takes, ms
    #[arg(long, value_name = "MS")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// Contacts of a pan, 1 or 2 [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=2))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer_count: Option<u32>,
    /// How long a drag rests on its source, ms [default: 800]
    #[arg(long, value_name = "MS")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold_ms: Option<u64>,
    /// How long a drag rests on its destination before it lets go, ms [default: 0]
    #[arg(long, value_name = "MS")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drop_hold_ms: Option<u64>,
    #[allow(missing_docs, reason = "see SettleArgs")]
    #[command(flatten)]
    #[serde(flatten)]
    pub settle: SettleArgs,
}

/// Which movement. `origin` is where it starts or turns: the middle of the screen where nothing is said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum GestureWords {
    /// Contacts move by a distance and stop before they lift.
    Pan {
        /// Where the contact comes down
        origin: Target,
        /// Rightwards, px
        dx: f64,
        /// Downwards, px
        dy: f64,
    },
    /// A contact moves fast and lifts while it moves.
    Fling {
        /// Which way the contact moves
        direction: GestureDirection,
        /// How far, px [default: 180]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        distance: Option<f64>,
        /// Where the contact comes down
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin: Option<Target>,
    },
    /// Two contacts move apart or together.
    Pinch {
        /// More than 1 spreads (zooms in), less than 1 pinches (zooms out)
        scale: f64,
        /// The middle between the contacts
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin: Option<Target>,
    },
    /// Two contacts turn around each other.
    Rotate {
        /// Clockwise, degrees
        degrees: f64,
        /// The middle between the contacts
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin: Option<Target>,
    },
    /// Two contacts move, spread and turn at once.
    Transform {
        /// The middle between the contacts
        origin: Target,
        /// Rightwards, px
        dx: f64,
        /// Downwards, px
        dy: f64,
        /// More than 1 spreads, less than 1 pinches
        scale: f64,
        /// Clockwise, degrees
        degrees: f64,
    },
    /// One thing is picked up by a long press and let go over another.
    Drag {
        /// What to pick up
        source: Target,
        /// Where to let go
        destination: Target,
    },
}

/// Which way a contact moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum GestureDirection {
    /// Upwards.
    Up,
    /// Downwards.
    Down,
    /// Leftwards.
    Left,
    /// Rightwards.
    Right,
}

impl FromWords for GestureWords {
    const USAGE: &'static str = "KIND ...";
    const HELP: &'static str = "pan ORIGIN DX DY; fling up|down|left|right [DISTANCE] [ORIGIN]; pinch SCALE [ORIGIN]; \
         rotate DEGREES [ORIGIN]; transform ORIGIN DX DY SCALE DEGREES; drag SOURCE DESTINATION";
    const MAX: usize = 7;

    fn from_words(words: &mut TakeWords) -> Result<Self, String> {
        let kind = words.next("the kind of gesture: pan, fling, pinch, rotate, transform or drag")?;
        let number = |words: &mut TakeWords, what: &str| -> Result<f64, String> {
            let word = words.next(what)?;
            word.parse()
                .ok()
                .filter(|number: &f64| number.is_finite())
                .ok_or_else(|| format!("{what} is a number, not {word:?}"))
        };
        let origin = |words: &mut TakeWords| (words.left() > 0).then(|| Target::take(words)).transpose();
        Ok(match kind.as_str() {
            "pan" => GestureWords::Pan {
                origin: Target::take(words)?,
                dx: number(words, "the way to the right, px,")?,
                dy: number(words, "the way down, px,")?,
            },
            "fling" => {
                let word = words.next("the direction: up, down, left or right")?;
                let direction = <GestureDirection as clap::ValueEnum>::from_str(&word, false)
                    .map_err(|_| format!("{word:?} is no direction: up, down, left or right"))?;
                // One number is a distance, two are a point, three are both.
                let distance = match words.numbers_ahead() {
                    1 | 3 => Some(number(words, "the distance, px,")?),
                    _ => None,
                };
                GestureWords::Fling { direction, distance, origin: origin(words)? }
            }
            "pinch" => GestureWords::Pinch { scale: number(words, "the scale")?, origin: origin(words)? },
            "rotate" => GestureWords::Rotate { degrees: number(words, "the angle, degrees,")?, origin: origin(words)? },
            "transform" => GestureWords::Transform {
                origin: Target::take(words)?,
                dx: number(words, "the way to the right, px,")?,
                dy: number(words, "the way down, px,")?,
                scale: number(words, "the scale")?,
                degrees: number(words, "the angle, degrees,")?,
            },
            "drag" => GestureWords::Drag { source: Target::take(words)?, destination: Target::take(words)? },
            other => return Err(format!("{other:?} is no gesture: pan, fling, pinch, rotate, transform, drag")),
        })
    }
}

impl Gesture {
    pub(super) const SPEC: Spec = Spec { timeout_ms: 60_000, ..Spec::mutates("gesture", &[Capability::Gesture]) };
}
