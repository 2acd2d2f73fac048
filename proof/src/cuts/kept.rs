//! What a campaign has done so far, in a file, so that one that was interrupted goes on where it was.
//!
//! An operation is the smallest part: one that was begun and not ended is done again from its first fault.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    sync::Mutex,
    time::{Duration, Instant},
};

use cut::{Line, Tally};
use serde::{Deserialize, Serialize};

use crate::kept;

/// The operations of a campaign that have ended, in this run or an earlier one.
#[derive(Debug)]
pub struct Kept {
    file: Option<PathBuf>,
    began: Instant,
    state: Mutex<State>,
}

/// The file.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct State {
    /// The command of the campaign: another one does not go on with this file.
    command: String,
    /// How long all its runs took, s.
    seconds: u64,
    lines: Vec<Line>,
    broken: Vec<String>,
}

impl Default for Kept {
    fn default() -> Self {
        Self { file: None, began: Instant::now(), state: Mutex::default() }
    }
}

impl Kept {
    /// Goes on with a file, or begins it.
    ///
    /// # Errors
    /// A file that is not such a one or belongs to another command; what the system says of it.
    pub fn at(file: &Path, command: &str) -> io::Result<Self> {
        let mut state: State = kept::read(Some(file)).map_err(io::Error::other)?;
        if state == State::default() {
            command.clone_into(&mut state.command);
        }
        if state.command != command {
            return Err(io::Error::other(format!(
                "{}: this is the file of another campaign, `{}`: name another folder, or remove it",
                file.display(),
                state.command
            )));
        }
        Ok(Self { file: Some(file.to_owned()), began: Instant::now(), state: Mutex::new(state) })
    }

    /// Whether an operation ended in an earlier run.
    pub fn has(&self, operation: &str) -> bool {
        self.state.lock().unwrap().lines.iter().any(|line| line.operation == operation)
    }

    /// The sums of what ended in earlier runs.
    pub fn tally(&self) -> Tally {
        let State { lines, broken, .. } = self.state.lock().unwrap().clone();
        Tally::of(lines, broken)
    }

    /// How long earlier runs and this one took.
    pub fn took(&self) -> Duration {
        Duration::from_secs(self.state.lock().unwrap().seconds) + self.began.elapsed()
    }

    /// Writes the sums of the operations that have `ended`, of this run and earlier ones.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, tally: &Tally, ended: &BTreeSet<&str>) -> io::Result<()> {
        let earlier = self.state.lock().unwrap().clone();
        let meant =
            |operation: &str| ended.contains(operation) || earlier.lines.iter().any(|line| line.operation == operation);
        let (lines, broken) = tally.only(meant);
        let state = State { command: earlier.command, seconds: self.took().as_secs(), lines, broken };
        kept::write(self.file.as_deref(), &state).map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use cut::{After, Told, Trial};

    use super::*;

    fn trial(operation: &str, landed: u32) -> Trial {
        Trial {
            operation: operation.into(),
            fault: "none".into(),
            told: Told::Done,
            landed,
            asked: 1,
            after: After::Usable,
            took: Duration::from_millis(1),
            limit: Duration::from_millis(2),
        }
    }

    #[test]
    fn a_campaign_goes_on_with_the_operations_that_did_not_end() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cut-web.json");
        let first = Kept::at(&file, "cut web").unwrap();
        let mut tally = first.tally();
        [trial("press", 1), trial("press", 2), trial("fill", 2)].iter().for_each(|trial| tally.add(trial));
        first.write(&tally, &BTreeSet::from(["press"])).unwrap();

        let second = Kept::at(&file, "cut web").unwrap();
        assert!(second.has("press") && !second.has("fill"));
        let mut tally = second.tally();
        assert_eq!(tally.broken().len(), 1, "what was broken in the operation that ended, and nothing of the other");
        tally.add(&trial("fill", 1));
        second.write(&tally, &BTreeSet::from(["fill"])).unwrap();

        let lines = Kept::at(&file, "cut web").unwrap().tally().lines();
        let injected: Vec<_> = lines.iter().map(|line| (line.operation.as_str(), line.injected, line.twice)).collect();
        assert_eq!(injected, [("fill", 1, 0), ("press", 2, 1)]);
    }

    #[test]
    fn another_campaign_does_not_go_on_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cut-web.json");
        let first = Kept::at(&file, "cut web").unwrap();
        first.write(&first.tally(), &BTreeSet::new()).unwrap();
        let why = Kept::at(&file, "cut web --places 3").unwrap_err();
        assert!(why.to_string().contains("`cut web`"), "{why}");
        fs::write(&file, "{}").unwrap();
        Kept::at(&file, "cut web").unwrap_err();
    }
}
