//! A command in its session's turn: run when the turn comes, written into the timeline, and answered in time.

use std::{
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};

use contract::{Code, Command, Failure, Request, Response, Row};
use tokio::{task::JoinHandle, time::sleep_until};
use wire::Context;

use crate::{
    catch::catch,
    disclosure::disclose,
    grace::Grace,
    recording::{Recording, Told},
    router::{Outcome, Router, panicked},
    sessions::Held,
};

/// How much later than its limit a command is answered at most: a look that began in time is seen through (the
/// reliability contract, section 6), and what tidies up after a failure mostly ends by then.
const OVERRUN: Duration = Duration::from_secs(1);

impl Router {
    /// Runs a command when its session's turn comes, and writes what happened into the session's timeline.
    ///
    /// What does not end in time (a close that has to end a browser, a device that blocks) goes on, and keeps the turn
    /// until it has ended; its caller is told that the time was up.
    pub(crate) async fn in_turn(
        self: &Arc<Self>,
        request: &Request,
        command: &Command,
        name: &str,
        context: &Context,
        started: Instant,
    ) -> Response {
        let effect = Some(command.effect());
        if let Command::Close(close) = command
            && close.all
        {
            let (router, closing) = (self.clone(), context.clone());
            let running = tokio::spawn(async move {
                router.close_all(&closing).await.map_err(|failure| disclose(failure, effect, &closing.ledger))
            });
            return in_time(command, context, &Grace::default(), running).await;
        }
        let held = match self.sessions.slot(name).take(context).await {
            Ok(held) => held,
            Err(failure) => return Err(disclose(failure, effect, &context.ledger)),
        };
        let grace = Grace::default();
        let turn = Turn {
            request: request.clone(),
            command: command.clone(),
            name: name.to_owned(),
            held,
            started,
            grace: grace.clone(),
        };
        in_time(command, context, &grace, tokio::spawn(turn.run(self.clone(), context.clone()))).await
    }
}

/// The command's outcome, or that it goes on without its caller.
async fn in_time(command: &Command, context: &Context, grace: &Grace, mut running: JoinHandle<Response>) -> Response {
    let effect = Some(command.effect());
    loop {
        let given = grace.so_far();
        tokio::select! {
            biased;
            ran = &mut running => return ran.unwrap_or_else(|_| Err(disclose(panicked(), effect, &context.ledger))),
            () = sleep_until(context.deadline + given + OVERRUN) => {}
        }
        if grace.so_far() <= given {
            return Err(disclose(goes_on(command), effect, &context.ledger));
        }
    }
}

/// A command whose turn has come.
struct Turn {
    request: Request,
    command: Command,
    name: String,
    held: Held,
    started: Instant,
    grace: Grace,
}

impl Turn {
    async fn run(self, router: Arc<Router>, context: Context) -> Response {
        let Self { request, command, name, mut held, started, grace } = self;
        let effect = Some(command.effect());
        let recording = Recording::begin(&router, &name, &mut held, started);
        let mut outcome = Outcome { grace, ..Outcome::default() };
        let handling = router.handle(&request, &command, &name, &mut held, &context, &mut outcome);
        let handled = catch(AssertUnwindSafe(handling)).await;
        let response = handled
            .unwrap_or_else(|| Err(panicked()))
            .map_err(|failure| disclose(outcome.secrets.hide_in_failure(failure), effect, &context.ledger));
        recording.end(&mut held, Told::of(&request, &command, &response, &context, &outcome));
        held.publish();
        response
    }
}

/// It may still reach the device: never `no`, except of a look.
fn goes_on(command: &Command) -> Failure {
    let message = format!("{} did not end within its limit; it goes on in the daemon", command.spec().name);
    Failure::lost(Row::DaemonDeadlineAfterSend, Code::Timeout, message)
        .reason("deadline_exceeded")
        .hint("the session's next command waits for its end; then look first: agent-device snapshot")
}
