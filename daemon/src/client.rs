//! How consumers find, start and ask the daemon. Blocking and without a runtime: a command line lives for
//! milliseconds. Who has a runtime and asks many things uses [`Client::keeping`] and [`Client::ask`].
//!
//! | module | answers |
//! | --- | --- |
//! | [`connected`] | a greeted connection: requests written, replies read |
//! | [`kept`] | which connections are kept for the next request, and when not |
//! | [`starting`] | a daemon where there is none, or of this build in the place of another |
//! | [`told`] | what a client says where no daemon does |

mod connected;
mod kept;
mod starting;
#[cfg(test)]
mod tests;
mod told;

use std::{
    io::{self, BufReader},
    os::unix::net::UnixStream,
    time::{Duration, Instant},
};

use contract::{
    Code, Command, Disclosed, Effect, Failure, Request, Response, Row, Sends,
    request::{Answer, Hello, RetainedQuery, Welcome, method},
};

pub use crate::interrupt::Interrupt;
use crate::{
    build_id, interrupt,
    protocol::request_line,
    remote::{Asking, Remote},
    state_dir::{self, StateDir},
};
use connected::{Answered, Connected};
use kept::Kept;
use told::unreachable;
pub(crate) use told::{lost, not_taken};

/// What a client waits beyond the request's own limit before it gives the daemon up.
const REPLY_MARGIN: Duration = Duration::from_secs(20);
/// How often the result of a request is asked for whose reply was lost. To ask is a read: it may be lost as well.
const ASKS: u32 = 3;

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
    /// Greeted connections for the next requests, where some are to come. Clones share them.
    kept: Option<Kept>,
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
            kept: None,
        }
    }

    /// The same for somebody who asks many things: connections are kept for a while for the next request.
    #[must_use]
    pub fn keeping(self) -> Self {
        Self { kept: Some(Kept::default()), ..self }
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
        let fresh = || {
            let mut connected = self.reach(request)?;
            let written = connected.write_request(method::RUN, request);
            Ok((connected, written))
        };
        let (mut connected, written) = match self.written_on_kept(request, usize::MAX) {
            Some(connected) => (connected, Ok(())),
            None => fresh().map_err(|failure| Disclosed::seal(failure, Some(effect), Sends::NONE))?,
        };
        connected.progress = self.progress;
        let asking = self.asking(&connected);
        let answered = written.and_then(|()| connected.answer(None, limit + self.margin));
        drop(asking);
        self.outcome(connected, answered, request, effect, limit)
    }

    /// Notes for the interrupt that a request was written; only once it is whole: one that is cut off would be none.
    fn asking(&self, connected: &Connected) -> Option<interrupt::Asking> {
        self.interrupt.as_ref().and_then(|interrupt| interrupt.asking(connected.reader.get_ref()))
    }

    /// What became of a request, where the connection that it was written to says it or not.
    fn outcome(
        &self,
        connected: Connected,
        answered: Answered,
        request: &Request,
        effect: Effect,
        limit: Duration,
    ) -> Response {
        let seal = |failure: Failure| Disclosed::seal(failure, Some(effect), Sends::NONE);
        match answered {
            Ok(response) => {
                self.keep(connected);
                response
            }
            Err((cause, false)) => Err(seal(unreachable(&format!("the request could not be written: {cause}")))),
            Err((cause, true)) => {
                let instance = connected.welcome.instance.clone();
                drop(connected);
                self.ask_again(request, &instance, effect, limit, &cause).map_err(|lost| match lost {
                    Lost::Answered(failed) => failed,
                    Lost::Failed(failure) => seal(failure),
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
            last: 0,
            spoiled: false,
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
}
