//! From a request to an event of its session's timeline: also for the one that closes the session, and for what the daemon
//! closes on its own account.

use std::{path::PathBuf, time::Instant};

use contract::{Code, Command, Disclosed, Effect, Failure, Request, Response, Row, Sends, command::Close};
use observe::Poll;
use wire::Context;

use crate::{
    disclosure::disclose,
    leases::now_ms,
    log,
    router::{Outcome, Router},
    secrets::{Secrets, quoted},
    session::Session,
    sessions::Held,
    timeline::{Event, Timeline, VERSION},
};

/// Texts of fewer characters are left where they stand.
const TELLING: usize = 4;

/// A request that has its session's turn.
#[derive(Debug)]
pub struct Recording {
    name: String,
    folder: PathBuf,
    /// A session was open when the turn came.
    open: bool,
    started: Instant,
}

/// What a timeline is told of a request.
#[derive(Debug)]
pub struct Told {
    request_id: String,
    command: &'static str,
    /// What was done, or how it failed.
    outcome: Result<String, (String, Code, String)>,
    sends: Sends,
    polls: Vec<serde_json::Value>,
}

impl Recording {
    /// Begins with the turn; `started` is when the request came.
    pub fn begin(router: &Router, name: &str, held: &mut Held, started: Instant) -> Self {
        Self { name: name.to_owned(), folder: router.state.session(name), open: held.get().is_some(), started }
    }

    /// Writes the event, where a session is open, or was when the turn came, or may have been meanwhile: something was sent.
    /// A timeline that cannot be written never changes what the caller is told of the app; it is a line in the log.
    pub fn end(self, held: &mut Held, told: Told) {
        let duration_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let reached = self.open || told.sends.any();
        let written = match held.get() {
            Some(session) => session.timeline.append(told.event(duration_ms)),
            None if reached => {
                Timeline::open(&self.folder).and_then(|mut timeline| timeline.append(told.event(duration_ms)))
            }
            None => return,
        };
        if let Err(why) = written {
            log::line(&format!("the timeline of {} cannot be written: {why}", self.name));
        }
    }
}

impl Told {
    /// Of a request and its answer.
    pub fn of(request: &Request, command: &Command, response: &Response, context: &Context, outcome: &Outcome) -> Self {
        let done = match response {
            Err(disclosed) => Err(failed(disclosed)),
            Ok(_) if command.effect() == Effect::Observes => Ok(String::new()),
            Ok(answer) if matches!(command, Command::Batch(_)) => {
                Ok(format!("{} steps", answer.data.get("completed").cloned().unwrap_or_default()))
            }
            Ok(answer) => {
                Ok(answer.text.as_deref().and_then(|text| text.lines().next()).unwrap_or_default().to_owned())
            }
        };
        let done = match done {
            Ok(done) => Ok(without(done, command)),
            Err((dispatched, code, message)) => Err((dispatched, code, without(message, command))),
        };
        Self {
            request_id: request.request_id.clone(),
            command: command.spec().name,
            outcome: done,
            sends: context.ledger.sends(),
            polls: outcome.polls.iter().filter_map(|poll: &Poll| serde_json::to_value(poll).ok()).collect(),
        }
        .without(&outcome.secrets)
    }

    /// Of the closing of one session among others; without a request's id where nobody asked for it.
    /// `script` says what became of the steps that were recorded.
    pub fn of_closing(closed: &Result<(), Failure>, script: Option<String>, context: &Context) -> Self {
        let and = |message: String| script.as_ref().map_or(message.clone(), |script| format!("{message}; {script}"));
        let outcome = match closed {
            Ok(()) => Ok(and("Closed".to_owned())),
            Err(failure) => {
                let (dispatched, code, message) =
                    failed(&disclose(failure.clone(), Some(Effect::Mutates), &context.ledger));
                Err((dispatched, code, and(message)))
            }
        };
        Self {
            request_id: context.request.to_string(),
            command: Command::Close(Close::default()).spec().name,
            outcome,
            sends: context.ledger.sends(),
            polls: Vec::new(),
        }
    }

    fn without(mut self, secrets: &Secrets) -> Self {
        let (Ok(message) | Err((_, _, message))) = &mut self.outcome;
        secrets.hide(message);
        self.polls.iter_mut().for_each(|poll| secrets.hide_in(poll));
        self
    }

    fn event(self, duration_ms: u64) -> Event {
        let (ok, message, dispatched, code) = match self.outcome {
            Ok(message) => (true, message, None, None),
            Err((dispatched, code, message)) => (false, message, Some(dispatched), Some(code.to_string())),
        };
        Event {
            version: VERSION,
            number: 0,
            at_ms: now_ms(),
            request_id: self.request_id,
            command: self.command.to_owned(),
            ok,
            duration_ms,
            dispatched,
            sends: self.sends.completed + self.sends.open,
            code,
            message,
            polls: self.polls,
        }
    }
}

/// Writes into a session's timeline what nobody asked for and somebody will want to know: of its script.
pub fn note(session: &mut Session, message: &str) {
    let told = Told {
        request_id: String::new(),
        command: "session",
        outcome: Ok(message.to_owned()),
        sends: Sends::NONE,
        polls: Vec::new(),
    };
    if let Err(why) = session.timeline.append(told.event(0)) {
        log::line(&format!("the timeline of {} cannot be written: {why}", session.name));
    }
}

/// A sentence without the texts that the command puts into the app, wherever it repeats one.
fn without(mut sentence: String, command: &Command) -> String {
    for text in command.texts() {
        // As it is, and as messages quote it. A letter or two say nothing, and stand in every sentence.
        for spelt in [quoted(&text), text] {
            if spelt.chars().count() >= TELLING {
                sentence = sentence.replace(&spelt, "[text]");
            }
        }
    }
    sentence
}

/// What is said of a failure: nothing that was read from the app or typed into it.
fn failed(disclosed: &Disclosed) -> (String, Code, String) {
    let failure = disclosed.failure();
    let message = match failure.code {
        // Its words may be a text to type, out of place.
        _ if failure.claim().is_some_and(|claim| claim.row == Row::DaemonProtocolBadArguments) => {
            "the arguments do not fit".to_owned()
        }
        Code::TextMismatch => "the field holds something else than what was filled in".to_owned(),
        _ => failure.message.clone(),
    };
    (disclosed.dispatched().to_string(), failure.code, message)
}
