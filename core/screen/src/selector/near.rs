//! What may have been meant when nothing matches.

use std::collections::HashSet;

use super::{Alternative, Selector, Term, TextKey, matching::text_of, resolve::matches};
use crate::{
    Node, States, Tree,
    text::{cut, fold, quoted, squeeze},
};

/// How many suggestions a failure carries.
const SUGGESTIONS: usize = 3;
/// Texts longer than this are no names, characters.
const LONGEST: usize = 100;
/// Different texts that are compared at most; keeps a miss on a huge page cheap.
const COMPARED: usize = 4_000;
/// Least likeness (Jaro-Winkler, 0 to 1) of a suggestion: one or two slips in a word, not another word.
const ALIKE: f64 = 0.82;

/// At most three selectors of nodes on the screen whose texts are closest to those that `selector` asks for. Where
/// nothing is meant by what a relation names, what may have been meant by that comes first.
pub fn near(selector: &Selector, tree: &Tree) -> Vec<String> {
    let mut wanted = Vec::new();
    for alternative in &selector.alternatives {
        for anchor in missing_anchors(alternative, tree) {
            ask(anchor, &mut wanted);
        }
    }
    ask(selector, &mut wanted);
    closest(&wanted, tree)
}

/// What relations name and nothing on the screen matches, also within each other.
pub(super) fn missing_anchors<'a>(alternative: &'a Alternative, tree: &Tree) -> Vec<&'a Selector> {
    let mut missing = Vec::new();
    for (_, anchor) in alternative.relations() {
        if matches(anchor, tree).is_empty() {
            let deeper: Vec<&Selector> =
                anchor.alternatives.iter().flat_map(|alternative| missing_anchors(alternative, tree)).collect();
            if deeper.is_empty() { missing.push(anchor) } else { missing.extend(deeper) }
        }
    }
    missing
}

/// The texts that a selector asks for itself.
fn ask(selector: &Selector, wanted: &mut Vec<(TextKey, String)>) {
    for term in selector.alternatives.iter().flat_map(|alternative| &alternative.terms) {
        let (key, text) = match term {
            Term::Text(key, value) => (*key, fold(cut(value, LONGEST).0)),
            Term::Pattern(key, pattern) => (*key, fold(&words_of(cut(pattern.text(), LONGEST).0))),
            _ => continue,
        };
        let asked = (key, text);
        if matches!(key, TextKey::Id | TextKey::Text | TextKey::Label | TextKey::Value | TextKey::AnyText)
            && !asked.1.is_empty()
            && !wanted.contains(&asked)
        {
            wanted.push(asked);
        }
    }
}

/// The words that stand in a regular expression, `.*Save (all|one)\?` -> `Save all one`: enough to look for what is alike.
fn words_of(expression: &str) -> String {
    let mut words = String::with_capacity(expression.len());
    let mut letters = expression.chars();
    let mut counts = false;
    while let Some(letter) = letters.next() {
        match letter {
            '{' => counts = true,
            '}' => counts = false,
            _ if counts => {}
            // A class (`\d`) stands for something unknown, everything else escaped for itself.
            '\\' => words.extend(letters.next().filter(|letter| !letter.is_alphanumeric())),
            '.' | '*' | '+' | '?' | '^' | '$' | '(' | ')' | '[' | ']' | '|' => words.push(' '),
            letter => words.push(letter),
        }
    }
    words
}

/// [`near`] for a text that stands anywhere: `-s TEXT`, `find`.
pub fn near_text(text: &str, tree: &Tree) -> Vec<String> {
    let folded = fold(cut(text, LONGEST).0);
    if folded.is_empty() {
        Vec::new()
    } else {
        closest(&[(TextKey::Text, folded.clone()), (TextKey::Id, folded)], tree)
    }
}

fn closest(wanted: &[(TextKey, String)], tree: &Tree) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut best: Vec<(f64, String)> = Vec::new();
    for (key, value) in wanted {
        for node in tree.nodes() {
            let text = match key {
                TextKey::Id => node.identifier.as_deref().unwrap_or_default(),
                TextKey::Value if node.is(States::PASSWORD) => "",
                TextKey::Value => node.value.as_deref().unwrap_or_default(),
                TextKey::Label => &node.name,
                _ => text_of(node),
            };
            if text.is_empty() || cut(text, LONGEST).1 || !seen.insert((*key, node.role.as_str(), text)) {
                continue;
            }
            if seen.len() > COMPARED {
                break;
            }
            let likeness = likeness(value, &fold(text));
            if likeness >= ALIKE {
                let worst = best.get(SUGGESTIONS - 1).map_or(0.0, |(likeness, _)| *likeness);
                if likeness > worst {
                    let written = written(*key, text, node);
                    if best.iter().all(|(_, one)| *one != written) {
                        let at = best.partition_point(|(better, _)| *better >= likeness);
                        best.insert(at, (likeness, written));
                        best.truncate(SUGGESTIONS);
                    }
                }
            }
        }
    }
    best.into_iter().map(|(_, written)| written).collect()
}

fn likeness(wanted: &str, text: &str) -> f64 {
    if wanted == text {
        // Equal, so another term of the selector kept it from matching.
        1.0
    } else if wanted.chars().count() >= 3
        && (text.contains(wanted) || wanted.contains(text) && text.chars().count() >= 3)
    {
        0.95
    } else {
        strsim::jaro_winkler(wanted, text)
    }
}

/// A selector to paste. The role is part of it: it shows what kept an equal text from matching.
fn written(key: TextKey, text: &str, node: &Node) -> String {
    let text = quoted(&squeeze(text));
    match key {
        TextKey::Id => format!("id={text}"),
        TextKey::Label => format!("role={} label={text}", node.role),
        TextKey::AnyText => format!("role={} text={text}", node.role),
        key => format!("role={} {}={text}", node.role, key.word()),
    }
}
