//! A file from the device.

use std::{io, path::Path};

use contract::{Code, Effect, Failure, Row};
use tokio::{
    fs::{self, File},
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
};
use wire::Context;

use super::{PART, complaint, letters, unknown};
use crate::adb::{
    phone::{Phone, REPLY_LIMIT},
    protocol::garbled,
};

impl Phone {
    /// A file's content.
    ///
    /// # Errors
    /// No way to the device, no such file, or one that is larger than a reply may be.
    pub async fn pull(&self, context: &Context, path: &str) -> Result<Vec<u8>, Failure> {
        let doing = format!("could not read {path} from {}", self.serial());
        self.request(context, Effect::Observes, &doing, (b"RECV", path), |stream| async move {
            let mut content = Vec::new();
            let received = receive(stream, &mut content, REPLY_LIMIT as u64).await?;
            Ok(received.map(|_| content))
        })
        .await
    }

    /// Writes a file's content to `to` on this computer, which comes to be only once it is whole, and returns its size,
    /// bytes.
    ///
    /// # Errors
    /// No way to the device, no such file, or `to` cannot be written.
    pub async fn pull_to(&self, context: &Context, path: &str, to: &Path) -> Result<u64, Failure> {
        let doing = format!("could not read {path} from {}", self.serial());
        let mut part = to.as_os_str().to_owned();
        part.push(".part");
        let part = Path::new(&part);
        let file = File::create(part).await.map_err(|why| unwritable(part, &why))?;
        let pulled = self
            .request(context, Effect::Observes, &doing, (b"RECV", path), |stream| async move {
                let mut file = Local { file, broken: None };
                let received = receive(stream, &mut file, u64::MAX).await;
                match file.broken {
                    Some(why) => Ok(Ok(Err(why))),
                    None => received.map(|received| received.map(Ok)),
                }
            })
            .await;
        let written = match pulled {
            Ok(Ok(size)) => fs::rename(part, to).await.map(|()| size).map_err(|why| unwritable(to, &why)),
            Ok(Err(why)) => Err(unwritable(part, &why)),
            Err(failure) => Err(failure),
        };
        if written.is_err() {
            // Whether it can be removed changes nothing about what is reported.
            let _removed = fs::remove_file(part).await;
        }
        written
    }
}

/// A file on this computer, which notes its own errors: they are not the device's.
#[derive(Debug)]
struct Local {
    file: File,
    broken: Option<io::Error>,
}

/// Where a file's parts go.
pub(crate) trait Sink {
    async fn put(&mut self, bytes: &[u8]) -> io::Result<()>;
    async fn end(&mut self) -> io::Result<()>;
}

impl Sink for Vec<u8> {
    async fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.extend_from_slice(bytes);
        Ok(())
    }
    async fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Local {
    async fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.file.write_all(bytes).await;
        self.note(written)
    }
    async fn end(&mut self) -> io::Result<()> {
        let written = flushed(&mut self.file).await;
        self.note(written)
    }
}

impl Local {
    fn note(&mut self, written: io::Result<()>) -> io::Result<()> {
        written.map_err(|why| {
            let kind = why.kind();
            self.broken = Some(why);
            kind.into()
        })
    }
}

async fn flushed(file: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
    file.flush().await
}

pub(crate) async fn receive(
    mut stream: impl AsyncRead + Unpin,
    into: &mut impl Sink,
    limit: u64,
) -> io::Result<Result<u64, String>> {
    let mut part = vec![0; PART];
    let mut size = 0;
    loop {
        match &letters(&mut stream).await? {
            b"DATA" => {
                let length = stream.read_u32_le().await? as usize;
                let Some(data) = part.get_mut(..length) else {
                    return Err(garbled(format!("a part of {length} bytes")));
                };
                stream.read_exact(data).await?;
                size += length as u64;
                if size > limit {
                    return Err(garbled("the file is larger than a reply may be"));
                }
                into.put(data).await?;
            }
            b"DONE" => {
                into.end().await?;
                return Ok(Ok(size));
            }
            b"FAIL" => return Ok(Err(complaint(&mut stream).await?)),
            other => return Err(unknown(*other)),
        }
    }
}

fn unwritable(path: &Path, why: &io::Error) -> Failure {
    Failure::refused(Row::AdbLookFailed, Code::StorageFailed, format!("could not write {}: {why}", path.display()))
        .reason("output_unwritable")
}
