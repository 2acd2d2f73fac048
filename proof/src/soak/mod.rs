//! Load and leak: what a daemon costs that runs for days.
//!
//! | module | answers |
//! | --- | --- |
//! | [`load`] | many sessions at once, many commands |
//! | [`churn`] | sessions opened and closed over and over |
//! | [`deaths`] | programs around a session killed in the middle of its commands |
//! | [`gauge`] | what a process holds at one moment |
//! | [`flat`] | whether a series of readings still grows |

pub mod churn;
pub mod deaths;
pub mod flat;
pub mod gauge;
pub mod load;

use std::time::{Duration, Instant};

use cut::{Measure, Measures};

use self::{
    flat::{GROWTH_KIB, kib, level, memory, steady},
    gauge::Reading,
};
use crate::{patience::within, program::Program};

/// How long a daemon may take to notice that a client is gone.
const NOTICE: Duration = Duration::from_secs(5);

/// The app of the load.
pub const APP: &str = include_str!("../../assets/soak.toml");

/// How much.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Sessions at once.
    pub sessions: usize,
    /// Commands in all of them.
    pub commands: u64,
    /// How often all sessions are opened and closed.
    pub rounds: usize,
    /// Chooses what is done.
    pub seed: u64,
    /// What memory may grow by under load, KiB: a run that is short ends before the allocator has found its size.
    pub growth_kib: u64,
    /// Told now and then how far it is.
    pub progress: fn(&str),
}

/// What was found.
#[derive(Debug)]
pub struct Found {
    /// The figures.
    pub measures: Measures,
    /// What was not as it must be, one sentence each.
    pub wrong: Vec<String>,
}

impl Found {
    /// Whether everything is as it must be.
    pub fn holds(&self) -> bool {
        self.wrong.is_empty() && self.measures.lines.iter().all(|line| line.holds)
    }
}

/// Runs load and churn against one daemon of the real program.
pub async fn run(plan: &Plan) -> Found {
    let began = Instant::now();
    let program = Program::new();
    std::fs::write(program.folder().join("soak.toml"), APP).expect("the app can be written");
    let pid = program.daemon_started().await.as_raw_nonzero().get();
    let fresh = Reading::of(pid, program.state().path());
    let churned = churn::run(&program, plan.sessions, plan.rounds, plan.progress).await;
    let loaded = load::run(&program, plan.sessions, plan.commands, plan.seed, plan.progress).await;
    let quiet = settled(&program, pid, fresh.descriptors + plan.sessions as u64).await;
    program.does(&["close", "--all"]).await;
    let after = settled(&program, pid, fresh.descriptors).await;
    let mut lines = vec![plain("memory of a fresh daemon", kib(fresh.memory_kib))];
    let open = churned.open.memory_kib.saturating_sub(fresh.memory_kib);
    lines.push(plain(
        "memory of one open session that was looked at and acted in",
        format!("{} KiB", open / plan.sessions.max(1) as u64),
    ));
    let closed = "with all sessions closed again, over the rounds";
    lines.extend(memory(closed, &churned.points, GROWTH_KIB));
    lines.push(steady(&format!("descriptors {closed}"), &churned.points, |reading| reading.descriptors));
    lines.push(steady(&format!("threads {closed}"), &churned.points, |reading| reading.threads));
    lines.push(steady(&format!("files in the state folder {closed}"), &churned.points, |reading| reading.files));
    lines.extend(memory("under load", &loaded.points, plan.growth_kib));
    lines.push(level("descriptors under load", &loaded.points, |reading| reading.descriptors));
    lines.push(level("threads under load", &loaded.points, |reading| reading.threads));
    lines.push(steady("files in the state folder under load", &loaded.points, |reading| reading.files));
    lines.push(plain("commands answered", loaded.commands.to_string()));
    lines.push(plain("refusals among them, all of them asked for", loaded.failed.to_string()));
    lines.push(plain("memory after the load, all sessions closed", kib(after.memory_kib)));
    let own = quiet.descriptors.saturating_sub(fresh.descriptors);
    lines.push(Measure {
        name: "descriptors of the open sessions after the load, all clients gone".to_owned(),
        value: own.to_string(),
        bar: format!("at most {}, one for each session's timeline", plan.sessions),
        holds: own <= plan.sessions as u64,
    });
    lines.push(back("descriptors after the load, all sessions closed", after.descriptors, fresh.descriptors));
    lines.push(back("other processes after the load", after.processes, fresh.processes));
    let mut wrong = [churned.wrong, loaded.wrong].concat();
    wrong.extend(program.recorder.objections());
    program.end().await;
    let measures = Measures {
        part: "Load and leak".to_owned(),
        how: format!(
            "{} sessions of the simulated device opened and closed {} times, then {} commands in {} sessions at once, a client of its own for each; read from /proc.",
            plan.sessions, plan.rounds, plan.commands, plan.sessions
        ),
        real: "The real program as daemon, over its socket; the simulated device.".to_owned(),
        command: "cargo run --release -p proof -- soak".to_owned(),
        seconds: began.elapsed().as_secs(),
        lines,
    };
    Found { measures, wrong }
}

/// A reading once the daemon has noticed that its clients are gone: as soon as it has no more than so many descriptors,
/// or after seconds.
async fn settled(program: &Program, pid: i32, descriptors: u64) -> Reading {
    let now = || Reading::of(pid, program.state().path());
    within(NOTICE, || now().descriptors <= descriptors).await;
    now()
}

fn plain(name: &str, value: String) -> Measure {
    Measure { name: name.to_owned(), value, bar: String::new(), holds: true }
}

fn back(name: &str, value: u64, fresh: u64) -> Measure {
    Measure {
        name: name.to_owned(),
        value: value.to_string(),
        bar: format!("at most {fresh}, as when it was fresh"),
        holds: value <= fresh,
    }
}
