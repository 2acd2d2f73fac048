//! What an HTTP reply looks like.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use contract::{Code, Disclosed, Failure, Row, Sends, hop::SERVER_HEADER};
use daemon::audit;
use http_body_util::{Either, Full};
use hyper::{
    Response, StatusCode,
    body::{Body, Frame, SizeHint},
    header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue},
};
use serde_json::json;
use tokio::io::{AsyncRead, ReadBuf};

/// Any reply.
pub type Reply = Response<Either<Full<Bytes>, FileBody>>;

/// Bytes of a file read at once.
const CHUNK: usize = 64 << 10;

/// A refusal, and the status that says what kind of one.
#[derive(Debug)]
pub struct Refusal {
    /// The status.
    pub status: StatusCode,
    /// Why. Boxed: it is rare, and large.
    pub failure: Box<Failure>,
}

impl Refusal {
    /// Of a failure.
    pub fn new(status: StatusCode, failure: Failure) -> Self {
        Self { status, failure: Box::new(failure) }
    }

    /// An HTTP request that is none.
    pub fn bad(status: StatusCode, why: impl Into<String>) -> Self {
        let failure = Failure::refused(Row::ServeBadRequest, Code::InvalidArgs, why.into());
        Self::new(
            status,
            failure.reason("bad_request").hint("what this server takes is in docs/reference/remote-protocol.md"),
        )
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let status = match failure.claim().map(|claim| claim.row) {
            Some(Row::ServeBusy) => StatusCode::SERVICE_UNAVAILABLE,
            Some(Row::ServeNoRoom) => StatusCode::INSUFFICIENT_STORAGE,
            Some(Row::ServeUnauthorized) => StatusCode::UNAUTHORIZED,
            _ => StatusCode::BAD_REQUEST,
        };
        Self::new(status, failure)
    }
}

/// JSON, as it stands.
pub fn json(status: StatusCode, text: impl Into<Bytes>) -> Reply {
    let mut reply = Response::new(Either::Left(Full::new(text.into())));
    *reply.status_mut() = status;
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    marked(reply)
}

/// A refusal as a reply: nothing was handed to the daemon.
pub fn refused(refusal: Refusal) -> Reply {
    json(refusal.status, text_of(*refusal.failure))
}

/// A refusal as it stands in a reply.
pub fn text_of(failure: Failure) -> String {
    let text = json!({"error": Disclosed::seal(failure, None, Sends::NONE)}).to_string();
    audit::note(audit::Door::Socket, &text);
    text
}

/// Marks a reply as this server's.
pub fn marked(mut reply: Reply) -> Reply {
    reply.headers_mut().insert(SERVER_HEADER, HeaderValue::from_static(contract::VERSION));
    reply
}

/// The content of a file.
pub fn file(file: tokio::fs::File, bytes: u64) -> Reply {
    let mut reply = Response::new(Either::Right(FileBody { file, left: bytes }));
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    reply.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(bytes));
    marked(reply)
}

/// A file as a body, read as it is sent.
#[derive(Debug)]
pub struct FileBody {
    file: tokio::fs::File,
    left: u64,
}

impl Body for FileBody {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        let mut chunk = vec![0; usize::try_from(self.left).unwrap_or(CHUNK).min(CHUNK)];
        let mut into = ReadBuf::new(&mut chunk);
        match Pin::new(&mut self.file).poll_read(context, &mut into) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(Err(why)) => return Poll::Ready(Some(Err(why))),
            Poll::Ready(Ok(())) => {}
        }
        let read = into.filled().len();
        if read == 0 {
            // Shorter than was announced: the connection breaks, and the client knows.
            return Poll::Ready(Some(Err(std::io::ErrorKind::UnexpectedEof.into())));
        }
        chunk.truncate(read);
        self.left -= read as u64;
        Poll::Ready(Some(Ok(Frame::data(chunk.into()))))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
