//! One client's steps.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use contract::{
    Command, Effect, Request, Target,
    command::{
        AfterArgs, Fill, FillWords, Get, GetFormat, Hover, Longpress, LongpressWords, Press, SettleArgs, Viewport,
    },
    words::Words,
};
use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::{
    asked::{asked, closes},
    books::Page,
    draw::Draw,
    line::Line,
    model::{self, Finding, Kind},
    plan::{Act, Manner, RefUse, Step},
    world::World,
};

/// How much longer than a request may take a client waits, so that a late answer and none are told apart.
const PATIENCE: Duration = Duration::from_secs(120);
/// How much later than its limit a command is answered that has to close something: it goes on then, and its caller is told.
const CLOSING: Duration = Duration::from_secs(1);

/// What a snapshot showed.
struct Shown {
    /// The daemon that did.
    life: u32,
    /// The number of the app.
    app: u32,
    /// Refs, pinned, with their elements.
    refs: Vec<(String, String)>,
}

/// One client.
pub struct Client {
    number: usize,
    world: Arc<World>,
    line: Option<(Line, String)>,
    /// What it was shown last in each session.
    shown: BTreeMap<String, Shown>,
}

impl Client {
    /// The client of this number.
    pub const fn new(number: usize, world: Arc<World>) -> Self {
        Self { number, world, line: None, shown: BTreeMap::new() }
    }

    /// Takes every step, then whatever is still to come over the connection.
    pub async fn run(mut self, steps: Vec<Step>) {
        for step in steps {
            self.step(step).await;
        }
        self.collect().await;
    }

    async fn step(&mut self, step: Step) {
        let mut draw = Draw::new(step.salt, 2);
        sleep(Duration::from_millis(step.pause_ms)).await;
        for _ in 0..draw.below(3) {
            tokio::task::yield_now().await;
        }
        if matches!(step.act, Act::Kill) {
            self.world.restart().await;
            return;
        }
        let session = format!("s{}", step.session);
        let mut line = self.connected().await;
        let life = World::number_of(&line.1);
        let (command, names) = self.command(&step.act, &session, life);
        let id = format!("c{}-{}", self.number, step.number);
        let request = Request {
            session: Some(session.clone()),
            device: step.device.filter(|_| matches!(command, Command::Open(_))).map(str::to_owned),
            timeout_ms: step.timeout_ms,
            readiness_timeout_ms: step.readiness_ms,
            ..Request::new(&id, &command)
        };
        let page = self.page(&step, &command, session, names, life);
        let limit = page.limit;
        self.note(format_args!("{id} asks: {} {} {:?} {:?}", request.command, request.args, step.manner, page.faults));
        self.world.books.open().requests.insert(id.clone(), page);
        if let Manner::HalfLine(share) = step.manner {
            self.world.books.open().requests.get_mut(&id).expect("inserted").asked = 0..=0;
            line.0.half(&request, share).await;
            return;
        }
        let pieces = step.pieces.map(|pieces| (pieces, &mut draw));
        let Some(number) = line.0.run(&request, pieces).await else { return };
        self.world.books.open().requests.get_mut(&id).expect("inserted").written = Some(Instant::now());
        let until = |limit: Duration| Instant::now() + limit + PATIENCE;
        match step.manner {
            Manner::Wait | Manner::HalfLine(_) => {
                let alone = line.0.waiting.is_empty();
                let reply = line.0.reply(number, until(limit)).await;
                self.line = self.heard(&id, reply, alone).then_some(line);
            }
            Manner::Pipeline => {
                line.0.waiting.push((number, id));
                self.line = Some(line);
            }
            Manner::Stall(ms) => {
                sleep(Duration::from_millis(ms)).await;
                let reply = line.0.reply(number, until(limit)).await;
                self.line = self.heard(&id, reply, false).then_some(line);
            }
            Manner::Leave(ms) => {
                sleep(Duration::from_millis(ms)).await;
            }
            Manner::AskRetained(ms) | Manner::RunAgain(ms) => {
                sleep(Duration::from_millis(ms)).await;
                let first = line.1.clone();
                drop(line);
                let mut line = self.connected().await;
                let same = line.1 == first;
                let number = match step.manner {
                    // Another daemon knows nothing of it: nobody runs it there.
                    Manner::RunAgain(_) if same => line.0.run(&request, None).await,
                    _ => line.0.retained(&id).await,
                };
                let Some(number) = number else { return };
                let Some(reply) = line.0.reply(number, until(limit)).await else { return };
                let not_seen = reply.pointer("/error/data/details/reason").is_some_and(|reason| reason == "not_seen");
                if same {
                    // Never seen is a promise too: it does not run later either.
                    self.heard(&id, Some(reply), false);
                } else if !not_seen {
                    let what = format!("a daemon that never got it answers: {reply}");
                    self.world.books.wrong(Finding::new(Kind::Again, Some(&id), what));
                }
                self.line = Some(line);
            }
            Manner::Twice(ms) => {
                sleep(Duration::from_millis(ms)).await;
                let first = line.1.clone();
                let mut second = self.connected().await;
                if second.1 == first
                    && let Some(again) = second.0.run(&request, None).await
                {
                    let reply = second.0.reply(again, until(limit)).await;
                    self.heard(&id, reply, false);
                }
                let reply = line.0.reply(number, until(limit)).await;
                self.line = self.heard(&id, reply, false).then_some(line);
            }
            Manner::Reuse => {
                let reply = line.0.reply(number, until(limit)).await;
                if self.heard(&id, reply, false) {
                    // A look's result is not kept: its id is as good as new.
                    if command.effect() == Effect::Mutates {
                        self.reuse(&request, &mut line.0).await;
                    }
                    self.line = Some(line);
                }
            }
        }
    }

    /// The id of a request that was answered, used for another command: that must be refused.
    async fn reuse(&self, request: &Request, line: &mut Line) {
        let other = Command::Viewport(Viewport { width: 401, height: 801 });
        let other = Request { command: other.spec().name.to_owned(), args: other.to_args(), ..request.clone() };
        let Some(number) = line.run(&other, None).await else { return };
        let Some(reply) = line.reply(number, Instant::now() + PATIENCE).await else { return };
        let reason = reply.pointer("/error/data/details/reason").and_then(Value::as_str);
        if reason != Some("request_id_reused") {
            let what = format!("its id was used for another command, and the answer was {reply}");
            self.world.books.wrong(Finding::new(Kind::Again, Some(&request.request_id), what));
        }
    }

    /// Takes a reply to a request; says whether the connection is of further use.
    fn heard(&mut self, id: &str, reply: Option<Value>, alone: bool) -> bool {
        let mut pages = self.world.books.open();
        let page = pages.requests.get_mut(id).expect("it was asked");
        let Some(reply) = reply else {
            // A daemon that was killed owes nothing.
            if self.world.lives(page.life) {
                page.told = Some((cut::Told::Nothing, Value::Null));
            }
            drop(pages);
            self.note(format_args!("{id} hears nothing"));
            return false;
        };
        let took = page.written.map(|written| written.elapsed());
        page.took = took.filter(|_| alone);
        let told = model::told(&reply);
        let body = model::body(&reply);
        let before = page.told.replace((told.clone(), body.clone()));
        let differs = before.filter(|(_, earlier)| page.effect == Effect::Mutates && *earlier != body);
        if let Some(nodes) = body.get("data").and_then(|data| data.get("nodes")).and_then(Value::as_array)
            && let Some(app) = page.app
        {
            let named = |node: &Value| {
                Some((node.get("ref")?.as_str()?.to_owned(), node.get("identifier")?.as_str()?.to_owned()))
            };
            let generation = body.pointer("/data/refsGeneration").and_then(Value::as_u64).unwrap_or_default();
            let refs =
                nodes.iter().filter_map(named).map(|(one, name)| (format!("{one}~s{generation}"), name)).collect();
            self.shown.insert(page.session.clone(), Shown { life: page.life, app, refs });
        }
        if let Some((earlier, _)) = differs {
            let what = format!("told {earlier:?}, then {told:?}: {body}");
            pages.findings.push(Finding::new(Kind::Again, Some(id), what));
        }
        drop(pages);
        self.note(format_args!("{id} hears {told:?}"));
        true
    }

    /// Takes what is still to come over the connection.
    async fn collect(&mut self) {
        let Some((mut line, _)) = self.line.take() else { return };
        for (number, id) in std::mem::take(&mut line.waiting) {
            let reply = line.reply(number, Instant::now() + 5 * PATIENCE).await;
            self.heard(&id, reply, false);
        }
    }

    /// The connection that is there, else a new one.
    async fn connected(&mut self) -> (Line, String) {
        match self.line.take() {
            Some(line) => line,
            None => self.world.connect().await,
        }
    }

    fn page(&self, step: &Step, command: &Command, session: String, names: Option<(u32, String)>, life: u32) -> Page {
        let limit = Duration::from_millis(step.timeout_ms.unwrap_or_else(|| {
            let readiness = step.readiness_ms.unwrap_or(0).min(contract::command::READINESS_CAP_MS);
            command.timeout_ms() + readiness
        }));
        let hits = match command {
            Command::Press(press) => match &*press.target {
                Target::Selector { selector } => selector.strip_prefix("id=").map(str::to_owned),
                Target::Ref { .. } => names.as_ref().map(|(_, name)| name.clone()),
                Target::Point { .. } => None,
            }
            // A press of a container is one of whatever of its content lies there.
            .filter(|id| id != "rows"),
            _ => None,
        };
        Page {
            step: step.number,
            session,
            life,
            operation: command.spec().name,
            effect: command.effect(),
            several: matches!(command, Command::Close(close) if close.all),
            asked: asked(command),
            limit: if closes(command) { limit + CLOSING } else { limit },
            faults: step.faults.iter().map(|numbered| numbered.fault.clone()).collect(),
            names,
            hits,
            halves: matches!(command, Command::Press(press) if press.double_tap),
            written: None,
            told: None,
            took: None,
            calls: BTreeMap::new(),
            app: None,
            returned: (0, 0),
        }
    }

    /// What a step asks for, and the app and element that its ref was shown for.
    fn command(&self, act: &Act, session: &str, life: u32) -> (Command, Option<(u32, String)>) {
        let (pick, with, pinned) = match act {
            Act::Ask(command) => return ((**command).clone(), None),
            Act::AtRef { pick, with, pinned } => (*pick, *with, *pinned),
            Act::Kill => (0, RefUse::Get, false),
        };
        // Refs do not outlive their daemon: a caller is told that its session is gone, and looks anew.
        let shown = self.shown.get(session).filter(|shown| shown.life == life && !shown.refs.is_empty());
        let (target, names) = match shown {
            Some(Shown { app, refs, .. }) => {
                let (reference, name) = &refs[(pick % refs.len() as u64) as usize];
                let plain = reference.split('~').next().unwrap_or_default();
                let reference = if pinned { reference } else { plain };
                (Target::Ref { reference: format!("@{reference}") }, Some((*app, name.clone())))
            }
            None => (Target::Ref { reference: "@e1".to_owned() }, None),
        };
        let press = |target: Target, count: u32, double_tap: bool| {
            Command::Press(Press {
                target: Words(target),
                count: (count > 1).then_some(count),
                interval_ms: None,
                hold_ms: None,
                double_tap,
                button: None,
                after: AfterArgs::default(),
            })
        };
        let command = match with {
            RefUse::Press(count) => press(target, count, false),
            RefUse::Double => press(target, 1, true),
            RefUse::Long => {
                let words = Words(LongpressWords { target, duration_ms: None });
                Command::Longpress(Longpress { words, settle: SettleArgs::default() })
            }
            RefUse::Hover => Command::Hover(Hover { target: Words(target), settle: SettleArgs::default() }),
            RefUse::Fill => {
                let words = Words(FillWords { target, text: format!("text {}", pick % 100) });
                Command::Fill(Fill { words, delay_ms: None, record_as: None, after: AfterArgs::default() })
            }
            RefUse::Get => Command::Get(Get { format: GetFormat::Text, target: Words(target) }),
        };
        (command, names)
    }

    fn note(&self, what: std::fmt::Arguments<'_>) {
        self.world.books.trace(self.world.started, what);
    }
}
