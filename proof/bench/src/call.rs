//! A command line, timed from before the process is made until its output was read and it ended.

use std::{
    ffi::OsString,
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// A tool as it is started: program, fixed first arguments, environment.
#[derive(Debug, Clone)]
pub struct Tool {
    pub program: PathBuf,
    pub first: Vec<OsString>,
    pub set: Vec<(&'static str, OsString)>,
    pub unset: &'static [&'static str],
    /// Where it is started: no folder of the project, so that no tool finds a configuration.
    pub folder: PathBuf,
}

/// What a call brought.
#[derive(Debug)]
pub struct Called {
    pub took: Duration,
    pub worked: bool,
    pub out: String,
    pub err: String,
}

impl Tool {
    /// Runs a command to its end. All tools bound their own commands, the slowest at 90 s.
    ///
    /// # Errors
    /// Where the program cannot be started.
    pub fn call(&self, words: &[&str]) -> Result<Called, String> {
        let mut command = Command::new(&self.program);
        command.args(&self.first).args(words).current_dir(&self.folder).stdin(Stdio::null());
        for name in self.unset {
            command.env_remove(name);
        }
        command.envs(self.set.iter().map(|(name, value)| (name, value)));
        let start = Instant::now();
        let output = command.output().map_err(|why| format!("{}: {why}", self.program.display()))?;
        let took = start.elapsed();
        Ok(Called {
            took,
            worked: output.status.success(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// The same, where a failure ends the measurement.
    ///
    /// # Errors
    /// What the tool said.
    pub fn must(&self, words: &[&str]) -> Result<Called, String> {
        let called = self.call(words)?;
        if called.worked {
            return Ok(called);
        }
        Err(format!("{} {}: {}{}", self.program.display(), words.join(" "), called.err.trim(), called.out.trim()))
    }
}
