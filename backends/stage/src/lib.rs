//! An embedded simulated device: an app in one TOML file.
//!
//! | module | answers |
//! | --- | --- |
//! | [`script`] | what can stand in the file, and what is wrong with one |
//! | [`scene`] | the running app: state, layout, contacts, reactions |
//! | [`paint`] | pictures of it |
//! | [`fault`] | what can be made to go wrong |
//! | [`effects`] | what really happened, counted per element |
//! | [`actor`] | the device as a task of its own, behind a channel that can lose replies |
//! | [`execute`] | what a command does to the app |
//! | [`journal`] | what the device remembers of the commands it was told |
//! | [`line`] | the way to it: each command once, and what became of it |
//! | [`settle`] | what the journal proves after a reply was lost |
//! | [`device`] | the seam: one opened app |
//! | [`provider`] | the seam: which devices there are |

mod actor;
mod device;
pub mod effects;
mod execute;
pub mod fault;
mod journal;
mod line;
mod paint;
mod provider;
mod scene;
pub mod script;
mod settle;

pub use device::StageDevice;
pub use effects::{Deed, Effects, Probe};
pub use fault::{Fault, FaultKind, Faults, Operation};
pub use provider::StageProvider;
