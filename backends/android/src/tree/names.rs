//! What a node is called and what it holds.
//!
//! | node | name | value |
//! | --- | --- | --- |
//! | field | description, else hint, else the text in front of or above it | its text; empty while the hint is shown |
//! | drop-down | description, else the text in front of or above it | what is chosen |
//! | anything else | description, else text | the text, where the description says something else |
//! | what is pressed and has neither | the texts in it, as a screen reader would say them | |
//! | what is checked and has neither | the name of the row that it is toggled through | |
//!
//! Lists and the like are never named by their rows.

use std::borrow::Cow;

use contract::Rect;
use screen::States;

use super::{
    alert::TITLES,
    facts::{Facts, Raw, RawNode},
    geometry::Placed,
    roles::{self, is_said},
};

/// Nodes that are looked at for a borrowed name.
const LOOKED_AT: usize = 40;
/// Longest borrowed name, bytes.
const LONGEST: usize = 300;
/// Nodes in front of a field that are looked at for its label.
const IN_FRONT: usize = 6;
/// A label ends at most so far above its field: a share of the field's height.
const ABOVE: f64 = 1.0;

/// What a node says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said<'a> {
    /// Its name; empty where it has none.
    pub name: Cow<'a, str>,
    /// What it holds.
    pub value: Option<Cow<'a, str>>,
    /// A field's hint.
    pub placeholder: Option<Cow<'a, str>>,
}

/// A capture with what is known of its nodes so far; all lists have one entry a node.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// As sent.
    pub raw: &'a Raw<'a>,
    /// Where they are.
    pub placed: &'a [Placed],
    /// What they are.
    pub roles: &'a [&'static str],
}

impl<'a> Known<'a> {
    /// The role of a node.
    pub fn role(&self, at: usize) -> &'static str {
        self.roles.get(at).copied().unwrap_or("generic")
    }

    /// Where it is.
    pub fn placed(&self, at: usize) -> Placed {
        self.placed.get(at).copied().unwrap_or_default()
    }

    fn is_visible(&self, at: usize) -> bool {
        self.placed(at).states.contains(States::VISIBLE)
    }

    /// What a node says.
    pub fn said(&self, at: usize) -> Said<'a> {
        let Some(node) = self.raw.nodes.get(at) else { return Said::default() };
        let description = said_in(&node.content_desc);
        match self.role(at) {
            "text-field" | "search-field" | "number-field" => self.field(at, node, description),
            "combobox" => {
                let chosen = said_in(&node.text).map(Cow::Borrowed).or_else(|| self.first_text(at));
                let name = description.or_else(|| self.label_in_front(at)).unwrap_or_default();
                Said { name: name.into(), value: chosen, placeholder: None }
            }
            role => {
                let text = said_in(&node.text);
                // Switches of older systems say their state as their text.
                if role == "switch" && description.is_none() && text.is_some_and(is_state) {
                    let name = self.borrowed(at, node, role).unwrap_or_default();
                    return Said { name, value: text.map(Cow::Borrowed), placeholder: None };
                }
                if let Some(name) = description.or(text) {
                    let value = text.filter(|text| *text != name).map(Cow::Borrowed);
                    return Said { name: name.into(), value, placeholder: None };
                }
                if let Some(title) = said_in(&node.pane_title) {
                    return Said { name: title.into(), ..Said::default() };
                }
                Said { name: self.borrowed(at, node, role).unwrap_or_default(), ..Said::default() }
            }
        }
    }

    fn field(&self, at: usize, node: &'a RawNode<'a>, description: Option<&'a str>) -> Said<'a> {
        let text = node.text.as_deref().unwrap_or_default();
        let hint = said_in(&node.placeholder);
        // Helpers that do not say whether the hint is shown may still send the hint.
        let shows_hint = node.fact(Facts::HINT_SHOWING).unwrap_or(hint == Some(text));
        let (value, hint) =
            if shows_hint { ("", hint.or(Some(text).filter(|text| is_said(text)))) } else { (text, hint) };
        let name = description.or(hint).or_else(|| self.label_in_front(at)).unwrap_or_default();
        Said { name: name.into(), value: Some(value.into()), placeholder: hint.map(Cow::Borrowed) }
    }

    fn borrowed(&self, at: usize, node: &RawNode<'a>, role: &str) -> Option<Cow<'a, str>> {
        if takes_taps(node)
            && !roles::is_collection(role)
            && !node.is(Facts::SCROLLABLE)
            && let Some(texts) = self.texts_in(at)
        {
            return Some(texts);
        }
        // A switch in a row that toggles it.
        if matches!(role, "switch" | "checkbox" | "radio") {
            let row = std::iter::successors(node.parent, |up| self.raw.nodes.get(*up)?.parent)
                .take(LOOKED_AT)
                .find(|up| self.raw.nodes.get(*up).is_some_and(takes_taps))?;
            let row_node = self.raw.nodes.get(row)?;
            return said_in(&row_node.content_desc).map(Cow::Borrowed).or_else(|| self.texts_in(row));
        }
        None
    }

    /// The texts in a node, in document order, those of other controls left out.
    fn texts_in(&self, at: usize) -> Option<Cow<'a, str>> {
        let end = self.raw.nodes.get(at)?.end;
        let mut said: Option<Cow<'a, str>> = None;
        let mut inner = at + 1;
        for _ in 0..LOOKED_AT {
            if inner >= end {
                break;
            }
            let Some(node) = self.raw.nodes.get(inner) else { break };
            let role = self.role(inner);
            if takes_taps(node) || node.is(Facts::EDITABLE) || roles::is_collection(role) {
                inner = node.end;
                continue;
            }
            let text = said_in(&node.content_desc).or_else(|| said_in(&node.text)).filter(|_| self.is_visible(inner));
            // Not part of what the row is about, and different after every tap.
            let text = text.filter(|text| role != "switch" || !is_state(text));
            let Some(text) = text else {
                inner += 1;
                continue;
            };
            match &mut said {
                None => said = Some(Cow::Borrowed(text)),
                Some(before) if before.len() + text.len() > LONGEST => break,
                Some(before) => {
                    let before = before.to_mut();
                    before.push_str(", ");
                    before.push_str(text);
                }
            }
            // What is in a named thing is what its name says.
            inner = node.end;
        }
        said
    }

    fn first_text(&self, at: usize) -> Option<Cow<'a, str>> {
        let end = self.raw.nodes.get(at)?.end;
        (at + 1..end)
            .take(LOOKED_AT)
            .filter(|inner| self.is_visible(*inner))
            .find_map(|inner| said_in(&self.raw.nodes.get(inner)?.text))
            .map(Cow::Borrowed)
    }

    /// The bare text just in front of a field in the same part of the screen, if it stands above it or to its left.
    fn label_in_front(&self, at: usize) -> Option<&'a str> {
        let field = self.placed(at).rect;
        let node = self.raw.nodes.get(at)?;
        // A field alone in its wrapper is labelled by what stands in front of the wrapper.
        let mut inside = node.parent?;
        if inside + 1 == at {
            inside = self.raw.nodes.get(inside)?.parent.unwrap_or(inside);
        }
        for before in (inside + 1..at).rev().take(IN_FRONT) {
            let node = self.raw.nodes.get(before)?;
            if takes_taps(node) || node.is(Facts::EDITABLE) {
                return None;
            }
            if let Some(text) = said_in(&node.text).filter(|_| self.role(before) == "text" && self.is_visible(before)) {
                return is_label_of(self.placed(before).rect, field).then_some(text);
            }
        }
        None
    }
}

/// What a dialog is called: its title, else the first thing to read in it.
pub fn dialog_name<'a>(known: &Known<'a>, root: usize) -> Option<&'a str> {
    let end = known.raw.nodes.get(root)?.end;
    let texts = || {
        (root..end)
            .filter(|at| known.is_visible(*at))
            .filter_map(|at| Some((at, known.raw.nodes.get(at)?)))
            .filter_map(|(at, node)| Some((at, node, said_in(&node.text)?)))
    };
    let titled = texts().find(|(_, node, _)| node.short_id().is_some_and(|id| TITLES.contains(&id)));
    let pane = || known.raw.nodes.get(root).and_then(|root| said_in(&root.pane_title));
    let first = || texts().find(|(at, ..)| matches!(known.role(*at), "text" | "heading"));
    titled.map(|(.., text)| text).or_else(pane).or_else(|| first().map(|(.., text)| text))
}

fn is_label_of(label: Rect, field: Rect) -> bool {
    let gap = field.y - label.bottom();
    let above = gap > -1.0 && gap <= ABOVE * field.height && label.x < field.right() && field.x < label.right();
    let beside = label.right() <= field.x + 1.0 && label.y < field.bottom() && field.y < label.bottom();
    above || beside
}

/// A tap or long press on it is meant for it.
pub const fn takes_taps(node: &RawNode<'_>) -> bool {
    node.any(Facts::CLICKABLE.union(Facts::LONG_CLICKABLE))
}

fn is_state(text: &str) -> bool {
    text.eq_ignore_ascii_case("on") || text.eq_ignore_ascii_case("off")
}

fn said_in<'a>(text: &'a Option<Cow<'_, str>>) -> Option<&'a str> {
    text.as_deref().filter(|text| is_said(text))
}
