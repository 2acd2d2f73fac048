//! One HTTP/1.1 connection that never resends by itself.
//!
//! The bytes handed to the kernel are counted under hyper, so "not written" is an observation, not a guess: an
//! operation is [`NotSent`] only while that count has not moved, and the connection is closed before that is said.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context as Task, Poll},
};

use bytes::Bytes;
use contract::{Effect, Row};
use http_body_util::{BodyExt, Full, Limited};
use hyper::{
    Method,
    client::conn::http1::{self, SendRequest},
    header::{CONTENT_TYPE, HOST},
};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    task::JoinHandle,
    time::timeout_at,
};

use crate::{Answered, Context, Lost, NotSent, Sent};

/// A reply larger than this is an error, bytes. A full-page screenshot of a large page stays well below it.
const REPLY_LIMIT: usize = 256 << 20;

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
}

/// A connection to one address, opened when needed and again after it broke.
#[derive(Debug)]
pub struct Connection {
    authority: String,
    rows: Rows,
    live: Option<Live>,
}

#[derive(Debug)]
struct Live {
    sender: SendRequest<Full<Bytes>>,
    written: Arc<AtomicU64>,
    task: JoinHandle<()>,
}

impl Live {
    /// Ends the connection and says how many bytes it handed to the kernel in all. Only when its task has ended can
    /// nothing more be written: a count taken before that is no proof.
    async fn ended(mut self) -> u64 {
        self.task.abort();
        // How it ended makes no difference; that it has ended does.
        let _ended = (&mut self.task).await;
        self.written.load(Ordering::SeqCst)
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Connection {
    /// A connection to `authority` (`host:port`), not opened yet.
    pub const fn to(authority: String, rows: Rows) -> Self {
        Self { authority, rows, live: None }
    }

    /// Where it leads.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// Sends one request, once, and says how far it got.
    ///
    /// `NotSent` only while no byte of `request` was handed to the kernel; everything later, a closed connection
    /// included, is `Lost`: a driver finishes a request that it received whole. Bounded by the context's deadline; a
    /// request that ran out of time closes the connection, so that a late reply cannot be taken for the next one.
    pub async fn exchange(&mut self, context: &Context, request: &Request) -> Sent<Reply> {
        let ticket = context.ledger.begin(request.effect);
        let mut live = match self.connected(context).await {
            Ok(live) => live,
            Err(proof) => {
                ticket.not_sent(&proof);
                return Sent::NotSent(proof);
            }
        };
        let before = live.written.load(Ordering::SeqCst);
        let outcome = timeout_at(context.deadline, send(&mut live.sender, &self.authority, request)).await;
        let cause = match outcome {
            Ok(Ok(reply)) => {
                self.live = Some(live);
                return Sent::Answered(Answered::new(reply, ticket));
            }
            Ok(Err(cause)) => Some(cause),
            Err(_) => None,
        };
        let written = live.ended().await != before;
        let (said, timed_out) = match (&cause, written) {
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
        Sent::Lost(match (request.effect, timed_out) {
            (Effect::Observes, _) => Lost::look(ticket, self.rows.look_lost, said, timed_out),
            (_, false) => Lost::new(ticket, self.rows.lost, said, timed_out),
            (_, true) => Lost::new(ticket, self.rows.timeout, said, timed_out),
        })
    }

    #[expect(clippy::disallowed_methods, reason = "this is the one place that sends")]
    /// The open connection, taken out until the exchange is over; a new one where there is none.
    async fn connected(&mut self, context: &Context) -> Result<Live, NotSent> {
        if let Some(live) = self.live.take().filter(|live| live.sender.is_ready()) {
            return Ok(live);
        }
        let refused = |cause: String| NotSent::new(self.rows.connect_refused, cause);
        let connect = async {
            let stream = TcpStream::connect(&self.authority)
                .await
                .map_err(|why| refused(format!("{}: {why}", self.authority)))?;
            // One small request, one reply: waiting to fill a packet only costs time.
            stream.set_nodelay(true).map_err(|why| refused(why.to_string()))?;
            let written = Arc::new(AtomicU64::new(0));
            let (sender, connection) = http1::handshake(TokioIo::new(Counted { stream, written: written.clone() }))
                .await
                .map_err(|why| refused(why.to_string()))?;
            let task = tokio::spawn(async move {
                // How it ended is told to whoever waits for a reply.
                let _ended = connection.await;
            });
            Ok(Live { sender, written, task })
        };
        timeout_at(context.deadline, connect)
            .await
            .unwrap_or_else(|_| Err(refused(format!("{}: no connection within the time limit", self.authority))))
    }
}

async fn send(sender: &mut SendRequest<Full<Bytes>>, authority: &str, request: &Request) -> Result<Reply, String> {
    let message = hyper::Request::builder()
        .method(request.method.clone())
        .uri(&request.path)
        .header(HOST, authority)
        // A Selenium Grid refuses JSON that does not name its encoding.
        .header(CONTENT_TYPE, "application/json; charset=utf-8")
        .body(Full::new(request.body.clone()))
        .map_err(|why| why.to_string())?;
    let response = sender.try_send_request(message).await.map_err(|why| spelled(&why.into_error()))?;
    let status = response.status().as_u16();
    let body =
        Limited::new(response.into_body(), REPLY_LIMIT).collect().await.map_err(|why| why.to_string())?.to_bytes();
    Ok(Reply { status, body })
}

/// An error with its causes: hyper keeps the interesting part in the source.
fn spelled(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Counts the bytes that the kernel took.
#[derive(Debug)]
struct Counted {
    stream: TcpStream,
    written: Arc<AtomicU64>,
}

impl AsyncRead for Counted {
    fn poll_read(mut self: Pin<&mut Self>, task: &mut Task<'_>, buffer: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(task, buffer)
    }
}

impl AsyncWrite for Counted {
    fn poll_write(mut self: Pin<&mut Self>, task: &mut Task<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(task, bytes);
        if let Poll::Ready(Ok(count)) = &polled {
            self.written.fetch_add(*count as u64, Ordering::SeqCst);
        }
        polled
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(task)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(task)
    }
}
