//! Time that a request is given beyond its limit: what the trace's own looks take is never the command's.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::time::Instant;
use wire::Context;

/// The time given so far, ms. Clones belong to the same request.
#[derive(Debug, Clone, Default)]
pub struct Grace(Arc<AtomicU64>);

/// Time given in advance; what was not needed of it is taken back when this is dropped.
#[derive(Debug)]
pub struct Granted {
    grace: Grace,
    limit: Duration,
    began: Instant,
}

impl Grace {
    /// Gives time for something that takes at most `limit`.
    pub fn grant(&self, limit: Duration) -> Granted {
        self.0.fetch_add(millis(limit), Ordering::Relaxed);
        Granted { grace: self.clone(), limit, began: Instant::now() }
    }

    /// All of it.
    pub fn so_far(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::Relaxed))
    }

    /// The request with that much more time.
    pub fn lengthened(&self, context: &Context) -> Context {
        Context { deadline: context.deadline + self.so_far(), ..context.clone() }
    }
}

impl Drop for Granted {
    fn drop(&mut self) {
        // A whole ms was begun for what took a part of one.
        let spent = (self.began.elapsed() + Duration::from_millis(1)).min(self.limit);
        self.grace.0.fetch_sub(millis(self.limit - spent), Ordering::Relaxed);
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_was_not_needed_is_taken_back() {
        let grace = Grace::default();
        let granted = grace.grant(Duration::from_secs(3));
        assert_eq!(grace.so_far(), Duration::from_secs(3), "while it lasts, all of it");
        tokio::time::advance(Duration::from_millis(40)).await;
        drop(granted);
        assert!((40..=42).contains(&millis(grace.so_far())), "{grace:?}");
        let long = grace.grant(Duration::from_millis(10));
        tokio::time::advance(Duration::from_millis(50)).await;
        drop(long);
        assert!((50..=52).contains(&millis(grace.so_far())), "no more than was given: {grace:?}");
    }
}
