//! Files on the device, over adb's sync service.
//!
//! The service itself does nothing; its requests do. So the way is prepared up to the service's OKAY, and the request is
//! the operation.
//!
//! | module | answers |
//! | --- | --- |
//! | [`stat`] | what a path is, what is in a folder |
//! | [`pull`] | a file from the device |
//! | [`push`] | a file to the device |

pub mod pull;
pub mod push;
pub mod stat;

use std::io;

use contract::{Code, Effect, Failure, Row};
use tokio::io::{AsyncRead, AsyncReadExt};
use wire::{Answered, Channel, Context, Sent};

pub use stat::{Entry, Stat};

use super::{
    phone::Phone,
    protocol::garbled,
    refusals,
    service::{ROWS, looked},
    socket::Socket,
};

/// Data goes over in parts of at most this size, bytes. adb's own limit.
const PART: usize = 64 << 10;

/// The longest path that adbd takes, bytes.
const LONGEST_PATH: usize = 1024;

/// A longer explanation is none, bytes.
const LONGEST_COMPLAINT: usize = 64 << 10;

/// A request: four letters, the length (little endian), the bytes.
fn request(id: &[u8; 4], bytes: &[u8]) -> Vec<u8> {
    let mut request = id.to_vec();
    request.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    request.extend_from_slice(bytes);
    request
}

/// Reads the explanation of a `FAIL`, whose letters have been read.
async fn complaint(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<String> {
    let length = stream.read_u32_le().await? as usize;
    if length > LONGEST_COMPLAINT {
        return Err(garbled(format!("an explanation of {length} bytes")));
    }
    let mut text = vec![0; length];
    stream.read_exact(&mut text).await?;
    Ok(String::from_utf8_lossy(&text).trim().to_owned())
}

/// Reads the four letters of a reply.
async fn letters(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<[u8; 4]> {
    let mut id = [0; 4];
    stream.read_exact(&mut id).await?;
    Ok(id)
}

fn unknown(id: [u8; 4]) -> io::Error {
    garbled(format!("'{}' is no reply of the sync service", String::from_utf8_lossy(&id).escape_debug()))
}

impl Phone {
    /// One request of the sync service. `Err` of what `read` returns is adbd's refusal, in its words.
    async fn request<T, F: Future<Output = io::Result<Result<T, String>>>>(
        &self,
        context: &Context,
        effect: Effect,
        doing: &str,
        (id, path): (&[u8; 4], &str),
        read: impl FnOnce(Socket) -> F,
    ) -> Result<T, Failure> {
        context.check()?;
        if path.len() > LONGEST_PATH {
            return Err(Failure::refused(
                Row::AdbNotWritten,
                Code::InvalidArgs,
                format!("{doing}: the path is longer than {LONGEST_PATH} bytes"),
            ));
        }
        let channel = self.syncing(context).await.map_err(|proof| refusals::failure(proof, doing))?;
        match channel.operate(context, effect, ROWS, &request(id, path.as_bytes()), read).await {
            Sent::NotSent(proof) => Err(refusals::failure(proof, doing)),
            Sent::Lost(lost) => Err(lost.failure(doing)),
            Sent::Answered(answered) => judged(answered, effect, doing),
        }
    }

    async fn syncing(&self, context: &Context) -> Result<Channel<Socket>, wire::NotSent> {
        self.prepared(context, "sync:", Row::AdbServerRefused).await
    }
}

fn judged<T>(answered: Answered<Result<T, String>>, effect: Effect, doing: &str) -> Result<T, Failure> {
    match answered.sort(|reply| reply) {
        Ok(answered) => Ok(answered.completed()),
        Err(refused) => {
            let said = refused.undecided();
            let failure =
                Failure::lost(Row::AdbCommandFailed, Code::CommandFailed, format!("{doing}: the device says: {said}"))
                    .reason("adb_sync_failed");
            Err(looked(effect, failure))
        }
    }
}
