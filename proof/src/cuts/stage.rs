//! The simulated device: every message of every operation struck by every kind of fault, both endings of a lost reply among
//! them, and the questions to the device's journal too.
//!
//! A channel has no bytes: a message arrives or does not, so its occurrences stand for the places of a cut. Everything is in
//! this process, so time is paused: a limit passes at once, exactly, however busy the machine is.
//!
//! | module | answers |
//! | --- | --- |
//! | here | the campaign: operations over workers, each with a daemon of its own |
//! | [`operations`] | which operations there are, and what counts them |
//! | [`faults`] | which faults the messages of an operation get |
//! | [`trial`] | one operation under one fault |

pub mod faults;
pub mod operations;
pub mod trial;

use std::{collections::VecDeque, sync::Mutex, time::Instant};

use cut::{Figures, Tally, Trial};

use super::{Draw, Found, Plan, Share};
use crate::world::World;
use faults::Injected;
use operations::{OPERATIONS, Operation};
use trial::Clean;

/// Daemons at once, each on a thread of its own: what two cores carry.
const WORKERS: usize = 2;
/// Trials of one daemon, which remembers the insides of the last 256 apps.
const CHUNK: usize = 50;
/// Trials between two lines for a person.
const PROGRESS: usize = 500;

/// Runs the campaign.
pub async fn run(plan: &Plan) -> Found {
    let began = Instant::now();
    let (trials, objections) = campaign(plan, |_| true);
    let mut tally = Tally::default();
    trials.iter().for_each(|trial| tally.add(trial));
    let broken = [tally.broken(), &objections].concat();
    let figures = Figures {
        part: "Stage: the simulated device".to_owned(),
        faults: "every message of every operation to the device, reads and the questions to its journal included, refused, slow or \
                 answered late around the limit, lost before and after its effect, lost with a restart of the device, answered \
                 with an empty screen, or by a panic of the caller; a channel has no bytes: occurrences stand for them"
            .to_owned(),
        real: "real: the daemon behind its socket, the stage backend, the device's task, which counts; a double: the device \
               itself, which is simulated"
            .to_owned(),
        command: plan.share.command("stage"),
        sampled: match plan.share {
            Share::Every { .. } => None,
            Share::Some { places, seed } => Some(format!("seed {seed}; {places} faults of each operation")),
        },
        seconds: began.elapsed().as_secs(),
        lines: tally.lines(),
    };
    Found { figures, broken }
}

/// Every operation under the faults of the plan that are `meant`: the trials, and what else was wrong with any failure seen.
pub fn campaign(plan: &Plan, meant: fn(&Injected) -> bool) -> (Vec<Trial>, Vec<String>) {
    quiet_panics();
    let queue = in_paused_time(|| queue(plan, meant));
    let all: usize = queue.iter().map(|chunk| chunk.faults.len()).sum();
    (plan.progress)(&format!("{all} faults"));
    let work = Work { plan, queue: Mutex::new(queue), trials: Mutex::default(), objections: Mutex::default() };
    std::thread::scope(|threads| {
        for _ in 0..WORKERS {
            threads.spawn(|| in_paused_time(|| worker(&work)));
        }
    });
    (work.trials.into_inner().unwrap(), work.objections.into_inner().unwrap())
}

/// Runs something on a thread whose clock goes on only when everything there waits for it.
fn in_paused_time<T: Send, F: Future<Output = T>>(what: impl FnOnce() -> F + Send) -> T {
    let run = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
        runtime.expect("a runtime").block_on(what())
    };
    std::thread::scope(|threads| threads.spawn(run).join()).unwrap_or_else(|why| std::panic::resume_unwind(why))
}

/// Trials of one operation.
struct Chunk {
    operation: &'static Operation,
    /// What counts it where nothing is wrong.
    asked: u32,
    faults: Vec<Injected>,
}

struct Work<'p> {
    plan: &'p Plan,
    queue: Mutex<VecDeque<Chunk>>,
    trials: Mutex<Vec<Trial>>,
    objections: Mutex<Vec<String>>,
}

/// The faults of each operation, by the messages that it sends where nothing is wrong.
async fn queue(plan: &Plan, meant: fn(&Injected) -> bool) -> VecDeque<Chunk> {
    let wanted = |operation: &&Operation| plan.operation.as_deref().is_none_or(|name| name == operation.name);
    let operations: Vec<&Operation> = OPERATIONS.iter().filter(wanted).collect();
    assert!(!operations.is_empty(), "there is no such operation: {:?}", plan.operation);
    let world = World::start(None).await;
    let mut queue = VecDeque::new();
    for operation in operations {
        let Clean { messages, asked } = trial::clean(&world, operation).await;
        let mut faults: Vec<Injected> = faults::faults(operation, &messages).into_iter().filter(meant).collect();
        if let Share::Some { places, seed } = plan.share {
            let mut draw = Draw::new(seed, operation.name);
            while faults.len() > places.max(2) {
                faults.swap_remove(draw.below(faults.len()));
            }
        }
        queue.extend(faults.chunks(CHUNK).map(|chunk| Chunk { operation, asked, faults: chunk.to_vec() }));
    }
    let objections = world.end().await;
    assert!(objections.is_empty(), "{objections:?}");
    queue
}

async fn worker(work: &Work<'_>) {
    loop {
        let Some(Chunk { operation, asked, faults }) = work.queue.lock().unwrap().pop_front() else { break };
        let world = World::start(None).await;
        for (number, injected) in faults.iter().enumerate() {
            let trial = trial::trial(&world, operation, asked, injected, number).await;
            let mut trials = work.trials.lock().unwrap();
            trials.push(trial);
            if trials.len().is_multiple_of(PROGRESS) {
                (work.plan.progress)(&format!("{} done, at {}", trials.len(), operation.name));
            }
        }
        let objections = world.end().await;
        work.objections.lock().unwrap().extend(objections);
    }
}

/// Panics that a fault asks for say nothing on the terminal; all others do.
fn quiet_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let payload = panic.payload();
            let said = payload.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| payload.downcast_ref::<&str>().copied());
            let asked_for = said.is_some_and(|said| said.ends_with("as a fault of the stage app asks for"));
            if !asked_for {
                loud(panic);
            }
        }));
    });
}
