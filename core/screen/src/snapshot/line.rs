//! How a node is written: `[role] "label" = "value" [flag] [flag]`.
//!
//! Flags, in this order, each only where it holds: `disabled`, `selected`, `focused`, `editable`, `password`,
//! `required`, `invalid`, `readonly`, `checked` / `unchecked` / `mixed`, `pressed`, `expanded` / `collapsed`, `popup`,
//! `file`, `scrollable`, `level N`, `placeholder "..."` (of an empty field), `inert`, `covered by ...`,
//! `not hittable` (tried out, and nobody knows why), `cut` (a text is longer than what is printed).

use std::fmt::Write as _;

use contract::view::Checked;

use crate::{
    Frame, Node, States, Tree,
    describe::{checked_of, cover_of, shown_label, shown_value},
    text::{cut, quote_cut, quote_into, squeeze},
};

/// Longest label or value that is printed, characters.
const LONGEST: usize = 300;
/// Rows whose labels a list without one borrows.
const BORROWED: usize = 3;
/// Nodes of a row that are looked at for its label.
const LOOKED_AT: usize = 40;

/// `@e5~s3 [button] "Save"`: how failures list a node. One of several equal controls is told apart as in a snapshot:
/// `[button] "Delete" in "Row 3"`.
pub fn candidate(frame: &mut Frame<'_>, place: u32) -> String {
    let mut out = format!("{} ", frame.pinned(place));
    write(&mut out, frame.tree(), place, true);
    out + &told_apart(frame, place)
}

/// ` in "Row 3"`, where other controls look the same; the ref is kept to that place from then on.
pub fn told_apart(frame: &mut Frame<'_>, place: u32) -> String {
    let context = super::twins::context(frame.tree(), place);
    let number = frame.number_of(place);
    frame.within(number, context.as_deref());
    context.map_or_else(String::new, |context| format!(" in {}", crate::text::quoted(&context)))
}

/// Appends the node without ref and indentation. `alone` where its content gets no lines of its own: a control without
/// a name then borrows one from what is in it.
pub fn write(out: &mut String, tree: &Tree, place: u32, alone: bool) {
    let Some(node) = tree.get(place) else { return };
    out.push('[');
    out.push_str(node.role.as_str());
    out.push(']');

    let value = printed_value(node);
    let label = match value {
        Some(_) if !node.name.is_empty() => &node.name,
        Some(_) => node.identifier.as_deref().unwrap_or_default(),
        None => shown_label(node),
    };
    let mut was_cut = node.is(States::CUT);
    if label.is_empty() {
        if let Some(borrowed) = borrowed_label(tree, place).or_else(|| content_label(tree, place).filter(|_| alone)) {
            out.push(' ');
            quote_into(out, &borrowed);
        }
    } else {
        let label = squeeze(label);
        was_cut |= cut(&label, LONGEST).1;
        out.push(' ');
        quote_cut(out, &label, LONGEST);
    }
    if let Some(value) = value {
        was_cut |= cut(value, LONGEST).1;
        out.push_str(" = ");
        quote_cut(out, value, LONGEST);
    }
    flags(out, tree, node, was_cut);
}

/// The value, where it says more than the label: of what takes text or a choice, and of what has a name beside it.
/// What can be on or off says so by its flag.
fn printed_value(node: &Node) -> Option<&str> {
    let value = shown_value(node)?;
    if node.is(States::CHECKABLE) {
        return None;
    }
    let control = node.states.intersects(States::EDITABLE | States::INTERACTIVE);
    let telling = !value.is_empty() && value != &*node.name;
    let prints = node.is(States::EDITABLE) || (telling && (control || !node.name.is_empty()));
    prints.then_some(value)
}

/// The flag `covered by ...` in a line that was written.
pub mod cover {
    const BEGINS: &str = " [covered by ";
    /// What may follow it.
    const CUT: &str = " [cut]";

    /// The line has it.
    pub fn is_in(line: &str) -> bool {
        without(line) != line
    }

    /// The line as it would be written without it.
    pub fn without(line: &str) -> std::borrow::Cow<'_, str> {
        let (flags, cut) = line.strip_suffix(CUT).map_or((line, ""), |flags| (flags, CUT));
        match flags.rsplit_once(BEGINS) {
            Some((before, cover)) if cover.ends_with(']') => format!("{before}{cut}").into(),
            _ => line.into(),
        }
    }
}

fn flags(out: &mut String, tree: &Tree, node: &Node, was_cut: bool) {
    let mut flag = |word: &str| {
        out.push_str(" [");
        out.push_str(word);
        out.push(']');
    };
    const PLAIN: &[(States, &str)] = &[
        (States::DISABLED, "disabled"),
        (States::SELECTED, "selected"),
        (States::FOCUSED, "focused"),
        (States::EDITABLE, "editable"),
        (States::PASSWORD, "password"),
        (States::REQUIRED, "required"),
        (States::INVALID, "invalid"),
        (States::READONLY, "readonly"),
    ];
    for (state, word) in PLAIN {
        if node.is(*state) {
            flag(word);
        }
    }
    match checked_of(node) {
        Some(Checked::Checked) => flag("checked"),
        Some(Checked::Unchecked) => flag("unchecked"),
        Some(Checked::Mixed) => flag("mixed"),
        None => {}
    }
    if node.is(States::PRESSED) {
        flag("pressed");
    }
    if node.is(States::EXPANDED) {
        flag("expanded");
    } else if node.is(States::EXPANDABLE) {
        flag("collapsed");
    }
    for (state, word) in [(States::HAS_POPUP, "popup"), (States::FILE, "file"), (States::SCROLLABLE, "scrollable")] {
        if node.is(state) {
            flag(word);
        }
    }
    let extra = node.extra();
    if let Some(level) = extra.level {
        flag(&format!("level {level}"));
    }
    if let Some(placeholder) = extra.placeholder.as_deref().filter(|text| !text.is_empty() && **text != *node.name)
        && node.value.as_deref().is_none_or(str::is_empty)
    {
        let mut words = String::from("placeholder ");
        quote_cut(&mut words, &squeeze(placeholder), LONGEST);
        flag(&words);
    }
    if node.is(States::INERT) {
        flag("inert");
    }
    if let Some(cover) = cover_of(tree, node) {
        flag(&format!("covered by {cover}"));
    } else if node.is(States::HIT_TESTED)
        && !node.states.intersects(States::HITTABLE | States::INERT | States::DISABLED)
    {
        flag("not hittable");
    }
    if was_cut {
        flag("cut");
    }
}

/// `... 300 px hidden above, 1240 px hidden below`, for a scroll container that hides something; `... more hidden below`
/// where nobody knows how much.
pub(super) fn hidden_part(tree: &Tree, place: u32) -> Option<String> {
    let node = tree.get(place).filter(|node| node.is(States::SCROLLABLE))?;
    let mut out = String::new();
    let sides = ["above", "below", "left", "right"];
    for (px, side) in node.extra().hidden?.into_iter().zip(sides).filter(|(px, _)| *px >= 1.0) {
        out.push_str(if out.is_empty() { "... " } else { ", " });
        let _ = match px.is_finite() {
            true => write!(out, "{px:.0} px hidden {side}"),
            false => write!(out, "more hidden {side}"),
        };
    }
    (!out.is_empty()).then_some(out)
}

/// What a list without a label of its own shows instead: the labels of its first rows, in document order.
fn borrowed_label(tree: &Tree, place: u32) -> Option<String> {
    let list = tree.get(place)?;
    if !matches!(
        list.role.as_str(),
        "list" | "listbox" | "grid" | "table" | "tree" | "treegrid" | "menu" | "radiogroup" | "tablist"
    ) {
        return None;
    }
    let mut labels: Vec<String> = Vec::new();
    let mut more = false;
    let mut row = place + 1;
    let mut looked_at = 0;
    while row < list.end {
        let Some(node) = tree.get(row) else { break };
        // Row groups are no rows: step into them.
        if matches!(node.role.as_str(), "rowgroup" | "generic" | "group") && node.name.is_empty() && node.end > row + 1
        {
            row += 1;
            continue;
        }
        looked_at += 1;
        if let Some(label) = row_label(tree, row) {
            if labels.len() == BORROWED {
                more = true;
                break;
            }
            labels.push(cut(&squeeze(label), LONGEST / BORROWED).0.to_owned());
        }
        if looked_at > LOOKED_AT {
            break;
        }
        row = node.end;
    }
    if more {
        labels.push("…".into());
    }
    (!labels.is_empty()).then(|| labels.join(", "))
}

/// What a control without a name shows instead where its content gets no lines: the first names in it.
fn content_label(tree: &Tree, place: u32) -> Option<String> {
    let node = tree.get(place)?;
    if !node.states.intersects(States::INTERACTIVE | States::CLICKABLE) || node.is(States::EDITABLE) {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for (_, inner) in tree.descendants(place).take(LOOKED_AT) {
        let name = inner.name.trim();
        // A text that the control around it is named by is one name.
        if inner.is(States::VISIBLE) && !name.is_empty() && names.last() != Some(&name) {
            names.push(name);
        }
        if names.len() == BORROWED {
            break;
        }
    }
    (!names.is_empty()).then(|| cut(&squeeze(&names.join(", ")), LONGEST).0.to_owned())
}

fn row_label(tree: &Tree, row: u32) -> Option<&str> {
    let visible = |node: &&Node| node.is(States::VISIBLE) && !node.name.trim().is_empty();
    tree.get(row)
        .filter(visible)
        .or_else(|| tree.descendants(row).take(LOOKED_AT).map(|(_, node)| node).find(visible))
        .map(|node| &*node.name)
}
