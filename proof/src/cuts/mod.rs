//! Cut everywhere: every mutating operation of every backend, with its bytes cut at every place.
//!
//! | module | between |
//! | --- | --- |
//! | [`android`] | the Android backend and the adb server |
//! | [`client`] | a client and the daemon |
//! | [`appium`] | the web backend and an Appium server |
//! | [`kept`] | an interrupted campaign and its next run |
//! | [`stage`] | the stage backend and the simulated device |
//! | [`web`] | the web backend and a browser's driver |

pub mod android;
pub mod appium;
pub mod client;
pub mod kept;
pub mod stage;
pub mod web;

use std::{pin::Pin, sync::Arc};

use cut::Figures;
use kept::Kept;

/// How much of it is tried.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Which bytes of an exchange.
    pub share: Share,
    /// Only this operation.
    pub operation: Option<String>,
    /// Operations that ended in an earlier run.
    pub kept: Arc<Kept>,
    /// Told now and then how far it is: one line for a person.
    pub progress: fn(&str),
}

/// Which places of an exchange are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// Every byte of exchanges up to [`WHOLE`] bytes; of longer ones as many places as that, chosen by the seed.
    Every {
        /// For the longer ones, and for whatever else is drawn.
        seed: u64,
    },
    /// So many places of each side of an exchange, chosen by the seed, its first and last byte among them.
    Some {
        /// At least 2.
        places: usize,
        /// Chooses them.
        seed: u64,
    },
}

/// An exchange of up to so many bytes is cut at every one of them.
pub const WHOLE: usize = 4096;

/// What a campaign found.
#[derive(Debug)]
pub struct Found {
    /// The sums.
    pub figures: Figures,
    /// Every broken promise, one sentence each.
    pub broken: Vec<String>,
}

/// One campaign: everything between two programs.
pub struct Part {
    /// Its name on the command line, and that of its file of figures: `web`.
    pub name: &'static str,
    /// Whether it can go on with [`Plan::kept`]: the others take minutes.
    pub resumes: bool,
    /// Runs it.
    pub run: for<'p> fn(&'p Plan) -> Pin<Box<dyn Future<Output = Found> + 'p>>,
}

/// Every campaign.
pub const PARTS: &[Part] = &[
    Part { name: "android", resumes: true, run: |plan| Box::pin(android::run(plan)) },
    Part { name: "appium", resumes: true, run: |plan| Box::pin(appium::run(plan)) },
    Part { name: "client", resumes: false, run: |plan| Box::pin(client::run(plan)) },
    Part { name: "stage", resumes: false, run: |plan| Box::pin(stage::run(plan)) },
    Part { name: "web", resumes: true, run: |plan| Box::pin(web::run(plan)) },
];

impl Share {
    /// The seed of whatever is drawn.
    pub const fn seed(self) -> u64 {
        match self {
            Share::Every { seed } | Share::Some { seed, .. } => seed,
        }
    }

    /// The command that tries the same share of a part again, and publishes it.
    pub fn command(self, part: &str) -> String {
        let options = match self {
            Share::Every { seed: 1 } => String::new(),
            Share::Every { seed } => format!(" --seed {seed}"),
            Share::Some { places, seed } => format!(" --places {places} --seed {seed} --figures proof/figures"),
        };
        format!("cargo run --release -p proof -- cut {part}{options}")
    }

    /// The places of a side of `length` bytes that are cut: `n` lets the first `n` bytes pass, so there is one more
    /// place than there are bytes. `salt` tells exchanges apart, so that not all have the same places.
    pub fn places(self, length: usize, salt: &str) -> Vec<usize> {
        let most = match self {
            Share::Every { .. } => WHOLE,
            Share::Some { places, .. } => places.max(2),
        };
        if length < most {
            return (0..=length).collect();
        }
        // One place in each of as many stretches of equal length: spread over the whole, and the ends among them.
        let mut draw = Draw::new(self.seed(), salt);
        let stretch = |index: usize| index * (length + 1) / most;
        (0..most)
            .map(|index| match index {
                0 => 0,
                _ if index == most - 1 => length,
                _ => stretch(index) + draw.below(stretch(index + 1) - stretch(index)),
            })
            .collect()
    }
}

/// Numbers that a seed and a salt determine.
#[derive(Debug, Clone)]
pub struct Draw(u64);

impl Draw {
    /// The same for the same seed and salt, on every machine.
    pub fn new(seed: u64, salt: &str) -> Self {
        Self(
            salt.bytes().fold(seed ^ 0x9e37_79b9_7f4a_7c15, |state, byte| {
                (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            }),
        )
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        cut::draw::next(&mut self.0)
    }

    /// The next number below `bound`, 0 where that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.number() % (bound.max(1) as u64)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_exchange_is_cut_at_every_place_and_a_long_one_at_places_spread_over_it() {
        assert_eq!(Share::Every { seed: 1 }.places(3, "x"), [0, 1, 2, 3]);
        for share in [Share::Every { seed: 7 }, Share::Some { places: 40, seed: 7 }] {
            let places = share.places(100_000, "x");
            assert!(places.is_sorted() && places.windows(2).all(|pair| pair[0] < pair[1]), "{places:?}");
            assert_eq!((places[0], places[places.len() - 1]), (0, 100_000));
            assert_eq!(places, share.places(100_000, "x"), "the seed decides");
            assert_ne!(places, share.places(100_000, "y"), "exchanges differ");
        }
        assert_eq!(Share::Some { places: 40, seed: 7 }.places(100_000, "x").len(), 40);
    }
}
