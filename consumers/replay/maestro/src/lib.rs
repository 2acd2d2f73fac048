//! Maestro flows: read, checked as a whole, run on a host.
//!
//! A flow is read with every file that it names before anything is sent; what cannot be done is said then, all of it at
//! once, with file, line and column. What a command does here, and where that differs from Maestro on purpose, stands
//! in one table: [`table`].
//!
//! | module | answers |
//! | --- | --- |
//! | [`model`] | what a checked flow is: steps, elements, texts with `${...}` in them |
//! | [`read`] | how a file becomes one |
//! | [`run`] | how one is run on a [`flow::Host`] |
//! | [`config`] | what a folder's `config.yaml` says of the flows in it |
//! | [`problem`] | what is wrong with a file, where, and what to do |
//! | [`table`] | which commands behave the same, which differ, which are missing |
//! | `yaml` | YAML in which every part knows its place |
//! | `random` | texts for `inputRandom...` |

pub mod config;
pub mod model;
pub mod problem;
mod random;
pub mod read;
pub mod run;
pub mod table;
mod yaml;

pub use config::Config;
pub use model::Flow;
pub use problem::{Problem, Problems};
pub use read::{Reading, text_of};
pub use run::{Failed, RunOptions};
