//! What a model pays: bytes and tokens of the tools and of snapshots, and how long its calls take, beside the npm tool's
//! MCP server in the same run.
//!
//! | module | answers |
//! | --- | --- |
//! | [`client`] | a client on the pipes of a server, timed |
//! | [`economy`] | bytes and tokens: of the list of tools, of snapshots on pages of others |

mod client;
mod economy;

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    figures::{Durations, maybe, megabytes, written},
    number_after,
    peers::{self, NodeTool},
    process::rss,
    program::Program,
    report::{Report, Table, progress},
    site::{BUTTONS, LABEL, Site},
};
use client::{Client, text};

/// From the start of the process to the answer to its greeting.
const READY_LIMIT: Duration = Duration::from_millis(20);
/// Our share of the time that the npm tool takes, at most.
const SHARE: f64 = 0.1;
/// Memory may rise by so much between the 200th call and the last, bytes: what an allocator rounds up to.
const GROWTH: u64 = 500_000;

/// How much.
pub struct Plan {
    rounds: usize,
    calls: usize,
    pages: usize,
}

impl Plan {
    /// From the words after `mcp`.
    ///
    /// # Errors
    /// Where they are not understood.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut plan = Self { rounds: 15, calls: 1_000, pages: 10 };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--rounds" => plan.rounds = number_after(&mut words, word)?,
                "--calls" => plan.calls = number_after(&mut words, word)?,
                "--pages" => plan.pages = number_after(&mut words, word)?,
                other => return Err(format!("mcp does not know {other:?}")),
            }
        }
        Ok(plan)
    }
}

/// Measures and prints the tables.
///
/// # Errors
/// Where a server does not start or a call fails.
pub fn run(plan: &Plan, report: &mut Report) -> Result<(), String> {
    report.timed_heading("MCP: what a model pays");
    let program = Program::new()?;
    let away = tempfile::tempdir().map_err(|why| why.to_string())?;
    let node = peers::folder().and_then(|peers| NodeTool::find(&peers, away.path()));
    if node.is_none() {
        report.line(&format!("agent-device 0.21.5 (npm): {}\n", peers::missing()));
    }

    ready(plan, &program, node.as_ref(), report)?;
    let mut ours = Client::start(program.tool(), &["mcp", "--platform", "web"])?;
    let mut theirs = node.as_ref().map(|node| Client::start(&node.tool, &["mcp"])).transpose()?;
    let list = lists(plan, &mut ours, theirs.as_mut())?;
    economy::tools(&program, &mut ours, theirs.as_mut(), report)?;

    let site = Site::serve()?;
    economy::snapshots(plan.pages, &site, &mut ours, theirs.as_mut(), report)?;
    latency(plan, &site, list, &mut ours, theirs.as_mut(), report)?;
    growth(plan, &mut ours, report)?;
    if let Some(theirs) = &mut theirs {
        theirs.call("close", json!({"platform": "web"}))?;
    }
    ours.call("close", json!({}))?;
    Ok(())
}

fn ready(plan: &Plan, program: &Program, node: Option<&NodeTool>, report: &mut Report) -> Result<(), String> {
    progress("start of the servers");
    let (mut ours, mut theirs) = (Durations::default(), Durations::default());
    for _ in 0..plan.rounds {
        ours.push(Client::start(program.tool(), &["mcp"])?.ready);
        if let Some(node) = node {
            theirs.push(Client::start(&node.tool, &["mcp"])?.ready);
        }
    }
    let table = report.table(&["from the start to the answered greeting", "ours", "npm", "bar", ""]);
    let holds = ours.median().is_some_and(|median| median <= READY_LIMIT);
    let verdict = report.bar("server ready", holds);
    table.row(&["`mcp`".into(), ours.spread(), theirs.spread(), format!("<= {}", written(READY_LIMIT)), verdict]);
    report.line("");
    Ok(())
}

/// Calls of one server between those of the other, where a call takes microseconds: who has just answered goes on tidying up
/// for some ms, which is no part of the other's time. Somebody who works uses one server.
const AT_A_TIME: usize = 30;

/// The list of sessions, before a browser keeps the machine busy: it is a matter of microseconds.
fn lists(plan: &Plan, ours: &mut Client, mut theirs: Option<&mut Client>) -> Result<Pair, String> {
    let mut list = Pair::default();
    let args = || json!({"action": "list"});
    // The first call starts the daemons.
    ours.must("session", args())?;
    theirs.as_deref_mut().map(|theirs| theirs.must("session", args())).transpose()?;
    for _ in 0..(plan.rounds * 4).div_ceil(AT_A_TIME) {
        for _ in 0..AT_A_TIME {
            list.ours.push(ours.must("session", args())?.1);
        }
        if let Some(theirs) = theirs.as_deref_mut() {
            for _ in 0..AT_A_TIME {
                list.theirs.push(theirs.must("session", args())?.1);
            }
        }
    }
    Ok(list)
}

/// A look and a press with each server in turn.
fn latency(
    plan: &Plan,
    site: &Site,
    list: Pair,
    ours: &mut Client,
    mut theirs: Option<&mut Client>,
    report: &mut Report,
) -> Result<(), String> {
    let web = json!({"platform": "web"});
    ours.must("open", json!({"app": site.address("mcp-ours")}))?;
    if let Some(theirs) = theirs.as_deref_mut() {
        theirs.must("open", json!({"app": site.address("mcp-npm"), "platform": "web"}))?;
    }
    let looks = (json!({"forceFull": true}), json!({"platform": "web", "interactiveOnly": true}));
    let (mut look, mut click) = (Pair::default(), Pair::default());
    let (mut our_presses, mut their_presses) = (0, 0);
    for round in 0..plan.rounds {
        progress(&format!("latency, round {} of {}", round + 1, plan.rounds));
        let (screen, took) = ours.must("snapshot", looks.0.clone())?;
        shows_all(&text(&screen))?;
        look.ours.push(took);
        click.ours.push(ours.must("press", json!({"target": reference(&text(&screen))?}))?.1);
        our_presses += 1;
        site.arrived("mcp-ours", our_presses)?;
        let Some(theirs) = theirs.as_deref_mut() else { continue };
        let (screen, took) = theirs.must("snapshot", looks.1.clone())?;
        shows_all(&text(&screen))?;
        look.theirs.push(took);
        let mut args = web.clone();
        args["target"] = json!({"kind": "ref", "ref": reference(&text(&screen))?});
        click.theirs.push(theirs.must("click", args)?.1);
        their_presses += 1;
        site.arrived("mcp-npm", their_presses)?;
    }
    report.line(&format!(
        "\nCalls on a page of {BUTTONS} buttons, from the request written to the answer read; taking turns, the list of sessions thirty calls at a time.\n"
    ));
    let table = report.table(&["call", "ours", "npm", "ours / npm", "bar", ""]);
    list.row("`session list`", &table, report);
    look.row("web `snapshot`", &table, report);
    click.row("web `click` by ref", &table, report);
    Ok(())
}

/// What one kind of call took with each.
#[derive(Default)]
struct Pair {
    ours: Durations,
    theirs: Durations,
}

impl Pair {
    fn row(&self, name: &str, table: &Table, report: &mut Report) {
        let share = self
            .ours
            .median()
            .zip(self.theirs.median())
            .map(|(ours, theirs)| ours.as_secs_f64() / theirs.as_secs_f64());
        let (written, verdict) = match share {
            Some(share) => (format!("1/{:.1}", 1.0 / share), report.bar(name, share <= SHARE)),
            None => ("-".to_owned(), "not measured".to_owned()),
        };
        table.row(&[name.into(), self.ours.spread(), self.theirs.spread(), written, "<= 1/10".into(), verdict]);
    }
}

fn shows_all(screen: &str) -> Result<(), String> {
    let shown = screen.lines().filter(|line| line.starts_with("@e")).count();
    if shown == BUTTONS { Ok(()) } else { Err(format!("a snapshot shows {shown} of {BUTTONS} buttons")) }
}

/// The button's ref.
fn reference(screen: &str) -> Result<String, String> {
    let line = screen.lines().find(|line| line.contains(&format!("{LABEL:?}")));
    let word = line.and_then(|line| line.split_whitespace().find(|word| word.starts_with("@e")));
    word.map(str::to_owned).ok_or_else(|| format!("no {LABEL:?} in the snapshot"))
}

/// Memory of the server over many calls of all kinds: looks, presses, failures, pictures.
fn growth(plan: &Plan, ours: &mut Client, report: &mut Report) -> Result<(), String> {
    let pid = ours.pid();
    let mut early = None;
    let mut times = Durations::default();
    for call in 0..plan.calls {
        if call % 100 == 0 {
            progress(&format!("growth, call {call} of {}", plan.calls));
        }
        let (result, took) = match call % 5 {
            0 | 3 => ours.call("snapshot", json!({"forceFull": true}))?,
            1 => ours.call("press", json!({"target": format!("label={LABEL:?}")}))?,
            2 => ours.call("press", json!({"target": "id=nothing"}))?,
            _ => ours.call("is", json!({"predicate": "exists", "target": format!("label={LABEL:?}")}))?,
        };
        let failed = result.get("isError").and_then(Value::as_bool).unwrap_or(false);
        if failed != (call % 5 == 2) {
            return Err(format!("call {call}: {}", text(&result)));
        }
        times.push(took);
        if call == plan.calls / 5 {
            early = rss(pid);
        }
    }
    let late = rss(pid);
    report.line("");
    let table = report.table(&["memory of the server", "figure", "bar", ""]);
    let (early, late) = early.zip(late).ok_or("the server is gone")?;
    table.row(&[format!("after {} calls", plan.calls / 5), megabytes(early), String::new(), String::new()]);
    let verdict = report.bar("no growth in memory", late.saturating_sub(early) <= GROWTH);
    let bar = format!("<= {} more", megabytes(GROWTH));
    table.row(&[format!("after {} calls", plan.calls), megabytes(late), bar, verdict]);
    table.row(&["a call, median".into(), maybe(times.median()), String::new(), String::new()]);
    Ok(())
}
