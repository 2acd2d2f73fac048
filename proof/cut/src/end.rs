//! One of the two connections of a proxy.

use std::io;

use rustix::net::{RecvFlags, recv};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, Interest},
    net::{TcpStream, UnixStream},
};

use crate::{framing::Framing, strike::Ending};

/// Bytes that are read at once.
const PART: usize = 64 * 1024;

#[derive(Debug)]
enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

/// A connection, and what was read of it and not yet taken.
#[derive(Debug)]
pub(crate) struct End {
    stream: Stream,
    read: Vec<u8>,
    /// Over Unix, the last byte of a message stays unread until it is known that nobody wants it so: a socket that is
    /// closed with something unread is a reset one.
    owed: usize,
    over: bool,
}

impl End {
    pub(crate) fn tcp(stream: TcpStream) -> Self {
        // Bytes are handed on one part at a time: none may wait for another.
        let _best_effort = stream.set_nodelay(true);
        Self { stream: Stream::Tcp(stream), read: Vec::new(), owed: 0, over: false }
    }

    pub(crate) const fn unix(stream: UnixStream) -> Self {
        Self { stream: Stream::Unix(stream), read: Vec::new(), owed: 0, over: false }
    }

    /// Whether the other side has said its last.
    pub(crate) const fn over(&self) -> bool {
        self.over
    }

    /// A whole message, once there is one. The last byte of it may still be unread: [`End::consume`].
    pub(crate) fn message(&mut self, framing: Framing) -> Option<Vec<u8>> {
        let length = framing.length(&self.read)?;
        let rest = self.read.split_off(length);
        Some(std::mem::replace(&mut self.read, rest))
    }

    /// What is left after the last whole message.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.read)
    }

    /// Reads what there is; can be dropped at any time.
    pub(crate) async fn fill(&mut self) {
        if let Err(_reset) = self.try_fill().await {
            self.over = true;
        }
    }

    async fn try_fill(&mut self) -> io::Result<()> {
        self.consume().await?;
        let mut part = vec![0; PART];
        let count = match &mut self.stream {
            Stream::Tcp(stream) => stream.read(&mut part).await?,
            Stream::Unix(stream) => {
                // One step of the kernel's, so that dropping this loses nothing.
                let (count, owed) = stream
                    .async_io(Interest::READABLE, || {
                        let (there, _) = recv(&*stream, &mut part[..], RecvFlags::PEEK)?;
                        let owed = usize::from(there > 0 && part[there - 1] == b'\n');
                        let taken = match there - owed {
                            0 => 0,
                            most => recv(&*stream, &mut part[..most], RecvFlags::empty())?.0,
                        };
                        Ok(if taken + owed == there { (there, owed) } else { (taken, 0) })
                    })
                    .await?;
                self.owed = owed;
                count
            }
        };
        self.over = count == 0;
        self.read.extend_from_slice(&part[..count]);
        Ok(())
    }

    /// Reads the byte that was left.
    pub(crate) async fn consume(&mut self) -> io::Result<()> {
        if let (Stream::Unix(stream), 1) = (&mut self.stream, self.owed) {
            let mut byte = [0];
            stream.read_exact(&mut byte).await?;
            self.owed = 0;
        }
        Ok(())
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.stream {
            Stream::Tcp(stream) => stream.write_all(bytes).await,
            Stream::Unix(stream) => stream.write_all(bytes).await,
        }
    }

    /// Says that nothing more comes.
    pub(crate) async fn shutdown(&mut self) {
        let _gone = match &mut self.stream {
            Stream::Tcp(stream) => stream.shutdown().await,
            Stream::Unix(stream) => stream.shutdown().await,
        };
    }

    /// Ends it.
    pub(crate) async fn end(mut self, ending: Ending) {
        match (&self.stream, ending) {
            (Stream::Tcp(stream), Ending::Reset) => {
                // One that is gone already cannot be reset.
                let _gone = stream.set_zero_linger();
            }
            (Stream::Unix(_), Ending::Reset) => {}
            (_, Ending::Fin) => {
                let _gone = self.consume().await;
                self.shutdown().await;
            }
        }
    }

    /// Returns once the other side is gone or has said its last; keeps what it says until then.
    pub(crate) async fn gone(&mut self) {
        while !self.over {
            self.fill().await;
        }
    }
}
