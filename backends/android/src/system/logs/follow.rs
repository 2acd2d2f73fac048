//! Lines of an app as they come. A restart gives the app another process, which the log itself announces.

use std::{collections::BTreeSet, path::Path};

use contract::{Code, Effect, Failure};
use tokio::task::JoinHandle;
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
        let kept = Kept::open(file, FULL).map_err(|why| {
            Failure::new(Code::StorageFailed, format!("{}: {why}", file.display())).reason("file_unwritable")
        })?;
        let parts = Script::of(quote::line(["pidof", app])).look(context, phone).await?;
        let processes = text(&parts, 0).split_whitespace().filter_map(|word| word.parse().ok()).collect();
        // All processes in one stream, sorted out here: a log of one process would end with it.
        let running =
            phone.spawn(context, Effect::Observes, &["logcat", "-v", "threadtime", "-T", "1"]).await?.completed();
        let stop = CancellationToken::new();
        let task = tokio::spawn(follow(running, kept, processes, app.to_owned(), stop.clone()));
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

async fn follow(
    mut running: Running,
    mut kept: Kept,
    mut processes: BTreeSet<u32>,
    app: String,
    stop: CancellationToken,
) {
    let end = loop {
        let line = tokio::select! {
            line = running.line() => line,
            () = stop.cancelled() => break None,
        };
        match line {
            Ok(Some(line)) => {
                let Some(read) = Line::parse(&line) else { continue };
                if let Some((process, name)) = read.started() {
                    // A number may come again for another app's process.
                    if belongs(name, &app) {
                        processes.insert(process)
                    } else {
                        processes.remove(&process)
                    };
                }
                if processes.contains(&read.process)
                    && let Err(why) = kept.line(&line)
                {
                    break Some(format!("the file cannot be written: {why}"));
                }
            }
            Ok(None) => break Some(format!("logcat ended: {}", running.errors().trim())),
            Err(why) => break Some(format!("the device is gone: {why}")),
        }
    };
    if let Some(why) = end {
        // Where not even this can be written, there is nobody to tell.
        let _untold = kept.line(&format!("---- the log ends here: {why} ----"));
    }
    // Dropping it would do; this waits until the program has really ended.
    let _ended = tokio::time::timeout(super::STOPS_WITHIN, running.stop()).await;
}
