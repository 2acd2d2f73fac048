//! A program on the device that runs on: its lines as they come, its end with the connection.

use std::{collections::VecDeque, io};

use bytes::{Buf, Bytes, BytesMut};
use contract::{Effect, Failure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use wire::{Answered, Context};

use super::{
    phone::Phone,
    protocol::garbled,
    quote,
    shell::{SERVICE, packet},
    socket::Socket,
};

/// A packet larger than this is an error, bytes. adb's own are at most 1 MiB.
const PACKET_LIMIT: usize = 16 << 20;

/// A line longer than this is handed out in parts, bytes.
const LINE_LIMIT: usize = 4 << 20;

/// Something that a running program did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// It wrote to its output.
    Output(Bytes),
    /// It wrote to its errors.
    Errors(Bytes),
    /// It ended, with its exit code; `None` on a device that does not tell them.
    Ended(Option<u8>),
}

/// A program that runs for as long as this lives: dropping it closes the connection, and the device ends the program.
#[derive(Debug)]
pub struct Running {
    socket: Socket,
    packets: bool,
    received: BytesMut,
    line: BytesMut,
    lines: VecDeque<String>,
    errors: BytesMut,
    ended: Option<Option<u8>>,
}

impl Phone {
    /// Starts a program that ends when the returned value is dropped. The arguments are quoted here.
    ///
    /// adbd tells only the shell that the connection ended, not what the shell started, and old devices tell nobody; so
    /// a watcher beside the program ends it as soon as its input ends. The program has no input of its own.
    ///
    /// # Errors
    /// No way to the device, or the service did not start.
    pub async fn spawn(
        &self,
        context: &Context,
        effect: Effect,
        arguments: &[&str],
    ) -> Result<Answered<Running>, Failure> {
        let packets = self.features(context).await?.has("shell_v2");
        let line = tied(&quote::line(arguments));
        let service = if packets { format!("{SERVICE}{line}") } else { format!("exec:{line}") };
        let doing = self.running(arguments.first().copied().unwrap_or_default());
        self.serve(context, effect, &service, &doing, |socket| async move { Ok(Running::new(socket, packets)) }).await
    }
}

/// The line with a watcher on its input. File descriptor 3 keeps the input, which a shell takes from what it runs in
/// the background. The watcher is a builtin and no program of its own: adbd's input is also its output, and whatever
/// held it open would keep the end from being told.
fn tied(line: &str) -> String {
    format!(
        "exec 3<&0; {line} 3<&- </dev/null & p=$!; ( while read -r x; do :; done <&3; kill $p ) >/dev/null 2>&1 & w=$!; \
         exec 3<&-; {{ wait $p; }} 2>/dev/null; e=$?; kill $w 2>/dev/null; exit $e"
    )
}

impl Running {
    fn new(socket: Socket, packets: bool) -> Self {
        Self {
            socket,
            packets,
            received: BytesMut::new(),
            line: BytesMut::new(),
            lines: VecDeque::new(),
            errors: BytesMut::new(),
            ended: None,
        }
    }

    /// What comes next. May be dropped while it waits: nothing is lost. After the end it says the end again.
    ///
    /// # Errors
    /// The connection broke before the program's end was told.
    pub async fn next(&mut self) -> io::Result<Event> {
        loop {
            if let Some(exit) = self.ended {
                return Ok(Event::Ended(exit));
            }
            if let Some(event) = self.decoded()? {
                if let Event::Ended(exit) = event {
                    self.ended = Some(exit);
                }
                return Ok(event);
            }
            if self.socket.read_buf(&mut self.received).await? == 0 {
                if self.packets {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                self.ended = Some(None);
            }
        }
    }

    /// The next line of the output, without its end; `None` once the program has ended. What it writes to its errors
    /// is kept for [`Running::errors`]. May be dropped while it waits.
    ///
    /// # Errors
    /// The connection broke before the program's end was told.
    pub async fn line(&mut self) -> io::Result<Option<String>> {
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Ok(Some(line));
            }
            match self.next().await? {
                Event::Output(bytes) => self.split(&bytes),
                Event::Errors(bytes) => self.errors.extend_from_slice(&bytes),
                Event::Ended(_) if self.line.is_empty() => return Ok(None),
                Event::Ended(_) => {
                    let rest = self.line.split();
                    return Ok(Some(text(&rest)));
                }
            }
        }
    }

    /// What it wrote to its errors while its lines were read.
    pub fn errors(&self) -> String {
        text(&self.errors)
    }

    /// Its exit code, once it has ended and where the device tells it.
    pub fn exit(&self) -> Option<u8> {
        self.ended.flatten()
    }

    /// Ends the program: its input is closed, which ends it, and its end is waited for.
    ///
    /// # Errors
    /// The connection broke before the program's end was told.
    pub async fn stop(&mut self) -> io::Result<Option<u8>> {
        if self.ended.is_none() {
            if self.packets {
                self.socket.write_all(&packet::head(packet::CLOSE_STDIN, 0)).await?;
                self.socket.flush().await?;
            } else {
                self.socket.shutdown().await?;
            }
        }
        loop {
            match self.next().await? {
                Event::Output(bytes) => self.split(&bytes),
                Event::Errors(bytes) => self.errors.extend_from_slice(&bytes),
                Event::Ended(exit) => return Ok(exit),
            }
        }
    }

    fn split(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") || self.line.len() >= LINE_LIMIT {
                let line = self.line.split();
                let line = line.strip_suffix(b"\n").unwrap_or(&line);
                self.lines.push_back(text(line.strip_suffix(b"\r").unwrap_or(line)));
            }
        }
    }

    /// Takes a whole event out of what was received, if there is one.
    fn decoded(&mut self) -> io::Result<Option<Event>> {
        if !self.packets {
            return Ok((!self.received.is_empty()).then(|| Event::Output(self.received.split().freeze())));
        }
        event(&mut self.received)
    }
}

/// Takes the packet at the beginning out of what was received, once it is whole.
pub(crate) fn event(received: &mut BytesMut) -> io::Result<Option<Event>> {
    let Some([kind, length @ ..]) = received.first_chunk::<5>() else { return Ok(None) };
    let (kind, length) = (*kind, u32::from_le_bytes(*length) as usize);
    if length > PACKET_LIMIT || !matches!(kind, packet::STDOUT | packet::STDERR | packet::EXIT) {
        return Err(garbled(format!("there is no packet of kind {kind} and {length} bytes")));
    }
    if received.len() < 5 + length {
        return Ok(None);
    }
    received.advance(5);
    let data = received.split_to(length).freeze();
    Ok(Some(match kind {
        packet::STDOUT => Event::Output(data),
        packet::STDERR => Event::Errors(data),
        _ => match data.first() {
            Some(exit) => Event::Ended(Some(*exit)),
            None => return Err(garbled("an exit packet without a code")),
        },
    }))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
