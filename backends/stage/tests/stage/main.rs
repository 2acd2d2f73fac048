//! The simulated device through the seam that the daemon uses, held against what its probe saw.
//!
//! | module | answers |
//! | --- | --- |
//! | `actions` | what every action does |
//! | `contacts` | what presses, swipes, scrolling reach and do |
//! | `fields` | what text does |
//! | `screens` | captures, layout, covers, aiming |
//! | `time` | timers, movement and slides under a paused clock |
//! | `faults` | what every fault leaves in the ledger, and whether the effect took place |
//! | `devices` | opening, closing, the fixed devices, pictures |

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod actions;
mod contacts;
mod devices;
mod faults;
mod fields;
mod journal;
mod rig;
mod screens;
mod time;
