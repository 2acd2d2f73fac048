//! What changed between two listings.
//!
//! Lines are the same line if they have the same ref. Of the lines that both have, the longest run that kept its order
//! stays; what moved out of it, and what reads differently now, is removed and added. So the old listing without the
//! removed lines, with the added ones in their places, is the new listing. `n log n` in the number of lines.
//!
//! Where not one ref survived, the whole screen was replaced: a page that was loaded anew, or another one. Then lines
//! that read the same are the same, and the diff says that their refs are new.

use std::{
    collections::{HashMap, VecDeque},
    fmt::Write as _,
};

use serde_json::{Value, json};

use crate::{
    Line, Listing,
    hash::NumberMap,
    snapshot::{line::cover, listing::DEEPEST},
};

/// What happened to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// It is new, or reads differently, or stands elsewhere.
    Added,
    /// It is gone, or read differently, or stood elsewhere.
    Removed,
    /// It is as it was.
    Unchanged,
}

impl LineKind {
    /// The word in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            LineKind::Added => "added",
            LineKind::Removed => "removed",
            LineKind::Unchanged => "unchanged",
        }
    }

    const fn sign(self) -> char {
        match self {
            LineKind::Added => '+',
            LineKind::Removed => '-',
            LineKind::Unchanged => '=',
        }
    }
}

/// One line of a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLine {
    /// What happened to it.
    pub kind: LineKind,
    /// Without ref and indentation.
    pub text: String,
    /// The ref's number; `None` for remarks such as what a scroll container hides.
    pub number: Option<u32>,
    /// The node takes input.
    pub interactive: bool,
    /// Levels of indentation.
    pub depth: u32,
}

impl DiffLine {
    fn new(kind: LineKind, line: &Line<'_>) -> Self {
        let number = (!line.note).then_some(line.number);
        Self { kind, text: line.text.to_owned(), number, interactive: line.interactive, depth: line.depth }
    }

    /// `@e5~s3 [button] "Save"`, for a line of the generation.
    pub fn pinned(&self, generation: u64) -> String {
        match self.number {
            Some(number) => format!("@e{number}~s{generation} {}", self.text),
            None => self.text.clone(),
        }
    }

    /// `@e5 [button] "Save"`.
    pub fn plain(&self) -> String {
        match self.number {
            Some(number) => format!("@e{number} {}", self.text),
            None => self.text.clone(),
        }
    }
}

/// What changed, every line of both listings in its place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    /// In the order of the new listing, removed lines where they stood.
    pub lines: Vec<DiffLine>,
    /// How many lines are new.
    pub additions: usize,
    /// How many are gone.
    pub removals: usize,
    /// How many are as they were.
    pub unchanged: usize,
    /// The whole screen was replaced: unchanged lines read the same and have new refs.
    pub renewed: bool,
}

/// The part of a diff that is worth reading first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News<'a> {
    /// Changed lines of elements, in their order; remarks such as what a scroll container hides are none.
    pub lines: Vec<&'a DiffLine>,
    /// Elements of which only that is new that something lies over them, or something else than before.
    pub covered: usize,
    /// Elements of which only that is new that nothing lies over them any more.
    pub freed: usize,
}

impl News<'_> {
    /// One sentence about the elements that are left out; `None` where there are none.
    pub fn about_covers(&self) -> Option<String> {
        let some = |count: usize, what: &str| {
            (count > 0).then(|| format!("{count} {} {what}", if count == 1 { "other is" } else { "others are" }))
        };
        let both: Vec<_> =
            [some(self.covered, "covered now"), some(self.freed, "no longer covered")].into_iter().flatten().collect();
        (!both.is_empty()).then(|| both.join(", "))
    }
}

/// The diff that opens a series: there is nothing to compare with yet, so every line is unchanged.
pub fn first(new: &Listing) -> Diff {
    collected(new.lines().map(|line| DiffLine::new(LineKind::Unchanged, &line)).collect())
}

/// From `old` to `new`.
pub fn diff(old: &Listing, new: &Listing) -> Diff {
    let old: Vec<Line<'_>> = old.lines().collect();
    let new: Vec<Line<'_>> = new.lines().collect();
    let by_ref = Pairing::by_ref(&old, &new);
    let renewed = by_ref.survivors == 0 && !old.is_empty();
    let kept = longest_rise(&if renewed { by_text(&old, &new) } else { by_ref.pairs });
    let mut lines = Vec::with_capacity(old.len().max(new.len()));
    let (mut from, mut to) = (0, 0);
    let end = std::iter::once((old.len(), new.len()));
    for (at_old, at_new) in kept.iter().copied().chain(end) {
        let gone = old.iter().take(at_old).skip(from);
        lines.extend(gone.map(|line| DiffLine::new(LineKind::Removed, line)));
        let come = new.iter().take(at_new).skip(to);
        lines.extend(come.map(|line| DiffLine::new(LineKind::Added, line)));
        lines.extend(new.get(at_new).map(|line| DiffLine::new(LineKind::Unchanged, line)));
        (from, to) = (at_old + 1, at_new + 1);
    }
    Diff { renewed, ..collected(lines) }
}

fn collected(lines: Vec<DiffLine>) -> Diff {
    let count = |kind| lines.iter().filter(|line| line.kind == kind).count();
    let (additions, removals, unchanged) =
        (count(LineKind::Added), count(LineKind::Removed), count(LineKind::Unchanged));
    Diff { lines, additions, removals, unchanged, renewed: false }
}

/// Lines of two listings that belong together by their refs.
struct Pairing {
    /// Places in both whose line has the same ref and reads the same; the second parts rise.
    pairs: Vec<(usize, usize)>,
    /// Refs that both have, whatever their lines say.
    survivors: usize,
}

impl Pairing {
    fn by_ref(old: &[Line<'_>], new: &[Line<'_>]) -> Self {
        let mut places: NumberMap<(u32, bool), usize> = NumberMap::default();
        places.reserve(old.len());
        for (place, line) in old.iter().enumerate() {
            places.entry((line.number, line.note)).or_insert(place);
        }
        let mut pairs: Vec<(usize, usize)> = Vec::with_capacity(new.len());
        let mut survivors = 0;
        for (to, line) in new.iter().enumerate() {
            // Taken out, so that a line is kept once even if a backend gives one identity to two nodes.
            if let Some(from) = places.remove(&(line.number, line.note)) {
                survivors += 1;
                if old.get(from).is_some_and(|old| old.text == line.text) {
                    pairs.push((from, to));
                }
            }
        }
        Self { pairs, survivors }
    }
}

/// Pairs of places whose lines read the same: the first with the first, the second with the second.
fn by_text(old: &[Line<'_>], new: &[Line<'_>]) -> Vec<(usize, usize)> {
    let mut places: HashMap<&str, VecDeque<usize>> = HashMap::with_capacity(old.len());
    for (place, line) in old.iter().enumerate() {
        places.entry(line.text).or_default().push_back(place);
    }
    let pair = |(to, line): (usize, &Line<'_>)| Some((places.get_mut(line.text)?.pop_front()?, to));
    new.iter().enumerate().filter_map(pair).collect()
}

/// The longest run of pairs whose first parts rise; the second parts rise already. Patience sorting.
fn longest_rise(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // tails[n]: the pair that ends the best run of n + 1 pairs; before[i]: the pair before i in its run.
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let first = |at: usize| pairs.get(at).map(|pair| pair.0);
    for at in 0..pairs.len() {
        let length = tails.partition_point(|tail| first(*tail) < first(at));
        before.push(length.checked_sub(1).and_then(|shorter| tails.get(shorter)).copied());
        match tails.get_mut(length) {
            Some(tail) => *tail = at,
            None => tails.push(at),
        }
    }
    let last = tails.last().copied();
    let mut run: Vec<(usize, usize)> = std::iter::successors(last, |at| before.get(*at).copied().flatten())
        .filter_map(|at| pairs.get(at).copied())
        .collect();
    run.reverse();
    run
}

impl Diff {
    /// Nothing changed.
    pub const fn is_empty(&self) -> bool {
        self.additions == 0 && self.removals == 0
    }

    /// `A additions, R removals, U unchanged`.
    pub fn summary(&self) -> String {
        let counts = format!("{} additions, {} removals, {} unchanged", self.additions, self.removals, self.unchanged);
        if self.renewed { format!("{counts}; the whole screen was replaced, so all refs are new") } else { counts }
    }

    /// The changed lines with `+` and `-`, runs of unchanged ones as their number, then the summary.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let mut same = 0usize;
        for line in &self.lines {
            if line.kind == LineKind::Unchanged {
                same += 1;
                continue;
            }
            skipped(&mut out, &mut same);
            let indent = "  ".repeat(line.depth.min(DEEPEST) as usize);
            let _ = writeln!(out, "{} {indent}{}", line.kind.sign(), line.plain());
        }
        if !self.is_empty() {
            skipped(&mut out, &mut same);
        }
        out.push_str(&self.summary());
        out
    }

    /// The changed lines that say more than that something lies over an element now, or does no longer. A dialog that
    /// opens covers a whole page: what it shows must not drown in that.
    pub fn news(&self) -> News<'_> {
        let changed = |kind| self.lines.iter().filter(move |line| line.kind == kind && line.number.is_some());
        let before: HashMap<Option<u32>, &str> =
            changed(LineKind::Removed).map(|line| (line.number, line.text.as_str())).collect();
        let mut only_cover: HashMap<Option<u32>, bool> = HashMap::new();
        for line in changed(LineKind::Added) {
            if let Some(old) = before.get(&line.number)
                && cover::without(old) == cover::without(&line.text)
                && *old != line.text
            {
                only_cover.insert(line.number, cover::is_in(&line.text));
            }
        }
        News {
            lines: self
                .lines
                .iter()
                .filter(|line| line.kind != LineKind::Unchanged && line.number.is_some())
                .filter(|line| !only_cover.contains_key(&line.number))
                .collect(),
            covered: only_cover.values().filter(|covered| **covered).count(),
            freed: only_cover.values().filter(|covered| !**covered).count(),
        }
    }

    /// `{mode, baselineInitialized, summary, lines}`; `baseline_initialized` where this was the first of a series.
    pub fn json(&self, baseline_initialized: bool) -> Value {
        let line = |line: &DiffLine| {
            let mut value = json!({"kind": line.kind.word(), "text": line.plain()});
            if let (Some(number), Some(map)) = (line.number, value.as_object_mut()) {
                map.insert("ref".into(), format!("e{number}").into());
            }
            value
        };
        json!({
            "mode": "snapshot",
            "baselineInitialized": baseline_initialized,
            "summary": {"additions": self.additions, "removals": self.removals, "unchanged": self.unchanged},
            "lines": self.lines.iter().map(line).collect::<Vec<_>>(),
        })
    }
}

fn skipped(out: &mut String, same: &mut usize) {
    if *same > 0 {
        let _ = writeln!(out, "  ({same} unchanged)");
        *same = 0;
    }
}

#[cfg(test)]
mod tests;
