//! `audit`: every failure of a run of tests says what it must.

use std::{path::Path, process::ExitCode};

use proof::recorder;

/// Judges the file that debug builds of the program noted their failures in.
pub fn run(words: &[String]) -> Result<ExitCode, String> {
    let [file] = words else { return Err("audit FILE".into()) };
    let (count, objections) = recorder::audited(Path::new(file)).map_err(|why| format!("{file}: {why}"))?;
    for objection in &objections {
        eprintln!("{objection}");
    }
    println!("{count} failures left the program, {} of them without what they must say", objections.len());
    // A run of the tests in which nothing failed is a run in which nothing was noted.
    Ok(if objections.is_empty() && count > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
