//! What a person runs by hand: `cargo run --release -p proof -- ...`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]

use std::process::ExitCode;

mod commands;

const USAGE: &str = "usage: cargo run --release -p proof -- COMMAND

  cut PART|all [--places N] [--seed S] [--operation NAME]
      cuts, delays and garbles the bytes between two programs at every place (or at N places of each exchange) and counts
      what reached the device
  smoke --device SERIAL [--app ID]
      two minutes on an Android phone or emulator, for what no lab can show. The app (com.android.settings where nothing is
      said) is opened and closed several times; texts are entered into its search field; the screen is turned
  publish
      writes docs/reference/reliability.md from the figures of earlier runs

Parts and operations: run `cut` without more. Figures go to proof/figures, unless only a share was tried.";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((command, rest)) = words.split_first() else { return usage("no command") };
    let outcome = match command.as_str() {
        "cut" => commands::cut::run(rest),
        "smoke" => commands::smoke::run(rest),
        other => Err(format!("there is no command {other:?}")),
    };
    outcome.unwrap_or_else(|why| usage(&why))
}

fn usage(why: &str) -> ExitCode {
    eprintln!("{why}\n\n{USAGE}");
    ExitCode::from(2)
}
