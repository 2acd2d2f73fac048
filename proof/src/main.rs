//! What a person runs by hand: `cargo run --release -p proof -- ...`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]

use std::process::ExitCode;

mod commands;

const USAGE: &str = "usage: cargo run --release -p proof -- COMMAND

  cut PART|all [--places N] [--seed S] [--operation NAME] [--figures FOLDER] [--resume FOLDER]
      cuts, delays and garbles the bytes between two programs at every place (or at N places of each exchange) and counts
      what reached the device. With --resume what is done is kept in that folder, operation by operation, and not done again by
      the next run of the same command (android, appium, web: the others take minutes); so it is with every --resume here
  resolve SUBJECT|all [--places N] [--seed S] [--operation NAME]
      loses replies while the device is well, and counts how many end in the real result or a proven `no` all the same
  audit FILE
      judges every failure that debug builds noted in the file that AGENT_DEVICE_AUDIT names: ./test does it at its end
  simulate [--seeds N] [--first-seed S] [--threads N]
  simulate --first-seed S [--shrink] [--trace] [--keep PART,PART,...]
      the daemon with the simulated device under random scripts, schedules and faults, held against a model; or one seed of
      it, or some parts of one, with everything that happens. From 10000 seeds on it is a figure
  smoke --device SERIAL [--app ID]
      two minutes on an Android phone or emulator, for what no lab can show. The app (com.android.settings where nothing is
      said) is opened and closed several times; texts are entered into its search field; the screen is turned
  soak [--sessions N] [--commands N] [--rounds N] [--seed S]
      many sessions at once and over and over: memory, descriptors, threads, processes and files of the daemon
  sabotage [--only LIE] [--folder FOLDER] [--resume FOLDER]
      tells lies to a copy of the sources, one at a time: each has to turn the gate, the cuts or the simulation red
  mutants [--crate NAME] [--resume FOLDER]
      changes our own code wherever the promise is kept, in every way that cargo-mutants knows: a test has to fail each time
  fuzz [--seconds N] [--jobs N] [--target NAME]... [--resume FOLDER] [--keep BYTES]
      every parser under a fuzzer, for N seconds (60) of a processor each, over several runs where FOLDER keeps what was done.
      An hour each is a figure. New inputs gather in proof/fuzz/found; with --keep, those of up to so many bytes that reach
      something new go to proof/fuzz/corpus. Findings lie in proof/fuzz/artifacts: keep one as proof/fuzz/corpus/TARGET/NAME
      once it is fixed, and an ordinary test runs it
  publish
      writes docs/reference/reliability.md from the figures of earlier runs

Parts and operations: run `cut` without more. Figures go to proof/figures; of a share only where a folder is named.";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((command, rest)) = words.split_first() else { return usage("no command") };
    let outcome = match command.as_str() {
        "audit" => commands::audit::run(rest),
        "cut" => commands::cut::run(rest),
        "fuzz" => commands::fuzz::run(rest),
        "mutants" => commands::mutants::run(rest),
        "publish" => commands::publish::run(rest),
        "resolve" => commands::resolve::run(rest),
        "sabotage" => commands::sabotage::run(rest),
        "simulate" => commands::simulate::run(rest),
        "smoke" => commands::smoke::run(rest),
        "soak" => commands::soak::run(rest),
        other => return usage(&format!("there is no command {other:?}")),
    };
    outcome.unwrap_or_else(|why| {
        eprintln!("{why}\n\nAll commands and their options: cargo run --release -p proof");
        ExitCode::from(2)
    })
}

fn usage(why: &str) -> ExitCode {
    eprintln!("{why}\n\n{USAGE}");
    ExitCode::from(2)
}
