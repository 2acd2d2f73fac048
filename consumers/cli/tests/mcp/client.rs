//! Clients that speak the protocol by hand, so that the server is judged by the bytes it writes.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

use serde_json::{Value, json};

/// Nothing here takes as long.
const LIMIT: Duration = Duration::from_secs(60);

/// A state folder, a working folder, and the daemon that the test may have started.
pub struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self { folder: tempfile::Builder::new().prefix("ad-mcp").tempdir_in("/tmp").unwrap() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn state(&self) -> PathBuf {
        self.path().join("state")
    }

    /// The program, with its own state and without what the caller's environment says.
    pub fn program(&self, words: &[&str]) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_agent-device"));
        program.args(words).current_dir(self.path()).env("AGENT_DEVICE_STATE_DIR", self.state());
        for name in ["AGENT_DEVICE_SESSION", "AGENT_DEVICE_PLATFORM", "AGENT_DEVICE_URL", "AGENT_DEVICE_TOKEN"] {
            program.env_remove(name);
        }
        program
    }

    /// What the program prints.
    pub fn says(&self, words: &[&str]) -> String {
        let output = self.program(words).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _stopped = self.program(&["daemon", "stop"]).output();
    }
}

/// A server on pipes.
pub struct Pipes {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    next: u64,
}

impl Pipes {
    /// Started and greeted.
    pub fn start(place: &Place, words: &[&str]) -> Self {
        let mut child =
            place.program(&[&["mcp"], words].concat()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { break };
                let read = serde_json::from_str(&line).unwrap_or_else(|why| panic!("{why}: {line}"));
                if sender.send(read).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        let mut server = Self { child, input, lines, next: 0 };
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
        });
        let greeted = server.ask("initialize", hello);
        assert_eq!(greeted["result"]["serverInfo"]["name"], "agent-device", "{greeted}");
        server.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        server
    }

    pub fn write(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    /// Sends a request and goes on.
    pub fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    /// The next message of the server.
    pub fn hear(&mut self) -> Value {
        self.lines.recv_timeout(LIMIT).expect("the server says something")
    }

    /// The answer to a request.
    pub fn answer(&mut self, id: u64) -> Value {
        loop {
            let heard = self.hear();
            if heard["id"] == id {
                return heard;
            }
        }
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// The result of a tool.
    pub fn call(&mut self, name: &str, args: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": name, "arguments": args}));
        assert!(answer["result"].is_object(), "{name} {args}: {answer}");
        answer["result"].clone()
    }

    /// The text of a tool's result; one that worked.
    pub fn text(&mut self, name: &str, args: Value) -> String {
        let result = self.call(name, args);
        assert_ne!(result["isError"], true, "{name}: {result}");
        text_of(&result)
    }

    /// Closes its input and waits for its end.
    pub fn end(mut self) -> Duration {
        let began = std::time::Instant::now();
        drop(self.input.take());
        // The output ends with the process.
        while self.lines.recv_timeout(LIMIT).is_ok() {}
        assert!(self.child.wait().unwrap().success());
        began.elapsed()
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// All text of a result.
pub fn text_of(result: &Value) -> String {
    let blocks = result["content"].as_array().unwrap();
    blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
}

/// A server over HTTP.
pub struct Http {
    child: Child,
    pub url: String,
}

impl Http {
    pub fn start(place: &Place, words: &[&str]) -> Self {
        let mut child = place
            .program(&[&["mcp", "--http", "127.0.0.1:0"], words].concat())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self { child, url: url.trim().to_owned() }
    }

    /// Posts a message with these headers: status, head and body.
    pub fn post(&self, message: &Value, headers: &[(&str, &str)]) -> (u16, String, String) {
        let place = self.url.strip_prefix("http://").unwrap();
        let (host, path) = place.split_once('/').unwrap();
        let body = message.to_string();
        let mut head = format!(
            "POST /{path} HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             Content-Length: {}\r\nConnection: close\r\n",
            body.len()
        );
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head.push_str(&format!("Host: {host}\r\n"));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), head.to_owned(), body.to_owned())
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}
