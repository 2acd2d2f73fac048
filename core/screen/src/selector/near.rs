//! What may have been meant when nothing matches.

use std::collections::HashSet;

use super::{Selector, Term, TextKey, matching::text_of};
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

/// At most three selectors of nodes on the screen whose texts are closest to those that `selector` asks for.
pub fn near(selector: &Selector, tree: &Tree) -> Vec<String> {
    let wanted: Vec<(TextKey, String)> = selector
        .alternatives
        .iter()
        .flat_map(|alternative| &alternative.terms)
        .filter_map(|term| match term {
            Term::Text(key @ (TextKey::Id | TextKey::Text | TextKey::Label | TextKey::Value), value) => {
                Some((*key, fold(cut(value, LONGEST).0)))
            }
            _ => None,
        })
        .filter(|(_, value)| !value.is_empty())
        .collect();
    closest(&wanted, tree)
}

/// [`near`] for a text that stands anywhere: `-s TEXT`, `find`.
pub(crate) fn near_text(text: &str, tree: &Tree) -> Vec<String> {
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
        key => format!("role={} {}={text}", node.role, key.word()),
    }
}
