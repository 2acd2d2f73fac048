//! Which element a target means. A selector's target may be waited for, where the request carries a budget.

use std::{sync::Arc, time::Duration};

use contract::{
    Claim, Code, Dispatched, Failure, Row, Target,
    command::{READINESS_CAP_MS, READINESS_INTERVAL_MS},
    target::RefToken,
};
use observe::{BudgetFrom, End, Schedule, Verdict, observe_until};
use screen::{LabelChanged, Resolution, Selector, Tree, guard::Purpose, selector};
use serde_json::json;
use wire::Context;

use crate::run::{MAX_NODES, Run};

/// An element of a capture.
#[derive(Debug, Clone)]
pub struct Found {
    /// The capture.
    pub tree: Arc<Tree>,
    /// Its place in it.
    pub place: u32,
    /// A plain ref whose element is now called something else.
    pub changed: Option<LabelChanged>,
    /// Looks and ms, where it had to be waited for.
    pub waited: Option<(usize, u64)>,
}

/// A ref's text taken apart.
///
/// # Errors
/// `INVALID_ARGS`.
pub fn token(reference: &str) -> Result<RefToken, Failure> {
    RefToken::parse(reference).map_err(|why| {
        Failure::refused(Row::DaemonProtocolBadArguments, Code::InvalidArgs, why).reason("invalid_arguments")
    })
}

/// The element that a ref or selector means on a new capture. For reads and for devices without a live look.
///
/// # Errors
/// Absent, ambiguous, expired, not issued; each `dispatched: no`.
pub async fn on_capture(run: &mut Run<'_>, target: &Target) -> Result<Found, Failure> {
    let found = found(run, target).await?;
    run.note_found(target, &found.tree, found.place);
    Ok(found)
}

async fn found(run: &mut Run<'_>, target: &Target) -> Result<Found, Failure> {
    match target {
        Target::Ref { reference } => {
            let token = token(reference)?;
            run.session.refs.lookup(token)?;
            let tree = run.capture().await?;
            let aim = run.session.refs.resolve(token, &tree)?;
            Ok(Found { tree, place: aim.place, changed: aim.changed, waited: None })
        }
        Target::Selector { selector } => {
            let selector = Selector::parse(selector)?;
            let tree = run.capture().await?;
            let place = selector::locate(&selector, &mut run.session.refs, &tree)?;
            Ok(Found { tree, place, changed: None, waited: None })
        }
        Target::Point { x, y } => {
            let tree = run.capture().await?;
            let point = contract::Point { x: *x, y: *y };
            screen::guard::point_inside(tree.viewport, point)?;
            let at =
                tree.iter().filter(|(_, node)| node.is(screen::States::RENDERED) && node.rect.contains(point)).last();
            let place = at.map(|(place, _)| place).ok_or_else(|| {
                Failure::refused(
                    Row::DaemonRefusalAbsent,
                    Code::ElementNotFound,
                    format!("there is no element at {point}"),
                )
                .reason("nothing_at_point")
            })?;
            Ok(Found { tree, place, changed: None, waited: None })
        }
    }
}

/// The element that a selector means, waiting while it is absent if the request carries a readiness budget.
///
/// Present in the first capture: exactly one capture. Ambiguity and failed captures end it at once; a capture that
/// comes back without content ends it with its own row.
///
/// # Errors
/// As [`on_capture`]; after a wait with `details.readiness`.
pub async fn when_ready(run: &mut Run<'_>, text: &str, purpose: Purpose) -> Result<Found, Failure> {
    let selector = Selector::parse(text)?;
    let resolve = if purpose == Purpose::Fill { selector::resolve_for_text } else { selector::resolve };
    // The contract grants the wait to presses; whatever else is scripted fails at once, as live.
    let waits = matches!(purpose, Purpose::Press | Purpose::Longpress);
    let budget = run.readiness_ms.filter(|_| waits).unwrap_or(0).min(READINESS_CAP_MS);
    if budget == 0 {
        let tree = run.capture().await?;
        let place = selector::decided(resolve(&selector, &tree), &selector, &mut run.session.refs, &tree)?;
        return Ok(Found { tree, place, changed: None, waited: None });
    }
    run.context.check()?;
    let schedule = Schedule {
        interval: Duration::from_millis(READINESS_INTERVAL_MS),
        budget: Duration::from_millis(budget),
        min_polls: 1,
        budget_from: BudgetFrom::FirstLook,
        deadline: run.context.deadline,
    };
    let (device, context) = (run.session.device.clone(), run.context.clone());
    let mut last = None;
    let mut looks = 0u32;
    let observation = observe_until(
        schedule,
        &run.context.cancel,
        // A capture's failure is handed to the verdict: it ends the wait at once, as it would end a single look.
        || async { Ok(device.capture(&context, MAX_NODES).await) },
        |capture| {
            looks += 1;
            let tree = match capture {
                Ok(tree) => tree,
                Err(failure) => return Verdict::Stop(failure),
            };
            if let Err(sparse) = screen::guard::content(&tree) {
                return Verdict::Stop(if looks > 1 {
                    sparse.under(SPARSE).detail("readiness", json!({"end": "sparse", "polls": looks}))
                } else {
                    sparse
                });
            }
            let tree = Arc::new(tree);
            last = Some(tree.clone());
            match resolve(&selector, &tree) {
                Resolution::None => Verdict::Continue,
                Resolution::One(place) => Verdict::Done((tree, Some(place))),
                Resolution::Many(_) => Verdict::Done((tree, None)),
            }
        },
    )
    .await;
    run.note_polls(&observation);
    let waited = (observation.polls.len() > 1).then_some((observation.polls.len(), observation.waited_ms));
    let facts = |end: &str| json!({"polls": observation.polls.len(), "waitedMs": observation.waited_ms, "end": end});
    if let Some(tree) = &last {
        run.session.keep_shared(tree);
    }
    let expired = |end: &str, last: Option<Arc<Tree>>| match last {
        Some(tree) => selector::absent(&selector, &tree).under(EXPIRED).detail("readiness", facts(end)),
        None => {
            Failure::refused(Row::DaemonReadinessExpired, Code::CaptureFailed, "the screen could not be read in time")
                .detail("readiness", facts(end))
        }
    };
    match observation.end {
        End::Done((tree, Some(place))) => Ok(Found { tree, place, changed: None, waited }),
        End::Done((tree, None)) => {
            let place = selector::decided(resolve(&selector, &tree), &selector, &mut run.session.refs, &tree)?;
            Ok(Found { tree, place, changed: None, waited })
        }
        End::Expired => Err(expired("expired", last)),
        End::Stalled => Err(expired("stalled", last)),
        End::Unseen(failure) | End::Stopped(failure) => Err(failure),
        End::Cancelled => Err(cancelled(&run.context)),
    }
}

const EXPIRED: Claim = Claim { row: Row::DaemonReadinessExpired, dispatched: Dispatched::No };
const SPARSE: Claim = Claim { row: Row::DaemonReadinessSparse, dispatched: Dispatched::No };

/// The failure of a wait whose caller went away.
pub fn cancelled(context: &Context) -> Failure {
    context
        .check()
        .err()
        .unwrap_or_else(|| Failure::refused(Row::DaemonCancelledBeforeSend, Code::Cancelled, "the caller went away"))
}
