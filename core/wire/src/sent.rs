//! How far one operation got.

use contract::{Code, Failure, Row};

use crate::Ticket;

/// The outcome of handing one operation over.
#[derive(Debug)]
pub enum Sent<T> {
    /// Proven: not a byte of it reached the device.
    NotSent(NotSent),
    /// It was handed over, at least in part, and no reply came.
    Lost(Lost),
    /// The device replied.
    Answered(Answered<T>),
}

/// The proof that nothing of an operation reached the device, and the row under which that is claimed.
///
/// Only this crate makes one: where no byte was written, or from a reply that the golden table lists as a refusal
/// before any effect ([`Answered::refused`]).
#[derive(Debug)]
pub struct NotSent {
    row: Row,
    cause: String,
}

impl NotSent {
    pub(crate) fn new(row: Row, cause: impl Into<String>) -> Self {
        Self { row, cause: cause.into() }
    }

    /// What stood in the way.
    pub fn cause(&self) -> &str {
        &self.cause
    }

    /// The row that lists this.
    pub const fn row(&self) -> Row {
        self.row
    }

    /// The failure to report where the operation is not sent again.
    pub fn failure(self, code: Code, doing: &str) -> Failure {
        Failure::refused(self.row, code, format!("{doing}: {}", self.cause))
    }
}

/// An operation whose outcome nobody knows.
#[derive(Debug)]
pub struct Lost {
    row: Row,
    cause: String,
    timed_out: bool,
    look: bool,
}

impl Lost {
    pub(crate) fn new(row: Row, cause: impl Into<String>, timed_out: bool) -> Self {
        Self { row, cause: cause.into(), timed_out, look: false }
    }

    /// The answer to a look is lost: whatever became of it, it changed nothing.
    pub(crate) fn look(row: Row, cause: impl Into<String>, timed_out: bool) -> Self {
        Self { look: true, ..Self::new(row, cause, timed_out) }
    }

    /// What happened instead of a reply.
    pub fn cause(&self) -> &str {
        &self.cause
    }

    /// The limit passed, as against a connection that broke.
    pub const fn timed_out(&self) -> bool {
        self.timed_out
    }

    /// The failure to report.
    pub fn failure(self, doing: &str) -> Failure {
        let code = if self.timed_out { Code::Timeout } else { Code::CommandFailed };
        let reason = if self.timed_out { "reply_timeout" } else { "reply_lost" };
        let message = format!("{doing}: {}", self.cause);
        if self.look {
            return Failure::refused(self.row, code, message).reason(reason);
        }
        Failure::lost(self.row, code, message)
            .reason(reason)
            .hint("it may have taken effect: look first (agent-device snapshot), then decide")
    }
}

/// A reply, not judged yet. Dropping it leaves the operation counted as possibly done.
#[derive(Debug)]
#[must_use = "a reply says whether the operation ran: judge it"]
pub struct Answered<T> {
    reply: T,
    ticket: Ticket,
}

impl<T> Answered<T> {
    pub(crate) const fn new(reply: T, ticket: Ticket) -> Self {
        Self { reply, ticket }
    }

    /// Looks at the reply before judging it.
    pub const fn reply(&self) -> &T {
        &self.reply
    }

    /// The operation ran: counts as a completed send.
    pub fn completed(self) -> T {
        self.ticket.completed();
        self.reply
    }

    /// The reply proves that nothing ran. `row` must be one that the golden table lists as such a refusal, held by a
    /// driver against the real peer.
    pub fn refused(self, row: Row, cause: impl Into<String>) -> NotSent {
        let proof = NotSent::new(row, cause);
        self.ticket.not_sent(&proof);
        proof
    }

    /// The reply does not say whether the operation ran.
    pub fn undecided(self) -> T {
        self.ticket.lost();
        self.reply
    }
}

/// Sends once more what is proven not to have been sent. The proof is used up: a blind resend does not compile.
pub async fn resend<T, F: Future<Output = Sent<T>>>(_proof: NotSent, operation: impl FnOnce() -> F) -> Sent<T> {
    operation().await
}
