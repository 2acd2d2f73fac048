//! The socket: who may connect, what a line means, what happens when a client goes away.

use std::{
    io,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use contract::{
    Code, Disclosed, Effect, Failure, Request, Row, Sends,
    request::{Hello, LINE_LIMIT, RetainedQuery, Welcome, method},
};
use serde_json::Value;
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    net::{UnixListener, UnixStream},
    sync::Mutex,
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use crate::{
    audit,
    leases::now_ms,
    log,
    order::Order,
    protocol::{Incoming, parse, read_line, reply_line},
    requests::{Asked, forgotten, result_of},
    router::Router,
    state_dir,
};

/// Connections at a time. Each takes a file descriptor, of which a process commonly has 1024: the rest is for devices.
const CONNECTIONS: usize = 256;
/// Requests of one connection under way at a time, and the bytes of their lines together: what is written beyond them
/// waits in the socket.
const UNDER_WAY: usize = 128;
const UNDER_WAY_BYTES: usize = 2 * LINE_LIMIT;
/// A line's buffer that grew larger than this is given back, bytes.
const KEPT_BUFFER: usize = 64 << 10;

/// How long requests under way may go on when the daemon is told to stop, before they are cancelled.
const GRACE: Duration = Duration::from_secs(3);
/// How long they may take to end then.
const DRAIN_LIMIT: Duration = Duration::from_secs(12);

/// A daemon that listens.
pub struct Server {
    /// What answers.
    pub router: Arc<Router>,
    /// Identity of the build.
    pub build: String,
    last_used_ms: AtomicU64,
    hurry: CancellationToken,
}

impl Server {
    /// A server in front of a router.
    pub fn new(router: Arc<Router>, build: String) -> Arc<Self> {
        Arc::new(Self { router, build, last_used_ms: AtomicU64::new(now_ms()), hurry: CancellationToken::new() })
    }

    /// Binds the socket: 0600 in a folder of the user's own. It has its name only once it listens, so that whoever sees
    /// it can connect.
    ///
    /// # Errors
    /// What the system says, or that the socket's folder belongs to somebody else.
    pub fn bind(path: &Path) -> io::Result<UnixListener> {
        if let Some(folder) = path.parent() {
            if !folder.exists() {
                std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            }
            state_dir::own(folder)?;
        }
        // No longer than the name that it gets: a socket's path has a limit.
        let begun = path.with_extension("new");
        match std::fs::remove_file(&begun) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
            _ => {}
        }
        let listener = UnixListener::bind(&begun)?;
        std::fs::set_permissions(&begun, std::fs::Permissions::from_mode(0o600))?;
        std::fs::rename(&begun, path)?;
        Ok(listener)
    }

    /// Serves until the router is told to stop, then lets requests under way end.
    pub async fn serve(self: Arc<Self>, listener: UnixListener) {
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                () = self.router.stop.cancelled() => break,
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) if connections.len() >= CONNECTIONS => {
                        connections.spawn(async move { turn_away(stream).await });
                    }
                    Ok((stream, _)) => {
                        let server = self.clone();
                        connections.spawn(async move { server.connection(stream).await });
                    }
                    Err(why) => {
                        log::line(&format!("a connection could not be accepted: {why}"));
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                },
                Some(_) = connections.join_next() => {}
            }
        }
        drop(listener);
        for limit in [GRACE, DRAIN_LIMIT] {
            let drained = async { while connections.join_next().await.is_some() {} };
            if tokio::time::timeout(limit, drained).await.is_ok() {
                return;
            }
            // What is still running ends after the step it is at; a send under way is joined.
            self.hurry.cancel();
        }
        log::line("requests were still running when the time to stop was over");
    }

    /// How long nothing was asked, ms.
    pub fn idle_ms(&self) -> u64 {
        now_ms().saturating_sub(self.last_used_ms.load(Ordering::Relaxed))
    }

    async fn connection(self: Arc<Self>, stream: UnixStream) {
        let allowed = stream.peer_cred().is_ok_and(|peer| peer.uid() == rustix::process::geteuid().as_raw());
        let (reader, mut writer) = stream.into_split();
        if !allowed {
            let failure = Failure::refused(
                Row::DaemonProtocolOtherUser,
                Code::Unauthorized,
                "this daemon belongs to another user",
            )
            .reason("other_user");
            write(&mut writer, &Value::Null, None, &Err::<Value, _>(unasked(failure))).await;
            return;
        }
        self.converse(reader, writer).await;
    }

    /// Answers the lines of a client that may speak, over any byte stream, until it goes away or the router stops.
    pub async fn converse<R, W>(self: Arc<Self>, reader: R, writer: W)
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let writer = Arc::new(Mutex::new(writer));
        // Set when the reading side ends: whoever asked is gone.
        let gone = self.hurry.child_token();
        let mut reader = BufReader::with_capacity(32 << 10, reader);
        let mut line = Vec::new();
        let mut known = false;
        let mut running: JoinSet<usize> = JoinSet::new();
        let mut under_way = 0;
        let mut order = Order::default();
        loop {
            let read = tokio::select! {
                // In this order, so that nothing but the order of events decides.
                biased;
                // What has ended must not keep a daemon that is to stop from closing an idle connection.
                Some(ended) = running.join_next(), if !running.is_empty() => {
                    under_way -= ended.unwrap_or_default().min(under_way);
                    continue;
                }
                () = self.router.stop.cancelled(), if running.is_empty() => break,
                read = read_line(&mut reader, &mut line), if running.len() < UNDER_WAY && under_way < UNDER_WAY_BYTES => read,
            };
            match read {
                Ok(Some(())) if line.iter().all(u8::is_ascii_whitespace) => {
                    line.clear();
                    continue;
                }
                Ok(Some(())) => {}
                Ok(None) => break,
                Err(failure) => {
                    say(&writer, &Value::Null, &Err::<Value, _>(unasked(failure))).await;
                    break;
                }
            }
            self.last_used_ms.store(now_ms(), Ordering::Relaxed);
            match parse(&line) {
                Err(failure) => say(&writer, &Value::Null, &Err::<Value, _>(unasked(failure))).await,
                Ok(incoming) if incoming.method == method::HELLO => known = self.hello(&writer, incoming).await,
                Ok(incoming) => {
                    let (server, writer, gone) = (self.clone(), writer.clone(), gone.child_token());
                    let mut place = order.place(&incoming.params);
                    let bytes = line.len();
                    under_way += bytes;
                    running.spawn(async move {
                        place.turn().await;
                        server.method(&writer, incoming, known, gone).await;
                        bytes
                    });
                }
            }
            line.clear();
            line.shrink_to(KEPT_BUFFER);
        }
        gone.cancel();
        while running.join_next().await.is_some() {}
        self.last_used_ms.store(now_ms(), Ordering::Relaxed);
    }

    /// Answers a hello; says whether the client is of the same build.
    async fn hello(&self, writer: &Mutex<impl AsyncWrite + Unpin>, incoming: Incoming) -> bool {
        let outcome = serde_json::from_value::<Hello>(incoming.params).map_err(|why| {
            unasked(
                Failure::refused(
                    Row::DaemonProtocolBadLine,
                    Code::InvalidArgs,
                    format!("a hello that does not fit: {why}"),
                )
                .reason("bad_line"),
            )
        });
        let outcome = outcome.map(|hello| {
            let same = hello.version == contract::VERSION && hello.build.is_none_or(|build| build == self.build);
            Welcome {
                version: contract::VERSION.to_owned(),
                build: self.build.clone(),
                instance: self.router.instance.clone(),
                pid: std::process::id(),
                sessions: u32::try_from(self.router.sessions.in_use()).unwrap_or(u32::MAX),
                accepted: same,
            }
        });
        say(writer, &incoming.id, &outcome).await;
        outcome.is_ok_and(|welcome| welcome.accepted)
    }

    async fn method(
        &self,
        writer: &Mutex<impl AsyncWrite + Unpin>,
        incoming: Incoming,
        known: bool,
        gone: CancellationToken,
    ) {
        let Incoming { id, method, params } = incoming;
        let outcome = match method.as_str() {
            method::RUN => match serde_json::from_value::<Request>(params) {
                // Stopping must work across builds, or an old daemon could not be replaced.
                Ok(request) if known || request.command == "daemon" => self.router.answer(request, gone).await,
                Ok(_) => Err(unasked(mismatch())),
                Err(why) => Err(unasked(
                    Failure::refused(
                        Row::DaemonProtocolBadLine,
                        Code::InvalidArgs,
                        format!("a request that does not fit: {why}"),
                    )
                    .reason("bad_line"),
                )),
            },
            method::RETAINED => match serde_json::from_value::<RetainedQuery>(params) {
                Ok(query) => {
                    let outcome = self.retained(&query.request_id).await;
                    return say_of(writer, &id, Some(&query.request_id), &outcome).await;
                }
                Err(why) => Err(unasked(
                    Failure::refused(
                        Row::DaemonProtocolBadLine,
                        Code::InvalidArgs,
                        format!("a query that does not fit: {why}"),
                    )
                    .reason("bad_line"),
                )),
            },
            other => Err(unasked(
                Failure::refused(
                    Row::DaemonProtocolUnknownMethod,
                    Code::InvalidArgs,
                    format!("there is no method {other:?}"),
                )
                .reason("unknown_method")
                .hint("methods: hello, run, retained"),
            )),
        };
        say(writer, &id, &outcome).await;
    }

    async fn retained(&self, request_id: &str) -> contract::Response {
        let receiver = match self.router.requests.ask(request_id) {
            Asked::Seen(receiver) => receiver,
            Asked::Forgotten => {
                return Err(Disclosed::seal(forgotten(request_id), Some(Effect::Mutates), Sends::NONE));
            }
            Asked::Withdrawn => {
                let message = format!("request {request_id:?} was never seen, and will not run if it still comes");
                let failure = Failure::refused(Row::DaemonProtocolRequestNotSeen, Code::CommandFailed, message);
                return Err(unasked(failure.reason("not_seen")));
            }
        };
        result_of(receiver).await.unwrap_or_else(|| {
            let failure = Failure::new(Code::Internal, format!("the result of request {request_id:?} was lost"));
            Err(Disclosed::seal(failure, Some(Effect::Mutates), Sends::NONE))
        })
    }
}

/// Says why a connection is not taken, and closes it.
async fn turn_away(mut stream: UnixStream) {
    let failure = Failure::refused(
        Row::DaemonProtocolTooManyConnections,
        Code::DaemonUnavailable,
        format!("this daemon has {CONNECTIONS} connections already"),
    )
    .reason("too_many_connections")
    .retriable()
    .hint("close connections that are not used, and try again");
    // A client that does not read has only itself to blame.
    let outcome = Err::<Value, _>(unasked(failure));
    let _in_time = tokio::time::timeout(GRACE, write(&mut stream, &Value::Null, None, &outcome)).await;
}

/// A failure of a line that asked for nothing that could have been sent.
fn unasked(failure: Failure) -> Disclosed {
    Disclosed::seal(failure, None, Sends::NONE)
}

fn mismatch() -> Failure {
    Failure::refused(
        Row::DaemonProtocolVersionMismatch,
        Code::VersionMismatch,
        format!("this daemon is agent-device {}; the client is of another build, or sent no hello", contract::VERSION),
    )
    .reason("version_mismatch")
    .hint("stop this daemon when its sessions are no longer needed: agent-device daemon stop")
}

/// Writes one line. A client that does not read any more is gone: nothing is left to tell it.
async fn say<T: serde::Serialize>(writer: &Mutex<impl AsyncWrite + Unpin>, id: &Value, outcome: &Result<T, Disclosed>) {
    say_of(writer, id, None, outcome).await;
}

/// The same about the request whose outcome was asked for.
async fn say_of<T: serde::Serialize>(
    writer: &Mutex<impl AsyncWrite + Unpin>,
    id: &Value,
    of: Option<&str>,
    outcome: &Result<T, Disclosed>,
) {
    write(&mut *writer.lock().await, id, of, outcome).await;
}

async fn write<T: serde::Serialize>(
    writer: &mut (impl AsyncWrite + Unpin),
    id: &Value,
    of: Option<&str>,
    outcome: &Result<T, Disclosed>,
) {
    let line = reply_line(id, of, outcome);
    if outcome.is_err() {
        audit::note(audit::Door::Socket, &line);
    }
    let _gone = writer.write_all(line.as_bytes()).await;
}
