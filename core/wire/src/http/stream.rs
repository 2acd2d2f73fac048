//! A connection for one exchange, whose bytes are counted on their way to the kernel.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context as Task, Poll},
};

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::{
    client::conn::http1::{self, SendRequest},
    header::{CONNECTION, CONTENT_TYPE, HOST},
};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    task::JoinHandle,
};

use super::{Reply, Request};

/// A reply larger than this is an error, bytes. A full-page screenshot of a large page stays well below it.
const REPLY_LIMIT: usize = 256 << 20;

/// An open connection on which one request is sent.
#[derive(Debug)]
pub struct Stream {
    sender: SendRequest<Full<Bytes>>,
    written: Arc<AtomicU64>,
    task: JoinHandle<()>,
}

impl Stream {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that sends")]
    /// Connects to `authority` (`host:port`).
    ///
    /// # Errors
    /// What stood in the way.
    pub async fn open(authority: &str) -> Result<Self, String> {
        let stream = TcpStream::connect(authority).await.map_err(|why| format!("{authority}: {why}"))?;
        // One small request, one reply: waiting to fill a packet only costs time.
        stream.set_nodelay(true).map_err(|why| why.to_string())?;
        let written = Arc::new(AtomicU64::new(0));
        let counted = Counted { stream, written: written.clone(), heard: false };
        let (sender, connection) = http1::handshake(TokioIo::new(counted)).await.map_err(|why| why.to_string())?;
        let task = tokio::spawn(async move {
            // How it ended is told to whoever waits for a reply.
            let _ended = connection.await;
        });
        Ok(Self { sender, written, task })
    }

    /// Sends the request and reads the reply to its end. `headers` go beside those that every request has.
    ///
    /// # Errors
    /// How the connection broke.
    pub async fn send(
        &mut self,
        authority: &str,
        request: &Request,
        headers: &[(&'static str, String)],
    ) -> Result<Reply, String> {
        let mut message = hyper::Request::builder()
            .method(request.method.clone())
            .uri(&request.path)
            .header(HOST, authority)
            .header(CONNECTION, "close")
            // A Selenium Grid refuses JSON that does not name its encoding.
            .header(CONTENT_TYPE, "application/json; charset=utf-8");
        for (name, value) in headers {
            message = message.header(*name, value);
        }
        let message = message.body(Full::new(request.body.clone())).map_err(|why| why.to_string())?;
        let response = self.sender.try_send_request(message).await.map_err(|why| spelled(&why.into_error()))?;
        let status = response.status().as_u16();
        let body =
            Limited::new(response.into_body(), REPLY_LIMIT).collect().await.map_err(|why| why.to_string())?.to_bytes();
        Ok(Reply { status, body, kept: false })
    }

    /// Ends the connection and says how many bytes it handed to the kernel in all. Only when its task has ended can
    /// nothing more be written: a count taken before that is no proof.
    pub async fn ended(mut self) -> u64 {
        self.task.abort();
        // How it ended makes no difference; that it has ended does.
        let _ended = (&mut self.task).await;
        self.written.load(Ordering::SeqCst)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.task.abort();
    }
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
    /// The peer has begun to answer.
    heard: bool,
}

/// A connection whose reply came is over for both sides. Closed in the usual way, its port would stay taken for a minute
/// (TIME_WAIT), and a busy machine has some 28,000 of them towards one server.
impl Drop for Counted {
    fn drop(&mut self) {
        if self.heard {
            // Where it cannot be set the port waits: nothing worse.
            let _waits = self.stream.set_zero_linger();
        }
    }
}

impl AsyncRead for Counted {
    fn poll_read(mut self: Pin<&mut Self>, task: &mut Task<'_>, buffer: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(task, buffer);
        self.heard |= buffer.filled().len() > before;
        polled
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
