//! One command of a session as a step: of its script, and of its trace. A batch has several.

use std::time::Duration;

use contract::{
    Code, Command, Effect, Failure, Request,
    command::{Close, TraceAction, WaitFor},
    request::Answer,
};
use tokio::time::Instant;
use wire::Context;

use crate::{
    handlers::{self, keeping, opening},
    leases::now_ms,
    log,
    notes::Notes,
    recording,
    records::{Record, Taken},
    router::{Outcome, Router},
    run::MAX_NODES,
    sessions::Held,
    state_dir::file_name,
    steps::{self, Recording, Script, kept, rewrite, told},
    traces::{Tracer, entry, network, screens::LOOK_LIMIT},
};

/// What the looks of a trace may take before a command, and after it: a tree, a picture, the log, the network.
const LOOKS: Duration = Duration::from_secs(3 * LOOK_LIMIT.as_secs() + network::LIMIT.as_secs());

impl Router {
    /// Runs one command in a session, records it where the session is recorded, and leaves an entry where it is traced.
    ///
    /// # Errors
    /// What the command says. Neither recording nor tracing ever adds a failure of its own to a command, or hides one.
    pub(crate) async fn step(
        &self,
        context: &Context,
        request: &Request,
        name: &str,
        held: &mut Held,
        command: &Command,
        outcome: &mut Outcome,
    ) -> Result<Answer, Failure> {
        let mut taken = self.records.take(name);
        taken.record.secrets.remember_named(command);
        let traced = !matches!(command, Command::Trace(_));
        let at_ms = now_ms();
        let before = match (held.get(), &mut taken.record.trace) {
            (Some(session), Some(trace)) if traced && trace.has_room() && command.effect() == Effect::Mutates => {
                let _granted = outcome.grace.grant(LOOKS);
                Some(trace.before(session, &taken.record.secrets).await)
            }
            _ => None,
        };
        let context = outcome.grace.lengthened(context);
        let began = Instant::now();
        let polls = outcome.polls.len();
        let mut notes = Notes { before: before.as_ref().and_then(|shot| shot.tree.clone()), ..Notes::default() };
        if let Some(Script::Recording(Recording { kept: Some(kept), .. })) = &mut taken.record.script {
            kept.begins(command, &taken.record.secrets);
        }
        let ran = self.ran(&context, request, name, held, command, outcome, &mut taken, &mut notes).await;
        let took = began.elapsed();
        // The device's own waits, such as the one for what moves to come to rest.
        outcome.polls.append(&mut context.looks.take());
        let mut result = ran.map_err(|failure| taken.record.secrets.hide_in_failure(failure));

        if let Ok(answer) = &mut result {
            self.recorded(&context, command, held, &mut taken.record, &notes, answer).await;
        }
        if let Some(Script::Recording(Recording { kept: Some(kept), .. })) = &mut taken.record.script {
            kept.ends();
        }
        if let (Some(session), Some(trace)) = (held.get(), &mut taken.record.trace)
            && trace.waits()
        {
            let _granted = outcome.grace.grant(LOOKS);
            match trace.opened(session) {
                Ok(()) => trace.begin_log(session).await,
                Err(failure) => {
                    log::line(&failure.message);
                    taken.record.trace = None;
                }
            }
        }
        let room = taken.record.trace.as_ref().is_some_and(|trace| trace.has_room());
        if traced && room {
            let _granted = outcome.grace.grant(LOOKS);
            let ran = entry::Ran {
                request_id: &request.request_id,
                command,
                at_ms,
                began,
                took,
                result: &result,
                ledger: &context.ledger,
                notes: &notes,
                polls: outcome.polls.get(polls..).unwrap_or_default(),
            };
            traced_step(held, &mut taken.record, &ran, before).await;
        } else if traced && let Some(trace) = &mut taken.record.trace {
            trace.leave_out();
        }
        outcome.secrets = taken.record.secrets.clone();
        match held.get() {
            // Nothing is open yet, or not any more; a trace may have been asked for all the same.
            None if !traced || taken.record.trace.as_ref().is_some_and(Tracer::waits) => {}
            None => gone(self, name, taken),
            Some(session) => {
                let lost = result.as_ref().err().is_some_and(|failure| failure.code == Code::SessionLost);
                if lost && let Some(written) = taken.record.publish(&session.folder) {
                    recording::note(session, &told::sentence(&written));
                }
            }
        }
        result
    }

    /// Does what the command says.
    #[allow(clippy::too_many_arguments, reason = "everything that a request brings, and what is kept of its session")]
    async fn ran(
        &self,
        context: &Context,
        request: &Request,
        name: &str,
        held: &mut Held,
        command: &Command,
        outcome: &mut Outcome,
        taken: &mut Taken,
        notes: &mut Notes,
    ) -> Result<Answer, Failure> {
        context.check()?;
        let record = &mut taken.record;
        match command {
            Command::Open(open) => {
                let armed = steps::arm(record.script.as_ref(), open, &file_name(name), now_ms())?;
                let mut answer = opening::open(self, context, request, name, held, open).await?;
                if let Some(recording) = armed {
                    let recording = keeping::kept(recording, &self.state.session(name), &mut answer);
                    record.script = Some(Script::Recording(recording));
                }
                Ok(answer)
            }
            Command::Close(_) => {
                let written = match held.get() {
                    Some(session) => {
                        // Before the device is closed: that can take its time, and what is written then is not lost.
                        push(&mut record.script, closing());
                        record.publish(&session.folder)
                    }
                    None => None,
                };
                let closed = opening::close(name, held, context).await;
                match (closed, written) {
                    (Ok(answer), Some(written)) => Ok(told::said(answer, &written)),
                    (Err(failure), Some(Ok(written))) => {
                        Err(failure.detail("script", written.path.display().to_string()))
                    }
                    (closed, _) => closed,
                }
            }
            Command::Trace(args)
                if held.get().is_none() && (args.action == TraceAction::Start || record.trace.is_some()) =>
            {
                keeping::trace(record, name, &self.state.session(name), None, args).await
            }
            Command::Session(args) if held.get().is_none() && kept::lies(&self.state.session(name)) => {
                keeping::save_lost(name, &self.state.session(name), args)
            }
            other if self.is_host(other) => self.host(context, request, name, other).await,
            other => {
                let session = held.session(name).map_err(|failure| self.not_open(name, failure))?;
                match other {
                    Command::Trace(args) => keeping::trace(record, name, &session.folder, Some(&*session), args).await,
                    Command::Session(args) => keeping::save_script(record, session, args),
                    other => {
                        let mut run = opening::run(context, request, session);
                        run.notes = record.wants_notes().then(|| Box::new(std::mem::take(notes)));
                        let result = handlers::in_session(&mut run, other).await;
                        outcome.polls.append(&mut run.polls);
                        *notes = run.notes.take().map(|notes| *notes).unwrap_or_default();
                        result
                    }
                }
            }
        }
    }

    /// Says what can be done where nothing is open: also that the steps of a lost session are still there.
    fn not_open(&self, name: &str, failure: Failure) -> Failure {
        let failure = self.with_open_sessions(failure);
        if !kept::lies(&self.state.session(name)) {
            return failure;
        }
        failure.hint(
            "the session was lost, the steps of its script are kept: agent-device session save-script; then open it again",
        )
    }

    /// Takes a command that worked into the script.
    async fn recorded(
        &self,
        context: &Context,
        command: &Command,
        held: &mut Held,
        record: &mut Record,
        notes: &Notes,
        answer: &mut Answer,
    ) {
        let hides = notes.secret && record.wants_notes();
        if hides && let Some(text) = command.texts().first() {
            let _variable = record.secrets.variable_of(text);
        }
        let Some(Script::Recording(recording)) = &mut record.script else { return };
        if !steps::is_step(command) || matches!(command, Command::Close(_)) {
            return;
        }
        let session = held.get();
        if let (Command::Wait(wait), Some(session)) = (command, session)
            && matches!(&*wait.words, WaitFor::Ref { .. })
            && let Ok(tree) = session.device.capture(context, MAX_NODES).await
        {
            session.keep(tree);
        }
        let first = recording.platform.is_none();
        let session = held.get();
        recording.platform = recording.platform.or(session.as_ref().map(|session| session.platform));
        let mut recorded = rewrite::step(command, notes, session.as_deref(), &mut record.secrets);
        if let Some(Command::Open(open)) = &mut recorded.step.command {
            // A replay begins where the recording began: with the app started anew.
            open.relaunch |= first;
        }
        if let Some(variable) = &recorded.hidden {
            told::tell_hidden(answer, variable);
        }
        if first {
            told::tell_recording(answer, recording);
        }
        recording.push(recorded.step);
    }
}

/// Leaves the entry of a command, with what is there to see afterwards.
async fn traced_step(
    held: &mut Held,
    record: &mut Record,
    ran: &entry::Ran<'_>,
    before: Option<crate::traces::screens::Shot>,
) {
    let Record { trace: Some(trace), secrets, .. } = record else { return };
    let (mut before, mut after, mut lines) = (before, None, Vec::new());
    if let Some(session) = held.get() {
        let (acted, failed) = (ran.command.effect() == Effect::Mutates, ran.result.is_err());
        if acted {
            after = Some(trace.after(session, secrets).await);
        } else if entry::shows_screen(ran.command, failed) {
            before = Some(trace.after(session, secrets).await);
        }
        if acted || failed {
            lines = trace.log_lines(session, secrets).await;
        }
    }
    let entry = trace.entry(ran, before, after, lines, secrets);
    trace.append(entry);
}

/// What is left when nothing is open any more: a script that is not written yet is, and the trace ends.
fn gone(router: &Router, name: &str, mut taken: Taken) {
    if let Some(written) = taken.record.publish(&router.state.session(name)) {
        log::line(&format!("session {name}: {}", told::sentence(&written)));
    }
    taken.end();
}

fn push(script: &mut Option<Script>, step: steps::Step) {
    if let Some(Script::Recording(recording)) = script {
        recording.push(step);
    }
}

fn closing() -> steps::Step {
    steps::Step { command: Some(Command::Close(Close::default())), ..steps::Step::default() }
}
