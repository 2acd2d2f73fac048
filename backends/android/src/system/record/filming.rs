//! The recorder on the device. Android's `screenrecord` ends by itself after three minutes, so a film comes in parts.

use std::{
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
const PART_S: u32 = 180;
/// How long the recorder may take to begin.
const BEGINS_WITHIN: Duration = Duration::from_secs(8);
/// How long it may take to write its index after it was told to end.
const ENDS_WITHIN: Duration = Duration::from_secs(10);
/// How long the round trip that tells it may take.
const TOLD_WITHIN: Duration = Duration::from_secs(5);
/// Pause between two looks at whether the file is there.
const INTERVAL: Duration = Duration::from_millis(100);
/// Where the parts lie until they are fetched.
const FOLDER: &str = "/data/local/tmp";

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
        let film = format!("{FOLDER}/agent-device-{}-{}", std::process::id(), FILMS.fetch_add(1, Ordering::Relaxed));
        let first = begin(context, phone, rate, format!("{film}-1.mp4")).await?;
        let since = Instant::now();
        let stop = CancellationToken::new();
        let task = tokio::spawn(film_on(phone.clone(), rate, film, first, stop.clone()));
        Ok(Self { stop, task, since })
    }

    /// Ends it and waits until the recorder has written what it has.
    pub async fn stop(self, _context: &Context) -> Filmed {
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
        let ended = tokio::select! {
            ended = drained(&mut part.running) => Some(ended),
            () = stop.cancelled() => None,
        };
        match ended {
            None => return (files, end(&phone, part).await.err()),
            // Its time was up: on with the next part.
            Some(Ok(0)) => {}
            Some(Ok(exit)) => {
                return (files, Some(format!("the recorder ended with code {exit}: {}", part.running.errors().trim())));
            }
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

/// Starts the recorder and waits until its file is there: then the encoder works.
async fn begin(context: &Context, phone: &Phone, rate: u32, file: String) -> Result<Part, Failure> {
    let context = context.until(BEGINS_WITHIN);
    // Its process, to be told to end; `exec` keeps the number.
    let line = format!("echo $$; exec screenrecord --bit-rate {rate} --time-limit {PART_S} {file}");
    let mut running = phone.spawn(&context, Effect::Observes, &["sh", "-c", &line]).await?.completed();
    let said = timeout(context.left(), running.line()).await;
    let process = match said {
        Ok(Ok(Some(line))) => line.trim().parse().map_err(|_| failed(&format!("the recorder says: {line}")))?,
        Ok(Ok(None)) => return Err(failed(&format!("the recorder ended at once: {}", running.errors().trim()))),
        Ok(Err(why)) => return Err(failed(&format!("the device is gone: {why}"))),
        Err(_) => return Err(failed("the recorder did not start within the limit")),
    };
    loop {
        let begun = tokio::select! {
            biased;
            ended = drained(&mut running) => {
                let how = match ended {
                    Ok(exit) => format!("with code {exit}"),
                    Err(why) => format!("({why})"),
                };
                return Err(failed(&format!("the recorder ended {how}: {}", running.errors().trim())));
            }
            there = phone.stat(&context, &file) => there?.is_some(),
        };
        if begun {
            return Ok(Part { file, process, running });
        }
        context.check().map_err(|_| failed("the recorder wrote nothing within the limit"))?;
        tokio::select! {
            () = sleep(INTERVAL.min(context.left())) => {}
            () = context.cancel.cancelled() => {}
        }
    }
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

/// Reads until the program ends. Its exit code; 0 where the device tells none.
async fn drained(running: &mut Running) -> std::io::Result<u8> {
    while running.line().await?.is_some() {}
    Ok(running.exit().unwrap_or_default())
}
