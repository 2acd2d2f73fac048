//! One command to the helper's session: the way is opened first, so the command line itself is the operation.

use std::io;

use contract::{Effect, Row};
use tokio::io::{AsyncRead, AsyncReadExt};
use wire::{Context, Sent, channel::Rows};

use super::reply::{Reader, Reply, ReplyError};
use crate::adb::Phone;

/// The rows of the helper's session.
pub const ROWS: Rows = Rows {
    not_written: Row::HelperNotWritten,
    lost: Row::HelperReplyLost,
    timeout: Row::HelperTimeoutAfterSend,
    look_lost: Row::HelperLookLost,
    unreadable: Row::HelperReplyUnreadable,
};

/// Bytes read at once: a capture of a common screen has about 100 kB.
const PIECE: usize = 64 << 10;

/// Sends one line to the session that listens on `port` of the device, and reads the one answer to it.
///
/// `NotSent` where there is no way to the device, nothing listens, or no byte of the line was accepted; everything
/// later is `Lost`.
pub async fn exchange(
    phone: &Phone,
    port: u16,
    context: &Context,
    effect: Effect,
    id: &str,
    line: &[u8],
) -> Sent<Reply> {
    match phone.tcp(context, port, Row::HelperSessionGone).await {
        Ok(channel) => channel.operate(context, effect, ROWS, line, |stream| read(stream, id)).await,
        Err(proof) => Sent::NotSent(proof),
    }
}

/// Reads one answer, by its length.
async fn read(mut stream: impl AsyncRead + Unpin, id: &str) -> io::Result<Reply> {
    let mut reader = Reader::default();
    let mut piece = vec![0; PIECE];
    loop {
        let count = stream.read(&mut piece).await?;
        if count == 0 {
            return Err(io::Error::new(io::ErrorKind::ConnectionAborted, reader.closed().to_string()));
        }
        let whole = reader.feed(piece.get(..count).unwrap_or_default()).map_err(|why| garbled(&why))?;
        let Some(reply) = whole else { continue };
        return match reply.fields.get("requestId") {
            Some(echoed) if echoed != id => {
                Err(garbled(&ReplyError::Unreadable(format!("it answers {echoed:?}, {id:?} was asked"))))
            }
            _ => Ok(reply),
        };
    }
}

fn garbled(why: &ReplyError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_to_another_question_is_none() {
        let answer = b"ok=true\nrequestId=look-1-aa;x=1\n\n".as_slice();
        assert!(read(answer, "look-1-aa;x=1").await.is_ok());
        assert_eq!(read(answer, "look-1-aa").await.unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    #[tokio::test]
    async fn an_answer_that_breaks_off_is_lost_and_says_where() {
        let cut = read(b"ok=true\nbyteLength=9\n\nabc".as_slice(), "x").await.unwrap_err();
        assert_eq!(
            (cut.kind(), cut.to_string().contains("25 bytes")),
            (io::ErrorKind::ConnectionAborted, true),
            "{cut}"
        );
        let silent = read(b"".as_slice(), "x").await.unwrap_err();
        assert!(silent.to_string().contains("without an answer"), "{silent}");
    }
}
