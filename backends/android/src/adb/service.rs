//! One service of the adb server, from the way to its end.

use std::{
    collections::HashMap,
    io,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use contract::{Claim, Code, Dispatched, Effect, Failure, Row};
use tokio::time::Instant;
use wire::{
    Answered, Channel, Context, NotSent, Sent,
    channel::{Rows, reopen},
};

use super::{
    address::Address,
    phone::Phone,
    protocol::{self, Status},
    refusals,
    server::Server,
    socket::Socket,
};

/// The rows of a service.
pub const ROWS: Rows = Rows {
    not_written: Row::AdbNotWritten,
    lost: Row::AdbReplyLost,
    timeout: Row::AdbTimeoutAfterSend,
    look_lost: Row::AdbLookLost,
    unreadable: Row::AdbReplyUnreadable,
};

/// The longest wait for a device that is offline; never more than half of what the request has left.
const OFFLINE_WAIT: Duration = Duration::from_secs(15);

/// How long a device that stayed offline is not waited for again.
const OFFLINE_REST: Duration = Duration::from_secs(30);

/// An adb server. Clones speak to the same one.
#[derive(Debug, Clone)]
pub struct Adb {
    server: Arc<Server>,
    /// Until when a device is not waited for again, unless for more than twice as long as this.
    resting: Arc<Mutex<HashMap<String, (Instant, Duration)>>>,
}

impl Adb {
    /// The server at `address`, started with `program` where none answers.
    pub fn new(address: Address, program: Option<PathBuf>) -> Self {
        Self { server: Arc::new(Server::new(address, program)), resting: Arc::default() }
    }

    /// The server that this process's environment names, started with the adb program that is installed.
    ///
    /// # Errors
    /// `INVALID_ARGS` where the environment names none.
    pub fn from_environment() -> Result<Self, Failure> {
        let address = Address::from_environment(|name| std::env::var(name).ok())?;
        Ok(Self::new(address, super::server::program()))
    }

    /// Where it listens.
    pub fn address(&self) -> &Address {
        self.server.address()
    }

    /// The device with this serial number. Nothing is asked of it yet.
    pub fn device(&self, serial: impl Into<String>) -> Phone {
        Phone::new(self.clone(), serial.into())
    }

    /// The server's version, a small number that rises (41 in platform-tools 28 to 36).
    ///
    /// # Errors
    /// No server, or one that is none.
    pub async fn version(&self, context: &Context) -> Result<u32, Failure> {
        let text = self.ask(context, "host:version", "could not ask the adb server for its version").await?;
        u32::from_str_radix(&text, 16).map_err(|_| {
            Failure::refused(
                Row::AdbServerUnreachable,
                Code::CommandFailed,
                format!("what answers at {} is no adb server: its version is '{text}'", self.address()),
            )
        })
    }

    /// A question to the server itself that is answered with one text.
    pub(super) async fn ask(&self, context: &Context, service: &str, doing: &str) -> Result<String, Failure> {
        let answered =
            self.host(context, Effect::Observes, service, doing, |mut stream| async move {
                protocol::block(&mut stream).await
            })
            .await?;
        Ok(answered.completed())
    }

    /// A service of the server itself. It never reaches an app, so its refusal leaves nothing open.
    pub(super) async fn host<T, F: Future<Output = io::Result<T>>>(
        &self,
        context: &Context,
        effect: Effect,
        service: &str,
        doing: &str,
        read: impl FnOnce(Socket) -> F,
    ) -> Result<Answered<T>, Failure> {
        context.check()?;
        let word = protocol::word(service).map_err(|why| too_long(doing, &why))?;
        let channel = self.server.channel(context).await.map_err(|proof| refusals::failure(proof, doing))?;
        asked(channel, context, effect, &word, doing, read).await?.sort(|reply| reply).map_err(|refused| {
            let text = refused.reply().clone();
            refusals::failure(refused.refused(refusals::meaning(&text).row, text), doing)
        })
    }

    /// A channel whose service words go to the device. Where the device is offline, it is waited for once, for a
    /// bounded time, and the way is opened once more with the proof that nothing went over the first.
    pub(super) async fn way(&self, context: &Context, serial: &str) -> Result<Channel<Socket>, NotSent> {
        match self.select(context, serial).await {
            Err(proof) if proof.row() == Row::AdbDeviceOffline && self.comes_back(context, serial).await => {
                reopen(proof, || self.select(context, serial)).await
            }
            other => other,
        }
    }

    async fn select(&self, context: &Context, serial: &str) -> Result<Channel<Socket>, NotSent> {
        let channel = self.server.channel(context).await?;
        spoken(channel, context, &format!("host:transport:{serial}"), Row::AdbNotWritten, |text| {
            refusals::meaning(text).row
        })
        .await
    }

    /// Waits for a device that is offline.
    async fn comes_back(&self, context: &Context, serial: &str) -> bool {
        let limit = OFFLINE_WAIT.min(context.left() / 2);
        // A wait that was far shorter than this one could be says little of the device.
        let rests =
            self.resting().get(serial).is_some_and(|(until, waited)| *until > Instant::now() && limit <= *waited * 2);
        if limit.is_zero() || rests {
            return false;
        }
        let came = self.wait_for(&context.until(limit), serial).await.is_ok();
        if came {
            self.resting().remove(serial);
        } else {
            self.resting().insert(serial.to_owned(), (Instant::now() + OFFLINE_REST, limit));
        }
        came
    }

    /// Waits until the device is there and answers, at most until the context's deadline.
    ///
    /// # Errors
    /// It does not come, or there is no server.
    pub async fn wait_for(&self, context: &Context, serial: &str) -> Result<(), Failure> {
        let service = format!("host-serial:{serial}:wait-for-any-device");
        let doing = format!("waiting for {serial}");
        let answered = self
            .host(context, Effect::Observes, &service, &doing, |mut stream| async move {
                protocol::status(&mut stream).await
            })
            .await?;
        match answered.completed() {
            Status::Okay => Ok(()),
            Status::Fail(text) => Err(told(&text, &doing)),
        }
    }

    fn resting(&self) -> std::sync::MutexGuard<'_, HashMap<String, (Instant, Duration)>> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Phone {
    /// A service on the device: the word is the operation. What `read` returns is not judged yet.
    pub(super) async fn serve<T, F: Future<Output = io::Result<T>>>(
        &self,
        context: &Context,
        effect: Effect,
        service: &str,
        doing: &str,
        read: impl FnOnce(Socket) -> F,
    ) -> Result<Answered<T>, Failure> {
        context.check()?;
        let word = protocol::word(service).map_err(|why| too_long(doing, &why))?;
        let channel = self.way(context).await.map_err(|proof| refusals::failure(proof, doing))?;
        asked(channel, context, effect, &word, doing, read).await?.sort(|reply| reply).map_err(|refused| {
            // "closed" is all that comes of a service that the device ended at once: it may have seen the word.
            let failure = Failure::lost(
                Row::AdbServiceRefused,
                Code::CommandFailed,
                format!("{doing}: the service was refused ({})", refused.reply().trim()),
            )
            .reason("adb_service_refused");
            refused.undecided();
            looked(effect, failure)
        })
    }

    /// A channel on which `service` was asked for and accepted, so that what is written next is the operation. `gone` is
    /// the row where the device does not accept it.
    pub(super) async fn prepared(
        &self,
        context: &Context,
        service: &str,
        gone: Row,
    ) -> Result<Channel<Socket>, NotSent> {
        spoken(self.way(context).await?, context, service, Row::AdbNotWritten, |_| gone).await
    }

    /// A channel whose next word goes to the device.
    pub(super) async fn way(&self, context: &Context) -> Result<Channel<Socket>, NotSent> {
        self.adb().way(context, self.serial()).await
    }
}

/// Says a word that does nothing to the app. `refused` names the row of a refusal.
async fn spoken(
    channel: Channel<Socket>,
    context: &Context,
    service: &str,
    row: Row,
    refused: impl FnOnce(&str) -> Row,
) -> Result<Channel<Socket>, NotSent> {
    let word = match protocol::word(service) {
        Ok(word) => word,
        Err(why) => return Err(channel.refused(row, why)),
    };
    let (channel, status) = channel
        .prepare(context, row, &word, |mut stream| async move {
            let status = protocol::status(&mut stream).await?;
            Ok((stream, status))
        })
        .await?;
    match status {
        Status::Okay => Ok(channel),
        Status::Fail(text) => Err(channel.refused(refused(&text), text.trim())),
    }
}

/// Asks for a service: the word is the operation. What was said to it, the text of a refusal included, is not judged yet.
async fn asked<T, F: Future<Output = io::Result<T>>>(
    channel: Channel<Socket>,
    context: &Context,
    effect: Effect,
    word: &[u8],
    doing: &str,
    read: impl FnOnce(Socket) -> F,
) -> Result<Answered<Result<T, String>>, Failure> {
    match channel.operate(context, effect, ROWS, word, |stream| accepted(stream, read)).await {
        Sent::NotSent(proof) => Err(refusals::failure(proof, doing)),
        Sent::Lost(lost) => Err(lost.failure(doing)),
        Sent::Answered(answered) => Ok(answered),
    }
}

async fn accepted<T, F: Future<Output = io::Result<T>>>(
    mut stream: Socket,
    read: impl FnOnce(Socket) -> F,
) -> io::Result<Result<T, String>> {
    match protocol::status(&mut stream).await? {
        Status::Okay => read(stream).await.map(Ok),
        Status::Fail(text) => Ok(Err(text)),
    }
}

/// A failure of a look that says nothing of whether it ran: it changed nothing all the same.
pub(super) fn looked(effect: Effect, failure: Failure) -> Failure {
    if effect == Effect::Observes {
        failure.under(Claim { row: Row::AdbLookFailed, dispatched: Dispatched::No })
    } else {
        failure
    }
}

/// The failure behind a text of the server's that came in place of an answer to a service of its own.
pub(super) fn told(text: &str, doing: &str) -> Failure {
    let refusal = refusals::meaning(text);
    Failure::refused(refusal.row, refusal.code, format!("{doing}: {}", text.trim()))
        .reason(refusal.reason)
        .hint(refusal.hint)
}

fn too_long(doing: &str, why: &str) -> Failure {
    Failure::refused(Row::AdbNotWritten, Code::InvalidArgs, format!("{doing}: {why}")).reason("adb_word_unsendable")
}
