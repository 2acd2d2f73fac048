//! What `am instrument -w` prints: blocks of status facts, then the result.
//!
//! The order of keys differs between Android versions, values may span lines, and a crash ends with code 0 like a
//! success: a run succeeded only where its result says `ok=true`.

use base64::{Engine, engine::general_purpose::STANDARD};

use super::fields::{Fields, HelperError};

const STATUS: &str = "INSTRUMENTATION_STATUS:";
const STATUS_CODE: &str = "INSTRUMENTATION_STATUS_CODE:";
const RESULT: &str = "INSTRUMENTATION_RESULT:";
const CODE: &str = "INSTRUMENTATION_CODE:";
/// Printed in place of a result where the instrumentation could not be started or the system ended it.
const FAILED: [&str; 2] = ["INSTRUMENTATION_FAILED:", "INSTRUMENTATION_ABORTED:"];
/// A line longer than this is cut off, bytes: a chunk's line has 2.8 kB.
const LINE_LIMIT: usize = 1 << 20;
/// Bytes of facts that one block may have; what comes after them is passed over.
const FACTS_LIMIT: usize = 8 << 20;
/// Lines kept of what is neither status nor result, for the message of a failure.
const STRAY_LINES: usize = 8;

/// One block of facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A status record with its code: 1 for a chunk, 2 for a session that is ready.
    Status(i32, Fields),
    /// The final record with its code.
    Result(i32, Fields),
    /// The instrumentation could not be started, in the words of the system.
    NotStarted(String),
}

/// Reads the output as it comes.
#[derive(Debug, Default)]
pub struct Records {
    rest: Vec<u8>,
    status: Fields,
    result: Fields,
    last: Option<(Kind, String)>,
    stray: Vec<String>,
    facts: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Status,
    Result,
}

impl Records {
    /// Takes more of the output and returns the blocks that it completes.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Block> {
        let mut blocks = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = LINE_LIMIT.saturating_sub(self.rest.len());
            self.rest.extend_from_slice(part.get(..room).unwrap_or(part));
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.rest);
                blocks.extend(self.line(&String::from_utf8_lossy(&line)));
            }
        }
        blocks
    }

    /// The output has ended: the last line may have no line break.
    pub fn end(&mut self) -> Vec<Block> {
        let line = std::mem::take(&mut self.rest);
        if line.is_empty() { Vec::new() } else { self.line(&String::from_utf8_lossy(&line)).into_iter().collect() }
    }

    /// What was printed besides records, last lines first forgotten: an error of `am` itself.
    pub fn stray(&self) -> String {
        self.stray.join("\n")
    }

    fn line(&mut self, line: &str) -> Option<Block> {
        // A shell with a terminal ends lines with CR LF.
        let line = line.trim_end_matches('\n').trim_end_matches('\r');
        if let Some(code) = line.strip_prefix(STATUS_CODE) {
            self.last = None;
            self.facts = 0;
            return Some(match std::mem::take(&mut self.status) {
                status if code.trim() == "-1" && status.get("Error").is_some() => {
                    Block::NotStarted(status.get("Error").unwrap_or_default().to_owned())
                }
                status => Block::Status(code.trim().parse().unwrap_or(0), status),
            });
        }
        if let Some(code) = line.strip_prefix(CODE) {
            self.last = None;
            self.facts = 0;
            return Some(Block::Result(code.trim().parse().unwrap_or(0), std::mem::take(&mut self.result)));
        }
        if let Some(why) = FAILED.iter().find_map(|prefix| line.split_once(prefix)) {
            return Some(Block::NotStarted(why.1.trim().to_owned()));
        }
        for (prefix, kind) in [(STATUS, Kind::Status), (RESULT, Kind::Result)] {
            if let Some(pair) = line.strip_prefix(prefix) {
                let (key, value) = pair.strip_prefix(' ').unwrap_or(pair).split_once('=').unwrap_or((pair.trim(), ""));
                self.last = Some((kind, key.to_owned()));
                if self.has_room(line) {
                    self.fields(kind).insert(key, value);
                }
                return None;
            }
        }
        match self.last.clone() {
            Some((kind, key)) if self.has_room(line) => self.fields(kind).extend_line(&key, line),
            Some(_) => {}
            None if line.trim().is_empty() => {}
            None => {
                if self.stray.len() == STRAY_LINES {
                    self.stray.remove(0);
                }
                self.stray.push(line.to_owned());
            }
        }
        None
    }

    /// Counts a line of facts; whether it may still be kept.
    const fn has_room(&mut self, line: &str) -> bool {
        self.facts = self.facts.saturating_add(line.len() + 1);
        self.facts <= FACTS_LIMIT
    }

    const fn fields(&mut self, kind: Kind) -> &mut Fields {
        match kind {
            Kind::Status => &mut self.status,
            Kind::Result => &mut self.result,
        }
    }
}

/// A single run that succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The facts of the final record.
    pub fields: Fields,
    /// What came in chunks, joined before it is decoded: a character may be split between two.
    pub body: Vec<u8>,
}

/// Why a single run has no result to use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunError {
    /// The output ended without a final record.
    NoResult(String),
    /// The instrumentation could not be started.
    NotStarted(String),
    /// The process crashed.
    Crashed(String),
    /// The helper reports a failure.
    Failed(HelperError),
    /// The answer does not fit the protocol.
    Unreadable(String),
}

/// Collects the blocks of a single run.
#[derive(Debug, Default)]
pub struct RunReader {
    records: Records,
    chunks: Vec<Option<Vec<u8>>>,
    taken: usize,
    fault: Option<String>,
    end: Option<Result<Fields, RunError>>,
}

impl RunReader {
    /// Takes more of the output.
    pub fn feed(&mut self, bytes: &[u8]) {
        let blocks = self.records.feed(bytes);
        self.take(blocks);
    }

    /// What the run came to, once its output has ended.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn finish(mut self) -> Result<Run, RunError> {
        let blocks = self.records.end();
        self.take(blocks);
        let fields = self.end.unwrap_or_else(|| Err(RunError::NoResult(self.records.stray())))?;
        if let Some(fault) = self.fault {
            return Err(RunError::Unreadable(fault));
        }
        let count = self.chunks.len();
        let body: Option<Vec<Vec<u8>>> = self.chunks.into_iter().collect();
        let body =
            body.ok_or_else(|| RunError::Unreadable(format!("a part of the {count} of the capture is missing")))?;
        Ok(Run { fields, body: body.concat() })
    }

    fn take(&mut self, blocks: Vec<Block>) {
        for block in blocks {
            match block {
                Block::Status(_, fields) => {
                    if let Err(fault) = self.chunk(&fields) {
                        self.fault.get_or_insert(fault);
                    }
                }
                Block::Result(_, fields) => self.end = Some(judged(fields)),
                // The final record, where there is one, says more.
                Block::NotStarted(why) if self.end.is_none() => self.end = Some(Err(RunError::NotStarted(why))),
                Block::NotStarted(_) => {}
            }
        }
    }

    /// Keeps one chunk. A status record without a chunk is nothing to keep.
    fn chunk(&mut self, fields: &Fields) -> Result<(), String> {
        let Some(payload) = fields.get("payloadBase64") else { return Ok(()) };
        if let Some(name) = fields.foreign_protocol() {
            return Err(format!("a part of the capture speaks another protocol: {name}"));
        }
        let number = |key| fields.number::<usize>(key).ok_or_else(|| format!("a part of the capture without {key}"));
        let (index, count) = (number("chunkIndex")?, number("chunkCount")?);
        if index >= count || count > CHUNK_LIMIT || (!self.chunks.is_empty() && self.chunks.len() != count) {
            return Err(format!("part {index} of {count} does not fit the other {}", self.chunks.len()));
        }
        self.chunks.resize(count, None);
        let bytes = STANDARD.decode(payload.trim()).map_err(|why| format!("part {index} is no base64: {why}"))?;
        self.taken = self.taken.saturating_add(bytes.len());
        if self.taken > BODY_LIMIT {
            return Err(format!("the capture is larger than {} MiB", BODY_LIMIT >> 20));
        }
        if let Some(place) = self.chunks.get_mut(index) {
            *place = Some(bytes);
        }
        Ok(())
    }
}

/// A capture at most, bytes: as in a session's answer.
const BODY_LIMIT: usize = 64 << 20;
/// Parts that a capture comes in at most: 128 MiB in parts of 2 KiB.
const CHUNK_LIMIT: usize = 1 << 16;

fn judged(fields: Fields) -> Result<Fields, RunError> {
    if let Some(short) = fields.get("shortMsg") {
        return Err(RunError::Crashed(fields.get("longMsg").unwrap_or(short).to_owned()));
    }
    if let Some(name) = fields.foreign_protocol() {
        return Err(RunError::Unreadable(format!("the result speaks another protocol: {name}")));
    }
    match fields.flag("ok") {
        Some(true) => Ok(fields),
        Some(false) => Err(RunError::Failed(fields.error())),
        None => Err(RunError::Unreadable("the result does not say whether the run succeeded".to_owned())),
    }
}

#[cfg(test)]
mod tests;
