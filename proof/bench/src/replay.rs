//! What a replayed script and a suite cost: 100 steps on the stage, with and without a trace; 200 flows in two shards; and
//! one script on one page beside the peer's.

use std::{fs, time::Duration};

use crate::{
    figures::{Durations, maybe, written},
    peers::{self, NodeTool},
    program::Program,
    report::{self, Report},
};

/// Steps of the script.
const STEPS: usize = 100;
/// The whole of it takes no longer: the bar.
const PLAIN: Duration = Duration::from_millis(500);
/// Nor with a trace.
const TRACED: Duration = Duration::from_millis(1_500);
/// Flows of the suite, and shards that share them.
const FLOWS: usize = 200;
const SHARDS: &str = "2";

/// What is measured.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// How often each.
    pub rounds: usize,
}

impl Plan {
    /// Reads the flags.
    ///
    /// # Errors
    /// Which word is unknown.
    pub fn read(words: &[String]) -> Result<Self, String> {
        match words {
            [] => Ok(Self { rounds: 9 }),
            [flag, number] if flag == "--rounds" => {
                let rounds = number.parse().ok().filter(|rounds| (1..=1_000).contains(rounds));
                Ok(Self { rounds: rounds.ok_or("--rounds takes 1 to 1000")? })
            }
            _ => Err("replay takes --rounds N".to_owned()),
        }
    }
}

/// Prints the tables.
///
/// # Errors
/// Where something that is measured does not work.
pub fn run(plan: &Plan, report: &mut Report) -> Result<(), String> {
    let folder = tempfile::Builder::new().prefix("bench-replay-").tempdir().map_err(|why| why.to_string())?;
    let place = |name: &str| folder.path().join(name).display().to_string();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).map_err(|why| why.to_string());
    let program = Program::new()?;
    program.start()?;
    report.timed_heading("A script again");
    // What is opened and closed stands at the ends; all that is between presses.
    let presses = "press 'label=\"Press me\"'\n".repeat(STEPS - 3);
    write("steps.ad", &format!("open demo --relaunch\npress 'label=Counter'\n{presses}close\n"))?;
    let (script, page) = (place("steps.ad"), place("steps.html"));
    let mut took = [Durations::default(), Durations::default()];
    for _ in 0..plan.rounds {
        took[0].push(program.must(&["replay", &script])?.took);
        took[1].push(program.must(&["replay", &script, &format!("--trace={page}")])?.took);
    }
    let [plain, traced] = took.map(|took| took.median().unwrap_or_default());
    let table = report.table(&["what", "median", "a step", "bar", ""]);
    for (what, took, bar) in
        [("100 steps on the stage", plain, PLAIN), ("the same, with a page that shows each", traced, TRACED)]
    {
        let verdict = report.bar(what, took <= bar);
        table.row(&[
            what.to_owned(),
            written(took),
            written(took / STEPS as u32),
            format!("<= {}", written(bar)),
            verdict,
        ]);
    }

    report.timed_heading("A suite");
    fs::create_dir(folder.path().join("flows")).map_err(|why| why.to_string())?;
    for number in 0..FLOWS {
        write(
            &format!("flows/{number:03}.ad"),
            "open demo --relaunch\npress 'label=Counter'\npress 'label=\"Press me\"'\nclose\n",
        )?;
    }
    let flows = place("flows");
    let artifacts = place("results");
    let suite = |words: &[&str]| {
        let words: Vec<&str> =
            ["test", &flows, "--artifacts-dir", &artifacts].into_iter().chain(words.iter().copied()).collect();
        program.must(&words).map(|called| called.took)
    };
    report::progress("200 flows, three ways");
    let table = report.table(&["200 flows of 4 steps", "whole", "a flow"]);
    for (what, words) in [
        ("one after another, no traces", &["--trace", "never"][..]),
        ("two shards, no traces", &["--trace", "never", "--shard-split", SHARDS]),
        ("two shards, traces kept of failures", &["--shard-split", SHARDS]),
    ] {
        let took = suite(words)?;
        table.row(&[what.to_owned(), written(took), written(took / FLOWS as u32)]);
    }
    beside_the_peer(plan, report)
}

/// One script on one page, run by both; each opens a browser of its own and closes it.
fn beside_the_peer(plan: &Plan, report: &mut Report) -> Result<(), String> {
    report.timed_heading("One script on one page");
    let Some(folder) = peers::folder() else {
        report.line(&format!("The peer: {}", peers::missing()));
        return Ok(());
    };
    let place = tempfile::Builder::new().prefix("bench-replay-").tempdir().map_err(|why| why.to_string())?;
    let Some(peer) = NodeTool::find(&folder, place.path()) else {
        report.line(&format!("The peer: {}", peers::missing()));
        return Ok(());
    };
    let program = Program::new()?;
    program.start()?;
    // One button: on the page of 490 that `compare` uses, the peer gives a press by label up after 90 s.
    let page = place.path().join("page.html");
    fs::write(&page, "<!doctype html><title>Press</title><button>Go</button>").map_err(|why| why.to_string())?;
    let script = place.path().join("page.ad");
    // Lines that both understand.
    let presses = "click label=\"Go\"\n".repeat(10);
    let text = format!("context platform=web\nopen \"file://{}\"\n{presses}close\n", page.display());
    fs::write(&script, text).map_err(|why| why.to_string())?;
    let path = script.display().to_string();
    let (mut ours, mut theirs) = (Durations::default(), Durations::default());
    for _ in 0..plan.rounds.min(5) {
        ours.push(program.must(&["replay", &path, "--platform", "web"])?.took);
        // Left to itself it makes a state folder for the run, and finds no browser backend there.
        match peer.tool.must(&["replay", &path, "--platform", "web", "--state-dir", &peer.state()]) {
            Ok(called) => theirs.push(called.took),
            Err(why) => {
                report.line(&format!("The peer does not run it: {}", why.lines().next().unwrap_or_default()));
                break;
            }
        }
    }
    let table = report.table(&["open, 10 presses, close", "median", "ratio"]);
    table.row(&["agent-device".to_owned(), maybe(ours.median()), "1".to_owned()]);
    if let (Some(we), Some(they)) = (ours.median(), theirs.median()) {
        let ratio = format!("{:.1}", they.as_secs_f64() / we.as_secs_f64());
        table.row(&["agent-device 0.21.5 (npm)".to_owned(), written(they), ratio]);
    }
    Ok(())
}
