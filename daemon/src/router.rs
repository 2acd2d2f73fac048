//! From a request to its answer: ledger, deadline, session, handler, seam.

use std::{
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};

use backend::{Check, CheckStatus, Provider};
use contract::{
    Claim, Code, Command, Dispatched, Effect, Failure, Request, Response, Row,
    command::{READINESS_CAP_MS, SessionNeed},
    plain,
    request::Answer,
};
use observe::Poll;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use wire::{Context, Ledger};

use crate::{
    audit,
    catch::catch,
    disclosure::disclose,
    grace::Grace,
    handlers::{self, batch, opening},
    leases::{Leases, now_ms},
    recording::{Recording, Told},
    records::Records,
    requests::{Requests, Seen, result_of},
    secrets::Secrets,
    sessions::{Held, Sessions},
    state_dir::StateDir,
    steps::told,
};

/// No request takes longer than this, whatever the caller asks for, ms.
const TIMEOUT_CAP_MS: u64 = 24 * 60 * 60 * 1000;

/// Everything that requests share.
pub struct Router {
    /// Where state is kept.
    pub state: StateDir,
    /// The platforms, in the order in which they are asked whether they open an app.
    pub providers: Vec<Arc<dyn Provider>>,
    /// Open sessions.
    pub sessions: Sessions,
    /// Held devices.
    pub leases: Leases,
    /// What is kept of sessions beside their timelines: scripts, traces, secrets.
    pub records: Records,
    /// Request ids seen.
    pub requests: Requests,
    /// Set when the daemon is to end.
    pub stop: CancellationToken,
    /// Identity of this process.
    pub instance: String,
    /// Since when it runs: ms since 1970-01-01 UTC.
    pub started_ms: u64,
}

/// What a request leaves for the timeline besides its answer.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Looks of its waits.
    pub polls: Vec<Poll>,
    /// Time given to it beyond its limit.
    pub grace: Grace,
    /// What it, or an earlier one, typed that nobody is to read.
    pub secrets: Secrets,
}

impl Router {
    /// A router for the given platforms.
    pub fn new(state: StateDir, providers: Vec<Arc<dyn Provider>>) -> Self {
        let started_ms = now_ms();
        Self {
            state,
            providers,
            sessions: Sessions::default(),
            leases: Leases::default(),
            records: Records::default(),
            requests: Requests::default(),
            stop: CancellationToken::new(),
            instance: format!("{started_ms:x}-{:x}", std::process::id()),
            started_ms,
        }
    }

    /// Answers a request, once per request id. `cancel` is set when the caller goes away.
    pub async fn answer(self: &Arc<Self>, request: Request, cancel: CancellationToken) -> Response {
        let ledger = Ledger::default();
        match self.requests.begin(&request) {
            // Refused under their own rows: one proves that nothing was sent, the other that nobody knows any more.
            Err(failure) => Err(disclose(failure, Some(Effect::Mutates), &ledger)),
            Ok(Seen::Again(receiver)) => match result_of(receiver).await {
                Some(response) => response,
                None => Err(disclose(
                    Failure::new(Code::Internal, "the request's result was lost"),
                    Some(Effect::Mutates),
                    &ledger,
                )),
            },
            Ok(Seen::New) => {
                // In a task of its own: the request runs to its end even if this connection's future is dropped.
                let (router, id) = (self.clone(), request.request_id.clone());
                let running = tokio::spawn(async move {
                    // Whatever happens, the id gets its result: somebody may ask for it again.
                    let ran = catch(AssertUnwindSafe(router.run(&request, cancel))).await;
                    let (effect, response) = ran.unwrap_or_else(|| {
                        (Some(Effect::Mutates), Err(disclose(panicked(), Some(Effect::Mutates), &Ledger::default())))
                    });
                    router.requests.finish(&request.request_id, effect, &response);
                    router.sessions.prune();
                    response
                });
                running.await.unwrap_or_else(|why| {
                    let failure = Failure::new(Code::Internal, format!("request {id} ended without a result: {why}"));
                    Err(disclose(failure, Some(Effect::Mutates), &ledger))
                })
            }
        }
    }

    async fn run(self: &Arc<Self>, request: &Request, cancel: CancellationToken) -> (Option<Effect>, Response) {
        let asked = Command::from_call(&request.command, &request.args)
            .and_then(|command| command.check_expected(&request.expect).map(|()| command));
        let command = match asked {
            Ok(command) => command,
            Err(failure) => return (None, Err(disclose(failure, None, &Ledger::default()))),
        };
        let effect = command.effect();
        let context = Context {
            request: request.request_id.as_str().into(),
            cancel,
            ..Context::with_limit(limit(request, &command))
        };
        if self.stop.is_cancelled() {
            let failure = Failure::refused(
                Row::DaemonAdmissionShuttingDown,
                Code::DaemonUnavailable,
                "the daemon is shutting down",
            )
            .reason("shutting_down")
            .retriable();
            return (Some(effect), Err(disclose(failure, Some(effect), &context.ledger)));
        }
        let name = session_name(request);
        let started = Instant::now();
        let result: Response = if self.is_host(&command) {
            let result = catch(AssertUnwindSafe(self.host(&context, request, &name, &command))).await;
            result
                .unwrap_or_else(|| Err(panicked()))
                .map_err(|failure| disclose(failure, Some(effect), &context.ledger))
        } else {
            self.in_turn(request, &command, &name, &context, started).await
        };
        if let Ok(answer) = &result {
            audit::typed(command.spec().name, request.render, answer);
        }
        (Some(effect), result)
    }

    /// Does what a command says.
    pub(crate) async fn handle(
        &self,
        request: &Request,
        command: &Command,
        name: &str,
        held: &mut Held,
        context: &Context,
        outcome: &mut Outcome,
    ) -> Result<Answer, Failure> {
        context.check()?;
        let result = match command {
            Command::Batch(steps) => batch::run(self, context, request, name, held, steps, outcome).await,
            _ => self.step(context, request, name, held, command, outcome).await,
        };
        // A failure has no place for them: they are told with the next answer.
        let answer = result?;
        let notices = held.get().map(|session| session.device.notices()).unwrap_or_default();
        Ok(with_notices(answer, &notices))
    }

    /// Names the sessions that are open, to a caller who asked for one that is not.
    pub(crate) fn with_open_sessions(&self, failure: Failure) -> Failure {
        let names: Vec<_> = self.sessions.list().into_iter().map(|row| plain::line(&row.name).into_owned()).collect();
        match names.first() {
            None => failure,
            Some(first) => failure
                .hint(format!(
                    "open sessions: {}; name one (--session {first}), or open something here first",
                    names.join(", ")
                ))
                .detail("sessions", names),
        }
    }

    /// Whether a command speaks to the daemon or the host only.
    pub fn is_host(&self, command: &Command) -> bool {
        command.session_need() == SessionNeed::None && !matches!(command, Command::Close(_) | Command::Batch(_))
    }

    /// Runs such a command.
    ///
    /// # Errors
    /// What the command says.
    pub async fn host(
        &self,
        context: &Context,
        request: &Request,
        name: &str,
        command: &Command,
    ) -> Result<Answer, Failure> {
        handlers::host::host(self, context, request, name, command).await
    }

    /// Closes every session, each when its turn comes.
    ///
    /// # Errors
    /// The first that a device reports; the others are closed all the same.
    pub async fn close_all(self: &Arc<Self>, context: &Context) -> Result<Answer, Failure> {
        let names: Vec<_> = self.sessions.list().into_iter().map(|row| row.name).collect();
        let mut closing = JoinSet::new();
        for name in names.clone() {
            let (router, context) = (self.clone(), context.clone());
            closing.spawn(async move { router.close_one(&name, &context).await });
        }
        let mut failed = None;
        while let Some(closed) = closing.join_next().await {
            failed = failed.or(closed.unwrap_or_else(|_| Err(panicked())).err());
        }
        match failed {
            Some(failure) => Err(failure),
            None => Ok(Answer::new(serde_json::json!({"closed": names}), format!("Closed {} session(s)", names.len()))),
        }
    }

    /// Closes one session, when its turn comes.
    ///
    /// # Errors
    /// What its device reports; it is closed all the same.
    pub async fn close_one(&self, name: &str, context: &Context) -> Result<(), Failure> {
        let started = Instant::now();
        let mut held = self.sessions.slot(name).take(context).await?;
        let recording = Recording::begin(self, name, &mut held, started);
        // Before the device is closed: that can take its time, and what is written then is not lost.
        let mut taken = self.records.take(name);
        let written = held.get().and_then(|session| taken.record.publish(&session.folder));
        let closed = catch(AssertUnwindSafe(opening::close_session(&mut held, context))).await;
        let closed = closed.unwrap_or_else(|| Err(panicked()));
        taken.end();
        let script = written.as_ref().map(told::sentence);
        recording.end(&mut held, Told::of_closing(&closed, script, context));
        closed
    }

    /// The check of the state folder, for `doctor`: by writing to it.
    pub fn state_check(&self) -> Check {
        let probe = self.state.path().join(format!(".probe-{}", self.instance));
        let written = std::fs::write(&probe, b"x").and_then(|()| std::fs::remove_file(&probe));
        let path = self.state.path().display();
        let (status, found, remedy) = match written {
            Ok(()) => (CheckStatus::Pass, format!("{path} can be written"), None),
            Err(why) => (
                CheckStatus::Fail,
                format!("{path}: {why}"),
                Some(format!(
                    "make room or give access, or set another folder: {}",
                    crate::state_dir::STATE_DIR_VARIABLE
                )),
            ),
        };
        Check { name: "state folder".into(), status, found, remedy }
    }
}

/// The caller's limit or the command's own; a readiness budget widens it.
fn limit(request: &Request, command: &Command) -> Duration {
    let readiness = request.readiness_timeout_ms.unwrap_or(0).min(READINESS_CAP_MS);
    let own = command.timeout_ms().saturating_add(readiness);
    Duration::from_millis(request.timeout_ms.unwrap_or(own).clamp(1, TIMEOUT_CAP_MS))
}

/// The named session, or the one that the caller's folder implies: the folder's name and a hash of its path.
pub fn session_name(request: &Request) -> String {
    match (&request.session, &request.workspace) {
        (Some(name), _) => name.clone(),
        (None, Some(workspace)) => {
            let last = workspace.rsplit('/').find(|part| !part.is_empty()).unwrap_or("root");
            format!("{last}-{:08x}", crate::state_dir::fnv(workspace.as_bytes()) as u32)
        }
        (None, None) => "default".to_owned(),
    }
}

/// The failure of a command whose code failed.
pub(crate) fn panicked() -> Failure {
    Failure::new(Code::Internal, "agent-device failed while it worked on this; the daemon's log has the place")
        .under(Claim { row: Row::DaemonPanicked, dispatched: Dispatched::Unknown })
        .reason("panicked")
}

fn with_notices(mut answer: Answer, notices: &[String]) -> Answer {
    if !notices.is_empty() {
        if let Some(data) = answer.data.as_object_mut() {
            data.insert("notices".into(), notices.into());
        }
        if let Some(text) = &mut answer.text {
            for notice in notices {
                text.push_str("\nNote: ");
                text.push_str(&plain::line(notice));
            }
        }
    }
    answer
}
