//! A traced session: every command of it leaves an entry in `trace-<n>/trace.ndjson`, in the format of `contract::trace`.
//!
//! | module | answers |
//! | --- | --- |
//! | [`mod@self`] | the folder, what it may hold, how an entry gets into it |
//! | [`screens`] | pictures and trees, each stored once |
//! | [`entry`] | from a command and its outcome to an entry |
//! | [`applog`] | the lines that an app's log gained |
//! | [`network`] | what the app asked of the network |
//! | [`address`] | an address as a trace shows it |
//!
//! A trace may begin before anything is open: its header is written when something is.

pub mod address;
pub mod applog;
pub mod entry;
pub mod network;
pub mod screens;

use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use contract::{
    Code, Failure, Row,
    trace::{Entry, FILE, Header, VERSION},
};

use crate::{leases::now_ms, log, session::Session};

/// Entries of a trace at most.
pub const ENTRIES: u32 = 5_000;
/// Bytes of its pictures and trees at most: half a GiB, some thousand screens.
pub const BYTES: u64 = 512 << 20;
/// Entries at most of a trace that waits for something to be opened.
const EARLY: u32 = 100;
/// Marks a folder that is not ours to remove.
const KEPT: &str = "kept";

/// The folder of a trace. Removed when it is dropped, unless it is to be kept.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    keep: bool,
}

impl Folder {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Leaves it where it is.
    pub fn keep(&mut self) {
        self.keep = true;
        // For the next one, which removes what was left behind.
        let marked = File::create(self.path.join(KEPT));
        if let Err(why) = marked {
            log::line(&format!("{}: {why}", self.path.display()));
        }
    }

    /// It is kept.
    pub const fn kept(&self) -> bool {
        self.keep
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.keep
            && let Err(why) = fs::remove_dir_all(&self.path)
            && why.kind() != io::ErrorKind::NotFound
        {
            log::line(&format!("{} cannot be removed: {why}", self.path.display()));
        }
    }
}

/// A trace that is going on.
#[derive(Debug)]
pub struct Tracer {
    folder: Folder,
    file: File,
    /// Of the newest entry.
    number: u32,
    bytes: u64,
    limits: Limits,
    /// Entries were left out.
    full: bool,
    stored: HashSet<String>,
    screens: screens::Screens,
    log: applog::AppLog,
    traffic: network::Traffic,
    /// The session's name.
    name: String,
    /// When it began, ms since 1970-01-01 UTC.
    started_at_ms: u64,
    /// Entries that stand before the header is written; `None` once it is.
    early: Option<Vec<Entry>>,
}

/// How much a trace may hold.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Entries.
    pub entries: u32,
    /// Bytes of pictures and trees.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { entries: ENTRIES, bytes: BYTES }
    }
}

/// A trace that has ended.
#[derive(Debug)]
pub struct Traced {
    /// Its folder.
    pub folder: Folder,
    /// Entries in it.
    pub entries: u32,
    /// Bytes of its pictures and trees.
    pub bytes: u64,
    /// It was full before the end.
    pub full: bool,
}

impl Tracer {
    /// Begins the trace of a session, in a new folder of its own in the session's. What the session has open is said by
    /// [`Tracer::opened`].
    ///
    /// # Errors
    /// `STORAGE_FAILED` where it cannot be made.
    /// `number` is the first that its folder may have.
    pub fn begin(name: &str, session: &Path, number: u32, keep: bool, limits: Limits) -> Result<Self, Failure> {
        sweep(session);
        let failed = |why: io::Error| unwritable(session, &why);
        fs::create_dir_all(session).map_err(failed)?;
        let mut folder = Folder { path: made(session, number).map_err(failed)?, keep: false };
        let file = OpenOptions::new().create_new(true).append(true).mode(0o600).open(folder.path.join(FILE));
        let file = file.map_err(failed)?;
        if keep {
            folder.keep();
        }
        Ok(Self {
            folder,
            file,
            number: 0,
            bytes: 0,
            limits,
            full: false,
            stored: HashSet::new(),
            screens: screens::Screens::default(),
            log: applog::AppLog::default(),
            traffic: network::Traffic::default(),
            name: name.to_owned(),
            started_at_ms: now_ms(),
            early: Some(Vec::new()),
        })
    }

    /// Whether nothing was open so far.
    pub const fn waits(&self) -> bool {
        self.early.is_some()
    }

    /// Something is open now: says what, once.
    ///
    /// # Errors
    /// `STORAGE_FAILED` where it cannot be written.
    pub fn opened(&mut self, session: &Session) -> Result<(), Failure> {
        let header = self.header();
        self.head(&Header {
            platform: session.platform.to_string(),
            device: session.device_id.clone(),
            app: address::without_user(&session.app).into_owned(),
            ..header
        })
        .map_err(|why| unwritable(&session.folder, &why))
    }

    fn header(&self) -> Header {
        Header {
            version: VERSION,
            agent_device: contract::VERSION.to_owned(),
            session: self.name.clone(),
            platform: String::new(),
            device: String::new(),
            app: String::new(),
            started_at_ms: self.started_at_ms,
        }
    }

    fn head(&mut self, header: &Header) -> io::Result<()> {
        let Some(early) = self.early.take() else { return Ok(()) };
        self.file.write_all(&line(header)?)?;
        early.iter().try_for_each(|entry| self.file.write_all(&line(entry)?))
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Whether another entry finds room.
    pub const fn has_room(&self) -> bool {
        self.number < self.limits.entries && !(self.waits() && self.number >= EARLY)
    }

    /// Appends an entry; gives it its number. A trace that cannot be written changes nothing else: it is a line in the log.
    pub fn append(&mut self, mut entry: Entry) {
        if !self.has_room() {
            self.full = true;
            return;
        }
        self.number += 1;
        entry.number = self.number;
        if !self.has_room() {
            entry.notes.push(format!(
                "the trace is full: it has {} entries at most, later ones are not in it",
                self.limits.entries
            ));
        }
        if let Some(early) = &mut self.early {
            early.push(entry);
        } else if let Err(why) = line(&entry).and_then(|line| self.file.write_all(&line)) {
            log::line(&format!("the trace {} cannot be written: {why}", self.folder.path.display()));
        }
    }

    /// Stores bytes under a name made of their contents; the name, or why there is none.
    fn store(&mut self, bytes: &[u8], end: &str) -> Result<String, String> {
        let name = format!("{:016x}-{}.{end}", crate::state_dir::fnv(bytes), bytes.len());
        if self.stored.contains(&name) {
            return Ok(name);
        }
        if self.bytes + bytes.len() as u64 > self.limits.bytes {
            self.full = true;
            return Err(format!("the trace is full: its pictures and trees have {} bytes at most", self.limits.bytes));
        }
        let file = OpenOptions::new().create_new(true).write(true).mode(0o600).open(self.folder.path.join(&name));
        file.and_then(|mut file| file.write_all(bytes)).map_err(|why| format!("cannot be written: {why}"))?;
        self.bytes += bytes.len() as u64;
        self.stored.insert(name.clone());
        Ok(name)
    }

    /// A command that finds no room is left out.
    pub const fn leave_out(&mut self) {
        self.full = true;
    }

    /// Ends it.
    pub fn end(mut self) -> Traced {
        // Nothing was ever opened: what was tried is told all the same.
        let header = self.header();
        if let Err(why) = self.head(&header) {
            log::line(&format!("the trace {} cannot be written: {why}", self.folder.path.display()));
        }
        let Self { folder, number, bytes, full, .. } = self;
        Traced { folder, entries: number, bytes, full }
    }
}

fn unwritable(folder: &Path, why: &io::Error) -> Failure {
    Failure::refused(
        Row::DaemonTraceUnwritable,
        Code::StorageFailed,
        format!("a trace cannot be written below {}: {why}", folder.display()),
    )
    .reason("state_unwritable")
    .hint(format!("make room, or set another folder: {}", crate::state_dir::STATE_DIR_VARIABLE))
}

/// One line of JSON.
fn line(value: &impl serde::Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

/// A folder with the first number that is free, from `number` on.
fn made(session: &Path, mut number: u32) -> io::Result<PathBuf> {
    loop {
        let path = session.join(format!("trace-{number}"));
        match fs::DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => return Ok(path),
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists && number < u32::MAX => number += 1,
            Err(why) => return Err(why),
        }
    }
}

/// Removes the traces in a session's folder that nobody wanted to keep: those of a daemon that was killed.
pub fn sweep(session: &Path) {
    for entry in fs::read_dir(session).into_iter().flatten().flatten() {
        let path = entry.path();
        let ours = entry.file_name().to_string_lossy().starts_with("trace-") && path.join(FILE).is_file();
        if ours && !path.join(KEPT).exists() {
            drop(Folder { path, keep: false });
        }
    }
}

#[cfg(test)]
mod tests;
