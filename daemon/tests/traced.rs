//! What a trace tells of the network, over a device that says what it is told to say; and traces that begin before anything is
//! open.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test: what it does not expect has to fail it"
)]

use std::{
    fs,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use backend::{Aimed, Check, Device, Fetched, Input, Picture, Provider, Receipt, Traffic};
use contract::{
    Capabilities, Code, Command, Disclosed, Failure, Request, Row,
    command::Open,
    request::Answer,
    trace::{Entry, FILE, Header},
    view::{DeviceView, Platform},
};
use daemon::{router::Router, state_dir::StateDir};
use screen::{NodeKey, Tree};
use serde_json::Value;
use stage::{StageDevice, StageProvider};
use tokio_util::sync::CancellationToken;
use wire::Context;

const TOKEN: &str = "Zq7 hunter/2+Zq7";
const APP: &str = r#"
app = "login"
title = "Login"
start = "login"
[[screen]]
id = "login"
title = "Login"
[[screen.element]]
role = "text-field"
id = "name"
label = "Name"
keyboard = false
[[screen.element]]
role = "button"
id = "go"
label = "Go"
"#;

/// What the device says next of its network, and what it was asked.
#[derive(Debug, Clone, Default)]
struct Said {
    next: Arc<Mutex<Vec<Result<Traffic, Failure>>>>,
    asked: Arc<AtomicU32>,
    ended: Arc<AtomicU32>,
}

/// The simulated device, with a network.
#[derive(Debug)]
struct Talking {
    device: StageDevice,
    said: Said,
}

#[async_trait]
impl Device for Talking {
    fn capabilities(&self) -> &Capabilities {
        self.device.capabilities()
    }

    async fn capture(&self, context: &Context, max_nodes: u32) -> Result<Tree, Failure> {
        self.device.capture(context, max_nodes).await
    }

    async fn aim(&self, context: &Context, node: NodeKey) -> Result<Option<Aimed>, Failure> {
        self.device.aim(context, node).await
    }

    async fn perform(&self, context: &Context, input: Input) -> Result<Receipt, Failure> {
        self.device.perform(context, input).await
    }

    async fn screenshot(&self, context: &Context, whole: bool) -> Result<Picture, Failure> {
        self.device.screenshot(context, whole).await
    }

    async fn network(&self, _context: &Context, _since: Duration) -> Result<Option<Traffic>, Failure> {
        self.said.asked.fetch_add(1, Ordering::Relaxed);
        let mut next = self.said.next.lock().unwrap();
        if next.is_empty() { Ok(Some(Traffic::default())) } else { next.remove(0).map(Some) }
    }

    async fn network_end(&self, _context: &Context) -> Result<(), Failure> {
        self.said.ended.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    async fn close(&self, context: &Context) -> Result<(), Failure> {
        self.device.close(context).await
    }
}

#[derive(Debug, Default)]
struct Network {
    stage: StageProvider,
    said: Said,
}

#[async_trait]
impl Provider for Network {
    fn platform(&self) -> Platform {
        self.stage.platform()
    }

    fn opens(&self, app: &str) -> bool {
        self.stage.opens(app)
    }

    async fn devices(&self) -> Vec<DeviceView> {
        self.stage.devices().await
    }

    async fn default_device(&self, context: &Context, open: &Open) -> Result<String, Failure> {
        self.stage.default_device(context, open).await
    }

    fn exclusive(&self, device: &str) -> bool {
        self.stage.exclusive(device)
    }

    fn capabilities(&self, device: &str) -> Option<Capabilities> {
        self.stage.capabilities(device)
    }

    async fn open(&self, context: &Context, device: &str, open: &Open) -> Result<Arc<dyn Device>, Failure> {
        let device = self.stage.open_stage(context, device, open).await?;
        Ok(Arc::new(Talking { device, said: self.said.clone() }))
    }

    async fn doctor(&self) -> Vec<Check> {
        Vec::new()
    }
}

struct World {
    router: Arc<Router>,
    said: Said,
    folder: tempfile::TempDir,
    next: AtomicU32,
}

impl World {
    fn new() -> Self {
        Self::with(|provider| Arc::new(provider))
    }

    /// Over the simulated device alone, which does not tell of its network.
    fn silent() -> Self {
        Self::with(|provider| Arc::new(provider.stage))
    }

    fn with(shown: impl FnOnce(Network) -> Arc<dyn Provider>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("login.toml"), APP).unwrap();
        let state = StateDir::find(Some(&folder.path().join("state"))).unwrap();
        state.create().unwrap();
        let provider = Network::default();
        let said = provider.said.clone();
        let router = Arc::new(Router::new(state, vec![shown(provider)]));
        Self { router, said, folder, next: AtomicU32::new(1) }
    }

    fn open(&self) -> String {
        format!("open {}", self.folder.path().join("login.toml").display())
    }

    async fn run(&self, line: &str) -> Result<Answer, Disclosed> {
        let command = Command::from_line(line).unwrap_or_else(|why| panic!("{line}: {why}"));
        let id = format!("r{}", self.next.fetch_add(1, Ordering::Relaxed));
        let request = Request { session: Some("s".into()), ..Request::new(id, &command) };
        self.router.answer(request, CancellationToken::new()).await
    }

    async fn does(&self, line: &str) -> Answer {
        self.run(line).await.unwrap_or_else(|why| panic!("{line}: {:?}", why.failure()))
    }

    async fn fails(&self, line: &str) -> Value {
        match self.run(line).await {
            Err(why) => serde_json::to_value(&why).unwrap(),
            Ok(answer) => panic!("{line}: {}", answer.data),
        }
    }

    /// Begins a trace; its folder.
    async fn trace(&self) -> String {
        self.does("trace start").await.data["folder"].as_str().unwrap().to_owned()
    }

    fn says(&self, answers: impl IntoIterator<Item = Result<Traffic, Failure>>) {
        self.said.next.lock().unwrap().extend(answers);
    }
}

fn traced(folder: &str) -> (Header, Vec<Entry>) {
    let text = fs::read_to_string(Path::new(folder).join(FILE)).unwrap();
    let mut lines = text.lines();
    let header = serde_json::from_str(lines.next().unwrap()).unwrap();
    (header, lines.map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}"))).collect())
}

fn asked(url: &str, ago_ms: u64) -> Fetched {
    Fetched {
        url: url.into(),
        kind: "fetch".into(),
        status: Some(200),
        failed: Some(false),
        ago: Duration::from_millis(ago_ms),
        took: Duration::from_millis(7),
        bytes: Some(300),
    }
}

fn one(request: Fetched) -> Result<Traffic, Failure> {
    Ok(Traffic { requests: vec![request], ..Traffic::default() })
}

#[tokio::test]
async fn requests_stand_with_the_command_that_found_them_and_tell_no_secret_and_no_user() {
    let world = World::new();
    world.does(&world.open()).await;
    world.does("press id=go").await;
    assert_eq!(world.said.asked.load(Ordering::Relaxed), 0, "nobody asks without a trace");
    let folder = world.trace().await;
    // What began half a minute ago was under way before the command.
    // One answer each: how often a command looks depends on how fresh the picture before it is.
    let requests = vec![asked("http://ann:pw@h/before", 30_000), asked("http://h/after", 0)];
    world.says([Ok(Traffic { requests, ..Traffic::default() })]);
    world.does("press id=go").await;
    let written = "http://h/?a=Zq7%20hunter%2F2%2BZq7&b=Zq7+hunter%2f2%2bZq7&c=Zq7%2520hunter%252F2%252BZq7";
    let requests = vec![asked(written, 0)];
    world.says([Ok(Traffic { requests, left_out: 4, notes: vec!["some are missing".into()] })]);
    world.does(&format!("fill id=name '{TOKEN}' --record-as TOKEN")).await;
    world.says([Err(Failure::new(Code::CaptureFailed, "not now"))]);
    world.fails("press id=nowhere").await;
    world.does("get text id=go").await;
    world.does("trace stop").await;
    assert_eq!(world.said.ended.load(Ordering::Relaxed), 1);
    let until = world.said.asked.load(Ordering::Relaxed);
    world.does("press id=go").await;
    assert_eq!(world.said.asked.load(Ordering::Relaxed), until, "nor after it");

    let (_, entries) = traced(&folder);
    let told: Vec<_> = entries.iter().map(|entry| entry.network.clone()).collect();
    let first = told[0].as_ref().unwrap();
    let urls: Vec<_> = first.requests.iter().map(|one| one.url.as_str()).collect();
    assert_eq!(urls, ["http://h/before", "http://h/after"]);
    assert!(first.requests[0].start_ms < -20_000 && first.requests[1].start_ms > -20_000, "{first:?}");
    assert_eq!((first.requests[1].status, first.requests[1].duration_ms), (Some(200), 7));
    let second = told[1].as_ref().unwrap();
    assert_eq!(second.requests[0].url, "http://h/?a=${TOKEN}&b=${TOKEN}&c=${TOKEN}");
    assert_eq!((second.left_out, &second.notes[..]), (4, &["some are missing".to_owned()][..]));
    let third = told[2].as_ref().unwrap();
    assert!(third.requests.is_empty() && third.notes[0].ends_with("could not be read: not now"), "{third:?}");
    assert_eq!(told[3], None, "a command that only reads is not worth a look");
    let text = fs::read_to_string(Path::new(&folder).join(FILE)).unwrap();
    for secret in ["hunter", "ann:", "pw@"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

#[tokio::test]
async fn a_device_that_does_not_tell_leaves_nothing_that_looks_like_silence() {
    let world = World::silent();
    world.does(&world.open()).await;
    let folder = world.trace().await;
    world.does("press id=go").await;
    world.does("trace stop").await;
    assert_eq!(traced(&folder).1[0].network, None);
}

#[tokio::test]
async fn a_trace_that_begins_before_anything_is_open_has_the_open_and_what_it_showed() {
    let world = World::new();
    let missing = world.fails("trace stop").await;
    assert_eq!(missing["code"], "SESSION_NOT_FOUND", "no trace and nothing open: {missing}");
    let folder = world.trace().await;
    assert_eq!(world.fails("trace start").await["details"]["dispatchRow"], Row::DaemonTraceRunning.id());
    world.fails("open nothing.of.the.kind").await;
    world.fails("press id=go").await;
    world.says([one(asked("http://h/opened", 0))]);
    world.does(&world.open()).await;
    world.does("press id=go").await;
    assert_eq!(world.does("trace stop").await.data["entries"], 4);

    let (header, entries) = traced(&folder);
    assert_eq!((header.platform.as_str(), header.session.as_str()), ("stage", "s"));
    let told: Vec<_> = entries.iter().map(|entry| (entry.number, entry.command.as_str(), entry.ok)).collect();
    assert_eq!(told, [(1, "open", false), (2, "press", false), (3, "open", true), (4, "press", true)]);
    let (open, press) = (&entries[2], &entries[3]);
    assert!(open.before.is_none(), "nothing was there: {open:?}");
    let shown = |screen: &Option<contract::trace::Screen>| screen.clone().and_then(|screen| screen.picture).unwrap();
    assert!(Path::new(&folder).join(shown(&open.after)).is_file());
    assert_eq!(shown(&open.after), shown(&press.before), "what a step left is what the next one found");
    assert_eq!(open.network.as_ref().unwrap().requests[0].url, "http://h/opened");
    world.does("close").await;
    assert!(world.router.records.is_empty());
}

#[tokio::test]
async fn a_trace_of_what_was_never_opened_ends_with_what_was_tried() {
    let world = World::new();
    let folder = world.trace().await;
    world.fails("open nothing.of.the.kind").await;
    world.fails("close").await;
    let stopped = world.does("trace stop").await;
    assert_eq!((&stopped.data["folder"], &stopped.data["entries"]), (&folder.as_str().into(), &2.into()));
    let (header, entries) = traced(&folder);
    assert_eq!(
        (header.platform.as_str(), entries[0].failure.as_ref().unwrap()["code"].as_str()),
        ("", Some("INVALID_ARGS"))
    );
    // The folder stays for whoever makes a page of it, and goes with the next trace.
    let next = world.trace().await;
    assert!(!Path::new(&folder).exists() && Path::new(&next).exists());
    world.does(&world.open()).await;
    world.does("close").await;
    assert!(!Path::new(&next).exists() && world.router.records.is_empty());
}
