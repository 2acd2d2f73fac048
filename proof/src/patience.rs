//! Bounded waits.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

/// No single answer takes longer than this in a test; a browser may have to start first.
pub const LIMIT: Duration = Duration::from_secs(60);
/// Pause between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// The outcome of something that must end.
///
/// # Panics
/// Where it does not end in time.
pub async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    timeout(LIMIT, future).await.unwrap_or_else(|_| panic!("{what}: nothing after {LIMIT:?}"))
}

/// Looks until something holds.
///
/// # Panics
/// Where it does not hold in time.
pub async fn until(what: &str, holds: impl FnMut() -> bool) {
    assert!(within(LIMIT, holds).await, "{what}: not after {LIMIT:?}");
}

/// Whether something comes to hold within a limit.
pub async fn within(limit: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + limit;
    loop {
        if holds() {
            return true;
        }
        if Instant::now() >= end {
            return false;
        }
        sleep(PAUSE).await;
    }
}
