//! The sums of many trials, and the files in which they are published.

use std::{collections::BTreeMap, fs, io, path::Path};

use serde::{Deserialize, Serialize};

use crate::{
    judge::{Breach, judge},
    trial::{Told, Trial},
};

/// One run of one part of the proof: a file of `proof/figures`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Figures {
    /// What was under fault, for a heading: `Web: Chromium`.
    pub part: String,
    /// Where the faults were injected, in a sentence.
    pub faults: String,
    /// Which parts were real and which were doubles, in a sentence.
    pub real: String,
    /// The command that does this run again.
    pub command: String,
    /// Where not every place was tried: which were, with the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled: Option<String>,
    /// How long the run took, s.
    pub seconds: u64,
    /// One line per operation.
    pub lines: Vec<Line>,
}

/// The sums of one operation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Line {
    /// The command.
    pub operation: String,
    /// Faults injected.
    pub injected: u64,
    /// Told to be done: the fault did not touch the outcome.
    pub done: u64,
    /// Told to be done after a lost reply: made sure of.
    pub resolved: u64,
    /// Told `no`.
    pub no: u64,
    /// Told `unknown`.
    pub unknown: u64,
    /// Promise 1 broken.
    pub twice: u64,
    /// Promise 2 broken.
    pub false_no: u64,
    /// Promise 3 broken.
    pub false_success: u64,
    /// Promise 4 broken.
    pub stuck: u64,
    /// Promise 5 broken.
    pub hangs: u64,
    /// Failures that did not say what every failure must.
    pub malformed: u64,
}

impl Line {
    /// Promises broken.
    pub const fn broken(&self) -> u64 {
        self.twice + self.false_no + self.false_success + self.stuck + self.hangs + self.malformed
    }
}

/// Collects trials.
#[derive(Debug, Default)]
pub struct Tally {
    lines: BTreeMap<String, Line>,
    /// Each begins with its operation and a comma.
    broken: Vec<String>,
}

impl Tally {
    /// Sums that were made before, to go on with.
    pub fn of(lines: Vec<Line>, broken: Vec<String>) -> Self {
        Self { lines: lines.into_iter().map(|line| (line.operation.clone(), line)).collect(), broken }
    }

    /// The lines of some operations, and what was broken in these.
    pub fn only(&self, meant: impl Fn(&str) -> bool) -> (Vec<Line>, Vec<String>) {
        let lines: Vec<Line> = self.lines.values().filter(|line| meant(&line.operation)).cloned().collect();
        let of_these = |sentence: &&String| {
            lines
                .iter()
                .any(|line| sentence.strip_prefix(line.operation.as_str()).is_some_and(|rest| rest.starts_with(", ")))
        };
        let broken = self.broken.iter().filter(of_these).cloned().collect();
        (lines, broken)
    }

    /// Adds one trial; its breaches are kept with its fault.
    pub fn add(&mut self, trial: &Trial) {
        let line = self.lines.entry(trial.operation.clone()).or_default();
        line.operation.clone_from(&trial.operation);
        line.injected += 1;
        match trial.told {
            Told::Done => line.done += 1,
            Told::Resolved(_) => line.resolved += 1,
            Told::No(_) => line.no += 1,
            Told::Unknown(..) => line.unknown += 1,
            Told::Malformed(_) | Told::Nothing => {}
        }
        for breach in judge(trial) {
            match breach {
                Breach::Twice => line.twice += 1,
                Breach::FalseNo => line.false_no += 1,
                Breach::FalseSuccess => line.false_success += 1,
                Breach::Stuck => line.stuck += 1,
                Breach::Hang => line.hangs += 1,
                Breach::Malformed => line.malformed += 1,
            }
            self.broken.push(format!("{}, {}: {breach}: {trial:?}", trial.operation, trial.fault));
        }
    }

    /// Every broken promise, one sentence each.
    pub fn broken(&self) -> &[String] {
        &self.broken
    }

    /// The lines, by operation.
    pub fn lines(self) -> Vec<Line> {
        self.lines.into_values().collect()
    }
}

impl Figures {
    /// Writes the figures as a file.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, to: &Path) -> io::Result<()> {
        fs::write(to, serde_json::to_string_pretty(self)? + "\n")
    }

    /// Reads a file of figures.
    ///
    /// # Errors
    /// What the system says, or what does not fit the format.
    pub fn read(from: &Path) -> io::Result<Self> {
        Ok(serde_json::from_str(&fs::read_to_string(from)?)?)
    }
}
