//! Connecting to the adb server, and starting it where none answers. It is never stopped or replaced.

use std::{
    env, io,
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use contract::Row;
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::Command,
    sync::Mutex,
    time::timeout,
};
use wire::{Channel, Context, NotSent};

use super::{address::Address, socket::Socket};

/// How long `adb start-server` may take. It waits itself for up to 3 s until the server answers.
const START_LIMIT: Duration = Duration::from_secs(20);

/// One adb server, running or not.
#[derive(Debug)]
pub struct Server {
    address: Address,
    program: Option<PathBuf>,
    starting: Mutex<()>,
}

impl Server {
    /// The server at `address`, started with `program` where nothing answers there. `None`: it is not started.
    pub fn new(address: Address, program: Option<PathBuf>) -> Self {
        Self { address, program, starting: Mutex::new(()) }
    }

    /// Where it listens.
    pub const fn address(&self) -> &Address {
        &self.address
    }

    /// A connection on which nothing has been said.
    ///
    /// # Errors
    /// `adb.server-unreachable`, or `adb.tool-missing` where there is no program to start it with.
    pub async fn channel(self: &Arc<Self>, context: &Context) -> Result<Channel<Socket>, NotSent> {
        let mut absent = false;
        let first = Channel::connect(context, Row::AdbServerUnreachable, async {
            self.address.connect().await.map_err(|why| {
                absent = nobody(&why);
                at(&self.address, &why)
            })
        })
        .await;
        if first.is_ok() || !absent || !self.address.is_here() {
            return first;
        }
        let Some(program) = self.program.clone() else {
            let missing =
                "no adb server answers, and there is no adb program in PATH, ANDROID_HOME or ANDROID_SDK_ROOT";
            return Channel::connect(context, Row::AdbToolMissing, async { Err(io::Error::other(missing)) }).await;
        };
        // In a task of its own: a caller that goes away does not leave a server half started.
        let server = self.clone();
        let started = tokio::spawn(async move { server.started(&program).await });
        Channel::connect(context, Row::AdbServerUnreachable, async {
            started.await.map_err(io::Error::other)??;
            self.address.connect().await.map_err(|why| at(&self.address, &why))
        })
        .await
    }

    /// Starts the server, unless another caller did by now.
    async fn started(&self, program: &Path) -> io::Result<()> {
        let _one_at_a_time = self.starting.lock().await;
        if self.address.connect().await.is_ok() {
            return Ok(());
        }
        let mut child = Command::new(program)
            .args(self.address.arguments())
            .arg("start-server")
            .env_remove("ADB_SERVER_SOCKET")
            .env_remove("ANDROID_ADB_SERVER_ADDRESS")
            .env_remove("ANDROID_ADB_SERVER_PORT")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|why| io::Error::new(why.kind(), format!("{}: {why}", program.display())))?;
        let stderr = child.stderr.take();
        let mut said = Vec::new();
        let ended = timeout(START_LIMIT, async {
            // The server may inherit the pipe, so its end is not waited for, only the program's.
            tokio::select! {
                biased;
                never = gather(stderr, &mut said) => never,
                status = child.wait() => status,
            }
        })
        .await;
        let said = String::from_utf8_lossy(&said).trim().to_owned();
        match ended {
            Ok(Ok(status)) if status.success() => Ok(()),
            Ok(Ok(status)) => Err(io::Error::other(format!("adb start-server ended with {status}: {said}"))),
            Ok(Err(why)) => Err(why),
            Err(_) => Err(io::Error::new(
                io::ErrorKind::TimedOut,
                format!("adb start-server did not end within {} s: {said}", START_LIMIT.as_secs()),
            )),
        }
    }
}

/// Collects what is said for as long as it is polled.
async fn gather<T>(stream: Option<impl AsyncRead + Unpin>, said: &mut Vec<u8>) -> T {
    if let Some(mut stream) = stream {
        while stream.read_buf(said).await.is_ok_and(|count| count > 0) {}
    }
    std::future::pending().await
}

/// Whether an error says that nothing listens, as against one that may pass.
fn nobody(why: &io::Error) -> bool {
    matches!(why.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound)
}

fn at(address: &Address, why: &io::Error) -> io::Error {
    io::Error::new(why.kind(), format!("adb server at {address}: {why}"))
}

/// The adb program: on the PATH, or in the SDK that `ANDROID_HOME` or `ANDROID_SDK_ROOT` names.
pub fn program() -> Option<PathBuf> {
    let on_path = env::var_os("PATH").into_iter().flat_map(|path| env::split_paths(&path).collect::<Vec<_>>());
    let in_sdk = ["ANDROID_HOME", "ANDROID_SDK_ROOT"]
        .into_iter()
        .filter_map(env::var_os)
        .map(|sdk| Path::new(&sdk).join("platform-tools"));
    on_path.chain(in_sdk).map(|folder| folder.join("adb")).find(|program| program.is_file())
}
