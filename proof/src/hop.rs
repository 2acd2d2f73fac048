//! The remote hop: the real server before a daemon of this process, and the real program as its client.

use std::{path::Path, process::Stdio, time::Duration};

use cut::{At, Ending, Fault, Framing, Proxy, Side, Strike};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    process::Child,
    task::JoinHandle,
};

use crate::{
    patience::{soon, until},
    program::{self, Program},
    seen::Told,
    world::World,
};

/// The token of every server here.
pub const TOKEN: &str = "a-token-that-only-these-tests-know-0123456789";

/// A server, and what is behind it.
pub struct Hop {
    /// The daemon, and the insides of its apps.
    pub world: World,
    /// Where the server listens: `127.0.0.1:PORT`.
    pub address: String,
    serve: Child,
    folder: TempDir,
    /// Ends what it has started when it goes.
    server: Program,
}

/// The server's process.
fn serving(server: &Program, folder: &Path, listen: &str, file: &Path) -> Child {
    let token = folder.join("token");
    let [token, shown] = [token.as_path(), file].map(|path| path.display().to_string());
    server
        .call(&["serve", "--listen", listen, "--token-file", &token, "--print-address-file", &shown])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

impl Hop {
    /// Starts both.
    pub async fn start() -> Self {
        let world = World::start(Some(&program::path())).await;
        let folder = tempfile::Builder::new().prefix("ad").tempdir().expect("a folder for the server");
        let file = folder.path().join("address");
        let server = Program::of_daemon(
            tempfile::Builder::new().prefix("ad").tempdir().expect("a folder"),
            world.state(),
            &world.recorder,
        );
        private(folder.path(), TOKEN);
        let serve = serving(&server, folder.path(), "127.0.0.1:0", &file);
        until("the server to listen", || file.exists()).await;
        let url = std::fs::read_to_string(&file).expect("the address is there");
        let address = url.trim().strip_prefix("http://").expect("an address").to_owned();
        Self { world, address, serve, folder, server }
    }

    /// The server is killed: it says goodbye to nobody.
    pub async fn kill(&mut self) {
        self.serve.start_kill().expect("the server runs");
        soon("the server's end", self.serve.wait()).await.expect("it can be waited for");
    }

    /// Another server where the one was that was killed.
    pub async fn serve_again(&mut self) {
        let file = self.folder.path().join("address-again");
        self.serve = serving(&self.server, self.folder.path(), &self.address, &file);
        until("the other server to listen", || file.exists()).await;
    }

    /// A proxy before the server.
    pub async fn proxy(&self) -> Proxy {
        Proxy::tcp(&self.address, Framing::Http).await
    }

    /// The program on another machine, which has a state folder of its own, and so a lease.
    pub fn client(&self) -> Program {
        self.client_at(&self.address)
    }

    /// The same, through a proxy.
    pub fn client_at(&self, address: &str) -> Program {
        elsewhere(address, TOKEN)
    }

    /// One request as bytes, on a connection of its own.
    pub async fn raw(&self, request: &[u8]) -> Raw {
        raw(&self.address, request).await
    }

    /// An HTTP request with token and lease.
    pub async fn http(&self, line: &str, lease: &str, more: &str, body: &[u8]) -> Raw {
        let head = format!(
            "{line} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {TOKEN}\r\nagent-device-lease: {lease}\r\n{more}connection: close\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        self.raw(&[head.as_bytes(), body].concat()).await
    }

    /// A JSON-RPC object, and the one that comes back.
    pub async fn rpc(&self, lease: &str, method: &str, params: &Value) -> Value {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let reply = self.http("POST /rpc", lease, "", body.as_bytes()).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.body
    }

    /// The failure that a command ends with which is asked for as JSON-RPC.
    pub async fn fails(&self, lease: &str, command: &str, args: Value) -> Told {
        let params =
            json!({"requestId": self.world.request_id(), "session": "ground", "command": command, "args": args});
        let reply = self.rpc(lease, "run", &params).await;
        self.world.recorder.failure(&reply["error"]["data"])
    }

    /// The folders of the leases there are.
    pub fn leases(&self) -> Vec<std::path::PathBuf> {
        let folder = self.world.state().path().join("leases");
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    }

    /// The server is told to stop, and leaves nothing behind; then the daemon.
    pub async fn end(mut self) -> Vec<String> {
        let pid = self.serve.id().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw);
        kill_process(pid.expect("the server runs"), Signal::TERM).expect("it can be told");
        let ended = soon("the server's end", self.serve.wait()).await.expect("it can be waited for");
        assert!(ended.success(), "{ended}");
        assert_eq!(self.leases(), Vec::<std::path::PathBuf>::new(), "files of leases are left");
        drop(self.folder);
        self.world.end().await
    }
}

/// A reply.
#[derive(Debug)]
pub struct Raw {
    /// Its status; 0 where there was none.
    pub status: u16,
    /// All of its head.
    pub head: String,
    /// Its body, if it is JSON.
    pub body: Value,
}

/// One request as bytes, and what comes until the connection ends.
pub async fn raw(address: &str, request: &[u8]) -> Raw {
    let mut stream = TcpStream::connect(address).await.expect("somebody listens");
    // A server may answer, and close, before it has read everything.
    let _refused = stream.write_all(request).await;
    let mut reply = Vec::new();
    let _reset = soon("a reply", stream.read_to_end(&mut reply)).await;
    let text = String::from_utf8_lossy(&reply);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Raw { status, head: head.to_owned(), body: serde_json::from_str(body).unwrap_or_default() }
}

/// The program on another machine.
pub fn elsewhere(address: &str, token: &str) -> Program {
    let mut program = Program::new();
    let file = private(program.folder(), token);
    program.environment = vec![
        ("AGENT_DEVICE_URL".to_owned(), format!("http://{address}")),
        ("AGENT_DEVICE_TOKEN_FILE".to_owned(), file.display().to_string()),
    ];
    program
}

/// A file that only its owner can read.
fn private(folder: &Path, token: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let file = folder.join("token");
    std::fs::write(&file, token).expect("the token can be written");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("and made private");
    file
}

/// The `nth` JSON-RPC object of this method.
pub fn method(method: &str, nth: u32) -> At {
    let method = format!("\"method\":\"{method}\"");
    At::when(nth, move |_, request| String::from_utf8_lossy(request).contains(&method))
}

/// The `nth` request that begins so.
pub fn begins(word: &str, nth: u32) -> At {
    let word = word.to_owned();
    At::when(nth, move |name, _| name.label.starts_with(&word))
}

/// Cuts requests that begin so, each time they are tried.
pub fn cut_each(proxy: &Proxy, word: &str, times: u32) {
    for _ in 0..times {
        proxy.arm(Strike { at: begins(word, 1), fault: Fault::cut(Side::Reply, 0, Ending::Fin) });
    }
}

/// Answers every request with the same bytes.
pub async fn always(reply: impl Into<Vec<u8>>) -> (String, JoinHandle<()>) {
    let reply = reply.into();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("it has an address").to_string();
    let serving = tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.expect("a client connects");
            let reply = reply.clone();
            tokio::spawn(async move {
                let mut request = vec![0; 64 << 10];
                // As far as a client has come is of no concern here.
                while stream.read(&mut request).await.is_ok_and(|read| read > 0) {
                    if stream.write_all(&reply).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    (address, serving)
}

/// How long a lease lives at least, and a while more.
pub const LEAST_LEASE: Duration = Duration::from_secs(5);
