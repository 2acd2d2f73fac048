//! `cut`: a campaign, and its figures.

use std::{path::PathBuf, process::ExitCode, sync::Arc};

use cut::Line;
use proof::{
    cuts::{Found, PARTS, Part, Plan, Share, kept::Kept},
    kept,
};

/// The seed where none is given.
const SEED: u64 = 1;

/// Runs it.
pub fn run(words: &[String]) -> Result<ExitCode, String> {
    let names = || PARTS.iter().map(|part| part.name).collect::<Vec<_>>().join(", ");
    let Some((part, rest)) = words.split_first() else { return Err(format!("cut needs a part: all, {}", names())) };
    let (mut places, mut seed, mut operation, mut figures, mut resume) = (None, SEED, None, None, None);
    for (name, value) in super::options(rest, &["--places", "--seed", "--operation", "--figures", "--resume"])? {
        match name {
            "--places" => places = Some(super::number(name, value)?),
            "--seed" => seed = super::number(name, value)?,
            "--figures" => figures = Some(PathBuf::from(value)),
            "--resume" => resume = Some(PathBuf::from(value)),
            _ => operation = Some(value.to_owned()),
        }
    }
    let parts: Vec<&Part> = PARTS.iter().filter(|known| part == "all" || known.name == part).collect();
    if parts.is_empty() {
        return Err(format!("there is no part {part:?}; there are: all, {}", names()));
    }
    let share = places.map_or(Share::Every { seed }, |places| Share::Some { places, seed });
    // A share is only published where that is asked for.
    let whole = places.is_none() && operation.is_none();
    let folder = figures.or_else(|| whole.then(|| proof::workspace().join("proof/figures")));
    let _alone = resume.as_deref().map(kept::alone).transpose()?;
    let runtime = super::runtime()?;
    let mut good = true;
    for part in parts {
        let kept = match &resume {
            Some(folder) if part.resumes => {
                let file = folder.join(format!("cut-{}.json", part.name));
                Arc::new(Kept::at(&file, &share.command(part.name)).map_err(|why| why.to_string())?)
            }
            _ => Arc::default(),
        };
        let plan = Plan { share, operation: operation.clone(), kept, progress: |line| eprintln!("{line}") };
        let found = runtime.block_on((part.run)(&plan));
        show(&found);
        good &= found.broken.is_empty();
        if let Some(folder) = &folder {
            let file = folder.join(format!("cut-{}.json", part.name));
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
