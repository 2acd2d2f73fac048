//! The seam between the daemon and every device.
//!
//! | module | answers |
//! | --- | --- |
//! | [`provider`] | which devices there are, what is missing to use them, how one is opened |
//! | [`device`] | what an opened device does: look, aim, perform |
//! | [`input`] | everything that may change the app |
//! | [`look`] | everything that can be read |
//! | [`touch`] | movements of contacts, planned |
//! | [`fleet`] | devices without a session: apps, files, emulators, pairing |
//!
//! A backend that implements only `capabilities`, `capture`, `perform`, `screenshot` and `close` inherits the whole
//! contract: `unknown` on every unclassified failure, `no` on every read, the guards, the readiness wait, settle.

pub mod device;
pub mod fleet;
pub mod input;
pub mod look;
pub mod provider;
pub mod touch;

pub use contract::answer::{
    fleet::{App, Installed},
    host::{Check, CheckStatus},
    system::{Dialog, Download, Foreground, KeyboardState, Window},
};
pub use device::Device;
pub use fleet::{Fleet, Package, Pairing};
pub use input::{Aim, Input, Receipt, ScrollTo};
pub use look::{Aimed, Fetched, Field, Film, Landing, Picture, Traffic};
pub use provider::Provider;
pub use touch::TouchPlan;
