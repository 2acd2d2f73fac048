//! `cut`: a campaign, and its figures.

use std::process::ExitCode;

use cut::Line;
use proof::cuts::{Found, PARTS, Part, Plan, Share};

/// The seed where none is given.
const SEED: u64 = 1;

/// Runs it.
pub fn run(words: &[String]) -> Result<ExitCode, String> {
    let names = || PARTS.iter().map(|part| part.name).collect::<Vec<_>>().join(", ");
    let Some((part, rest)) = words.split_first() else { return Err(format!("cut needs a part: all, {}", names())) };
    let (mut places, mut seed, mut operation) = (None, SEED, None);
    for (name, value) in super::options(rest, &["--places", "--seed", "--operation"])? {
        match name {
            "--places" => places = Some(super::number(name, value)?),
            "--seed" => seed = super::number(name, value)?,
            _ => operation = Some(value.to_owned()),
        }
    }
    let parts: Vec<&Part> = PARTS.iter().filter(|known| part == "all" || known.name == part).collect();
    if parts.is_empty() {
        return Err(format!("there is no part {part:?}; there are: all, {}", names()));
    }
    let share = places.map_or(Share::Every { seed }, |places| Share::Some { places, seed });
    let whole = places.is_none() && operation.is_none();
    let plan = Plan { share, operation, progress: |line| eprintln!("{line}") };
    let runtime = super::runtime()?;
    let mut good = true;
    for part in parts {
        let found = runtime.block_on((part.run)(&plan));
        show(&found);
        good &= found.broken.is_empty();
        if whole {
            let file = proof::workspace().join("proof/figures").join(format!("cut-{}.json", part.name));
            found.figures.write(&file).map_err(|why| format!("{}: {why}", file.display()))?;
            println!("figures: {}", file.display());
        }
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Shows what a campaign found.
pub fn show(found: &Found) {
    let Found { figures, broken } = found;
    println!("{} ({} s)", figures.part, figures.seconds);
    println!("  operation            faults     done resolved       no  unknown  broken promises");
    for line in &figures.lines {
        let Line { operation, injected, done, resolved, no, unknown, .. } = line;
        let promises = line.broken();
        println!("  {operation:<18} {injected:>8} {done:>8} {resolved:>8} {no:>8} {unknown:>8} {promises:>8}");
    }
    for sentence in broken {
        println!("  BROKEN  {sentence}");
    }
}
