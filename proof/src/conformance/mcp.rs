//! The MCP server on its standard input and output: one line for each message.

use std::{collections::BTreeSet, process::Stdio, time::Duration};

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout},
};

use super::{Step, Surface};
use crate::{patience::soon, program::Program};

/// The server, greeted.
#[derive(Debug)]
pub struct Mcp {
    child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    tools: BTreeSet<String>,
    next: u64,
}

impl Mcp {
    /// Starts `agent-device mcp` with these words more.
    pub async fn start(program: &Program, words: &[&str]) -> Self {
        let mut child = program
            .call(&[&["mcp"], words].concat())
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("it is a pipe");
        let lines = BufReader::new(child.stdout.take().expect("it is a pipe")).lines();
        let mut server = Self { child, input, lines, tools: BTreeSet::new(), next: 0 };
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "proof", "version": "1"},
        });
        server.ask("initialize", hello).await;
        server.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        let listed = server.ask("tools/list", json!({})).await;
        let names = listed["tools"].as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str());
        server.tools = names.map(str::to_owned).collect();
        server
    }

    async fn write(&mut self, message: &Value) {
        let line = format!("{message}\n");
        soon("the server to read", self.input.write_all(line.as_bytes())).await.expect("the server reads");
    }

    /// Sends a request and goes on.
    pub async fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params})).await;
        self.next
    }

    /// The result of a request. What else the server says meanwhile is passed over.
    pub async fn answer(&mut self, id: u64) -> Value {
        loop {
            let line = soon("the server's answer", self.lines.next_line()).await.expect("its output can be read");
            let line = line.expect("the server lives");
            let mut heard: Value = serde_json::from_str(&line).unwrap_or_else(|why| panic!("{why}: {line}"));
            if heard["id"] == id {
                assert!(heard["result"].is_object(), "{heard}");
                return heard["result"].take();
            }
        }
    }

    /// Sends a request and waits for its result.
    pub async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        self.answer(id).await
    }

    /// The result of a tool, with its data.
    pub async fn tool(&mut self, name: &str, args: Value) -> Value {
        self.ask("tools/call", json!({"name": name, "arguments": args, "_meta": {"agent-device/data": true}})).await
    }

    /// The client does not want the answer any more.
    pub async fn cancel(&mut self, id: u64) {
        let params = json!({"requestId": id, "reason": "enough"});
        self.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await;
    }

    /// Closes its input and waits for its end.
    pub async fn end(self) {
        let Self { mut child, input, mut lines, .. } = self;
        drop(input);
        while soon("the server's end", lines.next_line()).await.is_ok_and(|line| line.is_some()) {}
        let ended = soon("the server's end", child.wait()).await.expect("it can be waited for");
        assert!(ended.success(), "{ended}");
    }
}

/// The data of a tool's result, or its failure.
pub fn outcome(result: &Value) -> Result<Value, Value> {
    let data = &result["structuredContent"];
    match result["isError"] == true {
        true => Err(data["error"].clone()),
        false => Ok(data.clone()),
    }
}

#[async_trait]
impl Surface for Mcp {
    fn offers(&self, need: &str) -> bool {
        ["timeout", "cancel", "requestId", "anyCommand"].contains(&need)
    }

    async fn call(&mut self, session: &str, step: &Step) -> Result<Value, Value> {
        let mut meta = json!({"agent-device/data": true});
        if let Some(id) = &step.request_id {
            meta["agent-device/requestId"] = json!(id);
        }
        if let Some(limit) = step.timeout_ms {
            meta["agent-device/timeoutMs"] = json!(limit);
        }
        let mut args = step.args.clone();
        args["session"] = json!(session);
        if let Some(device) = &step.device {
            args["device"] = json!(device);
        }
        let (name, args) = match self.tools.contains(&step.command) {
            true => (step.command.as_str(), args),
            false => ("more", json!({"command": step.command, "args": args})),
        };
        let id = self.send("tools/call", json!({"name": name, "arguments": args, "_meta": meta})).await;
        let Some(after) = step.cancel_after_ms else { return outcome(&self.answer(id).await) };
        // The case asks for this time: it is when its caller has enough.
        tokio::time::sleep(Duration::from_millis(after)).await;
        self.cancel(id).await;
        let next = self.tool("session", json!({"action": "list"})).await;
        let joined = &next["_meta"]["agent-device/cancelled"][0];
        match joined["error"].is_object() {
            true => Err(joined["error"].clone()),
            false => Ok(joined["data"].clone()),
        }
    }
}
