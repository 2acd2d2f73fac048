//! The running app. Pure but for the probe: it is told the time, it owns no task and waits for nothing.
//!
//! | module | answers |
//! | --- | --- |
//! | [`state`] | what is true of the app and of each element now |
//! | [`measure`] | how large an element is |
//! | [`frame`] | where everything lies at one moment, and in which order it is drawn |
//! | [`hit`] | what a contact at a point reaches; what covers an element |
//! | [`react`] | what actions do |
//! | [`touch`] | what presses, swipes and scrolling do |
//! | [`typing`] | what text does |
//! | [`keyboard`] | the on-screen keyboard |
//! | [`look`] | a capture, and everything else that can be read |
//! | [`aim`] | a live look at one element, brought into view |

pub mod aim;
pub mod frame;
pub mod hit;
pub mod keyboard;
pub mod look;
pub mod measure;
pub mod react;
pub mod state;
pub mod touch;
pub mod typing;

pub use frame::{Frame, Item};
pub use state::Scene;
