//! The daemon's and the ledger's own sources under locks whose every turn a scheduler decides.
//!
//! The modules below are the product's files, compiled once more: only what they name `crate::sync` is another. Each lock and
//! each count is then a place where the scheduler may let another task go first, and the tests go through many such
//! schedules, or all of them.
//!
//! | module | is |
//! | --- | --- |
//! | [`ledger`] | `core/wire`: what a request has sent |
//! | [`requests`] | `daemon`: request ids, run once |
//! | [`sessions`], [`session`] | `daemon`: whose turn it is |
//! | [`leases`] | `daemon`: who holds which device |
//! | [`timeline`] | `daemon`: needed by a session |
//! | [`explore`] | how schedules are gone through |

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::result_large_err,
    reason = "this crate is a test's: what it does not expect has to fail it"
)]

pub mod explore;

/// What takes the place of the standard library's.
mod sync {
    pub use shuttle::sync::{Mutex, atomic::AtomicU64};
}

// What the ledger's file asks its crate for.
use wire::NotSent;

#[path = "../../../daemon/src/leases.rs"]
pub mod leases;
#[path = "../../../core/wire/src/ledger.rs"]
pub mod ledger;
#[path = "../../../daemon/src/requests.rs"]
pub mod requests;
#[path = "../../../daemon/src/session.rs"]
pub mod session;
#[path = "../../../daemon/src/sessions.rs"]
pub mod sessions;
#[path = "../../../daemon/src/timeline.rs"]
pub mod timeline;
