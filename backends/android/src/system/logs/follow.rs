//! Lines of an app as they come. A restart gives the app another process, which the log itself announces.

use std::{collections::BTreeSet, io, path::Path, time::Duration};

use contract::{Code, Effect, Failure, Row};
use tokio::{task::JoinHandle, time::timeout};
use tokio_util::sync::CancellationToken;
use wire::Context;

use super::{
    keep::{FULL, Kept},
    line::{Line, belongs},
};
use crate::{
    adb::{Phone, Running, quote},
    system::script::{Script, text},
};

/// How long the first line may take.
const BEGINS_WITHIN: Duration = Duration::from_secs(2);
/// How long the program on the device may take to end.
const STOPS_WITHIN: Duration = Duration::from_secs(3);

/// A log that is being kept.
#[derive(Debug)]
pub struct Following {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Following {
    /// Begins. From here on every line of the app's processes goes to the file, those that start later included.
    ///
    /// # Errors
    /// No way to the device; `STORAGE_FAILED` where the file cannot be written.
    pub async fn start(context: &Context, phone: &Phone, app: &str, file: &Path) -> Result<Self, Failure> {
        let kept = Kept::open(file, FULL).map_err(|why| unwritable(file, &why))?;
        // All processes in one stream, sorted out here: a log of one process would end with it.
        let arguments = ["logcat", "-v", "threadtime", "-T", "1"];
        let mut running = phone.spawn(context, Effect::Observes, &arguments).await?.completed();
        // Its first line is the newest that there was: from there on nothing is missed. An empty log has none.
        let first = match timeout(BEGINS_WITHIN.min(context.left()), running.line()).await {
            Ok(Ok(Some(line))) => Some(line),
            Ok(Ok(None)) => return Err(unreadable(running.errors().trim())),
            Ok(Err(why)) => return Err(unreadable(&why.to_string())),
            Err(_) => None,
        };
        // Asked only now: a process that starts later is announced in the stream.
        let parts = Script::of(quote::line(["pidof", app])).look(context, phone).await?;
        let processes = text(&parts, 0).split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let stop = CancellationToken::new();
        let mut sorted = Sorted { kept, processes, app: app.to_owned() };
        if let Some(line) = first {
            sorted.line(&line).map_err(|why| unwritable(file, &why))?;
        }
        let task = tokio::spawn(follow(running, sorted, stop.clone()));
        Ok(Self { stop, task })
    }

    /// Whether lines are still coming.
    pub fn goes_on(&self) -> bool {
        !self.task.is_finished()
    }

    /// Ends it, and with it the program on the device.
    pub async fn stop(self) {
        self.stop.cancel();
        // A task that panicked has ended too.
        let _ended = self.task.await;
    }
}

fn unwritable(file: &Path, why: &io::Error) -> Failure {
    Failure::new(Code::StorageFailed, format!("{}: {why}", file.display())).reason("file_unwritable")
}

fn unreadable(why: &str) -> Failure {
    Failure::refused(Row::AdbLookFailed, Code::CommandFailed, format!("logcat ended at once: {why}"))
        .reason("log_unreadable")
}

/// The lines of an app among all.
struct Sorted {
    kept: Kept,
    processes: BTreeSet<u32>,
    app: String,
}

impl Sorted {
    /// Keeps a line if it is the app's.
    fn line(&mut self, line: &str) -> io::Result<()> {
        let Some(read) = Line::parse(line) else { return Ok(()) };
        if let Some((process, name)) = read.started() {
            // A number may come again for another app's process.
            if belongs(name, &self.app) {
                self.processes.insert(process)
            } else {
                self.processes.remove(&process)
            };
        }
        if self.processes.contains(&read.process) { self.kept.line(line) } else { Ok(()) }
    }
}

async fn follow(mut running: Running, mut sorted: Sorted, stop: CancellationToken) {
    let end = loop {
        let line = tokio::select! {
            line = running.line() => line,
            () = stop.cancelled() => break None,
        };
        match line {
            Ok(Some(line)) => {
                if let Err(why) = sorted.line(&line) {
                    break Some(format!("the file cannot be written: {why}"));
                }
            }
            Ok(None) => break Some(format!("logcat ended: {}", running.errors().trim())),
            Err(why) => break Some(format!("the device is gone: {why}")),
        }
    };
    if let Some(why) = end {
        // Where not even this can be written, there is nobody to tell.
        let _untold = sorted.kept.line(&format!("---- the log ends here: {why} ----"));
    }
    // Dropping it would do; this waits until the program has really ended.
    let _ended = timeout(STOPS_WITHIN, running.stop()).await;
}
