//! A file to the device.

use std::{io, path::Path, time::Duration};

use contract::{Code, Effect, Failure, Row};
use tokio::{
    fs::File,
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    time::timeout,
};
use wire::Context;

use super::{PART, complaint, letters, unknown};
use crate::adb::{phone::Phone, socket::Socket};

/// How long the explanation is waited for after adbd closed its side.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How a file is to be on the device.
#[derive(Debug, Clone, Copy)]
pub struct Attributes {
    /// Permissions, as for `chmod`. adbd gives what the owner may do to the group and to others too.
    pub permissions: u32,
    /// Last change, seconds since 1970; zero for now, by the device's clock on most devices.
    pub modified: u32,
}

impl Default for Attributes {
    fn default() -> Self {
        Self { permissions: 0o644, modified: 0 }
    }
}

impl Phone {
    /// Writes a file on the device. Its folder is made where the device is recent.
    ///
    /// # Errors
    /// No way to the device, or the file cannot be written there; a part of it may have been.
    pub async fn push(
        &self,
        context: &Context,
        effect: Effect,
        content: &[u8],
        to: &str,
        attributes: Attributes,
    ) -> Result<(), Failure> {
        self.send(context, effect, content, to, attributes).await
    }

    /// The same with a file of this computer.
    ///
    /// # Errors
    /// As [`Phone::push`]; `INVALID_ARGS` where the file cannot be opened.
    pub async fn push_file(
        &self,
        context: &Context,
        effect: Effect,
        from: &Path,
        to: &str,
        attributes: Attributes,
    ) -> Result<(), Failure> {
        let file = File::open(from).await.map_err(|why| {
            Failure::refused(Row::AdbNotWritten, Code::InvalidArgs, format!("could not read {}: {why}", from.display()))
                .reason("input_unreadable")
        })?;
        self.send(context, effect, file, to, attributes).await
    }

    async fn send(
        &self,
        context: &Context,
        effect: Effect,
        content: impl AsyncRead + Unpin,
        to: &str,
        attributes: Attributes,
    ) -> Result<(), Failure> {
        let doing = format!("could not write {to} on {}", self.serial());
        let target = format!("{to},{}", 0o100_000 | (attributes.permissions & 0o7777));
        self.request(context, effect, &doing, (b"SEND", &target), |stream| {
            transfer(stream, content, attributes.modified)
        })
        .await
    }
}

async fn transfer(
    mut stream: Socket,
    content: impl AsyncRead + Unpin,
    modified: u32,
) -> io::Result<Result<(), String>> {
    if let Err(why) = parts(&mut stream, content, modified).await {
        // adbd refuses in the middle and closes: what it said is still there to be read.
        return match timeout(LAST_WORDS, reply(&mut stream)).await {
            Ok(Ok(Err(refused))) => Ok(Err(refused)),
            _ => Err(why),
        };
    }
    reply(&mut stream).await
}

async fn parts(stream: &mut Socket, mut content: impl AsyncRead + Unpin, modified: u32) -> io::Result<()> {
    let mut part = vec![0; PART];
    loop {
        let count = content.read(&mut part).await?;
        if count == 0 {
            stream.write_all(b"DONE").await?;
            stream.write_u32_le(modified).await?;
            return stream.flush().await;
        }
        stream.write_all(b"DATA").await?;
        stream.write_u32_le(count as u32).await?;
        stream.write_all(part.get(..count).unwrap_or_default()).await?;
    }
}

async fn reply(stream: &mut Socket) -> io::Result<Result<(), String>> {
    match &letters(stream).await? {
        b"OKAY" => Ok(Ok(())),
        b"FAIL" => Ok(Err(complaint(stream).await?)),
        other => Err(unknown(*other)),
    }
}
