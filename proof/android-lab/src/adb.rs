//! A private adb server.

use std::{
    hash::{BuildHasher, RandomState},
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    process::{Child, Command},
    time::{Instant, sleep, timeout_at},
};

/// How long the server may take to start, and a device to be seen.
const LIMIT: Duration = Duration::from_secs(20);
/// How long one question may take before it is asked again.
const TRY: Duration = Duration::from_secs(3);
/// How many ports are tried.
const TRIES: u32 = 5;
/// How often it is asked.
const ASK_EVERY: Duration = Duration::from_millis(20);

/// The server. It ends with this.
#[derive(Debug)]
pub struct Server {
    port: u16,
    home: PathBuf,
    process: Option<Child>,
}

/// Ports that the system does not give away by itself, so that nobody takes one between its choice and adb's start.
const PORTS: std::ops::Range<u16> = 10_000..32_000;

/// A port that is free now, another one each time.
async fn free_port() -> std::io::Result<u16> {
    let mut last = std::io::Error::from(std::io::ErrorKind::AddrInUse);
    for _ in 0..100 {
        // A fresh state hashes by keys of its own: that is all the chance that is needed.
        let chance = RandomState::new().hash_one(std::process::id());
        let port = PORTS.start + u16::try_from(chance % u64::from(PORTS.end - PORTS.start)).unwrap_or_default();
        match TcpListener::bind(("127.0.0.1", port)).await {
            Ok(_) => return Ok(port),
            Err(cause) => last = cause,
        }
    }
    Err(last)
}

impl Server {
    /// Starts one on a free port, with a home folder (for its keys) of its own.
    ///
    /// # Errors
    /// There is no `adb`, or it does not start.
    pub async fn start(home: &Path) -> std::io::Result<Self> {
        let mut trouble = std::io::Error::from(std::io::ErrorKind::AddrInUse);
        for _ in 0..TRIES {
            match Self::start_on(free_port().await?, home).await {
                Ok(server) => return Ok(server),
                // Somebody else may have taken the port meanwhile.
                Err(cause) => trouble = cause,
            }
        }
        Err(trouble)
    }

    async fn start_on(port: u16, home: &Path) -> std::io::Result<Self> {
        let mut child = Command::new("adb")
            .args(["-P", &port.to_string(), "nodaemon", "server"])
            .env("HOME", home)
            // No looking around for emulators of others.
            .env("ADB_LOCAL_TRANSPORT_MAX_PORT", "0")
            .env_remove("ANDROID_ADB_SERVER_PORT")
            .env_remove("ADB_SERVER_SOCKET")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let server = Self { port, home: home.to_owned(), process: None };
        let end = Instant::now() + LIMIT;
        loop {
            let said = server.in_time("host:version").await;
            // One that has ended found its port taken: whoever answers there is another one.
            if let Some(ended) = child.try_wait()? {
                return Err(std::io::Error::other(format!("adb ended with {ended}")));
            }
            match said {
                Ok(Ok(_)) => return Ok(Self { process: Some(child), ..server }),
                said if Instant::now() >= end => {
                    return Err(std::io::Error::other(format!("adb does not start: {said:?}")));
                }
                _ => sleep(ASK_EVERY).await,
            }
        }
    }

    /// One that runs already, such as the one that a person uses.
    pub fn running(port: u16, home: &Path) -> Self {
        Self { port, home: home.to_owned(), process: None }
    }

    /// Where it listens.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Folder of its keys.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Asks it something; what it says, also where it refuses.
    ///
    /// # Errors
    /// It cannot be reached.
    pub async fn ask(&self, what: &str) -> std::io::Result<Result<String, String>> {
        let mut line = TcpStream::connect(("127.0.0.1", self.port)).await?;
        line.write_all(format!("{:04x}{what}", what.len()).as_bytes()).await?;
        let mut verdict = [0; 4];
        line.read_exact(&mut verdict).await?;
        let mut length = [0; 4];
        let text = match line.read_exact(&mut length).await {
            Ok(_) => {
                let length = usize::from_str_radix(&String::from_utf8_lossy(&length), 16).unwrap_or(0);
                let mut text = vec![0; length];
                line.read_exact(&mut text).await?;
                String::from_utf8_lossy(&text).into_owned()
            }
            Err(_) => String::new(),
        };
        Ok(if &verdict == b"OKAY" { Ok(text) } else { Err(text) })
    }

    /// Connects a device and waits until it is one. A server that is still busy with a connection that broke is asked again.
    ///
    /// # Errors
    /// It is not within 20 s.
    pub async fn connect(&self, serial: &str) -> std::io::Result<()> {
        let end = Instant::now() + LIMIT;
        let state = format!("host-serial:{serial}:get-state");
        loop {
            let connected = self.in_time(&format!("host:connect:{serial}")).await;
            let tried = Instant::now();
            while tried.elapsed() < TRY {
                if matches!(self.in_time(&state).await, Ok(Ok(state)) if state == "device") {
                    return Ok(());
                }
                if !matches!(&connected, Ok(Ok(said)) if said.contains("connected to")) {
                    break;
                }
                sleep(ASK_EVERY).await;
            }
            if Instant::now() >= end {
                return Err(std::io::Error::other(format!("{serial} does not connect: {connected:?}")));
            }
            self.disconnect(serial).await;
            sleep(ASK_EVERY).await;
        }
    }

    /// Lets a device go.
    pub async fn disconnect(&self, serial: &str) {
        // One that is not connected is as good.
        let _gone = self.in_time(&format!("host:disconnect:{serial}")).await;
    }

    async fn in_time(&self, what: &str) -> std::io::Result<Result<String, String>> {
        timeout_at(Instant::now() + TRY, self.ask(what)).await.map_err(|_| std::io::ErrorKind::TimedOut)?
    }

    /// Ends it.
    pub async fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            // One that has ended is as good.
            let _gone = process.kill().await;
        }
    }
}
