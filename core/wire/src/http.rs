//! Requests over HTTP/1.1 that are never resent by themselves.
//!
//! The bytes handed to the kernel are counted under hyper, so "not written" is an observation, not a guess: an
//! operation is [`NotSent`] only while that count has not moved, and the connection is closed before that is said.
//!
//! Each request has a connection of its own. HTTP/1.1 does not say which request a reply belongs to, so on a connection
//! that is used again a reply that comes late, or twice, would be taken for the next one's; and a peer that closes an idle
//! connection just as a request is written leaves its caller in doubt about a request that was never read.
//!
//! | module | answers |
//! | --- | --- |
//! | [`stream`] | one connection, its bytes counted |
//! | [`kept`] | whether the peer keeps its replies, and asking for one that was lost |

mod kept;
mod stream;

use bytes::Bytes;
use contract::{Effect, Row};
use hyper::Method;
use tokio::time::{Instant, timeout_at};

pub use kept::{Kept, Sample};
use stream::Stream;

use crate::{Answered, Context, Lost, NotSent, Sent};

/// The rows of a peer behind HTTP.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    /// Nothing listens at the address.
    pub connect_refused: Row,
    /// The connection was closed before a byte was written.
    pub not_written: Row,
    /// The connection broke after bytes were written.
    pub lost: Row,
    /// No reply within the limit.
    pub timeout: Row,
    /// The answer to a look is lost or late.
    pub look_lost: Row,
}

/// One request.
#[derive(Debug, Clone)]
pub struct Request {
    /// GET, POST, DELETE.
    pub method: Method,
    /// Path with its leading slash.
    pub path: String,
    /// JSON, or empty.
    pub body: Bytes,
    /// What it does to the app.
    pub effect: Effect,
}

/// One reply.
#[derive(Debug)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// The whole body.
    pub body: Bytes,
    /// It was lost on its way, and the peer had kept it.
    pub kept: bool,
}

/// The way to one address.
#[derive(Debug)]
pub struct Connection {
    authority: String,
    rows: Rows,
    kept: Option<Kept>,
}

impl Connection {
    /// The way to `authority` (`host:port`). Nothing is opened yet.
    pub const fn to(authority: String, rows: Rows) -> Self {
        Self { authority, rows, kept: None }
    }

    /// Where it leads.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// From here on the reply to a change that is lost is asked for: this peer was shown to keep them.
    pub fn ask_for_lost_replies(&mut self, kept: Kept) {
        self.kept = Some(kept);
    }

    /// Sends one request, once, and says how far it got.
    ///
    /// `NotSent` only while no byte of `request` was handed to the kernel; everything later, a closed connection
    /// included, is `Lost`: a driver finishes a request that it received whole. Where the peer keeps its replies
    /// ([`Kept`]), the reply to a change is asked for before it is called lost. Bounded by the context's deadline.
    pub async fn exchange(&self, context: &Context, request: &Request) -> Sent<Reply> {
        let ticket = context.ledger.begin(request.effect);
        let opening = timeout_at(context.deadline, Stream::open(&self.authority)).await;
        let mut stream = match opening.unwrap_or_else(|_| Err(self.no_connection())) {
            Ok(stream) => stream,
            Err(cause) => {
                let proof = NotSent::new(self.rows.connect_refused, cause);
                ticket.not_sent(&proof);
                return Sent::NotSent(proof);
            }
        };
        let keyed = self.kept.as_ref().and_then(|kept| kept.keyed(request));
        // Some of the time is kept for asking.
        let limit = keyed.as_ref().map_or(context.deadline, |_| context.deadline - context.reserve());
        let (sent, headers) = keyed.as_ref().map_or((request, &[][..]), |keyed| (&keyed.request, &keyed.headers[..]));
        let broke = match timeout_at(limit, stream.send(&self.authority, sent, headers)).await {
            Ok(Ok(reply)) => return Sent::Answered(Answered::new(reply, ticket)),
            Ok(Err(cause)) => Some(cause),
            Err(_) => None,
        };
        let mut asked = None;
        // A peer may forget what it is still doing when its connection goes: a late reply is asked for before that.
        if let (None, Some(keyed)) = (&broke, &keyed) {
            asked = Some(keyed.ask(self, context, context.deadline).await);
        }
        let written = stream.ended().await > 0;
        let (mut said, timed_out) = match (&broke, written) {
            (Some(cause), false) => (format!("the connection was closed before anything was written ({cause})"), false),
            (None, false) => ("the time limit passed before anything was written".to_owned(), true),
            (Some(cause), true) => (format!("the connection broke after the request was written ({cause})"), false),
            (None, true) => ("no reply within the time limit".to_owned(), true),
        };
        if !written {
            let proof = NotSent::new(self.rows.not_written, said);
            ticket.not_sent(&proof);
            return Sent::NotSent(proof);
        }
        if let (Some(_), Some(keyed)) = (&broke, &keyed) {
            asked = Some(keyed.ask(self, context, Instant::now() + kept::ANSWER_LIMIT).await);
        }
        let found = asked.and_then(|asked| asked.map_err(|why| said.push_str(&format!("; {why}"))).ok());
        let lost = match (request.effect, timed_out) {
            (Effect::Observes, _) => Lost::look(ticket, self.rows.look_lost, said, timed_out),
            (_, false) => Lost::new(ticket, self.rows.lost, said, timed_out),
            (_, true) => Lost::new(ticket, self.rows.timeout, said, timed_out),
        };
        match found {
            Some(reply) => Sent::Answered(lost.recovered(reply)),
            None => Sent::Lost(lost),
        }
    }

    fn no_connection(&self) -> String {
        format!("{}: no connection within the time limit", self.authority)
    }
}
