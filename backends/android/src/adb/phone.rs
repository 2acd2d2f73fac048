//! One device: what it can do, and what is asked of it.

use std::{collections::BTreeSet, io, sync::Arc};

use contract::{Effect, Failure, Row};
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    sync::OnceCell,
};
use wire::{Answered, Channel, Context, NotSent};

use super::{protocol, service::Adb, socket::Socket};

/// A reply larger than this is an error, bytes.
pub(super) const REPLY_LIMIT: usize = 256 << 20;

/// What a device's adbd can do, as it says itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Features(BTreeSet<String>);

impl Features {
    /// Reads the list, names with commas between them.
    pub fn parse(list: &str) -> Self {
        Self(list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// Whether it has this one.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// All names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// A device behind an adb server. Clones are the same device.
#[derive(Debug, Clone)]
pub struct Phone {
    adb: Adb,
    serial: Arc<str>,
    features: Arc<OnceCell<Features>>,
}

impl Phone {
    pub(super) fn new(adb: Adb, serial: String) -> Self {
        Self { adb, serial: serial.into(), features: Arc::default() }
    }

    /// The same device, taken to have these features instead of asking for them.
    #[must_use]
    pub fn with_features(self, features: Features) -> Self {
        Self { features: Arc::new(OnceCell::new_with(Some(features))), ..self }
    }

    /// The server that it is behind.
    pub const fn adb(&self) -> &Adb {
        &self.adb
    }

    /// Its serial number.
    pub fn serial(&self) -> &str {
        &self.serial
    }

    /// What its adbd can do. Asked once.
    ///
    /// # Errors
    /// No way to the device.
    pub async fn features(&self, context: &Context) -> Result<&Features, Failure> {
        self.features
            .get_or_try_init(|| async {
                let service = format!("host-serial:{}:features", self.serial);
                let doing = format!("could not ask what {} can do", self.serial);
                context.check()?;
                // The way is opened first: that is where a device that is offline is waited for.
                drop(self.way(context).await.map_err(|proof| super::refusals::failure(proof, &doing))?);
                Ok(Features::parse(&self.adb.ask(context, &service, &doing).await?))
            })
            .await
    }

    /// A program's raw output, without exit code, over `exec:`. The end of the connection is taken for its end.
    ///
    /// # Errors
    /// No way to the device, or the output was lost half-way.
    pub async fn exec(&self, context: &Context, effect: Effect, line: &str) -> Result<Answered<Vec<u8>>, Failure> {
        let doing = self.running(line);
        self.serve(context, effect, &format!("exec:{line}"), &doing, whole).await
    }

    /// A byte stream to what listens on a TCP port of the device's own loopback. Nothing has been written on it: what
    /// comes next is the operation. `gone` is the row where nothing listens.
    ///
    /// # Errors
    /// No way to the device, or nothing listens.
    pub async fn tcp(&self, context: &Context, port: u16, gone: Row) -> Result<Channel<Socket>, NotSent> {
        self.prepared(context, &format!("tcp:{port}"), gone).await
    }

    /// The same for a socket in the abstract namespace, as `scrcpy` and web views use.
    ///
    /// # Errors
    /// No way to the device, or nothing listens.
    pub async fn abstract_socket(&self, context: &Context, name: &str, gone: Row) -> Result<Channel<Socket>, NotSent> {
        self.prepared(context, &format!("localabstract:{name}"), gone).await
    }

    /// Waits until the device is there and answers, at most until the context's deadline.
    ///
    /// # Errors
    /// It does not come, or there is no server.
    pub async fn wait_for(&self, context: &Context) -> Result<(), Failure> {
        self.adb.wait_for(context, &self.serial).await
    }

    /// What is being done, for messages: the program by its name, without the arguments (they may be secrets).
    pub(super) fn running(&self, line: &str) -> String {
        let program = line.split_whitespace().next().unwrap_or("a program");
        format!("could not run '{program}' on {}", self.serial)
    }
}

/// Reads to the end of the stream.
pub(super) async fn whole(stream: impl AsyncRead + Unpin) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    stream.take(REPLY_LIMIT as u64 + 1).read_to_end(&mut all).await?;
    if all.len() > REPLY_LIMIT {
        return Err(protocol::garbled("it is larger than any reply may be"));
    }
    Ok(all)
}
