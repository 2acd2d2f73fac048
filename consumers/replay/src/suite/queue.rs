//! Which shard runs which flow next.

use std::{
    collections::VecDeque,
    ops::Range,
    sync::{Mutex, PoisonError},
};

/// How a suite is spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// One after another.
    Serial,
    /// So many shards share the flows: each flow runs once, on whichever shard is free.
    Split(u32),
    /// So many shards run all flows each.
    All(u32),
}

impl Spread {
    /// How many shards there are.
    pub const fn shards(self) -> u32 {
        match self {
            Spread::Serial => 1,
            Spread::Split(shards) | Spread::All(shards) => shards,
        }
    }
}

/// What is still to be run: indices of flows.
#[derive(Debug)]
pub struct Queue {
    shared: bool,
    left: Mutex<Vec<VecDeque<usize>>>,
}

impl Queue {
    /// These flows, to be run as the spread says.
    pub fn new(spread: Spread, flows: Range<usize>) -> Self {
        let shared = !matches!(spread, Spread::All(_));
        let queues = if shared { 1 } else { spread.shards() };
        Self { shared, left: Mutex::new((0..queues).map(|_| flows.clone().collect()).collect()) }
    }

    /// The next flow of a shard (from 1 on).
    pub fn next(&self, shard: u32) -> Option<usize> {
        let place = if self.shared { 0 } else { shard.saturating_sub(1) as usize };
        self.left.lock().unwrap_or_else(PoisonError::into_inner).get_mut(place)?.pop_front()
    }

    /// Ends it: what is left is not run.
    pub fn stop(&self) {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).iter_mut().for_each(VecDeque::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_flows_run_once_and_flows_for_all_run_on_each() {
        let split = Queue::new(Spread::Split(2), 0..3);
        assert_eq!([split.next(1), split.next(2), split.next(2), split.next(1)], [Some(0), Some(1), Some(2), None]);
        let all = Queue::new(Spread::All(2), 0..2);
        assert_eq!([all.next(2), all.next(1), all.next(1), all.next(1)], [Some(0), Some(0), Some(1), None]);
        all.stop();
        assert_eq!(all.next(2), None);
    }
}
