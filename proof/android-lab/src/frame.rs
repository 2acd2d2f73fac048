//! What a command of the device (`lab-device-bin`) and the device itself say to each other: frames of a kind (1 byte), a length
//! (4 bytes, little endian) and that many bytes.

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// To the device: a JSON object with `argv` and `pid`.
pub const BEGIN: u8 = 0;
/// To the device: standard input.
pub const STDIN: u8 = 1;
/// To the device: standard input has ended.
pub const STDIN_END: u8 = 2;
/// To the device: the command was asked to end (SIGINT, SIGTERM).
pub const SIGNAL: u8 = 3;
/// From the device: standard output.
pub const STDOUT: u8 = 10;
/// From the device: standard error.
pub const STDERR: u8 = 11;
/// From the device: the exit code, one byte. The last frame.
pub const EXIT: u8 = 12;
/// From the device: send standard input now. A command that does not read it leaves it to the shell.
pub const WANT_STDIN: u8 = 13;

/// The longest frame.
const LONGEST: u32 = 16 * 1024 * 1024;

/// Writes one frame.
///
/// # Errors
/// Those of the connection.
pub async fn write(to: &mut (impl AsyncWrite + Unpin), kind: u8, bytes: &[u8]) -> std::io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(|_| std::io::ErrorKind::InvalidInput)?;
    let mut frame = Vec::with_capacity(bytes.len() + 5);
    frame.push(kind);
    frame.extend_from_slice(&length.to_le_bytes());
    frame.extend_from_slice(bytes);
    to.write_all(&frame).await
}

/// Reads one frame; `None` at the end of the connection.
///
/// # Errors
/// Those of the connection, and a frame longer than 16 MiB.
pub async fn read(from: &mut (impl AsyncRead + Unpin)) -> std::io::Result<Option<(u8, Vec<u8>)>> {
    let kind = match from.read_u8().await {
        Ok(kind) => kind,
        Err(end) if end.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(other) => return Err(other),
    };
    let length = from.read_u32_le().await?;
    if length > LONGEST {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; length as usize];
    from.read_exact(&mut bytes).await?;
    Ok(Some((kind, bytes)))
}
