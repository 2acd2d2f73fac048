//! The failures "nothing matches" and "several things match".

use contract::{Code, Failure, Row};

use super::{
    Alternative, Pick, Resolution, Selector, Term, matches,
    near::{missing_anchors, near, near_text},
    pick::things,
    resolve,
};
use crate::{Frame, RefBook, Tree, snapshot::line};

/// How many candidates an ambiguity lists.
const CANDIDATES: usize = 5;

/// Nothing on the screen matches `selector`.
pub fn absent(selector: &Selector, tree: &Tree) -> Failure {
    let mut failure = absent_as("selector_not_found", "selector", &selector.to_string(), near(selector, tree), tree);
    if let Some(part) = part_that_fails(selector, tree) {
        failure.message = format!("{}: {part}", failure.message);
    }
    failure
}

/// Which part of a selector with relations, `first` or `index` keeps it from matching, in words.
fn part_that_fails(selector: &Selector, tree: &Tree) -> Option<String> {
    selector.alternatives.iter().find_map(|alternative| {
        if let Some(anchor) = missing_anchors(alternative, tree).first() {
            return Some(format!("nothing matches {anchor}"));
        }
        let without = |left_out: fn(&Term) -> bool| {
            let terms: Vec<Term> = alternative.terms.iter().filter(|term| !left_out(term)).cloned().collect();
            let rest = Alternative { terms };
            (rest.terms.len() < alternative.terms.len() && !rest.terms.is_empty()).then_some(rest)
        };
        let found = |rest: &Alternative| matches(&Selector { alternatives: vec![rest.clone()] }, tree);
        if let Some(rest) = without(|term| matches!(term, Term::Pick(Pick::Index(_)))) {
            let things = things(found(&rest), tree).len();
            if things > 0 {
                return Some(format!("{} {rest}, counted from 0", matched(things)));
            }
        }
        let mut rest = without(|term| matches!(term, Term::Relation(..) | Term::Pick(_)))?;
        let mut left = things(found(&rest), tree).len();
        // The first relation that nothing fulfils which fulfilled all before it.
        for relation in alternative.terms.iter().filter(|term| matches!(term, Term::Relation(..))) {
            if left == 0 {
                return None;
            }
            let mut narrower = rest.clone();
            narrower.terms.push(relation.clone());
            match things(found(&narrower), tree).len() {
                0 => {
                    let relation = Alternative { terms: vec![relation.clone()] };
                    return Some(format!("{} {rest}, but not {relation}", matched(left)));
                }
                some => (rest, left) = (narrower, some),
            }
        }
        None
    })
}

fn matched(things: usize) -> String {
    if things == 1 { "1 element matches".to_owned() } else { format!("{things} elements match") }
}

/// Nothing on the screen contains `text`.
pub fn absent_text(reason: &str, text: &str, tree: &Tree) -> Failure {
    absent_as(reason, "text", text, near_text(text, tree), tree)
}

fn absent_as(reason: &str, kind: &str, wanted: &str, near: Vec<String>, tree: &Tree) -> Failure {
    let mut message = match kind {
        "selector" => format!("nothing on the screen matches {wanted}"),
        _ => format!("nothing on the screen shows {}", crate::text::quoted(wanted)),
    };
    if tree.truncated {
        message.push_str("; the capture is truncated, so it may be in the part that is missing");
    }
    let mut failure = Failure::refused(Row::DaemonRefusalAbsent, Code::ElementNotFound, message).reason(reason);
    if let Some((first, rest)) = near.split_first() {
        let others = if rest.is_empty() { String::new() } else { format!(" (or {})", rest.join(", ")) };
        failure = failure.hint(format!("did you mean {first}?{others}"));
    }
    failure.detail(kind, wanted).detail("near", near).detail("nodes", tree.len())
}

/// Several different things match where one is meant. `what` is the selector or the text that was looked for,
/// `matches` in document order; the first five are listed with pinned refs.
pub fn ambiguous(what: &str, matches: &[u32], frame: &mut Frame<'_>) -> Failure {
    let candidates: Vec<String> = matches.iter().take(CANDIDATES).map(|place| line::candidate(frame, *place)).collect();
    let listed = if candidates.len() < matches.len() {
        format!("; the first {} are listed", candidates.len())
    } else {
        String::new()
    };
    let message = format!("{} elements match {what}{listed}", matches.len());
    Failure::refused(Row::DaemonRefusalAmbiguous, Code::AmbiguousMatch, message)
        .reason("ambiguous_match")
        .detail("selector", what)
        .detail("matches", matches.len())
        .detail("candidates", candidates)
        .detail("refsGeneration", frame.generation())
}

/// The one node that a selector means, or the failure. An ambiguity shows refs, so it opens a frame.
pub fn locate(selector: &Selector, book: &mut RefBook, tree: &Tree) -> Result<u32, Failure> {
    decided(resolve(selector, tree), selector, book, tree)
}

/// What a resolution comes to: its one node, or the failure.
pub fn decided(resolution: Resolution, selector: &Selector, book: &mut RefBook, tree: &Tree) -> Result<u32, Failure> {
    match resolution {
        Resolution::One(place) => Ok(place),
        Resolution::None => Err(absent(selector, tree)),
        Resolution::Many(matches) => Err(ambiguous(&selector.to_string(), &matches, &mut book.show(tree))),
    }
}
