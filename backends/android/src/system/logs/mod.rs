//! What the app writes to the device's log.
//!
//! | module | answers |
//! | --- | --- |
//! | [`line`] | one line of `logcat -v threadtime`: whose it is |
//! | [`keep`] | a file that keeps the newest lines |
//! | [`follow`] | lines as they come, over restarts of the app |

pub mod follow;
pub mod keep;
pub mod line;

use std::{
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use contract::{Code, Failure, Row};
use wire::Context;

use super::script::{Script, text, value};
use crate::adb::{Phone, quote};

/// The first Android whose `logcat` can look for one process (API level).
const BY_PROCESS: u32 = 24;
/// Lines of all processes that are read on an older one.
const OF_ALL: u32 = 5_000;

/// The log of one app on one device.
#[derive(Debug, Default)]
pub struct AppLog {
    /// The newest process that was seen: its lines can be read after it ended too. 0 for none.
    process: AtomicU32,
    following: Mutex<Option<follow::Following>>,
}

impl AppLog {
    /// The newest lines of the app's process, or of its last one that was seen, oldest first.
    ///
    /// # Errors
    /// No way to the device; `adb.look-failed` where the app does not run and was not seen running.
    pub async fn lines(
        &self,
        context: &Context,
        phone: &Phone,
        api: u32,
        app: &str,
        count: u32,
    ) -> Result<Vec<String>, Failure> {
        let last = self.process.load(Ordering::Relaxed);
        let spare = if last == 0 { String::new() } else { format!("; [ -n \"$p\" ] || p={last}") };
        let show = if api >= BY_PROCESS {
            format!("logcat -d -v threadtime --pid=$p -t {count}")
        } else {
            format!("logcat -d -v threadtime -t {OF_ALL}")
        };
        // The main process is the first one that `pidof` names.
        let script = Script::of(format!("p=$({}){spare}; p=${{p%% *}}; echo $p", quote::line(["pidof", app])))
            .then(format!("[ -z \"$p\" ] || {show}"));
        let parts = script.look(context, phone).await?;
        let Some(process) = value(&parts, 0).and_then(|process| process.parse::<u32>().ok()) else {
            return Err(Failure::refused(
                Row::AdbLookFailed,
                Code::CommandFailed,
                format!("{app} does not run, so there is no process to show the log of"),
            )
            .reason("app_not_running")
            .hint("keep its log from the start: agent-device logs start, then open the app"));
        };
        self.process.store(process, Ordering::Relaxed);
        let lines: Vec<_> = text(&parts, 1)
            .lines()
            .filter(|line| line::Line::parse(line).is_some_and(|line| line.process == process))
            .map(str::to_owned)
            .collect();
        let skip = lines.len().saturating_sub(count.try_into().unwrap_or(usize::MAX));
        Ok(lines.into_iter().skip(skip).collect())
    }

    /// Appends what the app writes to a file. Nothing happens where it does already.
    ///
    /// # Errors
    /// No way to the device; `STORAGE_FAILED` where the file cannot be written.
    pub async fn start(&self, context: &Context, phone: &Phone, app: &str, file: &Path) -> Result<(), Failure> {
        if self.lock().as_ref().is_some_and(follow::Following::goes_on) {
            return Ok(());
        }
        let following = follow::Following::start(context, phone, app, file).await?;
        *self.lock() = Some(following);
        Ok(())
    }

    /// Ends that; whether it was begun. One that ended before, with the device, has said so in its file.
    pub async fn stop(&self) -> bool {
        let following = self.lock().take();
        match following {
            None => false,
            Some(following) => {
                following.stop().await;
                true
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<follow::Following>> {
        self.following.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
