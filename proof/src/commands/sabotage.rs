//! `sabotage`: each lie in turn, and who sees it.

use std::{path::PathBuf, process::ExitCode, time::Instant};

use cut::{Measure, Measures};
use proof::{
    kept,
    sabotage::{self, Verdict, lies::LIES},
};
use serde::{Deserialize, Serialize};

/// What the program and the suites are built from, known as it is committed.
const BUILT_FROM: &[&str] =
    &["core", "daemon", "backends", "consumers", "proof/src/cuts", "proof/cut", "proof/simulate", "proof/tests"];

/// What earlier runs saw, of the same sources.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Seen {
    /// As git names them.
    sources: String,
    /// A lie's name, empty where a suite passed without any; the suite's; and what came of it.
    verdicts: Vec<(String, String, Measure)>,
    seconds: u64,
}

/// Runs it.
pub fn run(words: &[String]) -> Result<ExitCode, String> {
    let (mut only, mut resume) = (None, None);
    let root = proof::workspace();
    let mut folder = root.join("target/sabotage");
    for (name, value) in super::options(words, &["--only", "--folder", "--resume"])? {
        match name {
            "--only" => only = Some(value),
            "--folder" => folder = PathBuf::from(value),
            _ => resume = Some(PathBuf::from(value)),
        }
    }
    let _alone = kept::alone(&folder)?;
    let file = resume.map(|folder| folder.join("sabotage.json"));
    if file.is_some() {
        kept::committed(&root, BUILT_FROM).map_err(|why| format!("--resume: {why}"))?;
    }
    let sources = kept::sources(&root, BUILT_FROM)?;
    let mut seen = kept::read::<Seen>(file.as_deref())?;
    if seen.sources != sources {
        seen = Seen { sources, ..Seen::default() };
    }
    let known: Vec<(String, String)> =
        seen.verdicts.iter().map(|(lie, suite, _)| (lie.clone(), suite.clone())).collect();
    let (before, began) = (seen.seconds, Instant::now());
    sabotage::run(&root, &folder, only, &known, |lie, suite, verdict| {
        let said = match verdict {
            Verdict::Red(count) => format!("red: {count} tests fail"),
            Verdict::Green if lie.is_none() => "passes".to_owned(),
            Verdict::Green => "GREEN: it is not seen".to_owned(),
            Verdict::NoBuild(why) => format!("does not build: {why}"),
        };
        let name = lie.map_or("", |lie| lie.name);
        println!("{:<20} {:<22} {said}", if name.is_empty() { "(no lie)" } else { name }, suite.name());
        let measure = Measure {
            name: lie.map_or_else(String::new, |lie| format!("{}: {}", lie.file, lie.says)),
            value: match verdict {
                Verdict::Red(_) => "red".to_owned(),
                Verdict::Green => "green".to_owned(),
                Verdict::NoBuild(_) => "does not build".to_owned(),
            },
            bar: suite.name(),
            holds: matches!(verdict, Verdict::Red(_)),
        };
        seen.verdicts.push((name.to_owned(), suite.name(), measure));
        seen.seconds = before + began.elapsed().as_secs();
        kept::write(file.as_deref(), &seen)
    })?;
    let lines: Vec<Measure> = LIES
        .iter()
        .flat_map(|lie| seen.verdicts.iter().filter(move |(name, ..)| name == lie.name))
        .map(|(_, _, measure)| measure.clone())
        .collect();
    let good = lines.iter().all(|line| line.holds);
    if lines.len() == LIES.iter().map(|lie| lie.seen_by.len()).sum::<usize>() {
        let measures = Measures {
            part: "Deliberate lies".to_owned(),
            how: "Each change is made in a copy of the sources, the named suites are built and run, and each has to fail; without a \
                  lie all of them pass."
                .to_owned(),
            real: "the suites as they are, a share of cuts and simulation as in ./test".to_owned(),
            command: "cargo run -p proof -- sabotage".to_owned(),
            seconds: seen.seconds,
            lines,
        };
        let file = root.join("proof/figures/sabotage.json");
        measures.write(&file).map_err(|why| format!("{}: {why}", file.display()))?;
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
