//! Many flows, one after another or at once.
//!
//! | module | answers |
//! | --- | --- |
//! | [`command`] | `test`: the suite, its reports, its exit code |
//! | [`select`] | which files |
//! | [`workspace`] | what a folder's `config.yaml` says of them |
//! | [`queue`] | which shard runs which next |
//! | [`runner`] | how each is run, and tried again |

pub mod command;
pub mod queue;
pub mod runner;
pub mod select;
pub mod workspace;
