//! What the screen did after an action: settle and verify, both verdicts on the one polling loop.

use std::{sync::Arc, time::Duration};

use contract::{
    Code, Failure,
    command::{AfterArgs, SETTLE_QUIET_MS, SETTLE_TIMEOUT_MS, SettleArgs, ViewArgs},
};
use observe::{BudgetFrom, End, Schedule, Verdict, observe_until};
use screen::{Listing, Tree, diff, digest, snapshot};
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::watch::seen_or_final;
use crate::{
    notes::timed,
    run::{MAX_NODES, Run},
};

/// How long `--verify` looks for a change at most. A change that comes later is for `--settle` or `wait` to see.
const VERIFY_BUDGET: Duration = Duration::from_millis(1_000);
/// Pause between its looks.
const VERIFY_INTERVAL: Duration = Duration::from_millis(50);
/// Lines of a settled diff at most (the field's limit).
const DIFF_LINES: usize = 80;

/// What is needed of the time before the action.
#[derive(Debug)]
pub struct Before {
    tree: Arc<Tree>,
    listing: Listing,
}

/// Looks at the screen before the action, if its flags ask for a comparison. A capture that was just taken to find the
/// target is used again.
///
/// # Errors
/// The capture's: nothing has been sent yet.
pub async fn before(run: &mut Run<'_>, settle: &SettleArgs, verify: bool) -> Result<Option<Before>, Failure> {
    if !settle.settle && !verify {
        return Ok(None);
    }
    let tree = match run.session.tree.clone() {
        Some(tree) => tree,
        None => run.capture().await?,
    };
    let listing = list(run, &tree)?;
    Ok(Some(Before { tree, listing }))
}

fn list(run: &mut Run<'_>, tree: &Tree) -> Result<Listing, Failure> {
    snapshot::render(&mut run.session.refs.show(tree), &ViewArgs::default(), None)
}

/// What the flags asked to see after the action: facts for programs, lines for people. Never fails the action.
pub async fn after(run: &mut Run<'_>, args: &AfterArgs, before: Option<Before>) -> (Map<String, Value>, Vec<String>) {
    let (seen, began) = timed(watched(run, args, before)).await;
    run.note_settled(began);
    seen
}

async fn watched(run: &mut Run<'_>, args: &AfterArgs, before: Option<Before>) -> (Map<String, Value>, Vec<String>) {
    let (mut facts, mut lines) = (Map::new(), Vec::new());
    let Some(before) = before else { return (facts, lines) };
    let mut last = None;
    if args.settle.settle {
        let (value, text, tree) = settle(run, &args.settle, &before).await;
        facts.insert("settle".into(), value);
        lines.extend(text);
        last = tree;
    }
    if args.verify {
        let now = match last {
            Some(tree) => Some(tree),
            None => changed_screen(run, &before).await,
        };
        let evidence = evidence(&before.tree, now.as_deref());
        lines.push(match evidence.get("changedFromBefore") {
            Some(Value::Bool(true)) => "verified: the screen changed".to_owned(),
            Some(Value::Bool(false)) => "verified: the screen did not change".to_owned(),
            _ => "not verified: the screen could not be read".to_owned(),
        });
        facts.insert("evidence".into(), Value::Object(evidence));
    }
    (facts, lines)
}

fn evidence(before: &Tree, now: Option<&Tree>) -> Map<String, Value> {
    let mut evidence = Map::new();
    evidence.insert("digestBefore".into(), digest::digest(before).to_string().into());
    if let Some(now) = now {
        let seen = digest::digest(now);
        evidence.insert("digest".into(), seen.to_string().into());
        evidence.insert("nodeCount".into(), seen.nodes.into());
        evidence.insert("interactiveNodeCount".into(), seen.interactive.into());
        if let Some(app) = &now.app {
            evidence.insert("foregroundApp".into(), app.as_str().into());
        }
        evidence.insert("changedFromBefore".into(), (!digest::same_screen(before, now)).into());
    }
    evidence
}

/// The first screen that differs from the one before, or the last one that was seen.
async fn changed_screen(run: &mut Run<'_>, before: &Before) -> Option<Arc<Tree>> {
    let schedule = Schedule {
        interval: VERIFY_INTERVAL,
        budget: VERIFY_BUDGET,
        min_polls: 1,
        budget_from: BudgetFrom::Start,
        deadline: run.context.deadline,
    };
    let (device, context) = (run.session.device.clone(), run.context.clone());
    let mut seen = None;
    let observation = observe_until(
        schedule,
        &run.context.cancel,
        || async { seen_or_final(device.capture(&context, MAX_NODES).await) },
        |look| {
            let tree = match look {
                Ok(tree) => tree,
                Err(failure) => return Verdict::Stop(failure),
            };
            let same = digest::same_screen(&before.tree, &tree);
            seen = Some(tree);
            if same { Verdict::Continue } else { Verdict::Done(()) }
        },
    )
    .await;
    run.note_polls(&observation);
    seen.map(|tree| run.session.keep(tree))
}

/// Waits until two looks in a row that span the quiet time are equal.
async fn settle(run: &mut Run<'_>, args: &SettleArgs, before: &Before) -> (Value, Vec<String>, Option<Arc<Tree>>) {
    let quiet = args.settle_quiet_ms.unwrap_or(SETTLE_QUIET_MS);
    let limit = args.settle_timeout_ms.unwrap_or(SETTLE_TIMEOUT_MS);
    let (settled, last) = quiet_screen(run, quiet, limit).await;
    if let Some(dialog) = settled.dialog {
        let value = json!({
            "settled": false,
            "waitedMs": settled.waited_ms,
            "captures": settled.looks,
            "quietMs": quiet,
            "timeoutMs": limit,
            "dialog": dialog,
            "hint": "a dialog is open, answer it first: agent-device alert accept (or dismiss)",
        });
        let line = format!(
            "not settled: a dialog opened after {} ms: {dialog:?}; answer it: agent-device alert accept (or dismiss)",
            settled.waited_ms
        );
        return (value, vec![line], last);
    }
    let mut value = json!({
        "settled": settled.done,
        "waitedMs": settled.waited_ms,
        "captures": settled.looks,
        "quietMs": quiet,
        "timeoutMs": limit,
    });
    let Some(tree) = last else {
        value["hint"] = "the screen could not be read after the action: agent-device snapshot".into();
        return (value, vec!["not settled: the screen could not be read".to_owned()], None);
    };
    let Ok(listing) = list(run, &tree) else { return (value, Vec::new(), Some(tree)) };
    let generation = listing.generation();
    let difference = diff::diff(&before.listing, &listing);
    let mut lines = vec![match settled.done {
        true => format!("settled after {} ms: {}", settled.waited_ms, difference.summary()),
        false => format!("still changing after {} ms: {}", settled.waited_ms, difference.summary()),
    }];
    let news = difference.news();
    let changed = &news.lines;
    lines.extend(changed.iter().take(DIFF_LINES).map(|line| {
        let sign = if line.kind == screen::LineKind::Added { '+' } else { '-' };
        format!("{sign} {}", if sign == '+' { line.pinned(generation) } else { line.text.clone() })
    }));
    if changed.len() > DIFF_LINES {
        lines.push(format!("... {} more changed lines: agent-device diff snapshot", changed.len() - DIFF_LINES));
    }
    lines.extend(news.about_covers());
    value["diff"] = json!({
        "summary": {"additions": difference.additions, "removals": difference.removals, "unchanged": difference.unchanged},
        "lines": lines.iter().skip(1).collect::<Vec<_>>(),
        "truncated": changed.len() > DIFF_LINES,
    });
    value["refsGeneration"] = generation.into();
    if !settled.done {
        value["hint"] = "something keeps changing: wait for what you need instead, agent-device wait <selector>".into();
    }
    (value, lines, Some(tree))
}

/// How a wait for a quiet screen went.
#[derive(Debug, Clone)]
pub struct Settled {
    /// It came to rest.
    pub done: bool,
    /// From the call to the end, ms.
    pub waited_ms: u64,
    /// Looks made.
    pub looks: usize,
    /// A dialog blocks the screen; its text. It stays until somebody answers it, so nothing was waited for.
    pub dialog: Option<String>,
}

/// The text of the dialog that a look failed at.
fn dialog_of(failure: &Failure) -> Option<String> {
    (failure.code == Code::AlertOpen)
        .then(|| failure.details.get("alertText").and_then(Value::as_str).unwrap_or_default().to_owned())
}

/// Waits for a screen that does not change for `quiet_ms`, `limit_ms` at most. Also the wait of `wait stable`.
pub async fn quiet_screen(run: &mut Run<'_>, quiet_ms: u64, limit_ms: u64) -> (Settled, Option<Arc<Tree>>) {
    let quiet = Duration::from_millis(quiet_ms);
    let schedule = Schedule {
        // A quiet time of a few ms needs no look every 25 ms, a long one no look oftener than every 300 ms.
        interval: Duration::from_millis(quiet_ms.clamp(25, 300)),
        budget: Duration::from_millis(limit_ms),
        min_polls: 2,
        budget_from: BudgetFrom::Start,
        deadline: run.context.deadline,
    };
    let (device, context) = (run.session.device.clone(), run.context.clone());
    let mut last: Option<(Tree, Instant)> = None;
    let observation = observe_until(
        schedule,
        &run.context.cancel,
        || async {
            let asked = Instant::now();
            seen_or_final(device.capture(&context, MAX_NODES).await.map(|tree| (tree, asked)))
        },
        |look| match (look, &last) {
            (Err(failure), _) => Verdict::Stop(failure),
            (Ok((tree, asked)), Some((before, since))) if digest::same_screen(before, &tree) => {
                if asked.duration_since(*since) >= quiet { Verdict::Done(()) } else { Verdict::Continue }
            }
            (Ok((tree, asked)), _) => {
                last = Some((tree, asked));
                Verdict::Continue
            }
        },
    )
    .await;
    run.note_polls(&observation);
    let settled = Settled {
        done: matches!(observation.end, End::Done(())),
        waited_ms: observation.waited_ms,
        looks: observation.polls.len(),
        dialog: match &observation.end {
            End::Stopped(failure) => dialog_of(failure),
            _ => None,
        },
    };
    (settled, last.map(|(tree, _)| run.session.keep(tree)))
}
