//! Many seeds, on as many threads as are wanted, and their figures.

use std::{
    collections::BTreeSet,
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

use cut::{Line, Tally};

use crate::{
    model::Finding,
    plan::Plan,
    script,
    shrink::shrink,
    world::{Options, Outcome, run},
};

/// Plans that shrinking may try.
const SHRINK_RUNS: usize = 2_000;
/// Progress is told about this often.
const EVERY: Duration = Duration::from_secs(10);

/// Seeds to run.
#[derive(Debug, Clone, Copy)]
pub struct Campaign {
    /// The first.
    pub first: u64,
    /// How many.
    pub seeds: u64,
    /// On how many threads.
    pub threads: usize,
}

/// What they came to.
#[derive(Debug, Default)]
pub struct Found {
    /// Requests that were written.
    pub actions: u64,
    /// The time that passed on the runs' own clocks.
    pub virtual_time: Duration,
    /// The sums per command.
    pub lines: Vec<Line>,
    /// Each seed with what was wrong in it.
    pub broken: Vec<(u64, Vec<Finding>)>,
}

impl Campaign {
    /// Runs them all. `progress` is told now and then how many seeds and actions are done.
    pub fn run(self, progress: impl Fn(u64, u64) + Sync) -> Found {
        quiet_panics();
        let (next, done, actions) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let sums = Mutex::new((Tally::default(), Found::default()));
        let told = Mutex::new(Instant::now());
        thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| {
                    let place = Place::new();
                    loop {
                        let index = next.fetch_add(1, Relaxed);
                        if index >= self.seeds {
                            break;
                        }
                        let seed = self.first + index;
                        let outcome = place.run(&script::plan(seed), Options::default());
                        let mut sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
                        let (tally, found) = &mut *sums;
                        outcome.trials.iter().for_each(|trial| tally.add(trial));
                        found.virtual_time += outcome.virtual_time;
                        if !outcome.findings.is_empty() {
                            found.broken.push((seed, outcome.findings));
                        }
                        drop(sums);
                        let all = actions.fetch_add(outcome.trials.len() as u64, Relaxed) + outcome.trials.len() as u64;
                        let seeds = done.fetch_add(1, Relaxed) + 1;
                        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
                        if told.elapsed() > EVERY {
                            *told = Instant::now();
                            progress(seeds, all);
                        }
                    }
                });
            }
        });
        let (tally, mut found) = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.actions = actions.into_inner();
        found.lines = tally.lines();
        found.broken.sort_by_key(|(seed, _)| *seed);
        found
    }
}

/// A folder for the states of one run after the other.
#[derive(Debug)]
pub struct Place(tempfile::TempDir, AtomicU64);

impl Default for Place {
    fn default() -> Self {
        Self::new()
    }
}

impl Place {
    /// A new one.
    pub fn new() -> Self {
        Self(tempfile::Builder::new().prefix("simulate").tempdir().expect("a folder for the state"), AtomicU64::new(0))
    }

    /// Runs a plan in it.
    pub fn run(&self, plan: &Plan, options: Options) -> Outcome {
        let folder = self.0.path().join(self.1.fetch_add(1, Relaxed).to_string());
        let outcome = run(plan, options, &folder);
        remove(&folder);
        outcome
    }

    /// The least part of a plan that has a finding like this one.
    pub fn shrink(&self, plan: &Plan, like: &Finding, options: Options) -> BTreeSet<u32> {
        let options = Options { trace: false, ..options };
        shrink(plan, like, SHRINK_RUNS, |plan| self.run(plan, options).findings)
    }
}

fn remove(folder: &Path) {
    // What is left goes with the folder around it.
    let _left = std::fs::remove_dir_all(folder);
}

/// Panics that a fault of the stage asked for are not printed.
pub fn quiet_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let text = info.payload().downcast_ref::<String>().map_or("", String::as_str);
            if !text.ends_with("as a fault of the stage app asks for") {
                before(info);
            }
        }));
    });
}
