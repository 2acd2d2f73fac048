//! The line between the adb server and adbd, which can break: dropped, gone for good, cut in the middle of a reply, silent, or
//! answered by a device that does not trust this computer.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
};

/// What happens to the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It works.
    Open,
    /// Nothing answers.
    Offline,
    /// The device wants a key that it does not know, and asks its user.
    Unauthorized,
    /// Connected, and nothing passes.
    Silent,
}

/// Cuts a reply.
#[derive(Debug, Clone)]
struct Cut {
    /// Begins to count when this went to the device; at once if empty.
    after: Vec<u8>,
    /// Bytes to the host before the line breaks.
    left: u64,
    /// What went to the device last, for a match across two pieces.
    tail: Vec<u8>,
    counting: bool,
}

#[derive(Debug)]
struct Shared {
    mode: Mutex<Mode>,
    cut: Mutex<Option<Cut>>,
    /// Raised to break the connections that are open.
    drops: watch::Sender<u64>,
    mode_changed: watch::Sender<u64>,
    to_host: Mutex<u64>,
}

/// The line. Clones are the same one.
#[derive(Debug, Clone)]
pub struct Link {
    shared: Arc<Shared>,
}

impl Default for Link {
    fn default() -> Self {
        Self {
            shared: Arc::new(Shared {
                mode: Mutex::new(Mode::Open),
                cut: Mutex::default(),
                drops: watch::Sender::new(0),
                mode_changed: watch::Sender::new(0),
                to_host: Mutex::new(0),
            }),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Link {
    /// How it is now.
    pub fn mode(&self) -> Mode {
        *lock(&self.shared.mode)
    }

    /// Makes it so. All but [`Mode::Silent`] break what is open.
    pub fn set(&self, mode: Mode) {
        *lock(&self.shared.mode) = mode;
        self.shared.mode_changed.send_modify(|changes| *changes += 1);
        if mode != Mode::Silent {
            self.drop_now();
        }
    }

    /// Breaks it once; it can be connected to again.
    pub fn drop_now(&self) {
        self.shared.drops.send_modify(|drops| *drops += 1);
    }

    /// Breaks it until it is set to [`Mode::Open`].
    pub fn go_offline(&self) {
        self.set(Mode::Offline);
    }

    /// Breaks it once, `bytes` bytes after `request` went to the device (from now on where `request` is empty). Bytes are those of
    /// the transport, its headers of 24 bytes included.
    pub fn cut_reply(&self, request: &[u8], bytes: u64) {
        *lock(&self.shared.cut) =
            Some(Cut { after: request.to_vec(), left: bytes, tail: Vec::new(), counting: request.is_empty() });
    }

    /// Bytes that went to the host so far.
    pub fn to_host(&self) -> u64 {
        *lock(&self.shared.to_host)
    }

    /// Serves the line for ever.
    pub async fn serve(self, listener: TcpListener, adbd: SocketAddr) {
        while let Ok((host, _)) = listener.accept().await {
            let link = self.clone();
            tokio::spawn(async move {
                // A broken connection is what this is for.
                let _broken = link.connection(host, adbd).await;
            });
        }
    }

    async fn connection(&self, host: TcpStream, adbd: SocketAddr) -> std::io::Result<()> {
        let mut drops = self.shared.drops.subscribe();
        host.set_nodelay(true)?;
        match self.mode() {
            Mode::Offline => Ok(()),
            Mode::Unauthorized => tokio::select! {
                ended = distrust(host) => ended,
                _ = drops.changed() => Ok(()),
            },
            Mode::Open | Mode::Silent => {
                let device = TcpStream::connect(adbd).await?;
                device.set_nodelay(true)?;
                let (host_from, host_to) = host.into_split();
                let (device_from, device_to) = device.into_split();
                tokio::select! {
                    ended = self.pass(host_from, device_to, true) => ended,
                    ended = self.pass(device_from, host_to, false) => ended,
                    _ = drops.changed() => Ok(()),
                }
            }
        }
    }

    async fn pass(
        &self,
        mut from: impl AsyncRead + Unpin,
        mut to: impl AsyncWrite + Unpin,
        outwards: bool,
    ) -> std::io::Result<()> {
        let mut changed = self.shared.mode_changed.subscribe();
        let mut piece = vec![0; 64 * 1024];
        loop {
            let read = from.read(&mut piece).await?;
            if read == 0 {
                return Ok(());
            }
            while self.mode() == Mode::Silent {
                if changed.changed().await.is_err() {
                    return Ok(());
                }
            }
            let bytes = piece.get(..read).unwrap_or_default();
            if outwards {
                self.sees_request(bytes);
                to.write_all(bytes).await?;
            } else {
                let passes = self.lets_pass(bytes.len());
                *lock(&self.shared.to_host) += passes as u64;
                to.write_all(bytes.get(..passes).unwrap_or_default()).await?;
                if passes < read {
                    return Ok(());
                }
            }
        }
    }

    fn sees_request(&self, bytes: &[u8]) {
        if let Some(cut) = lock(&self.shared.cut).as_mut().filter(|cut| !cut.counting) {
            cut.tail.extend_from_slice(bytes);
            cut.counting = cut.tail.windows(cut.after.len()).any(|window| window == cut.after);
            let keep = cut.tail.len().saturating_sub(cut.after.len());
            cut.tail.drain(..keep);
        }
    }

    /// How many of so many bytes may go to the host. Fewer break the line.
    fn lets_pass(&self, bytes: usize) -> usize {
        let mut cut = lock(&self.shared.cut);
        let Some(counted) = cut.as_mut().filter(|cut| cut.counting) else { return bytes };
        if counted.left >= bytes as u64 {
            counted.left -= bytes as u64;
            return bytes;
        }
        let passes = usize::try_from(counted.left).unwrap_or(bytes);
        *cut = None;
        passes
    }
}

/// Header of a transport message: command, two arguments, length, checksum, the command inverted.
const HEADER: usize = 24;
/// "AUTH".
const AUTH: u32 = u32::from_le_bytes(*b"AUTH");
/// "CNXN".
const CNXN: u32 = u32::from_le_bytes(*b"CNXN");
/// A token to sign.
const TOKEN: u32 = 1;
/// The host's public key: now a person would be asked.
const PUBLIC_KEY: u32 = 3;
/// Longest message that a host sends before it is trusted.
const LONGEST: u32 = 256 * 1024;

/// A device that trusts nobody: it answers every signature with another token.
async fn distrust(mut host: TcpStream) -> std::io::Result<()> {
    loop {
        let mut header = [0_u8; HEADER];
        host.read_exact(&mut header).await?;
        let word =
            |at: usize| header.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes);
        let (command, kind, length) = (word(0), word(4), word(12).min(LONGEST));
        let mut body = vec![0; length as usize];
        host.read_exact(&mut body).await?;
        if command == CNXN || (command == AUTH && kind != PUBLIC_KEY) {
            let token = [7_u8; 20];
            let sum: u32 = token.iter().map(|byte| u32::from(*byte)).sum();
            let mut message = Vec::with_capacity(HEADER + token.len());
            for word in [AUTH, TOKEN, 0, 20, sum, !AUTH] {
                message.extend_from_slice(&word.to_le_bytes());
            }
            message.extend_from_slice(&token);
            host.write_all(&message).await?;
        }
    }
}
