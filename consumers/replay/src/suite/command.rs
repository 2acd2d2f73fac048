//! `test`: a suite, its reports, and the exit code that it deserves.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        mpsc::{RecvTimeoutError, channel},
    },
    time::{Duration, Instant},
};

use contract::{Code, Failure, Row, plain};
use daemon::client::Interrupt;
use flow::{FlowRecord, Shard, StepRecord, SuiteRecord};
use report::{Flaky, Progress, exit_code, github, json::Report, junit, page, terminal};
use serde_json::Value;

use super::{
    devices::{Lost, devices_suffice},
    runner::{Entry, Runner, Watcher, wanted},
    select,
    workspace::{self, First},
};
use crate::{arguments::Test, attempt::now_ms, command::Caller, signals, source::Source};

/// Where files go unless one says otherwise.
const FOLDER: &str = "agent-device-results";
/// How often the elapsed times of running flows are drawn anew.
const TICK: Duration = Duration::from_millis(250);

/// A suite that is over.
#[derive(Debug)]
pub struct Done {
    /// Everything that is known of it, for programs.
    pub data: Value,
    /// For people.
    pub text: String,
    /// 0 passed, 1 failed, 2 invalid, 3 incomplete; 130 where it was stopped.
    pub exit: u8,
}

/// Runs a suite.
///
/// # Errors
/// `INVALID_ARGS` or `STORAGE_FAILED` before anything has been run.
pub fn test(args: &Test, caller: &Caller) -> Result<Done, Failure> {
    let page = args.report_html.as_ref().and_then(Option::as_ref);
    for file in [args.junit.as_ref(), args.report_json.as_ref(), page].into_iter().flatten() {
        caller::writable(&caller::absolute(&caller.folder, file))?;
    }
    let (entries, first) = entries(args, caller)?;
    devices_suffice(args, caller.platform, &entries)?;
    let run_id = format!("{:x}", now_ms());
    let folder =
        caller::absolute(&caller.folder, args.artifacts_dir.as_deref().unwrap_or(Path::new(FOLDER))).join(&run_id);
    let interrupt = Interrupt::default();
    signals::heard(&interrupt);
    let shards = args.shard_split.or(args.shard_all).unwrap_or(1);
    let total = entries.len() * args.shard_all.unwrap_or(1) as usize;
    let told = Told::new(shards as usize, total);
    let runner = Runner {
        args,
        caller,
        entries: &entries,
        first,
        run_id: &run_id,
        folder: &folder,
        interrupt: &interrupt,
        watcher: &told,
        lost: Lost::default(),
    };
    let suite = told.while_running(|| runner.run());
    told.finish();
    reported(args, caller, &suite, &folder, interrupt.is_set())
}

/// Every file that is meant and wanted, and how many of them run first and one after another.
fn entries(args: &Test, caller: &Caller) -> Result<(Vec<Entry>, First), Failure> {
    let files = select::files(&args.paths, &caller.folder)?;
    let folders = workspace::named(&args.paths, &caller.folder)?;
    let entries: Vec<Entry> = files
        .into_iter()
        .filter(|path| workspace::names(&folders, path))
        .map(|path| Entry {
            file: path.strip_prefix(&caller.folder).unwrap_or(&path).display().to_string(),
            source: Source::read(&path, &caller.folder),
        })
        // What cannot be read has no tags: it is told all the same.
        .filter(|entry| {
            entry.source.as_ref().map_or(true, |source| {
                wanted(source.tags(), &args.include_tags, &args.exclude_tags) && workspace::wants(&folders, source)
            })
        })
        .collect();
    if entries.is_empty() {
        return Err(crate::source::unreadable("no flow is left to run")
            .hint("see --include-tags and --exclude-tags, and config.yaml in the folder"));
    }
    Ok(workspace::ordered(&folders, entries))
}

fn reported(args: &Test, caller: &Caller, suite: &SuiteRecord, folder: &Path, stopped: bool) -> Result<Done, Failure> {
    let flaky = if args.fail_on_flaky { Flaky::Fails } else { Flaky::Passes };
    let report = Report::of(suite, flaky);
    let failed = |path: &Path, why: &dyn std::fmt::Display| {
        Failure::refused(Row::ClientOutputUnwritable, Code::StorageFailed, format!("{}: {why}", path.display()))
            .reason("file_unwritable")
    };
    let json = report.to_json().map_err(|why| failed(Path::new("the report"), &why))?;
    let mut text = terminal::summary(suite);
    for (file, content) in [(&args.junit, junit::junit(suite)), (&args.report_json, json.clone())].into_iter() {
        let Some(file) = file else { continue };
        let path: PathBuf = caller::absolute(&caller.folder, file);
        fs::write(&path, content).map_err(|why| failed(&path, &why))?;
    }
    if let Some(given) = &args.report_html {
        let path = match given {
            Some(file) => caller::absolute(&caller.folder, file),
            None => folder.join("report.html"),
        };
        let beside = path.parent().unwrap_or(Path::new("/"));
        fs::create_dir_all(beside)
            .and_then(|()| fs::write(&path, page::page(suite, beside)))
            .map_err(|why| failed(&path, &why))?;
        text.push_str(&format!("Report: {}\n", plain::line(&path.display().to_string())));
    }
    if github::is_wanted(std::env::var("GITHUB_ACTIONS").ok().as_deref()) {
        annotate(suite, &caller.folder);
    }
    if stopped {
        text.push_str("Stopped before its end.\n");
    }
    let exit = if stopped { signals::INTERRUPTED as u8 } else { exit_code(suite, flaky) };
    Ok(Done { data: serde_json::from_str(&json).unwrap_or_default(), text, exit })
}

/// What GitHub Actions shows beside the lines of the files, and on the page of the job.
fn annotate(suite: &SuiteRecord, folder: &Path) {
    let workspace = std::env::var_os("GITHUB_WORKSPACE").map(PathBuf::from).unwrap_or_default();
    // On standard error: standard output is the report's. Actions reads both.
    let _gone = io::stderr().write_all(github::annotations(suite, &github::folder(folder, &workspace)).as_bytes());
    if let Some(file) = std::env::var_os("GITHUB_STEP_SUMMARY") {
        let appended = fs::File::options().create(true).append(true).open(file);
        let _unwritable = appended.and_then(|mut file| file.write_all(github::summary(suite).as_bytes()));
    }
}

/// What a person is told while it runs.
struct Told(Mutex<Progress<io::Stderr>>);

impl Told {
    fn new(shards: usize, total: usize) -> Self {
        Self(Mutex::new(Progress::stderr(shards, total)))
    }

    fn with(&self, act: impl FnOnce(&mut Progress<io::Stderr>)) {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn finish(&self) {
        self.with(Progress::finish);
    }

    /// Draws elapsed times anew until the work is done.
    fn while_running<T>(&self, work: impl FnOnce() -> T) -> T {
        let (over, ends) = channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                while ends.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    self.with(|progress| progress.tick(Instant::now()));
                }
            });
            let done = work();
            drop(over);
            done
        })
    }
}

impl Watcher for Told {
    fn begins(&self, shard: Shard, flow: &str, attempt: u32) {
        self.with(|progress| progress.begins(shard.index, flow, attempt, Instant::now()));
    }

    fn step(&self, shard: Shard, step: &StepRecord) {
        self.with(|progress| progress.step(shard.index, &step.text, Instant::now()));
    }

    fn tried(&self, record: &FlowRecord) {
        self.with(|progress| progress.tried(record, Instant::now()));
    }

    fn ends(&self, shard: Shard, record: &FlowRecord) {
        self.with(|progress| progress.ends(shard.index, record, Instant::now()));
    }
}
