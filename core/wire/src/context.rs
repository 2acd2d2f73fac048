//! What a request carries down to every operation.

use std::time::Duration;

use contract::{Code, Failure, Row};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::Ledger;

/// The ledger, the deadline and the cancellation of one request. Clones belong to the same request.
#[derive(Debug, Clone)]
pub struct Context {
    /// What this request has sent.
    pub ledger: Ledger,
    /// When the request must have its answer.
    pub deadline: Instant,
    /// Set when the caller went away. Looked at between operations: a send in flight is always joined.
    pub cancel: CancellationToken,
}

impl Context {
    /// A request that may take `limit`.
    pub fn with_limit(limit: Duration) -> Self {
        Self { ledger: Ledger::default(), deadline: Instant::now() + limit, cancel: CancellationToken::new() }
    }

    /// The same request with a ledger of its own, for an operation whose sends must be told apart.
    #[must_use]
    pub fn until(&self, limit: Duration) -> Self {
        Self { deadline: self.deadline.min(Instant::now() + limit), ..self.clone() }
    }

    /// Time that is left.
    pub fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Refuses to begin anything for a caller that is gone or out of time.
    ///
    /// # Errors
    /// `CANCELLED` or `TIMEOUT`. Whether earlier operations were sent is the ledger's to say.
    pub fn check(&self) -> Result<(), Failure> {
        if self.cancel.is_cancelled() {
            return Err(Failure::refused(
                Row::DaemonCancelledBeforeSend,
                Code::Cancelled,
                "the caller went away; nothing further was sent",
            )
            .reason("request_canceled"));
        }
        if self.left().is_zero() {
            return Err(Failure::refused(
                Row::DaemonDeadlineBeforeSend,
                Code::Timeout,
                "the request's time limit passed; nothing further was sent",
            )
            .reason("deadline_exceeded")
            .hint("give it more time: --timeout MS"));
        }
        Ok(())
    }
}
