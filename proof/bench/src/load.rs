//! 50 sessions of the embedded stage at once, each on a connection of its own: `snapshot -i` and a press, over and over.

use std::{
    sync::Barrier,
    time::{Duration, Instant},
};

use contract::{
    Command, Target,
    command::{AfterArgs, Is, IsWords, Open, Predicate, Press, Snapshot, ViewArgs},
    words::Words,
};

use crate::{
    figures::{Durations, maybe, written},
    number_after,
    process::{computed, rss_written},
    program::{Line, Program},
    report::{Report, Table, progress},
};

/// How much.
pub struct Plan {
    sessions: usize,
    rounds: usize,
}

/// No session begins another round after this.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// What one session measured.
#[derive(Default)]
struct Measured {
    open: Durations,
    snapshot: Durations,
    press: Durations,
    check: Durations,
    asked: usize,
    answered: usize,
    wrong: Vec<String>,
}

impl Plan {
    /// From the words after `load`.
    ///
    /// # Errors
    /// Where they are not understood.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut plan = Self { sessions: 50, rounds: 40 };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--sessions" => plan.sessions = number_after(&mut words, word)?,
                "--rounds" => plan.rounds = number_after(&mut words, word)?,
                other => return Err(format!("load does not know {other:?}")),
            }
        }
        Ok(plan)
    }
}

/// Measures and prints the tables.
///
/// # Errors
/// Where the daemon cannot be started.
pub fn run(plan: &Plan, report: &mut Report) -> Result<(), String> {
    report.timed_heading(&format!("Load: {} sessions at once on the stage", plan.sessions));
    let program = Program::new()?;
    let pid = program.start()?;
    let idle = rss_written(pid);

    // One session alone first: what a round trip costs when nothing else runs.
    let alone = together(&program, 1, plan.rounds, "alone")?;
    let (before, start) = (computed(pid), Instant::now());
    let all = together(&program, plan.sessions, plan.rounds, "load")?;
    let took = start.elapsed();
    let used = computed(pid).zip(before).map(|(after, before)| after.saturating_sub(before));
    let loaded = rss_written(pid);

    report.line(
        "Round trips on the socket: from the first byte of a request written to the last byte of its reply read.\n",
    );
    let table = report.table(&["command", "n", "alone p50", "p50", "p95", "p99", "slowest"]);
    row(&table, "`open demo`", &alone.open, &all.open);
    row(&table, "`snapshot -i`", &alone.snapshot, &all.snapshot);
    row(&table, "`press 'label=\"Press me\"'`", &alone.press, &all.press);
    row(&table, "`is exists ...`", &alone.check, &all.check);

    report.line("");
    let facts = report.table(&["what", "figure", "bar", ""]);
    let fact = |what: &str, figure: String, bar: &str, verdict: String| {
        facts.row(&[what.to_owned(), figure, bar.to_owned(), verdict])
    };
    fact("commands a second", format!("{:.0}", all.answered as f64 / took.as_secs_f64()), "", String::new());
    let each = used.map(|used| used.div_f64(all.answered.max(1) as f64));
    fact("daemon's computing time a command", maybe(each), "", String::new());
    let lost = report.bar("no reply lost", all.asked == all.answered);
    fact("requests without a reply", format!("{} of {}", all.asked - all.answered, all.asked), "none", lost);
    let wrong = report.bar("every press took effect exactly once", all.wrong.is_empty() && alone.wrong.is_empty());
    fact("replies that were failures, presses not counted exactly once", all.wrong.len().to_string(), "none", wrong);
    fact("daemon RSS: fresh", idle, "", String::new());
    fact(&format!("daemon RSS: {} sessions open, after the load", plan.sessions), loaded, "", String::new());
    for index in 0..plan.sessions {
        program.must(&["close", "--session", &format!("load-{index}")])?;
    }
    fact("daemon RSS: all of them closed", rss_written(pid), "", String::new());
    for why in all.wrong.iter().chain(&alone.wrong).take(5) {
        report.line(&format!("\n- {why}"));
    }
    progress(&format!("the load took {}", written(took)));
    Ok(())
}

fn row(table: &Table, name: &str, alone: &Durations, all: &Durations) {
    let mut cells = vec![name.to_owned(), all.count().to_string(), maybe(alone.median())];
    cells.extend([0.5, 0.95, 0.99, 1.0].map(|share| maybe(all.percentile(share))));
    table.row(&cells);
}

fn together(program: &Program, sessions: usize, rounds: usize, prefix: &str) -> Result<Measured, String> {
    let lines = (0..sessions).map(|_| program.line()).collect::<Result<Vec<_>, _>>()?;
    let begin = Barrier::new(sessions);
    let mut all = Measured::default();
    std::thread::scope(|scope| {
        let begin = &begin;
        let running: Vec<_> = lines
            .into_iter()
            .enumerate()
            .map(|(index, line)| {
                scope.spawn(move || {
                    begin.wait();
                    session(line, &format!("{prefix}-{index}"), rounds)
                })
            })
            .collect();
        for one in running {
            match one.join() {
                Ok(one) => all.add(one),
                Err(_) => all.wrong.push("a session of the bench broke off".to_owned()),
            }
        }
    });
    Ok(all)
}

fn session(mut line: Line, name: &str, rounds: usize) -> Measured {
    let mut measured = Measured::default();
    let end = Instant::now() + TIME_LIMIT;
    let look = Command::Snapshot(Snapshot {
        view: ViewArgs { interactive_only: true, ..ViewArgs::default() },
        force_full: true,
        ..Snapshot::default()
    });
    let mut pressed = 0;
    let open = Command::Open(Open { app: Some("demo".to_owned()), ..Open::default() });
    if let Some(took) = measured.ask(&mut line, name, &open) {
        measured.open.push(took);
    }
    measured.ask(&mut line, name, &press("Counter"));
    for _ in 0..rounds {
        if Instant::now() >= end {
            break;
        }
        if let Some(took) = measured.ask(&mut line, name, &look) {
            measured.snapshot.push(took);
        }
        if let Some(took) = measured.ask(&mut line, name, &press("Press me")) {
            measured.press.push(took);
            pressed += 1;
        }
    }
    let wanted = format!("label=\"Pressed {pressed} times\"");
    if let Some(took) = measured.ask(&mut line, name, &exists(wanted)) {
        measured.check.push(took);
    }
    measured
}

fn selector(text: String) -> Target {
    Target::Selector { selector: text }
}

fn press(label: &str) -> Command {
    Command::Press(Press {
        target: Words(selector(format!("label={label:?}"))),
        count: None,
        interval_ms: None,
        hold_ms: None,
        double_tap: false,
        button: None,
        after: AfterArgs::default(),
    })
}

fn exists(wanted: String) -> Command {
    Command::Is(Is { words: Words(IsWords { predicate: Predicate::Exists, target: selector(wanted), value: None }) })
}

impl Measured {
    fn ask(&mut self, line: &mut Line, session: &str, command: &Command) -> Option<Duration> {
        self.asked += 1;
        match line.run(session, command) {
            Ok((took, reply)) => {
                self.answered += 1;
                match reply.error {
                    None => return Some(took),
                    Some(error) => {
                        self.wrong.push(format!("{session}: {}: {}", command.spec().name, error.data.failure().message))
                    }
                }
            }
            Err(why) => self.wrong.push(format!("{session}: {}: {why}", command.spec().name)),
        }
        None
    }

    fn add(&mut self, one: Measured) {
        self.open.extend(&one.open);
        self.snapshot.extend(&one.snapshot);
        self.press.extend(&one.press);
        self.check.extend(&one.check);
        self.asked += one.asked;
        self.answered += one.answered;
        self.wrong.extend(one.wrong);
    }
}
