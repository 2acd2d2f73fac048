//! The stage's devices, watched: every call is noted on its request's page, after a few turns of the scheduler.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};

use async_trait::async_trait;
use backend::{Aim, Aimed, Check, Device, Dialog, Field, Input, Picture, Provider, Receipt};
use contract::{
    Capabilities, Code, Failure, Row,
    command::Open,
    view::{DeviceView, Platform},
};
use screen::{NodeKey, Tree};
use serde_json::Value;
use stage::{Probe, StageDevice, StageProvider};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use wire::{Context, Ledger};

use crate::{
    apps::{self, BENCH},
    books::{Books, Opened},
    draw::Draw,
    lie::Lie,
    model::{Finding, Kind},
};

/// Numbers of app instances from here on are this crate's; the stage gives out those from 1 on.
const INSTANCES: u64 = 1 << 40;

/// What watching takes.
#[derive(Debug, Clone)]
pub struct Watch {
    /// Where it is noted.
    pub books: Books,
    /// When the run started.
    pub started: Instant,
    /// Decides how many turns of the scheduler a call waits.
    pub seed: u64,
    /// What the devices do behind the model's back.
    pub lie: Option<Lie>,
}

/// The simulated devices of one daemon.
#[derive(Debug)]
pub struct WatchedStage {
    life: u32,
    watch: Watch,
    killed: CancellationToken,
    released: CancellationToken,
    /// The same devices, asked what they can do.
    plain: StageProvider,
}

impl WatchedStage {
    /// Those of a daemon. Where that is killed, whatever it still does to a device waits until it is released.
    pub fn new(life: u32, watch: Watch, killed: CancellationToken, released: CancellationToken) -> Self {
        Self { life, watch, killed, released, plain: StageProvider::new() }
    }
}

#[async_trait]
impl Provider for WatchedStage {
    fn platform(&self) -> Platform {
        Platform::Stage
    }

    fn opens(&self, app: &str) -> bool {
        apps::app(app).is_some()
    }

    async fn devices(&self) -> Vec<DeviceView> {
        self.plain.devices().await
    }

    async fn default_device(&self, context: &Context, open: &Open) -> Result<String, Failure> {
        self.plain.default_device(context, open).await
    }

    fn exclusive(&self, device: &str) -> bool {
        self.plain.exclusive(device) && self.watch.lie != Some(Lie::SharedDevice)
    }

    fn capabilities(&self, device: &str) -> Option<Capabilities> {
        self.plain.capabilities(device)
    }

    async fn open(&self, context: &Context, device: &str, open: &Open) -> Result<Arc<dyn Device>, Failure> {
        alive(&self.killed, &self.released).await?;
        let app = apps::app(open.app.as_deref().unwrap_or(BENCH)).ok_or_else(|| {
            Failure::refused(Row::StageScriptInvalid, Code::InvalidArgs, "there is no such app").reason("app_unknown")
        })?;
        let (probe, request) = (Probe::default(), &*context.request);
        if self.watch.lie == Some(Lie::TaskLeft) {
            tokio::spawn(std::future::pending::<()>());
        }
        let (number, session) = {
            let mut pages = self.watch.books.open();
            let session = pages.requests.get(request).map_or_else(String::new, |page| page.session.clone());
            for fault in pages.requests.get(request).into_iter().flat_map(|page| page.faults.clone()) {
                probe.faults().inject(fault);
            }
            let opened =
                Opened { session: session.clone(), device: device.into(), life: self.life, probe: probe.clone() };
            pages.opened.push(opened);
            let number = pages.opened.len() as u32 - 1;
            pages.called(request, &session, number);
            (number, session)
        };
        let holding = self.plain.exclusive(device).then(|| Holding::take(&self.watch.books, self.life, device));
        let opened = StageDevice::open(context, app, INSTANCES + u64::from(number), probe.clone()).await;
        alive(&self.killed, &self.released).await?;
        let ok = opened.is_ok();
        self.watch.books.trace(
            self.watch.started,
            format_args!("  {request} opens #{number} on {device} for {session}: {}", if ok { "done" } else { "no" }),
        );
        let inner = opened?;
        self.watch.books.open().returned(request, 1, 1);
        Ok(Arc::new(WatchedDevice {
            inner,
            number,
            session,
            probe,
            watch: self.watch.clone(),
            killed: self.killed.clone(),
            released: self.released.clone(),
            names: Mutex::default(),
            draw: Mutex::new(Draw::new(self.watch.seed, 1_000 + u64::from(number))),
            inputs: AtomicU32::new(0),
            _holding: holding,
        }))
    }

    async fn doctor(&self) -> Vec<Check> {
        Vec::new()
    }
}

/// Waits, after a kill, until the run lets go of what was killed; then fails.
async fn alive(killed: &CancellationToken, released: &CancellationToken) -> Result<(), Failure> {
    if !killed.is_cancelled() {
        return Ok(());
    }
    released.cancelled().await;
    Err(Failure::new(Code::Internal, "this daemon was killed"))
}

/// A device that a session has for itself, until this is dropped.
#[derive(Debug)]
struct Holding {
    books: Books,
    key: (u32, String),
}

impl Holding {
    fn take(books: &Books, life: u32, device: &str) -> Self {
        let key = (life, device.to_owned());
        let mut pages = books.open();
        let held = pages.held.entry(key.clone()).or_default();
        *held += 1;
        if *held > 1 {
            let what = format!("{device} was opened while {} session(s) had it", *held - 1);
            pages.findings.push(Finding::new(Kind::LeasesOverlap, None, what));
        }
        drop(pages);
        Self { books: books.clone(), key }
    }
}

impl Drop for Holding {
    fn drop(&mut self) {
        if let Some(held) = self.books.open().held.get_mut(&self.key) {
            *held -= 1;
        }
    }
}

#[derive(Debug)]
struct WatchedDevice {
    inner: StageDevice,
    number: u32,
    session: String,
    probe: Probe,
    watch: Watch,
    killed: CancellationToken,
    released: CancellationToken,
    /// What every node that was captured is called in its app.
    names: Mutex<HashMap<NodeKey, String>>,
    draw: Mutex<Draw>,
    inputs: AtomicU32,
    _holding: Option<Holding>,
}

impl WatchedDevice {
    /// Notes a call, and lets others go first now and then.
    async fn called(&self, context: &Context) -> Result<(), Failure> {
        let turns = self.draw.lock().unwrap_or_else(PoisonError::into_inner).below(4);
        for _ in 0..turns {
            tokio::task::yield_now().await;
        }
        alive(&self.killed, &self.released).await?;
        let mut pages = self.watch.books.open();
        if pages.called(&context.request, &self.session, self.number) {
            self.probe.faults().clear();
            for fault in pages.requests.get(&*context.request).into_iter().flat_map(|page| page.faults.clone()) {
                self.probe.faults().inject(fault);
            }
        }
        Ok(())
    }

    /// Notes what a call came to, unless the daemon was killed meanwhile.
    async fn came<T>(&self, context: &Context, what: &str, result: Result<T, Failure>) -> Result<T, Failure> {
        alive(&self.killed, &self.released).await?;
        let word = match &result {
            Ok(_) => "done",
            Err(failure) => failure.claim().map_or("failed", |claim| claim.row.id()),
        };
        let (number, session) = (self.number, &self.session);
        self.watch
            .books
            .trace(self.watch.started, format_args!("  {} {what} on #{number} of {session}: {word}", context.request));
        result
    }

    /// Holds the element that an input is aimed at against the ref that was asked for.
    fn aimed(&self, context: &Context, input: &Input) {
        let (Input::Press { aim, .. } | Input::DoublePress { aim } | Input::Fill { aim, .. } | Input::Hover { aim }) =
            input
        else {
            return;
        };
        let Some(key) = aim.node else { return };
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let mut pages = self.watch.books.open();
        let Some((app, shown)) = pages.requests.get(&*context.request).and_then(|page| page.names.clone()) else {
            return;
        };
        let meant = names.get(&key).map_or("nothing that was captured", String::as_str);
        if meant != shown || app != self.number {
            let what = format!("a ref shown as {shown} of app #{app} led to {meant} of app #{}", self.number);
            pages.findings.push(Finding::new(Kind::RefNamesAnother, Some(&context.request), what));
        }
    }

    /// Performs an input, or lies about it.
    async fn performed(&self, context: &Context, input: Input) -> Result<Receipt, Failure> {
        let uncounted = || Context { ledger: Ledger::default(), ..context.clone() };
        // Not the first, so that a run has something to hold against it.
        let lies = self.inputs.fetch_add(1, Relaxed) % 3 == 1;
        match self.watch.lie.filter(|_| lies) {
            Some(Lie::Twice) => {
                let _first = self.inner.perform(&uncounted(), input.clone()).await;
                self.inner.perform(context, input).await
            }
            Some(Lie::Nothing) => Ok(Receipt::default()),
            Some(Lie::DeniedAfterEffect) => {
                self.inner.perform(&uncounted(), input).await?;
                Err(Failure::refused(Row::StageRefused, Code::CommandFailed, "refused, it says"))
            }
            Some(Lie::Uncounted) => self.inner.perform(&uncounted(), input).await,
            Some(Lie::OtherElement) => {
                let input = match input {
                    Input::Press { aim: Aim { mut point, .. }, button, hold_ms } => {
                        // Into the bar at the top, which every screen has. A device that is told the element would notice.
                        point.y = 20.0;
                        Input::Press { aim: Aim { point, node: None }, button, hold_ms }
                    }
                    other => other,
                };
                self.inner.perform(context, input).await
            }
            Some(Lie::Silence) => std::future::pending().await,
            Some(Lie::SharedDevice | Lie::TaskLeft) | None => match input {
                // Read before, so that no thread decides when it is there.
                Input::Navigate { address, .. } => match apps::app(&address) {
                    Some(app) => self.inner.navigate_to(context, app).await,
                    None => Err(Failure::refused(Row::StageScriptInvalid, Code::InvalidArgs, "there is no such app")),
                },
                input => self.inner.perform(context, input).await,
            },
        }
    }
}

#[async_trait]
impl Device for WatchedDevice {
    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }

    async fn capture(&self, context: &Context, max_nodes: u32) -> Result<Tree, Failure> {
        self.called(context).await?;
        let tree = self.inner.capture(context, max_nodes).await;
        if let Ok(tree) = &tree {
            let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
            for node in tree.nodes() {
                if let (Some(key), Some(name)) = (node.key, &node.identifier) {
                    names.entry(key).or_insert_with(|| name.to_string());
                }
            }
        }
        self.came(context, "captures", tree).await
    }

    async fn aim(&self, context: &Context, node: NodeKey) -> Result<Option<Aimed>, Failure> {
        self.called(context).await?;
        let aimed = self.inner.aim(context, node).await;
        self.came(context, "looks", aimed).await
    }

    async fn perform(&self, context: &Context, input: Input) -> Result<Receipt, Failure> {
        self.called(context).await?;
        self.aimed(context, &input);
        let (what, halves) = match &input {
            Input::DoublePress { .. } => ("double-presses", 2),
            Input::Press { .. } => ("presses", 1),
            Input::Fill { .. } => ("fills", 1),
            Input::Type { .. } => ("types", 1),
            Input::Scroll { .. } => ("scrolls", 1),
            Input::Swipe { .. } => ("swipes", 1),
            Input::Navigate { .. } => ("navigates", 1),
            Input::AnswerDialog { .. } => ("answers", 1),
            _ => ("performs", 1),
        };
        // The first half may return and the second one not, also where the code around it panics.
        self.watch.books.open().returned(&context.request, 0, halves - 1);
        let performed = self.performed(context, input).await;
        if performed.is_ok() {
            self.watch.books.open().returned(&context.request, halves, 1);
        }
        self.came(context, what, performed).await
    }

    async fn screenshot(&self, context: &Context, whole: bool) -> Result<Picture, Failure> {
        self.called(context).await?;
        let picture = self.inner.screenshot(context, whole).await;
        self.came(context, "paints", picture).await
    }

    async fn field(&self, context: &Context, node: NodeKey) -> Result<Option<Field>, Failure> {
        self.called(context).await?;
        let field = self.inner.field(context, node).await;
        self.came(context, "reads a field", field).await
    }

    async fn text(&self, context: &Context, node: NodeKey) -> Result<Option<String>, Failure> {
        self.called(context).await?;
        let text = self.inner.text(context, node).await;
        self.came(context, "reads a text", text).await
    }

    async fn attributes(&self, context: &Context, node: NodeKey) -> Result<Option<Value>, Failure> {
        self.called(context).await?;
        let attributes = self.inner.attributes(context, node).await;
        self.came(context, "reads attributes", attributes).await
    }

    async fn text_focus(&self, context: &Context) -> Result<Option<bool>, Failure> {
        self.called(context).await?;
        let focus = self.inner.text_focus(context).await;
        self.came(context, "looks for the focus", focus).await
    }

    async fn dialog(&self, context: &Context) -> Result<Option<Dialog>, Failure> {
        self.called(context).await?;
        let dialog = self.inner.dialog(context).await;
        self.came(context, "looks for a dialog", dialog).await
    }

    fn notices(&self) -> Vec<String> {
        self.inner.notices()
    }

    async fn close(&self, context: &Context) -> Result<(), Failure> {
        self.called(context).await?;
        let closed = self.inner.close(context).await;
        if closed.is_ok() {
            self.watch.books.open().returned(&context.request, 1, 1);
        }
        self.came(context, "closes", closed).await
    }
}
