//! How we stand next to the host from npm on Android: two devices of one lab, one for each, command line against command line,
//! taking turns; and what one press of ours costs on the wire.
//!
//! | module | answers |
//! | --- | --- |
//! | [`phone`] | a device of the lab with an app of so many nodes, and whether a press really arrived there |
//! | [`subject`] | how each tool is asked for the same thing |
//! | [`steady`] | what presses send over adb, and which processes they start |

mod phone;
mod steady;
mod subject;

use std::{path::Path, time::Duration};

use android_lab::Lab;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::{
    call::Called,
    figures::{Durations, megabytes},
    number_after,
    peers::{self, NodeTool},
    process::rss,
    program::Program,
    report::{Report, Table, progress},
};
use phone::{App, Phone};
use subject::{Kind, Subject};

/// The adb server that a tool talks to.
const SERVER_VARIABLE: &str = "ANDROID_ADB_SERVER_PORT";
/// The host takes at least so many times longer than ours.
const RATIO: f64 = 15.0;
/// Commands after which a daemon's memory is looked at, and our daemon's memory after them, bytes.
const COMMANDS: usize = 100;
const RSS_LIMIT: u64 = 15_000_000;

/// How much.
pub struct Plan {
    rounds: usize,
}

/// What one kind of command took with each tool.
#[derive(Default)]
struct Row {
    ours: Durations,
    npm: Durations,
}

type Ask = for<'a, 'b> fn(&'a mut Subject<'b>) -> Result<Called, String>;

impl Plan {
    /// From the words after `android`.
    ///
    /// # Errors
    /// Where they are not understood.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut plan = Self { rounds: 15 };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--rounds" => plan.rounds = number_after(&mut words, word)?,
                other => return Err(format!("android does not know {other:?}")),
            }
        }
        Ok(plan)
    }
}

/// Measures and prints the tables.
///
/// # Errors
/// Where there is no lab, or our own program does not do what was asked for. A host that is missing or fails is a note.
pub fn run(plan: &Plan, report: &mut Report) -> Result<(), String> {
    let runtime = Runtime::new().map_err(|why| why.to_string())?;
    progress("  starting the lab");
    let lab = runtime.block_on(Lab::start()).map_err(|trouble| trouble.to_string())?;
    report.timed_heading("Android, next to the host from npm");
    let mut notes = Vec::new();
    let mut timed = Timed { runtime: &runtime, lab: &lab, rounds: plan.rounds, notes: &mut notes };
    let table = report.table(&["command", "ours", "agent-device 0.21.5 (npm)", "ratio", "bar", ""]);
    timed.app(App::Demo, &table, report)?;
    timed.app(App::Grid500, &table, report)?;
    timed.app(App::Grid5000, &table, report)?;
    report.line("\nMedian (quartiles, number of runs). A ratio is the host's median over ours, from this run.");
    for note in notes {
        report.line(&format!("- {note}"));
    }
    report.line("");
    steady::run(&runtime, &lab, report)
}

/// The comparison under way.
struct Timed<'a> {
    runtime: &'a Runtime,
    lab: &'a Lab,
    rounds: usize,
    notes: &'a mut Vec<String>,
}

impl Timed<'_> {
    /// Everything that is compared on one app.
    fn app(&mut self, app: App, table: &Table, report: &mut Report) -> Result<(), String> {
        progress(&format!("  {}", app.title()));
        let phones = [Phone::start(self.runtime, self.lab, app)?, Phone::start(self.runtime, self.lab, app)?];
        let [ours, theirs] = &phones;
        let server = self.lab.port().to_string();
        let program = Program::with(vec![(SERVER_VARIABLE, server.clone().into())])?;
        let pid = program.start()?;
        let fresh = rss(pid);
        let home = TempDir::new().map_err(|why| why.to_string())?;
        let npm = npm(home.path(), program.tool().folder.as_path(), &server, theirs);
        if npm.is_none() {
            self.notes.push(format!("agent-device 0.21.5 (npm): {}", peers::missing()));
        }
        let mut ours = Subject::open(Kind::Ours, program.tool(), ours)?;
        let mut theirs = match npm.as_ref().map(|npm| Subject::open(Kind::Npm, &npm.tool, theirs)) {
            Some(Ok(subject)) => Some(subject),
            Some(Err(why)) => {
                self.notes.push(why);
                None
            }
            None => None,
        };
        let mut row = |what: &str, ask: Ask, rounds: usize, bar: Option<f64>| -> Result<(), String> {
            progress(&format!("    {what}"));
            let row = turns(rounds, &mut ours, &mut theirs, ask, self.notes)?;
            print(table, report, &format!("{what}, {}", app.title()), &row, bar);
            Ok(())
        };
        match app {
            App::Demo => {
                row("`session list`", |subject| subject.sessions(), self.rounds, None)?;
                row("`appstate`", |subject| subject.appstate(), self.rounds, None)?;
                row("`snapshot -i`", |subject| subject.snapshot(), self.rounds, Some(RATIO))?;
                row("`press @ref`", |subject| subject.press(), self.rounds, Some(RATIO))?;
                memory(table, report, (&mut ours, pid, fresh), theirs.as_mut().zip(npm.as_ref()))?;
            }
            // The interpreter that stands in for the device's compiled runtime takes most of the time here, for both: no bars.
            App::Grid500 => {
                row("`snapshot -i`", |subject| subject.snapshot(), self.rounds, None)?;
                row("`press @ref`", |subject| subject.press(), self.rounds, None)?;
            }
            App::Grid5000 => row("`snapshot -i`", |subject| subject.snapshot(), self.rounds.div_ceil(3), None)?,
        }
        program.must(&["close"]).map(|_| ())
    }
}

/// The host from npm at home in a folder of its own.
fn npm(home: &Path, folder: &Path, server: &str, phone: &Phone) -> Option<NodeTool> {
    let set = vec![(SERVER_VARIABLE, server.into())];
    let close = ["close", "--platform", "android", "--serial", phone.serial()];
    NodeTool::at_home(&peers::folder()?, folder, home, set, &close)
}

/// Ours, theirs, ours, ...: what else the machine does meets both. A first turn that warms up is not counted.
fn turns(
    rounds: usize,
    ours: &mut Subject<'_>,
    theirs: &mut Option<Subject<'_>>,
    ask: Ask,
    notes: &mut Vec<String>,
) -> Result<Row, String> {
    let mut row = Row::default();
    let mut peer = theirs.as_mut();
    for round in 0..=rounds {
        let called = ask(ours)?;
        if round > 0 {
            row.ours.push(called.took);
        }
        match peer.as_deref_mut().map(ask) {
            Some(Ok(called)) if round > 0 => row.npm.push(called.took),
            Some(Err(why)) => {
                // A host that fails is not asked again for this.
                notes.push(why);
                peer = None;
            }
            _ => {}
        }
    }
    Ok(row)
}

fn print(table: &Table, report: &mut Report, what: &str, row: &Row, bar: Option<f64>) {
    let ratio = row
        .npm
        .median()
        .zip(row.ours.median())
        .map(|(theirs, ours)| theirs.as_secs_f64() / ours.max(Duration::from_nanos(1)).as_secs_f64());
    let verdict = match (ratio, bar) {
        (Some(ratio), Some(bar)) => report.bar(&format!("{what} {ratio:.1} >= {bar}"), ratio >= bar),
        (None, Some(_)) => "not measured".to_owned(),
        _ => String::new(),
    };
    table.row(&[
        what.to_owned(),
        row.ours.spread(),
        row.npm.spread(),
        ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.1}")),
        bar.map(|bar| format!(">= {bar}")).unwrap_or_default(),
        verdict,
    ]);
}

/// Snapshots until enough commands were run, then the size of both daemons.
fn memory(
    table: &Table,
    report: &mut Report,
    (ours, pid, fresh): (&mut Subject<'_>, u32, Option<u64>),
    theirs: Option<(&mut Subject<'_>, &NodeTool)>,
) -> Result<(), String> {
    progress("    memory");
    let size = |bytes: Option<u64>| bytes.map_or_else(|| "gone".to_owned(), megabytes);
    fill(ours)?;
    let after = rss(pid);
    let npm = match theirs {
        Some((subject, tool)) => match fill(subject) {
            Ok(()) => format!("{} ({} commands)", size(tool.daemon().and_then(rss)), subject.commands),
            Err(why) => why,
        },
        None => "not measured".to_owned(),
    };
    table.row(&[
        format!("daemon's RSS after {COMMANDS} commands or more"),
        format!("{} ({} commands; fresh {})", size(after), ours.commands, size(fresh)),
        npm,
        String::new(),
        format!("<= {}", megabytes(RSS_LIMIT)),
        report.bar("daemon's RSS", after.is_some_and(|bytes| bytes <= RSS_LIMIT)),
    ]);
    Ok(())
}

fn fill(subject: &mut Subject<'_>) -> Result<(), String> {
    while subject.commands < COMMANDS {
        subject.snapshot()?;
    }
    Ok(())
}
