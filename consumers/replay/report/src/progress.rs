//! What is told while a suite runs, on standard error.
//!
//! On a terminal: a line for every flow that ended, and below them one line per running shard, which are drawn anew. Elsewhere:
//! plain lines, for what ended and for every attempt that failed. What apps wrote passes [`contract::plain`] in both.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use contract::plain;
use flow::FlowRecord;

use crate::{
    clock,
    facts::{self, Totals},
};

/// How often lines are drawn anew, at most.
const REDRAW: Duration = Duration::from_millis(80);

/// Where it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// A terminal.
    Terminal {
        /// How wide.
        columns: usize,
        /// How high.
        rows: usize,
    },
    /// A file, a pipe, the log of a CI server.
    Lines,
}

/// What a shard is doing.
#[derive(Debug)]
struct Running {
    flow: String,
    attempt: u32,
    step: String,
    steps: u32,
    since: Instant,
}

/// What is told while a suite runs.
#[derive(Debug)]
pub struct Progress<W: Write> {
    out: W,
    screen: Screen,
    /// Asked before every drawing: windows change their size.
    measure: Option<fn() -> Screen>,
    total: usize,
    shards: Vec<Option<Running>>,
    totals: Totals,
    drawn: usize,
    last: Option<Instant>,
}

impl<W: Write> Progress<W> {
    /// Of a suite of `total` runs of flows in `shards`.
    pub fn new(out: W, screen: Screen, shards: usize, total: usize) -> Self {
        let shards = (0..shards.max(1)).map(|_| None).collect();
        Self { out, screen, measure: None, total, shards, totals: Totals::default(), drawn: 0, last: None }
    }

    /// An attempt begins. `shard` counts from 1 on.
    pub fn begins(&mut self, shard: u32, flow: &str, attempt: u32, now: Instant) {
        let running = Running { flow: flow.to_owned(), attempt, step: String::new(), steps: 0, since: now };
        if let Some(place) = self.place(shard) {
            *place = Some(running);
        }
        self.redraw(now, true);
    }

    /// A step begins.
    pub fn step(&mut self, shard: u32, text: &str, now: Instant) {
        if let Some(Some(running)) = self.place(shard) {
            running.steps += 1;
            text.clone_into(&mut running.step);
        }
        self.redraw(now, false);
    }

    /// An attempt failed, and another one follows.
    pub fn tried(&mut self, flow: &FlowRecord, now: Instant) {
        if let Some(attempt) = flow.attempts.last() {
            let why = facts::why(flow, attempt);
            let line = format!(
                "retry {} attempt {} {}: {}",
                plain::line(&flow.name),
                attempt.number,
                facts::word(attempt.outcome),
                plain::line(&said(why.told.code, why.told.message))
            );
            self.say(&line, now);
        }
    }

    /// A flow ended.
    pub fn ends(&mut self, shard: u32, flow: &FlowRecord, now: Instant) {
        self.totals.count(flow.outcome);
        let line = ended(flow, self.totals.flows, self.total, self.shards.len());
        if let Some(place) = self.place(shard) {
            *place = None;
        }
        self.say(&line, now);
    }

    /// Time passed: elapsed times are drawn anew.
    pub fn tick(&mut self, now: Instant) {
        self.redraw(now, false);
    }

    /// The suite ended: the lines that were drawn are taken away.
    pub fn finish(&mut self) {
        let clear = self.clear();
        self.write(&clear);
    }

    fn place(&mut self, shard: u32) -> Option<&mut Option<Running>> {
        self.shards.get_mut(usize::try_from(shard.max(1) - 1).ok()?)
    }

    /// A line that stays.
    fn say(&mut self, line: &str, now: Instant) {
        let text = match self.screen {
            Screen::Lines => format!("{line}\n"),
            Screen::Terminal { .. } => format!("{}{line}\n", self.clear()),
        };
        self.write(&text);
        self.redraw(now, true);
    }

    fn redraw(&mut self, now: Instant, at_once: bool) {
        let Screen::Terminal { .. } = self.screen else { return };
        if !at_once && self.last.is_some_and(|last| now.saturating_duration_since(last) < REDRAW) {
            return;
        }
        self.last = Some(now);
        let (columns, rows) = match self.measure.map_or(self.screen, |measure| measure()) {
            Screen::Terminal { columns, rows } => (columns, rows),
            Screen::Lines => return,
        };
        let mut text = self.clear();
        let mut lines = self.lines(now);
        // What has left the screen at its top cannot be drawn anew. The last line, the counts, stays.
        let too_many = lines.len().saturating_sub(rows.saturating_sub(1));
        lines.drain(..too_many.min(lines.len()));
        for line in &lines {
            // One column stays free: some terminals wrap at the last one.
            text.push_str(fitting(line, columns.saturating_sub(1)));
            text.push('\n');
        }
        self.drawn = lines.len();
        self.write(&text);
    }

    fn lines(&self, now: Instant) -> Vec<String> {
        let several = self.shards.len() > 1;
        let mut lines: Vec<_> = self
            .shards
            .iter()
            .enumerate()
            .filter_map(|(index, running)| {
                let running = running.as_ref()?;
                let shard = if several { format!("[{}] ", index + 1) } else { String::new() };
                let again = if running.attempt > 1 { format!(" attempt {}", running.attempt) } else { String::new() };
                let elapsed = now.saturating_duration_since(running.since).as_secs();
                let step = match running.steps {
                    0 => String::new(),
                    steps => format!(" step {steps}: {}", plain::line(&running.step)),
                };
                Some(format!("{shard}{}{again} {elapsed} s{step}", plain::line(&running.flow)))
            })
            .collect();
        if lines.is_empty() {
            return lines;
        }
        let so_far = if self.totals.flows > 0 { format!(": {}", self.totals.words()) } else { String::new() };
        lines.push(format!("{} of {}{so_far}", self.totals.flows, self.total));
        lines
    }

    /// Takes away the lines that are drawn, and forgets them.
    fn clear(&mut self) -> String {
        match std::mem::take(&mut self.drawn) {
            0 => String::new(),
            // To the first of them, then everything below.
            drawn => format!("\x1b[{drawn}A\r\x1b[J"),
        }
    }

    fn write(&mut self, text: &str) {
        // Nobody reads it any more: the suite goes on, and the reports tell.
        let _gone = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
    }
}

impl Progress<io::Stderr> {
    /// On standard error, whatever that is.
    pub fn stderr(shards: usize, total: usize) -> Self {
        let mut progress = Self::new(io::stderr(), measured(), shards, total);
        progress.measure = Some(measured);
        progress
    }
}

/// What standard error is.
fn measured() -> Screen {
    let dumb = std::env::var_os("TERM").is_none_or(|kind| kind.is_empty() || kind == "dumb");
    if dumb || !io::IsTerminal::is_terminal(&io::stderr()) {
        return Screen::Lines;
    }
    match rustix::termios::tcgetwinsize(io::stderr()) {
        Ok(size) if size.ws_col > 0 => {
            Screen::Terminal { columns: usize::from(size.ws_col), rows: usize::from(size.ws_row.max(2)) }
        }
        _ => Screen::Terminal { columns: 80, rows: 24 },
    }
}

fn said(code: &str, message: &str) -> String {
    if code.is_empty() { message.to_owned() } else { format!("{code}: {message}") }
}

/// `passed login (1.2 s) [3/10]`
fn ended(flow: &FlowRecord, number: usize, total: usize, shards: usize) -> String {
    let mut line = format!("{} {}", facts::word(flow.outcome), plain::line(&flow.name));
    if !flow.attempts.is_empty() {
        line.push_str(&format!(" ({})", clock::short(facts::duration_ms(flow))));
    }
    if flow.attempts.len() > 1 {
        line.push_str(&format!(", {} attempts", flow.attempts.len()));
    }
    if let (Some(shard), true) = (flow.shard, shards > 1) {
        line.push_str(&format!(", shard {} of {}", shard.index, shard.count));
    }
    line.push_str(&format!(" [{number}/{total}]"));
    if let Some(why) = facts::why_not(flow) {
        line.push_str(&format!(": {}", plain::line(&said(why.told.code, why.told.message))));
    }
    line
}

/// As much of a line as `columns` hold.
fn fitting(line: &str, columns: usize) -> &str {
    let mut used = 0;
    for (at, letter) in line.char_indices() {
        used += width(letter);
        if used > columns {
            return line.get(..at).unwrap_or_default();
        }
    }
    line
}

/// Columns of a letter, rather too many than too few: a line that wraps would be drawn over.
const fn width(letter: char) -> usize {
    match letter {
        '\u{300}'..='\u{36f}' | '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2600}'..='\u{27bf}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f000}'..='\u{3ffff}' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests;
