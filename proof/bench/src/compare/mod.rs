//! How we stand next to the peers: the same page, command line against command line, taking turns, medians.
//!
//! | module | answers |
//! | --- | --- |
//! | [`subject`] | how each tool is asked for the same thing |

mod subject;

use std::time::Duration;

use crate::{
    call::Called,
    figures::{Durations, megabytes, written},
    number_after,
    peers::{self, BrowserTool, NodeTool},
    process::rss,
    program::Program,
    report::{Report, Table, progress},
    site::Site,
};
use subject::{Kind, Subject};

/// Commands after which a daemon's memory is looked at.
const COMMANDS: usize = 100;
/// Our daemon's memory after them, bytes.
const RSS_LIMIT: u64 = 15_000_000;

/// How much.
pub struct Plan {
    rounds: usize,
    /// Leave out what takes a peer minutes.
    quick: bool,
}

/// What one kind of command took with each tool.
#[derive(Default)]
struct Row {
    ours: Durations,
    node: Durations,
    browser: Durations,
    /// Why a tool has no figure here.
    notes: Vec<String>,
}

type Ask = for<'a, 'b> fn(&'a mut Subject<'b>) -> Result<Called, String>;

impl Plan {
    /// From the words after `compare`.
    ///
    /// # Errors
    /// Where they are not understood.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut plan = Self { rounds: 15, quick: false };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--rounds" => plan.rounds = number_after(&mut words, word)?,
                "--quick" => plan.quick = true,
                other => return Err(format!("compare does not know {other:?}")),
            }
        }
        Ok(plan)
    }
}

/// Measures and prints the table.
///
/// # Errors
/// Where our own program fails, or does not do what was asked for. A peer that is missing or fails is a note.
pub fn run(plan: &Plan, report: &mut Report) -> Result<(), String> {
    report.timed_heading("Next to the peers");
    let site = Site::serve()?;
    let program = Program::new()?;
    let pid = program.start()?;
    let fresh = rss(pid);
    let folder = program.tool().folder.as_path();
    let at = peers::folder();
    let node = at.as_deref().and_then(|at| NodeTool::find(at, folder));
    let browser = at.as_deref().and_then(|at| BrowserTool::find(at, folder));

    progress("  opening the page in each tool");
    let mut ours = Subject::open(Kind::Ours, program.tool(), &site)?;
    let mut notes = Vec::new();
    let mut with_node =
        node.as_ref().and_then(|node| noted(Subject::open(Kind::AgentDevice, &node.tool, &site), &mut notes));
    let mut with_browser =
        browser.as_ref().and_then(|tool| noted(Subject::open(Kind::AgentBrowser, &tool.tool, &site), &mut notes));
    if node.is_none() || browser.is_none() {
        notes.push(format!("peers: {}", peers::missing()));
    }

    let table = report.table(&[
        "command",
        Kind::Ours.title(),
        Kind::AgentDevice.title(),
        Kind::AgentBrowser.title(),
        "ratios",
        "bars",
        "",
    ]);
    let mut all = |what: &str, ask: Ask, node: bool, browser: bool| {
        progress(&format!("  {what}"));
        let with_node = with_node.as_mut().filter(|_| node);
        turns(plan.rounds, &mut ours, [with_node, with_browser.as_mut().filter(|_| browser)], ask)
    };
    let sessions = all("session list", |subject| subject.sessions(), true, false)?;
    print(&table, report, "`session list`, warm", &sessions, (Some(25.0), None));
    let snapshots = all("snapshot -i", |subject| subject.snapshot(), true, true)?;
    print(&table, report, "`snapshot -i`", &snapshots, (Some(20.0), Some(8.0)));
    let clicks = all("click @ref", |subject| subject.click_ref(), true, true)?;
    print(&table, report, "`click @ref`", &clicks, (Some(12.0), Some(3.0)));
    let mut labels = all("click label", |subject| subject.click_label(), false, true)?;
    for row in [sessions, snapshots, clicks] {
        notes.extend(row.notes);
    }
    notes.append(&mut labels.notes);
    if let Some(node) = with_node.as_mut().filter(|_| !plan.quick) {
        progress("  click label with agent-device 0.21.5, once: a minute and a half");
        let called = node.click_label_if_it_can()?;
        labels.node.push(called.took);
        if !called.worked {
            notes.push(format!(
                "`click 'label=...'` with {}: failed after {}, so the ratio is a lower bound: {}",
                Kind::AgentDevice.title(),
                written(called.took),
                called.err.lines().next().unwrap_or_default()
            ));
        }
    }
    print(&table, report, "`click 'label=\"Tap me\"'`", &labels, (Some(1000.0), None));

    progress("  memory");
    let mut cells = vec![format!("daemon's RSS after {COMMANDS} commands or more")];
    fill(&mut ours)?;
    let after = rss(pid);
    cells.push(format!("{} ({} commands; fresh {})", size(after), ours.commands, size(fresh)));
    for (subject, pid) in [
        (with_node.as_mut(), node.as_ref().and_then(NodeTool::daemon)),
        (with_browser.as_mut(), browser.as_ref().and_then(BrowserTool::daemon)),
    ] {
        cells.push(match subject {
            Some(subject) => match fill(subject) {
                Ok(()) => format!("{} ({} commands)", size(pid.and_then(rss)), subject.commands),
                Err(why) => why,
            },
            None => "not measured".to_owned(),
        });
    }
    let verdict = report.bar("daemon's RSS", after.is_some_and(|bytes| bytes <= RSS_LIMIT));
    cells.extend([String::new(), format!("<= {}", megabytes(RSS_LIMIT)), verdict]);
    table.row(&cells);

    report.line("");
    report.line("Median (quartiles, number of runs). A ratio is the peer's median over ours, from this run.");
    for note in notes {
        report.line(&format!("- {note}"));
    }
    program.must(&["close"]).map(|_| ())
}

fn noted<T>(outcome: Result<T, String>, notes: &mut Vec<String>) -> Option<T> {
    outcome.map_err(|why| notes.push(why)).ok()
}

/// Ours, the first peer, the second, ours, ...: what else the machine does meets all of them. A first turn that warms
/// up is not counted.
fn turns<'p, 's>(
    rounds: usize,
    ours: &mut Subject<'_>,
    mut peers: [Option<&'p mut Subject<'s>>; 2],
    ask: Ask,
) -> Result<Row, String> {
    let mut row = Row::default();
    for round in 0..=rounds {
        let called = ask(ours)?;
        if round > 0 {
            row.ours.push(called.took);
        }
        for (peer, durations) in peers.iter_mut().zip([&mut row.node, &mut row.browser]) {
            let Some(subject) = peer.as_deref_mut() else { continue };
            match ask(subject) {
                Ok(called) if round > 0 => durations.push(called.took),
                Ok(_) => {}
                Err(why) => {
                    // A peer that fails is not asked again for this.
                    row.notes.push(why);
                    *peer = None;
                }
            }
        }
    }
    Ok(row)
}

fn print(table: &Table, report: &mut Report, what: &str, row: &Row, bars: (Option<f64>, Option<f64>)) {
    let ratio = |peer: &Durations| {
        Some(peer.median()?.as_secs_f64() / row.ours.median()?.max(Duration::from_nanos(1)).as_secs_f64())
    };
    let (mut ratios, mut wanted, mut verdicts) = (Vec::new(), Vec::new(), Vec::new());
    for (peer, bar) in [(&row.node, bars.0), (&row.browser, bars.1)] {
        let found = ratio(peer);
        ratios.push(found.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.1}")));
        if let Some(bar) = bar {
            wanted.push(format!(">= {bar}"));
            verdicts.push(match found {
                Some(ratio) => report.bar(&format!("{what} {ratio:.1} >= {bar}"), ratio >= bar),
                None => "not measured".to_owned(),
            });
        }
    }
    table.row(&[
        what.to_owned(),
        row.ours.spread(),
        row.node.spread(),
        row.browser.spread(),
        ratios.join(" / "),
        wanted.join(" / "),
        verdicts.join(" / "),
    ]);
}

/// Snapshots until enough commands were run.
fn fill(subject: &mut Subject<'_>) -> Result<(), String> {
    while subject.commands < COMMANDS {
        subject.snapshot()?;
    }
    Ok(())
}

fn size(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "gone".to_owned(), megabytes)
}
