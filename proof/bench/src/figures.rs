//! Medians, percentiles, and how durations and sizes are written.

use std::time::Duration;

/// Measured durations of one thing.
#[derive(Debug, Clone, Default)]
pub struct Durations(Vec<Duration>);

impl Durations {
    pub fn push(&mut self, one: Duration) {
        self.0.push(one);
    }

    pub fn extend(&mut self, others: &Durations) {
        self.0.extend_from_slice(&others.0);
    }

    pub const fn count(&self) -> usize {
        self.0.len()
    }

    /// The smallest duration that `share` (0 to 1) of all do not exceed: nearest rank. `None` where nothing was measured.
    pub fn percentile(&self, share: f64) -> Option<Duration> {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let rank = (share * sorted.len() as f64).ceil() as usize;
        sorted.get(rank.saturating_sub(1).min(sorted.len().saturating_sub(1))).copied()
    }

    pub fn median(&self) -> Option<Duration> {
        self.percentile(0.5)
    }

    /// `12.3 ms (11.0-14.9, n=15)`: the median, the quartiles, how many.
    pub fn spread(&self) -> String {
        match (self.median(), self.percentile(0.25), self.percentile(0.75)) {
            (Some(median), Some(low), Some(high)) => {
                format!("{} ({}-{}, n={})", written(median), bare_ms(low), bare_ms(high), self.count())
            }
            _ => "not measured".to_owned(),
        }
    }
}

fn bare_ms(duration: Duration) -> String {
    let ms = duration.as_secs_f64() * 1e3;
    if ms < 100.0 { format!("{ms:.1}") } else { format!("{ms:.0}") }
}

/// With three figures and its unit.
pub fn written(duration: Duration) -> String {
    let us = duration.as_secs_f64() * 1e6;
    match us {
        us if us < 1.0 => format!("{:.0} ns", us * 1e3),
        us if us < 10.0 => format!("{us:.2} µs"),
        us if us < 100.0 => format!("{us:.1} µs"),
        us if us < 1_000.0 => format!("{us:.0} µs"),
        us if us < 10_000.0 => format!("{:.2} ms", us / 1e3),
        us if us < 100_000.0 => format!("{:.1} ms", us / 1e3),
        us if us < 10_000_000.0 => format!("{:.0} ms", us / 1e3),
        us => format!("{:.1} s", us / 1e6),
    }
}

/// The same for what may not have been measured.
pub fn maybe(duration: Option<Duration>) -> String {
    duration.map_or_else(|| "-".to_owned(), written)
}

/// Bytes in MB (10^6).
pub fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ms: &[u64]) -> Durations {
        Durations(ms.iter().copied().map(Duration::from_millis).collect())
    }

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let hundred = of(&(1..=100).rev().collect::<Vec<_>>());
        let at = |share| hundred.percentile(share).unwrap().as_millis();
        assert_eq!([at(0.0), at(0.5), at(0.95), at(0.99), at(1.0)], [1, 50, 95, 99, 100]);
        assert_eq!(of(&[7]).percentile(0.99), Some(Duration::from_millis(7)));
        assert_eq!(of(&[]).median(), None);
    }

    #[test]
    fn durations_are_written_with_three_figures() {
        let written: Vec<_> = [20, 1_500, 15_000, 150_000, 1_500_000, 15_000_000, 150_000_000, 90_000_000_000]
            .map(|ns| written(Duration::from_nanos(ns)))
            .to_vec();
        assert_eq!(written, ["20 ns", "1.50 µs", "15.0 µs", "150 µs", "1.50 ms", "15.0 ms", "150 ms", "90.0 s"]);
    }
}
