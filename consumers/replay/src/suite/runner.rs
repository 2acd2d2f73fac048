//! Runs the flows of a suite: each in a session of its own, on as many shards as were asked for.

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use contract::Failure;
use daemon::client::Interrupt;
use flow::{Attempt, FlowRecord, Outcome, Shard, StepRecord, SuiteRecord};

use super::{
    devices::{self, Lost},
    queue::{Queue, Spread},
    workspace::First,
};
use crate::{
    advice::Left,
    arguments::{Test, TraceWhen},
    attempt::{Attempted, Trying, attempt, now_ms},
    command::Caller,
    source::Source,
    steps, traced,
};

/// Told of what happens, as it happens; several shards at once.
pub trait Watcher: Sync {
    /// A flow begins on a shard, for the how-manieth time.
    fn begins(&self, shard: Shard, flow: &str, attempt: u32);
    /// A step of it ended.
    fn step(&self, shard: Shard, step: &StepRecord);
    /// An attempt failed, and another one follows.
    fn tried(&self, record: &FlowRecord);
    /// It is over on that shard.
    fn ends(&self, shard: Shard, record: &FlowRecord);
}

/// One file of a suite.
#[derive(Debug)]
pub struct Entry {
    /// As a person would name it.
    pub file: String,
    /// What it holds, or why it cannot be run.
    pub source: Result<Source, Failure>,
}

/// What is run, and how.
pub struct Runner<'r> {
    /// The command line.
    pub args: &'r Test,
    /// Who asks.
    pub caller: &'r Caller,
    /// In the order of the command line.
    pub entries: &'r [Entry],
    /// Those that run before the others.
    pub first: First,
    /// Names the run, and its folder.
    pub run_id: &'r str,
    /// Where its files go.
    pub folder: &'r Path,
    /// Stops it.
    pub interrupt: &'r Interrupt,
    /// Who is told.
    pub watcher: &'r dyn Watcher,
    /// Devices of shards that are no longer there.
    pub lost: Lost,
}

/// A flow that is over: its index, the shard, its record.
type Finished = (usize, u32, FlowRecord);

/// One flow on one shard.
struct Job<'e> {
    index: usize,
    source: &'e Source,
    shard: Shard,
    device: Option<String>,
}

impl Runner<'_> {
    /// Runs all of it. Afterwards no session of it is open.
    pub fn run(&self) -> SuiteRecord {
        let started_at_ms = now_ms();
        let spread = match (self.args.shard_split, self.args.shard_all) {
            (Some(shards), _) => Spread::Split(shards),
            (None, Some(shards)) => Spread::All(shards),
            (None, None) => Spread::Serial,
        };
        let done: Mutex<Vec<Finished>> = Mutex::default();
        let (first, all) = (self.first.count, self.entries.len());
        // Those that come first come one after another, on the first shard; each of all shards has its own.
        let before = if matches!(spread, Spread::Split(_)) { Spread::Serial } else { spread };
        let good = self.phase(before, 0..first, &done);
        if good || self.first.go_on {
            self.phase(spread, first..all, &done);
        }
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        // What nobody began.
        let shards = if let Spread::All(shards) = spread { shards } else { 1 };
        for (index, entry) in self.entries.iter().enumerate() {
            for shard in 1..=shards {
                if !done.iter().any(|(at, on, _)| *at == index && (shards == 1 || *on == shard)) {
                    let reason = self.unbegun_because(shards > 1, shard);
                    let mut record = unbegun(entry, Outcome::NotRun, Some(&reason));
                    record.shard = (shards > 1).then_some(Shard { index: shard, count: shards });
                    done.push((index, shard, record));
                }
            }
        }
        done.sort_by_key(|(index, shard, _)| (*index, *shard));
        SuiteRecord {
            version: 1,
            agent_device: contract::VERSION.to_owned(),
            run_id: self.run_id.to_owned(),
            started_at_ms,
            duration_ms: now_ms().saturating_sub(started_at_ms),
            flows: done.into_iter().map(|(_, _, record)| record).collect(),
            artifacts_dir: self.folder.exists().then(|| self.folder.display().to_string()),
        }
    }

    /// Runs some of the flows; whether all of them passed.
    fn phase(&self, spread: Spread, flows: Range<usize>, done: &Mutex<Vec<Finished>>) -> bool {
        let count = self.args.shard_split.or(self.args.shard_all).unwrap_or(1);
        let queue = Queue::new(spread, flows.clone());
        std::thread::scope(|scope| {
            for index in 1..=spread.shards() {
                let queue = &queue;
                scope.spawn(move || self.shard(Shard { index, count }, queue, done));
            }
        });
        let done = done.lock().unwrap_or_else(PoisonError::into_inner);
        let mut own = done.iter().filter(|(index, ..)| flows.contains(index));
        own.all(|(_, _, record)| matches!(record.outcome, Outcome::Passed | Outcome::Flaky))
    }

    fn shard(&self, shard: Shard, queue: &Queue, done: &Mutex<Vec<Finished>>) {
        let device = self.args.devices.get(shard.index as usize - 1).cloned().or_else(|| self.caller.device.clone());
        while !self.interrupt.is_set() && !self.lost.holds(shard.index) {
            let Some(index) = queue.next(shard.index) else { break };
            let Some(entry) = self.entries.get(index) else { break };
            let mut record = match &entry.source {
                Ok(source) => self.flow(&Job { index, source, shard, device: device.clone() }),
                Err(failure) => unbegun(entry, Outcome::Invalid, Some(&failure.message)),
            };
            record.shard = (shard.count > 1).then_some(shard);
            self.without_its_device(shard, entry, &mut record);
            self.watcher.ends(shard, &record);
            let failed = !matches!(record.outcome, Outcome::Passed | Outcome::Flaky);
            let stop = self.args.fail_fast && failed;
            done.lock().unwrap_or_else(PoisonError::into_inner).push((index, shard.index, record));
            // One that comes first and fails ends its phase.
            if stop || (index < self.first.count && !self.first.go_on && failed) {
                queue.stop();
            }
        }
    }

    /// A flow that did not pass on a device that is gone says nothing of the app. What is left is for the other shards: that
    /// device would fail flow after flow, faster than they pass.
    fn without_its_device(&self, shard: Shard, entry: &Entry, record: &mut FlowRecord) {
        let device = self.args.devices.get(shard.index as usize - 1);
        if let (Outcome::Infrastructure | Outcome::Failed, Some(device), Ok(source)) =
            (record.outcome, device, &entry.source)
            && devices::gone(&self.caller.way(source, self.interrupt, None, self.folder), device)
        {
            self.lost.add(shard.index, device);
            let why = format!("{device} is gone: nothing more was run on it");
            record.outcome = Outcome::Infrastructure;
            if let Some(last) = record.attempts.last_mut() {
                last.outcome = Outcome::Infrastructure;
                note(last, &why);
            }
            record.reason = Some(why);
        }
    }

    /// Why a flow was begun on no shard, or not on this one.
    fn unbegun_because(&self, of_one: bool, shard: u32) -> String {
        let lost = self.lost.named(of_one.then_some(shard));
        match lost.is_empty() || self.interrupt.is_set() {
            true => "the suite was stopped".to_owned(),
            false => format!("no device was left for it: {} gone", lost.join(", ")),
        }
    }

    /// A flow: its first attempt, and as many more as it may have.
    fn flow(&self, job: &Job<'_>) -> FlowRecord {
        let most = 1 + self.args.retries.unwrap_or_else(|| job.source.retries());
        let mut attempts: Vec<Attempt> = Vec::new();
        for number in 1..=most {
            self.watcher.begins(job.shard, &job.source.file, number);
            let last = self.attempt(job, number);
            let outcome = last.outcome;
            attempts.push(last);
            if !matches!(outcome, Outcome::Failed | Outcome::Infrastructure) || self.interrupt.is_set() {
                break;
            }
            if number < most {
                self.watcher.tried(&flow_record(job.source, outcome, attempts.clone()));
            }
        }
        let outcome = match attempts.last().map(|last| last.outcome) {
            Some(Outcome::Passed) if attempts.len() > 1 => Outcome::Flaky,
            Some(outcome) => outcome,
            None => Outcome::NotRun,
        };
        flow_record(job.source, outcome, attempts)
    }

    fn attempt(&self, job: &Job<'_>, number: u32) -> Attempt {
        let Job { index, source, shard, .. } = job;
        let session = format!("test-{}-{}-{}-{number}", self.run_id, shard.index, index + 1);
        let stem = source.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let on = if shard.count > 1 && self.args.shard_all.is_some() {
            format!("-shard{}", shard.index)
        } else {
            String::new()
        };
        let folder = self.folder.join(format!("{:03}-{stem}{on}", index + 1)).join(format!("attempt-{number}"));
        let mut way = self.caller.way(source, self.interrupt, Some(session.clone()), &folder);
        way.device.clone_from(&job.device);
        let mut values = self.caller.values(source, &self.args.env, &session);
        values.builtin.insert("AD_ARTIFACTS".to_owned(), folder.display().to_string());
        values.builtin.insert("AD_SHARD_INDEX".to_owned(), shard.index.to_string());
        if let Some(device) = &job.device {
            values.builtin.insert("AD_DEVICE".to_owned(), device.clone());
        }
        let watcher = self.watcher;
        let on_step = *shard;
        let Attempted { mut record, failed, tracing, .. } = attempt(
            source,
            way,
            Trying {
                number,
                session,
                limit: self.caller.limit(source),
                trace: self.args.trace != TraceWhen::Never,
                close: true,
                variables: values,
                options: steps::Options {
                    left: if self.args.trace == TraceWhen::Never { Left::Nothing } else { Left::Trace },
                    ..steps::Options::default()
                },
                progress: Some(Box::new(move |step| watcher.step(on_step, step))),
            },
        );
        if self.args.trace == TraceWhen::Always || (self.args.trace == TraceWhen::OnFailure && failed.is_some()) {
            let page = folder.join("trace.html");
            match traced::page(&source.name(), &source.file, &[(&record, &tracing)], &page) {
                Ok(()) => record.trace = Some(page.display().to_string()),
                Err(why) => note(&mut record, &format!("the trace cannot be written: {}: {why}", page.display())),
            }
        }
        tracing.remove();
        record.artifacts = files(&folder);
        record
    }
}

fn flow_record(source: &Source, outcome: Outcome, attempts: Vec<Attempt>) -> FlowRecord {
    FlowRecord {
        name: source.name(),
        file: source.file.clone(),
        tags: source.tags().to_vec(),
        outcome,
        shard: None,
        attempts,
        reason: None,
    }
}

fn note(record: &mut Attempt, note: &str) {
    if let Some(step) = record.steps.last_mut() {
        step.notes.push(note.to_owned());
    }
}

/// What lies in the folder of an attempt.
fn files(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    files.into_iter().map(|path| path.display().to_string()).collect()
}

/// A flow without attempts.
fn unbegun(entry: &Entry, outcome: Outcome, reason: Option<&str>) -> FlowRecord {
    let stem = Path::new(&entry.file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let (name, tags) = match &entry.source {
        Ok(source) => (source.name(), source.tags().to_vec()),
        Err(_) => (stem.unwrap_or_default(), Vec::new()),
    };
    FlowRecord {
        name,
        file: entry.file.clone(),
        tags,
        outcome,
        shard: None,
        attempts: Vec::new(),
        reason: reason.map(str::to_owned),
    }
}

/// Whether a flow's tags are wanted.
pub fn wanted(tags: &[String], include: &[String], exclude: &[String]) -> bool {
    let has = |wanted: &[String]| tags.iter().any(|tag| wanted.contains(tag));
    (include.is_empty() || has(include)) && !has(exclude)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_choose() {
        let tags = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert!(wanted(&tags(&["smoke"]), &[], &[]));
        assert!(wanted(&tags(&["smoke", "slow"]), &tags(&["smoke"]), &[]));
        assert!(!wanted(&tags(&["smoke", "slow"]), &tags(&["smoke"]), &tags(&["slow"])));
        assert!(!wanted(&[], &tags(&["smoke"]), &[]));
    }
}
