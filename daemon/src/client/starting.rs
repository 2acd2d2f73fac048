//! A daemon where there is none, or one of this build in the place of another.

use std::{
    fs::File,
    io,
    os::unix::net::UnixStream,
    process::{Child, Command as Process, Stdio},
    time::{Duration, Instant},
};

use contract::{Code, Failure, Row, request::method};

use super::{
    Client, DAEMON_WORD, NoConnection,
    connected::Connected,
    told::{tail, unreachable},
};
use crate::state_dir;

/// How long a daemon may take until it listens.
const START_LIMIT: Duration = Duration::from_secs(10);
/// How long a daemon that was told to stop may take to end: requests are cancelled after 3 s, then 12 s to be joined
/// and 20 s to close everything.
const STOP_LIMIT: Duration = Duration::from_secs(40);

impl Client {
    /// Ends a daemon of another build that has nothing open, and starts one of this build.
    pub(super) fn replace(&self, mut old: Connected) -> Result<Connected, Failure> {
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

    /// Starts a daemon and waits until it listens.
    pub(super) fn start_daemon(&self) -> Result<Connected, Failure> {
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
