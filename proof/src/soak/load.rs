//! Many sessions at once, each with a client of its own that looks, acts, errs, and goes away in the middle of things.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use contract::{Command, Request, request::method};
use serde_json::Value;
use tokio::{task::JoinSet, time::sleep};

use super::{flat::Point, gauge::Reading};
use crate::{cuts::Draw, line::Line, program::Program, recorder::Recorder, seen::Told};

/// Readings over a whole load.
const READINGS: u64 = 80;
/// Pause between two looks at how much was done.
const LOOK: Duration = Duration::from_millis(20);

/// What came of it.
#[derive(Debug, Default)]
pub struct Loaded {
    /// Readings of the daemon, over the commands that were done.
    pub points: Vec<Point>,
    /// Commands that were answered.
    pub commands: u64,
    /// Failures among them, all of them asked for.
    pub failed: u64,
    /// What was not as it must be, one sentence each.
    pub wrong: Vec<String>,
}

/// Opens `sessions` sessions, does `commands` commands in all, and leaves the sessions open.
pub async fn run(program: &Program, sessions: usize, commands: u64, seed: u64, progress: fn(&str)) -> Loaded {
    let pid = program.daemon_started().await.as_raw_nonzero().get();
    let done = Arc::new(AtomicU64::new(0));
    let share = commands / sessions.max(1) as u64;
    let mut running = JoinSet::new();
    for number in 0..sessions {
        let mut one = One::new(program, number, seed, done.clone()).await;
        running.spawn(async move {
            one.works(share).await;
            one
        });
    }
    let mut loaded = Loaded::default();
    let every = (commands / READINGS).max(1);
    let mut next = every;
    while !running.is_empty() {
        let so_far = done.load(Ordering::Relaxed);
        if so_far >= next {
            loaded.points.push((so_far, Reading::of(pid, program.state().path())));
            next = so_far + every;
            if loaded.points.len().is_multiple_of(20) {
                progress(&format!("{so_far} commands of {commands}"));
            }
        }
        tokio::select! {
            ended = running.join_next() => match ended {
                Some(Ok(one)) => loaded.add(one),
                Some(Err(why)) => loaded.wrong.push(format!("a client broke off: {why}")),
                None => {}
            },
            () = sleep(LOOK) => {}
        }
    }
    loaded.commands = done.load(Ordering::Relaxed);
    if loaded.points.is_empty() || loaded.commands < share * sessions as u64 {
        loaded.wrong.push(format!("only {} commands were done", loaded.commands));
    }
    loaded
}

impl Loaded {
    fn add(&mut self, one: One) {
        self.failed += one.failed;
        self.wrong.extend(one.wrong);
    }
}

/// One client and its session.
struct One {
    line: Line,
    socket: std::path::PathBuf,
    recorder: Recorder,
    session: String,
    picture: String,
    app: String,
    draw: Draw,
    next: u64,
    saves: u64,
    marks: u64,
    failed: u64,
    done: Arc<AtomicU64>,
    wrong: Vec<String>,
}

impl One {
    async fn new(program: &Program, number: usize, seed: u64, done: Arc<AtomicU64>) -> Self {
        let socket = program.state().socket();
        let recorder = program.recorder.clone();
        let session = format!("soak-{number}");
        Self {
            line: greeted(&socket, &recorder).await,
            socket,
            recorder,
            picture: program.folder().join(format!("{session}.png")).display().to_string(),
            app: program.folder().join("soak.toml").display().to_string(),
            draw: Draw::new(seed, &session),
            session,
            next: 0,
            saves: 0,
            marks: 0,
            failed: 0,
            done,
            wrong: Vec::new(),
        }
    }

    async fn works(&mut self, commands: u64) {
        self.does(&format!("open {}", self.app)).await;
        for number in 1..commands {
            self.step().await;
            if number.is_multiple_of(50) || number + 1 == commands {
                self.counts().await;
            }
        }
    }

    /// One command, now and then one that must fail, or one whose client does not wait for its answer.
    async fn step(&mut self) {
        match self.draw.below(100) {
            0..20 => drop(self.does("snapshot -i").await),
            20..50 => {
                self.does("press id=save").await;
                self.saves += 1;
            }
            50..60 => drop(self.does("fill id=name Ada").await),
            60..65 => drop(self.does("get text id=name").await),
            65..70 => drop(self.does("is visible id=save").await),
            70..75 => drop(self.does("scroll down").await),
            75..80 => {
                self.does("press id=save --count 3").await;
                self.saves += 3;
            }
            80..85 => {
                self.does(r#"batch --steps '["press id=mark", "get text id=counts", "press id=save"]'"#).await;
                self.saves += 1;
                self.marks += 1;
            }
            85..90 => drop(self.does("diff snapshot").await),
            90..97 => self.fails("press label=Nowhere", "ELEMENT_NOT_FOUND").await,
            97 => drop(self.does(&format!("screenshot {}", self.picture)).await),
            98 => self.goes_away().await,
            _ => self.comes_anew().await,
        }
    }

    /// A client that ends while its command waits. Nothing was acted on, so nothing has to be counted.
    async fn goes_away(&mut self) {
        let request = self.request("wait text Nowhere 20000");
        self.line.send(method::RUN, &request).await;
        self.comes_anew().await;
    }

    async fn comes_anew(&mut self) {
        self.line = greeted(&self.socket, &self.recorder).await;
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// What the app shows is what was done to it.
    async fn counts(&mut self) {
        let shown = self.does("get text id=counts").await;
        let wanted = format!("{} saves, {} marks", self.saves, self.marks);
        if shown.as_ref().is_some_and(|shown| shown["text"] != wanted.as_str()) {
            self.wrong.push(format!("{}: done {wanted}, shown {shown:?}", self.session));
        }
    }

    fn request(&mut self, line: &str) -> Request {
        self.next += 1;
        let command = Command::from_line(line).unwrap_or_else(|why| panic!("{line}: {why}"));
        Request {
            session: Some(self.session.clone()),
            ..Request::new(format!("{}-{}", self.session, self.next), &command)
        }
    }

    async fn asks(&mut self, line: &str) -> Result<Value, Told> {
        let request = self.request(line);
        let answer = self.line.call(method::RUN, &request).await;
        self.done.fetch_add(1, Ordering::Relaxed);
        answer.map(|mut answer| answer["data"].take())
    }

    async fn does(&mut self, line: &str) -> Option<Value> {
        match self.asks(line).await {
            Ok(data) => Some(data),
            Err(told) => {
                self.wrong.push(format!("{}: {line}: {}", self.session, told.error));
                None
            }
        }
    }

    async fn fails(&mut self, line: &str, code: &str) {
        self.failed += 1;
        match self.asks(line).await {
            Err(told) if told.code == code && told.dispatched == "no" => {}
            other => self.wrong.push(format!("{}: {line}: not {code}: {other:?}", self.session)),
        }
    }
}

async fn greeted(socket: &Path, recorder: &Recorder) -> Line {
    Line::greeted(socket, recorder).await
}
