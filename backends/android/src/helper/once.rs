//! The helper run once, for a device on which it cannot be kept running.

use std::time::Duration;

use contract::{Code, Effect, Failure, Row};
use wire::Context;

use super::{
    options::Options,
    records::{RunError, RunReader},
    refusals::{self, Outcome},
    release,
    reply::Reply,
    request::Ask,
};
use crate::adb::Phone;

/// How long a single run may take.
const LIMIT: Duration = Duration::from_secs(30);
/// A line longer than this does not fit one argument of a process, bytes (128 KiB, less some room).
const LINE_LIMIT: usize = 120_000;

/// Runs the helper once. What ran before is ended first: UiAutomation has one owner.
///
/// # Errors
/// `helper.one-shot.*`, `helper.occupied`, or how the program on the device was lost.
pub async fn run(
    phone: &Phone,
    context: &Context,
    package: &str,
    runner: &str,
    options: Options,
    ask: &Ask,
    doing: &str,
) -> Result<Outcome, Failure> {
    release::stop(phone, context, package).await?;
    let limited = context.until(LIMIT);
    let effect = ask.action.effect();
    let line = options.once_line(runner, ask.action.word(), ask.payload_base64().as_deref());
    if line.len() > LINE_LIMIT {
        return Err(Failure::refused(
            Row::HelperCommandRefused,
            Code::UnsupportedOperation,
            format!("{doing}: the helper cannot be kept running on this device, and the command is too long for a single run"),
        )
        .reason("payload_too_long"));
    }
    let answered = phone.shell(&limited, effect, &line).await?;
    let mut reader = RunReader::default();
    reader.feed(&answered.reply().stdout);
    let error = match reader.finish() {
        Ok(run) => {
            answered.completed();
            return Ok(Outcome::Done(Reply { fields: run.fields, body: run.body.into(), resolved: None }));
        }
        Err(error) => error,
    };
    let (row, why) = match error {
        RunError::Failed(error) if effect == Effect::Observes || refusals::proves_nothing_ran(&error) => {
            let proof = answered.refused(refusals::meaning(&error).row, error.to_string());
            return Ok(Outcome::Refused(error, proof));
        }
        // Nothing of the helper ran.
        RunError::NotStarted(why) => {
            let proof = answered.refused(Row::HelperStartFailed, why);
            return Err(proof.failure(Code::CommandFailed, doing).reason("helper_start_failed").hint(
                "the device does not know the helper: let this program install it (unset AGENT_DEVICE_ANDROID_HELPER, then \
                 agent-device open anew)",
            ));
        }
        RunError::Failed(error) => {
            answered.undecided();
            return Err(refusals::failed(Row::HelperCommandFailed, &error, doing));
        }
        RunError::Crashed(why) => (Row::HelperOneShotCrashed, format!("the helper crashed: {why}")),
        RunError::NoResult(said) => {
            let stderr = String::from_utf8_lossy(&answered.reply().stderr).trim().to_owned();
            (Row::HelperOneShotNoResult, format!("the helper ended without a result {said} {stderr}").trim().to_owned())
        }
        RunError::Unreadable(why) => (Row::HelperReplyUnreadable, why),
    };
    answered.undecided();
    Err(Failure::lost(row, Code::CommandFailed, format!("{doing}: {why}")).reason("helper_no_result"))
}
