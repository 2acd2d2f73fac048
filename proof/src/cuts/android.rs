//! The Android backend and the adb server: every exchange of every operation cut at its bytes, on the lab's device.
//!
//! | module | answers |
//! | --- | --- |
//! | here | the campaign: operations over workers, each with a device of its own |
//! | [`operations`] | which operations there are, how each is made ready and counted on the device |
//! | [`faults`] | which faults an exchange gets |
//! | [`trials`] | one operation under one fault |

pub mod faults;
pub mod operations;
pub mod trials;

use std::{
    collections::{BTreeSet, VecDeque},
    path::PathBuf,
    sync::Mutex,
    time::Instant,
};

use android_lab::Options;
use cut::{Figures, Line, Tally};

use super::{Found, Plan, Share, WHOLE};
use crate::{android::Phone, world::World};
use faults::Fault;
use operations::{APP, BEYOND, Operation, PACKAGE};

/// What all workers share.
struct Work<'p> {
    plan: &'p Plan,
    queue: Mutex<VecDeque<&'p Operation>>,
    tally: Mutex<Tally>,
    ended: Mutex<BTreeSet<&'static str>>,
    failed: Mutex<Vec<String>>,
}

/// Devices at once: what two cores carry.
const WORKERS: usize = 2;

/// Which places of a side of an exchange are cut.
#[derive(Debug, Clone, Copy)]
pub struct Thrift {
    /// Of an exchange that changes something.
    pub changing: Share,
    /// Of one that only looks.
    pub looking: Share,
    /// Of a side of more than [`WHOLE`] bytes, at most.
    pub beyond: Share,
    /// By FIN and by RST, or by one of them in turn.
    pub both: bool,
}

impl Thrift {
    /// The places of a side of `length` bytes.
    pub fn places(self, changes: bool, length: usize, salt: &str) -> Vec<usize> {
        let share = if changes { self.changing } else { self.looking };
        let whole = matches!(share, Share::Every { .. }) && length > WHOLE;
        (if whole { self.beyond } else { share }).places(length, salt)
    }
}

/// A line of progress after so many faults.
const PROGRESS: usize = 250;
/// Places of each side of an exchange that only looks.
const LOOKING: usize = 24;
/// The same where only a share is tried.
const LEAST: usize = 2;

/// Runs the campaign.
pub async fn run(plan: &Plan) -> Found {
    let wanted = |operation: &&Operation| plan.operation.as_deref().is_none_or(|name| name == operation.name);
    over(plan, operations::OPERATIONS.iter().filter(wanted).collect()).await
}

/// Runs it over these operations.
///
/// # Panics
/// Where there are none.
pub async fn over(plan: &Plan, operations: Vec<&Operation>) -> Found {
    assert!(!operations.is_empty(), "there is no such operation: {:?}", plan.operation);
    let queue: VecDeque<&Operation> =
        operations.into_iter().filter(|operation| !plan.kept.has(operation.name)).collect();
    let workers = queue.len().min(WORKERS);
    let work = Work {
        plan,
        queue: Mutex::new(queue),
        tally: Mutex::new(plan.kept.tally()),
        ended: Mutex::default(),
        failed: Mutex::default(),
    };
    match workers {
        0 => {}
        WORKERS => drop(tokio::join!(worker(&work), worker(&work))),
        _ => worker(&work).await,
    }
    let tally = work.tally.into_inner().unwrap();
    let mut broken = tally.broken().to_vec();
    broken.extend(work.failed.into_inner().unwrap());
    let lines: Vec<Line> = tally.lines();
    let figures = Figures {
        part: "Android: adb and the helper".to_owned(),
        faults: "every connection between the backend and the adb server cut after each byte of what was asked and of what was \
                 answered, by FIN and by RST; stalled, delayed, answered twice, answered with an earlier answer"
            .to_owned(),
        real: "real: adb server, adbd, the Android Runtime with the helper's APK; a double: the framework's classes and the \
               system's programs, which count what was done"
            .to_owned(),
        command: plan.share.command("android"),
        sampled: Some(sampled(plan.share)),
        seconds: plan.kept.took().as_secs(),
        lines,
    };
    Found { figures, broken }
}

/// Where not every place was tried.
fn sampled(share: Share) -> String {
    let seed = share.seed();
    let named = |which: fn(&Operation) -> bool| {
        let named: Vec<_> =
            operations::OPERATIONS.iter().filter(|operation| which(operation)).map(|one| one.name).collect();
        named.join(", ")
    };
    match share {
        Share::Every { .. } => format!(
            "seed {seed}; exchanges that change something at every byte, by FIN and by RST, in these operations by one or the \
             other in turn: {}; an exchange that only looks at every byte in these: {}; at {LOOKING} places of each side in the \
             others; a side of more than 4 KiB at {} places, in install and reinstall at {}",
            named(|operation| operation.slow),
            named(|operation| operation.looks),
            BEYOND,
            PACKAGE
        ),
        Share::Some { places, .. } => format!(
            "seed {seed}; {places} bytes of each side of an exchange that changes something, {LEAST} of one that only looks, by FIN or by RST in turn"
        ),
    }
}

async fn worker(work: &Work<'_>) {
    let world = World::start(None).await;
    let mut phone = fresh(&world).await;
    loop {
        let next = work.queue.lock().unwrap().pop_front();
        let Some(operation) = next else { break };
        if !operation_under_faults(work, &world, &mut phone, operation).await {
            drop(phone);
            phone = fresh(&world).await;
        }
    }
    drop(phone);
    // What was wrong with a failure stands in its trial already.
    drop(world.end().await);
}

/// A device with the app open and the helper running.
pub async fn fresh(world: &World) -> Phone<'_> {
    let app = world.folder().join("cuts.toml");
    std::fs::write(&app, include_str!("android/app.toml")).expect("the app can be written");
    std::fs::write(world.folder().join("pushed"), operations::PUSHED).expect("a file");
    std::fs::copy(package(), world.folder().join("app.apk")).expect("the helper was built");
    let options = Options::app(APP, &app.display().to_string()).and("com.example.demo", "demo");
    let phone = Phone::with(world, options).await;
    // The session may still hold the device before.
    drop(phone.session.run("close").await);
    phone.session.does(&format!("open {APP}")).await;
    phone.session.does("snapshot -i").await;
    phone
}

/// A package that lies at hand: the helper's.
fn package() -> PathBuf {
    let files =
        std::fs::read_dir(crate::workspace().join("on-device/android-helper/dist")).expect("the helper was built");
    let packages = files.flatten().map(|entry| entry.path());
    let mut packages: Vec<_> =
        packages.filter(|path| path.extension().is_some_and(|extension| extension == "apk")).collect();
    packages.sort();
    packages.pop().expect("a package")
}

/// Every fault of one operation. Whether the device is still good.
async fn operation_under_faults<'w>(
    work: &Work<'_>,
    world: &'w World,
    phone: &mut Phone<'w>,
    operation: &Operation,
) -> bool {
    let Work { plan, tally, .. } = work;
    let began = Instant::now();
    trials::set_up(phone, world, operation).await;
    // The first run is another than the following ones: something is remembered.
    drop(trials::clean(phone, world, operation).await);
    let mut clean = trials::clean(phone, world, operation).await;
    if clean.is_err() {
        // What an earlier operation left behind is not this one's.
        *phone = fresh(world).await;
        trials::set_up(phone, world, operation).await;
        drop(trials::clean(phone, world, operation).await);
        clean = trials::clean(phone, world, operation).await;
    }
    let clean = match clean {
        Ok(clean) => clean,
        Err(why) => {
            (plan.progress)(&format!("BROKEN {why}"));
            work.failed.lock().unwrap().push(why);
            return false;
        }
    };
    for (number, exchange) in (1..).zip(&clean) {
        let what: String = exchange.what().chars().take(100).collect();
        (plan.progress)(&format!(
            "  {} {number}: {} bytes, {} back: {what}",
            operation.name, exchange.request.length, exchange.reply.length
        ));
    }
    let thrift = thrift(plan.share, operation);
    let all: Vec<Fault> = faults::of(&clean, operation, thrift);
    let (mut struck, mut missed) = (0, 0);
    for (tried, fault) in (1..).zip(&all) {
        if tried % PROGRESS == 0 {
            (plan.progress)(&format!("  {}: {tried} of {} faults", operation.name, all.len()));
        }
        match trials::trial(phone, world, operation, fault).await {
            Some(trial) => {
                struck += 1;
                let good = !matches!(trial.after, cut::After::Stuck(_)) && trial.told != cut::Told::Nothing;
                let before = tally.lock().unwrap().broken().len();
                tally.lock().unwrap().add(&trial);
                let broken = tally.lock().unwrap().broken()[before..].to_vec();
                broken.iter().for_each(|sentence| (plan.progress)(&format!("BROKEN {sentence}")));
                if !good {
                    *phone = fresh(world).await;
                    trials::set_up(phone, world, operation).await;
                }
            }
            None => missed += 1,
        }
    }
    let took = began.elapsed().as_secs_f64();
    (plan.progress)(&format!(
        "{}: {} exchanges, {struck} faults in {took:.1} s ({:.1}/s), {missed} came too late",
        operation.name,
        clean.len(),
        f64::from(struck) / took
    ));
    {
        let mut ended = work.ended.lock().unwrap();
        ended.insert(operation.name);
        let kept = plan.kept.write(&tally.lock().unwrap(), &ended);
        kept.unwrap_or_else(|why| (plan.progress)(&format!("what is done could not be kept: {why}")));
    }
    trials::tidy(phone, world).await
}

fn thrift(share: Share, operation: &Operation) -> Thrift {
    let seed = share.seed();
    let some = |places| Share::Some { places, seed };
    match share {
        Share::Every { .. } => Thrift {
            changing: share,
            looking: if operation.looks { share } else { some(LOOKING) },
            beyond: some(operation.beyond),
            both: !operation.slow,
        },
        Share::Some { .. } => Thrift { changing: share, looking: some(LEAST), beyond: share, both: false },
    }
}
