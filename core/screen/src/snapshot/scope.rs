//! Which part of the screen is asked for.

use std::ops::Range;

use contract::{Code, Failure, Row, command::ViewArgs, target::RefToken};

use super::pick;
use crate::{
    Node, States, Tree,
    describe::{describe, shown_label},
    selector::refusal::absent_text,
    text::{fold, fold_contains, quoted},
};

/// The ref that `-s` names, if it names one.
pub fn scope_ref(args: &ViewArgs) -> Result<Option<RefToken>, Failure> {
    match args.scope.as_deref().filter(|scope| scope.starts_with('@')) {
        None => Ok(None),
        Some(text) => RefToken::parse(text).map(Some).map_err(|message| {
            Failure::refused(Row::DaemonProtocolBadArguments, Code::InvalidArgs, message).reason("ref_malformed")
        }),
    }
}

/// The places to show.
///
/// For a text: the subtree of the first node in document order whose label, value or identifier contains it (letter
/// case ignored) and which has content in the view that is asked for.
pub(super) fn range(tree: &Tree, args: &ViewArgs, scope: Option<u32>) -> Result<Range<u32>, Failure> {
    let whole = 0..u32::try_from(tree.len()).unwrap_or(u32::MAX);
    if let Some(node) = scope.and_then(|place| tree.get(place)) {
        return Ok(scope.unwrap_or_default()..node.end);
    }
    let Some(text) = args.scope.as_deref() else { return Ok(whole) };
    let wanted = fold(text);
    // How many nodes before each place would get a line: makes "has content" a subtraction.
    let mut listed = Vec::with_capacity(tree.len() + 1);
    let mut count = 0u32;
    for place in whole {
        listed.push(count);
        count += u32::from(pick::is_content(tree, place, args));
    }
    listed.push(count);
    let contains = |text: &str| !text.is_empty() && fold_contains(text, &wanted);
    tree.iter()
        .find(|(place, node)| {
            listed.get(*place as usize) < listed.get(node.end as usize)
                && (contains(shown_label(node))
                    || crate::describe::shown_value(node).is_some_and(contains)
                    || node.identifier.as_deref().is_some_and(contains))
        })
        .map(|(place, node)| place..node.end)
        .ok_or_else(|| {
            let elsewhere = tree
                .iter()
                .map(|(_, node)| node)
                .find(|node| node.is(States::RENDERED) && !node.is(States::VISIBLE) && contains(&node.name));
            elsewhere.map_or_else(|| absent_text("scope_not_found", text, tree), |node| out_of_view(text, node, tree))
        })
}

/// What is asked for is there, and a snapshot shows what is in view.
fn out_of_view(text: &str, node: &Node, tree: &Tree) -> Failure {
    let direction = if node.rect.centre().y < tree.viewport.bounds().centre().y { "up" } else { "down" };
    let mut failure = absent_text("scope_not_found", text, tree);
    failure.message = format!("{} is on the page and out of view", describe(node));
    failure.hint(format!("bring it into view: agent-device scroll {direction} --until 'label={}'", quoted(&node.name)))
}
