//! The emulator's console: what only the emulator itself can do (battery, location, fingerprint, network).

use std::{io, path::Path};

use contract::{Code, Effect, Failure, Row};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufStream};
use tokio::net::TcpStream;
use wire::{Channel, Context, Sent};

use super::{protocol::garbled, refusals, service::ROWS};

/// A greeting or reply longer than this is none, bytes.
const REPLY_LIMIT: usize = 1 << 20;

/// Says one line to the console of the emulator at `port` on this machine, and returns what it answers.
///
/// `token` is the file with the console's password, `.emulator_console_auth_token` in the user's home; the emulator
/// writes it.
///
/// # Errors
/// Nobody listens, the password is not accepted, or the console refuses the line.
pub async fn say(context: &Context, effect: Effect, port: u16, token: &Path, line: &str) -> Result<String, Failure> {
    context.check()?;
    let doing = format!("could not say '{}' to the emulator's console", line.split(' ').next().unwrap_or_default());
    if line.contains(['\r', '\n']) {
        let why = format!("{doing}: it is more than one line");
        return Err(Failure::refused(Row::AdbNotWritten, Code::InvalidArgs, why));
    }
    let sent = async {
        let channel = Channel::connect(context, Row::AdbServerUnreachable, async {
            Ok(BufStream::new(TcpStream::connect(("127.0.0.1", port)).await?))
        })
        .await?;
        let (channel, (greeting, _)) = channel.prepare(context, Row::AdbNotWritten, b"", heard).await?;
        let channel = if greeting.contains("Authentication required") {
            let password = tokio::fs::read_to_string(token).await.unwrap_or_default();
            let auth = format!("auth {}\r\n", password.trim());
            match channel.prepare(context, Row::AdbNotWritten, auth.as_bytes(), heard).await? {
                (channel, (_, true)) => channel,
                (channel, (said, false)) => return Err(channel.refused(Row::AdbDeviceUnauthorized, said)),
            }
        } else {
            channel
        };
        let request = format!("{line}\r\n");
        Ok(channel
            .operate(context, effect, ROWS, request.as_bytes(), |stream| async move {
                let (_, (said, accepted)) = heard(stream).await?;
                Ok(if accepted { Ok(said) } else { Err(said) })
            })
            .await)
    };
    match sent.await.unwrap_or_else(Sent::NotSent) {
        Sent::NotSent(proof) => Err(refusals::failure(proof, &doing)),
        Sent::Lost(lost) => Err(lost.failure(&doing)),
        Sent::Answered(answered) => match answered.sort(|reply| reply) {
            Ok(answered) => Ok(answered.completed()),
            Err(refused) => {
                let said = refused.undecided();
                let failure = Failure::lost(Row::AdbCommandFailed, Code::CommandFailed, format!("{doing}: {said}"))
                    .reason("console_refused");
                Err(super::service::looked(effect, failure))
            }
        },
    }
}

/// Reads up to `OK`, or `KO` and why. Returns what stood before it, and whether it was `OK`.
async fn heard<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: BufStream<S>,
) -> io::Result<(BufStream<S>, (String, bool))> {
    let mut said = Vec::new();
    loop {
        let begin = said.len();
        if stream.read_until(b'\n', &mut said).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if said.len() > REPLY_LIMIT {
            return Err(garbled("the console does not come to an end"));
        }
        let line = String::from_utf8_lossy(said.get(begin..).unwrap_or_default()).trim().to_owned();
        let before = || String::from_utf8_lossy(said.get(..begin).unwrap_or_default()).trim().to_owned();
        if line == "OK" {
            let before = before();
            return Ok((stream, (before, true)));
        }
        if let Some(why) = line.strip_prefix("KO") {
            return Ok((stream, (why.trim_start_matches(':').trim().to_owned(), false)));
        }
    }
}
