//! When the screen has been quiet: what `UiAutomation.waitForIdle` waits for.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

use crate::core::Core;

/// How often the screen is looked at for changes that no input caused: the rhythm of a display.
const LOOK_EVERY: Duration = Duration::from_millis(16);

/// Waits until nothing changed for `quiet`, at most `limit`. False where it never was.
pub async fn wait(core: &Arc<Core>, quiet: Duration, limit: Duration) -> bool {
    let start = Instant::now();
    let end = start + limit;
    let mut seen = digest(core).await;
    core.state().last_event.get_or_insert(start);
    loop {
        let last = core.state().last_event.unwrap_or(start);
        let now = Instant::now();
        if now >= last + quiet {
            return true;
        }
        if now >= end {
            return false;
        }
        sleep_until((now + LOOK_EVERY).min(last + quiet).min(end)).await;
        let sees = digest(core).await;
        if sees != seen {
            core.event();
            seen = sees;
        }
    }
}

async fn digest(core: &Arc<Core>) -> u64 {
    let mut hasher = DefaultHasher::new();
    core.scene().await.to_string().hash(&mut hasher);
    hasher.finish()
}
