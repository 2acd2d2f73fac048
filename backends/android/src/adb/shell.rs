//! A program on the device, run to its end.

use std::io;

use contract::{Code, Effect, Failure, Row};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use wire::{Answered, Context};

use super::{
    legacy,
    phone::{Phone, REPLY_LIMIT},
    protocol::garbled,
    service::looked,
    socket::Socket,
};

/// Packets of the shell protocol: one byte of kind, four of length (little endian), the data.
pub(super) mod packet {
    /// To the program's input.
    pub const STDIN: u8 = 0;
    /// From its output.
    pub const STDOUT: u8 = 1;
    /// From its error output.
    pub const STDERR: u8 = 2;
    /// Its exit code, one byte. The last packet.
    pub const EXIT: u8 = 3;
    /// Ends its input.
    pub const CLOSE_STDIN: u8 = 4;

    /// The head of a packet.
    pub fn head(kind: u8, length: u32) -> [u8; 5] {
        let [a, b, c, d] = length.to_le_bytes();
        [kind, a, b, c, d]
    }
}

/// Input goes over in packets of this size, bytes.
const INPUT_CHUNK: usize = 64 << 10;

/// How many bytes of a program's own words a message quotes.
const QUOTED: usize = 400;

/// The prefix of the service that tells errors and exit codes apart, without a terminal.
pub(super) const SERVICE: &str = "shell,v2,raw:";

/// What a program did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellOutput {
    /// Its output, every byte as written.
    pub stdout: Vec<u8>,
    /// Its errors; empty on a device that does not tell them apart, where they are in the output.
    pub stderr: Vec<u8>,
    /// Its exit code; above 128 for one that a signal ended.
    pub exit: u8,
}

impl ShellOutput {
    /// The output as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Output and errors as one text, for a tool that is not careful about which it uses.
    pub fn all(&self) -> String {
        let mut all = self.text();
        all.push_str(&String::from_utf8_lossy(&self.stderr));
        all
    }

    /// What it said on its way out: its errors, or else its output; the first lines.
    pub fn complaint(&self) -> String {
        let said = if self.stderr.trim_ascii().is_empty() { &self.stdout } else { &self.stderr };
        let said = String::from_utf8_lossy(said);
        let said = said.trim();
        match said.char_indices().nth(QUOTED) {
            Some((end, _)) => format!("{}...", said.get(..end).unwrap_or_default()),
            None => said.to_owned(),
        }
    }
}

impl Phone {
    /// Runs a line of shell and returns what it did, for the caller to judge: an exit code other than zero is an answer.
    ///
    /// # Errors
    /// No way to the device, or the end was lost.
    pub async fn shell(&self, context: &Context, effect: Effect, line: &str) -> Result<Answered<ShellOutput>, Failure> {
        self.pipe(context, effect, line, &[]).await
    }

    /// The same with bytes for the program's input.
    ///
    /// # Errors
    /// No way to the device, or the end was lost.
    pub async fn pipe(
        &self,
        context: &Context,
        effect: Effect,
        line: &str,
        input: &[u8],
    ) -> Result<Answered<ShellOutput>, Failure> {
        let doing = self.running(line);
        if self.features(context).await?.has("shell_v2") {
            let service = format!("{SERVICE}{line}");
            self.serve(context, effect, &service, &doing, |stream| run(stream, input)).await
        } else {
            self.serve(context, effect, &legacy::service(line, input.len()), &doing, |stream| {
                legacy::run(stream, input)
            })
            .await
        }
    }

    /// Runs a line of shell that has to succeed.
    ///
    /// # Errors
    /// As [`Phone::shell`]; `adb.command-failed` where it ends with another code than zero (a look: `adb.look-failed`).
    pub async fn run(&self, context: &Context, effect: Effect, line: &str) -> Result<ShellOutput, Failure> {
        let answered = self.shell(context, effect, line).await?;
        match answered.reply().exit {
            0 => Ok(answered.completed()),
            _ => Err(self.ended_badly(effect, line, &answered.undecided())),
        }
    }

    /// The text that a look prints.
    ///
    /// # Errors
    /// As [`Phone::run`].
    pub async fn look(&self, context: &Context, line: &str) -> Result<String, Failure> {
        Ok(self.run(context, Effect::Observes, line).await?.text())
    }

    /// The failure of a program that ended with an error after it was started.
    pub fn ended_badly(&self, effect: Effect, line: &str, output: &ShellOutput) -> Failure {
        let failure = Failure::lost(
            Row::AdbCommandFailed,
            Code::CommandFailed,
            format!("{}: it ended with code {}: {}", self.running(line), output.exit, output.complaint()),
        )
        .reason("adb_command_failed")
        .detail("exitCode", output.exit);
        looked(effect, failure)
    }
}

/// Feeds the program and reads its packets until the one with the exit code.
async fn run(stream: Socket, input: &[u8]) -> io::Result<ShellOutput> {
    let (from, mut to) = tokio::io::split(stream);
    let reading = packets(from);
    let feeding = async {
        // A program that ends before it has read all closes the stream: how it ended is told in its own packet.
        let _unread = feed(&mut to, input).await;
        std::future::pending().await
    };
    tokio::select! {
        biased;
        output = reading => output,
        never = feeding => never,
    }
}

/// Reads packets until the one with the exit code. What a packet announces is taken as it comes: a length alone makes
/// no room.
pub(crate) async fn packets(mut from: impl AsyncRead + Unpin) -> io::Result<ShellOutput> {
    let mut output = ShellOutput { stdout: Vec::new(), stderr: Vec::new(), exit: 0 };
    loop {
        let kind = from.read_u8().await?;
        let length = from.read_u32_le().await? as usize;
        let others = output.stdout.len() + output.stderr.len();
        let into = match kind {
            packet::STDOUT => &mut output.stdout,
            packet::STDERR => &mut output.stderr,
            packet::EXIT if length == 1 => {
                output.exit = from.read_u8().await?;
                return Ok(output);
            }
            other => return Err(garbled(format!("there is no packet of kind {other} and {length} bytes"))),
        };
        if others.saturating_add(length) > REPLY_LIMIT {
            return Err(garbled("the output is larger than any may be"));
        }
        if (&mut from).take(length as u64).read_to_end(into).await? < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

async fn feed(to: &mut (impl AsyncWrite + Unpin), input: &[u8]) -> io::Result<()> {
    for chunk in input.chunks(INPUT_CHUNK) {
        to.write_all(&packet::head(packet::STDIN, chunk.len() as u32)).await?;
        to.write_all(chunk).await?;
    }
    to.write_all(&packet::head(packet::CLOSE_STDIN, 0)).await?;
    to.flush().await
}
