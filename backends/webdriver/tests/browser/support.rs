//! A small web site, an opened browser, how it is looked at.

use std::{path::PathBuf, sync::Arc, time::Duration};

use backend::{Aim, Aimed, Device, Input, Landing, Provider, Receipt};
use contract::{
    Failure, Sends,
    command::{Browser, Button, Open},
};
use screen::{Node, NodeKey, Tree};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use webdriver::{WebProvider, driver::processes};
use wire::Context;

/// Which browser is tried.
pub fn browser() -> Browser {
    match std::env::var("AGENT_DEVICE_TEST_BROWSER").as_deref() {
        Ok("firefox") => Browser::Firefox,
        Ok("webkit") => Browser::Webkit,
        _ => Browser::Chrome,
    }
}

pub fn is_chrome() -> bool {
    browser() == Browser::Chrome
}

pub fn is_webkit() -> bool {
    browser() == Browser::Webkit
}

/// The pages of `tests/pages`, and a few addresses that behave in special ways.
pub struct Site {
    pub port: u16,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Site {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let task = tokio::spawn(async move {
            loop {
                let Ok((stream, _)) = listener.accept().await else { return };
                tokio::spawn(async move {
                    // A browser may hang up at any time.
                    let _gone = serve(stream, port).await;
                });
            }
        });
        Self { port, task }
    }

    pub fn at(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.port)
    }
}

async fn serve(mut stream: TcpStream, port: u16) -> std::io::Result<()> {
    let mut seen = Vec::new();
    while !seen.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut part = [0; 4096];
        match stream.read(&mut part).await? {
            0 => return Ok(()),
            count => seen.extend_from_slice(&part[..count]),
        }
    }
    let text = String::from_utf8_lossy(&seen).into_owned();
    let target = text.split(' ').nth(1).unwrap_or("/").to_owned();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let mut headers = String::new();
    let (status, kind, body) = match path {
        "/hang" => {
            std::future::pending::<()>().await;
            return Ok(());
        }
        "/close" => return Ok(()),
        "/missing" => (404, "text/html", "<title>Missing</title><h1>Missing</h1>".to_owned()),
        "/download" => {
            headers = format!("Content-Disposition: attachment; filename=\"{query}\"\r\n");
            (200, "application/octet-stream", "0123456789".repeat(1000))
        }
        "/nodes" => (200, "text/html", nodes(query.parse().unwrap_or(10))),
        _ => {
            let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pages").join(path.trim_start_matches('/'));
            match std::fs::read_to_string(file) {
                Ok(page) => {
                    (200, "text/html; charset=utf-8", page.replace("{other}", &format!("http://localhost:{port}")))
                }
                Err(_) => (404, "text/plain", "no such page".to_owned()),
            }
        }
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{headers}Cache-Control: no-store\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}

/// A page of `count` rows, each with a button.
fn nodes(count: u32) -> String {
    let rows: String =
        (0..count).map(|n| format!("<li><span>Row {n}</span> <button>Press {n}</button></li>")).collect();
    format!("<!doctype html><title>Rows</title><ul>{rows}</ul>")
}

/// An opened browser.
pub struct Opened {
    pub device: Arc<dyn Device>,
    pub state: TempDir,
    pub site: Site,
}

/// Time for one step of a test.
pub fn context() -> Context {
    Context::with_limit(Duration::from_secs(60))
}

pub fn open_at(app: Option<String>) -> Open {
    Open { app, browser: Some(browser()), ..Open::default() }
}

impl Opened {
    /// A browser that shows a page of the site.
    pub async fn at(path: &str) -> Self {
        Self::with(path, |_| {}).await
    }

    pub async fn with(path: &str, change: impl FnOnce(&mut Open)) -> Self {
        let site = Site::start().await;
        let state = tempfile::tempdir().unwrap();
        let mut open = open_at(Some(site.at(path)));
        change(&mut open);
        let provider = WebProvider::new(state.path().to_owned());
        let device = provider.open(&context(), &browser().to_string(), &open).await.unwrap();
        Self { device, state, site }
    }

    /// Ends it, and looks that nothing is left.
    pub async fn end(self) {
        self.device.close(&context()).await.unwrap();
        self.assert_nothing_left();
    }

    pub fn assert_nothing_left(&self) {
        let folder = self.state.path().canonicalize().unwrap();
        assert_eq!(processes::naming(&folder), [], "processes are left");
        let left: Vec<_> = std::fs::read_dir(folder.join("browsers")).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
    }

    pub async fn tree(&self) -> Tree {
        self.device.capture(&context(), 5000).await.unwrap()
    }

    /// The key of the element of that role and name.
    pub async fn key(&self, role: &str, name: &str) -> NodeKey {
        let tree = self.tree().await;
        named(&tree, role, name).key.unwrap()
    }

    pub async fn aim(&self, node: NodeKey) -> Aimed {
        self.device.aim(&context(), node).await.unwrap().unwrap()
    }

    pub async fn landing(&self, node: NodeKey) -> Landing {
        match self.aim(node).await {
            Aimed::Ready(landing) => landing,
            other => panic!("not ready: {other:?}"),
        }
    }

    pub async fn perform(&self, input: Input) -> (Result<Receipt, Failure>, Sends) {
        let context = context();
        let result = self.device.perform(&context, input).await;
        (result, context.ledger.sends())
    }

    /// What the daemon does for a press: look, then press where the look said.
    pub async fn press_key(&self, node: NodeKey) -> Result<Receipt, Failure> {
        let landing = self.landing(node).await;
        let aim = Aim { point: landing.point, node: Some(node) };
        self.perform(Input::Press { aim, button: Button::Primary, hold_ms: 0 }).await.0
    }

    pub async fn press(&self, role: &str, name: &str) -> Result<Receipt, Failure> {
        self.press_key(self.key(role, name).await).await
    }

    /// What the page itself wrote into its log.
    pub async fn log(&self) -> String {
        self.log_named("log").await
    }

    pub async fn log_named(&self, id: &str) -> String {
        let tree = self.tree().await;
        let node = by_id(&tree, id).unwrap_or_else(|| panic!("no #{id} in {}", names(&tree)));
        self.device.text(&context(), node.key.unwrap()).await.unwrap().unwrap()
    }

    /// Waits until the log says something.
    pub async fn wait_log(&self, wanted: &str) {
        self.wait_for(&format!("the log {wanted:?}"), async || self.log().await == wanted).await;
    }

    /// The same for what needs no browser to be seen.
    pub async fn wait_until(&self, holds: impl Fn() -> bool, what: &str) {
        self.wait_for(what, async || holds()).await;
    }

    /// Looks until something holds; fails after ten seconds.
    pub async fn wait_for(&self, what: &str, holds: impl AsyncFn() -> bool) {
        let end = tokio::time::Instant::now() + Duration::from_secs(10);
        while !holds().await {
            assert!(tokio::time::Instant::now() < end, "never: {what}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

pub fn names(tree: &Tree) -> String {
    tree.nodes().iter().map(|node| format!("{}{:?}", node.role, node.name)).collect::<Vec<_>>().join(" ")
}

pub fn named<'a>(tree: &'a Tree, role: &str, name: &str) -> &'a Node {
    tree.nodes()
        .iter()
        .find(|node| node.role.as_str() == role && &*node.name == name)
        .unwrap_or_else(|| panic!("no {role} {name:?} in {}", names(tree)))
}

pub fn by_id<'a>(tree: &'a Tree, id: &str) -> Option<&'a Node> {
    tree.nodes().iter().find(|node| node.identifier.as_deref() == Some(id))
}

/// The row that a failure names.
pub fn row(failure: &Failure) -> &'static str {
    failure.claim().map_or("", |claim| claim.row.id())
}
