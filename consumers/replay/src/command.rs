//! `replay`: one script or flow, for a person or a program.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use contract::{Code, Disclosed, Effect, Failure, Response, Row, Sends, plain, request::Answer, view::Platform};
use daemon::client::{Client, Interrupt};
use flow::{Status, StepRecord};
use script::Repair;
use serde_json::{Value, json};

use crate::{
    advice::Left,
    arguments::{Replay, ReplayTask},
    attempt::{Attempted, Trying, attempt, beside},
    healing::{Healed, difference},
    host::{Progress, Way},
    signals,
    source::{Body, Source, unreadable},
    steps::{self, Values},
    traced,
};

/// A run takes no longer, unless the caller or the script says otherwise: as long as a batch, ms.
const LIMIT_MS: u64 = 600_000;

/// Who runs it.
#[derive(Debug)]
pub struct Caller {
    /// To the daemon.
    pub client: Client,
    /// The session's name, where one is given.
    pub session: Option<String>,
    /// Names the session otherwise.
    pub workspace: Option<String>,
    /// Where given.
    pub platform: Option<Platform>,
    /// Where given.
    pub device: Option<String>,
    /// The limit of the whole, where given, ms.
    pub timeout_ms: Option<u64>,
    /// The caller's folder.
    pub folder: PathBuf,
    /// Nobody reads along.
    pub json: bool,
}

impl Caller {
    /// The way of a flow's requests, in a session of this name.
    pub fn way(&self, source: &Source, interrupt: &Interrupt, session: Option<String>, outputs: &Path) -> Way {
        let mut client = self.client.clone();
        client.interrupt = Some(interrupt.clone());
        // Steps say how far it is.
        client.progress = None;
        Way {
            client,
            session,
            workspace: self.workspace.clone(),
            platform: self.platform.or_else(|| source.platform()),
            device: self.device.clone(),
            inputs: source.folder(),
            outputs: outputs.to_owned(),
            interrupt: interrupt.clone(),
        }
    }

    /// Values for `${NAME}` in a file.
    pub fn values(&self, source: &Source, given: &[(String, String)], session: &str) -> Values {
        let platform = self.platform.or_else(|| source.platform());
        let mut builtin = BTreeMap::from([
            ("AD_SESSION".to_owned(), session.to_owned()),
            ("AD_FILENAME".to_owned(), source.file.clone()),
        ]);
        if let Some(platform) = platform {
            builtin.insert("AD_PLATFORM".to_owned(), platform.to_string());
        }
        if let Some(device) = &self.device {
            builtin.insert("AD_DEVICE".to_owned(), device.clone());
        }
        let environment = std::env::vars()
            .filter_map(|(name, value)| name.strip_prefix("AD_VAR_").map(|name| (name.to_owned(), value)))
            .collect();
        Values { given: given.to_vec(), environment, builtin, platform }
    }

    /// How long a file may run.
    pub fn limit(&self, source: &Source) -> Duration {
        Duration::from_millis(self.timeout_ms.or_else(|| source.timeout_ms()).unwrap_or(LIMIT_MS))
    }
}

/// Runs it.
///
/// # Errors
/// `REPLAY_DIVERGENCE` with the step, its cause and what was on the screen; `INVALID_ARGS` before anything has been run.
pub fn replay(args: &Replay, caller: &Caller) -> Response {
    match (&args.task, &args.file) {
        (Some(ReplayTask::Export { file, out, force }), _) => {
            export(file, out.as_deref(), *force, caller).map_err(before)
        }
        (None, Some(file)) => {
            let interrupt = Interrupt::default();
            signals::heard(&interrupt);
            let shown = !caller.json && io::stderr().is_terminal();
            run(args, file, caller, &interrupt, shown.then(|| Box::new(tell) as _))
        }
        (None, None) => Err(before(unreadable("a file is needed"))),
    }
}

/// Runs one file for somebody who is told of every step and stops it by the interrupt: no terminal and no signals.
///
/// # Errors
/// As [`replay`].
pub fn replay_told(args: &Replay, caller: &Caller, interrupt: &Interrupt, progress: Option<Progress<'_>>) -> Response {
    match &args.file {
        Some(file) => run(args, file, caller, interrupt, progress),
        None => Err(before(unreadable("a file is needed"))),
    }
}

/// Nothing has been sent.
fn before(failure: Failure) -> Disclosed {
    Disclosed::seal(failure, Some(Effect::Manages), Sends::NONE)
}

fn run(args: &Replay, file: &Path, caller: &Caller, interrupt: &Interrupt, progress: Option<Progress<'_>>) -> Response {
    let source = Source::read(file, &caller.folder).map_err(before)?;
    let repaired = repaired_path(args, &source, caller).map_err(before)?;
    let page = args.trace.as_ref().map(|given| match given {
        Some(path) => caller::absolute(&caller.folder, path),
        None => beside(&source.path, &caller.folder, "-trace.html"),
    });
    let way = caller.way(&source, interrupt, caller.session.clone(), &caller.folder);
    let session = caller.session.clone().unwrap_or_default();
    let attempted = attempt(
        &source,
        way,
        Trying {
            number: 1,
            session: session.clone(),
            limit: caller.limit(&source),
            trace: page.is_some(),
            close: false,
            variables: caller.values(&source, &args.env, &session),
            options: steps::Options {
                from: args.from,
                plan_digest: args.plan_digest.clone(),
                keep_session: args.keep_session,
                heal: repaired.is_some(),
                left: Left::Session,
            },
            progress,
        },
    );
    let written = page.filter(|_| !attempted.record.steps.is_empty()).map(|page| {
        let written = traced::page(&source.name(), &source.file, &[(&attempted.record, &attempted.tracing)], &page);
        attempted.tracing.remove();
        written.map(|()| page.display().to_string()).map_err(|why| format!("{}: {why}", page.display()))
    });
    finish(&source, attempted, written, repaired.as_deref())
}

/// Tells a person of a step.
fn tell(step: &StepRecord) {
    let sign = match step.status {
        Status::Passed => "ok    ",
        Status::Failed => "FAILED",
        Status::Warned => "warn  ",
        Status::Skipped => return,
    };
    let indent = if step.parent.is_some() { "  " } else { "" };
    let text = plain::line(&step.text);
    // Nobody reads it any more.
    let _gone = writeln!(io::stderr().lock(), "{sign} {indent}{text}  ({} ms)", step.duration_ms);
}

fn finish(
    source: &Source,
    attempted: Attempted,
    page: Option<Result<String, String>>,
    repaired: Option<&Path>,
) -> Response {
    let repair = match (repaired, attempted.healed.is_empty()) {
        (Some(path), false) => Some(write_repaired(source, &attempted.healed, path)),
        _ => None,
    };
    let Attempted { record, failed, healed, open, .. } = attempted;
    if let Some(mut failed) = failed {
        if let Some(Ok(page)) = &page {
            failed = failed.also("trace", page.as_str(), Some(&format!("see what happened: {page}")));
        }
        if let Some(Ok((path, _))) = &repair {
            failed = failed.also("healedScript", path.as_str(), None).also("healed", json!(healed), None);
        }
        return Err(failed.also("steps", json!(record.steps), None));
    }
    let passed = record.steps.iter().filter(|step| step.parent.is_none() && step.status == Status::Passed).count();
    let waited: Vec<Value> = record
        .steps
        .iter()
        .flat_map(|step| step.asks.iter().filter_map(|ask| Some((step.number, ask.waited?))))
        .map(|(step, [looks, ms])| json!({"step": step, "polls": looks, "waitedMs": ms}))
        .collect();
    let seconds = record.duration_ms as f64 / 1000.0;
    let mut lines = vec![format!("Replayed {passed} steps of {} in {seconds:.2} s", source.file)];
    for wait in &waited {
        lines.push(format!(
            "Step {} waited for its target: {} looks, {} ms",
            wait["step"], wait["polls"], wait["waitedMs"]
        ));
    }
    let mut data = json!({
        "replayed": passed,
        "file": source.file,
        "durationMs": record.duration_ms,
        "sessionActive": open,
        "waited": waited,
        "healed": healed,
        "steps": record.steps,
    });
    match repair {
        Some(Ok((path, difference))) => {
            lines.push(format!("{} steps named their targets otherwise; repaired: {path}\n{difference}", healed.len()));
            data["healedScript"] = path.into();
        }
        Some(Err(why)) => lines.push(format!("Warning: the repaired script cannot be written: {why}")),
        None => {}
    }
    if open {
        lines.push("The session is still open".to_owned());
    }
    match page {
        Some(Ok(page)) => {
            lines.push(format!("Trace: {page}"));
            data["trace"] = page.into();
        }
        Some(Err(why)) => lines.push(format!("Warning: the trace cannot be written: {why}")),
        None => {}
    }
    data["message"] = lines.first().cloned().into();
    let text: Vec<String> = lines.iter().map(|line| plain::text(line).into_owned()).collect();
    Ok(Answer::new(data, text.join("\n")))
}

fn repaired_path(args: &Replay, source: &Source, caller: &Caller) -> Result<Option<PathBuf>, Failure> {
    let Some(given) = &args.save_script else { return Ok(None) };
    let Body::Script { .. } = &source.body else {
        return Err(unreadable("only .ad scripts can be repaired (--save-script)"));
    };
    let path = match given {
        Some(path) => caller::absolute(&caller.folder, path),
        None => beside(&source.path, &source.folder(), ".healed.ad"),
    };
    free(&path, args.force)?;
    Ok(Some(path))
}

/// Refuses to write over what is there.
fn free(path: &Path, force: bool) -> Result<(), Failure> {
    if !force && path.exists() {
        return Err(Failure::refused(
            Row::ClientOutputUnwritable,
            Code::StorageFailed,
            format!("{} is there already", path.display()),
        )
        .reason("script_target_exists")
        .hint("name another file, or --force"));
    }
    caller::writable(path)
}

fn write_repaired(source: &Source, healed: &[Healed], path: &Path) -> Result<(String, String), String> {
    let Body::Script { script, text } = &source.body else { return Err("not a script".to_owned()) };
    let repairs: Vec<Repair> = healed
        .iter()
        .map(|healed| Repair { line: healed.line, with: healed.with.clone(), evidence: healed.evidence.clone() })
        .collect();
    let new = script::rewrite(text, script, &repairs);
    std::fs::write(path, &new).map_err(|why| format!("{}: {why}", path.display()))?;
    Ok((path.display().to_string(), difference(text, &new)))
}

fn export(file: &Path, out: Option<&Path>, force: bool, caller: &Caller) -> Result<Answer, Failure> {
    let source = Source::read(file, &caller.folder)?;
    let Body::Script { script, .. } = &source.body else {
        return Err(unreadable(&format!("{}: a flow is one already", source.file)));
    };
    let export = script::export(script);
    if export.steps == 0 {
        let first = export.gaps.iter().find(|gap| gap.line > 0);
        let why = first.map_or_else(|| "it has no steps".to_owned(), |gap| format!("line {}: {}", gap.line, gap.why));
        let message = format!("{}: no step has an equivalent in a flow: {why}", source.file);
        return Err(Failure::refused(Row::ReplayNothingToExport, Code::InvalidArgs, message)
            .reason("nothing_to_export")
            .hint("nothing was written; the script itself can be run: agent-device replay"));
    }
    let path = match out {
        Some(out) => caller::absolute(&caller.folder, out),
        None => beside(&source.path, &source.folder(), ".yaml"),
    };
    free(&path, force)?;
    std::fs::write(&path, &export.yaml).map_err(|why| {
        Failure::refused(Row::ClientOutputUnwritable, Code::StorageFailed, format!("{}: {why}", path.display()))
            .reason("file_unwritable")
    })?;
    let mut lines = vec![format!("Exported {} of {} steps to {}", export.steps, script.steps.len(), path.display())];
    for gap in &export.gaps {
        let place = if gap.line == 0 { "The script".to_owned() } else { format!("Line {}", gap.line) };
        let what = if gap.written { "means something else there" } else { "has no equivalent" };
        lines.push(format!("{place} {what}: {}", gap.why));
    }
    let gaps: Vec<Value> = export
        .gaps
        .iter()
        .map(|gap| json!({"line": gap.line, "step": gap.step, "why": gap.why, "written": gap.written}))
        .collect();
    Ok(Answer::new(json!({"path": path.display().to_string(), "gaps": gaps}), lines.join("\n")))
}
