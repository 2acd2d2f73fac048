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

/// An operation whose outcome nobody knows. Its ticket stays open: dropped, the operation counts as possibly done.
///
/// A peer that keeps a journal of what it was told can still settle it: see [`Lost::recovered`] and
/// [`Lost::disproved`].
#[derive(Debug)]
pub struct Lost {
    row: Row,
    cause: String,
    end: End,
    look: bool,
    ticket: Ticket,
}

/// What came instead of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Broke,
    Late,
    Unreadable,
}

impl Lost {
    pub(crate) fn new(ticket: Ticket, row: Row, cause: impl Into<String>, timed_out: bool) -> Self {
        Self { row, cause: cause.into(), end: if timed_out { End::Late } else { End::Broke }, look: false, ticket }
    }

    /// Something came back that does not fit the protocol, so it does not say whether the operation ran.
    pub(crate) fn unreadable(ticket: Ticket, row: Row, cause: impl Into<String>) -> Self {
        Self { end: End::Unreadable, ..Self::new(ticket, row, cause, false) }
    }

    /// The answer to a look is lost: whatever became of it, it changed nothing.
    pub(crate) fn look(ticket: Ticket, row: Row, cause: impl Into<String>, timed_out: bool) -> Self {
        Self { look: true, ..Self::new(ticket, row, cause, timed_out) }
    }

    /// The reply came by another way: the peer's journal had kept it. To be judged as any reply.
    pub fn recovered<T>(self, reply: T) -> Answered<T> {
        Answered::new(reply, self.ticket)
    }

    /// The peer's journal proves that the operation never arrived and never will. `row` must be one that the golden
    /// table lists for such a proof, held by a driver against the real peer.
    pub fn disproved(self, row: Row, cause: impl Into<String>) -> NotSent {
        let proof = NotSent::new(row, cause);
        self.ticket.not_sent(&proof);
        proof
    }

    /// The same outcome under a row that says more of it. `row` must be one that discloses `unknown`.
    #[must_use]
    pub fn under(self, row: Row, cause: impl Into<String>) -> Self {
        Self { row, cause: cause.into(), ..self }
    }

    /// What happened instead of a reply.
    pub fn cause(&self) -> &str {
        &self.cause
    }

    /// The limit passed, as against a connection that broke.
    pub const fn timed_out(&self) -> bool {
        matches!(self.end, End::Late)
    }

    /// The row that lists this.
    pub const fn row(&self) -> Row {
        self.row
    }

    /// The failure to report.
    pub fn failure(self, doing: &str) -> Failure {
        let (code, reason) = match self.end {
            End::Late => (Code::Timeout, "reply_timeout"),
            End::Broke => (Code::CommandFailed, "reply_lost"),
            End::Unreadable => (Code::CommandFailed, "reply_unreadable"),
        };
        let message = format!("{doing}: {}", self.cause);
        if self.look {
            return Failure::refused(self.row, code, message).reason(reason);
        }
        Failure::lost(self.row, code, message).reason(reason)
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

    /// The same reply in other words, not judged yet either.
    pub fn map<U>(self, read: impl FnOnce(T) -> U) -> Answered<U> {
        Answered { reply: read(self.reply), ticket: self.ticket }
    }

    /// Tells replies apart before they are judged: a refusal from an answer, say. Both sides remain to be judged.
    ///
    /// # Errors
    /// What `sort` puts on the other side.
    pub fn sort<U, E>(self, sort: impl FnOnce(T) -> Result<U, E>) -> Result<Answered<U>, Answered<E>> {
        match sort(self.reply) {
            Ok(reply) => Ok(Answered { reply, ticket: self.ticket }),
            Err(reply) => Err(Answered { reply, ticket: self.ticket }),
        }
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
