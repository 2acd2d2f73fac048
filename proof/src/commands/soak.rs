//! `soak`: load and leak.

use std::process::ExitCode;

use cut::Line;
use proof::soak::{self, Found, Plan, deaths};

/// Deaths in each session where no number is given: with the figures' three sessions, 300.
const DEATHS: u32 = 100;

/// Runs it.
pub fn run(words: &[String]) -> Result<ExitCode, String> {
    if let Some(("--kill", rest)) = words.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        return kill(rest);
    }
    // With five hundred thousand the allocator has found its size by the second half; what still grows then is kept.
    let whole = Plan {
        sessions: 200,
        commands: 500_000,
        rounds: 20,
        seed: 1,
        growth_kib: soak::flat::GROWTH_KIB,
        progress: |line| eprintln!("{line}"),
    };
    let mut plan = whole;
    for (name, value) in super::options(words, &["--sessions", "--commands", "--rounds", "--seed"])? {
        match name {
            "--sessions" => plan.sessions = super::number(name, value)?,
            "--commands" => plan.commands = super::number(name, value)?,
            "--rounds" => plan.rounds = super::number(name, value)?,
            _ => plan.seed = super::number(name, value)?,
        }
    }
    let found = super::runtime()?.block_on(soak::run(&plan));
    show(&found);
    if (plan.sessions, plan.commands, plan.rounds) == (whole.sessions, whole.commands, whole.rounds) {
        let file = proof::workspace().join("proof/figures/soak.json");
        found.measures.write(&file).map_err(|why| format!("{}: {why}", file.display()))?;
        println!("figures: {}", file.display());
    }
    Ok(if found.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// `soak --kill`.
fn kill(words: &[String]) -> Result<ExitCode, String> {
    let progress = |line: &str| eprintln!("{line}");
    let mut plan = deaths::Plan { browsers: 2, android: true, deaths: DEATHS, seed: 1, progress };
    for (name, value) in super::options(words, &["--deaths", "--browsers", "--seed", "--android"])? {
        match name {
            "--deaths" => plan.deaths = super::number(name, value)?,
            "--browsers" => plan.browsers = super::number(name, value)?,
            "--android" => plan.android = super::number::<u8>(name, value)? > 0,
            _ => plan.seed = super::number(name, value)?,
        }
    }
    let found = super::runtime()?.block_on(deaths::run(&plan));
    println!("{} ({} s)", found.figures.part, found.figures.seconds);
    println!("  operation                  deaths     done       no  unknown  broken promises");
    for line in &found.figures.lines {
        let Line { operation, injected, done, no, unknown, .. } = line;
        println!("  {operation:<24} {injected:>8} {done:>8} {no:>8} {unknown:>8} {:>8}", line.broken());
    }
    for sentence in &found.broken {
        println!("  BROKEN  {sentence}");
    }
    if plan.deaths >= DEATHS && plan.browsers >= 2 && plan.android {
        let file = proof::workspace().join("proof/figures/deaths.json");
        found.figures.write(&file).map_err(|why| format!("{}: {why}", file.display()))?;
        println!("figures: {}", file.display());
    }
    Ok(if found.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn show(found: &Found) {
    println!("{} ({} s)", found.measures.part, found.measures.seconds);
    for line in &found.measures.lines {
        let mark = if line.holds { "    " } else { "FAIL" };
        let bar = if line.bar.is_empty() { String::new() } else { format!("  ({})", line.bar) };
        println!("{mark}  {:<62} {:>10}{bar}", line.name, line.value);
    }
    for sentence in found.wrong.iter().take(50) {
        println!("WRONG  {sentence}");
    }
}
