//! The steps of a session as a script: `open --save-script`, `close`, `session save-script`.
//!
//! | module | answers |
//! | --- | --- |
//! | [`mod@self`] | what is recorded, and where it is to go |
//! | [`rewrite`] | from a command that worked to a step that means the same without this session |
//! | [`kept`] | the steps on disk as they happen, for the daemon after a killed one |
//! | [`evidence`] | what a step's target looked like when it was recorded |
//! | [`text`] | the script as it is written |
//! | [`told`] | what an answer says of it |
//! | [`publish`] | a file that is there whole or not at all |

pub mod evidence;
pub mod kept;
pub mod publish;
pub mod rewrite;
pub mod text;
pub mod told;

use std::path::{Path, PathBuf};

use contract::{
    Code, Command, Failure, Row,
    command::{FindAction, Open},
    view::Platform,
};

pub use publish::{Published, at_last};
use script::TargetEvidence;

/// Steps of a script at most: more is no script that anybody reads.
pub const STEPS: usize = 10_000;

/// Where the recording of a session stands.
#[derive(Debug)]
pub enum Script {
    /// Steps are recorded.
    Recording(Recording),
    /// They were written there; nothing is recorded any more.
    Published(PathBuf),
}

/// What is recorded.
#[derive(Debug)]
pub struct Recording {
    /// Where it is to go.
    pub target: PathBuf,
    /// The caller named a folder only: the file's name is ours.
    pub named_here: bool,
    /// A file that is there may be replaced.
    pub force: bool,
    /// Where the steps were made.
    pub platform: Option<Platform>,
    /// In order.
    pub steps: Vec<Step>,
    /// Steps that were left out because there were too many.
    pub left_out: usize,
    /// What a reader should know, below the last step.
    pub remarks: Vec<String>,
    /// The steps on disk, for the case that this daemon is killed.
    pub kept: Option<kept::Kept>,
}

/// A line of the script, with what stands above it.
#[derive(Debug, Clone, Default)]
pub struct Step {
    /// The command, with marks where variables go; `None` for a step that cannot be written.
    pub command: Option<Command>,
    /// Remarks for a reader.
    pub comments: Vec<String>,
    /// What its targets looked like.
    pub evidence: Vec<TargetEvidence>,
    /// Variables that must be given when it is replayed.
    pub variables: Vec<String>,
}

impl Recording {
    /// One without steps, for a file.
    pub const fn of(target: PathBuf) -> Self {
        Self {
            target,
            named_here: false,
            force: false,
            platform: None,
            steps: Vec::new(),
            left_out: 0,
            remarks: Vec::new(),
            kept: None,
        }
    }

    /// Takes a step in.
    pub fn push(&mut self, step: Step) {
        if self.steps.len() >= STEPS {
            self.left_out += 1;
            return;
        }
        if let Some(kept) = &mut self.kept {
            kept.step(self.platform, &step);
        }
        self.steps.push(step);
    }
}

/// Whether a command that worked is a step: what changes the app, and what waits for it or asks of it. What only looks is
/// not, except for pictures: whoever took one wanted it.
pub fn is_step(command: &Command) -> bool {
    match command {
        Command::Find(find) => !matches!(
            find.words.action,
            FindAction::Exists | FindAction::List | FindAction::GetText | FindAction::GetAttrs
        ),
        Command::Wait(_) | Command::Is(_) | Command::Screenshot(_) => true,
        Command::Batch(_) => false,
        _ => command.effect() == contract::Effect::Mutates,
    }
}

/// What `open --save-script` asks for: checked before anything is opened.
///
/// # Errors
/// A path that is not absolute, a file that is there, a folder that is not, another script than the one that is being
/// recorded.
pub fn arm(
    script: Option<&Script>,
    open: &Open,
    session_file: &str,
    now_ms: u64,
) -> Result<Option<Recording>, Failure> {
    let Some(given) = &open.save_script else { return Ok(None) };
    let given = absolute(given)?;
    let named_here = given.is_dir();
    if let Some(Script::Recording(running)) = script {
        let same = if named_here {
            running.named_here && running.target.parent() == Some(&given)
        } else {
            running.target == given
        };
        return if same { Ok(None) } else { Err(conflict(running)) };
    }
    let target = if named_here { given.join(format!("{session_file}-{now_ms}.ad")) } else { given };
    publish::free(&target, open.force)?;
    Ok(Some(Recording { named_here, force: open.force, ..Recording::of(target) }))
}

/// A path of the caller's as the daemon takes it.
///
/// # Errors
/// `INVALID_ARGS` for one that is not absolute.
pub fn absolute(path: &str) -> Result<PathBuf, Failure> {
    let path = Path::new(path);
    if path.is_absolute() {
        return Ok(path.to_path_buf());
    }
    Err(Failure::refused(
        Row::DaemonProtocolBadArguments,
        Code::InvalidArgs,
        format!("{}: the daemon takes absolute paths only; clients resolve them", path.display()),
    )
    .reason("invalid_arguments"))
}

fn conflict(running: &Recording) -> Failure {
    Failure::refused(
        Row::DaemonScriptOpenConflict,
        Code::InvalidArgs,
        format!("this session is being recorded for {}; nothing was opened", running.target.display()),
    )
    .reason("script_conflict")
    .detail("script", running.target.display().to_string())
    .hint("leave --save-script out to go on with it, or write it first: agent-device session save-script")
}

/// The failure of `session save-script` where there is nothing to write.
pub fn nothing(script: Option<&Script>) -> Failure {
    let (message, hint) = match script {
        Some(Script::Published(path)) => (
            format!("the steps of this session were written already: {}", path.display()),
            "to record again: agent-device open <app or URL> --save-script",
        ),
        _ => (
            "the steps of this session are not being recorded".to_owned(),
            "record from the beginning: agent-device open <app or URL> --save-script",
        ),
    };
    Failure::refused(Row::DaemonScriptNothing, Code::InvalidArgs, message).reason("script_nothing").hint(hint)
}
