//! How schedules are gone through.

use shuttle::{
    Config, Runner,
    scheduler::{DfsScheduler, PctScheduler, RandomScheduler},
};
use tokio::runtime::Builder;

/// Preemptions that a probabilistic schedule places: most faults of locks need no more than three.
const DEPTH: usize = 3;

/// Goes through `schedules` random ones, and as many with few preemptions at the places that matter (PCT). A schedule that
/// fails is printed with what runs it again.
pub fn many(schedules: usize, what: impl Fn() + Send + Sync + Clone + 'static) {
    let clocked = clocked(what);
    Runner::new(RandomScheduler::new(schedules), config()).run(clocked.clone());
    Runner::new(PctScheduler::new(DEPTH, schedules), config()).run(clocked);
}

/// Goes through every schedule there is, at most `most`; how many that were.
pub fn all(most: usize, what: impl Fn() + Send + Sync + Clone + 'static) -> usize {
    Runner::new(DfsScheduler::new(Some(most), false), config()).run(clocked(what))
}

fn config() -> Config {
    let mut config = Config::new();
    // The product's futures are larger than those of most tests.
    config.stack_size = 1 << 20;
    config
}

/// Deadlines are taken from a clock that stands still: no schedule depends on how fast it is gone through.
fn clocked(what: impl Fn() + Send + Sync + Clone + 'static) -> impl Fn() + Send + Sync + Clone + 'static {
    move || {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().expect("a clock");
        let _entered = runtime.enter();
        what();
    }
}
