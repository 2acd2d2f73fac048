//! The daemon as what flows run on: sends their commands one after another, holds them to the run's limit, and keeps the
//! record of every step.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use contract::{
    Claim, Code, Command, Disclosed, Dispatched, Effect, Failure, Request, Response, Row, Sends,
    command::READINESS_CAP_MS,
    request::{Answer, Render},
    view::Platform,
};
use daemon::{
    client::{Client, Interrupt},
    secrets::{Secrets, each_text},
};
use flow::{Ask, AskRecord, Host, Place, Status, StepRecord};
use serde_json::{Value, json};

use crate::traced::Tracing;

/// How much longer than its own limit a request is given up at the latest, where the run's limit is near.
const LEAST: Duration = Duration::from_millis(1);

/// What the requests of a run have in common.
#[derive(Debug, Clone)]
pub struct Way {
    /// To the daemon.
    pub client: Client,
    /// The session's name; `None` for the one that the caller's folder implies.
    pub session: Option<String>,
    /// The caller's folder.
    pub workspace: Option<String>,
    /// Where the run says so.
    pub platform: Option<Platform>,
    /// Where the run says so.
    pub device: Option<String>,
    /// Relative paths of what a flow reads lie here: the flow's folder.
    pub inputs: PathBuf,
    /// Relative paths of what a flow writes lie here.
    pub outputs: PathBuf,
    /// Ends the run.
    pub interrupt: Interrupt,
}

/// Told of every step that ends; a person is waiting.
pub type Progress<'p> = Box<dyn FnMut(&StepRecord) + 'p>;

/// Flows run on it.
pub struct DaemonHost<'p> {
    way: Way,
    began: Instant,
    deadline: Instant,
    limit: Duration,
    steps: Vec<StepRecord>,
    open: Vec<usize>,
    secrets: Secrets,
    sends: Sends,
    progress: Option<Progress<'p>>,
    opened: bool,
    tracing: Tracing,
}

impl<'p> DaemonHost<'p> {
    /// Begins the clock of a run of at most `limit`.
    pub fn new(way: Way, limit: Duration, progress: Option<Progress<'p>>) -> Self {
        let began = Instant::now();
        Self {
            way,
            began,
            deadline: began + limit,
            limit,
            steps: Vec::new(),
            open: Vec::new(),
            secrets: Secrets::default(),
            sends: Sends::NONE,
            progress,
            opened: false,
            tracing: Tracing::default(),
        }
    }

    /// From now on pictures and trees are kept of every step.
    pub fn trace(&mut self) {
        self.tracing = Tracing::new(true);
    }

    /// Ends the trace, if there is one.
    pub fn end_trace(&mut self) -> Tracing {
        let mut tracing = std::mem::take(&mut self.tracing);
        tracing.stop(self);
        tracing
    }

    /// What has reached the device so far, by what the daemon answered: at least one send per command that acted.
    pub const fn sends(&self) -> Sends {
        self.sends
    }

    /// Whether the run has opened something and not closed it, or may have.
    pub const fn is_open(&self) -> bool {
        self.opened
    }

    /// The record so far.
    pub fn steps(&self) -> &[StepRecord] {
        &self.steps
    }

    /// The record.
    pub fn into_steps(self) -> Vec<StepRecord> {
        self.steps
    }

    /// How long it has run, ms.
    pub fn elapsed_ms(&self) -> u64 {
        millis(self.began.elapsed())
    }

    /// Asks something that is no part of a step: a look for a report, the beginning of a trace. Is bounded on its own
    /// account, so that a report is made of a run whose limit has passed as well.
    ///
    /// # Errors
    /// What the daemon says.
    pub fn aside(&self, command: &Command, limit: Duration) -> Response {
        let request = Request { timeout_ms: Some(millis(limit)), ..self.request(command) };
        self.way.client.run(&request, command.effect(), limit)
    }

    /// A sentence without what nobody may read.
    pub fn plain(&self, text: &str) -> String {
        self.secrets.replaced(text, "[", "]").unwrap_or_else(|| text.to_owned())
    }

    fn request(&self, command: &Command) -> Request {
        Request {
            session: self.way.session.clone(),
            workspace: self.way.workspace.clone(),
            platform: self.way.platform,
            device: self.way.device.clone(),
            render: Render::Json,
            ..Request::new(caller::request_id("replay"), command)
        }
    }

    /// The run is over, whatever is still to come.
    fn over(&self) -> Option<Failure> {
        if self.way.interrupt.is_set() {
            let failure = Failure::refused(Row::ReplayCancelled, Code::Cancelled, "the run was stopped");
            return Some(failure.reason("replay_cancelled"));
        }
        (Instant::now() >= self.deadline).then(|| {
            let limit = self.limit.as_millis();
            Failure::refused(Row::ReplayLimitPassed, Code::Timeout, format!("the run's limit of {limit} ms has passed"))
                .reason("replay_limit_passed")
                .hint("give it more time: --timeout MS, or `context timeout=MS` in the script")
        })
    }

    fn send(&mut self, mut ask: Ask) -> (String, Response) {
        let effect = ask.command.effect();
        let seal = |failure| Err(Disclosed::seal(failure, Some(effect), Sends::NONE));
        if let Some(over) = self.over() {
            return (String::new(), seal(over));
        }
        let folder = match writes(&ask.command) {
            true => {
                // Whether it is there is found out when the path is looked at.
                let _made = std::fs::create_dir_all(&self.way.outputs);
                &self.way.outputs
            }
            false => &self.way.inputs,
        };
        if let Err(failure) = caller::resolve(&mut ask.command, folder) {
            return (String::new(), seal(failure));
        }
        let readiness = ask.readiness_ms.map(|wait| wait.min(READINESS_CAP_MS));
        let own = ask.timeout_ms.unwrap_or_else(|| ask.command.timeout_ms()).saturating_add(readiness.unwrap_or(0));
        let limit = Duration::from_millis(own).min(self.remaining()).max(LEAST);
        let request = Request {
            timeout_ms: Some(millis(limit)),
            readiness_timeout_ms: readiness.filter(|wait| *wait > 0),
            expect: ask.expect,
            ..self.request(&ask.command)
        };
        if matches!(ask.command, Command::Close(_)) && self.tracing.is_running() {
            self.trace_with(Tracing::stop);
        }
        // Before the first command: what opens the app is a step of the trace too.
        if self.tracing.is_due() && !matches!(ask.command, Command::Close(_)) {
            self.trace_with(Tracing::start);
        }
        let response = self.way.client.run(&request, effect, limit);
        self.count(&ask.command, effect, &response);
        (request.request_id, response)
    }

    fn trace_with(&mut self, act: fn(&mut Tracing, &Self)) {
        let mut tracing = std::mem::take(&mut self.tracing);
        act(&mut tracing, self);
        self.tracing = tracing;
    }

    fn count(&mut self, command: &Command, effect: Effect, response: &Response) {
        match response {
            Ok(_) => {
                match command {
                    Command::Close(_) => self.opened = false,
                    _ => self.opened = true,
                }
                if effect == Effect::Mutates {
                    self.sends.completed += 1;
                }
            }
            Err(failed) => {
                // A failed `open` may have left something behind.
                self.opened |= matches!(command, Command::Open(_));
                self.sends.completed += u32::try_from(failed.steps()).unwrap_or(u32::MAX);
                if failed.dispatched() == Dispatched::Unknown && failed.steps() == 0 {
                    self.sends.open += 1;
                }
            }
        }
    }

    /// A failure as `--json` shows it, without what nobody may read.
    pub fn shown(&self, failed: &Failure) -> Value {
        let mut shown =
            serde_json::to_value(failed).unwrap_or_else(|_| json!({"message": "a failure that cannot be shown"}));
        each_text(&mut shown, &mut |text| *text = self.plain(text));
        shown
    }
}

impl Host for DaemonHost<'_> {
    fn begin(&mut self, place: &Place, text: &str) {
        let parent = self.open.last().and_then(|open| self.steps.get(*open)).map(|step| step.number);
        self.open.push(self.steps.len());
        self.steps.push(StepRecord {
            number: u32::try_from(self.steps.len() + 1).unwrap_or(u32::MAX),
            parent,
            place: place.clone(),
            text: self.plain(text),
            status: Status::Skipped,
            started_ms: self.elapsed_ms(),
            duration_ms: 0,
            asks: Vec::new(),
            failure: None,
            notes: Vec::new(),
        });
    }

    fn ask(&mut self, ask: Ask) -> Response {
        let (command, started_ms) = (ask.command.spec().name.to_owned(), self.elapsed_ms());
        let (request_id, response) = self.send(ask);
        let record = AskRecord {
            request_id,
            command,
            started_ms,
            duration_ms: self.elapsed_ms().saturating_sub(started_ms),
            waited: response.as_ref().ok().and_then(waited),
            failure: response.as_ref().err().map(|failed| self.shown(failed.failure())),
        };
        if let Some(step) = self.open.last().and_then(|open| self.steps.get_mut(*open)) {
            step.asks.push(record);
        }
        response
    }

    fn note(&mut self, note: &str) {
        let note = self.plain(note);
        if let Some(step) = self.open.last().and_then(|open| self.steps.get_mut(*open)) {
            step.notes.push(note);
        }
    }

    fn end(&mut self, status: Status, failure: Option<&Failure>) {
        let failure = failure.map(|failure| self.shown(failure));
        let now = self.elapsed_ms();
        let Some(step) = self.open.pop().and_then(|open| self.steps.get_mut(open)) else { return };
        step.status = status;
        step.failure = failure;
        step.duration_ms = now.saturating_sub(step.started_ms);
        let ended = step.clone();
        if let Some(progress) = &mut self.progress {
            progress(&ended);
        }
    }

    fn pause(&mut self, pause: Duration) -> Result<(), Failure> {
        self.way.interrupt.wait(pause.min(self.remaining()));
        self.over().map_or(Ok(()), Err)
    }

    fn remaining(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    fn secret(&mut self, text: &str) {
        // One name for all of them: a report says that something was secret, not which variable it was.
        self.secrets.remember("secret", text);
    }
}

/// The failure of a run as a whole: to run it again would repeat the steps before, so those that acted decide (the
/// reliability contract, section 1: nested work is counted with what it is part of). What is to be said of the step alone
/// stands in its details. `before` are the sends of the steps before, `own` those of the step itself that returned.
pub fn of_run(failure: Failure, effect: Effect, before: Sends, own: u64) -> Disclosed {
    let failure = match before.any() {
        true => failure.under(Claim { row: Row::ReplayStepFailedAfterOthers, dispatched: Dispatched::Unknown }),
        false => failure,
    };
    let own = u32::try_from(own).unwrap_or(u32::MAX);
    Disclosed::seal(failure, Some(effect), Sends { completed: before.completed.saturating_add(own), ..before })
}

/// Whether a command's paths are of what it writes.
const fn writes(command: &Command) -> bool {
    matches!(command, Command::Screenshot(_) | Command::Record(_) | Command::Pull(_) | Command::Downloads(_))
}

/// Looks and ms of a target that had to be waited for.
fn waited(answer: &Answer) -> Option<[u64; 2]> {
    let number = |key: &str| answer.data.get("readiness").and_then(|facts| facts.get(key)).and_then(Value::as_u64);
    Some([number("polls")?, number("waitedMs")?])
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
