//! How something is asked; waiting for an element; coming to rest; the size of the screen.

use contract::{
    Code, Command, Dispatched, Failure, Response, Size,
    command::{READINESS_CAP_MS, Snapshot, ViewArgs, Wait, WaitFor},
    request::Answer,
    words::Words,
};
use flow::Ask;
use serde_json::Value;

use super::{Done, Run, Trouble};

/// How long what is pressed or read is waited for, ms.
pub(super) const TARGET_MS: u64 = 17_000;
/// As [`TARGET_MS`], for steps that are optional; and how long assertions and conditions wait.
pub(super) const ASSERT_MS: u64 = 7_000;
/// How long nothing may change before a screen counts as at rest between two steps, ms.
const REST_QUIET_MS: u64 = 300;
/// The longest wait for that, ms: a screen that never rests is looked at all the same.
const REST_MS: u64 = 2_000;
/// What a request may take beyond the wait that it was sent for, ms.
const MARGIN_MS: u64 = 10_000;

impl Run<'_> {
    /// Sends a command, once.
    pub fn ask(&mut self, command: Command) -> Done<Answer> {
        self.ask_as(Ask::once(command))
    }

    pub fn ask_as(&mut self, ask: Ask) -> Done<Answer> {
        Ok(self.send(ask)?)
    }

    fn send(&mut self, ask: Ask) -> Response {
        let effect = ask.command.effect();
        let response = self.host.ask(ask);
        self.count(effect, &response);
        response
    }

    /// Acts on an element that may not be there yet: the command waits for it, and where it was still absent a longer
    /// wait and the command follow. It is sent again only where it is proven that nothing was sent.
    pub fn act_on(&mut self, selector: &str, limit_ms: u64, command: &dyn Fn() -> Command) -> Done<Answer> {
        let ask = || Ask { readiness_ms: Some(READINESS_CAP_MS.min(limit_ms)), ..Ask::once(command()) };
        let refused = match self.send(ask()) {
            Ok(answer) => return Ok(answer),
            Err(refused) => refused,
        };
        let absent = refused.failure().code == Code::ElementNotFound && refused.dispatched() == Dispatched::No;
        let left = limit_ms.saturating_sub(READINESS_CAP_MS);
        if !absent || left == 0 {
            return Err(refused.into());
        }
        match self.wait(WaitFor::Selector { selector: selector.to_owned(), timeout_ms: Some(left) }) {
            Ok(_) => Ok(self.send(ask())?),
            // The first refusal says what is on the screen in its stead.
            Err(trouble) if trouble.failure.code == Code::WaitTimeout => {
                let mut failure = refused.failure().clone().detail("waitedMs", limit_ms);
                failure.message = format!("{} (waited {} s)", failure.message, limit_ms / 1_000);
                Err(Trouble { failure, ..Trouble::from(refused) })
            }
            Err(trouble) => Err(trouble),
        }
    }

    /// Waits, with room for the request beyond the wait itself.
    pub fn wait(&mut self, what: WaitFor) -> Done<Answer> {
        let limit = what.limit_ms();
        let ask = Ask {
            timeout_ms: Some(limit.saturating_add(MARGIN_MS)),
            ..Ask::once(Command::Wait(Wait { words: Words(what) }))
        };
        self.ask_as(ask)
    }

    /// Whether something is there, or gone, before the limit passes.
    pub fn comes_true(&mut self, what: WaitFor) -> Done<Result<(), Failure>> {
        match self.wait(what) {
            Ok(_) => Ok(Ok(())),
            Err(trouble) if trouble.failure.code == Code::WaitTimeout => Ok(Err(trouble.failure)),
            Err(trouble) => Err(trouble),
        }
    }

    /// Waits until the screen is at rest, where something was sent since it last was: what follows reads the screen, or
    /// touches a place on it. The step that sent it has passed: when nobody can look, the step that needs the rest fails,
    /// and its own part was not sent.
    pub fn rest(&mut self) -> Done {
        let Some(acted) = self.restless.clone() else { return Ok(()) };
        self.settle(REST_QUIET_MS, REST_MS).map_err(|mut trouble| {
            // Where the flow goes on regardless, the next step still owes the wait.
            self.restless = Some(acted.clone());
            trouble.settling = true;
            trouble.failure.message =
                format!("waiting for the screen to come to rest after {acted}: {}", trouble.failure.message);
            trouble
        })
    }

    /// Waits until nothing changes; a screen that never rests is said and no failure.
    pub fn settle(&mut self, quiet_ms: u64, limit_ms: u64) -> Done {
        let still = WaitFor::Stable { quiet_ms: Some(quiet_ms), timeout_ms: Some(limit_ms) };
        let rests = self.comes_true(still)?;
        self.restless = None;
        if rests.is_err() {
            self.host.note(&format!("the screen was not at rest after {limit_ms} ms"));
        }
        Ok(())
    }

    /// The size of the screen, asked for once.
    pub fn screen(&mut self) -> Done<Size> {
        if let Some(size) = self.viewport {
            return Ok(size);
        }
        let view = ViewArgs { depth: Some(0), ..ViewArgs::default() };
        let answer = self.ask(Command::Snapshot(Snapshot { view, ..Snapshot::default() }))?;
        let size = size(answer.data.get("viewport"))
            .ok_or_else(|| Trouble::of(Code::CaptureFailed, "the snapshot does not say how large the screen is"))?;
        self.viewport = Some(size);
        Ok(size)
    }
}

fn size(value: Option<&Value>) -> Option<Size> {
    let side = |name: &str| value?.get(name)?.as_f64();
    Some(Size { width: side("width")?, height: side("height")? })
}
