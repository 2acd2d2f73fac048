//! A bounded share of the simulation, the seeds that once failed, and the proof that one seed is one run.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use simulate::{
    Campaign, Options,
    campaign::{Place, quiet_panics},
    script,
};

/// Seeds that found something; what it was. A change of what is drawn makes other runs of them: what was found by seeds
/// before such a change stands in `found.rs` as steps.
const ONCE_FAILED: &[(u64, &str)] =
    &[(2622, "a relaunch that its caller gave up went on, and was told with other steps")];

#[test]
fn no_promise_is_broken_in_a_share_of_the_seeds() {
    let found = Campaign { first: 10_000, seeds: 200, threads: 2 }.run(|_, _| {});
    let broken: Vec<_> =
        found.broken.iter().flat_map(|(seed, all)| all.iter().map(move |one| format!("seed {seed}: {one}"))).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    // A simulation in which nothing happens breaks no promise either.
    let sum = |of: fn(&cut::Line) -> u64| found.lines.iter().map(of).sum::<u64>();
    let (done, no, unknown) = (sum(|line| line.done), sum(|line| line.no), sum(|line| line.unknown));
    assert!(found.actions > 5_000, "{} actions", found.actions);
    assert!(done > 2_000 && no > 1_500 && unknown > 200, "{done} done, {no} `no`, {unknown} `unknown`");
    assert!(found.lines.len() > 18, "{} commands", found.lines.len());
}

#[test]
fn seeds_that_once_failed_do_not_any_more() {
    quiet_panics();
    let place = Place::new();
    for (seed, why) in ONCE_FAILED {
        let findings = place.run(&script::plan(*seed), Options::default()).findings;
        assert!(findings.is_empty(), "seed {seed} ({why}): {findings:#?}");
    }
}

const SEEDS: std::ops::Range<u64> = 500..530;
/// Set in the other process.
const ASKED: &str = "SIMULATE_HASHES";

fn hashes() -> Vec<String> {
    quiet_panics();
    let place = Place::new();
    SEEDS.map(|seed| format!("hash {seed} {:016x}", place.run(&script::plan(seed), Options::default()).hash)).collect()
}

#[test]
fn a_seed_is_the_same_run_twice_and_in_another_process() {
    let own = hashes();
    if std::env::var_os(ASKED).is_some() {
        return own.iter().for_each(|line| println!("{line}"));
    }
    assert_eq!(own, hashes(), "twice");
    let program = std::env::current_exe().unwrap();
    let name = "a_seed_is_the_same_run_twice_and_in_another_process";
    let started = Instant::now();
    let output = Command::new(program).args(["--exact", name, "--nocapture"]).env(ASKED, "1").output().unwrap();
    assert!(started.elapsed() < Duration::from_secs(300));
    let text = String::from_utf8(output.stdout).unwrap();
    let other: Vec<_> = text.lines().filter_map(|line| line.find("hash ").map(|at| line[at..].to_owned())).collect();
    assert_eq!(own, other, "in another process");
    assert!(own.iter().zip(own.iter().skip(1)).all(|(one, next)| one[10..] != next[10..]), "seeds are different runs");
}
