//! trace, session save-script: what is kept of a session beside what it does.

use std::path::{Path, PathBuf};

use contract::{
    Code, Failure, Row,
    command::{Session as SessionArgs, Trace, TraceAction},
    request::Answer,
};
use serde_json::json;

use crate::{
    log,
    records::Record,
    session::Session,
    steps::{
        self, Published, Recording, Script,
        kept::{self, Kept},
        publish, told,
    },
    traces::{Limits, Tracer},
};

/// `session save-script`: writes the steps recorded so far, and ends the recording.
///
/// # Errors
/// Nothing is recorded, or was written already; `script_target_exists`; the file cannot be written.
pub fn save_script(record: &mut Record, session: &Session, args: &SessionArgs) -> Result<Answer, Failure> {
    let recording = match &mut record.script {
        Some(Script::Recording(recording)) => recording,
        None if kept::lies(&session.folder) => return save_lost(&session.name, &session.folder, args),
        other => return Err(steps::nothing(other.as_ref())),
    };
    let (target, force) = place(recording, args)?;
    let written = publish::write(recording, &target, force)?;
    if let Some(kept) = &mut recording.kept {
        kept.remove();
    }
    record.script = Some(Script::Published(target));
    Ok(saved(&session.name, written))
}

/// The same for a session that was lost with its daemon, from the record that it left in its folder.
///
/// # Errors
/// The record cannot be read; `script_target_exists`; the file cannot be written.
pub fn save_lost(name: &str, folder: &Path, args: &SessionArgs) -> Result<Answer, Failure> {
    let lost = kept::read(folder)?;
    let (target, force) = place(&lost.recording, args)?;
    let mut written = publish::write(&lost.recording, &target, force)?;
    written.warnings.splice(0..0, lost.warnings(name));
    kept::remove(folder);
    Ok(saved(name, written))
}

fn saved(name: &str, written: Published) -> Answer {
    let answer = Answer::said(json!({"session": name}), format!("Saved the steps of session {name}"));
    told::said(answer, &Ok(written))
}

/// Where a script is to go.
fn place(recording: &Recording, args: &SessionArgs) -> Result<(PathBuf, bool), Failure> {
    let Some(path) = &args.path else { return Ok((recording.target.clone(), recording.force || args.force)) };
    let given = steps::absolute(path)?;
    let name = recording.target.file_name().unwrap_or("script.ad".as_ref());
    Ok((if given.is_dir() { given.join(name) } else { given }, args.force))
}

/// The recording of a session that was just opened, kept on disk from now on. What an earlier session of the name left is
/// written beside it.
pub fn kept(mut recording: Recording, folder: &Path, answer: &mut Answer) -> Recording {
    if kept::lies(folder) {
        let set_aside = kept::read(folder).map_err(|why| why.message).and_then(|lost| {
            publish::set_aside(&lost.recording, folder).map_err(|why| format!("{}: {why}", folder.display()))
        });
        let warning = match set_aside {
            Ok(path) => format!("an earlier session was lost before its script was written: {}", path.display()),
            Err(why) => why,
        };
        told::tell_warning(answer, &warning);
    }
    match Kept::begin(folder, &recording) {
        Ok(kept) => recording.kept = Some(kept),
        Err(why) => log::line(&format!("{}: {why}: the steps are not kept", folder.join(kept::FILE).display())),
    }
    recording
}

/// `trace`, in the session of that name: `folder` is its own, `session` what is open in it.
///
/// # Errors
/// One is going on already, or none is; its folder cannot be made.
pub async fn trace(
    record: &mut Record,
    name: &str,
    folder: &Path,
    session: Option<&Session>,
    args: &Trace,
) -> Result<Answer, Failure> {
    match args.action {
        TraceAction::Start => {
            if let Some(running) = &record.trace {
                return Err(refused(Row::DaemonTraceRunning, "this session is being traced already", "trace_running")
                    .detail("folder", running.path().display().to_string())
                    .hint("end that one first: agent-device trace stop"));
            }
            // The folder of the one before goes: whoever wanted a page of it has made it.
            record.traced = None;
            let mut tracer = Tracer::begin(name, folder, record.traces + 1, args.keep, Limits::default())?;
            record.traces += 1;
            if let Some(session) = session {
                tracer.opened(session)?;
                tracer.begin_log(session).await;
            }
            let shown = tracer.path().display().to_string();
            record.trace = Some(tracer);
            let from = if session.is_some() { "" } else { ", from the next open on" };
            Ok(Answer::said(
                json!({"folder": shown, "tracing": true}),
                format!("Tracing session {name} in {shown}{from}"),
            ))
        }
        TraceAction::Stop => {
            let Some(tracer) = record.trace.take() else {
                return Err(refused(Row::DaemonTraceNone, "this session is not being traced", "trace_none")
                    .hint("begin a trace: agent-device trace start"));
            };
            if let Some(session) = session {
                tracer.end_network(session).await;
            }
            let mut traced = tracer.end();
            if args.keep {
                traced.folder.keep();
            }
            let shown = traced.folder.path().display().to_string();
            let entries = traced.entries;
            let data = json!({
                "folder": shown,
                "entries": entries,
                "bytes": traced.bytes,
                "full": traced.full,
                "kept": traced.folder.kept(),
                "tracing": false,
            });
            let plural = if entries == 1 { "y" } else { "ies" };
            let text = format!("Traced {entries} command entr{plural} in {shown}");
            record.traced = Some(traced.folder);
            let mut answer = Answer::said(data, text);
            if traced.full
                && let Some(text) = &mut answer.text
            {
                text.push_str(
                    "\nNote: the trace was full before the end: what came then is not in it, or has no pictures",
                );
            }
            Ok(answer)
        }
    }
}

fn refused(row: Row, message: &str, reason: &str) -> Failure {
    Failure::refused(row, Code::InvalidArgs, message).reason(reason)
}
