//! `sabotage`: each lie in turn, and who sees it.

use std::{path::PathBuf, process::ExitCode, time::Instant};

use cut::{Measure, Measures};
use proof::sabotage::{self, Verdict};

/// Runs it.
pub fn run(words: &[String]) -> Result<ExitCode, String> {
    let mut only = None;
    let mut folder = proof::workspace().join("target/sabotage");
    for (name, value) in super::options(words, &["--only", "--folder"])? {
        match name {
            "--only" => only = Some(value),
            _ => folder = PathBuf::from(value),
        }
    }
    let began = Instant::now();
    let mut lines = Vec::new();
    sabotage::run(&proof::workspace(), &folder, only, |lie, suite, verdict| {
        let said = match verdict {
            Verdict::Red(count) => format!("red: {count} tests fail"),
            Verdict::Green => "GREEN: it is not seen".to_owned(),
            Verdict::NoBuild(why) => format!("does not build: {why}"),
        };
        println!("{:<20} {:<22} {said}", lie.name, suite.name());
        lines.push(Measure {
            name: format!("{}: {}", lie.file, lie.says),
            value: match verdict {
                Verdict::Red(_) => "red".to_owned(),
                Verdict::Green => "green".to_owned(),
                Verdict::NoBuild(_) => "does not build".to_owned(),
            },
            bar: suite.name(),
            holds: matches!(verdict, Verdict::Red(_)),
        });
    })?;
    let seen = lines.iter().all(|line| line.holds);
    if only.is_none() {
        let measures = Measures {
            part: "Deliberate lies".to_owned(),
            how: "Each change is made in a copy of the sources, the named suites are built and run, and each has to fail; without a \
                  lie all of them pass."
                .to_owned(),
            real: "the suites as they are, a share of cuts and simulation as in ./test".to_owned(),
            command: "cargo run -p proof -- sabotage".to_owned(),
            seconds: began.elapsed().as_secs(),
            lines,
        };
        let file = proof::workspace().join("proof/figures/sabotage.json");
        measures.write(&file).map_err(|why| format!("{}: {why}", file.display()))?;
    }
    Ok(if seen { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
