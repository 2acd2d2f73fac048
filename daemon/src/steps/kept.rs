//! The steps of a recording on disk, as they happen: what a daemon that was killed leaves to the next one.
//!
//! A line is written after every step, and before every command that acts: one that has begun and not ended is where the
//! record ends. Nothing is synced to the disk: this outlives a killed process, not a machine without power.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use contract::{Code, Command, Effect, Failure, Row, plain, view::Platform};
use script::TargetEvidence;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Recording, Step, text};
use crate::{log, secrets::Secrets};

/// The record, in the session's folder.
pub const FILE: &str = "script.ndjson";
/// Of the lines below.
const VERSION: u32 = 1;
/// A record is no larger, bytes: what comes later is not in it.
const MOST: u64 = 16 << 20;

/// One line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Line {
    /// The first one.
    Recording { version: u32, target: String, named_here: bool, force: bool },
    /// A command that may reach the app begins.
    Begins { command: String },
    /// It ended, and is no step.
    Ends,
    /// It, or another one, ended and is a step.
    Step {
        platform: Option<Platform>,
        command: Option<(String, Value)>,
        comments: Vec<String>,
        evidence: Vec<TargetEvidence>,
        variables: Vec<String>,
    },
    /// There is no room for more.
    Full,
}

/// The record of a recording that goes on.
#[derive(Debug)]
pub struct Kept {
    path: PathBuf,
    /// `None` once it is full, or cannot be written.
    file: Option<File>,
    size: u64,
    begun: bool,
}

/// What was left of a recording whose session is gone.
#[derive(Debug)]
pub struct Lost {
    /// Its steps.
    pub recording: Recording,
    /// The command that had begun and not ended.
    pub unfinished: Option<String>,
}

impl Kept {
    /// Begins a record in the session's folder, in the place of one that is there.
    ///
    /// # Errors
    /// What the system says.
    pub fn begin(folder: &Path, recording: &Recording) -> io::Result<Self> {
        let path = folder.join(FILE);
        remove(folder);
        let file = OpenOptions::new().append(true).create_new(true).mode(0o600).open(&path)?;
        let mut kept = Self { path, file: Some(file), size: 0, begun: false };
        kept.append(&Line::Recording {
            version: VERSION,
            target: recording.target.to_string_lossy().into_owned(),
            named_here: recording.named_here,
            force: recording.force,
        });
        Ok(kept)
    }

    /// A command begins. What it types is not written: whether that is a secret is known only afterwards.
    pub fn begins(&mut self, command: &Command, secrets: &Secrets) {
        if command.effect() == Effect::Observes || matches!(command, Command::Batch(_) | Command::Close(_)) {
            return;
        }
        let shown = if command.texts().is_empty() { text::written(command) } else { None };
        let mut command = shown.unwrap_or_else(|| command.spec().name.to_owned());
        secrets.hide(&mut command);
        self.append(&Line::Begins { command });
        self.begun = true;
    }

    /// A command is over that was no step.
    pub fn ends(&mut self) {
        if std::mem::take(&mut self.begun) {
            self.append(&Line::Ends);
        }
    }

    /// A step was made.
    pub fn step(&mut self, platform: Option<Platform>, step: &Step) {
        self.begun = false;
        self.append(&Line::Step {
            platform,
            command: step.command.as_ref().map(|command| (command.spec().name.to_owned(), command.to_args())),
            comments: step.comments.clone(),
            evidence: step.evidence.clone(),
            variables: step.variables.clone(),
        });
    }

    /// Its script is written, or nobody wants it: the record goes.
    pub fn remove(&mut self) {
        self.file = None;
        let _gone = fs::remove_file(&self.path);
    }

    /// A record never fails the command that it tells of.
    fn append(&mut self, line: &Line) {
        let Some(file) = &mut self.file else { return };
        let whole = |line: &Line| serde_json::to_vec(line).map(|bytes| [bytes.as_slice(), b"\n"].concat());
        let written = whole(line).map_err(io::Error::from).and_then(|bytes| {
            self.size += bytes.len() as u64;
            if self.size <= MOST {
                return file.write_all(&bytes).map(|()| true);
            }
            file.write_all(&whole(&Line::Full)?).map(|()| false)
        });
        match written {
            Ok(true) => {}
            Ok(false) => self.file = None,
            Err(why) => {
                log::line(&format!("{}: {why}: the steps are kept no longer", self.path.display()));
                self.file = None;
            }
        }
    }
}

/// Whether a record lies in a session's folder.
pub fn lies(folder: &Path) -> bool {
    fs::symlink_metadata(folder.join(FILE)).is_ok_and(|file| file.is_file())
}

/// Takes a record away.
pub fn remove(folder: &Path) {
    let _gone = fs::remove_file(folder.join(FILE));
}

/// Reads what was left in a session's folder.
///
/// # Errors
/// `script_record_unreadable`: the file cannot be read, or holds what no daemon of this version wrote.
pub fn read(folder: &Path) -> Result<Lost, Failure> {
    let path = folder.join(FILE);
    let text = bounded(&path).map_err(|why| unreadable(&path, &why.to_string()))?;
    let mut lost: Option<Lost> = None;
    // What stands behind the last line break was being written when the daemon ended: it did not come to be.
    let whole = text.rfind('\n').map_or("", |end| text.get(..end).unwrap_or_default());
    for (index, line) in whole.lines().enumerate() {
        let bad = |why: &dyn std::fmt::Display| unreadable(&path, &format!("line {}: {why}", index + 1));
        let line: Line = serde_json::from_str(line).map_err(|why| bad(&why))?;
        match (line, &mut lost) {
            (Line::Recording { version: VERSION, target, named_here, force }, None) => {
                let recording = Recording { named_here, force, ..Recording::of(PathBuf::from(target)) };
                lost = Some(Lost { recording, unfinished: None });
            }
            (Line::Recording { version, .. }, _) => {
                return Err(bad(&format!("no beginning of version {VERSION}, but of {version}")));
            }
            (_, None) => return Err(bad(&"the record has no beginning")),
            (Line::Begins { command }, Some(lost)) => lost.unfinished = Some(command),
            (Line::Ends, Some(lost)) => lost.unfinished = None,
            (Line::Step { platform, command, comments, evidence, variables }, Some(lost)) => {
                let command = command.map(|(name, args)| Command::from_call(&name, &args)).transpose();
                let command = command.map_err(|why| bad(&why))?;
                lost.unfinished = None;
                lost.recording.platform = lost.recording.platform.or(platform);
                lost.recording.push(Step { command, comments, evidence, variables });
            }
            (Line::Full, Some(lost)) => {
                lost.unfinished = None;
                lost.recording.remarks.push("the record was full: what came later is not in it".to_owned());
            }
        }
    }
    let mut lost = lost.ok_or_else(|| unreadable(&path, "the record has no beginning"))?;
    lost.recording.remarks.push("the record ends here: the session was lost before its script was written".to_owned());
    if let Some(command) = &lost.unfinished {
        lost.recording.remarks.push(format!("dispatched: unknown: {command}"));
        lost.recording
            .remarks
            .push("it had begun and may have reached the app: it is no step of this script".to_owned());
    }
    Ok(lost)
}

impl Lost {
    /// What whoever asked for the script should know.
    pub fn warnings(&self, session: &str) -> Vec<String> {
        let end = self.recording.steps.len();
        let mut warnings =
            vec![format!("session {session} was lost before its script was written: the script ends after step {end}")];
        if let Some(command) = &self.unfinished {
            warnings.push(format!("`{command}` had begun then and is not in it: dispatched: unknown"));
        }
        warnings.iter().map(|warning| plain::line(warning).into_owned()).collect()
    }
}

fn bounded(path: &Path) -> io::Result<String> {
    let size = fs::metadata(path)?.len();
    if size > 2 * MOST {
        return Err(io::Error::new(ErrorKind::InvalidData, format!("{size} bytes are more than a record has")));
    }
    fs::read_to_string(path)
}

fn unreadable(path: &Path, why: &str) -> Failure {
    let shown = path.display().to_string();
    Failure::refused(
        Row::DaemonScriptRecordUnreadable,
        Code::StorageFailed,
        format!("the steps of the lost session cannot be read: {shown}: {why}"),
    )
    .reason("script_record_unreadable")
    .detail("record", shown)
    .hint("look into that file for what was done, then record again: agent-device open <app or URL> --save-script")
}

#[cfg(test)]
mod tests {
    use contract::Command;

    use super::*;

    fn step(line: &str) -> Step {
        Step { command: Some(Command::from_line(line).unwrap()), variables: vec!["PIN".to_owned()], ..Step::default() }
    }

    #[test]
    fn a_record_is_read_back_up_to_the_line_that_was_being_written() {
        let folder = tempfile::tempdir().unwrap();
        let secrets = Secrets::default();
        let recording = Recording { force: true, ..Recording::of(PathBuf::from("/x/flow.ad")) };
        let mut kept = Kept::begin(folder.path(), &recording).unwrap();
        let press = Command::from_line("press id=go").unwrap();
        kept.begins(&press, &secrets);
        kept.step(Some(Platform::Stage), &step("press id=go"));
        kept.begins(&press, &secrets);
        kept.ends();
        kept.begins(&Command::from_line("type hunter2").unwrap(), &secrets);
        let mut file = OpenOptions::new().append(true).open(folder.path().join(FILE)).unwrap();
        file.write_all(b"{\"line\":\"st").unwrap();
        let lost = read(folder.path()).unwrap();
        assert_eq!((lost.recording.steps.len(), lost.unfinished.as_deref()), (1, Some("type")), "no text of it");
        assert_eq!(lost.recording.steps[0].command, Some(press));
        assert_eq!((lost.recording.force, lost.recording.platform), (true, Some(Platform::Stage)));
        assert!(!fs::read_to_string(folder.path().join(FILE)).unwrap().contains("hunter2"));
        assert_eq!(lost.warnings("s").len(), 2);
    }

    #[test]
    fn a_record_has_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let mut kept = Kept::begin(folder.path(), &Recording::of(PathBuf::from("/x/flow.ad"))).unwrap();
        let large = Step { comments: vec!["x".repeat(1 << 20)], ..Step::default() };
        for _ in 0..40 {
            kept.step(None, &large);
        }
        assert!(fs::metadata(folder.path().join(FILE)).unwrap().len() <= MOST + 100);
        let lost = read(folder.path()).unwrap();
        assert!((14..17).contains(&lost.recording.steps.len()));
        assert!(lost.recording.remarks[0].contains("full"), "{:?}", lost.recording.remarks);
        kept.remove();
        assert!(!lies(folder.path()));
    }

    #[test]
    fn what_is_no_record_is_refused_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        for (text, why) in [
            ("", "no beginning"),
            ("{\"line\":\"ends\"}\n", "line 1: the record has no beginning"),
            (
                "{\"line\":\"recording\",\"version\":9,\"target\":\"/a\",\"namedHere\":false,\"force\":false}\n",
                "version 1",
            ),
            (
                "{\"line\":\"recording\",\"version\":1,\"target\":\"/a\",\"namedHere\":false,\"force\":false}\nx\n",
                "line 2",
            ),
        ] {
            fs::write(folder.path().join(FILE), text).unwrap();
            let told = read(folder.path()).unwrap_err();
            assert!(told.message.contains(why), "{text}: {}", told.message);
        }
    }
}
