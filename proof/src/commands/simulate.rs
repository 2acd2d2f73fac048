//! `simulate`: the daemon with the simulated device, under a schedule that a seed decides.

use std::{collections::BTreeSet, process::ExitCode, time::Instant};

use cut::Figures;
use proof::cuts::Found;
use simulate::{Campaign, Finding, Options, Plan, campaign, script};

/// From so many seeds on a run is a figure to publish.
const PUBLISHED: u64 = 10_000;
/// Failing seeds that are shown, the first of them shrunk.
const SHOWN: usize = 20;

/// Runs it.
pub fn run(words: &[String]) -> Result<ExitCode, String> {
    let (flags, pairs): (Vec<_>, Vec<_>) =
        words.iter().cloned().partition(|word| ["--trace", "--shrink"].contains(&&**word));
    let (mut first, mut seeds, mut kept, mut threads) = (1, None, None, 2);
    for (name, value) in super::options(&pairs, &["--seeds", "--first-seed", "--keep", "--threads"])? {
        match name {
            "--seeds" => seeds = Some(super::number(name, value)?),
            "--first-seed" => first = super::number(name, value)?,
            "--threads" => threads = super::number(name, value)?,
            _ => kept = Some(parts(value)?),
        }
    }
    let flag = |name: &str| flags.iter().any(|flag| flag == name);
    if kept.is_some() || flag("--trace") || flag("--shrink") {
        if seeds.is_some_and(|seeds| seeds != 1) {
            return Err("--trace, --shrink and --keep are about one seed: --first-seed S".to_owned());
        }
        return Ok(one(first, kept, flag("--shrink"), flag("--trace")));
    }
    many(first, seeds.unwrap_or(1_000), threads)
}

fn parts(value: &str) -> Result<BTreeSet<u32>, String> {
    value.split(',').map(|part| super::number("--keep", part)).collect()
}

/// One seed, or what is kept of it, with everything that happens.
fn one(seed: u64, kept: Option<BTreeSet<u32>>, shrink: bool, trace: bool) -> ExitCode {
    campaign::quiet_panics();
    let place = campaign::Place::new();
    let whole = script::plan(seed);
    let mut plan = kept.as_ref().map_or_else(|| whole.clone(), |kept| whole.only(kept));
    let mut outcome = place.run(&plan, Options { trace, lie: None });
    if let Some(finding) = outcome.findings.first().filter(|_| shrink) {
        plan = shrunk(&place, &plan, finding);
        outcome = place.run(&plan, Options { trace, lie: None });
    }
    outcome.trace.iter().for_each(|line| println!("{line}"));
    println!("trace {:016x}, {} s of its own time", outcome.hash, outcome.virtual_time.as_secs());
    outcome.findings.iter().for_each(|finding| println!("BROKEN  {finding}"));
    if outcome.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The least part of a plan that fails in the same way; says how it is run again.
fn shrunk(place: &campaign::Place, plan: &Plan, finding: &Finding) -> Plan {
    let kept = place.shrink(plan, finding, Options::default());
    let parts = kept.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    println!("{} of {} parts are enough for: {finding}", kept.len(), plan.numbers().len());
    println!("again: cargo run --release -p proof -- simulate --first-seed {} --keep {parts} --trace", plan.seed);
    plan.only(&kept)
}

fn many(first: u64, seeds: u64, threads: usize) -> Result<ExitCode, String> {
    let started = Instant::now();
    let found = Campaign { first, seeds, threads }.run(|seeds, actions| eprintln!("{seeds} seeds, {actions} actions"));
    let seconds = started.elapsed().as_secs();
    let command = format!("cargo run --release -p proof -- simulate --seeds {seeds} --first-seed {first}");
    println!(
        "{seeds} seeds, {} actions in {seconds} s ({} a second), {} h of their own time",
        found.actions,
        (found.actions as f64 / started.elapsed().as_secs_f64()) as u64,
        found.virtual_time.as_secs() / 3600
    );
    let figures = Figures {
        part: "Daemon and simulated device, random schedules".to_owned(),
        faults: "several clients with random scripts, of which some go away, ask again or send half a line; faults of \
                 the device at random operations; the daemon killed and started anew; one action is one request"
            .to_owned(),
        real:
            "server, router, handlers, sessions, leases and timeline are the daemon's own, the backend is the stage's \
               own; streams are in memory and the clock is a paused one"
                .to_owned(),
        command,
        sampled: Some(format!("seeds {first} to {}", first + seeds - 1)),
        seconds,
        lines: found.lines,
    };
    let sentences = found.broken.iter().take(SHOWN);
    let broken = sentences
        .flat_map(|(seed, findings)| findings.iter().map(move |finding| format!("seed {seed}: {finding}")))
        .collect();
    let shown = Found { figures, broken };
    super::cut::show(&shown);
    let figures = shown.figures;
    if let Some((seed, finding)) = found.broken.first().and_then(|(seed, all)| Some((*seed, all.first()?))) {
        println!("{} seeds are broken; the first, shrunk:", found.broken.len());
        let _plan = shrunk(&campaign::Place::new(), &script::plan(seed), finding);
    }
    // What the model objects to beside the five promises has no column: a run with an objection is no figure.
    if seeds >= PUBLISHED && found.broken.is_empty() {
        let file = proof::workspace().join("proof/figures/simulate.json");
        figures.write(&file).map_err(|why| format!("{}: {why}", file.display()))?;
        println!("figures: {}", file.display());
    }
    Ok(if found.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
