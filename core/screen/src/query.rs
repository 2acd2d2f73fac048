//! Reading a screen: `find`, `wait text`, `get text`, `is`.

use contract::{
    Code, Failure, Row,
    command::{Locator, Predicate},
};

use crate::{
    Node, Selector, States, Tree,
    describe::{checked_of, describe, shown_value},
    selector::{
        self, Resolution,
        matching::text_of,
        resolve::{drawn_first, of_matches},
    },
    text::{fold, fold_contains, quoted, same, squeeze},
};

/// Everything whose text contains `query` (letter case and white space do not matter), drawn things only if any is
/// drawn, in document order. What belongs to one thing (a button and the text in it) is one match.
pub fn find(tree: &Tree, locator: Locator, query: &str) -> Vec<u32> {
    if locator == Locator::Selector {
        // A text that is no selector means nothing.
        return Selector::parse(query).map_or_else(|_| Vec::new(), |selector| find_selected(tree, &selector));
    }
    let wanted = fold(query);
    if wanted.is_empty() {
        return Vec::new();
    }
    let contains = |text: &str| !text.is_empty() && fold_contains(text, &wanted);
    let value = |node: &Node| !node.is(States::PASSWORD) && node.value.as_deref().is_some_and(contains);
    let id = |node: &Node| node.identifier.as_deref().is_some_and(contains);
    let matches = |node: &Node| match locator {
        Locator::Any => contains(&node.name) || value(node) || id(node),
        Locator::Text => contains(text_of(node)),
        Locator::Label => contains(&node.name),
        Locator::Value => value(node),
        Locator::Role => contains(node.role.as_str()) || node.native_type.as_deref().is_some_and(contains),
        Locator::Id => id(node),
        Locator::Selector => false,
    };
    let found = tree.iter().filter(|(_, node)| matches(node)).map(|(place, _)| place).collect();
    one_per_thing(drawn_first(found, tree), tree)
}

/// The same for everything that a selector means: the one that a press takes, else every thing it could mean.
pub fn find_selected(tree: &Tree, selector: &Selector) -> Vec<u32> {
    listed(selector::resolve(selector, tree), tree)
}

/// The same where text is to be entered.
pub fn find_for_text(tree: &Tree, selector: &Selector) -> Vec<u32> {
    listed(selector::resolve_for_text(selector, tree), tree)
}

fn listed(resolution: Resolution, tree: &Tree) -> Vec<u32> {
    match resolution {
        Resolution::None => Vec::new(),
        Resolution::One(one) => vec![one],
        Resolution::Many(several) => one_per_thing(several, tree),
    }
}

/// Runs of nested matches are collapsed as a selector's are; runs that do not collapse stay as they are.
fn one_per_thing(found: Vec<u32>, tree: &Tree) -> Vec<u32> {
    let mut things = Vec::new();
    let mut run: Vec<u32> = Vec::new();
    let close = |run: &mut Vec<u32>, things: &mut Vec<u32>| match of_matches(std::mem::take(run), tree) {
        Resolution::None => {}
        Resolution::One(one) => things.push(one),
        Resolution::Many(several) => things.extend(several),
    };
    for place in found {
        if run.last().is_some_and(|last| !tree.is_below(place, *last)) {
            close(&mut run, &mut things);
        }
        run.push(place);
    }
    close(&mut run, &mut things);
    things
}

/// Longest run of nodes that is read as one sentence.
const SENTENCE: u32 = 40;

/// The innermost thing in view that shows `text`: in its name or value, else spread over its parts, as in a paragraph
/// with a bold word. Letter case and white space do not matter.
pub fn text_on_screen(tree: &Tree, text: &str) -> Option<u32> {
    let wanted = fold(text);
    let contains = |text: &str| fold_contains(text, &wanted);
    innermost(tree, |_, node| contains(&node.name) || shown_value(node).is_some_and(contains)).or_else(|| {
        innermost(tree, |place, node| {
            let size = node.end - place;
            node.name.is_empty() && (3..=SENTENCE).contains(&size) && contains(&display_text(tree, place))
        })
    })
}

/// The first node in view that fulfils `shows`, followed inwards as far as it does.
fn innermost(tree: &Tree, shows: impl Fn(u32, &Node) -> bool) -> Option<u32> {
    let mut found: Option<u32> = None;
    for (place, node) in tree.iter() {
        match found {
            Some(outer) if !tree.is_below(place, outer) => break,
            _ if node.is(States::VISIBLE) && shows(place, node) => found = Some(place),
            _ => {}
        }
    }
    found
}

/// What a person reads off the node: a field's value (masked for passwords), else its name, else the texts inside it
/// in document order, one line each; else its identifier.
pub fn display_text(tree: &Tree, place: u32) -> String {
    let Some(node) = tree.get(place) else { return String::new() };
    if let Some(value) = shown_value(node)
        && (node.is(States::EDITABLE) || (node.name.is_empty() && !value.is_empty()))
    {
        return value.to_owned();
    }
    if !node.name.trim().is_empty() {
        return node.name.trim().to_owned();
    }
    let mut lines: Vec<String> = Vec::new();
    let mut past = place + 1;
    let end = node.end;
    while past < end {
        let Some(inner) = tree.get(past) else { break };
        let text = if inner.is(States::EDITABLE) || inner.name.trim().is_empty() {
            shown_value(inner).unwrap_or_default()
        } else {
            &inner.name
        };
        if inner.is(States::RENDERED) && !text.trim().is_empty() {
            lines.push(squeeze(text).into_owned());
            // What a named node contains is what its name was made of.
            past = inner.end;
        } else {
            past += 1;
        }
    }
    if lines.is_empty() { node.identifier.as_deref().unwrap_or_default().to_owned() } else { lines.join("\n") }
}

/// Whether `predicate` holds of what `target` (the ref or selector, for messages) means. `found` is `None` where it
/// means nothing on the screen: then `hidden` and `absent` hold, every other predicate fails as absent. `expected` is
/// the text that `text` compares with, after normalisation.
pub fn check(
    predicate: Predicate,
    expected: Option<&str>,
    target: &str,
    tree: &Tree,
    found: Option<u32>,
) -> Result<(), Failure> {
    let node = found.and_then(|place| tree.get(place));
    let is = |state| node.is_some_and(|node| node.is(state));
    let holds = match predicate {
        Predicate::Visible => is(States::VISIBLE),
        Predicate::Hidden => !is(States::VISIBLE),
        Predicate::Exists => node.is_some(),
        Predicate::Absent => node.is_none(),
        Predicate::Editable => is(States::EDITABLE) && !is(States::DISABLED) && !is(States::READONLY),
        Predicate::Selected => is(States::SELECTED),
        Predicate::Focused => is(States::FOCUSED),
        Predicate::Enabled => node.is_some() && !is(States::DISABLED),
        Predicate::Disabled => is(States::DISABLED),
        Predicate::Checked => is(States::CHECKED),
        Predicate::Text => found.is_some_and(|place| same(&display_text(tree, place), expected.unwrap_or_default())),
    };
    if holds && predicate == Predicate::Absent && tree.truncated {
        let message =
            format!("{target} is not in the capture, but the capture is truncated: nobody knows whether it is absent");
        return Err(failed(predicate, target, message).detail("captureTruncated", true));
    }
    if holds {
        return Ok(());
    }
    let (Some(node), Some(place)) = (node, found) else {
        let message = match predicate {
            Predicate::Exists => format!("{target} does not exist: nothing on the screen matches"),
            _ => format!("{target} is not {}: nothing on the screen matches", predicate.word()),
        };
        return Err(failed(predicate, target, message).detail("found", false));
    };
    let flags = flags(node);
    let actual = display_text(tree, place);
    let message = match predicate {
        Predicate::Text => format!(
            "the text of {} is {}, not {}",
            describe(node),
            quoted(&actual),
            quoted(expected.unwrap_or_default())
        ),
        Predicate::Absent => format!("{target} is on the screen: {}", describe(node)),
        _ => format!("{} is not {}; it is {}", describe(node), predicate.word(), flags.join(", ")),
    };
    let failure = failed(predicate, target, message).detail("found", true).detail("flags", flags);
    Err(match predicate {
        Predicate::Text => failure.detail("actual", actual).detail("expected", expected.unwrap_or_default()),
        _ => failure,
    })
}

fn failed(predicate: Predicate, target: &str, message: String) -> Failure {
    Failure::refused(Row::DaemonIsPredicateFailed, Code::PredicateFailed, message)
        .reason("predicate_failed")
        .detail("predicate", predicate.word())
        .detail("target", target)
}

/// What is true of a node, in the words of the predicates.
fn flags(node: &Node) -> Vec<String> {
    let either = |state, yes: &str, no: &str| if node.is(state) { yes.to_owned() } else { no.to_owned() };
    let mut flags = vec![
        either(
            States::VISIBLE,
            "visible",
            if node.is(States::RENDERED) { "hidden (off-screen)" } else { "hidden (not drawn)" },
        ),
        either(States::DISABLED, "disabled", "enabled"),
    ];
    let checked = checked_of(node).map(|checked| match checked {
        contract::view::Checked::Checked => "checked",
        contract::view::Checked::Unchecked => "unchecked",
        contract::view::Checked::Mixed => "partly checked",
    });
    flags.extend(checked.map(str::to_owned));
    for (state, word) in [
        (States::SELECTED, "selected"),
        (States::FOCUSED, "focused"),
        (States::EDITABLE, "editable"),
        (States::READONLY, "read-only"),
    ] {
        if node.is(state) {
            flags.push(word.to_owned());
        }
    }
    flags
}

#[cfg(test)]
mod tests;
