//! What callers hold: evaluate, set, get, interpolate.
//!
//! The engine itself lives on a thread of its own, with a stack of known size. Its time limit is checked inside loops, calls and
//! regular expressions. Should a built-in function run on regardless, the caller is answered all the same: the
//! thread is given up, and the engine answers nothing more.

use std::{
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{
    failure::{Kind, Origin, ScriptFailure},
    http::Http,
    template::{self, Part},
    worker::{self, Job, Outcome, Task},
};

/// How much later than its limit a script may answer before it is given up.
const GRACE: Duration = Duration::from_secs(2);
/// For what the host does below a script: HTTP, TLS.
const HOST_STACK: usize = 2 << 20;

/// What a script may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Memory of the whole engine.
    pub memory_bytes: usize,
    /// Time of one call of the engine, waiting for HTTP included.
    pub time: Duration,
    /// Stack of calls.
    pub stack_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory_bytes: 64 << 20, time: Duration::from_secs(30), stack_bytes: 512 << 10 }
    }
}

/// A JavaScript engine. What scripts put into `output`, and what was [`set`](Engine::set), stays; their own variables end
/// with each script.
pub struct Engine {
    limits: Limits,
    tasks: Sender<Task>,
    outcomes: Receiver<Outcome>,
    place: Origin,
    console: Vec<String>,
    gone: Option<ScriptFailure>,
}

impl Engine {
    /// Starts one; without `http`, scripts may not use the network.
    ///
    /// # Errors
    /// When the limits leave no room for the engine itself, or there is no thread to be had.
    pub fn new(limits: Limits, http: Option<Box<dyn Http>>) -> Result<Self, ScriptFailure> {
        let (tasks, inbox) = channel();
        let (outbox, outcomes) = channel();
        let place = Origin::new("script", 1, 1);
        thread::Builder::new()
            .name("javascript".to_owned())
            .stack_size(limits.stack_bytes.saturating_add(HOST_STACK))
            .spawn(move || worker::run(limits, http, &inbox, &outbox))
            .map_err(|why| place.whole(Kind::OutOfMemory, format!("there is no thread for scripts: {why}")))?;
        let mut engine = Self { limits, tasks, outcomes, place: place.clone(), console: Vec::new(), gone: None };
        engine.outcome(&place, limits.time).map(|_| engine)
    }

    /// The value of the last expression of `code`, as JSON. `name` and `line` say where its first character stands.
    ///
    /// What JSON has not becomes what is nearest: functions and `undefined` are `null`, a `BigInt` is a text. A
    /// promise is waited for.
    ///
    /// # Errors
    /// When it throws, cannot be read, or passes a limit.
    pub fn eval(&mut self, code: &str, name: &str, line: u32) -> Result<Value, ScriptFailure> {
        let place = Origin::new(name, line, 1);
        self.call(Job::Value(code.to_owned()), &place, self.limits.time)
    }

    /// Gives scripts a variable, or changes it.
    ///
    /// # Errors
    /// When the language keeps that name for itself, or memory ends.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), ScriptFailure> {
        let place = self.place.clone();
        self.call(Job::Set(name.to_owned(), value.to_string()), &place, self.limits.time).map(|_| ())
    }

    /// What a variable holds; `null` where there is none.
    ///
    /// # Errors
    /// When it is a getter that fails.
    pub fn get(&mut self, name: &str) -> Result<Value, ScriptFailure> {
        let place = self.place.clone();
        self.call(Job::Get(name.to_owned()), &place, self.limits.time)
    }

    /// Takes a variable away.
    ///
    /// # Errors
    /// When the language keeps that name for itself.
    pub fn remove(&mut self, name: &str) -> Result<(), ScriptFailure> {
        let place = self.place.clone();
        self.call(Job::Remove(name.to_owned()), &place, self.limits.time).map(|_| ())
    }

    /// Says where the text stands that [`interpolate`](Self::interpolate) or [`truthy`](Self::truthy) gets next; failures name it.
    pub fn at(&mut self, file: &str, line: u32, column: u32) {
        self.place = Origin::new(file, line, column);
    }

    /// Puts the value of every `${...}` in its place; `\${` is a `${`.
    ///
    /// # Errors
    /// When one has no end, throws, or all together pass a limit.
    pub fn interpolate(&mut self, text: &str) -> Result<String, ScriptFailure> {
        let parts = template::parts(text).map_err(|at| {
            self.place
                .after(text.get(..at).unwrap_or_default())
                .whole(Kind::Syntax, "this ${ has no } that ends it; write \\${ where no expression is meant")
        })?;
        let until = Instant::now() + self.limits.time;
        let mut whole = String::with_capacity(text.len());
        for part in parts {
            match part {
                Part::Text(text) => whole.push_str(&text),
                Part::Code { code, .. } if code.trim().is_empty() => {}
                Part::Code { mut code, at } => {
                    let mut place = self.place.after(text.get(..at).unwrap_or_default());
                    // As an expression, `{` begins an object; as a program, a block.
                    if code.trim_start().starts_with('{') {
                        code = format!("({code}\n)");
                        place.column -= 1;
                    }
                    let left = until.saturating_duration_since(Instant::now());
                    if let Value::String(value) = self.call(Job::Text(code), &place, left)? {
                        whole.push_str(&value);
                    }
                }
            }
        }
        Ok(whole)
    }

    /// Whether a condition holds: its text, interpolated, is neither empty nor `false`, `null`, `undefined`, `NaN` or a zero.
    ///
    /// # Errors
    /// As [`interpolate`](Self::interpolate).
    pub fn truthy(&mut self, text: &str) -> Result<bool, ScriptFailure> {
        let text = self.interpolate(text)?;
        let text = text.trim();
        let falsy = matches!(text, "" | "false" | "null" | "undefined" | "NaN")
            || text.parse::<f64>().is_ok_and(|number| number == 0.0);
        Ok(!falsy)
    }

    /// What scripts wrote with `console` since the last time.
    pub fn console(&mut self) -> Vec<String> {
        std::mem::take(&mut self.console)
    }

    /// Changes the time of the calls that follow: what is left of a flow's.
    pub const fn limit_time(&mut self, time: Duration) {
        self.limits.time = time;
    }

    fn call(&mut self, job: Job, place: &Origin, time: Duration) -> Result<Value, ScriptFailure> {
        if let Some(gone) = &self.gone {
            return Err(place.whole(gone.kind, format!("scripts ended with an earlier failure: {gone}")));
        }
        if time.is_zero() {
            return Err(timed_out(place, time));
        }
        let task = Task { job, until: Instant::now() + time, time, place: place.clone() };
        // A worker that has ended is noticed below, where its outcome is missing.
        let _ended = self.tasks.send(task);
        self.outcome(place, time)
    }

    fn outcome(&mut self, place: &Origin, time: Duration) -> Result<Value, ScriptFailure> {
        let outcome = self.outcomes.recv_timeout(time.saturating_add(GRACE)).map_err(|why| match why {
            RecvTimeoutError::Timeout => timed_out(place, time),
            RecvTimeoutError::Disconnected => place.whole(Kind::Thrown, "the script engine ended unexpectedly"),
        });
        match outcome {
            Ok(outcome) => {
                self.console.extend(outcome.console);
                outcome.result
            }
            Err(failure) => {
                self.gone = Some(failure.clone());
                Err(failure)
            }
        }
    }
}

/// What is said of a script that passed its time.
pub(crate) fn timed_out(place: &Origin, time: Duration) -> ScriptFailure {
    place.whole(Kind::TimedOut, format!("the script did not end within {} ms", time.as_millis()))
}
