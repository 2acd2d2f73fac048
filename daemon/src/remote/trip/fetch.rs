//! A file of the server's, whole or not at all.

use std::{
    fs::{self, OpenOptions},
    io::{self, ErrorKind, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

use contract::hop::{File, encoded};
use sha2::{Digest, Sha256};

use super::{ASKING, PAUSES, Place, Remote, WORD_BYTES, Waiting};
use crate::{
    remote::{
        line::{Line, Went},
        rest,
    },
    state_dir::StateDir,
};

/// Where it goes that has no place of the caller's. Nothing else is here: a server chooses the names.
pub fn folder(state: &StateDir) -> PathBuf {
    state.path().join("remote").join("files")
}

/// What the device host made without a place of the caller's is kept for a day.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// Numbers tried for a name that is free.
const NAMES: u32 = 1_000;

/// A file that is here.
pub struct Fetched {
    /// Where: another name than the wanted one where a file is in its way.
    pub here: PathBuf,
}

/// Fetches a file, and removes it there.
pub fn fetch(
    remote: &Remote,
    line: &mut Option<Line>,
    file: &File,
    place: &Place,
    state: &StateDir,
) -> Result<Fetched, String> {
    if place.wanted.is_none() {
        swept(state);
        place.here.parent().map_or(Ok(()), fs::create_dir_all).map_err(|why| why.to_string())?;
    }
    let mut last = String::new();
    for pause in PAUSES {
        rest(pause);
        let mut open = match line.take().map_or_else(|| Line::open(&remote.0.address), Ok) {
            Ok(open) => open,
            Err(why) => {
                last = why.to_string();
                continue;
            }
        };
        match once(remote, &mut open, file, place, state) {
            Ok(here) => {
                removed(remote, &mut open, file);
                *line = Some(open);
                return Ok(Fetched { here });
            }
            Err(Unfetched::Here(why)) => return Err(why.to_string()),
            Err(Unfetched::There(why)) => last = why,
        }
    }
    Err(last)
}

/// Why it is not here.
enum Unfetched {
    /// It cannot be written here: to try again is of no use.
    Here(io::Error),
    /// The server, or the way.
    There(String),
}

fn once(remote: &Remote, line: &mut Line, file: &File, place: &Place, state: &StateDir) -> Result<PathBuf, Unfetched> {
    let path = format!("/files/{}", encoded(&file.name));
    // By how fast the slowest line worth waiting for is: 64 kB a second.
    let waiting = Waiting { end: Instant::now() + ASKING + Duration::from_secs(file.bytes >> 16), progress: None };
    let there = |why: io::Error| Unfetched::There(why.to_string());
    let reply = match line.exchange(&[remote.head("GET", &path, None, "").as_bytes()], waiting) {
        Went::NotSent(why) | Went::Lost(why) => return Err(there(why)),
        Went::Came(reply) => reply,
    };
    if !reply.is_ours() || reply.status != 200 {
        // What is wrong is in its status.
        let _read = line.body(&reply, WORD_BYTES, waiting, &mut |_| Ok(()));
        return Err(Unfetched::There(format!("status {}", reply.status)));
    }
    // A pipe or a device is written to, and never replaced.
    let special = fs::metadata(&place.here).is_ok_and(|found| !found.is_file());
    let beside = if special { state.path().join("remote").join("special") } else { place.here.clone() };
    let part = part_of(&beside);
    let private = place.here.extension() == Some("ad".as_ref());
    let written = (|| {
        let mut open = created(&part, private).map_err(Unfetched::Here)?;
        let (mut bytes, mut hash) = (0, Sha256::new());
        let mut unwritten = None;
        let body = line.body(&reply, file.bytes, waiting, &mut |chunk| {
            bytes += chunk.len() as u64;
            hash.update(chunk);
            open.write_all(chunk).map_err(|why| {
                let told = io::Error::from(why.kind());
                unwritten = Some(why);
                told
            })
        });
        match (body, unwritten) {
            (Err(_), Some(why)) => return Err(Unfetched::Here(why)),
            (Err(why), None) => return Err(there(why)),
            (Ok(()), _) => {}
        }
        let sha256: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        if bytes != file.bytes || sha256 != file.sha256 {
            return Err(Unfetched::There("what came is not the file that was announced".to_owned()));
        }
        if special {
            return fs::read(&part)
                .and_then(|content| fs::write(&place.here, content))
                .map(|()| place.here.clone())
                .map_err(Unfetched::Here);
        }
        placed(&part, &place.here, place.replace).map_err(Unfetched::Here)
    })();
    // Moved, or of no use to anybody.
    let _gone = fs::remove_file(&part);
    written
}

fn created(part: &Path, private: bool) -> io::Result<fs::File> {
    // What an earlier program of this number may have left.
    let _gone = fs::remove_file(part);
    part.parent().filter(|folder| folder.ends_with("remote")).map_or(Ok(()), fs::create_dir_all)?;
    OpenOptions::new().write(true).create_new(true).mode(if private { 0o600 } else { 0o666 }).open(part)
}

fn part_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.part-{}", std::process::id()))
}

/// Moves a file to its place, or to the first free one of `flow-2.ad`, `flow-3.ad` ... where another is there by now.
fn placed(part: &Path, here: &Path, replace: bool) -> io::Result<PathBuf> {
    if replace {
        return fs::rename(part, here).map(|()| here.to_owned());
    }
    let stem = here.file_stem().unwrap_or_default().to_string_lossy();
    let end = here.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
    for number in 1..=NAMES {
        let path = if number == 1 { here.to_owned() } else { here.with_file_name(format!("{stem}-{number}{end}")) };
        match fs::hard_link(part, &path) {
            Ok(()) => return Ok(path),
            Err(why) if why.kind() == ErrorKind::AlreadyExists => {}
            Err(why) => return Err(why),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Frees the room there. Where that fails, the end of the lease does it.
fn removed(remote: &Remote, line: &mut Line, file: &File) {
    let path = format!("/files/{}", encoded(&file.name));
    let waiting = Waiting { end: Instant::now() + ASKING, progress: None };
    if let Went::Came(reply) = line.exchange(&[remote.head("DELETE", &path, None, "").as_bytes()], waiting) {
        let _read = line.body(&reply, WORD_BYTES, waiting, &mut |_| Ok(()));
    }
}

/// Removes what was fetched long ago without a place of the caller's.
fn swept(state: &StateDir) {
    for entry in fs::read_dir(folder(state)).into_iter().flatten().flatten() {
        let old = entry
            .metadata()
            .and_then(|found| found.modified())
            .is_ok_and(|changed| SystemTime::now().duration_since(changed).is_ok_and(|age| age > KEPT));
        if old {
            // Another program may be at it as well.
            let _gone = fs::remove_dir_all(entry.path());
        }
    }
}
