//! One call: its turn, its way to the daemon, word of its progress, and its end when the caller wants it no more.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use contract::{
    Code, Command, Disclosed, Effect, Failure, Request, Response, Row, Sends, command::READINESS_CAP_MS, plain,
    request::Render,
};
use daemon::client::Interrupt;
use rmcp::{
    RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
    service::Peer,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::{Options, answer, arguments::Scope, hints};

/// How often somebody who waits is told that the command is still running.
pub const PROGRESS_INTERVAL: Duration = Duration::from_secs(3);

/// Somebody who waits and wants word of it.
#[derive(Debug)]
pub struct Waiting {
    /// Who.
    pub peer: Peer<RoleServer>,
    /// What they call it.
    pub token: ProgressToken,
}

impl Waiting {
    async fn told(&self, waited: Duration) {
        self.says(waited.as_secs_f64(), format!("still running after {} s", waited.as_secs())).await;
    }

    /// Tells how far it is; each figure is more than the one before.
    pub async fn says(&self, progress: f64, message: String) {
        let note = ProgressNotificationParam::new(self.token.clone(), progress).with_message(message);
        // Who does not listen any more is not told.
        let _gone = self.peer.notify_progress(note).await;
    }
}

/// What became of a call that was cancelled.
#[derive(Debug, Clone)]
pub struct Untold {
    /// For a model; nothing where there is nothing to know: a look was given up.
    pub text: Option<String>,
    /// For a program: the request's id, and its answer or its error.
    pub outcome: Value,
}

/// What all calls of a server share.
#[derive(Debug)]
pub struct Shared {
    /// What the server was started with.
    pub options: Options,
    /// Calls run one after another in the order in which they came: a model that sends two at once means it so.
    pub(crate) turn: Arc<tokio::sync::Mutex<()>>,
    /// What became of calls whose answer nobody could be given.
    untold: Mutex<Vec<Untold>>,
    /// The page of the last trace.
    pub trace: Mutex<Option<std::path::PathBuf>>,
}

impl Shared {
    /// For one server.
    pub fn new(options: Options) -> Self {
        Self { options, turn: Arc::default(), untold: Mutex::default(), trace: Mutex::default() }
    }

    /// Runs a command. `cancelled` ends it: the send in flight is joined, and what became of it is the answer.
    ///
    /// The protocol has no answer for a request that was cancelled, so its outcome is told with the next one.
    pub async fn run(
        self: &Arc<Self>,
        command: Command,
        scope: Scope,
        cancelled: CancellationToken,
        waiting: Option<Waiting>,
    ) -> Response {
        let effect = command.effect();
        let began = tokio::time::Instant::now();
        // A caller that goes away drops this future; the call itself goes on to its end, told to stop.
        let stop = cancelled.child_token();
        let _gone = stop.clone().drop_guard();
        let shared = Arc::clone(self);
        let mut call = tokio::spawn(async move { shared.take_turn(command, scope, stop).await });
        let mut tick = tokio::time::interval_at(began + PROGRESS_INTERVAL, PROGRESS_INTERVAL);
        loop {
            tokio::select! {
                ended = &mut call => {
                    return ended.unwrap_or_else(|why| {
                        let failure = Failure::new(Code::Internal, format!("the call broke off: {why}"));
                        Err(Disclosed::seal(failure, Some(effect), Sends::NONE))
                    });
                }
                _ = tick.tick() => if let Some(waiting) = &waiting {
                    waiting.told(began.elapsed()).await;
                },
            }
        }
    }

    /// Waits for the calls before this one, and runs it.
    async fn take_turn(self: Arc<Self>, command: Command, scope: Scope, stop: CancellationToken) -> Response {
        let _turn = tokio::select! {
            biased;
            () = stop.cancelled() => return self.never_began(&command, scope),
            turn = Arc::clone(&self.turn).lock_owned() => turn,
        };
        let effect = command.effect();
        let interrupt = Interrupt::default();
        let mut client = self.options.client.clone();
        client.interrupt = Some(interrupt.clone());
        let request = self.request(&command, scope);
        let request_id = request.request_id.clone();
        let limit = Duration::from_millis(request.timeout_ms.unwrap_or(command.timeout_ms() + READINESS_CAP_MS));
        let mut asking = std::pin::pin!(client.ask(request, effect, limit));
        let (response, cancelled) = tokio::select! {
            response = &mut asking => (response, false),
            () = stop.cancelled() => {
                interrupt.set();
                // Joined: the daemon answers once the send in flight has ended.
                (asking.await, true)
            }
        };
        let response = (self.options.finish)(response, &command);
        if cancelled {
            self.note(&command, &request_id, &response);
        }
        response
    }

    fn request(&self, command: &Command, scope: Scope) -> Request {
        let options = &self.options;
        Request {
            session: scope.session.or_else(|| options.session.clone()),
            workspace: options.workspace.clone(),
            platform: scope.platform.or(options.platform),
            device: scope.device.or_else(|| options.device.clone()),
            timeout_ms: scope.timeout_ms,
            render: if scope.data { Render::Json } else { Render::Text },
            ..Request::new(scope.request_id.unwrap_or_else(|| caller::request_id("mcp")), command)
        }
    }

    /// Cancelled while other calls had their turn: nothing was asked of anybody.
    fn never_began(&self, command: &Command, scope: Scope) -> Response {
        let response = Err(cancelled_before(command.effect()));
        self.note(command, &scope.request_id.unwrap_or_default(), &response);
        response
    }

    /// Keeps what became of a cancelled call for the next answer.
    fn note(&self, command: &Command, request_id: &str, response: &Response) {
        let called = hints::called(&secretless(command), self.options.profile);
        let called = (command.effect() != Effect::Observes).then_some(called);
        self.note_call(called.as_deref(), request_id, response);
    }

    /// The same of any call; `None` for one of which there is nothing to know.
    pub(crate) fn note_call(&self, called: Option<&str>, request_id: &str, response: &Response) {
        let profile = self.options.profile;
        let (told, outcome) = match response {
            Ok(answer) => {
                let text = answer.text.as_deref().unwrap_or_default();
                let text =
                    format!("it was done all the same: {}", plain::line(text.lines().next().unwrap_or_default()));
                (text, json!({"requestId": request_id, "data": answer.data}))
            }
            Err(failed) => (answer::told(failed, profile), json!({"requestId": request_id, "error": failed})),
        };
        let text = called.map(|called| format!("Note: the cancelled call {called} ended so: {told}"));
        let mut untold = self.untold.lock().unwrap_or_else(PoisonError::into_inner);
        // Only the last few: a server that nobody asks any more must not grow.
        if untold.len() >= 8 {
            untold.remove(0);
        }
        untold.push(Untold { text, outcome });
    }

    /// What has not been told yet. It is told once.
    pub fn untold(&self) -> Vec<Untold> {
        std::mem::take(&mut *self.untold.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until the call under way, if any, has ended.
    pub async fn idle(&self) {
        let _turn = self.turn.lock().await;
    }
}

/// The failure of a call that was cancelled while others had their turn.
pub(crate) fn cancelled_before(effect: Effect) -> Disclosed {
    let failure = Failure::refused(Row::DaemonCancelledBeforeSend, Code::Cancelled, "cancelled before it began")
        .reason("cancelled");
    Disclosed::seal(failure, Some(effect), Sends::NONE)
}

/// The command without the texts that it types: they may be secrets.
fn secretless(command: &Command) -> Command {
    let mut command = command.clone();
    match &mut command {
        Command::Fill(fill) => fill.words.0.text = "...".into(),
        Command::Type(typed) => typed.text = "...".into(),
        Command::Find(find) if find.words.value.is_some() => find.words.0.value = Some("...".into()),
        Command::Alert(alert) if alert.text.is_some() => alert.text = Some("...".into()),
        _ => {}
    }
    command
}
