//! Death: the programs around a session killed at random moments during its commands, the daemon among them.
//!
//! | module | answers |
//! | --- | --- |
//! | here | the sessions, who kills when, what is left at the end |
//! | [`seat`] | one session: a command, a death, what the caller is told, how it goes on |
//! | [`victim`] | who is killed |
//! | [`adb`] | the adb server that dies, and the device behind it |

pub mod adb;
pub mod seat;
pub mod victim;

use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, Instant},
};

use cut::{Figures, Tally};
use rustix::process::{Pid, Signal, kill_process};
use tokio::{sync::RwLock, task::JoinSet};
use webdriver::driver::processes;

use self::{
    adb::AdbPhone,
    seat::{Seat, Shared},
    victim::Victim,
};
use super::gauge::Reading;
use crate::{cuts::Draw, patience::within, program::Program};

/// How long what belongs to sessions that were closed may take to go.
const GOING: Duration = Duration::from_secs(15);

/// How much.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Sessions in a browser.
    pub browsers: usize,
    /// A session on the lab's Android device.
    pub android: bool,
    /// Commands under which somebody is killed, in each session.
    pub deaths: u32,
    /// Chooses who dies and when.
    pub seed: u64,
    /// Told now and then how far it is.
    pub progress: fn(&str),
}

/// What was found.
#[derive(Debug)]
pub struct Found {
    /// The figures.
    pub figures: Figures,
    /// Every broken promise, one sentence each.
    pub broken: Vec<String>,
}

/// Kills, and counts.
///
/// # Panics
/// Where a part that is needed is missing.
pub async fn run(plan: &Plan) -> Found {
    let began = Instant::now();
    let mut program = Program::new();
    let phone = if plan.android { Some(AdbPhone::start(&mut program).await) } else { None };
    let pid = program.daemon_started().await.as_raw_nonzero().get();
    let fresh = Reading::of(pid, program.state().path());
    let shared = Arc::new(Shared { program, calm: RwLock::new(()), progress: plan.progress });
    let mut seats = Vec::new();
    for number in 0..plan.browsers {
        seats.push(Seat::in_browser(&shared, number).await);
    }
    seats.extend(phone.map(|phone| Seat::on_phone(&shared, phone)));
    let (mut running, deaths) = (JoinSet::new(), plan.deaths);
    for seat in seats {
        let draw = Draw::new(plan.seed, &seat.name);
        running.spawn(seat.lives(deaths, draw));
    }
    let (mut tally, mut broken, mut phones) = (Tally::default(), Vec::new(), Vec::new());
    while let Some(ended) = running.join_next().await {
        match ended {
            Ok((trials, phone)) => {
                trials.iter().for_each(|trial| tally.add(trial));
                phones.extend(phone);
            }
            Err(why) => broken.push(format!("a session's client broke off: {why}")),
        }
    }
    broken.extend(tally.broken().iter().cloned());
    let program = Arc::into_inner(shared).expect("every session has ended").program;
    broken.extend(left_over(program, fresh).await);
    drop(phones);
    let figures = Figures {
        part: "Death of a part".to_owned(),
        faults: format!(
            "kill -9 of a browser's process, its driver, the helper on the device, the adb server, the daemon, at a random moment of a command, {} times in each of {} sessions at once",
            plan.deaths,
            plan.browsers + usize::from(plan.android)
        ),
        real: "The real program and its daemon, Chromium and chromedriver, adb server, adbd and the Android Runtime; Android's framework is a double.".to_owned(),
        command: format!("cargo run --release -p proof -- soak --kill --deaths {} --seed {}", plan.deaths, plan.seed),
        sampled: Some(format!("moments and victims drawn with seed {}", plan.seed)),
        seconds: began.elapsed().as_secs(),
        lines: tally.lines(),
    };
    Found { figures, broken }
}

/// What is there after the end that must not be.
async fn left_over(program: Program, fresh: Reading) -> Vec<String> {
    let mut broken = Vec::new();
    program.does(&["close", "--all"]).await;
    let pid = program.daemon().await;
    let now = || Reading::of(pid.as_raw_nonzero().get(), program.state().path());
    let own = |process: &processes::Process| !victim::is_adb(process.pid);
    let of_sessions = || processes::naming(program.state().path()).into_iter().filter(own).count();
    // The daemon itself is one.
    if !within(GOING, || of_sessions() == 1).await {
        broken.push(format!("orphans: {:?}", victim::described(program.state().path())));
    }
    if !within(GOING, || now().descriptors <= fresh.descriptors && now().threads <= fresh.threads + 1).await {
        broken.push(format!("not as fresh when all sessions are closed: {:?}, fresh {fresh:?}", now()));
    }
    broken.extend(program.recorder.objections().into_iter().collect::<BTreeSet<_>>());
    let folder = program.folder().to_owned();
    program.does(&["daemon", "stop"]).await;
    if !within(GOING, || processes::naming(&folder).into_iter().filter(own).count() == 0).await {
        broken.push(format!("left after the daemon's end: {:?}", victim::described(&folder)));
    }
    // An adb server is nobody's child: it stays when whoever started it ends, and this one is ours to end.
    for server in processes::naming(&folder) {
        Victim::end(server.pid);
    }
    broken
}

/// Ends a process without a chance to say goodbye. Gone already is as good.
pub fn kill(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _gone = kill_process(pid, Signal::KILL);
    }
}
