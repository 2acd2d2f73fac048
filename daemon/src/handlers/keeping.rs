//! trace, session save-script: what is kept of a session beside what it does.

use std::path::Path;

use contract::{
    Code, Failure, Row,
    command::{Session as SessionArgs, Trace, TraceAction},
    request::Answer,
};
use serde_json::json;

use crate::{
    records::Record,
    session::Session,
    steps::{self, Script, publish, told},
    traces::{Limits, Tracer},
};

/// `session save-script`: writes the steps recorded so far, and ends the recording.
///
/// # Errors
/// Nothing is recorded, or was written already; `script_target_exists`; the file cannot be written.
pub fn save_script(record: &mut Record, session: &Session, args: &SessionArgs) -> Result<Answer, Failure> {
    let Some(Script::Recording(recording)) = &record.script else { return Err(steps::nothing(record.script.as_ref())) };
    let (target, force) = match &args.path {
        None => (recording.target.clone(), recording.force || args.force),
        Some(path) => {
            let given = steps::absolute(path)?;
            let name = recording.target.file_name().unwrap_or("script.ad".as_ref());
            (if given.is_dir() { given.join(name) } else { given }, args.force)
        }
    };
    let written = publish::write(recording, &target, force)?;
    record.script = Some(Script::Published(target));
    let answer = Answer::said(json!({"session": session.name}), format!("Saved the steps of session {}", session.name));
    Ok(told::said(answer, &Ok(written)))
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
