//! One connection to the server, and how far a request got on it.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpStream, ToSocketAddrs},
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned, pki_types::ServerName};

use super::{
    Waiting,
    address::Address,
    reply::{Length, Reply},
};

/// How long it may take until a connection stands, TLS included.
const CONNECTING: Duration = Duration::from_secs(10);
/// How long a write may stand still.
const WRITING: Duration = Duration::from_secs(30);
/// How often somebody who waits is told.
const PROGRESS: Duration = Duration::from_secs(3);
/// The head of a reply is not longer, bytes.
const HEAD_BYTES: usize = 64 << 10;
/// Read or written at once.
const CHUNK: usize = 64 << 10;

/// How far a request got.
pub enum Went {
    /// Not all of it was taken by the kernel: a server cannot have taken it for a request.
    NotSent(io::Error),
    /// It was written whole, and no reply came.
    Lost(io::Error),
    /// The head of a reply. Its body is still to be read.
    Came(Reply),
}

/// One connection. It is opened again where the server has ended it between two requests.
pub struct Line {
    address: Address,
    stream: Stream,
    /// Read, and not yet looked at.
    read: Vec<u8>,
    /// Of no use for another request.
    spent: bool,
    count: u64,
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

impl Line {
    /// Connects.
    ///
    /// # Errors
    /// What the system, or TLS, says of it.
    pub fn open(address: &Address) -> io::Result<Self> {
        let stream = Stream::open(address)?;
        Ok(Self { address: address.clone(), stream, read: Vec::new(), spent: false, count: 0 })
    }

    /// A number that no other request on this line has.
    pub const fn next_id(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// Writes a request and reads the head of its reply.
    pub fn exchange(&mut self, parts: &[&[u8]], waiting: Waiting) -> Went {
        let whole = parts.concat();
        self.exchange_from(&whole, &mut io::empty(), waiting)
    }

    /// The same, with a body from elsewhere.
    pub fn exchange_from(&mut self, head: &[u8], body: &mut dyn Read, waiting: Waiting) -> Went {
        if self.spent {
            match Stream::open(&self.address) {
                Ok(stream) => self.stream = stream,
                Err(why) => return Went::NotSent(why),
            }
            self.read.clear();
        }
        // Until the reply was read to its end.
        self.spent = true;
        if let Err(why) = self.write(head, body) {
            self.stream.close();
            return Went::NotSent(why);
        }
        match self.head(waiting) {
            Ok(reply) => Went::Came(reply),
            Err(why) => Went::Lost(why),
        }
    }

    fn write(&mut self, head: &[u8], body: &mut dyn Read) -> io::Result<()> {
        self.stream.tcp().set_write_timeout(Some(WRITING))?;
        // With the beginning of the body, so that a small request is one packet.
        let mut next = head.to_vec();
        loop {
            let filled = next.len();
            next.resize(filled + CHUNK, 0);
            let read = body.read(next.get_mut(filled..).unwrap_or_default())?;
            next.truncate(filled + read);
            if next.is_empty() {
                return self.stream.flush();
            }
            self.stream.write_all(&next)?;
            next.clear();
        }
    }

    fn head(&mut self, waiting: Waiting) -> io::Result<Reply> {
        let began = Instant::now();
        loop {
            if let Some(end) = self.read.windows(4).position(|four| four == b"\r\n\r\n") {
                let head: Vec<u8> = self.read.drain(..end + 4).collect();
                let reply = Reply::read(&head).ok_or_else(|| io::Error::other("what came is no HTTP reply"))?;
                // Such as 100: the reply itself is still to come.
                if reply.status >= 200 {
                    return Ok(reply);
                }
            } else if self.read.len() > HEAD_BYTES {
                return Err(io::Error::other("what came is no HTTP reply"));
            } else if self.fill(began, waiting)? == 0 {
                return Err(io::Error::other("the connection was closed"));
            }
        }
    }

    /// Reads the body of a reply to its end. A body that is cut off is an error.
    ///
    /// # Errors
    /// What the connection, or `take`, says; a body of more than `most` bytes.
    pub fn body(
        &mut self,
        reply: &Reply,
        most: u64,
        waiting: Waiting,
        take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut left = most;
        let mut taken = |bytes: &[u8]| {
            left = left.checked_sub(bytes.len() as u64).ok_or_else(|| io::Error::other("the reply is too long"))?;
            take(bytes)
        };
        match reply.length {
            Length::Known(length) => self.counted(length, waiting, &mut taken)?,
            Length::Chunked => self.chunked(waiting, &mut taken)?,
            Length::UntilClosed => {
                let began = Instant::now();
                loop {
                    taken(&self.read)?;
                    self.read.clear();
                    if self.fill(began, waiting)? == 0 {
                        return Ok(());
                    }
                }
            }
        }
        self.spent = reply.closes;
        Ok(())
    }

    /// The reply has no body: the request was a HEAD.
    pub const fn bodiless(&mut self, reply: &Reply) {
        self.spent = reply.closes;
    }

    fn counted(
        &mut self,
        mut left: u64,
        waiting: Waiting,
        take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let began = Instant::now();
        while left > 0 {
            if self.read.is_empty() && self.fill(began, waiting)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let now = self.read.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            take(self.read.get(..now).unwrap_or_default())?;
            self.read.drain(..now);
            left -= now as u64;
        }
        Ok(())
    }

    /// A gateway may pass a body on in chunks.
    fn chunked(&mut self, waiting: Waiting, take: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let malformed = || io::Error::other("a chunk that cannot be read");
        loop {
            let line = self.text_line(waiting)?;
            let size = line.split(';').next().unwrap_or_default().trim();
            let size = u64::from_str_radix(size, 16).map_err(|_| malformed())?;
            if size == 0 {
                // Trailers, and the empty line after them.
                while !self.text_line(waiting)?.is_empty() {}
                return Ok(());
            }
            self.counted(size, waiting, take)?;
            if !self.text_line(waiting)?.is_empty() {
                return Err(malformed());
            }
        }
    }

    fn text_line(&mut self, waiting: Waiting) -> io::Result<String> {
        let began = Instant::now();
        loop {
            if let Some(end) = self.read.windows(2).position(|two| two == b"\r\n") {
                let line: Vec<u8> = self.read.drain(..end + 2).take(end).collect();
                return String::from_utf8(line).map_err(io::Error::other);
            }
            if self.read.len() > HEAD_BYTES {
                return Err(io::Error::other("a line that does not end"));
            }
            if self.fill(began, waiting)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// Reads some more; 0 at the end of the stream.
    fn fill(&mut self, began: Instant, waiting: Waiting) -> io::Result<usize> {
        loop {
            let left = waiting.end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let pause = if waiting.progress.is_some() { left.min(PROGRESS) } else { left };
            self.stream.tcp().set_read_timeout(Some(pause))?;
            let filled = self.read.len();
            self.read.resize(filled + CHUNK, 0);
            let read = self.stream.read(self.read.get_mut(filled..).unwrap_or_default());
            self.read.truncate(filled + *read.as_ref().unwrap_or(&0));
            match read {
                Err(why) if matches!(why.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    if let Some(progress) = waiting.progress {
                        progress(began.elapsed());
                    }
                }
                Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

impl Stream {
    fn open(address: &Address) -> io::Result<Self> {
        let end = Instant::now() + CONNECTING;
        let mut last = io::Error::other(format!("{} has no address", address.host));
        for place in (address.host.as_str(), address.port).to_socket_addrs()? {
            if address.only_here && !place.ip().is_loopback() {
                last = io::Error::other(format!(
                    "{} is not this machine, and the line would not be encrypted",
                    address.host
                ));
                continue;
            }
            let left = end.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
            match TcpStream::connect_timeout(&place, left) {
                Ok(stream) => {
                    stream.set_nodelay(true)?;
                    return if address.tls { Self::secured(stream, address, end) } else { Ok(Self::Plain(stream)) };
                }
                Err(why) => last = why,
            }
        }
        Err(last)
    }

    fn secured(mut stream: TcpStream, address: &Address, end: Instant) -> io::Result<Self> {
        let name = ServerName::try_from(address.host.clone()).map_err(io::Error::other)?;
        let mut tls = ClientConnection::new(config()?, name).map_err(io::Error::other)?;
        while tls.is_handshaking() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::Error::other("TLS was not agreed on in time"));
            }
            stream.set_read_timeout(Some(left))?;
            stream.set_write_timeout(Some(left))?;
            tls.complete_io(&mut stream)?;
        }
        Ok(Self::Tls(Box::new(StreamOwned::new(tls, stream))))
    }

    fn tcp(&self) -> &TcpStream {
        match self {
            Self::Plain(stream) => stream,
            Self::Tls(stream) => stream.get_ref(),
        }
    }

    /// Nothing more is written, whatever a library still holds.
    fn close(&self) {
        let _gone = self.tcp().shutdown(Shutdown::Both);
    }
}

/// What certificates are checked against: the system's roots, read once.
fn config() -> io::Result<Arc<ClientConfig>> {
    static CONFIG: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    if let Some(config) = CONFIG.get() {
        return Ok(config.clone());
    }
    let mut roots = RootCertStore::empty();
    // One that cannot be read is one that is not trusted; where none can, TLS says so.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(CONFIG.get_or_init(|| Arc::new(config)).clone())
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.read(into),
            Self::Tls(stream) => stream.read(into),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.write(bytes),
            Self::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(stream) => stream.flush(),
            Self::Tls(stream) => stream.flush(),
        }
    }
}
