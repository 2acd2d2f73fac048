//! Touches that hit what was meant, or say what has changed.
//!
//! A press is one round trip: the point comes from the last look, and the helper holds it against the screen as it is in
//! the same request. Only where the screen has changed since is it looked at again, and the press sent once more with
//! the proof that the first did nothing.

use backend::{Receipt, TouchPlan};
use contract::{Code, Effect, Failure, Point, Row};
use screen::NodeKey;
use serde_json::json;
use wire::Context;

use super::{foreground, judged, plan};
use crate::{
    device::AndroidDevice,
    helper::{
        features::Features,
        refusals::{self, Outcome},
        reply::Reply,
        request::{Action, Ask},
    },
    seen::Guard,
};

/// Pause between the two presses of a double press, ms: Android takes 40 to 300 for one.
const DOUBLE_PAUSE_MS: u64 = 60;

/// Refusals of the guard after which the screen is looked at again: the element may still be there and free.
const LOOK_AGAIN: [&str; 5] = [
    "ScreenChangedException",
    "NodeGoneException",
    "NodeMovedException",
    "NodeChangedException",
    "NodeCoveredException",
];

/// A touch that is about to be made.
#[derive(Debug)]
pub struct Touch<'a, F> {
    /// Where it begins.
    pub at: Point,
    /// The element that is meant.
    pub node: Option<NodeKey>,
    /// The movement that begins at a point.
    pub plan: F,
    /// How often it is made.
    pub times: u32,
    /// What it is called in messages.
    pub doing: &'a str,
    /// A press leaves the app open, or says that it did not: not so where going elsewhere is what is wanted.
    pub guarded: bool,
}

/// Makes a touch.
///
/// # Errors
/// Refused where the element is no longer what was seen; unknown where the app was left by it.
pub async fn touch<F: Fn(Point) -> TouchPlan + Sync + Send>(
    device: &AndroidDevice,
    context: &Context,
    touch: Touch<'_, F>,
) -> Result<Receipt, Failure> {
    let features = device.helper().ready(context).await?;
    let seen = device.seen();
    let front = seen.as_ref().and_then(|seen| seen.app().map(str::to_owned));
    let first = (touch.plan)(touch.at);
    if let Some(seen) = &seen {
        plan::check(&first, seen.capture.tree.viewport)?;
    }
    let guard = if features.contains(Features::GUARD_TOUCH) { Guard::Touch } else { Guard::Unchanged };
    let expect = seen
        .as_ref()
        .filter(|_| features.contains(Features::GUARD))
        .and_then(|seen| seen.expectation(touch.node?, guard));
    let ask = gesture(&first, expect, touch.times, features, touch.guarded);
    let mut outcome = device.helper().ask(context, &ask, touch.doing).await?;
    if let Outcome::Refused(error, proof) = outcome {
        let Some(node) = touch.node.filter(|_| LOOK_AGAIN.contains(&error.simple())) else {
            return Err(refusals::refused(&error, proof, touch.doing));
        };
        let before = seen.as_ref().and_then(|seen| seen.described(node));
        let now = device.look(context, device.max_nodes()).await?;
        let again = (touch.plan)(judged::still_free(&now, before, node)?);
        plan::check(&again, now.capture.tree.viewport)?;
        // The stamp is left out: a screen that never rests would be refused for ever. The element, its place and the
        // window on top are held against the screen all the same.
        let expect = now.expectation(node, Guard::Judged);
        let ask = gesture(&again, expect, touch.times, features, touch.guarded);
        outcome = device.helper().ask_again(proof, context, &ask, touch.doing).await?;
    }
    let reply = match outcome {
        Outcome::Done(reply) => reply,
        Outcome::Refused(error, proof) => return Err(refusals::refused(&error, proof, touch.doing)),
    };
    device.changed();
    let mut resolved = reply.resolved;
    if touch.times > 1 && !features.contains(Features::REPEAT) {
        resolved = resolved.or(rest_of_series(device, context, &touch, features).await?);
    }
    if touch.guarded {
        foreground::still_there(device, front.as_deref(), &reply.fields)?;
    }
    Ok(Receipt { resolved, ..Receipt::default() })
}

fn gesture(plan: &TouchPlan, expect: Option<serde_json::Value>, times: u32, features: Features, guarded: bool) -> Ask {
    let mut payload = plan::payload(plan);
    let mut takes = plan.duration_ms;
    if let Some(expect) = expect {
        payload["expect"] = expect;
    }
    if times > 1 && features.contains(Features::REPEAT) {
        payload["repeat"] = json!({"count": times, "pauseMs": DOUBLE_PAUSE_MS});
        takes = (takes + DOUBLE_PAUSE_MS) * u64::from(times);
    }
    let ask = Ask::of(Action::Gesture).with(payload).taking(takes);
    if guarded && features.contains(Features::GUARD) { ask.option("foreground", 1) } else { ask }
}

/// The presses after the first for a helper that plays a plan only once. Each is a send of its own; the row under which
/// one of them was made sure of, where that was needed.
async fn rest_of_series<F: Fn(Point) -> TouchPlan + Sync + Send>(
    device: &AndroidDevice,
    context: &Context,
    touch: &Touch<'_, F>,
    features: Features,
) -> Result<Option<Row>, Failure> {
    let mut resolved = None;
    for _ in 1..touch.times {
        let ask = gesture(&(touch.plan)(touch.at), None, 1, features, false);
        resolved = resolved.or(device.helper().done(context, &ask, touch.doing).await?.resolved);
    }
    Ok(resolved)
}

/// Something else than a touch that changes the app, in one request; with a look at what is in front afterwards.
///
/// # Errors
/// As [`touch`].
pub async fn act(
    device: &AndroidDevice,
    context: &Context,
    ask: Ask,
    needs: Features,
    doing: &str,
) -> Result<Reply, Failure> {
    debug_assert_eq!(ask.action.effect(), Effect::Mutates);
    let features = device.helper().ready(context).await?;
    if !features.contains(needs) {
        return Err(Failure::refused(
            Row::HelperCommandRefused,
            Code::UnsupportedOperation,
            format!("{doing}: the helper that is installed on the device is too old for this"),
        )
        .reason("helper_too_old")
        .hint("let this program install its own: unset AGENT_DEVICE_ANDROID_HELPER"));
    }
    let reply = device.helper().done(context, &ask, doing).await?;
    device.changed();
    Ok(reply)
}
