//! Many flows, one after another or at once.
//!
//! | module | answers |
//! | --- | --- |
//! | [`command`] | `test`: the suite, its reports, its exit code |
//! | [`select`] | which files |
//! | [`workspace`] | what a folder's `config.yaml` says of them |
//! | [`devices`] | whether the devices are enough for it, and which of them was lost |
//! | [`queue`] | which shard runs which next |
//! | [`runner`] | how each is run, and tried again |

pub mod command;
pub mod devices;
pub mod queue;
pub mod runner;
pub mod select;
pub mod workspace;
