//! A proxy between two programs that strikes chosen exchanges, and notes all of them.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard},
};

use tokio::{
    net::{TcpListener, TcpStream, UnixListener, UnixStream},
    sync::watch,
    task::{JoinHandle, JoinSet},
};

use crate::{
    end::End,
    framing::{Framing, Name},
    link,
    strike::{Fault, Strike},
};

/// What went between the two, in the order in which the requests came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// Its kind: see [`Name::label`].
    pub label: String,
    /// As the request has it: see [`Name::first`].
    pub first: String,
    /// Tells requests of one shape from others: a hash of the request without its digits.
    pub shape: u64,
    /// Length of the request, bytes.
    pub request: usize,
    /// So much of it the peer got.
    pub handed_on: usize,
    /// Length of the reply as the peer gave it, bytes; 0 where it gave none.
    pub reply: usize,
    /// Which connection, from 0.
    pub connection: usize,
    /// Whether it was struck.
    pub struck: bool,
}

impl Exchange {
    /// Whether the peer got the whole request.
    pub const fn whole(&self) -> bool {
        self.handed_on == self.request
    }
}

/// FNV-1a, of everything but digits: ids, coordinates and times differ between requests of one shape.
fn shape(request: &[u8]) -> u64 {
    request
        .iter()
        .filter(|byte| !byte.is_ascii_digit())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// What connections share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) framing: Framing,
    inner: Mutex<Inner>,
    struck: watch::Sender<u32>,
    pub(crate) released: watch::Sender<u32>,
}

#[derive(Debug, Default)]
struct Inner {
    armed: Vec<(Strike, u32)>,
    exchanges: Vec<Exchange>,
    /// Exchanges noted before the last [`Proxy::forget`]: their places stay theirs.
    forgotten: usize,
    connections: usize,
}

impl Shared {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("no holder panics")
    }

    /// Notes a request; its place, and what is to happen to it.
    pub(crate) fn request(&self, connection: usize, name: &Name, request: &[u8]) -> (usize, Option<Fault>) {
        let mut inner = self.inner();
        let mut fault = None;
        inner.armed.retain_mut(|(strike, seen)| {
            let meets = fault.is_none() && strike.at.meets(name, request);
            *seen += u32::from(meets);
            let strikes = meets && *seen == strike.at.nth();
            if strikes {
                fault = Some(strike.fault.clone());
            }
            !strikes
        });
        inner.exchanges.push(Exchange {
            label: name.label.clone(),
            first: name.first.clone(),
            shape: shape(request),
            request: request.len(),
            handed_on: 0,
            reply: 0,
            connection,
            struck: fault.is_some(),
        });
        (inner.forgotten + inner.exchanges.len() - 1, fault)
    }

    pub(crate) fn note(&self, place: usize, note: impl FnOnce(&mut Exchange)) {
        let mut inner = self.inner();
        let index = place.checked_sub(inner.forgotten);
        if let Some(exchange) = index.and_then(|index| inner.exchanges.get_mut(index)) {
            note(exchange);
        }
    }

    pub(crate) fn strikes(&self) {
        self.struck.send_modify(|count| *count += 1);
    }

    fn connection(&self) -> usize {
        let mut inner = self.inner();
        inner.connections += 1;
        inner.connections - 1
    }
}

/// Where the proxied program listens.
#[derive(Debug, Clone)]
enum Peer {
    Tcp(String),
    Unix(PathBuf),
}

impl Peer {
    async fn connect(&self) -> std::io::Result<End> {
        Ok(match self {
            Peer::Tcp(authority) => End::tcp(TcpStream::connect(authority).await?),
            Peer::Unix(path) => End::unix(UnixStream::connect(path).await?),
        })
    }
}

enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl Listener {
    async fn accept(&self) -> std::io::Result<End> {
        Ok(match self {
            Listener::Tcp(listener) => End::tcp(listener.accept().await?.0),
            Listener::Unix(listener) => End::unix(listener.accept().await?.0),
        })
    }
}

/// The proxy. Closing or dropping it makes its address one where nobody listens.
#[derive(Debug)]
pub struct Proxy {
    address: String,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

impl Proxy {
    /// In front of `peer` (`host:port`), on a port that the system picks.
    pub async fn tcp(peer: &str, framing: Framing) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("a bound socket has an address").to_string();
        let peer = Peer::Tcp(peer.to_owned());
        Self::serve(address, framing, peer, Listener::Tcp(listener))
    }

    /// At the socket `at`, in front of the one at `peer`.
    pub fn unix(at: &Path, peer: &Path, framing: Framing) -> Self {
        let listener = UnixListener::bind(at).unwrap_or_else(|why| panic!("{}: {why}", at.display()));
        let peer = Peer::Unix(peer.to_owned());
        let address = at.display().to_string();
        Self::serve(address, framing, peer, Listener::Unix(listener))
    }

    fn serve(address: String, framing: Framing, peer: Peer, listener: Listener) -> Self {
        let shared = Arc::new(Shared {
            framing,
            inner: Mutex::default(),
            struck: watch::Sender::new(0),
            released: watch::Sender::new(0),
        });
        let serving = shared.clone();
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok(client) = listener.accept().await {
                let (peer, shared) = (peer.clone(), serving.clone());
                connections.spawn(async move {
                    // Nobody there: the client finds its connection closed.
                    let Ok(server) = peer.connect().await else { return };
                    let connection = shared.connection();
                    link::serve(client, server, connection, &shared).await;
                });
            }
        });
        Self { address, shared, task }
    }

    /// Where it listens: `127.0.0.1:PORT`, or the path of its socket.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Arms a strike. Several may be armed; an exchange is struck by the first that meets it.
    pub fn arm(&self, strike: Strike) {
        self.shared.inner().armed.push((strike, 0));
    }

    /// Disarms every strike and forgets every exchange. Those under way stay unnoted.
    pub fn forget(&self) {
        let mut inner = self.shared.inner();
        inner.armed.clear();
        inner.forgotten += inner.exchanges.len();
        inner.exchanges.clear();
    }

    /// What went by since the start or [`Proxy::forget`].
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.shared.inner().exchanges.clone()
    }

    /// How often anything was struck since the start.
    pub fn struck(&self) -> u32 {
        *self.shared.struck.borrow()
    }

    /// Returns once something was struck `times` times since the start: of a stall, the bytes before it were handed on.
    pub async fn until_struck(&self, times: u32) {
        let mut struck = self.shared.struck.subscribe();
        // The sender lives as long as this.
        let _there = struck.wait_for(|count| *count >= times).await;
    }

    /// Ends every stall of unlimited time.
    pub fn release(&self) {
        self.shared.released.send_modify(|count| *count += 1);
    }

    /// Nobody listens any more, and open connections are closed.
    pub async fn close(&mut self) {
        self.task.abort();
        let _aborted = (&mut self.task).await;
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}
