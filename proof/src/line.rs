//! A client that speaks lines, as any program in any language would.

use std::path::Path;

use contract::request::{Hello, method};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{
        UnixStream,
        unix::{OwnedReadHalf, OwnedWriteHalf},
    },
};

use crate::{patience::soon, recorder::Recorder, seen::Told};

/// One connection.
#[derive(Debug)]
pub struct Line {
    reader: BufReader<OwnedReadHalf>,
    writer: OwnedWriteHalf,
    next: u64,
    recorder: Recorder,
}

/// One reply line.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The id of the request that it answers.
    pub id: Value,
    /// What was answered.
    pub outcome: Result<Value, Told>,
}

impl Line {
    /// Connects without a greeting.
    pub async fn raw(socket: &Path, recorder: &Recorder) -> Self {
        let stream = soon("connecting", UnixStream::connect(socket))
            .await
            .unwrap_or_else(|why| panic!("{}: {why}", socket.display()));
        let (reader, writer) = stream.into_split();
        Self { reader: BufReader::new(reader), writer, next: 0, recorder: recorder.clone() }
    }

    /// Connects and says hello.
    pub async fn greeted(socket: &Path, recorder: &Recorder) -> Self {
        let mut line = Self::raw(socket, recorder).await;
        let hello = Hello { version: contract::VERSION.to_owned(), build: None };
        let welcome =
            line.call(method::HELLO, &hello).await.unwrap_or_else(|told| panic!("not welcome: {}", told.error));
        assert_eq!(welcome["accepted"], true, "not accepted: {welcome}");
        line
    }

    /// Writes bytes as they are. A peer that closed the connection is no failure here: it shows in the reply.
    pub async fn write(&mut self, bytes: &[u8]) {
        let _closed = soon("writing", self.writer.write_all(bytes)).await;
    }

    /// Says that nothing more is coming; replies can still be read.
    pub async fn close(&mut self) {
        // Closed by the daemon already is as good.
        let _closed = self.writer.shutdown().await;
    }

    /// Sends a request and returns its id without waiting for the reply.
    pub async fn send(&mut self, method: &str, params: &impl serde::Serialize) -> Value {
        self.next += 1;
        let id = json!(self.next);
        let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.write(format!("{line}\n").as_bytes()).await;
        id
    }

    /// The next reply; `None` where the daemon closed the connection.
    pub async fn reply(&mut self) -> Option<Reply> {
        let mut text = String::new();
        let count = soon("a reply", self.reader.read_line(&mut text)).await.ok()?;
        if count == 0 {
            return None;
        }
        let reply: Value = serde_json::from_str(&text).unwrap_or_else(|why| panic!("no JSON: {why}: {text}"));
        assert_eq!(reply["jsonrpc"], "2.0", "{reply}");
        let outcome = match reply.get("error") {
            None => Ok(reply["result"].clone()),
            Some(error) => Err(self.recorder.failure(&error["data"])),
        };
        Some(Reply { id: reply["id"].clone(), outcome })
    }

    /// One request, one reply.
    pub async fn call(&mut self, method: &str, params: &impl serde::Serialize) -> Result<Value, Told> {
        let id = self.send(method, params).await;
        let reply = self
            .reply()
            .await
            .unwrap_or_else(|| panic!("the daemon closed the connection instead of answering {method}"));
        assert_eq!(reply.id, id, "a reply to another request");
        reply.outcome
    }
}

impl Line {
    /// Connects and says hello as the program would: with its identity of the build.
    pub async fn greeted_by_program(socket: &Path, recorder: &Recorder) -> Self {
        let mut line = Self::raw(socket, recorder).await;
        let hello =
            Hello { version: contract::VERSION.to_owned(), build: Some(daemon::build_id::of(&crate::program::path())) };
        let welcome =
            line.call(method::HELLO, &hello).await.unwrap_or_else(|told| panic!("not welcome: {}", told.error));
        assert_eq!(welcome["accepted"], true, "not accepted: {welcome}");
        line
    }
}
