//! Makes a page of folders: `cargo run -p trace-page --example page -- OUT.html FOLDER...`
//!
//! A folder holds `trace.ndjson`, or `attempt.json` (a [`flow::Attempt`]) with its trace in `trace`.
#![allow(clippy::print_stderr, reason = "a program for the terminal")]

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use trace_page::{Page, Run, Trace};

fn run(folder: &Path) -> io::Result<Run> {
    match fs::read(folder.join("attempt.json")) {
        Ok(text) => {
            let attempt = serde_json::from_slice(&text)?;
            Ok(Run::of_attempt(&attempt, Trace::read(&folder.join("trace")).ok()))
        }
        Err(_) => Trace::read(folder).map(Run::of_trace),
    }
}

fn made() -> io::Result<()> {
    let mut words = env::args_os().skip(1).map(PathBuf::from);
    let out = words.next().ok_or_else(|| io::Error::other("say where: page OUT.html FOLDER..."))?;
    let mut page = Page::new(out.file_stem().unwrap_or_default().to_string_lossy());
    for folder in words {
        page.runs.push(run(&folder)?);
    }
    let started = Instant::now();
    page.write(&out)?;
    let bytes = fs::metadata(&out)?.len();
    eprintln!("{} ({bytes} bytes) in {} ms", out.display(), started.elapsed().as_millis());
    Ok(())
}

fn main() -> ExitCode {
    match made() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
