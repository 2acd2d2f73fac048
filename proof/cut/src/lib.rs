//! Faults between two programs, and the judgement over what became of what was asked.
//!
//! | module | answers |
//! | --- | --- |
//! | [`proxy`] | what goes between two programs, noted, and struck where that is armed |
//! | [`strike`] | which exchange is struck, and how: cut, stalled, garbled, its reply doubled or out of place |
//! | [`framing`] | where a message ends, and what it is called |
//! | `link`, `end` | one connection through the proxy, and each end of it |
//! | [`trial`] | one injected fault: what the caller was told, what the device counted |
//! | [`draw`] | numbers that a seed determines |
//! | [`judge`] | which of the five promises a trial breaks |
//! | [`figures`] | the sums of many trials, and the files in which they are published |
//! | [`measures`] | figures that are no counts of faults |
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "this crate is a test's: what it does not expect has to fail it"
)]

pub mod draw;
mod end;
pub mod figures;
pub mod framing;
pub mod judge;
mod link;
pub mod measures;
pub mod proxy;
pub mod strike;
pub mod trial;

pub use figures::{Figures, Line, Tally};
pub use framing::Framing;
pub use judge::{Breach, judge};
pub use measures::{Measure, Measures};
pub use proxy::{Exchange, Proxy};
pub use strike::{At, Ending, Fault, Side, Strike};
pub use trial::{After, Told, Trial};
