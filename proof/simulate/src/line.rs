//! One connection: a client's half of an in-memory stream, with lines that travel in pieces.

use std::{collections::BTreeMap, time::Duration};

use contract::{
    Request,
    request::{Hello, RetainedQuery, method},
};
use daemon::protocol::{read_line, request_line};
use serde_json::Value;
use tokio::{
    io::{AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf},
    time::{Instant, sleep, timeout_at},
};

use crate::{draw::Draw, plan::Pieces};

/// The identity of the build that both sides say they are.
pub const BUILD: &str = "simulated";

/// One connection.
#[derive(Debug)]
pub struct Line {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    next: u64,
    /// Replies that came while another one was waited for.
    early: BTreeMap<u64, Value>,
    partial: Vec<u8>,
    /// Requests that went over it and whose replies have not been taken: number on the line and request id.
    pub waiting: Vec<(u64, String)>,
}

impl Line {
    /// Greets the daemon; says which one answered. `None` where it is gone.
    pub async fn greet(stream: DuplexStream, until: Instant) -> Option<(Self, String)> {
        let (reader, writer) = tokio::io::split(stream);
        let mut line = Self {
            reader: BufReader::new(reader),
            writer,
            next: 0,
            early: BTreeMap::new(),
            partial: Vec::new(),
            waiting: Vec::new(),
        };
        let hello = Hello { version: contract::VERSION.to_owned(), build: Some(BUILD.to_owned()) };
        let number = line.say(method::HELLO, &hello, None).await?;
        let welcome = line.reply(number, until).await?;
        Some((line, welcome.pointer("/result/instance")?.as_str()?.to_owned()))
    }

    /// Writes a request; its number on this line, or `None` where the daemon is gone.
    pub async fn run(&mut self, request: &Request, pieces: Option<(Pieces, &mut Draw)>) -> Option<u64> {
        self.say(method::RUN, request, pieces).await
    }

    /// Asks for a retained result.
    pub async fn retained(&mut self, request_id: &str) -> Option<u64> {
        self.say(method::RETAINED, &RetainedQuery { request_id: request_id.to_owned() }, None).await
    }

    /// Writes so many hundredths of a request's line, at least one byte of it less than the whole.
    pub async fn half(&mut self, request: &Request, share: u64) {
        let text = request_line(self.next, method::RUN, request).expect("a request is JSON");
        let length = (text.len() as u64 * share / 100).clamp(1, text.len() as u64 - 1) as usize;
        let _gone = self.writer.write_all(text.as_bytes().get(..length).unwrap_or_default()).await;
    }

    async fn say(
        &mut self,
        method: &str,
        params: &impl serde::Serialize,
        pieces: Option<(Pieces, &mut Draw)>,
    ) -> Option<u64> {
        let number = self.next;
        self.next += 1;
        let text = request_line(number, method, params).expect("a request is JSON");
        let mut rest = text.as_bytes();
        if let Some((Pieces { count, pause_ms, .. }, draw)) = pieces {
            for _ in 1..count {
                let (piece, after) = rest.split_at(draw.below(rest.len() as u64) as usize);
                self.writer.write_all(piece).await.ok()?;
                sleep(Duration::from_millis(draw.below(pause_ms + 1))).await;
                rest = after;
            }
        }
        self.writer.write_all(rest).await.ok()?;
        Some(number)
    }

    /// The reply to what has this number; `None` where the daemon is gone or the time is up.
    pub async fn reply(&mut self, number: u64, until: Instant) -> Option<Value> {
        loop {
            if let Some(reply) = self.early.remove(&number) {
                return Some(reply);
            }
            let read = timeout_at(until, read_line(&mut self.reader, &mut self.partial)).await;
            let Ok(Ok(Some(()))) = read else { return None };
            let reply: Value = serde_json::from_slice(&self.partial).expect("a reply is JSON");
            self.partial.clear();
            let number = reply.get("id").and_then(Value::as_u64).unwrap_or(u64::MAX);
            self.early.insert(number, reply);
        }
    }
}
