//! What a snapshot is afterwards: lines, text, JSON.

use std::fmt::Write as _;

use contract::{command::ViewArgs, view::NodeView};

use crate::{Tree, describe::node_view};

/// Levels of indentation that are written at most: further in, a line would be all blanks.
pub(crate) const DEEPEST: u32 = 100;

/// A rendered snapshot. Kept to be compared with the next one.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    args: ViewArgs,
    generation: u64,
    total: u32,
    rows: Vec<Row>,
    bodies: String,
    text: String,
    nodes: usize,
    pub(super) truncated: bool,
    pub(super) warnings: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
struct Row {
    place: u32,
    number: u32,
    depth: u32,
    start: usize,
    end: usize,
    interactive: bool,
    note: bool,
}

/// One line of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// The ref's number.
    pub number: u32,
    /// Place in the capture.
    pub place: u32,
    /// Levels of indentation.
    pub depth: u32,
    /// Without ref and indentation: `[button] "Save"`.
    pub text: &'a str,
    /// The node takes input.
    pub interactive: bool,
    /// A remark on the node above (what a scroll container hides), without a ref of its own.
    pub note: bool,
    pub(crate) raw: bool,
}

impl Line<'_> {
    /// `@e5 [button] "Save"`.
    pub fn plain(&self) -> String {
        if self.note || self.raw { self.text.to_owned() } else { format!("@e{} {}", self.number, self.text) }
    }

    /// `@e5~s3 [button] "Save"`.
    pub fn pinned(&self, generation: u64) -> String {
        if self.note || self.raw {
            self.text.to_owned()
        } else {
            format!("@e{}~s{generation} {}", self.number, self.text)
        }
    }
}

impl Listing {
    pub(super) fn new(args: ViewArgs, generation: u64, total: u32) -> Self {
        Self {
            args,
            generation,
            total,
            rows: Vec::new(),
            bodies: String::new(),
            text: String::new(),
            nodes: 0,
            truncated: false,
            warnings: Vec::new(),
        }
    }

    pub(super) fn push(
        &mut self,
        place: u32,
        number: u32,
        depth: u32,
        interactive: bool,
        write: impl FnOnce(&mut String),
    ) {
        let start = self.bodies.len();
        write(&mut self.bodies);
        self.rows.push(Row { place, number, depth, start, end: self.bodies.len(), interactive, note: false });
        self.nodes += 1;
    }

    pub(super) fn note(&mut self, place: u32, number: u32, depth: u32, text: &str) {
        let start = self.bodies.len();
        self.bodies.push_str(text);
        self.rows.push(Row { place, number, depth, start, end: self.bodies.len(), interactive: false, note: true });
    }

    pub(super) fn finish(&mut self, head: &str, tail: &[String]) {
        let mut text = String::with_capacity(head.len() + self.bodies.len() + self.rows.len() * 16);
        text.push_str(head);
        for line in self.lines() {
            if !line.raw {
                for _ in 0..line.depth.min(DEEPEST) {
                    text.push_str("  ");
                }
                if !line.note {
                    let _ = write!(text, "@e{} ", line.number);
                }
            }
            text.push_str(line.text);
            text.push('\n');
        }
        for line in tail {
            text.push_str(line);
            text.push('\n');
        }
        if !self.args.raw {
            for warning in &self.warnings {
                let _ = writeln!(text, "Warning: {warning}");
            }
        }
        text.truncate(text.trim_end_matches('\n').len());
        self.text = text;
    }

    /// The whole snapshot, head and tail included, no line end at the end. With `raw`: one JSON object a line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The generation it was shown in.
    pub const fn generation(&self) -> u64 {
        self.generation
    }

    /// What was asked for.
    pub const fn args(&self) -> &ViewArgs {
        &self.args
    }

    /// How many nodes are listed.
    pub const fn len(&self) -> usize {
        self.nodes
    }

    /// No node is listed.
    pub const fn is_empty(&self) -> bool {
        self.nodes == 0
    }

    /// Nodes of the capture in the scope, listed or not.
    pub const fn total(&self) -> u32 {
        self.total
    }

    /// Part of what was asked for is missing, from the capture or from the listing.
    pub const fn truncated(&self) -> bool {
        self.truncated
    }

    /// What the caller should know; part of the text already.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The lines between head and tail.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.rows.iter().map(|row| Line {
            number: row.number,
            place: row.place,
            depth: row.depth,
            text: self.bodies.get(row.start..row.end).unwrap_or_default(),
            interactive: row.interactive,
            note: row.note,
            raw: self.args.raw,
        })
    }

    /// The listed nodes in JSON. `tree` is the capture that was rendered.
    pub fn nodes(&self, tree: &Tree) -> Vec<NodeView> {
        let mut views: Vec<NodeView> = Vec::with_capacity(self.nodes);
        let mut path: Vec<u32> = Vec::new();
        for row in self.rows.iter().filter(|row| !row.note) {
            let index = u32::try_from(views.len()).unwrap_or(u32::MAX);
            let parent_index = if self.args.raw {
                self.parent_index(tree, row.place).filter(|parent| *parent < index)
            } else {
                path.truncate(row.depth as usize);
                let parent = path.last().copied();
                path.push(index);
                parent
            };
            views.push(NodeView {
                index,
                depth: row.depth,
                parent_index,
                ..node_view(tree, row.place, Some(row.number))
            });
        }
        views
    }

    /// Where the parent of `place` is listed, if it is. Rows stand in document order.
    pub(super) fn parent_index(&self, tree: &Tree, place: u32) -> Option<u32> {
        let parent = tree.get(place)?.parent?;
        let at = self.rows.binary_search_by_key(&parent, |row| row.place).ok()?;
        u32::try_from(at).ok()
    }

    /// The short answer where nothing changed since `before`, a snapshot of the same view.
    pub fn unchanged_since(&self, before: &Listing) -> Option<String> {
        let same = self.args == before.args && self.text == before.text;
        same.then(|| {
            format!(
                "Snapshot: unchanged since generation {} ({} nodes); refs stay valid",
                before.generation,
                self.len()
            )
        })
    }
}
