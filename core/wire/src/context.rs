//! What a request carries down to every operation.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use contract::{Code, Failure, Row, answer::host::Poll};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::Ledger;

/// Bounds of [`Context::reserve`]: one round trip to a busy device, and as long as any such question takes.
const RESERVE: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(3));

/// Looks of one request that are kept at most: a device that waits in vain looks often.
const LOOKS: usize = 200;

/// The looks that a device's own waits made for a request, such as the wait for what moves to come to rest.
#[derive(Debug, Clone, Default)]
pub struct Looks(Arc<Mutex<Vec<Poll>>>);

impl Looks {
    /// Notes the looks of one wait. A single look is none.
    pub fn note(&self, polls: &[Poll]) {
        if polls.len() < 2 {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = LOOKS.saturating_sub(kept.len());
        kept.extend(polls.iter().take(room));
    }

    /// Hands over what was noted.
    pub fn take(&self) -> Vec<Poll> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The ledger, the deadline and the cancellation of one request. Clones belong to the same request.
#[derive(Debug, Clone)]
pub struct Context {
    /// The request's id, empty where nobody asked: a device that keeps a record of what it did says for whom.
    pub request: Arc<str>,
    /// What this request has sent.
    pub ledger: Ledger,
    /// When the request must have its answer.
    pub deadline: Instant,
    /// Set when the caller went away. Looked at between operations: a send in flight is always joined.
    pub cancel: CancellationToken,
    /// The looks of the device's own waits, for the timeline.
    pub looks: Looks,
}

impl Context {
    /// A request that may take `limit`.
    pub fn with_limit(limit: Duration) -> Self {
        Self {
            request: Arc::default(),
            ledger: Ledger::default(),
            deadline: Instant::now() + limit,
            cancel: CancellationToken::new(),
            looks: Looks::default(),
        }
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

    /// How much of the time that is left is kept for asking what became of an operation whose reply is lost: a fifth,
    /// within bounds, and never more than half. Nothing of it is added to the request.
    pub fn reserve(&self) -> Duration {
        let left = self.left();
        (left / 5).clamp(RESERVE.0, RESERVE.1).min(left / 2)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_of_clones_are_of_one_request_and_a_single_one_is_no_wait() {
        use contract::answer::host::PollOutcome;
        let poll = Poll { started_ms: 0, duration_ms: 1, outcome: PollOutcome::Observed };
        let context = Context::with_limit(Duration::from_secs(1));
        let inner = context.until(Duration::from_millis(10));
        inner.looks.note(&[poll]);
        inner.looks.note(&[poll; 2]);
        assert_eq!(context.looks.take().len(), 2);
        assert!(inner.looks.take().is_empty());
        inner.looks.note(&vec![poll; 2 * LOOKS]);
        inner.looks.note(&[poll; 3]);
        assert_eq!(context.looks.take().len(), LOOKS);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_kept_for_questions_is_part_of_the_requests_own_time() {
        for (left, kept) in [(90_000, 3_000), (5_000, 1_000), (600, 200), (100, 50), (0, 0)] {
            let context = Context::with_limit(Duration::from_millis(left));
            assert_eq!(context.reserve(), Duration::from_millis(kept), "{left}");
        }
    }
}
