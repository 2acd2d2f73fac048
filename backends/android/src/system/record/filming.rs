//! The recorder on the device. Android's `screenrecord` ends by itself after three minutes, so a film comes in parts.

use std::{
    io,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use contract::{Effect, Failure};
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use wire::Context;

use super::failed;
use crate::adb::{Phone, Running};

/// The longest part, s: `screenrecord`'s own limit (`kMaxTimeLimitSec` up to Android 13).
const LONGEST_PART_S: u32 = 180;
/// The largest part, bytes: it is held in memory when it is fetched.
const LARGEST_PART: u32 = 200_000_000;
/// A part that ended earlier than this by itself did not end because its time was up, on a device that tells no exit
/// codes.
const SHORTEST_PART: Duration = Duration::from_secs(30);
/// How long the recorder may take to begin.
const BEGINS_WITHIN: Duration = Duration::from_secs(8);
/// How long it may take to write its index after it was told to end.
const ENDS_WITHIN: Duration = Duration::from_secs(10);
/// How long the round trip that tells it may take.
const TOLD_WITHIN: Duration = Duration::from_secs(5);
/// Pause between two looks at whether the file is there.
const INTERVAL: Duration = Duration::from_millis(100);
/// Where the parts lie until they are fetched, and how their names begin.
pub(super) const BEGINNING: &str = "/data/local/tmp/agent-device-";

/// Films of this process so far: part of a file's name.
static FILMS: AtomicU32 = AtomicU32::new(0);

/// A film that is being made.
#[derive(Debug)]
pub struct Filming {
    stop: CancellationToken,
    task: JoinHandle<(Vec<String>, Option<String>)>,
    since: Instant,
}

/// A film that was made.
#[derive(Debug)]
pub struct Filmed {
    /// Its parts on the device, in order.
    pub files: Vec<String>,
    /// How long it was filmed.
    pub duration: Duration,
    /// Why it ended early.
    pub problem: Option<String>,
}

/// One run of the recorder.
struct Part {
    file: String,
    process: u32,
    running: Running,
}

impl Filming {
    /// Begins with `rate` bits per second. The recorder runs when this returns.
    ///
    /// # Errors
    /// No way to the device; `android.recording-failed` with the recorder's own words.
    pub async fn start(context: &Context, phone: &Phone, rate: u32) -> Result<Self, Failure> {
        let film = format!("{BEGINNING}{}-{}", std::process::id(), FILMS.fetch_add(1, Ordering::Relaxed));
        let first = begin(context, phone, rate, format!("{film}-1.mp4")).await?;
        let since = Instant::now();
        let stop = CancellationToken::new();
        let task = tokio::spawn(film_on(phone.clone(), rate, film, first, stop.clone()));
        Ok(Self { stop, task, since })
    }

    /// Ends it and waits until the recorder has written what it has.
    pub async fn stop(self) -> Filmed {
        let duration = self.since.elapsed();
        self.stop.cancel();
        let (files, problem) =
            self.task.await.unwrap_or_else(|why| (Vec::new(), Some(format!("the recorder's task ended: {why}"))));
        Filmed { files, duration, problem }
    }
}

/// Films one part after the other until it is stopped. The files, and why it ended early if it did.
async fn film_on(
    phone: Phone,
    rate: u32,
    film: String,
    first: Part,
    stop: CancellationToken,
) -> (Vec<String>, Option<String>) {
    let mut part = first;
    let mut files = vec![part.file.clone()];
    loop {
        let since = Instant::now();
        let ended = tokio::select! {
            ended = drained(&mut part.running) => Some(ended),
            () = stop.cancelled() => None,
        };
        match ended {
            None => return (files, end(&phone, part).await.err()),
            // Its time was up: on with the next part.
            Some(Ok(Some(0))) => {}
            Some(Ok(None)) if since.elapsed() >= SHORTEST_PART => {}
            Some(Ok(exit)) => return (files, Some(ended_early(exit, &part.running))),
            Some(Err(why)) => return (files, Some(format!("the device is gone: {why}"))),
        }
        let file = format!("{film}-{}.mp4", files.len() + 1);
        match begin(&Context::with_limit(BEGINS_WITHIN), &phone, rate, file).await {
            Ok(next) => part = next,
            Err(failure) => return (files, Some(failure.message)),
        }
        files.push(part.file.clone());
    }
}

/// Starts the recorder and waits until its file is there: then the encoder works. Where that fails, no file stays.
async fn begin(context: &Context, phone: &Phone, rate: u32, file: String) -> Result<Part, Failure> {
    let context = context.until(BEGINS_WITHIN);
    let limit = LONGEST_PART_S.min(LARGEST_PART / (rate / 8).max(1));
    // Its process, to be told to end; `exec` keeps the number.
    let line = format!("echo $$; exec screenrecord --bit-rate {rate} --time-limit {limit} {file}");
    let mut running = phone.spawn(&context, Effect::Observes, &["sh", "-c", &line]).await?.completed();
    match begun(&context, phone, &mut running, &file).await {
        Ok(process) => Ok(Part { file, process, running }),
        Err(failure) => {
            drop(running);
            super::discard(phone, &file).await;
            Err(failure)
        }
    }
}

/// Waits until the recorder works. Its process.
async fn begun(context: &Context, phone: &Phone, running: &mut Running, file: &str) -> Result<u32, Failure> {
    let process = match timeout(context.left(), running.line()).await {
        Ok(Ok(Some(line))) => line.trim().parse().map_err(|_| failed(&format!("the recorder says: {line}")))?,
        Ok(Ok(None)) => return Err(failed(&ended_early(running.exit(), running))),
        Ok(Err(why)) => return Err(failed(&format!("the device is gone: {why}"))),
        Err(_) => return Err(failed("the recorder did not start within the limit")),
    };
    loop {
        let there = tokio::select! {
            biased;
            ended = drained(running) => {
                return Err(match ended {
                    Ok(exit) => failed(&ended_early(exit, running)),
                    Err(why) => failed(&format!("the device is gone: {why}")),
                });
            }
            there = phone.stat(context, file) => there?.is_some(),
        };
        if there {
            return Ok(process);
        }
        context.check().map_err(|_| failed("the recorder wrote nothing within the limit"))?;
        tokio::select! {
            () = sleep(INTERVAL.min(context.left())) => {}
            () = context.cancel.cancelled() => {}
        }
    }
}

fn ended_early(exit: Option<u8>, running: &Running) -> String {
    let code = exit.map(|code| format!(" with code {code}")).unwrap_or_default();
    format!("the recorder ended{code}: {}", running.errors().trim())
}

/// Tells the recorder to end, and waits until it has written its index and is gone.
async fn end(phone: &Phone, mut part: Part) -> Result<(), String> {
    // SIGINT is what it takes for the end; anything else would leave the film without its index.
    let line = format!("kill -INT {}", part.process);
    let told = phone.shell(&Context::with_limit(TOLD_WITHIN), Effect::Observes, &line).await;
    match told {
        Ok(answered) => answered.completed(),
        Err(failure) => return Err(failure.message),
    };
    match timeout(ENDS_WITHIN, drained(&mut part.running)).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(why)) => Err(format!("the device is gone: {why}")),
        Err(_) => Err(format!("the recorder did not end within {} s", ENDS_WITHIN.as_secs())),
    }
}

/// Reads until the program ends. Its exit code, where the device tells it.
async fn drained(running: &mut Running) -> io::Result<Option<u8>> {
    while running.line().await?.is_some() {}
    Ok(running.exit())
}
