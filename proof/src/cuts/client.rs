//! Between a client and the daemon: greeting, command, and the question for a lost reply, cut, garbled, stalled, doubled
//! at every byte; the daemon killed, replaced, stopped at every byte.
//!
//! | module | answers |
//! | --- | --- |
//! | here | the campaign: operations over workers |
//! | [`blows`] | what is done to the exchanges |
//! | [`house`] | a daemon of this process that can die and come back, behind the proxy |
//! | [`trial`] | one command under one fault, asked by the client library (on a new connection or a kept one) or by the program |

pub mod blows;
pub mod house;
pub mod trial;

use std::{
    collections::{BTreeSet, VecDeque},
    sync::Mutex,
    time::Instant,
};

use cut::{Figures, Tally};

use super::{
    Draw, Found, Plan, Share,
    stage::operations::{OPERATIONS, Operation},
};
use crate::recorder::Recorder;
use blows::Blow;
use trial::{Caller, Clean, Ground};

/// Daemons at once: most of the time is waiting for limits to pass.
const WORKERS: usize = 48;
/// Trials of one daemon, which remembers the insides of the last 256 apps.
const CHUNK: usize = 50;
/// Trials of each operation that the real program asks for, where every byte is tried.
const BY_PROGRAM: usize = 40;
/// And of a share.
const SHARE_BY_PROGRAM: usize = 1;
/// Trials of each operation on a connection that has carried a request before, where every byte is tried.
const ON_KEPT: usize = 200;
/// And of a share.
const SHARE_ON_KEPT: usize = 4;
/// Trials between two lines for a person.
const PROGRESS: u64 = 2000;

/// Runs the campaign.
pub async fn run(plan: &Plan) -> Found {
    let began = Instant::now();
    let recorder = Recorder::default();
    let tally = campaign(plan, &recorder, |_| true).await;
    let objections: BTreeSet<String> = recorder.objections().into_iter().collect();
    let broken = tally.broken().iter().cloned().chain(objections).collect();
    let figures = Figures {
        part: "Client and daemon".to_owned(),
        faults: "the greeting, the command and the question for a lost reply, over the Unix socket: each side cut at every byte \
                 (closed, or reset), one bit of every byte flipped (where that makes no other \
                 sound request), stalled, doubled, answered with an earlier reply; the daemon \
                 killed, killed and replaced, told to stop at every byte"
            .to_owned(),
        real: format!(
            "real: client library, socket, daemon, stage backend; {BY_PROGRAM} faults of each operation asked for by the real program, \
             {ON_KEPT} on a connection that had carried a request before; a double: \
             the device, which is simulated and counts; a daemon that is killed is one in the process of the test, whose device lives on"
        ),
        command: plan.share.command("client"),
        sampled: match plan.share {
            Share::Every { seed } => Some(format!(
                "the command itself at every byte; greetings and the question for a lost reply, which are alike for all operations, \
                 at every byte with {}, at {} places of each side with the others (seed {seed})",
                blows::EVERYWHERE.join(", "),
                blows::ALIKE
            )),
            Share::Some { places, seed } => Some(format!("seed {seed}; {places} places of each side, and a part of their faults")),
        },
        seconds: began.elapsed().as_secs(),
        lines: tally.lines(),
    };
    Found { figures, broken }
}

/// Every operation under those faults of the plan that are wanted.
pub async fn campaign(plan: &Plan, recorder: &Recorder, wanted: fn(&Blow) -> bool) -> Tally {
    let queue = queue(plan, recorder, wanted).await;
    let all: usize = queue.iter().map(|chunk| chunk.blows.len()).sum();
    (plan.progress)(&format!("{all} faults"));
    let work = Work { plan, recorder, queue: Mutex::new(queue), tally: Mutex::default(), done: Mutex::default() };
    futures_util::future::join_all((0..WORKERS).map(|_| worker(&work))).await;
    work.tally.into_inner().unwrap()
}

/// Trials of one operation by one caller.
struct Chunk {
    operation: &'static Operation,
    clean: Clean,
    caller: Caller,
    blows: Vec<Blow>,
}

struct Work<'p> {
    plan: &'p Plan,
    recorder: &'p Recorder,
    queue: Mutex<VecDeque<Chunk>>,
    tally: Mutex<Tally>,
    done: Mutex<u64>,
}

async fn queue(plan: &Plan, recorder: &Recorder, blow: fn(&Blow) -> bool) -> VecDeque<Chunk> {
    let wanted = |operation: &&Operation| plan.operation.as_deref().is_none_or(|name| name == operation.name);
    let operations: Vec<&Operation> = OPERATIONS.iter().filter(wanted).collect();
    assert!(!operations.is_empty(), "there is no such operation: {:?}", plan.operation);
    let mut queue = VecDeque::new();
    for operation in operations {
        let mut ground = Ground::start(operation, Caller::Library, recorder).await;
        let clean = ground.clean().await;
        ground.house.end().await;
        let mut blows = blows::all(&clean.lengths, plan.share, operation.name);
        blows.retain(blow);
        let every = matches!(plan.share, Share::Every { .. });
        let some = |wanted: fn(&Blow) -> bool, most: usize, salt: &str| {
            let mut chosen: Vec<Blow> = blows.iter().filter(|blow| wanted(blow)).cloned().collect();
            let mut draw = Draw::new(plan.share.seed(), &format!("{} {salt}", operation.name));
            while chosen.len() > most {
                chosen.swap_remove(draw.below(chosen.len()));
            }
            chosen
        };
        let chosen = some(Blow::is_for_program, if every { BY_PROGRAM } else { SHARE_BY_PROGRAM }, "by the program");
        let on_kept =
            some(Blow::is_without_greeting, if every { ON_KEPT } else { SHARE_ON_KEPT }, "on a kept connection");
        let mut add = |caller, blows: &[Blow]| {
            for part in blows.chunks(CHUNK) {
                queue.push_back(Chunk { operation, clean: clean.clone(), caller, blows: part.to_vec() });
            }
        };
        add(Caller::Library, &blows);
        add(Caller::Kept, &on_kept);
        let (text, json) = chosen.split_at(chosen.len() / 2);
        add(Caller::Program { json: false }, text);
        add(Caller::Program { json: true }, json);
    }
    queue
}

async fn worker(work: &Work<'_>) {
    loop {
        let Some(Chunk { operation, clean, caller, blows }) = work.queue.lock().unwrap().pop_front() else { break };
        let mut ground = Ground::start(operation, caller, work.recorder).await;
        for blow in &blows {
            let Some(trial) = ground.trial(&clean, blow, caller).await else { continue };
            work.tally.lock().unwrap().add(&trial);
            let mut done = work.done.lock().unwrap();
            *done += 1;
            if done.is_multiple_of(PROGRESS) {
                (work.plan.progress)(&format!("{done} done, at {}", operation.name));
            }
        }
        ground.house.end().await;
    }
}
