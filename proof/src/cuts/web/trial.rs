//! One operation under one fault.

use std::time::{Duration, Instant};

use cut::{After, Told as Word, Trial};
use serde_json::Value;

use super::{
    faults::Injected,
    ground::Ground,
    operations::{Count, Life, Operation, Ready},
};
use crate::seen::Told;

/// What an answer may take beyond the request's limit: two browsers and a daemon share the processors of this machine.
const ALLOWANCE: Duration = Duration::from_secs(1);

/// One in so many operations that were done is followed by another one.
const CHECKED: usize = 8;

/// What came of an operation.
type Said = Option<Result<Value, Told>>;

/// Runs one; `None` where the exchange that was to be struck did not take place.
pub async fn trial(ground: &mut Ground<'_>, operation: &Operation, injected: &Injected) -> Option<Trial> {
    ground.suit(operation).await;
    if ground.prepare(operation).await.is_err() {
        ground.anew().await;
        ground.prepare(operation).await.unwrap_or_else(|why| panic!("{}: {why}", operation.name));
    }
    let before = ground.counted(operation).await;
    let struck = ground.proxy.struck();
    let began = Instant::now();
    let said = ground.run(operation, &injected.strikes, injected.limit_ms).await;
    let took = began.elapsed();
    let was_struck = ground.proxy.struck() > struck;
    settle(ground, operation, &said).await;
    let mut landed = ground.counted(operation).await - before;
    // One that was done after all went on over the same session: some of those are tried all the same.
    let went_on =
        matches!(said, Some(Ok(_))) && operation.life == Life::Stays && !injected.words.len().is_multiple_of(CHECKED);
    let (after, late) =
        if went_on { (After::Usable, 0) } else { afterwards(ground, operation, &said, before + landed).await };
    landed += late;
    was_struck.then(|| Trial {
        operation: operation.name.to_owned(),
        fault: injected.words.clone(),
        told: told(&said),
        landed,
        asked: operation.asked,
        after,
        took,
        limit: limit(ground, operation, injected) + ALLOWANCE,
    })
}

/// Runs an operation with nothing wrong on the way: whether it does what it is to do.
///
/// # Errors
/// What it did instead.
pub async fn works(ground: &mut Ground<'_>, operation: &Operation) -> Result<(), String> {
    ground.prepare(operation).await?;
    let before = ground.counted(operation).await;
    let said = ground.run(operation, &[], None).await;
    settle(ground, operation, &said).await;
    let landed = ground.counted(operation).await - before;
    match (&said, operation.works) {
        (Some(Ok(_)), true) if landed == operation.asked => Ok(()),
        (Some(Err(_)), false) if landed == 0 => Ok(()),
        (Some(Err(told)), _) => Err(format!("{landed} of {}: {} ({})", operation.asked, told.message(), told.hint())),
        _ => Err(format!("{landed} of {}: {said:?}", operation.asked)),
    }
}

/// Returns once everything that was sent is over.
async fn settle(ground: &mut Ground<'_>, operation: &Operation, said: &Said) {
    match operation.life {
        Life::Stays => drop(ground.dialog().await),
        Life::Starts => {
            if matches!(said, Some(Ok(_))) {
                // How it ends is another operation's trial.
                let _closed = ground.session_of(operation).run("close").await;
            }
            ground.end_strays().await;
        }
        Life::Ends => ground.ended().await,
    }
}

/// What can be done afterwards, and what came only then of what was sent.
async fn afterwards(ground: &mut Ground<'_>, operation: &Operation, said: &Said, counted: u32) -> (After, u32) {
    if operation.life == Life::Ends {
        return (ground.reopened().await.map_or_else(After::Stuck, |()| After::Usable), 0);
    }
    let mut late = 0;
    let mut stands = ground.prepare(operation).await;
    if stands.is_ok() {
        if counts_nothing_else(operation) {
            late = ground.counted(operation).await - counted;
        }
        stands = works(ground, operation).await;
    }
    let Err(why) = stands else { return (After::Usable, late) };
    // What a caller would do: what the failure says, else look.
    let hint = said.as_ref().and_then(|said| said.as_ref().err()).map(Told::hint).unwrap_or_default();
    if (why.clone() + hint).contains("close, then open again") {
        ground.anew().await;
        return match works(ground, operation).await {
            Ok(()) => (After::Recovered("close, then open again".into()), late),
            Err(again) => (After::Stuck(format!("{why}; opened again: {again}")), late),
        };
    }
    let looked = ground.session_of(operation).run("snapshot").await;
    let again = works(ground, operation).await;
    let after = match (looked, again) {
        (Ok(_), Ok(())) if hint.contains("snapshot") || why.contains("snapshot") => After::Recovered("snapshot".into()),
        (looked, again) => {
            After::Stuck(format!("{why}; a look: {:?}; again: {again:?}", looked.err().map(|told| told.error)))
        }
    };
    if matches!(after, After::Stuck(_)) {
        ground.anew().await;
    }
    (after, late)
}

/// Whether nothing that makes the page ready can be counted as the operation.
fn counts_nothing_else(operation: &Operation) -> bool {
    let by_site = matches!(operation.count, Count::Site(_)) && !operation.count.pages();
    by_site && !operation.ready.iter().any(|step| matches!(step, Ready::Dialog(_)))
}

/// How long an answer may take. Ending a browser has a limit of its own, so that no caller's hurry leaves one behind; an
/// `open` that fails ends the one that it began before it answers.
fn limit(ground: &Ground<'_>, operation: &Operation, injected: &Injected) -> Duration {
    let limit = Duration::from_millis(injected.limit_ms.unwrap_or_else(|| ground.command(operation).timeout_ms()));
    match operation.life {
        Life::Stays => limit,
        Life::Starts => limit + webdriver::provider::END_LIMIT,
        Life::Ends => limit.max(webdriver::provider::END_LIMIT),
    }
}

fn told(said: &Said) -> Word {
    match said {
        None => Word::Nothing,
        Some(Ok(answer)) => match answer.get("resolvedRow").and_then(Value::as_str) {
            Some(row) => Word::Resolved(row.to_owned()),
            None => Word::Done,
        },
        Some(Err(told)) => {
            let row = told.row.clone().unwrap_or_default();
            match told.dispatched.as_str() {
                "no" => Word::No(row),
                "unknown" => Word::Unknown(row, told.steps),
                _ => Word::Malformed(told.error.to_string()),
            }
        }
    }
}
