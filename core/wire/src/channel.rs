//! The promise over any byte stream.
//!
//! A [`Channel`] is a stream on which nothing of the operation has been written yet. [`Channel::prepare`] exchanges
//! the words that open the way to the device and do nothing to the app; [`Channel::operate`] uses the channel up, so
//! an operation cannot be begun twice on one stream; whatever fails before it consumes the channel too, and with it
//! closes the stream, before a [`NotSent`] is said.

use std::io;

use contract::{Effect, Row};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    time::timeout_at,
};

use crate::{Answered, Context, Lost, NotSent, Sent, Ticket};

/// The rows of a peer behind a stream.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    /// The stream broke, or the time was up, before a byte of the operation was written.
    pub not_written: Row,
    /// The stream broke after bytes were written.
    pub lost: Row,
    /// No end of the reply within the limit.
    pub timeout: Row,
    /// The answer to a look is lost, late or unreadable.
    pub look_lost: Row,
    /// The reply does not fit the protocol.
    pub unreadable: Row,
}

/// A stream on which nothing of the operation has been written yet.
#[derive(Debug)]
#[must_use = "dropping a channel closes its stream"]
pub struct Channel<S> {
    stream: S,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Channel<S> {
    /// Waits for a stream until the context's deadline.
    ///
    /// # Errors
    /// Under `refused`, where there is none.
    pub async fn connect(
        context: &Context,
        refused: Row,
        opening: impl Future<Output = io::Result<S>>,
    ) -> Result<Self, NotSent> {
        match timeout_at(context.deadline, opening).await {
            Ok(Ok(stream)) => Ok(Self { stream }),
            Ok(Err(why)) => Err(NotSent::new(refused, why.to_string())),
            Err(_) => Err(NotSent::new(refused, "no connection within the time limit")),
        }
    }

    /// Exchanges words that do nothing to the app: writes `bytes`, then hands the stream to `read`, which gives it
    /// back with what was said.
    ///
    /// # Errors
    /// Under `row`, where the stream breaks, ends, says what `read` does not understand, or the time is up. The stream
    /// is closed by then.
    pub async fn prepare<T, F: Future<Output = io::Result<(S, T)>>>(
        self,
        context: &Context,
        row: Row,
        bytes: &[u8],
        read: impl FnOnce(S) -> F,
    ) -> Result<(Self, T), NotSent> {
        let mut stream = self.stream;
        let exchange = async {
            stream.write_all(bytes).await?;
            stream.flush().await?;
            read(stream).await
        };
        match timeout_at(context.deadline, exchange).await {
            Ok(Ok((stream, said))) => Ok((Self { stream }, said)),
            Ok(Err(why)) => Err(NotSent::new(row, format!("on the way to the device: {}", spelled(&why)))),
            Err(_) => Err(NotSent::new(row, "on the way to the device: no answer within the time limit")),
        }
    }

    /// Closes the stream: what was said while preparing rules the operation out.
    pub fn refused(self, row: Row, cause: impl Into<String>) -> NotSent {
        drop(self);
        NotSent::new(row, cause)
    }

    /// Writes `request`, which is the operation or its beginning, then hands the stream to `read` for the rest of it.
    ///
    /// `NotSent` only while the stream accepted no byte of `request`, and it is closed before that is said; everything
    /// later is `Lost`, a look's under its own row. What `read` returns is an answer for the caller to judge, a refusal
    /// by the peer included; an error of kind [`io::ErrorKind::InvalidData`] says that the peer does not keep to its
    /// protocol. `read` may write further parts of the operation (a file, say) and may keep the stream. All of it is
    /// bounded by the context's deadline.
    pub async fn operate<T, F: Future<Output = io::Result<T>>>(
        self,
        context: &Context,
        effect: Effect,
        rows: Rows,
        request: &[u8],
        read: impl FnOnce(S) -> F,
    ) -> Sent<T> {
        let ticket = context.ledger.begin(effect);
        let mut stream = self.stream;
        let mut accepted = 0;
        let written = if context.left().is_zero() {
            Err(None)
        } else {
            match timeout_at(context.deadline, write(&mut stream, request, &mut accepted)).await {
                Ok(Ok(())) => Ok(()),
                Ok(Err(why)) => Err(Some(why)),
                Err(_) => Err(None),
            }
        };
        let end = match written {
            Ok(()) => match timeout_at(context.deadline, read(stream)).await {
                Ok(Ok(reply)) => return Sent::Answered(Answered::new(reply, ticket)),
                Ok(Err(why)) => Some(why),
                Err(_) => None,
            },
            Err(end) => {
                drop(stream);
                if accepted == 0 {
                    let proof = NotSent::new(rows.not_written, unwritten(end.as_ref()));
                    ticket.not_sent(&proof);
                    return Sent::NotSent(proof);
                }
                end
            }
        };
        Sent::Lost(lost(ticket, effect, rows, end.as_ref()))
    }
}

/// Opens the way once more, after the proof that nothing went over the first one. The proof is used up.
///
/// # Errors
/// What the second opening says.
pub async fn reopen<S, F: Future<Output = Result<Channel<S>, NotSent>>>(
    _proof: NotSent,
    opening: impl FnOnce() -> F,
) -> Result<Channel<S>, NotSent> {
    opening().await
}

/// Writes all of `bytes`, noting what was accepted also when it is dropped half-way.
async fn write<S: AsyncWrite + Unpin>(stream: &mut S, bytes: &[u8], accepted: &mut usize) -> io::Result<()> {
    while let Some(rest) = bytes.get(*accepted..).filter(|rest| !rest.is_empty()) {
        match stream.write(rest).await? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            count => *accepted += count,
        }
    }
    stream.flush().await
}

fn unwritten(end: Option<&io::Error>) -> String {
    match end {
        Some(why) => format!("the connection was closed before anything was written ({})", spelled(why)),
        None => "the time limit passed before anything was written".to_owned(),
    }
}

fn lost(ticket: Ticket, effect: Effect, rows: Rows, end: Option<&io::Error>) -> Lost {
    let timed_out = end.is_none();
    let said = match end {
        Some(why) if why.kind() == io::ErrorKind::InvalidData => format!("the reply cannot be read ({why})"),
        Some(why) => format!("the connection broke after the request was written ({})", spelled(why)),
        None => "no end of the reply within the time limit".to_owned(),
    };
    match (effect, end) {
        (Effect::Observes, _) => Lost::look(ticket, rows.look_lost, said, timed_out),
        (_, None) => Lost::new(ticket, rows.timeout, said, true),
        (_, Some(why)) if why.kind() == io::ErrorKind::InvalidData => Lost::unreadable(ticket, rows.unreadable, said),
        (_, Some(_)) => Lost::new(ticket, rows.lost, said, false),
    }
}

fn spelled(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::UnexpectedEof => "the other side closed it".to_owned(),
        _ => why.to_string(),
    }
}

#[cfg(test)]
mod tests;
