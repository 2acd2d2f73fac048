//! Faults between two programs, and the judgement over what became of what was asked.
//!
//! | module | answers |
//! | --- | --- |
//! | [`trial`] | one injected fault: what the caller was told, what the device counted |
//! | [`judge`] | which of the five promises a trial breaks |
//! | [`figures`] | the sums of many trials, and the files in which they are published |
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "this crate is a test's: what it does not expect has to fail it"
)]

pub mod figures;
pub mod judge;
pub mod trial;

pub use figures::{Figures, Line, Tally};
pub use judge::{Breach, judge};
pub use trial::{After, Told, Trial};
