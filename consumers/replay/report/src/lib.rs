//! Reports of suites. Each is made of a [`flow::SuiteRecord`] alone, and is the same for the same record.
//!
//! | module | answers |
//! | --- | --- |
//! | [`exit`] | which exit code a suite deserves |
//! | [`facts`] | what a record says: counts, the step that failed, the failure's words |
//! | [`github`] | annotations and the summary of a job, for GitHub Actions |
//! | [`json`] | the report for programs, and its schema |
//! | [`junit`] | the report for CI servers |
//! | [`page`] | the report for people: one page, with a link to the page of each attempt |
//! | [`progress`] | what is told while a suite runs |
//! | [`terminal`] | what is told when it ended |
//! | `clock` | times as people and XML write them |
//! | `xml` | tags and their escaping |

mod clock;
pub mod exit;
pub mod facts;
pub mod github;
pub mod json;
pub mod junit;
pub mod page;
pub mod progress;
#[cfg(test)]
mod samples;
pub mod terminal;
mod xml;

pub use exit::{Flaky, exit_code};
pub use facts::Totals;
pub use progress::Progress;
