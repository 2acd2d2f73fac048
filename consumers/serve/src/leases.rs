//! Whose sessions and files they are, and how long they live: a lease ends when nothing is asked under it any more.

use std::{
    collections::{BTreeSet, HashMap},
    fs, io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use contract::{
    Code, Command, Effect, Failure, Request, Row,
    command::Close,
    hop::{LEASE_MS, LEASE_MS_RANGE, Standing},
};
use daemon::{
    client::{Client, Interrupt},
    log,
    state_dir::fnv,
};
use tokio::sync::watch;

use crate::{files, sessions::Owners};

/// Leases at a time.
const LEASES: usize = 256;
/// How long one session may take to close.
const CLOSING: Duration = Duration::from_secs(30);
/// How often it is looked for leases that have run out.
pub const LOOK: Duration = Duration::from_millis(500);
/// How long a request waits for the end of an earlier lease of its id.
const ENDING: Duration = Duration::from_secs(60);

/// All leases.
#[derive(Debug)]
pub struct Leases {
    /// To the daemon.
    pub client: Client,
    /// Which session is whose.
    pub owners: Owners,
    root: PathBuf,
    next: AtomicU64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    leases: HashMap<String, Arc<Lease>>,
    /// Being closed; their ids begin again afterwards.
    ending: HashMap<String, watch::Receiver<()>>,
    stopping: bool,
}

/// One lease.
#[derive(Debug)]
pub struct Lease {
    /// The client's name for it.
    pub id: String,
    /// Another for each, also of the same id.
    pub number: u64,
    /// Its files.
    pub folder: PathBuf,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    ms: u64,
    seen: Instant,
    /// Requests under way whose client is still there.
    here: usize,
    /// Commands under way, also of clients that are gone: how to stop them, and how many go by that id.
    running: HashMap<String, (Interrupt, usize)>,
    sessions: BTreeSet<String>,
}

/// A request of a lease: it lives for as long as somebody waits for an answer.
#[derive(Debug)]
pub struct Held(Arc<Lease>);

/// A command under way; forgotten when dropped.
#[derive(Debug)]
pub struct Running {
    lease: Arc<Lease>,
    id: String,
    /// Stops it.
    pub interrupt: Interrupt,
}

impl Leases {
    /// None yet. What an earlier server left in `root` is removed.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn new(client: Client, root: PathBuf) -> io::Result<Self> {
        match fs::remove_dir_all(&root) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
            _ => {}
        }
        private_folder(&root)?;
        Ok(Self { client, owners: Owners::default(), root, next: AtomicU64::new(1), state: Mutex::default() })
    }

    /// The lease of a request, begun where there is none.
    ///
    /// # Errors
    /// Too many, no room for its folder, the server is ending.
    pub async fn hold(&self, id: &str, ms: Option<u64>) -> Result<Held, Failure> {
        loop {
            let mut ending = match self.look(id, ms)? {
                Ok(held) => return Ok(held),
                Err(ending) => ending,
            };
            // Its end is told by the sender's.
            if tokio::time::timeout(ENDING, ending.changed()).await.is_err() {
                return Err(busy("the lease of this id has run out and is still being closed"));
            }
        }
    }

    fn look(&self, id: &str, ms: Option<u64>) -> Result<Result<Held, watch::Receiver<()>>, Failure> {
        let mut state = self.state();
        if state.stopping {
            return Err(busy("the server is ending"));
        }
        if let Some(ending) = state.ending.get(id) {
            return Ok(Err(ending.clone()));
        }
        let lease = match state.leases.get(id) {
            Some(lease) => lease.clone(),
            None if state.leases.len() >= LEASES => return Err(busy(&format!("there are {LEASES} leases already"))),
            None => {
                let lease = Arc::new(self.begin(id).map_err(|why| files::unstored(&why))?);
                state.leases.insert(id.to_owned(), lease.clone());
                lease
            }
        };
        let mut inner = lease.inner();
        inner.here += 1;
        inner.seen = Instant::now();
        if let Some(ms) = ms {
            inner.ms = ms.clamp(*LEASE_MS_RANGE.start(), *LEASE_MS_RANGE.end());
        }
        drop(inner);
        Ok(Ok(Held(lease)))
    }

    fn begin(&self, id: &str) -> io::Result<Lease> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let folder = self.root.join(format!("{number}-{:08x}", fnv(id.as_bytes()) as u32));
        private_folder(&folder)?;
        log::line(&format!("a lease begins: {}", folder.display()));
        let inner =
            Inner { ms: LEASE_MS, seen: Instant::now(), here: 0, running: HashMap::new(), sessions: BTreeSet::new() };
        Ok(Lease { id: id.to_owned(), number, folder, inner: Mutex::new(inner) })
    }

    /// Ends those that have run out.
    pub fn expire(self: &Arc<Self>) {
        let over: Vec<_> = self.state().leases.values().filter(|lease| lease.is_over()).cloned().collect();
        for lease in over {
            let leases = self.clone();
            tokio::spawn(async move { leases.end(&lease, Lease::is_over).await });
        }
    }

    /// Ends a lease unless that is not `due` any more: stops what runs, closes its sessions, removes its files. Says what was
    /// closed.
    pub async fn end(self: &Arc<Self>, lease: &Arc<Lease>, due: fn(&Lease) -> bool) -> Vec<String> {
        let told = {
            let mut state = self.state();
            let current = state.leases.get(&lease.id).is_some_and(|now| now.number == lease.number);
            if !current || !due(lease) {
                return Vec::new();
            }
            state.leases.remove(&lease.id);
            let (told, ending) = watch::channel(());
            state.ending.insert(lease.id.clone(), ending);
            told
        };
        let (leases, ended) = (self.clone(), lease.clone());
        let closing = tokio::task::spawn_blocking(move || leases.close(&ended));
        let closed = closing.await.unwrap_or_default();
        self.state().ending.remove(&lease.id);
        drop(told);
        closed
    }

    /// Everything that belongs to a lease goes.
    fn close(&self, lease: &Lease) -> Vec<String> {
        let (running, sessions) = {
            let inner = lease.inner();
            let running: Vec<_> = inner.running.values().map(|(interrupt, _)| interrupt.clone()).collect();
            // One that was closed meanwhile may be another's by now.
            let own = |session: &&String| self.owners.is(session, lease.number);
            (running, inner.sessions.iter().filter(own).cloned().collect::<Vec<_>>())
        };
        running.iter().for_each(Interrupt::set);
        let mut client = self.client.clone();
        client.start = false;
        for session in &sessions {
            let request = Request {
                session: Some(session.clone()),
                ..Request::new(self.request_id("close"), &Command::Close(Close::default()))
            };
            if let Err(failed) = client.run(&request, Effect::Mutates, CLOSING)
                && failed.failure().code != Code::SessionNotFound
            {
                log::line(&format!("session {session} of a lease that has ended: {}", failed.failure()));
            }
        }
        self.owners.release_all(lease.number);
        if let Err(why) = fs::remove_dir_all(&lease.folder) {
            log::line(&format!("{} cannot be removed: {why}", lease.folder.display()));
        }
        log::line(&format!("a lease has ended: {} ({} sessions)", lease.folder.display(), sessions.len()));
        sessions
    }

    /// Ends all of them; none begins any more.
    pub async fn stop(self: &Arc<Self>) {
        let all: Vec<_> = {
            let mut state = self.state();
            state.stopping = true;
            state.leases.values().cloned().collect()
        };
        for lease in all {
            self.end(&lease, |_| true).await;
        }
        // Those that had run out already.
        let ending: Vec<_> = self.state().ending.values().cloned().collect();
        for mut lease in ending {
            let _ended = lease.changed().await;
        }
    }

    /// An id for a request of the server's own.
    pub fn request_id(&self, what: &str) -> String {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        format!("serve-{what}-{:x}-{:x}-{number}", daemon::leases::now_ms(), std::process::id())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lease {
    /// Nobody waits for anything of it, and its time is over.
    fn is_over(&self) -> bool {
        let inner = self.inner();
        inner.here == 0 && inner.seen.elapsed() >= Duration::from_millis(inner.ms)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a command as under way. The same id twice is the same command: it runs once.
    pub fn running(self: &Arc<Self>, id: &str) -> Running {
        let mut inner = self.inner();
        let (interrupt, count) = inner.running.entry(id.to_owned()).or_default();
        *count += 1;
        Running { lease: self.clone(), id: id.to_owned(), interrupt: interrupt.clone() }
    }

    /// Stops a command that is under way; says whether it is.
    pub fn cancel(&self, id: &str) -> bool {
        let interrupt = self.inner().running.get(id).map(|(interrupt, _)| interrupt.clone());
        interrupt.inspect(Interrupt::set).is_some()
    }

    /// Notes a session that was opened under it.
    pub fn has_opened(&self, session: &str) {
        self.inner().sessions.insert(session.to_owned());
    }

    /// Notes that it has it no more.
    pub fn has_closed(&self, session: &str) {
        self.inner().sessions.remove(session);
    }

    /// Where it stands.
    pub fn standing(&self) -> Standing {
        let (files, bytes) = files::stored(&self.folder);
        let inner = self.inner();
        Standing {
            lease: self.id.clone(),
            lease_ms: inner.ms,
            sessions: inner.sessions.iter().cloned().collect(),
            files,
            bytes,
        }
    }
}

impl Held {
    /// The lease.
    pub fn lease(&self) -> &Arc<Lease> {
        &self.0
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut inner = self.0.inner();
        inner.here = inner.here.saturating_sub(1);
        inner.seen = Instant::now();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut inner = self.lease.inner();
        if let Some((_, count)) = inner.running.get_mut(&self.id) {
            *count -= 1;
            if *count == 0 {
                inner.running.remove(&self.id);
            }
        }
    }
}

/// Makes a folder that only this user can read.
///
/// # Errors
/// What the system says.
pub fn private_folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// The refusal of what is too much at once.
pub fn busy(why: &str) -> Failure {
    Failure::refused(Row::ServeBusy, Code::DaemonUnavailable, why)
        .reason("server_busy")
        .retriable()
        .hint("try again in a moment")
}
