//! One operation under one fault: in an app of its own, in a session of its own.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use cut::{After, Told as Word, Trial};
use serde_json::Value;
use stage::{Fault, FaultKind, Operation as Message, Probe};
use tokio::time::{Instant, sleep, timeout};

use super::{
    faults::Injected,
    operations::{APP, Count, Operation},
};
use crate::{
    patience, seen,
    seen::Told,
    world::{Session, World},
};

/// What an answer may take beyond the limit: a paused clock goes on in steps of a millisecond, and a few waits follow each
/// other.
const ALLOWANCE: Duration = Duration::from_millis(5);
/// An answer that takes longer than this beyond the limit is none.
const NEVER: Duration = Duration::from_secs(5);

/// What came of a command; `None` for no answer.
type Said = Option<Result<Value, Told>>;

/// One session, and the files of its app.
struct Ground<'w> {
    world: &'w World,
    session: Session<'w>,
    operation: &'static Operation,
    /// The app as it is.
    clean: PathBuf,
    /// The app with its faults, for operations that start one.
    faulty: PathBuf,
}

impl<'w> Ground<'w> {
    fn new(world: &'w World, operation: &'static Operation, name: &str) -> Self {
        let file = |kind: &str| world.folder().join(format!("{name}-{kind}.toml"));
        let session = world.session(name);
        let ground = Ground { world, session, operation, clean: file("clean"), faulty: file("faulty") };
        std::fs::write(&ground.clean, APP).expect("the app can be written");
        ground
    }

    /// Whether a session has to be open before it.
    fn stands_on_a_session(&self) -> bool {
        self.operation.count != Count::Started || self.operation.line.contains("--relaunch")
    }

    async fn prepare(&self) -> Result<(), String> {
        let run = async |line: &str| {
            self.session.run(line).await.map(drop).map_err(|told| format!("{line}: {:#}", told.error))
        };
        if self.stands_on_a_session() {
            run(&format!("open {}", self.clean.display())).await?;
            // Wherever the run before left it.
            run("home").await?;
        }
        for line in self.operation.ready {
            run(line).await?;
        }
        Ok(())
    }

    /// The operation itself, with an app of this file where it starts one.
    async fn run(&self, app: &Path, limit: Duration) -> Said {
        let line = self.operation.line.replace("{app}", &app.display().to_string());
        let ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        let request = self.session.within(ms, &line);
        timeout(limit + NEVER, self.world.run(&request)).await.ok()
    }

    /// The counts of all apps of this daemon.
    fn counted(&self) -> u32 {
        let each = |probe: &Probe| match self.operation.count {
            Count::Log => u32::try_from(probe.log().len()).unwrap_or(u32::MAX),
            Count::Started => probe.started(),
            Count::Closed => u32::from(probe.closed()),
        };
        self.session.probes().iter().map(each).sum()
    }

    fn arm(&self, injected: &Injected) {
        let faults = std::iter::once(&injected.first).chain(&injected.status);
        if self.stands_on_a_session() {
            faults.clone().for_each(|fault| self.session.arm(fault.clone()));
        }
        let tables: String = faults.map(table).collect();
        std::fs::write(&self.faulty, format!("{APP}{tables}")).expect("the app can be written");
    }

    /// Ends the session, where there is one.
    async fn close(&self) {
        // Where there is none, that is what was wanted.
        drop(self.session.run("close").await);
    }

    /// Returns once the device has done everything that it will do on account of what it was sent.
    async fn rest(&self, injected: &Injected) {
        if self.operation.count == Count::Log {
            // Served when its turn comes: behind whatever was sent before. The app may be gone, and is at rest then.
            drop(self.session.run("snapshot").await);
        } else if injected.first.kind == FaultKind::Delay {
            // Of an app that could not be opened, or is closed, nobody can be asked any more: its time has to pass.
            sleep(Duration::from_millis(injected.first.ms)).await;
        }
    }

    fn disarm(&self) {
        self.session.probes().iter().for_each(|probe| probe.faults().clear());
    }
}

/// A fault as an app's file has it.
fn table(fault: &Fault) -> String {
    let word = |value: Value| value.as_str().unwrap_or_default().to_owned();
    let (on, kind) = (serde_json::to_value(fault.on), serde_json::to_value(fault.kind));
    let (on, kind) = (word(on.expect("a word")), word(kind.expect("a word")));
    let nth = fault.nth.map(|nth| format!("nth = {nth}\n")).unwrap_or_default();
    format!("\n[[fault]]\non = \"{on}\"\nkind = \"{kind}\"\nms = {}\n{nth}", fault.ms)
}

/// What an operation does where nothing is wrong.
#[derive(Debug, Clone)]
pub struct Clean {
    /// The messages that it sends, and how many of each.
    pub messages: Vec<(Message, u32)>,
    /// What counts it then.
    pub asked: u32,
}

/// Runs it with nothing wrong.
pub async fn clean(world: &World, operation: &'static Operation) -> Clean {
    let ground = Ground::new(world, operation, &format!("clean-{}", operation.name.replace([' ', ','], "-")));
    ground.prepare().await.unwrap_or_else(|why| panic!("{}: {why}", operation.name));
    let occurred =
        |message| -> u32 { ground.session.probes().iter().map(|probe| probe.faults().occurred(message)).sum() };
    let before = Message::ALL.map(occurred);
    let counted = ground.counted();
    let said = ground.run(&ground.clean, patience::LIMIT).await;
    assert!(matches!(said, Some(Ok(_))), "{}: {said:?}", operation.name);
    let asked = ground.counted() - counted;
    assert!(asked > 0, "{}: nothing counts it", operation.name);
    let sent = Message::ALL.into_iter().zip(before).map(|(message, before)| (message, occurred(message) - before));
    Clean { messages: sent.filter(|(_, count)| *count > 0).collect(), asked }
}

/// Runs it under faults. `number` tells its session from others of the same daemon.
pub async fn trial(
    world: &World,
    operation: &'static Operation,
    asked: u32,
    injected: &Injected,
    number: usize,
) -> Trial {
    let ground = Ground::new(world, operation, &format!("trial-{number}"));
    ground.prepare().await.unwrap_or_else(|why| panic!("{}: {why}", operation.name));
    ground.arm(injected);
    let before = ground.counted();
    let limit = Duration::from_millis(operation.limit_ms);
    let began = Instant::now();
    let said = ground.run(&ground.faulty, limit).await;
    let took = began.elapsed();
    ground.disarm();
    ground.rest(injected).await;
    let landed = ground.counted() - before;
    let trial = Trial {
        operation: operation.name.to_owned(),
        fault: injected.words(),
        told: said.as_ref().map_or(Word::Nothing, seen::word),
        landed,
        asked,
        after: afterwards(&ground, &said, asked).await,
        took,
        limit: limit + ALLOWANCE,
    };
    ground.close().await;
    trial
}

/// What a caller can do with the session: the same again, at least once it did what the failure says.
async fn afterwards(ground: &Ground<'_>, said: &Said, asked: u32) -> After {
    let Err(why) = again(ground, asked).await else { return After::Usable };
    let hint = said.as_ref().and_then(|said| said.as_ref().err()).map(Told::hint).unwrap_or_default();
    if !format!("{why} {hint}").contains("open again") {
        return After::Stuck(why);
    }
    ground.close().await;
    match again(ground, asked).await {
        Ok(()) => After::Recovered("close, then open again".to_owned()),
        Err(still) => After::Stuck(format!("{why}; opened again: {still}")),
    }
}

/// Runs it once more with nothing wrong.
async fn again(ground: &Ground<'_>, asked: u32) -> Result<(), String> {
    if !ground.stands_on_a_session() {
        ground.close().await;
    }
    ground.prepare().await?;
    let before = ground.counted();
    match ground.run(&ground.clean, patience::LIMIT).await {
        Some(Ok(_)) if ground.counted() - before == asked => Ok(()),
        Some(Ok(_)) => Err(format!("{} of {asked}", ground.counted() - before)),
        Some(Err(told)) => Err(format!("{:#}", told.error)),
        None => Err("no answer".to_owned()),
    }
}
