//! Why a step failed, and how far the step had got by then.

use contract::{Claim, Code, Disclosed, Dispatched, Effect, Failure, Response, Row, Sends};
use flow::Place;
use javascript::ScriptFailure;

use super::{Failed, Run};

/// Why a step failed.
#[derive(Debug)]
pub(super) struct Trouble {
    pub failure: Failure,
    /// Nothing that follows can help: no option, no retry.
    pub fatal: bool,
    /// The innermost step, once known.
    pub at: Option<Box<(Place, String)>>,
    pub in_cleanup: bool,
    /// See [`Failed::settling`].
    pub settling: bool,
}

pub(super) type Done<T = ()> = Result<T, Trouble>;

impl Trouble {
    /// A failure of the flow itself: nothing was sent for it.
    pub fn own(failure: Failure) -> Self {
        let sealed = Disclosed::seal(failure, Some(Effect::Observes), Sends::NONE);
        Self { failure: sealed.failure().clone(), fatal: false, at: None, in_cleanup: false, settling: false }
    }

    /// What a wish of the flow comes to that cannot be granted.
    pub fn of(code: Code, message: impl Into<String>) -> Self {
        Self::own(Failure::new(code, message))
    }

    pub fn fatal(mut self) -> Self {
        self.fatal = true;
        self
    }

    pub fn failed(self) -> Box<Failed> {
        let nowhere = || Box::new((Place { file: String::new(), line: 1 }, String::new()));
        let (place, step) = *self.at.unwrap_or_else(nowhere);
        let Self { failure, in_cleanup, settling, .. } = self;
        Box::new(Failed { place, step, failure, in_cleanup, settling })
    }
}

impl From<Disclosed> for Trouble {
    fn from(disclosed: Disclosed) -> Self {
        let failure = disclosed.failure().clone();
        let fatal = gone(failure.code);
        Self { failure, fatal, at: None, in_cleanup: false, settling: false }
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        let fatal = gone(failure.code);
        Self { fatal, ..Self::own(failure) }
    }
}

impl From<ScriptFailure> for Trouble {
    fn from(script: ScriptFailure) -> Self {
        let failure = Failure::new(Code::CommandFailed, format!("the script failed: {script}"))
            .reason("script_failed")
            .detail("file", script.file)
            .detail("line", script.line)
            .detail("column", script.column);
        Self::own(failure)
    }
}

/// Failures after which there is nothing to go on with.
const fn gone(code: Code) -> bool {
    matches!(
        code,
        Code::Cancelled
            | Code::SessionLost
            | Code::DeviceNotFound
            | Code::DeviceInUse
            | Code::DaemonUnavailable
            | Code::VersionMismatch
            | Code::ToolMissing
            | Code::Unauthorized
            | Code::Internal
    )
}

impl Run<'_> {
    /// Counts what a command has sent, and remembers that the screen may move now.
    pub fn count(&mut self, effect: Effect, response: &Response) {
        if effect != Effect::Mutates {
            return;
        }
        match response {
            Ok(_) => self.sends.completed += 1,
            Err(refused) if refused.dispatched() == Dispatched::No => return,
            Err(failed) if failed.steps() == 0 => self.sends.open += 1,
            Err(failed) => self.sends.completed += u32::try_from(failed.steps()).unwrap_or(u32::MAX),
        }
        // What failed may have landed as well.
        self.restless = Some(self.now.clone());
    }

    /// The failure of a step, with all that the step has sent since `before`: its last command may not have been sent, and
    /// those before it were.
    pub fn counted(&self, trouble: &Trouble, before: Sends) -> Failure {
        let own = Sends { completed: self.sends.completed - before.completed, open: self.sends.open - before.open };
        let mut failure = trouble.failure.clone();
        let told = failure.details.get("dispatched").and_then(|said| said.as_str()) != Some("no");
        let steps = failure.details.get("dispatchedSteps").and_then(serde_json::Value::as_u64).unwrap_or(0);
        if !own.any() || (told && steps >= u64::from(own.completed)) {
            return failure;
        }
        if !told {
            failure = failure.under(Claim { row: Row::ReplayFlowStepCut, dispatched: Dispatched::Unknown });
        }
        Disclosed::seal(failure, Some(Effect::Mutates), own).failure().clone()
    }
}
