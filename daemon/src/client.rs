//! How consumers find, start and ask the daemon. Blocking and without a runtime: a command line lives for
//! milliseconds.

#[cfg(test)]
mod tests;
mod told;

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::net::UnixStream,
    process::{Child, Command as Process, Stdio},
    time::{Duration, Instant},
};

use contract::{
    Code, Command, Disclosed, Effect, Failure, Request, Response, Row, Sends,
    request::{Answer, Hello, LINE_LIMIT, RetainedQuery, Welcome, method},
};

pub use crate::interrupt::Interrupt;
use crate::{
    build_id,
    protocol::{Outgoing, request_line},
    remote::{Asking, Remote},
    state_dir::{self, StateDir},
};
pub(crate) use told::{lost, not_taken};
use told::{tail, unreachable};

/// How long a daemon may take until it listens.
const START_LIMIT: Duration = Duration::from_secs(10);
/// What a client waits beyond the request's own limit before it gives the daemon up.
const REPLY_MARGIN: Duration = Duration::from_secs(20);
/// How long a daemon that was told to stop may take to end: requests are cancelled after 3 s, then 12 s to be joined
/// and 20 s to close everything.
const STOP_LIMIT: Duration = Duration::from_secs(40);

/// How often the result of a request is asked for whose reply was lost. To ask is a read: it may be lost as well.
const ASKS: u32 = 3;

/// How often somebody who waits is told that the command is still running.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(3);

/// The word that makes the program run as the daemon.
pub const DAEMON_WORD: &str = "__daemon";

/// A way to the daemon of a state folder.
#[derive(Debug, Clone)]
pub struct Client {
    state: StateDir,
    /// The daemon of another machine, where that is asked.
    remote: Option<Remote>,
    build: String,
    /// Whether a daemon is started where there is none.
    pub start: bool,
    /// Told every few seconds how long the answer has been waited for.
    pub progress: Option<fn(Duration)>,
    /// How long it waits beyond a request's own limit.
    pub margin: Duration,
    /// Stops its requests.
    pub interrupt: Option<Interrupt>,
}

/// A connection that has been greeted.
struct Connected {
    reader: BufReader<UnixStream>,
    welcome: Welcome,
    progress: Option<fn(Duration)>,
}

/// What is known of a request that was sent earlier.
#[derive(Debug)]
pub enum Retained {
    /// The daemon's word for it: an answer, a failure, or that it was never seen and will not run.
    Answered(Response),
    /// It was not over when the time to wait was.
    Running,
    /// The daemon that was asked is there no more, or has no answer.
    Gone,
}

/// What became of a request whose reply was lost, where it is no answer.
enum Lost {
    /// It failed, and the daemon's word for it was found.
    Answered(Disclosed),
    /// What the client makes of it.
    Failed(Failure),
}

/// Why there is no connection.
enum NoConnection {
    /// Nobody listens.
    Nobody(io::Error),
    /// Somebody listens and does not answer properly.
    Broken(String),
}

impl Client {
    /// A client of the state folder's daemon.
    pub fn new(state: StateDir) -> Self {
        Self {
            state,
            remote: None,
            build: build_id::of_this_program(),
            start: true,
            progress: None,
            margin: REPLY_MARGIN,
            interrupt: None,
        }
    }

    /// A client of the daemon that `url` or the environment names on another machine; where neither does, of the state
    /// folder's.
    ///
    /// # Errors
    /// An address or a token that cannot be used.
    pub fn reaching(state: StateDir, url: Option<&str>) -> Result<Self, Failure> {
        let remote = Remote::named(url, &state)?;
        Ok(Self { remote, ..Self::new(state) })
    }

    /// Whether another machine's daemon is asked: it does not notice that its caller goes away.
    pub const fn is_remote(&self) -> bool {
        self.remote.is_some()
    }

    /// Sends one request and waits for its answer. `effect` is the command's; `limit` its time limit.
    ///
    /// A reply that is lost is asked for again by the request's id, without running anything; where no daemon can
    /// answer for it any more, the failure is `unknown` (`no` for a command that only reads).
    pub fn run(&self, request: &Request, effect: Effect, limit: Duration) -> Response {
        if let Some(remote) = &self.remote {
            let asking = Asking { margin: self.margin, progress: self.progress, interrupt: self.interrupt.as_ref() };
            return remote.run(request, effect, limit, asking);
        }
        let seal = |failure: Failure, sends| Disclosed::seal(failure, Some(effect), sends);
        let mut connected = self.reach(request).map_err(|failure| seal(failure, Sends::NONE))?;
        let instance = connected.welcome.instance.clone();
        connected.progress = self.progress;
        let asked = connected.write_request(method::RUN, request);
        // Once it is written whole: a request that is cut off would be none.
        let asking = self.interrupt.as_ref().and_then(|interrupt| interrupt.asking(connected.reader.get_ref()));
        let asked = asked.and_then(|()| connected.answer(None, limit + self.margin));
        drop(asking);
        match asked {
            Ok(response) => response,
            Err((cause, false)) => {
                Err(seal(unreachable(&format!("the request could not be written: {cause}")), Sends::NONE))
            }
            Err((cause, true)) => {
                self.ask_again(request, &instance, effect, limit, &cause).map_err(|lost| match lost {
                    Lost::Answered(failed) => failed,
                    Lost::Failed(failure) => seal(failure, Sends::NONE),
                })
            }
        }
    }

    /// The state folder.
    pub const fn state(&self) -> &StateDir {
        &self.state
    }

    /// Greets the daemon, started where there is none.
    ///
    /// # Errors
    /// It cannot be started or reached, or is another build's and in use.
    pub fn greet(&self) -> Result<Welcome, Failure> {
        let starting = Command::Daemon(contract::command::Daemon { action: contract::command::DaemonAction::Start });
        self.reach(&Request::new("greeting", &starting)).map(|connected| connected.welcome)
    }

    /// The result of a request that was sent earlier, waited for where it still runs. Runs nothing and starts nothing.
    pub fn retained(&self, request_id: &str, instance: Option<&str>, limit: Duration) -> Retained {
        let deadline = Instant::now() + limit;
        let query = RetainedQuery { request_id: request_id.to_owned() };
        for _ in 0..ASKS {
            let mut connected = match self.connect() {
                Ok(connected) if instance.is_none_or(|instance| instance == connected.welcome.instance) => connected,
                Ok(_) | Err(NoConnection::Nobody(_)) => return Retained::Gone,
                Err(NoConnection::Broken(_)) => continue,
            };
            let left = deadline.saturating_duration_since(Instant::now());
            match connected.ask(method::RETAINED, &query, Some(&query.request_id), left) {
                Ok(response) => return Retained::Answered(response),
                Err(_) if Instant::now() >= deadline => return Retained::Running,
                Err(_) => {}
            }
        }
        Retained::Gone
    }

    /// Asks the same daemon, if it still lives, for the result of a request whose reply was lost.
    fn ask_again(
        &self,
        request: &Request,
        instance: &str,
        effect: Effect,
        limit: Duration,
        cause: &str,
    ) -> Result<Answer, Lost> {
        let deadline = Instant::now() + limit + self.margin;
        let query = RetainedQuery { request_id: request.request_id.clone() };
        for _ in 0..ASKS {
            if Instant::now() >= deadline {
                break;
            }
            let mut connected = match self.connect() {
                Ok(connected) if connected.welcome.instance == instance => connected,
                Ok(_) | Err(NoConnection::Nobody(_)) => break,
                Err(NoConnection::Broken(_)) => continue,
            };
            match connected.ask(
                method::RETAINED,
                &query,
                Some(&query.request_id),
                deadline.saturating_duration_since(Instant::now()),
            ) {
                // It lives, has never seen the request, and will not run it: looks are not kept, so they may have run.
                Ok(Err(failed)) if failed.failure().reason_str() == Some("not_seen") => {
                    return Err(Lost::Failed(if effect == Effect::Observes {
                        lost(effect, cause)
                    } else {
                        not_taken(cause)
                    }));
                }
                Ok(response) => return response.map_err(Lost::Answered),
                Err(_) => {}
            }
        }
        Err(Lost::Failed(lost(effect, cause)))
    }

    /// A greeted connection to a daemon of this build, started where there is none.
    fn reach(&self, request: &Request) -> Result<Connected, Failure> {
        let connected = match self.connect() {
            Ok(connected) => connected,
            Err(NoConnection::Nobody(why)) if !self.start => {
                return Err(unreachable(&format!("no daemon is running ({why})")));
            }
            Err(NoConnection::Nobody(_)) => self.start_daemon()?,
            Err(NoConnection::Broken(why)) => return Err(unreachable(&why)),
        };
        // An old daemon can be told to stop whatever its build.
        let any_build = request.command == "daemon" && request.args.get("action").is_none_or(|word| word != "start");
        if connected.welcome.accepted || any_build {
            return Ok(connected);
        }
        if connected.welcome.sessions > 0 || !self.start {
            let Welcome { version, pid, sessions, .. } = &connected.welcome;
            return Err(Failure::refused(
                Row::ClientVersionMismatch,
                Code::VersionMismatch,
                format!("the running daemon (pid {pid}) is another build ({version}) and has {sessions} open session(s); this is {}", contract::VERSION),
            )
            .reason("version_mismatch"));
        }
        self.replace(connected)
    }

    /// Ends a daemon of another build that has nothing open, and starts one of this build.
    fn replace(&self, mut old: Connected) -> Result<Connected, Failure> {
        let stop = serde_json::json!({"requestId": format!("replace-{}", std::process::id()), "command": "daemon", "args": {"action": "stop"}});
        // Its answer may be of another version: what counts is that the socket goes away.
        let _answer = old.ask(method::RUN, &stop, None, STOP_LIMIT);
        drop(old);
        if !self.wait_until_gone() {
            return Err(unreachable("the old daemon does not end"));
        }
        self.start_daemon()
    }

    /// Waits until nobody listens and nobody holds the state folder; says whether that came about in time.
    pub fn wait_until_gone(&self) -> bool {
        let deadline = Instant::now() + STOP_LIMIT;
        let mut pause = Duration::from_millis(1);
        loop {
            let listens = UnixStream::connect(self.state.socket()).is_ok();
            if !listens && !self.is_held() {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            self.wait(&mut pause);
        }
    }

    /// Whether a daemon has the state folder: one that runs, is just starting, or just ending.
    fn is_held(&self) -> bool {
        File::options().write(true).open(self.state.lock()).is_ok_and(|lock| lock.try_lock().is_err())
    }

    fn connect(&self) -> Result<Connected, NoConnection> {
        let socket = self.state.socket();
        // Not to whoever put a socket there: what is typed would go to them.
        match socket.parent().map_or(Ok(()), state_dir::own) {
            Err(why) if why.kind() == io::ErrorKind::PermissionDenied => {
                return Err(NoConnection::Broken(format!("{why}: nothing was said to what listens there")));
            }
            Err(why) => return Err(NoConnection::Nobody(why)),
            Ok(()) => {}
        }
        let stream = UnixStream::connect(socket).map_err(NoConnection::Nobody)?;
        let broken = |why: String| NoConnection::Broken(format!("the daemon does not answer: {why}"));
        let mut connected = Connected {
            reader: BufReader::with_capacity(64 << 10, stream),
            progress: None,
            welcome: Welcome {
                version: String::new(),
                build: String::new(),
                instance: String::new(),
                pid: 0,
                sessions: 0,
                accepted: false,
            },
        };
        let hello = Hello { version: contract::VERSION.to_owned(), build: Some(self.build.clone()) };
        let line = request_line(0, method::HELLO, &hello).map_err(|why| broken(why.to_string()))?;
        match connected.write(&line) {
            // A daemon that is just ending closes what it has accepted: the same as nobody.
            Err(why) if matches!(why.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset) => {
                return Err(NoConnection::Nobody(why));
            }
            Err(why) => return Err(broken(why.to_string())),
            Ok(()) => {}
        }
        let reply = match connected.reply(0, Duration::from_secs(5)) {
            Ok(Some(reply)) => reply,
            Ok(None) => return Err(NoConnection::Nobody(io::ErrorKind::UnexpectedEof.into())),
            // What a daemon leaves that is killed before it has read the greeting.
            Err(why) if why.kind() == io::ErrorKind::ConnectionReset => return Err(NoConnection::Nobody(why)),
            Err(why) => return Err(broken(why.to_string())),
        };
        let welcome = reply.result.ok_or_else(|| broken("it refused the greeting".into()))?;
        connected.welcome = serde_json::from_value(welcome).map_err(|why| broken(why.to_string()))?;
        Ok(connected)
    }

    /// Starts a daemon and waits until it listens.
    fn start_daemon(&self) -> Result<Connected, Failure> {
        let path = self.state.path();
        let storage = |why: io::Error| {
            Failure::refused(Row::ClientDaemonNotStarted, Code::StorageFailed, format!("{}: {why}", path.display()))
                .reason("state_unwritable")
                .hint(format!("make room or give access, or set another folder: {}", state_dir::STATE_DIR_VARIABLE))
        };
        self.state.create().map_err(storage)?;
        let log = File::options().create(true).append(true).open(self.state.log()).map_err(storage)?;
        let logged = log.metadata().map_or(0, |file| file.len());
        let mut child = self.spawn(log).map_err(|why| unreachable(&format!("the daemon cannot be started: {why}")))?;
        let mut deadline = Instant::now() + START_LIMIT;
        let last = Instant::now() + STOP_LIMIT;
        let mut pause = Duration::from_micros(500);
        loop {
            let why = match self.connect() {
                Ok(connected) => return Ok(connected),
                Err(NoConnection::Nobody(why)) => why.to_string(),
                Err(NoConnection::Broken(why)) => why,
            };
            let ended = child.try_wait().ok().flatten();
            let not_needed = ended.is_some_and(|status| status.success());
            if not_needed && self.is_held() {
                // It found the folder taken: by one that is just starting, or by one that is just ending.
                deadline = (Instant::now() + START_LIMIT).min(last);
            } else if not_needed {
                let log = File::options().create(true).append(true).open(self.state.log()).map_err(storage)?;
                child = self.spawn(log).map_err(|why| unreachable(&format!("the daemon cannot be started: {why}")))?;
            }
            let ended = ended.filter(|status| !status.success());
            if ended.is_some() || Instant::now() >= deadline {
                let said = tail(&self.state.log(), logged);
                let how = ended.map_or_else(
                    || format!("does not listen after {} s ({why})", START_LIMIT.as_secs()),
                    |status| format!("ended with {status}"),
                );
                return Err(unreachable(&format!("the daemon {how}{}{said}", if said.is_empty() { "" } else { ": " })));
            }
            self.wait(&mut pause);
        }
    }

    fn spawn(&self, log: File) -> io::Result<Child> {
        let mut process = Process::new(std::env::current_exe()?);
        process
            .arg(DAEMON_WORD)
            .env(state_dir::STATE_DIR_VARIABLE, self.state.path())
            // Two arenas are enough for a few threads, and keep the daemon small.
            .env("MALLOC_ARENA_MAX", "2")
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        process.spawn()
    }

    /// A pause between two tries, doubling up to 20 ms.
    #[expect(clippy::disallowed_methods, reason = "a client without a runtime, between two tries of a bounded wait")]
    fn wait(&self, pause: &mut Duration) {
        std::thread::sleep(*pause);
        *pause = (*pause * 2).min(Duration::from_millis(20));
    }
}

impl Connected {
    fn write(&mut self, line: &str) -> io::Result<()> {
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
            match self.reader.by_ref().take(LINE_LIMIT as u64 * 4).read_until(b'\n', &mut line) {
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
    fn reply(&mut self, id: u64, limit: Duration) -> io::Result<Option<Outgoing>> {
        let end = Instant::now() + limit;
        loop {
            match self.read(end.saturating_duration_since(Instant::now()))? {
                Some(reply) if !reply.id.is_null() && reply.id != id => {}
                other => return Ok(other),
            }
        }
    }

    /// One request, one reply. `of` is the request whose outcome is asked for: a reply that is not about it (a refusal of
    /// the question itself) is none. The error says whether the request may have been read.
    fn ask(
        &mut self,
        method: &str,
        params: &impl serde::Serialize,
        of: Option<&str>,
        limit: Duration,
    ) -> Result<Response, (String, bool)> {
        self.write_request(method, params)?;
        self.answer(of, limit)
    }

    fn write_request(&mut self, method: &str, params: &impl serde::Serialize) -> Result<(), (String, bool)> {
        let line = request_line(1, method, params).map_err(|why| (why.to_string(), false))?;
        // A line that was written in part has no end: the daemon cannot have taken it for a request.
        self.write(&line).map_err(|why| (why.to_string(), false))
    }

    /// The reply to what was written.
    fn answer(&mut self, of: Option<&str>, limit: Duration) -> Result<Response, (String, bool)> {
        match self.reply(1, limit) {
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
}
