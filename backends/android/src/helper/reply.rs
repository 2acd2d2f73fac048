//! One answer of the helper's session: lines of facts, an empty line, then exactly `byteLength` bytes.
//!
//! Read by its length, never by waiting for the connection to be closed: a tunnel may keep it open.

use bytes::{Buf, Bytes, BytesMut};
use contract::Row;

use super::fields::Fields;

/// Lines of facts at most, bytes. The largest carry the text of a field, or a retained answer, as base64.
const HEAD_LIMIT: usize = 8 << 20;
/// A capture at most, bytes: 5000 nodes take about 3 MB.
const BODY_LIMIT: usize = 64 << 20;

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The lines of facts.
    pub fields: Fields,
    /// What follows them; empty for everything but captures.
    pub body: Bytes,
    /// The row of how it was learned, where it did not come directly.
    pub resolved: Option<Row>,
}

/// Why there is no answer to use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplyError {
    /// The connection was closed without a byte: the session is gone.
    Silent,
    /// The connection was closed in the middle of the answer, after so many bytes.
    Cut(usize),
    /// The answer does not fit the protocol.
    Unreadable(String),
}

impl std::fmt::Display for ReplyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReplyError::Silent => f.write_str("the helper closed the connection without an answer"),
            ReplyError::Cut(bytes) => write!(f, "the helper's answer broke off after {bytes} bytes"),
            ReplyError::Unreadable(why) => f.write_str(why),
        }
    }
}

/// Reads an answer as its bytes come.
#[derive(Debug, Default)]
pub struct Reader {
    buffer: BytesMut,
    /// Bytes of the buffer that hold no end of the head for certain.
    searched: usize,
    head: Option<(Fields, usize)>,
    taken: usize,
}

impl Reader {
    /// Takes more bytes; the answer, once it is whole.
    ///
    /// # Errors
    /// [`ReplyError::Unreadable`]: too long, no text, another protocol, a `byteLength` that is no number.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Option<Reply>, ReplyError> {
        self.taken += bytes.len();
        self.buffer.extend_from_slice(bytes);
        if self.head.is_none() {
            let Some(end) = self.end_of_head() else {
                return if self.buffer.len() > HEAD_LIMIT {
                    Err(ReplyError::Unreadable("the helper's answer has no end of its first part".to_owned()))
                } else {
                    Ok(None)
                };
            };
            let fields = parse_head(&self.buffer[..end])?;
            self.buffer.advance(end + 1);
            let length = body_length(&fields)?;
            self.head = Some((fields, length));
        }
        match self.head.take() {
            Some((fields, length)) if self.buffer.len() >= length => {
                Ok(Some(Reply { fields, body: self.buffer.split_to(length).freeze(), resolved: None }))
            }
            head => {
                self.head = head;
                Ok(None)
            }
        }
    }

    /// What a closed connection means now.
    pub const fn closed(&self) -> ReplyError {
        if self.taken == 0 { ReplyError::Silent } else { ReplyError::Cut(self.taken) }
    }

    /// Where the empty line stands: the place of its line break, the facts before it.
    fn end_of_head(&mut self) -> Option<usize> {
        if self.buffer.first() == Some(&b'\n') {
            return Some(0);
        }
        let from = self.searched.saturating_sub(1);
        let found = self.buffer.get(from..)?.windows(2).position(|pair| pair == b"\n\n");
        self.searched = self.buffer.len();
        found.map(|place| from + place + 1)
    }
}

/// Facts from lines of `key=value`. A line without `=` is passed over.
fn parse_head(bytes: &[u8]) -> Result<Fields, ReplyError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|why| ReplyError::Unreadable(format!("the helper's answer is no text: {why}")))?;
    let fields: Fields =
        text.lines().filter_map(|line| line.split_once('=')).map(|(key, value)| (key.trim(), value)).collect();
    match fields.foreign_protocol() {
        Some(name) => Err(ReplyError::Unreadable(format!("the helper speaks another protocol: {name}"))),
        None if fields.flag("ok").is_none() => {
            Err(ReplyError::Unreadable("the helper's answer does not say whether it succeeded".to_owned()))
        }
        None => Ok(fields),
    }
}

/// The facts of an answer that a journal kept.
///
/// # Errors
/// As for an answer that comes directly.
pub fn retained(head: &str) -> Result<Reply, ReplyError> {
    Ok(Reply { fields: parse_head(head.as_bytes())?, body: Bytes::new(), resolved: None })
}

fn body_length(fields: &Fields) -> Result<usize, ReplyError> {
    match fields.get("byteLength") {
        None => Ok(0),
        Some(text) => match text.trim().parse() {
            Ok(length) if length <= BODY_LIMIT => Ok(length),
            _ => Err(ReplyError::Unreadable(format!("the helper's answer has no usable length: {text:?}"))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &[u8] =
        b"nodeCount=2\nagentDeviceProtocol=android-snapshot-helper-v1\nok=true\nbyteLength=7\n\nab\n\ncd\xc3LEFT";

    #[test]
    fn an_answer_is_whole_with_its_last_byte_however_it_is_cut_up() {
        for size in 1..ANSWER.len() {
            let mut reader = Reader::default();
            let mut fed = 0;
            let reply = ANSWER.chunks(size).find_map(|piece| {
                fed += piece.len();
                reader.feed(piece).unwrap()
            });
            let reply = reply.unwrap();
            assert_eq!(&reply.body[..], b"ab\n\ncd\xc3", "in pieces of {size}");
            assert_eq!(reply.fields.number::<u32>("nodeCount"), Some(2));
            assert!(fed < ANSWER.len() - 4 + size, "whole only after {fed} bytes in pieces of {size}");
        }
    }

    #[test]
    fn an_answer_without_a_body_ends_with_the_empty_line() {
        let mut reader = Reader::default();
        assert_eq!(reader.feed(b"ok=false\nerrorType=x.Y\nmessage=a=b\n"), Ok(None));
        let reply = reader.feed(b"\n").unwrap().unwrap();
        assert_eq!((reply.fields.error().message.as_str(), reply.body.len()), ("a=b", 0));
    }

    #[test]
    fn a_closed_connection_tells_nothing_at_all_from_half_an_answer() {
        let mut reader = Reader::default();
        assert_eq!(reader.closed(), ReplyError::Silent);
        reader.feed(b"ok=true\n").unwrap();
        assert_eq!(reader.closed(), ReplyError::Cut(8));
    }

    #[test]
    fn what_does_not_fit_is_not_taken() {
        let refused = |bytes: &[u8]| matches!(Reader::default().feed(bytes), Err(ReplyError::Unreadable(_)));
        assert!(refused(b"ok=true\nagentDeviceProtocol=other\n\n"));
        assert!(refused(b"ok=true\nbyteLength=many\n\n"));
        assert!(refused(b"ok=true\nbyteLength=99999999999\n\n"));
        assert!(refused(b"ok=true\nbyteLength=-1\n\n"));
        assert!(refused(b"nodeCount=2\n\n"), "success must be said");
        assert!(refused(b"\n"));
        assert!(refused(b"ok=true\nx=\xff\n\n"));
        assert!(refused(&vec![b'a'; HEAD_LIMIT + 1]));
    }

    #[test]
    fn a_retained_answer_reads_like_one_that_comes_directly() {
        let reply = retained("ok=true\ninjectedEvents=3\n").unwrap();
        assert_eq!(reply.fields.number::<u32>("injectedEvents"), Some(3));
        assert!(retained("injectedEvents=3").is_err());
    }
}
