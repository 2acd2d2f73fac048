//! Our program in a state folder of its own, by command line and by socket. Its daemon is stopped when it is dropped.

use std::{
    ffi::OsString,
    io::{self, BufRead, BufReader, Write},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use contract::{
    Command, Request,
    request::{Hello, Welcome, method},
};
use daemon::{
    protocol::{Outgoing, request_line},
    state_dir::{STATE_DIR_VARIABLE, StateDir},
};
use tempfile::TempDir;

use crate::call::{Called, Tool};

/// Overrides where the program is looked for.
const BINARY_VARIABLE: &str = "AGENT_DEVICE_BENCH_BINARY";
/// How long one request on the socket may take.
const REPLY_LIMIT: Duration = Duration::from_secs(60);

/// The program, its state folder and its daemon.
pub struct Program {
    tool: Tool,
    state: StateDir,
    /// Removed last, after the daemon has ended.
    _folder: TempDir,
}

/// The program's file.
///
/// # Errors
/// Where it is not built.
pub fn binary() -> Result<PathBuf, String> {
    let built = match std::env::var_os(BINARY_VARIABLE) {
        Some(path) => PathBuf::from(path),
        None => {
            let this = std::env::current_exe().map_err(|why| why.to_string())?;
            this.with_file_name("agent-device")
        }
    };
    if built.is_file() {
        return std::path::absolute(&built).map_err(|why| why.to_string());
    }
    Err(format!("{} is not there: cargo build --release -p cli, or set {BINARY_VARIABLE}", built.display()))
}

impl Program {
    /// With nothing running yet.
    ///
    /// # Errors
    /// Where it is not built, or no folder can be made.
    pub fn new() -> Result<Self, String> {
        Self::with(Vec::new())
    }

    /// The same with more variables in its environment.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with(mut set: Vec<(&'static str, OsString)>) -> Result<Self, String> {
        let folder = tempfile::Builder::new().prefix("adb-").tempdir().map_err(|why| why.to_string())?;
        let state = StateDir::find(Some(&folder.path().join("s")))?;
        set.push((STATE_DIR_VARIABLE, OsString::from(state.path())));
        let tool = Tool {
            program: binary()?,
            first: Vec::new(),
            set,
            unset: &["AGENT_DEVICE_SESSION", "AGENT_DEVICE_PLATFORM", "AGENT_DEVICE_WEBDRIVER_URL", "ANDROID_SERIAL"],
            folder: folder.path().to_path_buf(),
        };
        Ok(Self { tool, state, _folder: folder })
    }

    /// The command line.
    pub const fn tool(&self) -> &Tool {
        &self.tool
    }

    /// Runs a command that starts the daemon, and says its process id.
    ///
    /// # Errors
    /// Where it does not start.
    pub fn start(&self) -> Result<u32, String> {
        self.tool.must(&["session", "list"])?;
        Ok(Line::open(&self.state.socket())?.welcome.pid)
    }

    /// A connection of its own.
    ///
    /// # Errors
    /// Where the daemon does not answer.
    pub fn line(&self) -> Result<Line, String> {
        Line::open(&self.state.socket())
    }

    /// Runs a command that must work.
    ///
    /// # Errors
    /// What it said.
    pub fn must(&self, words: &[&str]) -> Result<Called, String> {
        self.tool.must(words)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Err(why) = self.tool.must(&["daemon", "stop"]) {
            crate::report::complain(&why);
        }
    }
}

/// A connection to the daemon: JSON-RPC, one object a line, one request at a time.
pub struct Line {
    reader: BufReader<UnixStream>,
    text: String,
    welcome: Welcome,
    id: u64,
}

impl Line {
    fn open(socket: &Path) -> Result<Self, String> {
        let stream = UnixStream::connect(socket).map_err(|why| format!("{}: {why}", socket.display()))?;
        stream.set_read_timeout(Some(REPLY_LIMIT)).map_err(|why| why.to_string())?;
        let welcome = Welcome {
            version: String::new(),
            build: String::new(),
            instance: String::new(),
            pid: 0,
            sessions: 0,
            accepted: false,
        };
        let mut line = Self { reader: BufReader::with_capacity(64 << 10, stream), text: String::new(), welcome, id: 0 };
        let hello = Hello { version: contract::VERSION.to_owned(), build: None };
        line.write(&request_line(line.id, method::HELLO, &hello).map_err(|why| why.to_string())?)?;
        line.read()?;
        let answer = line.parsed()?.result.ok_or("the daemon does not welcome this bench")?;
        line.welcome = serde_json::from_value(answer).map_err(|why| why.to_string())?;
        if line.welcome.accepted {
            Ok(line)
        } else {
            Err("the program and this bench are of two versions: build both".to_owned())
        }
    }

    /// Runs a command in a session; how long it took from the first byte written to the last byte read, and the answer.
    ///
    /// # Errors
    /// A reply that is lost or that belongs to another request. A command that failed is an answer, not an error.
    pub fn run(&mut self, session: &str, command: &Command) -> Result<(Duration, Outgoing), String> {
        let request =
            Request { session: Some(session.to_owned()), ..Request::new(format!("{session}-{}", self.id), command) };
        let line = request_line(self.id + 1, method::RUN, &request).map_err(|why| why.to_string())?;
        let start = Instant::now();
        self.write(&line)?;
        self.read()?;
        let took = start.elapsed();
        self.id += 1;
        self.parsed().map(|reply| (took, reply))
    }

    fn write(&mut self, line: &str) -> Result<(), String> {
        self.reader.get_mut().write_all(line.as_bytes()).map_err(|why| format!("a request could not be written: {why}"))
    }

    fn read(&mut self) -> Result<(), String> {
        self.text.clear();
        match self.reader.read_line(&mut self.text) {
            Ok(0) => Err("a reply is lost: the connection was closed".to_owned()),
            Ok(_) => Ok(()),
            Err(why) if why.kind() == io::ErrorKind::WouldBlock => {
                Err(format!("a reply is lost: nothing for {} s", REPLY_LIMIT.as_secs()))
            }
            Err(why) => Err(format!("a reply is lost: {why}")),
        }
    }

    fn parsed(&self) -> Result<Outgoing, String> {
        let reply: Outgoing = serde_json::from_str(&self.text).map_err(|why| format!("no reply: {why}"))?;
        if reply.id.as_u64() == Some(self.id) {
            Ok(reply)
        } else {
            Err(format!("the reply to {} came for {}", reply.id, self.id))
        }
    }
}
