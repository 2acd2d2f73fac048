//! Files of the caller's that a command names: sent before it, fetched after it.
//!
//! A server is told the names of files and never believed them: what it says is fetched only to a path that this caller has asked
//! for, in this request or in an earlier one of the session.

mod fetch;

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use contract::{
    Code, Command, Disclosed, Effect, Failure, Response, Row, Sends,
    command::Named,
    hop::{self, FILE_LIMIT, Hop, LEASE_FILE, encoded, is_file_name},
};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{
    Remote, Waiting,
    line::{Line, Went},
    refusal, rest,
    wanted::Wanted,
};
use crate::state_dir::StateDir;
use fetch::Fetched;

/// A file smaller than this is sent without a question whether it is there already, bytes.
const SMALL: u64 = 16 << 10;
/// Before each time that a file is sent or fetched until it is given up: both are safe to do again.
const PAUSES: [Duration; 3] = [Duration::ZERO, Duration::from_millis(200), Duration::from_secs(1)];
/// How long a small exchange about a file may take.
const ASKING: Duration = Duration::from_secs(30);
/// A server's word on a file is not longer, bytes.
const WORD_BYTES: u64 = 64 << 10;

/// The files of one command.
pub struct Trip {
    state: StateDir,
    read: Vec<Sent>,
    written: Vec<Wanted>,
}

/// A file that the command reads.
struct Sent {
    here: PathBuf,
    name: String,
    bytes: u64,
}

impl Trip {
    /// None yet.
    pub fn new(state: &StateDir) -> Self {
        Self { state: state.clone(), read: Vec::new(), written: Vec::new() }
    }

    /// Puts names in the place of the caller's paths.
    ///
    /// # Errors
    /// A file that cannot be read, a script that would replace another.
    pub fn pack(&mut self, command: &mut Command) -> Result<(), Failure> {
        let (replace, later) = (replaces(command), is_written_later(command));
        command.named_files(&mut |what, text| {
            let name = match what {
                Named::Read => self.reads(Path::new(text.as_str()))?,
                Named::Opened => match file_opened(text) {
                    Some(path) => self.reads(&path)?,
                    None => return Ok(()),
                },
                Named::Written | Named::WrittenIn => self.writes(text, what, replace, later)?,
            };
            *text = format!("{LEASE_FILE}{name}");
            Ok(())
        })
    }

    fn reads(&mut self, path: &Path) -> Result<String, Failure> {
        let (bytes, sha256) = hashed(path).map_err(|why| {
            let message = format!("{}: not a file that can be read: {why}", path.display());
            Failure::refused(Row::ClientUploadFailed, Code::InvalidArgs, message)
                .reason("file_unreadable")
                .hint("give the path of an existing file")
        })?;
        if bytes > FILE_LIMIT {
            let message = format!("{}: larger than {} MiB", path.display(), FILE_LIMIT >> 20);
            return Err(Failure::refused(Row::ClientUploadFailed, Code::InvalidArgs, message).reason("file_too_large"));
        }
        let base = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let name = named(&format!("in/{sha256}/{base}"), path)?;
        self.read.push(Sent { here: path.to_owned(), name: name.clone(), bytes });
        Ok(name)
    }

    fn writes(&mut self, text: &str, what: Named, replace: bool, later: bool) -> Result<String, Failure> {
        let path = Path::new(text);
        let folder = what == Named::WrittenIn && path.is_dir();
        if what == Named::WrittenIn && !folder && !replace && path.symlink_metadata().is_ok() {
            let message = format!("{text} is there already");
            return Err(Failure::refused(Row::DaemonScriptTargetExists, Code::StorageFailed, message)
                .reason("script_target_exists")
                .detail("script", text)
                .hint("name another file, or replace it: --force"));
        }
        let wanted = Wanted { path: path.to_owned(), replace: replace || what == Named::Written, folder };
        // Where nothing can be noted, what comes later stays on the device host: told now, not then.
        let noted = if later { wanted.note(&self.state) } else { Ok(()) };
        noted.map_err(|why| {
            let shown = self.state.path().display().to_string();
            Failure::refused(Row::ClientOutputUnwritable, Code::StorageFailed, format!("{shown}: {why}"))
                .reason("state_unwritable")
                .hint("make room or give access, or set another folder: AGENT_DEVICE_STATE_DIR")
        })?;
        self.written.push(wanted);
        let end = if folder { "/" } else { "" };
        named(&format!("out/{}{end}", text.trim_start_matches('/').trim_end_matches('/')), path)
    }

    /// Sends what the command reads.
    ///
    /// # Errors
    /// The server does not take it: the command was not sent.
    pub fn send(&self, remote: &Remote, line: &mut Line) -> Result<(), Failure> {
        for file in &self.read {
            let mut last = String::new();
            let mut sent = false;
            for pause in PAUSES {
                rest(pause);
                match file.send(remote, line) {
                    Ok(()) => {
                        sent = true;
                        break;
                    }
                    Err(Unsent::Refused(why)) => {
                        last = why;
                        break;
                    }
                    Err(Unsent::Broken(why)) => last = why,
                }
            }
            if !sent {
                let shown = file.here.display().to_string();
                let message =
                    format!("{shown} could not be sent to {}: {last}; the command was not sent", remote.0.address);
                return Err(Failure::refused(Row::ClientUploadFailed, Code::DaemonUnavailable, message)
                    .reason("upload_failed")
                    .detail("file", shown)
                    .retriable());
            }
        }
        Ok(())
    }

    /// Fetches what the answer speaks of, and puts the caller's paths in the place of the server's.
    pub fn unpack(self, remote: &Remote, response: Response, hop: Option<Hop>, effect: Effect) -> Response {
        let Some(hop) = hop else { return response };
        let mut paths = Vec::new();
        let mut lost = None;
        let (mut line, mut left_there) = (None, false);
        for file in hop.files.iter().filter(|file| is_file_name(&file.name)) {
            let Some(place) = self.place(&file.name) else {
                left_there = true;
                continue;
            };
            match fetch::fetch(remote, &mut line, file, &place, &self.state) {
                Ok(Fetched { here }) => {
                    paths.push((format!("{}/{}", hop.folder, file.name), here.display().to_string()));
                    if let Some(wanted) = &place.wanted
                        && !wanted.folder
                    {
                        wanted.forget(&self.state);
                    }
                }
                Err(why) => lost = lost.or(Some((place.here, why))),
            }
        }
        for file in &self.read {
            let (there, here) = (format!("{}/{}", hop.folder, file.name), file.here.display().to_string());
            paths.push((format!("file://{}", encoded(&there)), format!("file://{}", encoded(&here))));
            paths.push((there, here));
        }
        // Where a file stays there, its path is told as it is.
        if !left_there {
            paths.push((format!("{}/out/", hop.folder), "/".to_owned()));
            paths.push((format!("{}/host/", hop.folder), format!("{}/", fetch::folder(&self.state).display())));
        }
        match (response, lost) {
            (Ok(mut answer), None) => {
                renamed(&mut answer.data, &hop.folder, &paths);
                answer.text = answer.text.map(|text| replaced(text, &hop.folder, &paths));
                Ok(answer)
            }
            (Ok(_), Some((here, why))) => Err(artifact_lost(remote, &here, &why, effect)),
            // What failed is told; that something of it is missing as well changes nothing.
            (Err(failed), _) => Err(in_our_words(failed, &hop.folder, &paths)),
        }
    }

    /// Where a file of the server's goes: nowhere, unless it was asked for.
    fn place(&self, name: &str) -> Option<Place> {
        if let Some(rest) = name.strip_prefix("host/") {
            let here = fetch::folder(&self.state).join(rest);
            return Some(Place { here, replace: true, wanted: None });
        }
        let here = PathBuf::from(format!("/{}", name.strip_prefix("out/")?));
        let is = |wanted: &&Wanted| match wanted.folder {
            true => here.parent() == Some(&wanted.path) && here.extension() == Some("ad".as_ref()),
            false => wanted.path == here,
        };
        let wanted = self.written.iter().find(is).cloned();
        let wanted = wanted.or_else(|| Wanted::of(&self.state, &here))?;
        Some(Place { here, replace: wanted.replace, wanted: Some(wanted) })
    }
}

/// Where a file goes.
struct Place {
    here: PathBuf,
    replace: bool,
    wanted: Option<Wanted>,
}

/// Why a file was not sent.
enum Unsent {
    /// The server has looked at it.
    Refused(String),
    /// To send it again is safe.
    Broken(String),
}

impl Sent {
    fn send(&self, remote: &Remote, line: &mut Line) -> Result<(), Unsent> {
        let path = format!("/files/{}", encoded(&self.name));
        let broken = |why: io::Error| Unsent::Broken(why.to_string());
        if self.bytes > SMALL {
            let waiting = Waiting { end: Instant::now() + ASKING, progress: None };
            match line.exchange(&[remote.head("HEAD", &path, None, "").as_bytes()], waiting) {
                Went::Came(reply) => {
                    line.bodiless(&reply);
                    if reply.is_ours() && reply.status == 200 {
                        return Ok(());
                    }
                }
                Went::NotSent(why) | Went::Lost(why) => return Err(broken(why)),
            }
        }
        let mut file = File::open(&self.here).map_err(|why| Unsent::Refused(why.to_string()))?;
        let head = remote.head("PUT", &path, Some(self.bytes), "application/octet-stream");
        // By how fast the slowest line worth waiting for is: 64 kB a second.
        let waiting = Waiting { end: Instant::now() + ASKING + Duration::from_secs(self.bytes >> 16), progress: None };
        let mut body = file.by_ref().take(self.bytes);
        let reply = match line.exchange_from(head.as_bytes(), &mut body, waiting) {
            Went::NotSent(why) | Went::Lost(why) => return Err(broken(why)),
            Went::Came(reply) => reply,
        };
        let mut word = Vec::new();
        let read = line.body(&reply, WORD_BYTES, waiting, &mut |chunk| {
            word.extend_from_slice(chunk);
            Ok(())
        });
        match reply.status {
            201 if reply.is_ours() => Ok(()),
            _ if !reply.is_ours() => {
                Err(Unsent::Broken(format!("something else answers, with status {}", reply.status)))
            }
            status => {
                read.map_err(broken)?;
                let why = refusal(&word)
                    .map_or_else(|| format!("status {status}"), |refused| refused.failure().message.clone());
                Err(Unsent::Refused(why))
            }
        }
    }
}

/// Whether what a command writes may take the place of a file that is there.
fn replaces(command: &Command) -> bool {
    match command {
        Command::Open(open) => open.force,
        Command::Session(session) => session.force,
        Command::Batch(batch) => batch.commands().is_ok_and(|steps| steps.iter().any(replaces)),
        _ => false,
    }
}

/// Whether another call of the program will bring what the command is given a place for: a script, a film.
fn is_written_later(command: &Command) -> bool {
    match command {
        Command::Open(_) | Command::Record(_) => true,
        Command::Batch(batch) => batch.commands().is_ok_and(|steps| steps.iter().any(is_written_later)),
        _ => false,
    }
}

/// The file that an `open` names, if it is one.
fn file_opened(app: &str) -> Option<PathBuf> {
    if let Some(rest) = app.strip_prefix("file://") {
        return hop::decoded(rest).map(PathBuf::from).filter(|path| path.is_absolute());
    }
    let path = Path::new(app);
    path.is_absolute().then(|| path.to_owned())
}

fn hashed(path: &Path) -> io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    if !path.is_absolute() || !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no ordinary file with a whole path"));
    }
    let (mut hash, mut bytes, mut chunk) = (Sha256::new(), 0, vec![0; 256 << 10]);
    loop {
        let read = file.read(&mut chunk)?;
        if read == 0 {
            return Ok((bytes, hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()));
        }
        hash.update(chunk.get(..read).unwrap_or_default());
        bytes += read as u64;
    }
}

fn named(name: &str, path: &Path) -> Result<String, Failure> {
    if is_file_name(name) {
        return Ok(name.to_owned());
    }
    let message = format!("{}: a path that cannot be told to the device host", path.display());
    Err(Failure::refused(Row::ClientUploadFailed, Code::InvalidArgs, message)
        .reason("file_name")
        .hint("give a whole path without control characters"))
}

fn artifact_lost(remote: &Remote, here: &Path, why: &str, effect: Effect) -> Disclosed {
    let message =
        format!("the command was done, and {} could not be fetched from {}: {why}", here.display(), remote.0.address);
    let failure = match effect {
        Effect::Observes => Failure::refused(Row::ClientLookArtifactLost, Code::StorageFailed, message).retriable(),
        _ => Failure::lost(Row::ClientArtifactLost, Code::StorageFailed, message).hint(
            "the file stays on the device host until the lease ends; look first (agent-device snapshot), then decide",
        ),
    };
    let failure = failure.reason("artifact_lost").detail("file", here.display().to_string());
    Disclosed::seal(failure, Some(effect), Sends::NONE)
}

fn replaced(text: String, folder: &str, paths: &[(String, String)]) -> String {
    // Most strings say nothing of the lease.
    if !text.contains(folder) && !text.contains(&encoded(folder)) {
        return text;
    }
    paths.iter().fold(text, |text, (there, here)| text.replace(there, here))
}

fn renamed(value: &mut Value, folder: &str, paths: &[(String, String)]) {
    match value {
        Value::String(text) => *text = replaced(std::mem::take(text), folder, paths),
        Value::Array(values) => values.iter_mut().for_each(|value| renamed(value, folder, paths)),
        Value::Object(values) => values.values_mut().for_each(|value| renamed(value, folder, paths)),
        _ => {}
    }
}

/// A failure with the caller's paths in it. What was said of sends stays as it is.
fn in_our_words(failed: Disclosed, folder: &str, paths: &[(String, String)]) -> Disclosed {
    let Ok(mut value) = serde_json::to_value(&failed) else { return failed };
    renamed(&mut value, folder, paths);
    serde_json::from_value(value).unwrap_or(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_names_no_file_that_was_not_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let state = StateDir::find(Some(&folder.path().join("state"))).unwrap();
        state.create().unwrap();
        let mut trip = Trip::new(&state);
        let place = |trip: &Trip, name: &str| trip.place(name).map(|place| place.here);
        let shot = folder.path().join("shot.png").display().to_string();
        let mut command = Command::from_line(&format!("screenshot {shot}")).unwrap();
        trip.pack(&mut command).unwrap();
        assert_eq!(command.to_args()["path"], format!("lease:/out{shot}"));
        assert_eq!(place(&trip, &format!("out{shot}")), Some(PathBuf::from(&shot)));
        for other in ["out/home/ada/.bashrc", &format!("out{shot}x"), "in/x", "elsewhere/x"] {
            assert_eq!(place(&trip, other), None, "{other}");
        }
        // Another call of the program brings a script; a picture that was asked for earlier is not asked for any more.
        let script = folder.path().join("flow.ad").display().to_string();
        let mut open = Command::from_line(&format!("open demo --save-script={script}")).unwrap();
        Trip::new(&state).pack(&mut open).unwrap();
        let later = Trip::new(&state);
        assert_eq!(place(&later, &format!("out{script}")), Some(PathBuf::from(&script)));
        assert_eq!(place(&later, &format!("out{shot}")), None);
        // What has no place of the caller's has one of its own, apart from what this program remembers.
        let own = place(&later, "host/wanted/x").unwrap();
        assert!(own.starts_with(state.path().join("remote/files")), "{own:?}");
    }

    #[test]
    fn only_whole_paths_of_the_lease_become_the_callers() {
        let paths = [("/l/1/out/".to_owned(), "/".to_owned())];
        let of = |text: &str| replaced(text.to_owned(), "/l/1", &paths);
        assert_eq!(of("Saved /l/1/out/home/ada/a.png"), "Saved /home/ada/a.png");
        assert_eq!(of("/elsewhere/out/home/ada/a.png"), "/elsewhere/out/home/ada/a.png");
    }
}
