//! A daemon in this process: the real server, router and backends behind a real socket, with apps that can be looked
//! into.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use android::{
    AndroidProvider,
    adb::{Adb, Address},
    helper::{install::Policy, options::Options as HelperOptions},
};
use backend::Provider;
use contract::{
    Command, Request,
    request::{RetainedQuery, method},
    view::Platform,
};
use daemon::{router::Router, server::Server, state_dir::StateDir};
use serde_json::Value;
use stage::{Effects, Fault, FaultKind, Operation, Probe, StageProvider};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use wire::Context;

use crate::{
    adb_cut::AdbProxy,
    line::Line,
    patience::{LIMIT, soon},
    plain::PlainProvider,
    program::{self, Program},
    recorder::Recorder,
    seen::Told,
};

/// The app that most drivers use: one element for each way to be refused.
pub const GROUND: &str = include_str!("../assets/ground.toml");

/// The simulated device that every session has for itself.
const FRESH: &str = "stage";

/// The daemon and its folder.
pub struct World {
    /// Everything that requests share.
    pub router: Arc<Router>,
    /// Checks every failure that comes by.
    pub recorder: Recorder,
    /// The backend that classifies nothing.
    pub plain: PlainProvider,
    /// Before the adb server that the Android backend talks to; leads nowhere until a lab is started.
    pub adb: AdbProxy,
    /// The real program, where failures are asked for through it.
    program: Option<Program>,
    stage: StageProvider,
    state: StateDir,
    serving: JoinHandle<()>,
    next: AtomicU64,
    folder: TempDir,
}

impl World {
    /// Starts a daemon. Its identity of the build is that of `program`, where it is to serve that one too.
    pub async fn start(program: Option<&Path>) -> Self {
        Self::with(program, HelperOptions::default()).await
    }

    /// A daemon whose callers ask for failures through the real program: what [`Session::fails`] brings back is what
    /// `--json` printed, and the exit code was the documented one.
    pub async fn through_the_program() -> Self {
        let mut world = Self::start(Some(&program::path())).await;
        let folder = tempfile::Builder::new().prefix("ad").tempdir().expect("a folder for the program");
        world.program = Some(Program::of_daemon(folder, &world.state, &world.recorder));
        world
    }

    /// A daemon that runs the helper of an Android device anew for each command: all of it goes over adb's shell.
    pub async fn without_helper_sessions() -> Self {
        Self::with(None, HelperOptions { session: false, ..HelperOptions::default() }).await
    }

    async fn with(program: Option<&Path>, helper: HelperOptions) -> Self {
        let folder = tempfile::Builder::new().prefix("ad").tempdir().expect("a folder for the state");
        std::fs::write(folder.path().join("ground.toml"), GROUND).expect("the app can be written");
        let state = StateDir::find(Some(&folder.path().join("state"))).expect("a state folder");
        state.create().expect("the state folder can be made");
        let (stage, plain) = (StageProvider::new(), PlainProvider::default());
        let adb = AdbProxy::start(0).await;
        // No adb program: a server that does not answer is never started.
        let phones = AndroidProvider::with(
            state.path(),
            Ok(Adb::new(Address::local(adb.port()), None)),
            helper,
            Policy::default(),
        );
        let providers: Vec<Arc<dyn Provider>> = vec![
            Arc::new(stage.clone()),
            Arc::new(webdriver::WebProvider::new(state.path().to_path_buf())),
            Arc::new(plain.clone()),
            Arc::new(phones),
        ];
        let router = Arc::new(Router::new(state.clone(), providers));
        let build = program.map_or_else(daemon::build_id::of_this_program, daemon::build_id::of);
        let server = Server::new(router.clone(), build);
        let listener = Server::bind(&state.socket()).expect("the socket can be bound");
        let serving = tokio::spawn(server.serve(listener));
        let recorder = Recorder::default();
        Self { router, recorder, plain, adb, program: None, stage, state, serving, next: AtomicU64::new(1), folder }
    }

    /// Ends everything; what was wrong with any failure seen.
    pub async fn end(self) -> Vec<String> {
        self.router.stop.cancel();
        soon("the daemon's end", self.serving).await.expect("the server does not panic");
        // What a device says of its end is of no concern here; that everything ends is.
        let _closed = self.router.close_all(&Context::with_limit(LIMIT)).await;
        self.recorder.objections()
    }

    /// The daemon's folder.
    pub const fn state(&self) -> &StateDir {
        &self.state
    }

    /// A folder for a test's own files.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The address of the app that most drivers use.
    pub fn ground(&self) -> PathBuf {
        self.folder.path().join("ground.toml")
    }

    /// A greeted connection.
    pub async fn line(&self) -> Line {
        Line::greeted(&self.state.socket(), &self.recorder).await
    }

    /// A connection without a greeting.
    pub async fn raw_line(&self) -> Line {
        Line::raw(&self.state.socket(), &self.recorder).await
    }

    /// An id that no other request has.
    pub fn request_id(&self) -> String {
        format!("proof-{}", self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// A session by its name; nothing is opened.
    pub fn session(&self, name: &str) -> Session<'_> {
        Session { world: self, name: name.to_owned(), device: FRESH.to_owned(), platform: None }
    }

    /// A session with the app of [`GROUND`] open in it.
    pub async fn on_ground(&self) -> Session<'_> {
        let session = self.session("ground");
        session.does(&format!("open {}", self.ground().display())).await;
        session
    }

    /// Runs a request on a connection of its own; the data of its answer.
    pub async fn run(&self, request: &Request) -> Result<Value, Told> {
        self.line().await.call(method::RUN, request).await.map(|mut answer| answer["data"].take())
    }

    /// The result of an earlier request, once it is there.
    pub async fn result_of(&self, request_id: &str) -> Result<Value, Told> {
        self.line().await.call(method::RETAINED, &RetainedQuery { request_id: request_id.to_owned() }).await
    }
}

/// A caller of one session.
pub struct Session<'w> {
    world: &'w World,
    name: String,
    device: String,
    platform: Option<Platform>,
}

impl Session<'_> {
    /// The same session on a device that only one session may hold: `stage-1`, `stage-2`.
    #[must_use]
    pub fn on(mut self, device: &str) -> Self {
        device.clone_into(&mut self.device);
        self
    }

    /// The same session on an Android device.
    #[must_use]
    pub fn on_phone(self, serial: &str) -> Self {
        Self { platform: Some(Platform::Android), ..self.on(serial) }
    }

    /// The same session on whichever Android device there is.
    #[must_use]
    pub fn on_any_phone(self) -> Self {
        Self { platform: Some(Platform::Android), ..self.on(FRESH) }
    }

    /// A request as the command line would make it.
    pub fn request(&self, line: &str) -> Request {
        let command = Command::from_line(line).unwrap_or_else(|why| panic!("{line}: {why}"));
        let device = Some(self.device.clone()).filter(|device| device != FRESH);
        let platform = self.platform;
        Request {
            session: Some(self.name.clone()),
            device,
            platform,
            ..Request::new(self.world.request_id(), &command)
        }
    }

    /// As [`Session::request`], with a limit in ms.
    pub fn within(&self, ms: u64, line: &str) -> Request {
        Request { timeout_ms: Some(ms), ..self.request(line) }
    }

    /// Runs a command line.
    pub async fn run(&self, line: &str) -> Result<Value, Told> {
        self.world.run(&self.request(line)).await
    }

    /// Runs a command line that must work.
    pub async fn does(&self, line: &str) -> Value {
        self.run(line).await.unwrap_or_else(|told| panic!("{line}: {:#}", told.error))
    }

    /// Runs a command line that must fail: through the real program, where the world has one.
    pub async fn fails(&self, line: &str) -> Told {
        let Some(program) = &self.world.program else { return self.fails_at(&self.request(line)).await };
        let request = self.request(line);
        let words = shlex::split(line).unwrap_or_else(|| panic!("{line}: not words"));
        let mut args: Vec<&str> = words.iter().map(String::as_str).collect();
        args.extend(["--session", self.name.as_str()]);
        if let Some(device) = &request.device {
            args.extend(["--device", device.as_str()]);
        }
        if self.platform == Some(Platform::Android) {
            args.extend(["--platform", "android"]);
        }
        let (code, told) = program.fails(&args).await;
        assert_eq!(code, told.exit_code(), "{line}: {:#}", told.error);
        told
    }

    /// Runs a request that must fail.
    pub async fn fails_at(&self, request: &Request) -> Told {
        match self.world.run(request).await {
            Err(told) => told,
            Ok(answer) => panic!("{} succeeded: {answer}", request.command),
        }
    }

    /// The inside of the app that was opened last on this session's simulated device.
    ///
    /// # Panics
    /// Where nothing was opened there.
    pub fn probe(&self) -> Probe {
        self.world.stage.probe(&self.device).expect("an app is open on the simulated device")
    }

    /// The insides of the last 256 apps that were opened on this session's simulated device, by any session.
    pub fn probes(&self) -> Vec<Probe> {
        self.world.stage.probes(&self.device)
    }

    /// What happened to one element.
    pub fn effects(&self, id: &str) -> Effects {
        self.probe().effects(id)
    }

    /// Everything that reached the app so far, one for each input.
    pub fn landed(&self) -> u32 {
        u32::try_from(self.probe().log().len()).unwrap_or(u32::MAX)
    }

    /// Arms a fault.
    pub fn fault(&self, on: Operation, kind: FaultKind) {
        self.arm(Fault::new(on, kind));
    }

    /// Arms a fault on one occurrence, from 1.
    pub fn fault_at(&self, nth: u32, on: Operation, kind: FaultKind) {
        self.arm(Fault::new(on, kind).nth(nth));
    }

    /// Arms a fault that takes its time.
    pub fn slow(&self, on: Operation, kind: FaultKind, time: Duration) {
        self.arm(Fault::new(on, kind).ms(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)));
    }

    /// Arms a fault.
    pub fn arm(&self, fault: Fault) {
        self.probe().faults().inject(fault);
    }

    /// How often any of the faults struck.
    pub fn struck(&self) -> u32 {
        self.probe().faults().struck()
    }
}
