//! The one place that sends. What leaves here says how far it got.
//!
//! | module | answers |
//! | --- | --- |
//! | [`context`] | what a request carries down to every operation: ledger, deadline, cancellation |
//! | [`ledger`] | what this request has sent so far |
//! | [`sent`] | how far one operation got: [`Sent`], and the sealed proof [`NotSent`] |
//! | [`http`] | one HTTP/1.1 connection that never resends by itself |
//! | [`channel`] | the promise over any byte stream: a way that is prepared first, then one operation |
//! | `sync` | its locks |
//! | [`local`] | the same promise for a device inside this process |

pub mod channel;
pub mod context;
pub mod http;
pub mod ledger;
pub mod local;
pub mod sent;
mod sync;

pub use channel::Channel;
pub use context::{Context, Looks};
pub use ledger::{Ledger, Ticket};
pub use sent::{Answered, Lost, NotSent, Sent, resend};
