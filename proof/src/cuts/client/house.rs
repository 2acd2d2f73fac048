//! A daemon of this process that can die and come back, behind the proxy.

use std::{fs::File, path::PathBuf, sync::Arc};

use backend::Provider;
use contract::{Command, Request, Response};
use cut::{Framing, Proxy};
use daemon::{
    client::Client,
    router::Router,
    server::Server,
    state_dir::{StateDir, fnv},
};
use stage::{Probe, StageProvider};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use wire::Context;

use crate::{
    cuts::stage::operations::{APP, Count},
    patience::{LIMIT, soon, until},
};

/// The session of every command.
pub const SESSION: &str = "cut";
/// The simulated device that each session has for itself.
const DEVICE: &str = "stage";

/// The daemon, its device, and the way of its clients.
pub struct House {
    /// Between clients and daemon.
    pub proxy: Proxy,
    /// The app's file.
    pub app: PathBuf,
    /// Where clients look for the daemon: there the proxy listens.
    pub front: StateDir,
    stage: StageProvider,
    behind: StateDir,
    build: String,
    router: Arc<Router>,
    serving: JoinHandle<()>,
    /// Of daemons that died: what they had begun goes on.
    dying: Vec<Arc<Router>>,
    next: u64,
    /// Held so that no client's own attempt at a daemon takes the place of the proxy.
    _front_lock: File,
    /// Removed last.
    folder: TempDir,
}

impl House {
    /// Starts one of this identity of the build.
    pub async fn start(build: String) -> Self {
        let folder = tempfile::Builder::new().prefix("ad").tempdir().expect("a folder for the state");
        let state = |name: &str| {
            let state = StateDir::find(Some(&folder.path().join(name))).expect("a state folder");
            state.create().expect("it can be made");
            state
        };
        let (front, behind) = (state("front"), state("behind"));
        let lock = File::options().create(true).truncate(false).write(true).open(front.lock()).expect("a lock file");
        lock.try_lock().expect("nobody has it");
        let app = folder.path().join("app.toml");
        std::fs::write(&app, APP).expect("the app can be written");
        let proxy = Proxy::unix(&front.socket(), &behind.socket(), Framing::Lines);
        let stage = StageProvider::new();
        let (router, serving) = serve(&stage, &behind, &build);
        Self {
            proxy,
            app,
            front,
            stage,
            behind,
            build,
            router,
            serving,
            dying: Vec::new(),
            next: 0,
            _front_lock: lock,
            folder,
        }
    }

    /// The daemon goes at once, as one that is killed: connections break, and nobody listens. What the device has been
    /// given, it still does.
    pub async fn dies(&mut self) {
        self.serving.abort();
        let _aborted = (&mut self.serving).await;
        // Gone already is as good.
        let _gone = std::fs::remove_file(self.behind.socket());
    }

    /// Another daemon, without sessions, listens in the place of the one before.
    pub fn comes_back(&mut self) {
        let (router, serving) = serve(&self.stage, &self.behind, &self.build);
        self.dying.push(std::mem::replace(&mut self.router, router));
        self.serving = serving;
    }

    /// The daemon is told to stop, and ends as it does then.
    pub fn stops(&self) {
        self.router.stop.cancel();
    }

    /// Waits until a daemon that was told to stop has ended.
    pub async fn stopped(&mut self) {
        soon("the daemon's end", &mut self.serving).await.expect("the server does not panic");
    }

    /// Returns once nothing that was asked for goes on any more.
    pub async fn rests(&mut self) {
        // Served when its turn comes: behind whatever the session was asked before. It need not be open.
        drop(self.inside("snapshot").await);
        for router in self.dying.drain(..) {
            until("the requests of a daemon that died to end", || Arc::strong_count(&router) == 1).await;
        }
    }

    /// Whether a daemon serves.
    pub fn serves(&self) -> bool {
        !self.serving.is_finished()
    }

    /// Everything ends.
    pub async fn end(mut self) {
        self.dies().await;
        self.proxy.close().await;
        drop(self.folder);
    }

    /// A client that goes through the proxy and starts nothing.
    pub fn client(&self) -> Client {
        let mut client = Client::new(self.front.clone());
        client.start = false;
        client
    }

    /// A request with an id of its own.
    pub fn request(&mut self, line: &str, limit_ms: u64) -> (Request, Command) {
        self.next += 1;
        let line = line.replace("{app}", &self.app.display().to_string());
        let command = Command::from_line(&line).unwrap_or_else(|why| panic!("{line}: {why}"));
        let request = Request {
            session: Some(SESSION.to_owned()),
            timeout_ms: Some(limit_ms),
            ..Request::new(request_id(self.next), &command)
        };
        (request, command)
    }

    /// Runs a line past client, proxy and socket.
    pub async fn inside(&mut self, line: &str) -> Response {
        let (request, _) = self.request(line, 20_000);
        self.router.answer(request, Context::with_limit(LIMIT).cancel).await
    }

    /// What the device has counted so far, over all apps that were started on it.
    pub fn counted(&self, count: Count) -> u32 {
        let each = |probe: &Probe| match count {
            Count::Log => u32::try_from(probe.log().len()).unwrap_or(u32::MAX),
            Count::Started => probe.started(),
            Count::Closed => u32::from(probe.closed()),
        };
        self.stage.probes(DEVICE).iter().map(each).sum()
    }
}

/// An id of which no one flipped bit makes that of another request. All have one length.
pub fn request_id(number: u64) -> String {
    format!("cut-{:016x}", fnv(&number.to_le_bytes()))
}

fn serve(stage: &StageProvider, behind: &StateDir, build: &str) -> (Arc<Router>, JoinHandle<()>) {
    let providers: Vec<Arc<dyn Provider>> = vec![Arc::new(stage.clone())];
    let router = Arc::new(Router::new(behind.clone(), providers));
    let listener = Server::bind(&behind.socket()).expect("the socket can be bound");
    let serving = tokio::spawn(Server::new(router.clone(), build.to_owned()).serve(listener));
    (router, serving)
}
