//! `resolve`: how many lost replies end in a certain answer.

use std::{process::ExitCode, sync::Arc};

use proof::{
    cuts::{Plan, Share},
    resolve::{GOAL, SUBJECTS, Subject, certain},
};

/// The seed where none is given.
const SEED: u64 = 1;

/// Runs it.
pub fn run(words: &[String]) -> Result<ExitCode, String> {
    let names = || SUBJECTS.iter().map(|subject| subject.name).collect::<Vec<_>>().join(", ");
    let Some((subject, rest)) = words.split_first() else {
        return Err(format!("resolve needs a subject: all, {}", names()));
    };
    let (mut places, mut seed, mut operation) = (None, SEED, None);
    for (name, value) in super::options(rest, &["--places", "--seed", "--operation"])? {
        match name {
            "--places" => places = Some(super::number(name, value)?),
            "--seed" => seed = super::number(name, value)?,
            _ => operation = Some(value.to_owned()),
        }
    }
    let subjects: Vec<&Subject> = SUBJECTS.iter().filter(|known| subject == "all" || known.name == subject).collect();
    if subjects.is_empty() {
        return Err(format!("there is no subject {subject:?}; there are: all, {}", names()));
    }
    let whole = operation.is_none();
    let share = places.map_or(Share::Every { seed }, |places| Share::Some { places, seed });
    let plan = Plan { share, operation, kept: Arc::default(), progress: |line| eprintln!("{line}") };
    let runtime = super::runtime()?;
    let mut good = true;
    for subject in subjects {
        let found = runtime.block_on((subject.run)(&plan));
        super::cut::show(&found);
        let certain = certain(&found.figures);
        println!("  {}.{} % of the lost replies ended in a certain answer", certain / 10, certain % 10);
        good &= found.broken.is_empty() && certain >= GOAL;
        if whole && places.is_none() {
            let file = proof::workspace().join("proof/figures").join(format!("resolve-{}.json", subject.name));
            found.figures.write(&file).map_err(|why| format!("{}: {why}", file.display()))?;
            println!("figures: {}", file.display());
        }
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
