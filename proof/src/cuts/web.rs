//! The web backend and a browser's driver: every exchange of every operation cut at its bytes, on a page that counts.
//!
//! | module | answers |
//! | --- | --- |
//! | here | the campaign: operations over workers, each with a daemon and a browser of its own |
//! | [`operations`] | which operations there are, how the page is made ready for each, and what counts it |
//! | [`faults`] | which faults an exchange gets |
//! | [`trial`] | one operation under one fault |
//! | [`ground`] | the page in its browser, behind the proxy |

pub mod faults;
pub mod ground;
pub mod operations;
pub mod trial;

use std::{
    collections::{BTreeMap, BTreeSet, HashSet, VecDeque},
    sync::Mutex,
    time::Instant,
};

use cut::{Figures, Tally};

use super::{Found, Plan, Share};
use crate::{browser_driver::BrowserDriver, world::World};
use faults::{FEW, Injected};
use ground::{Ground, Subject};
use operations::{OPERATIONS, Operation};

/// Browsers at once: what two processors carry.
const WORKERS: usize = 2;
/// Trials that a worker takes at once.
const CHUNK: usize = 64;
/// A browser takes so many chunks, a fourth of that where each trial loads pages. Each page that it loads makes the next one
/// slower: 25 ms of the renderer's time at first, 31 ms after 800 pages, with nothing but chromedriver.
const CHUNKS: usize = 4;
/// A line of progress after so many trials.
const PROGRESS: u64 = 500;

/// What is done, by all workers.
struct Work<'p> {
    plan: &'p Plan,
    queue: Mutex<VecDeque<(&'static Operation, Vec<Injected>)>>,
    tally: Mutex<Tally>,
    /// Chunks of each operation that have not ended.
    open: Mutex<BTreeMap<&'static str, usize>>,
    done: Mutex<u64>,
    missed: Mutex<u64>,
    left_behind: Mutex<u32>,
    objections: Mutex<Vec<String>>,
    began: Instant,
    all: u64,
}

/// Runs the campaign on a local chromedriver.
pub async fn run(plan: &Plan) -> Found {
    let subject = async || {
        let driver: Box<dyn Subject> = Box::new(BrowserDriver::start().await);
        driver
    };
    let (tally, notes) = campaign(plan, subject).await;
    let mut broken = tally.broken().to_vec();
    broken.extend(notes.objections);
    let sampled = match plan.share {
        Share::Every { seed } => format!(
            "seed {seed}; FIN and RST in turn, not both at each byte; {FEW} places of each side of an exchange that costs a browser, \
             and of a look whose like was cut at every byte in another operation; sides beyond 4 KiB at 4096 places"
        ),
        Share::Some { places, seed } => format!(
            "seed {seed}; {places} places of each side of an exchange, a quarter of that where each costs a browser, and one of a look \
             whose like was cut in another operation; FIN and RST in turn"
        ),
    };
    let figures = Figures {
        part: "Web: Chromium".to_owned(),
        faults: "every connection between the backend and chromedriver cut after each byte of what was asked and of what was \
                 answered, by FIN or RST; stalled, late, answered twice, two answers in a row lost"
            .to_owned(),
        real: "real: Chromium, chromedriver, the page, which counts; a double: the proxy between".to_owned(),
        command: plan.share.command("web"),
        sampled: Some(sampled),
        seconds: plan.kept.took().as_secs(),
        lines: tally.lines(),
    };
    Found { figures, broken }
}

/// What else a campaign found.
#[derive(Debug, Default)]
pub struct Notes {
    /// Failures seen that did not say what every failure must.
    pub objections: Vec<String>,
    /// Browsers left behind at a driver that is not the daemon's: the reply that named them was lost.
    pub left_behind: u32,
    /// Faults whose exchange did not take place.
    pub missed: u64,
}

/// Every operation under every fault of the plan, on drivers that `subject` starts.
pub async fn campaign(plan: &Plan, subject: impl AsyncFn() -> Box<dyn Subject>) -> (Tally, Notes) {
    let began = Instant::now();
    let mut wanted: Vec<&Operation> = OPERATIONS
        .iter()
        .filter(|operation| plan.operation.as_deref().is_none_or(|name| name == operation.name))
        .collect();
    assert!(!wanted.is_empty(), "there is no such operation: {:?}", plan.operation);
    wanted.sort_by_key(|operation| operation.mobile);
    let queue = queue(plan, &wanted, subject().await).await;
    let all = queue.iter().map(|(_, faults)| faults.len() as u64).sum();
    let mut open = BTreeMap::new();
    queue.iter().for_each(|(operation, _)| *open.entry(operation.name).or_default() += 1);
    let work = Work {
        plan,
        queue: Mutex::new(queue),
        tally: Mutex::new(plan.kept.tally()),
        open: Mutex::new(open),
        done: Mutex::default(),
        missed: Mutex::default(),
        left_behind: Mutex::default(),
        objections: Mutex::default(),
        began,
        all,
    };
    const { assert!(WORKERS == 2) };
    tokio::join!(async { worker(&work, subject().await).await }, async { worker(&work, subject().await).await });
    let notes = Notes {
        objections: work.objections.into_inner().unwrap(),
        left_behind: work.left_behind.into_inner().unwrap(),
        missed: work.missed.into_inner().unwrap(),
    };
    (plan.progress)(&format!(
        "{} faults whose exchange did not take place; {} browsers left behind",
        notes.missed, notes.left_behind
    ));
    (work.tally.into_inner().unwrap(), notes)
}

/// The faults of each operation, by what it says to the driver where nothing is wrong.
async fn queue(
    plan: &Plan,
    wanted: &[&'static Operation],
    subject: Box<dyn Subject>,
) -> VecDeque<(&'static Operation, Vec<Injected>)> {
    let world = World::start(None).await;
    let mut ground = Ground::start(&world, subject).await;
    let (mut queue, mut seen) = (VecDeque::new(), HashSet::new());
    for operation in wanted {
        ground.suit(operation).await;
        // The first run finds a page without the agent: every later one has it.
        for _ in 0..2 {
            let worked = trial::works(&mut ground, operation).await;
            worked.unwrap_or_else(|why| panic!("{}, with nothing wrong on the way: {why}", operation.name));
            if operation.life == operations::Life::Ends {
                ground.reopened().await.unwrap_or_else(|why| panic!("opening again: {why}"));
            }
        }
        let exchanges = ground.spoken(operation).await;
        let faults = faults::faults(operation, &exchanges, plan.share, &mut seen);
        let lengths: Vec<String> = exchanges
            .iter()
            .map(|exchange| format!("{} {}+{}", exchange.label, exchange.request, exchange.reply))
            .collect();
        (plan.progress)(&format!("{}: {} faults; {}", operation.name, faults.len(), lengths.join(", ")));
        if plan.kept.has(operation.name) {
            (plan.progress)(&format!("{}: done in an earlier run", operation.name));
            continue;
        }
        queue.extend(faults.chunks(CHUNK).map(|chunk| (*operation, chunk.to_vec())));
    }
    ground.end().await;
    let objections = world.end().await;
    assert!(objections.is_empty(), "{objections:?}");
    queue
}

async fn worker(work: &Work<'_>, subject: Box<dyn Subject>) {
    let world = World::start(None).await;
    let mut ground = Ground::start(&world, subject).await;
    let mut worn = 0;
    loop {
        let Some((operation, faults)) = work.queue.lock().unwrap().pop_front() else { break };
        if worn >= CHUNKS {
            ground.anew().await;
            worn = 0;
        }
        worn += if operation.loads() { CHUNKS } else { 1 };
        for injected in &faults {
            match trial::trial(&mut ground, operation, injected).await {
                Some(trial) => {
                    let mut tally = work.tally.lock().unwrap();
                    let known = tally.broken().len();
                    tally.add(&trial);
                    tally.broken()[known..].iter().for_each(|broken| (work.plan.progress)(broken));
                }
                None => *work.missed.lock().unwrap() += 1,
            }
            let done = {
                let mut done = work.done.lock().unwrap();
                *done += 1;
                *done
            };
            if done.is_multiple_of(PROGRESS) {
                let rate = done as f64 / work.began.elapsed().as_secs_f64();
                let broken = work.tally.lock().unwrap().broken().len();
                (work.plan.progress)(&format!(
                    "{done} of {}, {rate:.0} a second, {broken} broken promises, at {}",
                    work.all, operation.name
                ));
            }
        }
        work.chunk_ended(operation);
    }
    *work.left_behind.lock().unwrap() += ground.left_behind;
    ground.end().await;
    let objections = world.end().await;
    work.objections.lock().unwrap().extend(objections);
}

impl Work<'_> {
    /// Keeps an operation whose last chunk this was.
    fn chunk_ended(&self, operation: &Operation) {
        let mut open = self.open.lock().unwrap();
        open.entry(operation.name).and_modify(|left| *left -= 1);
        if open.get(operation.name) == Some(&0) {
            let ended: BTreeSet<&str> = open.iter().filter_map(|(name, left)| (*left == 0).then_some(*name)).collect();
            let kept = self.plan.kept.write(&self.tally.lock().unwrap(), &ended);
            kept.unwrap_or_else(|why| (self.plan.progress)(&format!("what is done could not be kept: {why}")));
        }
    }
}
