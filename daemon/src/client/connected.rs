//! A connection that has been greeted: requests written, replies read.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::net::UnixStream,
    time::{Duration, Instant},
};

use contract::{
    Response,
    request::{Answer, LINE_LIMIT, Welcome},
};

use crate::protocol::{Outgoing, request_line};

/// How often somebody who waits is told that the command is still running.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(3);
/// Bytes of a reply at most.
const REPLY_LIMIT: usize = LINE_LIMIT * 4;
/// Room for a reply at first, where nothing buffers.
const CHUNK: usize = 8 << 10;

/// A reply, or why there is none and whether the request may have been read.
pub(super) type Answered = Result<Response, (String, bool)>;

/// A connection that has been greeted.
pub(super) struct Connected {
    pub(super) reader: BufReader<UnixStream>,
    /// The id of the last request.
    pub(super) last: u64,
    /// Whether something came that nobody asked for: it is not used again.
    pub(super) spoiled: bool,
    pub(super) welcome: Welcome,
    pub(super) progress: Option<fn(Duration)>,
}

impl Connected {
    pub(super) fn write(&mut self, line: &str) -> io::Result<()> {
        self.reader.get_mut().write_all(line.as_bytes())
    }

    /// Reads one line within the limit; `None` at the end of the stream.
    fn read(&mut self, limit: Duration) -> io::Result<Option<Outgoing>> {
        let began = Instant::now();
        let mut line = Vec::new();
        loop {
            let left = limit.saturating_sub(began.elapsed());
            let pause = if self.progress.is_some() { left.min(PROGRESS_INTERVAL) } else { left };
            if pause.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.reader.get_ref().set_read_timeout(Some(pause))?;
            // What came before a pause ran out stays in the line.
            match self.reader.by_ref().take(REPLY_LIMIT as u64).read_until(b'\n', &mut line) {
                Ok(_) => break,
                Err(why) if matches!(why.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    if let Some(progress) = self.progress {
                        progress(began.elapsed());
                    }
                }
                Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
                Err(why) => return Err(why),
            }
        }
        if line.last() != Some(&b'\n') {
            return Ok(None);
        }
        serde_json::from_slice(&line).map(Some).map_err(io::Error::other)
    }

    /// Reads on until the reply to a request comes; `None` at the end of the stream. A reply without an id is about a
    /// line that the daemon could not read, and there is only one that it can be about. A reply to another request
    /// (one that came twice) says nothing of this one.
    pub(super) fn reply(&mut self, id: u64, limit: Duration) -> io::Result<Option<Outgoing>> {
        let end = Instant::now() + limit;
        loop {
            match self.read(end.saturating_duration_since(Instant::now()))? {
                Some(reply) if !reply.is_about(id) => {}
                other => return Ok(other),
            }
        }
    }

    /// One request, one reply. `of` is the request whose outcome is asked for: a reply that is not about it (a refusal of
    /// the question itself) is none. The error says whether the request may have been read.
    pub(super) fn ask(
        &mut self,
        method: &str,
        params: &impl serde::Serialize,
        of: Option<&str>,
        limit: Duration,
    ) -> Answered {
        self.write_request(method, params)?;
        self.answer(of, limit)
    }

    /// The next request as a line. Each has another id: a late or doubled reply to an earlier one says nothing of this one.
    pub(super) fn line(&mut self, method: &str, params: &impl serde::Serialize) -> serde_json::Result<String> {
        self.last += 1;
        request_line(self.last, method, params)
    }

    pub(super) fn write_request(&mut self, method: &str, params: &impl serde::Serialize) -> Result<(), (String, bool)> {
        let line = self.line(method, params).map_err(|why| (why.to_string(), false))?;
        // A line that was written in part has no end: the daemon cannot have taken it for a request.
        self.write(&line).map_err(|why| (why.to_string(), false))
    }

    /// The reply to what was written.
    pub(super) fn answer(&mut self, of: Option<&str>, limit: Duration) -> Answered {
        let reply = self.reply(self.last, limit);
        answered(reply, of)
    }

    /// The same within a runtime: no thread waits for it.
    pub(super) async fn answer_awaited(&mut self, limit: Duration) -> Answered {
        let reply = tokio::time::timeout(limit, self.reply_awaited(self.last)).await;
        answered(reply.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())), None)
    }

    /// Where it fails, the connection is of no use any more.
    async fn reply_awaited(&mut self, id: u64) -> io::Result<Option<Outgoing>> {
        let stream = self.reader.get_ref();
        stream.set_nonblocking(true)?;
        let awaited = tokio::net::UnixStream::from_std(stream.try_clone()?)?;
        let mut line = Vec::with_capacity(CHUNK);
        loop {
            awaited.readable().await?;
            let new = line.len();
            match awaited.try_read_buf(&mut line) {
                Ok(0) => return Ok(None),
                Ok(_) => {}
                Err(why) if matches!(why.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => continue,
                Err(why) => return Err(why),
            }
            if line.len() > REPLY_LIMIT {
                return Err(io::Error::other("a reply without an end"));
            }
            if !line.get(new..).unwrap_or_default().contains(&b'\n') {
                continue;
            }
            while let Some(end) = line.iter().position(|byte| *byte == b'\n') {
                let rest = line.split_off(end + 1);
                let reply: Outgoing = serde_json::from_slice(&line).map_err(io::Error::other)?;
                line = rest;
                if reply.is_about(id) {
                    self.spoiled = !line.is_empty();
                    self.reader.get_ref().set_nonblocking(false)?;
                    return Ok(Some(reply));
                }
            }
        }
    }
}

/// What a reply says.
fn answered(reply: io::Result<Option<Outgoing>>, of: Option<&str>) -> Answered {
    match reply {
        Ok(Some(reply)) if reply.of.as_deref() != of => Err(("a reply about something else".to_owned(), true)),
        Ok(Some(reply)) => match (reply.result, reply.error) {
            (_, Some(error)) => Ok(Err(error.data)),
            (Some(result), None) => {
                serde_json::from_value::<Answer>(result).map(Ok).map_err(|why| (why.to_string(), true))
            }
            (None, None) => Err(("a reply that says nothing".to_owned(), true)),
        },
        Ok(None) => Err(("the connection was closed".to_owned(), true)),
        Err(why) => Err((why.to_string(), true)),
    }
}
