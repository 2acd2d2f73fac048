//! A run from its start to its end.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
    time::Duration,
};

use cut::Trial;
use tokio::{
    runtime::{Builder, Handle},
    sync::Mutex as Turn,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

use crate::{
    books::Books, client::Client, device::Watch, draw::Draw, ending, lie::Lie, life::Life, line::Line, model,
    model::Finding, plan::Plan,
};

/// How a run is looked at.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Keep every line of the trace.
    pub trace: bool,
    /// What the devices do behind the model's back.
    pub lie: Option<Lie>,
}

/// What a run came to.
#[derive(Debug)]
pub struct Outcome {
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// One per request that was written, and one per session that was tried afterwards.
    pub trials: Vec<Trial>,
    /// The same for every run of the same plan.
    pub hash: u64,
    /// What happened, in order, if it was kept.
    pub trace: Vec<String>,
    /// How long it took by its own clock.
    pub virtual_time: Duration,
}

/// What clients, devices and model share.
pub struct World {
    /// What was asked, told, done.
    pub books: Books,
    /// When the run started.
    pub started: Instant,
    folder: PathBuf,
    watch: Watch,
    life: Mutex<Life>,
    number: AtomicU32,
    past: Mutex<Vec<Life>>,
    released: CancellationToken,
    /// One restart at a time.
    restarting: Turn<()>,
    draw: Mutex<Draw>,
}

/// How long the slowest fault, and whatever waits for it, takes.
const REST: Duration = Duration::from_secs(600);

/// Runs a plan, with its state in a folder that must be empty and is left full.
pub fn run(plan: &Plan, options: Options, folder: &Path) -> Outcome {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    let outcome = runtime.block_on(played(plan, options, folder));
    // What could be left was looked for.
    runtime.shutdown_background();
    outcome
}

async fn played(plan: &Plan, options: Options, folder: &Path) -> Outcome {
    let started = Instant::now();
    let books = Books::new(options.trace);
    let watch = Watch { books: books.clone(), started, seed: plan.seed, lie: options.lie };
    let released = CancellationToken::new();
    let life = Life::start(0, &folder.join("0"), watch.clone(), released.clone());
    let world = Arc::new(World {
        books: books.clone(),
        started,
        folder: folder.to_owned(),
        watch,
        life: Mutex::new(life),
        number: AtomicU32::new(0),
        past: Mutex::default(),
        released,
        restarting: Turn::new(()),
        draw: Mutex::new(Draw::new(plan.seed, 3)),
    });
    let clients: Vec<_> = (0..)
        .zip(plan.clients.clone())
        .map(|(number, steps)| tokio::spawn(Client::new(number, world.clone()).run(steps)))
        .collect();
    for client in clients {
        client.await.expect("a client does not panic");
    }
    let mut trials = ending::end(&world).await;
    let virtual_time = started.elapsed();
    let left = world.over().await;
    trials.extend(model::verdicts(&books, left));
    let mut pages = books.open();
    let (hash, trace) = pages.traced();
    Outcome { findings: std::mem::take(&mut pages.findings), trials, hash, trace, virtual_time }
}

impl World {
    /// The daemon that runs now.
    pub fn life(&self) -> MutexGuard<'_, Life> {
        self.life.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its number.
    pub fn life_number(&self) -> u32 {
        self.number.load(SeqCst)
    }

    /// The number of the daemon that calls itself so.
    pub fn number_of(instance: &str) -> u32 {
        instance.rsplit('-').next().and_then(|number| number.parse().ok()).expect("a daemon of ours")
    }

    /// Whether a daemon still runs.
    pub fn lives(&self, number: u32) -> bool {
        number == self.life_number() && !self.life().killed.is_cancelled()
    }

    /// Its state folder.
    pub fn state(&self) -> PathBuf {
        self.folder.join(self.life_number().to_string())
    }

    /// A connection to it, greeted, and its identity.
    pub async fn connect(&self) -> (Line, String) {
        loop {
            let buffer = {
                let mut draw = self.draw.lock().unwrap_or_else(PoisonError::into_inner);
                draw.one(&[64usize, 512, 8 << 10, 64 << 10])
            };
            let stream = self.life().connect(buffer);
            if let Some(greeted) = Line::greet(stream, Instant::now() + REST).await {
                return greeted;
            }
            // It was killed a moment ago: the next one starts within a millisecond.
            sleep(Duration::from_millis(1)).await;
        }
    }

    /// Kills the daemon and starts another over the same state.
    pub async fn restart(&self) {
        let _one_at_a_time = self.restarting.lock().await;
        self.life().kill();
        // What could still run comes to rest; what it writes from here on goes where no daemon looks any more.
        sleep(Duration::from_millis(1)).await;
        let (before, number) = (self.state(), self.life_number() + 1);
        let after = self.folder.join(number.to_string());
        copy(&before, &after).expect("the state can be copied");
        let next = Life::start(number, &after, self.watch.clone(), self.released.clone());
        let last = std::mem::replace(&mut *self.life(), next);
        self.number.store(number, SeqCst);
        self.past.lock().unwrap_or_else(PoisonError::into_inner).push(last);
        self.books.trace(self.started, format_args!("the daemon was killed; daemon {number} runs"));
    }

    /// Ends everything; how many tasks are left that should not be.
    async fn over(&self) -> usize {
        self.released.cancel();
        let mut lives = std::mem::take(&mut *self.past.lock().unwrap_or_else(PoisonError::into_inner));
        for life in &mut lives {
            life.drained().await;
        }
        drop(lives);
        self.life().router.stop.cancel();
        // Idle connections end by themselves then, and late replies come.
        sleep(REST).await;
        Handle::current().metrics().num_alive_tasks()
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy(&from, &to)?;
        } else {
            std::fs::copy(from, to)?;
        }
    }
    Ok(())
}
