//! How fast, how large, how it grows. Prints Markdown, says of every bar whether it holds; docs/benchmarks.md shows a run.
//!
//! ```text
//! cargo build --release -p cli -p android-lab  # the program that is measured, the device of `android`
//! cargo run --release -p bench -- pure|load|compare|android|replay|mcp|size
//! ```
//!
//! | module | answers |
//! | --- | --- |
//! | [`pure`] | what the core costs on trees of 500, 5,000 and 50,000 nodes |
//! | [`load`] | what 50 sessions at once cost |
//! | [`compare`] | how we stand next to the peers, command line against command line |
//! | [`android`] | the same on an Android device, and what a press sends over adb |
//! | [`replay`] | what scripts and suites cost |
//! | [`mcp`] | what a model pays: bytes, tokens and time of its calls |
//! | [`size`] | how large the program is |
//! | [`program`] | our program in a state folder of its own, by command line and by socket |
//! | [`peers`] | the other tools: where they are, how they are started |
//! | [`site`] | the page that all of them open, and whether a press really arrived there |
//! | [`call`] | a command line, timed |
//! | [`process`] | memory and time of a process |
//! | [`figures`] | medians, percentiles, and how durations are written |
//! | [`report`] | tables and bars |

mod android;
mod call;
mod compare;
mod figures;
mod load;
mod mcp;
mod peers;
mod process;
mod program;
mod pure;
mod replay;
mod report;
mod site;
mod size;

use std::process::ExitCode;

use report::Report;

const USAGE: &str = "usage: bench pure [WORK] | load [--sessions N] [--rounds N] | compare [--rounds N] [--quick] | android [--rounds N] | replay [--rounds N] | mcp [--rounds N] [--calls N] [--pages N] | size";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut report = Report::new();
    let outcome = match words.split_first() {
        Some((word, rest)) => match word.as_str() {
            "pure" => pure::run(rest.first().map(String::as_str), &mut report),
            "load" => load::Plan::read(rest).and_then(|plan| load::run(&plan, &mut report)),
            "compare" => compare::Plan::read(rest).and_then(|plan| compare::run(&plan, &mut report)),
            "android" => android::Plan::read(rest).and_then(|plan| android::run(&plan, &mut report)),
            "replay" => replay::Plan::read(rest).and_then(|plan| replay::run(&plan, &mut report)),
            "mcp" => mcp::Plan::read(rest).and_then(|plan| mcp::run(&plan, &mut report)),
            "size" => no_more(rest).and_then(|()| size::run(&mut report)),
            other => Err(format!("there is no {other:?}; {USAGE}")),
        },
        None => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => report.end(),
        Err(why) => {
            report::complain(&why);
            ExitCode::from(2)
        }
    }
}

fn no_more(rest: &[String]) -> Result<(), String> {
    rest.first().map_or(Ok(()), |word| Err(format!("{word:?} is too many; {USAGE}")))
}

/// The number after `flag`, if it is there.
fn number_after(words: &mut std::slice::Iter<'_, String>, flag: &str) -> Result<usize, String> {
    let word = words.next().ok_or_else(|| format!("{flag} wants a number"))?;
    word.parse().ok().filter(|number| *number > 0).ok_or_else(|| format!("{flag} wants a number from 1, not {word:?}"))
}
