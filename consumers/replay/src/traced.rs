//! The trace of a run: begun before something is opened, ended before it is closed, made into a page.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use contract::{
    Command,
    command::{Trace, TraceAction},
};
use flow::Attempt;
use serde_json::Value;
use trace_page::{Page, Run};

use crate::host::DaemonHost;

/// How long the beginning or the end of a trace may take: what is under way is finished.
const LIMIT: Duration = Duration::from_secs(15);

/// What a run keeps of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tracing {
    wanted: bool,
    running: bool,
    folders: Vec<PathBuf>,
    problems: Vec<String>,
}

impl Tracing {
    /// Of a run that is to be traced, or not.
    pub fn new(wanted: bool) -> Self {
        Self { wanted, ..Self::default() }
    }

    /// Whether it has to be begun before the next command.
    pub const fn is_due(&self) -> bool {
        self.wanted && !self.running
    }

    /// Whether it has to be ended before the session is closed.
    pub const fn is_running(&self) -> bool {
        self.running
    }

    /// Begins it. A run whose trace cannot be begun goes on without.
    pub fn start(&mut self, host: &DaemonHost<'_>) {
        let command = Command::Trace(Trace { action: TraceAction::Start, out: None, keep: false });
        match host.aside(&command, LIMIT) {
            Ok(_) => self.running = true,
            Err(failed) => {
                self.wanted = false;
                self.problems.push(format!("no trace: {}", failed.failure().message));
            }
        }
    }

    /// Ends it, and keeps where it lies.
    pub fn stop(&mut self, host: &DaemonHost<'_>) {
        if !std::mem::take(&mut self.running) {
            return;
        }
        let command = Command::Trace(Trace { action: TraceAction::Stop, out: None, keep: true });
        match host.aside(&command, LIMIT) {
            Ok(answer) => match answer.data.get("folder").and_then(Value::as_str) {
                Some(folder) => self.folders.push(PathBuf::from(folder)),
                None => self.problems.push("the trace does not say where it is".to_owned()),
            },
            Err(failed) => self.problems.push(format!("the trace is lost: {}", failed.failure().message)),
        }
    }

    /// Why there is none, or not all of it.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// The traces as one: what was closed and opened again has one of its own each time.
    fn read(&self) -> Option<trace_page::Trace> {
        let mut traces = self.folders.iter().filter_map(|folder| trace_page::Trace::read(folder).ok()).zip(1u32..);
        let (mut whole, _) = traces.next()?;
        for (next, number) in traces {
            adopt(&mut whole, next, number);
        }
        Some(whole)
    }

    /// The folders are of no use once the page is written.
    pub fn remove(&self) {
        for folder in &self.folders {
            // The daemon removes them with the session otherwise.
            let _gone = fs::remove_dir_all(folder);
        }
    }
}

/// Adds a later trace: its files move to those of the first, under names of their own.
fn adopt(whole: &mut trace_page::Trace, next: trace_page::Trace, number: u32) {
    let name = |name: &str| format!("{number}-{name}");
    for mut entry in next.entries {
        for screen in [&mut entry.before, &mut entry.after].into_iter().flatten() {
            for file in [&mut screen.picture, &mut screen.tree].into_iter().flatten() {
                let (from, to) = (next.folder.join(&*file), whole.folder.join(name(file)));
                // Several entries name the same file. One that is not there is told by the page.
                if !to.exists() {
                    let _missing = fs::rename(from, to);
                }
                *file = name(file);
            }
        }
        entry.number = u32::try_from(whole.entries.len() + 1).unwrap_or(u32::MAX);
        whole.entries.push(entry);
    }
    whole.problems.extend(next.problems);
}

/// Writes the page of some attempts.
///
/// # Errors
/// The file cannot be written.
pub fn page(title: &str, file: &str, attempts: &[(&Attempt, &Tracing)], path: &Path) -> std::io::Result<()> {
    let mut page = Page::new(title);
    page.file = file.to_owned();
    for (attempt, tracing) in attempts {
        let mut trace = tracing.read();
        if let Some(trace) = &mut trace {
            // What the run looked at for its own report is no step of the flow.
            let asked: BTreeSet<&str> =
                attempt.steps.iter().flat_map(|step| &step.asks).map(|ask| ask.request_id.as_str()).collect();
            trace.entries.retain(|entry| asked.contains(entry.request_id.as_str()));
        }
        let mut run = Run::of_attempt(attempt, trace);
        if attempts.len() == 1 {
            run.name.clear();
        }
        for problem in tracing.problems() {
            page.facts.push(("Note".to_owned(), problem.clone()));
        }
        page.runs.push(run);
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    page.write(path)
}
