//! Asking a peer for a reply that was lost on its way.
//!
//! Appium's servers keep the replies to requests that carry a key (`X-Idempotency-Key`), and answer a second request of the
//! same key, method and path with what they kept. The usual way to use that, sending the same request once more, does
//! things twice: the record goes where 64 other keys came since, where the reply was larger than 1 MiB, and where the first
//! connection closes while the second request already waits for the first one's reply. Then the second request runs as well.
//!
//! So what is sent here cannot run. It carries the key, and asks to be taken for a method that no route has
//! (`X-HTTP-Method-Override`), which these servers obey only after they have looked for the key: either the kept reply comes
//! back, or a refusal. A reply is asked for only of a peer that was shown to do both: [`Kept`] is the proof.

use std::time::Duration;

use bytes::Bytes;
use contract::Effect;
use hyper::Method;
use tokio::time::{Instant, timeout_at};

use super::{Connection, Reply, Request, Stream};
use crate::Context;

/// Names what a request is kept under.
const KEY: &str = "x-idempotency-key";
/// Replaces the method of a POST, after the key was looked for.
const METHOD: &str = "x-http-method-override";
/// A method that HTTP has (RFC 4918) and no WebDriver route.
const UNROUTED: &str = "LOCK";
/// What is kept comes back at once. A request that was still being done when its connection broke is forgotten by the peer,
/// which then never answers.
pub const ANSWER_LIMIT: Duration = Duration::from_secs(2);
/// Trials of a peer that answers, and not as one that keeps its replies.
const TRIES: u32 = 3;

/// The proof that a peer keeps its replies, and that a request which asks for one does nothing.
#[derive(Debug, Clone)]
pub struct Kept {
    refused: fn(&Reply) -> bool,
}

/// A request that can be tried on a peer: it changes nothing.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Where it is posted to.
    pub path: String,
    /// Two bodies whose answers differ.
    pub bodies: [Bytes; 2],
    /// Whether a reply refuses a request since there is no such route or method.
    pub refused: fn(&Reply) -> bool,
}

impl Kept {
    /// Tries a peer, [`TRIES`] times at most. `None`: it was not shown to keep its replies, or that asking for one does
    /// nothing.
    pub async fn shown(connection: &Connection, context: &Context, sample: &Sample) -> Option<Self> {
        for _ in 0..TRIES {
            match Self::tried(connection, context, sample).await {
                // A trial only looks, and a page that has just begun may refuse to be looked at.
                Ok(None) => {}
                Ok(shown) => return shown,
                Err(_) => return None,
            }
        }
        None
    }

    /// One trial: what the answers show, or that one did not come.
    async fn tried(connection: &Connection, context: &Context, sample: &Sample) -> Result<Option<Self>, &'static str> {
        let Sample { path, bodies: [first, second], refused } = sample;
        let request = |body: &Bytes| Request {
            method: Method::POST,
            path: path.clone(),
            body: body.clone(),
            effect: Effect::Observes,
        };
        let Some((key, other)) = fresh_key().zip(fresh_key()) else { return Ok(None) };
        let say = |key: String, overridden: bool, body| {
            let mut headers = vec![(KEY, key)];
            headers.extend(overridden.then(|| (METHOD, UNROUTED.to_owned())));
            let limit = context.deadline.min(Instant::now() + ANSWER_LIMIT);
            async move { alone(connection, limit, &request(body), &headers).await }
        };
        let original = say(key.clone(), false, first).await?;
        if original.status != 200 {
            return Ok(None);
        }
        let again = say(key, true, second).await?;
        if (again.status, &again.body) != (original.status, &original.body) {
            return Ok(None);
        }
        // The same question under a key of which nothing is kept.
        let unknown = say(other, true, second).await?;
        Ok(refused(&unknown).then_some(Self { refused: *refused }))
    }

    /// A change under a key of its own; `None` for what only looks.
    ///
    /// These peers keep nothing of a DELETE, and look for the key before they look for another method: so it goes as a POST
    /// that asks to be taken for a DELETE.
    pub(super) fn keyed(&self, request: &Request) -> Option<Keyed<'_>> {
        let by_post = match request.method {
            Method::POST => None,
            Method::DELETE => Some((METHOD, "DELETE".to_owned())),
            _ => return None,
        };
        let key = (request.effect == Effect::Mutates).then(fresh_key).flatten()?;
        let headers = by_post.into_iter().chain([(KEY, key.clone())]).collect();
        Some(Keyed { kept: self, key, request: Request { method: Method::POST, ..request.clone() }, headers })
    }
}

/// A request under a key of its own.
pub(super) struct Keyed<'k> {
    kept: &'k Kept,
    key: String,
    /// As it is sent.
    pub(super) request: Request,
    /// What it carries.
    pub(super) headers: Vec<(&'static str, String)>,
}

impl Keyed<'_> {
    /// The reply that the peer kept, or why there is none.
    pub(super) async fn ask(
        &self,
        connection: &Connection,
        context: &Context,
        limit: Instant,
    ) -> Result<Reply, &'static str> {
        let question = Request {
            method: Method::POST,
            path: self.request.path.clone(),
            body: Bytes::from_static(b"{}"),
            effect: Effect::Observes,
        };
        let headers = [(KEY, self.key.clone()), (METHOD, UNROUTED.to_owned())];
        let reply = alone(connection, limit.min(context.deadline), &question, &headers).await?;
        if (self.kept.refused)(&reply) {
            return Err("the server has not kept its reply");
        }
        Ok(Reply { kept: true, ..reply })
    }
}

/// One exchange that does nothing to the app, on a connection of its own that is not used afterwards: a peer that sends
/// what it kept does not count that as an answer, and would never answer anything else there.
async fn alone(
    connection: &Connection,
    limit: Instant,
    request: &Request,
    headers: &[(&'static str, String)],
) -> Result<Reply, &'static str> {
    let exchange = async {
        let mut stream = Stream::open(&connection.authority).await?;
        stream.send(&connection.authority, request, headers).await
    };
    match timeout_at(limit, exchange).await {
        Ok(Ok(reply)) => Ok(reply),
        Ok(Err(_)) => Err("the server could not be asked for its reply"),
        Err(_) => Err("the server was asked for its reply and did not answer"),
    }
}

/// 128 random bits: no other request in the world has this key. `None` where the system has no randomness to give.
fn fresh_key() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(format!("{:032x}", u128::from_be_bytes(bytes)))
}
