//! wait: for a time, a text, an element, its absence, a quiet screen.

use std::{sync::Arc, time::Duration};

use contract::{
    Code, Failure, Row,
    command::{SETTLE_QUIET_MS, WAIT_INTERVAL_MS, WaitFor},
    request::Answer,
    target::RefToken,
};
use observe::{BudgetFrom, End, Poll, Schedule, Verdict, observe_until};
use screen::{Selector, States, Tree, query, selector};
use serde_json::json;

use super::acting::pause;
use crate::{
    interaction::{after::quiet_screen, resolve},
    run::{MAX_NODES, Run},
};

/// `wait`.
///
/// # Errors
/// `WAIT_TIMEOUT` with every look that was made, and what is nearest on the screen.
pub async fn wait(run: &mut Run<'_>, wait: &WaitFor) -> Result<Answer, Failure> {
    let limit = wait.limit_ms();
    match wait {
        WaitFor::Duration { duration_ms } => {
            pause(run, *duration_ms).await?;
            Ok(Answer::new(json!({"kind": "duration", "waitedMs": duration_ms}), format!("Waited {duration_ms} ms")))
        }
        WaitFor::Text { text, .. } => {
            until(
                run,
                limit,
                &format!("the text {text:?}"),
                |tree| query::text_on_screen(tree, text).is_some(),
                |_| Vec::new(),
            )
            .await
        }
        WaitFor::Selector { selector: text, .. } => {
            let selector = Selector::parse(text)?;
            let shown = |tree: &Tree| any_visible(&selector, tree);
            until(run, limit, text, shown, |tree| selector::near(&selector, tree)).await
        }
        WaitFor::Absent { selector: text, .. } => {
            let selector = Selector::parse(text)?;
            // A cut capture proves nothing about what is not in it.
            let gone = |tree: &Tree| !tree.truncated && selector::matches(&selector, tree).is_empty();
            until(run, limit, &format!("{text} to be gone"), gone, |_| Vec::new()).await
        }
        WaitFor::Ref { reference, .. } => {
            let token = resolve::token(reference)?;
            run.session.refs.lookup(token)?;
            wait_for_ref(run, limit, token).await
        }
        WaitFor::Stable { quiet_ms, .. } => {
            let quiet = quiet_ms.unwrap_or(SETTLE_QUIET_MS);
            let (settled, tree) = quiet_screen(run, quiet, limit).await;
            let polls = std::mem::take(&mut run.polls);
            let outcome = match (settled.done, tree) {
                (true, Some(tree)) => {
                    let mut answer = waited(&polls, settled.waited_ms, "a quiet screen");
                    answer.data["nodeCount"] = tree.len().into();
                    Ok(answer)
                }
                _ => Err(expired(run, End::Expired, &polls, settled.waited_ms, limit, "a quiet screen")),
            };
            run.polls = polls;
            outcome
        }
    }
}

fn any_visible(selector: &Selector, tree: &Tree) -> bool {
    selector::matches(selector, tree).iter().any(|place| tree.get(*place).is_some_and(|node| node.is(States::VISIBLE)))
}

async fn wait_for_ref(run: &mut Run<'_>, limit: u64, token: RefToken) -> Result<Answer, Failure> {
    let (device, context) = (run.session.device.clone(), run.context.clone());
    let refs = &run.session.refs;
    let observation = observe_until(
        schedule(run, limit),
        &run.context.cancel,
        || device.capture(&context, MAX_NODES),
        |tree| {
            let shown = refs
                .resolve(token, &tree)
                .is_ok_and(|aim| tree.get(aim.place).is_some_and(|node| node.is(States::VISIBLE)));
            if shown { Verdict::Done(()) } else { Verdict::Continue }
        },
    )
    .await;
    run.note_polls(&observation);
    match observation.end {
        End::Done(()) => Ok(waited(&observation.polls, observation.waited_ms, &token.to_string())),
        end => Err(expired(run, end, &observation.polls, observation.waited_ms, limit, &token.to_string())),
    }
}

fn schedule(run: &Run<'_>, limit: u64) -> Schedule {
    Schedule {
        interval: Duration::from_millis(WAIT_INTERVAL_MS),
        budget: Duration::from_millis(limit),
        min_polls: 1,
        budget_from: BudgetFrom::Start,
        deadline: run.context.deadline,
    }
}

/// Looks until `holds`. Every look is a new capture: a wait is never answered from an old one.
async fn until(
    run: &mut Run<'_>,
    limit: u64,
    what: &str,
    holds: impl Fn(&Tree) -> bool,
    near: impl Fn(&Tree) -> Vec<String>,
) -> Result<Answer, Failure> {
    let (device, context) = (run.session.device.clone(), run.context.clone());
    let mut last = None;
    let observation = observe_until(
        schedule(run, limit),
        &run.context.cancel,
        || device.capture(&context, MAX_NODES),
        |tree| {
            let held = holds(&tree);
            last = Some(Arc::new(tree));
            if held { Verdict::Done(()) } else { Verdict::Continue }
        },
    )
    .await;
    run.note_polls(&observation);
    if let Some(tree) = &last {
        run.session.viewport = Some(tree.viewport);
        run.session.tree = Some(tree.clone());
    }
    match observation.end {
        End::Done(()) => Ok(waited(&observation.polls, observation.waited_ms, what)),
        end => {
            let mut failure = expired(run, end, &observation.polls, observation.waited_ms, limit, what);
            if let Some(tree) = last {
                let near = near(&tree);
                failure = failure.detail("captureTruncated", tree.truncated);
                if !near.is_empty() {
                    failure =
                        failure.hint(format!("the nearest on the screen: {}", near.join(", "))).detail("near", near);
                }
            }
            Err(failure)
        }
    }
}

/// The answer of a wait that ended well.
pub fn waited(polls: &[Poll], waited_ms: u64, what: &str) -> Answer {
    Answer::new(json!({"waitedMs": waited_ms, "captures": polls.len()}), format!("Waited {waited_ms} ms for {what}"))
}

/// The failure of a wait that did not.
pub fn expired(run: &Run<'_>, end: End<()>, polls: &[Poll], waited_ms: u64, limit_ms: u64, what: &str) -> Failure {
    let (message, reason) = match end {
        End::Unseen(failure) | End::Stopped(failure) => return failure,
        End::Cancelled => return resolve::cancelled(&run.context),
        End::Stalled => (
            format!("waited {waited_ms} of {limit_ms} ms for {what}; the screen was slow to be read"),
            "wait_capture_stalled",
        ),
        End::Expired | End::Done(()) => {
            (format!("waited {waited_ms} of {limit_ms} ms for {what}"), "wait_deadline_exceeded")
        }
    };
    let failure = Failure::refused(Row::DaemonWaitExpired, Code::WaitTimeout, message)
        .reason(reason)
        .detail("timeoutMs", limit_ms)
        .detail("waitedMs", waited_ms)
        .detail("captures", polls.len())
        .detail("polls", serde_json::to_value(polls.iter().take(30).collect::<Vec<_>>()).unwrap_or_default())
        .hint("look at the screen: agent-device snapshot");
    if reason == "wait_capture_stalled" { failure.retriable() } else { failure }
}
