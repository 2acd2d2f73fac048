//! The table of a run, and what is wrong with it.

use std::{collections::BTreeMap, fmt::Write};

use super::{
    listing::{Differences, Known},
    reading::{Difference, Reading},
};

/// Fewer pages than this say nothing.
pub const MIN_PAGES: usize = 10;
/// Of a hundred interactive nodes, so many have the browser's role and name at least.
const MIN_PERCENT: usize = 99;

/// Page, nodes, equal, different, names equal by the library; the sum last.
pub fn table(readings: &[Reading]) -> String {
    let mut text = format!("{:<26} {:>6} {:>6} {:>10} {:>8}\n", "page", "nodes", "equal", "different", "library");
    // Writing to a string cannot fail.
    let mut line = |page: &str, of: &[Reading]| {
        let sum = |count: fn(&Reading) -> usize| of.iter().map(count).sum::<usize>();
        let (nodes, equal) = (sum(|one| one.nodes), sum(Reading::equal));
        let _written =
            writeln!(text, "{page:<26} {nodes:>6} {equal:>6} {:>10} {:>8}", nodes - equal, sum(|one| one.library));
    };
    for reading in readings {
        line(&reading.page, std::slice::from_ref(reading));
    }
    line("all", readings);
    text
}

/// Everything that is wrong with a run; empty where it passes.
pub fn objections(readings: &[Reading], known: &Differences) -> Vec<String> {
    let mut wrong = Vec::new();
    let pages = readings.iter().filter(|reading| reading.nodes > 0).count();
    if pages < MIN_PAGES {
        wrong.push(format!("{pages} pages with interactive nodes were compared: {MIN_PAGES} are needed"));
    }
    for reading in readings.iter().filter(|reading| reading.nodes < reading.expected) {
        wrong.push(format!("{}: {} interactive nodes, {} by the list", reading.page, reading.nodes, reading.expected));
    }
    let sum = |count: fn(&Reading) -> usize| readings.iter().map(count).sum::<usize>();
    let (nodes, equal) = (sum(|one| one.nodes), sum(Reading::equal));
    if equal * 100 < nodes * MIN_PERCENT {
        wrong.push(format!("{equal} of {nodes} nodes have the browser's role and name: {MIN_PERCENT} % are needed"));
    }
    let (ours, library) = (sum(|one| one.names), sum(|one| one.library));
    if ours < library {
        wrong.push(format!("the library names {library} nodes as the browser does, we {ours}: use the library"));
    }
    let mut found = BTreeMap::<&Difference, usize>::new();
    for difference in readings.iter().flat_map(|reading| &reading.differences) {
        *found.entry(difference).or_default() += 1;
    }
    let listed: Vec<(Difference, usize)> = known.difference.iter().map(|known| (of(known), known.count)).collect();
    for (difference, count) in &found {
        let allowed: usize = listed.iter().filter(|(one, _)| one == *difference).map(|(_, count)| count).sum();
        if *count > allowed {
            wrong.push(format!("{count} times, {allowed} listed in differences.toml: {difference:?}"));
        }
    }
    for (difference, allowed) in &listed {
        let count = found.get(difference).copied().unwrap_or(0);
        let was_read = readings.iter().any(|reading| reading.page == difference.page);
        if was_read && count < *allowed {
            wrong.push(format!("{count} times, {allowed} listed in differences.toml, remove it: {difference:?}"));
        }
    }
    wrong
}

fn of(known: &Known) -> Difference {
    let Known { page, element, what, ours, browser, .. } = known.clone();
    Difference { page, element, what, ours, browser }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(page: &str, count: usize) -> Known {
        let text = str::to_owned;
        Known {
            page: text(page),
            element: text("a"),
            what: text("role"),
            ours: text("generic"),
            browser: text("link"),
            count,
            reason: text("known"),
        }
    }

    fn list(difference: Vec<Known>) -> Differences {
        Differences { browser: String::new(), difference }
    }

    /// Twelve pages of a hundred nodes, all equal.
    fn good() -> Vec<Reading> {
        (0..12)
            .map(|at| Reading {
                page: format!("p{at}"),
                nodes: 100,
                expected: 90,
                names: 100,
                library: 90,
                differences: Vec::new(),
            })
            .collect()
    }

    fn with_differences(count: usize) -> Vec<Reading> {
        let mut readings = good();
        readings[0].differences = vec![of(&known("p0", 1)); count];
        readings
    }

    #[test]
    fn a_good_run_and_its_listed_differences_pass() {
        assert_eq!(objections(&good(), &list(Vec::new())), Vec::<String>::new());
        assert_eq!(objections(&with_differences(2), &list(vec![known("p0", 2)])), Vec::<String>::new());
        assert_eq!(objections(&good(), &list(vec![known("not-read-today", 1)])), Vec::<String>::new());
    }

    #[test]
    fn each_rule_is_seen_red() {
        let mut library = good();
        library[0].library = 1000;
        let mut fewer = good();
        fewer[0].expected = 101;
        for (why, readings, known) in [
            ("an unlisted difference", with_differences(1), Vec::new()),
            ("one more than listed", with_differences(2), vec![known("p0", 1)]),
            ("a listed one that is gone", good(), vec![known("p0", 1)]),
            ("listed on another page", with_differences(1), vec![known("p1", 1)]),
            ("listed, and too many", with_differences(13), vec![known("p0", 13)]),
            ("nine pages", good()[..9].to_vec(), Vec::new()),
            ("nodes that are not listed any more", fewer, Vec::new()),
            ("the library is better", library, Vec::new()),
        ] {
            assert!(!objections(&readings, &list(known)).is_empty(), "{why}");
        }
    }

    #[test]
    fn the_table_ends_with_the_sum() {
        assert!(
            table(&with_differences(2))
                .ends_with(&format!("{:<26} {:>6} {:>6} {:>10} {:>8}\n", "all", 1200, 1198, 2, 1080))
        );
    }
}
