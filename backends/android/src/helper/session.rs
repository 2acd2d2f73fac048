//! One helper that runs on, from its start to its end.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use contract::{Effect, Failure};
use tokio::{sync::watch, time::timeout_at};
use tokio_util::sync::{CancellationToken, DropGuard};
use wire::Context;

use super::{
    exchange::exchange,
    features::Features,
    fields::{Fields, HelperError},
    journal::Asked,
    options::{KEEP_ALIVE, Options},
    records::{Block, Records},
    request::{Action, Ask, DeviceClock, new_id, random},
};
use crate::adb::{Event, Phone, Running};

/// How long a helper may take to say that it listens. A cold start on a slow emulator takes several seconds.
const READY_LIMIT: Duration = Duration::from_secs(15);
/// How long a keep-alive may take.
const KEEP_ALIVE_LIMIT: Duration = Duration::from_secs(5);
/// Ports that are tried, and where: below those that Android gives to outgoing connections (32768 and up).
const PORTS: std::ops::Range<u16> = 20_000..32_000;
const PORT_TRIES: u32 = 3;

/// A helper that listens.
#[derive(Debug)]
pub struct Session {
    port: u16,
    features: Features,
    version: String,
    memory: Mutex<Memory>,
    ended: watch::Receiver<Option<Ending>>,
    /// Ends the tasks that read its output and keep it alive.
    _tasks: DropGuard,
}

/// What its answers have told so far.
#[derive(Debug, Default)]
struct Memory {
    boot_id: Option<String>,
    accepted: Option<u64>,
    clock: Option<DeviceClock>,
}

/// How it ended by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// What it said last.
    pub said: String,
}

/// Why none could be started.
#[derive(Debug)]
pub enum StartError {
    /// The helper or the system said no, or nothing.
    Failed(String),
    /// Another program holds UiAutomation.
    Occupied(String),
    /// There is no way to the device, or no time left: nothing is known of the helper.
    NoWay(Failure),
}

impl Session {
    /// Starts a helper and waits until it listens.
    ///
    /// # Errors
    /// See [`StartError`].
    pub async fn start(phone: &Phone, context: &Context, runner: &str, options: Options) -> Result<Self, StartError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let span = u64::from(PORTS.end - PORTS.start);
            let port = PORTS.start + u16::try_from(random() % span).unwrap_or_default();
            match Self::start_on(phone, context, runner, options, port).await {
                Err(Refused::PortTaken(_)) if tries < PORT_TRIES => {}
                Err(Refused::PortTaken(why)) => return Err(StartError::Failed(why)),
                Err(Refused::Other(error)) => return Err(error),
                Ok(session) => return Ok(session),
            }
        }
    }

    async fn start_on(
        phone: &Phone,
        context: &Context,
        runner: &str,
        options: Options,
        port: u16,
    ) -> Result<Self, Refused> {
        let limited = context.until(READY_LIMIT);
        let arguments = options.session_arguments(runner, port);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut running = match phone.spawn(&limited, Effect::Manages, &arguments).await {
            Ok(answered) => answered.completed(),
            Err(failure) => return Err(Refused::Other(StartError::NoWay(failure))),
        };
        let mut records = Records::default();
        let ready = match timeout_at(limited.deadline, ready(&mut running, &mut records)).await {
            Ok(ready) => ready?,
            // A request that had no more time than that says nothing of the helper.
            Err(_) => {
                return Err(match context.check() {
                    Err(failure) => Refused::Other(StartError::NoWay(failure)),
                    Ok(()) => failed("it did not say within the time limit that it listens"),
                });
            }
        };
        let port = ready.number("sessionPort").unwrap_or(port);
        let stop = CancellationToken::new();
        let (tell, ended) = watch::channel(None);
        let session = Self {
            port,
            features: Features::of(&ready),
            version: ready.get("helperVersion").unwrap_or_default().to_owned(),
            memory: Mutex::default(),
            ended,
            _tasks: stop.clone().drop_guard(),
        };
        session.hear(&ready);
        tokio::spawn(listen(running, records, tell, stop.clone()));
        if session.features.contains(Features::FOREGROUND) {
            tokio::spawn(keep_alive(phone.clone(), port, stop));
        }
        Ok(session)
    }

    /// The device's port that it listens on.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// What it can do beyond the base protocol.
    pub const fn features(&self) -> Features {
        self.features
    }

    /// Its version, empty where it does not say.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// How it ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.ended.borrow().clone()
    }

    /// Waits for its end, at most until then.
    pub async fn wait_for_end(&self, deadline: tokio::time::Instant) -> Option<Ending> {
        let mut ended = self.ended.clone();
        match timeout_at(deadline, ended.wait_for(Option::is_some)).await {
            Ok(Ok(ending)) => ending.clone(),
            // The task that listens is gone, and with it the stream: that is an end as well.
            Ok(Err(_)) => Some(Ending { said: String::new() }),
            Err(_) => None,
        }
    }

    /// Notes what an answer tells of the helper itself.
    pub fn hear(&self, fields: &Fields) {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(boot) = fields.get("bootId") {
            memory.boot_id = Some(boot.to_owned());
        }
        if let Some(accepted) = fields.number("acceptedTotal") {
            memory.accepted = Some(accepted);
        }
        if let Some(elapsed) = fields.number("elapsedRealtimeMs") {
            memory.clock = Some(DeviceClock::heard(elapsed));
        }
    }

    /// Which journal will be told the next command; `None` where there is none to ask afterwards.
    pub fn asked(&self) -> Option<Asked> {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let boot_id = memory.boot_id.clone().filter(|_| self.features.contains(Features::JOURNAL))?;
        Some(Asked { boot_id, accepted_before: memory.accepted? })
    }

    /// Which helper process this is; changes with every start.
    pub fn boot_id(&self) -> Option<String> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).boot_id.clone()
    }

    /// The device's time at a moment, ms; `None` where it is not known or the helper does not look at it.
    pub fn device_time(&self, moment: tokio::time::Instant) -> Option<u64> {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory.clock.filter(|_| self.features.contains(Features::DEADLINE)).map(|clock| clock.at(moment))
    }
}

enum Refused {
    PortTaken(String),
    Other(StartError),
}

fn failed(why: impl Into<String>) -> Refused {
    Refused::Other(StartError::Failed(why.into()))
}

/// Reads until the helper says that it listens.
async fn ready(running: &mut Running, records: &mut Records) -> Result<Fields, Refused> {
    let mut errors = String::new();
    loop {
        let blocks = match running.next().await {
            Ok(Event::Output(bytes)) => records.feed(&bytes),
            Ok(Event::Errors(bytes)) => {
                errors.push_str(&String::from_utf8_lossy(&bytes));
                continue;
            }
            Ok(Event::Ended(_)) => {
                let blocks = records.end();
                if blocks.is_empty() {
                    return Err(failed(format!("it ended at once: {}{errors}", records.stray())));
                }
                blocks
            }
            Err(why) => return Err(failed(format!("the connection broke while it started: {why}"))),
        };
        for block in blocks {
            match block {
                Block::Status(_, fields) if fields.flag("sessionReady") == Some(true) => {
                    return match fields.foreign_protocol() {
                        Some(name) => Err(failed(format!("it speaks another protocol: {name}"))),
                        None => Ok(fields),
                    };
                }
                Block::Status(..) => {}
                Block::NotStarted(why) => return Err(failed(why)),
                Block::Result(_, fields) => return Err(not_ready(&fields)),
            }
        }
    }
}

/// What a final record in place of the ready one means.
fn not_ready(fields: &Fields) -> Refused {
    if let Some(short) = fields.get("shortMsg") {
        let why = fields.get("longMsg").unwrap_or(short).to_owned();
        // The system's own words where UiAutomation is taken: "UiAutomationService ... already registered!".
        let occupied = why.contains("already registered") || why.contains("UiAutomation not connected");
        return Refused::Other(if occupied { StartError::Occupied(why) } else { StartError::Failed(why) });
    }
    let error: HelperError = fields.error();
    match error.simple() {
        "BindException" => Refused::PortTaken(error.to_string()),
        "TimeoutException" | "NotConnectedException" => Refused::Other(StartError::Occupied(error.to_string())),
        _ => failed(error.to_string()),
    }
}

/// Reads the output to its end, so that the helper is never held up by it, and tells how it ended.
async fn listen(
    mut running: Running,
    mut records: Records,
    tell: watch::Sender<Option<Ending>>,
    stop: CancellationToken,
) {
    let mut said = String::new();
    let mut over = false;
    while !over {
        let event = tokio::select! {
            () = stop.cancelled() => return,
            event = running.next() => event,
        };
        let blocks = match event {
            Ok(Event::Output(bytes)) => records.feed(&bytes),
            Ok(Event::Errors(bytes)) => {
                said = String::from_utf8_lossy(&bytes).trim().to_owned();
                Vec::new()
            }
            Ok(Event::Ended(_)) => {
                over = true;
                records.end()
            }
            Err(why) => {
                over = true;
                said = why.to_string();
                Vec::new()
            }
        };
        for block in blocks {
            match block {
                Block::Result(_, fields) if fields.ok() => said = "it ended as told".to_owned(),
                Block::Result(_, fields) => {
                    said = fields.get("longMsg").map_or_else(|| fields.error().to_string(), str::to_owned);
                }
                Block::NotStarted(why) => said = why,
                Block::Status(..) => {}
            }
        }
    }
    // Nobody may be listening any more.
    let _told = tell.send(Some(Ending { said }));
}

/// Lets the helper know that its host is still there.
async fn keep_alive(phone: Phone, port: u16, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(KEEP_ALIVE) => {}
        }
        let context = Context::with_limit(KEEP_ALIVE_LIMIT);
        let id = new_id(Action::Foreground);
        let line = Ask::of(Action::Foreground).with(serde_json::json!({})).line(&id);
        // A helper that is gone is noticed by whoever needs it next.
        drop(exchange(&phone, port, &context, Effect::Observes, &id, &line).await);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Fields {
        pairs.iter().copied().collect()
    }

    #[test]
    fn a_start_that_failed_is_told_apart_by_what_was_said() {
        let taken =
            not_ready(&fields(&[("ok", "false"), ("errorType", "java.net.BindException"), ("message", "EADDRINUSE")]));
        assert!(matches!(taken, Refused::PortTaken(_)));
        let crash =
            |long: &str| not_ready(&fields(&[("shortMsg", "java.lang.IllegalStateException"), ("longMsg", long)]));
        let registered = "java.lang.IllegalStateException: UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@1 already registered!";
        assert!(matches!(crash(registered), Refused::Other(StartError::Occupied(_))));
        assert!(matches!(crash("java.lang.NullPointerException"), Refused::Other(StartError::Failed(_))));
        let late = not_ready(&fields(&[
            ("ok", "false"),
            ("errorType", "java.util.concurrent.TimeoutException"),
            ("message", "m"),
        ]));
        assert!(matches!(late, Refused::Other(StartError::Occupied(_))));
    }
}
