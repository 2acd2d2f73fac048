//! JSON-RPC 2.0, one object a line: reading requests, writing replies. Daemon and client share it.

use contract::{Code, Disclosed, Failure, Row, request::LINE_LIMIT};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// JSON-RPC's error code for a failure of the method itself; the failure is in `data`.
const FAILED: i32 = -32000;

/// A request line.
#[derive(Debug, Deserialize)]
pub struct Incoming {
    /// Echoed in the reply; absent in a notification.
    #[serde(default)]
    pub id: Value,
    /// See [`contract::request::method`].
    pub method: String,
    /// The method's own.
    #[serde(default)]
    pub params: Value,
}

/// A reply line, as a client reads it.
#[derive(Debug, Deserialize)]
pub struct Outgoing {
    /// That of the request.
    #[serde(default)]
    pub id: Value,
    /// What the method answers.
    #[serde(default)]
    pub result: Option<Value>,
    /// What went wrong.
    #[serde(default)]
    pub error: Option<RpcError>,
    /// Whose outcome this is, by its request's id, where it was asked for by that.
    #[serde(default)]
    pub of: Option<String>,
}

/// JSON-RPC's error object.
#[derive(Debug, Deserialize)]
pub struct RpcError {
    /// The failure.
    pub data: Disclosed,
}

impl Outgoing {
    /// Whether it is the reply to a request. One without an id is about a line that the daemon could not read.
    pub fn is_about(&self, id: u64) -> bool {
        self.id.is_null() || self.id == id
    }
}

/// A request as a line. Nothing is copied into a tree first.
pub fn request_line(id: u64, method: &str, params: &impl Serialize) -> Result<String, serde_json::Error> {
    #[derive(Serialize)]
    struct Line<'a, T> {
        jsonrpc: &'static str,
        id: u64,
        method: &'a str,
        params: &'a T,
    }
    serde_json::to_string(&Line { jsonrpc: "2.0", id, method, params }).map(|line| line + "\n")
}

/// A reply as a line. Borrowed parts are written as they are, nothing is copied into a tree first. `of` is the request
/// whose outcome it is, where that was asked for.
pub fn reply_line<T: Serialize>(id: &Value, of: Option<&str>, outcome: &Result<T, Disclosed>) -> String {
    #[derive(Serialize)]
    struct Done<'a, T> {
        jsonrpc: &'static str,
        id: &'a Value,
        #[serde(skip_serializing_if = "Option::is_none")]
        of: Option<&'a str>,
        result: &'a T,
    }
    #[derive(Serialize)]
    struct Failed<'a> {
        jsonrpc: &'static str,
        id: &'a Value,
        #[serde(skip_serializing_if = "Option::is_none")]
        of: Option<&'a str>,
        error: ErrorOut<'a>,
    }
    #[derive(Serialize)]
    struct ErrorOut<'a> {
        code: i32,
        message: &'a str,
        data: &'a Disclosed,
    }
    let line = match outcome {
        Ok(result) => serde_json::to_string(&Done { jsonrpc: "2.0", id, of, result }),
        Err(failure) => serde_json::to_string(&Failed {
            jsonrpc: "2.0",
            id,
            of,
            error: ErrorOut { code: FAILED, message: &failure.failure().message, data: failure },
        }),
    };
    let mut line = line.unwrap_or_else(|why| {
        json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": why.to_string(), "data":
            {"code": "INTERNAL", "message": why.to_string(), "details": {"dispatched": "unknown"}}}})
        .to_string()
    });
    line.push('\n');
    line
}

/// Appends one line of at most [`LINE_LIMIT`] bytes, its end included; `None` at the end of the stream. What stands
/// there without an end is no line: its sender could not write it whole. Nothing is lost where this is given up and
/// called again with the same buffer.
///
/// # Errors
/// `INVALID_ARGS` for a line that is too long (the connection is of no use afterwards), `COMMAND_FAILED` for one that
/// cannot be read.
pub async fn read_line(reader: &mut (impl AsyncBufRead + Unpin), line: &mut Vec<u8>) -> Result<Option<()>, Failure> {
    loop {
        let chunk = match reader.fill_buf().await {
            Ok(chunk) => chunk,
            Err(why) => {
                let message = format!("the connection broke: {why}");
                return Err(Failure::refused(Row::DaemonProtocolBadLine, Code::CommandFailed, message));
            }
        };
        if chunk.is_empty() {
            return Ok(None);
        }
        let (taken, ended) = match chunk.iter().position(|byte| *byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (chunk.len(), false),
        };
        line.extend_from_slice(chunk.get(..taken).unwrap_or_default());
        reader.consume(taken);
        if line.len() > LINE_LIMIT {
            return Err(Failure::refused(
                Row::DaemonProtocolLineTooLong,
                Code::InvalidArgs,
                format!("a request of more than {} MiB", LINE_LIMIT >> 20),
            )
            .reason("line_too_long")
            .hint("send less in one request"));
        }
        if ended {
            return Ok(Some(()));
        }
    }
}

/// Takes a line for a request.
///
/// # Errors
/// `INVALID_ARGS` saying where the JSON ends to be JSON, or what is missing.
pub fn parse(line: &[u8]) -> Result<Incoming, Failure> {
    serde_json::from_slice(line).map_err(|why| {
        Failure::refused(Row::DaemonProtocolBadLine, Code::InvalidArgs, format!("not a JSON-RPC request: {why}"))
            .reason("bad_line")
            .hint("one JSON object a line: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"run\",\"params\":{...}}")
    })
}
