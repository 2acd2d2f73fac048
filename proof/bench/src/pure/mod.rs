//! What the core costs by itself, and how it grows with the number of nodes.
//!
//! | module | answers |
//! | --- | --- |
//! | [`tree`] | which trees |
//! | [`phone`] | which captures of a phone |
//! | [`work`] | which work on them |

mod phone;
mod tree;
mod work;

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use crate::{
    figures::{Durations, written},
    report::{Report, progress},
};
use tree::Sample;
use work::{Work, works};

/// Ten times the nodes each.
const SIZES: [usize; 3] = [500, 5_000, 50_000];
/// Time that one kind of work is repeated for at each size, and how often at least and at most.
const BUDGET: Duration = Duration::from_millis(250);
const TIMES: (usize, usize) = (7, 2_000);
/// What is timed lasts at least this long.
const SHORTEST: Duration = Duration::from_micros(50);
/// Ten times the nodes may cost this much more: n log n costs 12.7 from 5,000 to 50,000, and 500 nodes fit into caches
/// that 5,000 do not fit into. Whatever grows with a power of 1.3 or more is found.
const GROWTH_LIMIT: f64 = 20.0;
/// A capture of 5,000 nodes must become text within this.
const RENDER_LIMIT: Duration = Duration::from_millis(3);
/// What the helper of a phone sends of 5,000 nodes must be text within this after its first byte.
const PHONE_LIMIT: Duration = Duration::from_millis(25);
/// A selector must be resolved on 5,000 nodes within this.
const RESOLVE_LIMIT: Duration = Duration::from_millis(1);
/// One with patterns and relations within this.
const PASSES_LIMIT: Duration = Duration::from_millis(5);

/// Measures what has `wanted` in its name, or everything, and prints the tables.
///
/// # Errors
/// Where no work is called so.
pub fn run(wanted: Option<&str>, report: &mut Report) -> Result<(), String> {
    let works = |keyed: bool| {
        works(keyed)
            .into_iter()
            .filter(|work| wanted.is_none_or(|wanted| work.name.contains(wanted)))
            .collect::<Vec<_>>()
    };
    if works(true).is_empty() {
        return Err(format!("no work is called {:?}", wanted.unwrap_or_default()));
    }
    report.timed_heading("Pure costs of the core");
    report.line("Medians, in computing time of one thread. \"keyed\": the backend numbers its elements, as browsers do; \"by shape\": nodes are known again by what they are.\n");
    for keyed in [true, false] {
        table(report, keyed, works(keyed));
    }
    Ok(())
}

fn table(report: &mut Report, keyed: bool, works: Vec<Work>) {
    if works.is_empty() {
        return;
    }
    let title = if keyed { "work, keyed" } else { "work, by shape" };
    let head = report.table(&[title, "500 nodes", "5,000", "50,000", "x10", "x10 again", "bar", ""]);
    for work in works {
        progress(&format!("  {title}: {}", work.name));
        let medians = SIZES.map(|nodes| median(&work, Sample { nodes, keyed }));
        let growth = |from: Duration, to: Duration| to.as_secs_f64() / from.as_secs_f64().max(1e-9);
        let [small, middle, large] = medians;
        let steps = [growth(small, middle), growth(middle, large)];
        let mut cells = vec![work.name.to_owned()];
        cells.extend(medians.map(written));
        cells.extend(steps.map(|step| format!("x{step:.1}")));
        let limit = match work.name {
            work::WHOLE | work::WHOLE_INTERACTIVE => Some(RENDER_LIMIT),
            work::PHONE | work::PHONE_INTERACTIVE => Some(PHONE_LIMIT),
            name if name.starts_with(work::RESOLVE) => Some(RESOLVE_LIMIT),
            name if name.starts_with(work::PASSES) => Some(PASSES_LIMIT),
            _ => None,
        };
        let grows = steps.iter().all(|step| *step <= GROWTH_LIMIT);
        let holds = grows && limit.is_none_or(|limit| middle <= limit);
        cells.push(limit.map_or_else(|| "growth".to_owned(), |limit| format!("5,000 <= {}; growth", written(limit))));
        cells.push(report.bar(&format!("{} ({title})", work.name), holds));
        head.row(&cells);
    }
    report.line("");
}

/// The median of many runs, in computing time of this thread: a machine that is busy otherwise makes a run last longer,
/// not cost more (though it still spoils the caches).
fn median(work: &Work, sample: Sample) -> Duration {
    let mut run = (work.prepare)(sample);
    black_box(run());
    // Runs that are shorter than reading the clock are timed by many at once.
    let once = timed(&mut run, 1);
    let batch = u32::try_from(SHORTEST.as_nanos() / once.as_nanos().max(1)).unwrap_or(u32::MAX).clamp(1, 10_000);
    let mut durations = Durations::default();
    let begun = Instant::now();
    while durations.count() < TIMES.0 || (durations.count() < TIMES.1 && begun.elapsed() < BUDGET) {
        durations.push(timed(&mut run, batch));
    }
    durations.median().unwrap_or_default()
}

fn timed(run: &mut dyn FnMut() -> usize, times: u32) -> Duration {
    let start = computed();
    for _ in 0..times {
        black_box(run());
    }
    computed().saturating_sub(start) / times
}

/// Computing time of this thread so far.
fn computed() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or_default(), time.tv_nsec.try_into().unwrap_or_default())
}
