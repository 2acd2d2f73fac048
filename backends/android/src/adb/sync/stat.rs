//! What a path is, and what is in a folder.

use std::io;

use contract::{Effect, Failure};
use tokio::io::{AsyncRead, AsyncReadExt};
use wire::Context;

use super::{complaint, letters, unknown};
use crate::adb::{phone::Phone, protocol::garbled};

/// A folder with more entries is an error.
const MOST_ENTRIES: usize = 1 << 20;
/// One whose names are longer than this all together too, bytes.
const MOST_NAMES: usize = 64 << 20;

/// What the device knows of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Kind and permissions, as `st_mode`.
    pub mode: u32,
    /// Bytes. On devices before Android 8 modulo 4 GiB.
    pub size: u64,
    /// Last change, seconds since 1970.
    pub modified: i64,
}

impl Stat {
    /// Whether it is a folder.
    pub const fn is_folder(&self) -> bool {
        self.mode & 0o170_000 == 0o040_000
    }

    /// Whether it is a plain file.
    pub const fn is_file(&self) -> bool {
        self.mode & 0o170_000 == 0o100_000
    }
}

/// One entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name in the folder.
    pub name: String,
    /// What it is.
    pub stat: Stat,
}

impl Phone {
    /// What is at a path, symbolic links followed where the device can; `None` where there is nothing, or nothing that
    /// adbd may see.
    ///
    /// # Errors
    /// No way to the device, or the answer was lost.
    pub async fn stat(&self, context: &Context, path: &str) -> Result<Option<Stat>, Failure> {
        let doing = format!("could not look at {path} on {}", self.serial());
        let second = self.features(context).await?.has("stat_v2");
        let id = if second { b"STA2" } else { b"STAT" };
        self.request(context, Effect::Observes, &doing, (id, path), |mut stream| async move {
            match &letters(&mut stream).await? {
                b"FAIL" => Ok(Err(complaint(&mut stream).await?)),
                b"STA2" if second => {
                    let (error, stat) = stat_v2(&mut stream).await?;
                    Ok(Ok((error == 0).then_some(stat)))
                }
                b"STAT" if !second => {
                    let stat = stat_v1(&mut stream).await?;
                    Ok(Ok((stat.mode != 0).then_some(stat)))
                }
                other => Err(unknown(*other)),
            }
        })
        .await
    }

    /// What is in a folder, without `.` and `..`, sorted by name; empty also where there is no such folder.
    ///
    /// # Errors
    /// No way to the device, or the answer was lost.
    pub async fn list(&self, context: &Context, path: &str) -> Result<Vec<Entry>, Failure> {
        let doing = format!("could not list {path} on {}", self.serial());
        let second = self.features(context).await?.has("ls_v2");
        let id = if second { b"LIS2" } else { b"LIST" };
        let mut entries =
            self.request(context, Effect::Observes, &doing, (id, path), |stream| entries(stream, second)).await?;
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }
}

pub(crate) async fn entries(
    mut stream: impl AsyncRead + Unpin,
    second: bool,
) -> io::Result<Result<Vec<Entry>, String>> {
    let mut entries = Vec::new();
    let mut named = 0;
    loop {
        let stat = match &letters(&mut stream).await? {
            b"DONE" => return Ok(Ok(entries)),
            b"FAIL" => return Ok(Err(complaint(&mut stream).await?)),
            b"DNT2" if second => stat_v2(&mut stream).await?.1,
            b"DENT" if !second => stat_v1(&mut stream).await?,
            other => return Err(unknown(*other)),
        };
        let length = stream.read_u32_le().await? as usize;
        named += length;
        if length > super::LONGEST_PATH || entries.len() == MOST_ENTRIES || named > MOST_NAMES {
            return Err(garbled(format!("entry {} has a name of {length} bytes", entries.len())));
        }
        let mut name = vec![0; length];
        stream.read_exact(&mut name).await?;
        if name != b"." && name != b".." {
            entries.push(Entry { name: String::from_utf8_lossy(&name).into_owned(), stat });
        }
    }
}

async fn stat_v1(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Stat> {
    let (mode, size, modified) =
        (stream.read_u32_le().await?, stream.read_u32_le().await?, stream.read_u32_le().await?);
    Ok(Stat { mode, size: size.into(), modified: modified.into() })
}

/// The error number, then device, inode, mode, links, owner, group, size, and three times.
async fn stat_v2(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<(u32, Stat)> {
    let error = stream.read_u32_le().await?;
    let (_device, _inode) = (stream.read_u64_le().await?, stream.read_u64_le().await?);
    let mode = stream.read_u32_le().await?;
    let (_links, _owner, _group) =
        (stream.read_u32_le().await?, stream.read_u32_le().await?, stream.read_u32_le().await?);
    let size = stream.read_u64_le().await?;
    let (_accessed, modified, _changed) =
        (stream.read_i64_le().await?, stream.read_i64_le().await?, stream.read_i64_le().await?);
    Ok((error, Stat { mode, size, modified }))
}
