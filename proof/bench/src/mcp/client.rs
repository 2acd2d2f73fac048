//! A client on the pipes of a server: one request at a time, timed from the request written to the answer read.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::call::Tool;

/// No call takes longer: the npm tool bounds its own at 90 s.
const LIMIT: Duration = Duration::from_secs(120);
/// A server whose input has ended has this long to end.
const END_LIMIT: Duration = Duration::from_secs(10);

/// A server that was greeted.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
    /// From the start of its process to its answer to the greeting.
    pub ready: Duration,
}

impl Client {
    /// Starts a server and greets it.
    ///
    /// # Errors
    /// Where it does not start or does not answer.
    pub fn start(tool: &Tool, words: &[&str]) -> Result<Self, String> {
        let mut command = Command::new(&tool.program);
        command.args(&tool.first).args(words).current_dir(&tool.folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        for name in tool.unset {
            command.env_remove(name);
        }
        command.envs(tool.set.iter().map(|(name, value)| (name, value)));
        let start = Instant::now();
        let mut child = command.spawn().map_err(|why| format!("{}: {why}", tool.program.display()))?;
        let output = child.stdout.take().ok_or("a server without output")?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::with_capacity(1 << 20, output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        let mut client = Self { child, input, lines, next: 0, ready: Duration::ZERO };
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"},
        });
        client.ask("initialize", hello)?;
        client.ready = start.elapsed();
        client.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(client)
    }

    /// Process id of the server.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    fn write(&mut self, message: &Value) -> Result<(), String> {
        let input = self.input.as_mut().ok_or("the server's input was closed")?;
        input.write_all(format!("{message}\n").as_bytes()).map_err(|why| why.to_string())
    }

    /// The result of a request, and how long it took.
    ///
    /// # Errors
    /// An error of the protocol, or silence.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<(Value, Duration), String> {
        self.next += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        let start = Instant::now();
        self.write(&request)?;
        loop {
            let line = self.lines.recv_timeout(LIMIT).map_err(|why| format!("{method}: {why}"))?;
            let took = start.elapsed();
            let mut answer: Value = serde_json::from_str(&line).map_err(|why| format!("{method}: {why}"))?;
            if answer.get("id").and_then(Value::as_u64) != Some(self.next) {
                continue;
            }
            return match answer.get_mut("result") {
                Some(result) => Ok((result.take(), took)),
                None => Err(format!("{method}: {answer}")),
            };
        }
    }

    /// The result of a tool, whether it worked or not.
    ///
    /// # Errors
    /// As [`Self::ask`].
    pub fn call(&mut self, name: &str, args: Value) -> Result<(Value, Duration), String> {
        self.ask("tools/call", json!({"name": name, "arguments": args}))
    }

    /// The result of a tool that worked.
    ///
    /// # Errors
    /// What the tool said where it did not.
    pub fn must(&mut self, name: &str, args: Value) -> Result<(Value, Duration), String> {
        let (result, took) = self.call(name, args)?;
        match result.get("isError").and_then(Value::as_bool) {
            Some(true) => Err(format!("{name}: {}", text(&result))),
            _ => Ok((result, took)),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.input.take());
        let deadline = Instant::now() + END_LIMIT;
        // Its output ends with it.
        while Instant::now() < deadline && self.lines.recv_timeout(END_LIMIT).is_ok() {}
        let _gone_already = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// All text of a result: what a model reads.
pub fn text(result: &Value) -> String {
    let blocks = result.get("content").and_then(Value::as_array);
    let texts = blocks.into_iter().flatten().filter_map(|block| block.get("text")?.as_str());
    texts.collect::<Vec<_>>().join("\n")
}
