//! wait: for a time, a text, an element, its absence, a quiet screen.

use std::sync::Arc;

use backend::Device;
use contract::{
    Code, Failure,
    command::{SETTLE_QUIET_MS, WaitFor},
    request::Answer,
    target::RefToken,
};
use observe::Verdict;
use screen::{Selector, States, Tree, query, selector};
use serde_json::json;
use wire::Context;

use super::{acting::pause, looking};
use crate::{
    interaction::{
        after::quiet_screen,
        resolve,
        watch::{Got, Wish, expired, outcome, watch},
    },
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
                |tree| selector::near_text(text, tree),
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
            let what = "a quiet screen";
            let (settled, tree) = quiet_screen(run, quiet_ms.unwrap_or(SETTLE_QUIET_MS), limit).await;
            if let Some(dialog) = settled.dialog {
                return Err(Failure::new(Code::AlertOpen, format!("a dialog is open: {dialog:?}"))
                    .reason("alert_open")
                    .detail("alertText", dialog));
            }
            match tree.filter(|_| settled.done) {
                Some(tree) => {
                    let mut answer =
                        waited(&Got { value: (), waited_ms: settled.waited_ms, looks: settled.looks }, what);
                    answer.data["nodeCount"] = tree.len().into();
                    Ok(answer)
                }
                None => Err(expired(Wish::new(what, limit), settled.waited_ms, settled.looks, &run.polls, false)),
            }
        }
    }
}

fn any_visible(selector: &Selector, tree: &Tree) -> bool {
    selector::matches(selector, tree).iter().any(|place| tree.get(*place).is_some_and(|node| node.is(States::VISIBLE)))
}

async fn wait_for_ref(run: &mut Run<'_>, limit: u64, token: RefToken) -> Result<Answer, Failure> {
    let what = token.to_string();
    let wish = Wish::new(&what, limit);
    let refs = &run.session.refs;
    let seen = watch(run, wish, capture, |tree| {
        let aim = refs.resolve(token, &tree);
        let shown = aim.is_ok_and(|aim| tree.get(aim.place).is_some_and(|node| node.is(States::VISIBLE)));
        if shown { Verdict::Done(()) } else { Verdict::Continue }
    })
    .await;
    outcome(run, wish, seen).map(|got| waited(&got, &what))
}

/// One look at the whole screen. Every look is a new capture: a wait is never answered from an old one.
pub async fn capture(device: Arc<dyn Device>, context: Context) -> Result<Tree, Failure> {
    device.capture(&context, MAX_NODES).await
}

/// Looks until `holds`. What is `near` on the last screen is told where it never does.
///
/// # Errors
/// As [`wait`].
pub async fn until(
    run: &mut Run<'_>,
    limit: u64,
    what: &str,
    holds: impl Fn(&Tree) -> bool,
    near: impl Fn(&Tree) -> Vec<String>,
) -> Result<Answer, Failure> {
    let wish = Wish::new(what, limit);
    let mut last = None;
    let seen = watch(run, wish, capture, |tree| {
        let held = holds(&tree);
        last = Some(Arc::new(tree));
        if held { Verdict::Done(()) } else { Verdict::Continue }
    })
    .await;
    if let Some(tree) = &last {
        run.session.keep_shared(tree);
    }
    let got = outcome(run, wish, seen).map_err(|failure| {
        let Some(tree) = last.filter(|_| failure.code == Code::WaitTimeout) else { return failure };
        looking::with_nearest(failure.detail("captureTruncated", tree.truncated), near(&tree))
    })?;
    Ok(waited(&got, what))
}

/// The answer of a wait that ended well.
pub fn waited<T>(got: &Got<T>, what: &str) -> Answer {
    let waited_ms = got.waited_ms;
    Answer::said(json!({"waitedMs": waited_ms, "captures": got.looks}), format!("Waited {waited_ms} ms for {what}"))
}
