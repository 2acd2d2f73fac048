//! One operation under one fault: what the caller is told, what the device counted, what can be done afterwards.

use std::time::{Duration, Instant};

use cut::{After, Told, Trial};
use serde_json::Value;
use tokio::time::timeout;

use super::{
    faults::Fault,
    operations::{APP, Operation, Step},
};
use crate::{
    adb_cut::bytes::{Ending, Exchange},
    android::Phone,
    patience::within,
    recorder, seen,
    world::World,
};

/// The limit of a request whose line is cut, ms: far longer than any takes.
const LIMIT_MS: u64 = 12_000;
/// The limit of one whose line is stalled, ms: it is waited for.
const STALLED_MS: u64 = 2_000;
/// How much later than its limit an answer may come: the daemon's own work, on a machine that does other things too.
const ABOVE: Duration = Duration::from_secs(2);
/// Where no answer comes at all.
const NEVER: Duration = Duration::from_secs(20);
/// How long something that was said not to have been sent is looked for.
const LATE: Duration = Duration::from_millis(120);

/// What comes before all trials of an operation.
pub async fn set_up(phone: &Phone<'_>, world: &World, operation: &Operation) {
    steps(phone, world, operation.set_up).await;
}

/// The device as an operation finds it. Whether it is good.
pub async fn tidy(phone: &Phone<'_>, world: &World) -> bool {
    steps(phone, world, &[Step::Shell("settings put system accelerometer_rotation 1")]).await;
    phone.session.run(&format!("open {APP}")).await.is_ok() && phone.session.run("snapshot -i").await.is_ok()
}

/// One run without a fault: what passed.
///
/// # Errors
/// It fails, or the device counts another number than was asked for.
pub async fn clean(phone: &Phone<'_>, world: &World, operation: &Operation) -> Result<Vec<Exchange>, String> {
    steps(phone, world, operation.ready).await;
    let before = (operation.count)(phone);
    phone.proxy.watch(None);
    let answer = phone.session.run(&line(world, operation)).await;
    let watched = phone.proxy.watched();
    let counted = (operation.count)(phone) - before;
    if let Err(told) = answer {
        return Err(format!("{} without a fault: {}", operation.name, told.error));
    }
    if counted != operation.asked {
        return Err(format!("{} without a fault: {counted} of {} on the device", operation.name, operation.asked));
    }
    Ok(watched.exchanges)
}

/// How long a program on the device may run on after whoever started it was cut off.
const RUNS_ON: Duration = Duration::from_secs(10);

/// Waits until no program of an earlier run of the operation is at work any more: what it does is that run's, not the
/// next one's.
async fn quiet(phone: &Phone<'_>, operation: &Operation) {
    let programs: Vec<&str> = operation.programs().collect();
    if programs.is_empty() {
        return;
    }
    // The adb server and adbd take one word after the other: what was handed over before this has been started.
    shell(phone, ":");
    within(RUNS_ON, || !programs.iter().any(|program| phone.device.runs(program))).await;
}

/// One run under a fault; `None` where the fault did not come to it.
pub async fn trial(phone: &Phone<'_>, world: &World, operation: &Operation, fault: &Fault) -> Option<Trial> {
    steps(phone, world, operation.ready).await;
    let count = || (operation.count)(phone);
    quiet(phone, operation).await;
    let before = count();
    let limit_ms = if fault.cut.ending == Ending::Stall { STALLED_MS } else { LIMIT_MS };
    let request = phone.session.within(limit_ms, &line(world, operation));
    phone.proxy.watch(Some(fault.cut.clone()));
    let began = Instant::now();
    let outcome = timeout(NEVER, world.run(&request)).await;
    let took = began.elapsed();
    let struck = phone.proxy.watched().struck;
    let told = outcome.as_ref().map_or(Told::Nothing, told);
    let hint = match &outcome {
        Ok(Err(told)) => told.hint().to_owned(),
        _ => String::new(),
    };
    if matches!(told, Told::No(_)) {
        // What was not sent cannot come later either.
        within(LATE, || count() > before).await;
    }
    quiet(phone, operation).await;
    let at_once = count().saturating_sub(before);
    let (after, again) = afterwards(phone, world, operation, &hint).await;
    // What came late, after the caller was told, is this trial's all the same.
    let landed = if operation.alone && again { count().saturating_sub(before + operation.asked) } else { at_once };
    struck.then(|| Trial {
        operation: operation.name.to_owned(),
        fault: fault.text.clone(),
        told,
        landed: landed.max(at_once),
        asked: operation.asked,
        after,
        took,
        limit: Duration::from_millis(limit_ms) + ABOVE,
    })
}

/// Does it once more without a fault; else opens the app anew and does it then. Whether it was done, once.
async fn afterwards(phone: &Phone<'_>, world: &World, operation: &Operation, hint: &str) -> (After, bool) {
    steps(phone, world, operation.ready).await;
    let again = phone.session.run(&line(world, operation)).await;
    let Err(first) = again else { return (After::Usable, true) };
    let opened = phone.session.run(&format!("open {APP}")).await;
    steps(phone, world, operation.set_up).await;
    steps(phone, world, operation.ready).await;
    match phone.session.run(&line(world, operation)).await {
        Ok(_) if !first.hint().is_empty() => {
            (After::Recovered(format!("{} ({hint})", first.hint())), first.dispatched == "no")
        }
        Ok(_) => (After::Stuck(format!("no hint: {}", first.error)), false),
        Err(second) => (After::Stuck(format!("{} / {:?} / {}", first.error, opened.err(), second.error)), false),
    }
}

fn told(outcome: &Result<Value, seen::Told>) -> Told {
    let row = |told: &seen::Told| told.row.clone().unwrap_or_default();
    match outcome {
        Ok(answer) => match seen::Told::resolved(answer).row {
            Some(row) => Told::Resolved(row),
            None => Told::Done,
        },
        Err(told) => match (recorder::objection(told), told.dispatched.as_str()) {
            (Some(why), _) => Told::Malformed(why),
            (None, "no") => Told::No(row(told)),
            (None, _) => Told::Unknown(row(told), told.steps),
        },
    }
}

/// The line with files that exist.
fn line(world: &World, operation: &Operation) -> String {
    filled(world, operation.line)
}

fn filled(world: &World, line: &str) -> String {
    let own = |name: &str| world.folder().join(name).display().to_string();
    line.replace("{file}", &own("pushed")).replace("{apk}", &own("app.apk")).replace("{film}", &own("film.mp4"))
}

/// Whatever goes wrong here shows in what comes next.
async fn steps(phone: &Phone<'_>, world: &World, steps: &[Step]) {
    for step in steps {
        match step {
            Step::Front => drop(phone.device.open(APP).await),
            Step::Run(line) => drop(phone.session.run(&filled(world, line)).await),
            Step::Shell(line) => shell(phone, line),
        }
    }
}

/// A line in the device's own shell, run to its end.
fn shell(phone: &Phone<'_>, line: &str) {
    // A device that is not well shows in what comes next.
    drop(phone.device.adb().args(["shell", line]).output());
}
