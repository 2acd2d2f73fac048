//! The daemon with the simulated device, under a schedule that one number decides, held against a model.
//!
//! Server, router, handlers and the stage backend are the real ones. What is random (what is asked, when, over which
//! pieces of a line, what goes wrong on the device) comes from a seed, and time is a paused clock's, so a seed is a run.
//!
//! | module | answers |
//! | --- | --- |
//! | [`draw`] | numbers that a seed determines |
//! | [`plan`] | everything that a run does, as data: what is left of it when parts are taken out |
//! | [`script`] | from a seed to a plan |
//! | [`acts`] | what is asked, drawn at random |
//! | [`asked`] | how often a command may and must reach the device |
//! | [`apps`] | the apps on the simulated devices |
//! | [`books`] | what was asked, what was told, what the devices were made to do |
//! | [`device`] | the stage's devices, watched |
//! | [`lie`] | what a device could do behind the model's back, to see it object |
//! | [`life`] | a daemon from its start to its end |
//! | [`line`] | one connection, with bytes in pieces |
//! | [`client`] | one client's steps |
//! | [`world`] | a run from its start to its end |
//! | [`ending`] | what is tried when the clients are done |
//! | [`model`] | what is held against what |
//! | [`chronicle`] | the sessions' timelines, held against the books |
//! | [`shrink`] | the least part of a plan that still fails |
//! | [`campaign`] | many seeds, and their figures |
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::result_large_err,
    reason = "this crate is a test's: what it does not expect has to fail it"
)]

pub mod acts;
pub mod apps;
pub mod asked;
pub mod books;
pub mod campaign;
pub mod chronicle;
pub mod client;
pub mod device;
pub mod draw;
pub mod ending;
pub mod lie;
pub mod life;
pub mod line;
pub mod model;
pub mod plan;
pub mod script;
pub mod shrink;
pub mod world;

pub use campaign::Campaign;
pub use lie::Lie;
pub use model::Finding;
pub use plan::Plan;
pub use world::{Options, Outcome, run};
