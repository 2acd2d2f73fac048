//! The failures of the guards, each with what to do instead.

use contract::{Code, Failure, Row};

use super::Direction;
use crate::{Node, States, Tree, describe::describe, selector::selector_chain};

/// Controls that a message names at most.
const NAMED: usize = 3;

fn words(tree: &Tree, place: u32) -> String {
    tree.get(place).map_or_else(|| "the target".to_owned(), describe)
}

/// A selector to paste for a node, where there is one that means it alone.
fn selector_of(tree: &Tree, place: u32) -> Option<String> {
    let chain = selector_chain(tree, place);
    let first = chain.split(" || ").next().unwrap_or_default();
    (!first.is_empty()).then(|| first.to_owned())
}

fn refuse(tree: &Tree, place: u32, row: Row, code: Code, reason: &str, message: String) -> Failure {
    Failure::refused(row, code, message).reason(reason).detail("target", words(tree, place))
}

pub(super) fn not_rendered(tree: &Tree, place: u32) -> Failure {
    let message = format!("{} is not drawn, so there is nothing to aim at", words(tree, place));
    refuse(tree, place, Row::DaemonRefusalNoSize, Code::ElementNotFound, "not_rendered", message)
        .hint("do first what makes it appear, then look again: agent-device snapshot -i")
}

pub(super) fn no_size(tree: &Tree, place: u32) -> Failure {
    let message = format!("{} has no area, so there is no point to aim at", words(tree, place));
    let failure = refuse(tree, place, Row::DaemonRefusalNoSize, Code::ElementNotFound, "no_size", message);
    let inside = tree
        .descendants(place)
        .find(|(_, node)| node.is(States::INTERACTIVE | States::VISIBLE) && !node.rect.is_empty())
        .map(|(inside, _)| inside);
    match inside {
        Some(inside) => failure.hint(format!("aim at what is inside it: {}", words(tree, inside))),
        None => failure.hint("aim at something that can be seen: agent-device snapshot -i"),
    }
}

pub(super) fn offscreen(tree: &Tree, place: u32, direction: Direction) -> Failure {
    let message = format!("{} lies {direction} what is in view", words(tree, place));
    refuse(tree, place, Row::DaemonRefusalOffscreen, Code::ElementOffscreen, "offscreen", message)
        .detail("direction", direction.to_string())
        .hint(format!("scroll towards it first: agent-device scroll {}", direction.scroll_word()))
}

pub(super) fn covered_by_node(tree: &Tree, place: u32, over: u32) -> Failure {
    // What a person calls the cover is the dialog, not the layer in it that happens to lie on top.
    let dialog = std::iter::once(over).chain(tree.ancestors(over)).find(|up| tree.get(*up).is_some_and(is_dialog));
    let dialog = dialog.filter(|dialog| !tree.is_below(place, *dialog));
    let named = dialog.unwrap_or(over);
    let failure = covered_by(tree, place, &words(tree, named));
    let Some(dialog) = dialog else { return with_controls(tree, place, over, failure) };
    let button = tree
        .descendants(dialog)
        .filter(|(_, node)| node.role.as_str() == "button" && node.is(States::INTERACTIVE | States::VISIBLE))
        .find(|(_, node)| !node.is(States::DISABLED) && !node.name.is_empty())
        .map(|(button, _)| button);
    match button {
        Some(button) => {
            let how = selector_of(tree, button)
                .map_or_else(String::new, |selector| format!(": agent-device press '{selector}'"));
            failure.hint(format!("answer {} first, it has {}{how}", words(tree, dialog), words(tree, button)))
        }
        None => failure,
    }
}

/// Names the controls of a cover that is no dialog: a banner, a bar, a sheet. It is the nearest thing around the
/// topmost layer that has controls and does not hold the target.
fn with_controls(tree: &Tree, place: u32, over: u32, failure: Failure) -> Failure {
    let usable = |node: &Node| {
        node.is(States::INTERACTIVE | States::VISIBLE)
            && !node.is(States::DISABLED)
            && !node.is(States::EDITABLE)
            && node.cover.is_none()
            && !node.name.is_empty()
    };
    let inside = |cover: u32| -> Vec<u32> {
        let own = tree.get(cover).filter(|node| usable(node)).map(|_| cover);
        let below = tree.descendants(cover).filter(|(_, node)| usable(node)).map(|(control, _)| control);
        own.into_iter().chain(below).collect()
    };
    let found = std::iter::once(over)
        .chain(tree.ancestors(over))
        .take_while(|cover| *cover != place && !tree.is_below(place, *cover))
        .map(inside)
        .find(|controls| !controls.is_empty());
    let Some(controls) = found else { return failure };
    let named: Vec<String> = controls.iter().take(NAMED).map(|control| words(tree, *control)).collect();
    let how = match controls.as_slice() {
        [only] => selector_of(tree, *only),
        _ => None,
    };
    let how = how.map_or_else(String::new, |selector| format!(": agent-device press '{selector}'"));
    let more = if controls.len() > NAMED { " and more" } else { "" };
    failure.hint(format!("deal with what covers it first, it has {}{more}{how}", named.join(", ")))
}

fn is_dialog(node: &Node) -> bool {
    node.is(States::MODAL) || matches!(node.role.as_str(), "dialog" | "alertdialog")
}

pub(super) fn covered_by(tree: &Tree, place: u32, cover: &str) -> Failure {
    let message = format!("{} is covered by {cover}", words(tree, place));
    let failure = refuse(tree, place, Row::DaemonRefusalCovered, Code::ElementCovered, "covered", message);
    let failure = failure.detail("coveredBy", cover);
    if cover.starts_with("[keyboard]") { failure.hint("hide it first: agent-device keyboard dismiss") } else { failure }
}

pub(super) fn inert(tree: &Tree, place: u32) -> Failure {
    let modal = tree.iter().find(|(_, node)| node.is(States::MODAL | States::VISIBLE)).map(|(modal, _)| modal);
    match modal.filter(|modal| !tree.is_below(place, *modal)) {
        Some(modal) => covered_by_node(tree, place, modal),
        None => {
            let message = format!("{} is shown but takes no input at the moment (inert)", words(tree, place));
            refuse(tree, place, Row::DaemonRefusalCovered, Code::ElementCovered, "inert", message)
        }
    }
}

pub(super) fn press_through(tree: &Tree, place: u32) -> Failure {
    let message = format!("{} lets presses through to what lies behind it", words(tree, place));
    refuse(tree, place, Row::DaemonRefusalCovered, Code::ElementCovered, "press_through", message)
        .hint("wait until it takes presses, or aim at what reacts instead: agent-device snapshot -i")
}

pub(super) fn filled_by_own_controls(tree: &Tree, place: u32) -> Failure {
    let controls: Vec<String> = tree
        .descendants(place)
        .filter(|(_, node)| node.is(States::INTERACTIVE | States::VISIBLE))
        .map(|(_, node)| describe(node))
        .take(NAMED)
        .collect();
    let message =
        format!("every point of {} belongs to a control inside it: {}", words(tree, place), controls.join(", "));
    refuse(tree, place, Row::DaemonRefusalCovered, Code::ElementCovered, "filled_by_own_controls", message)
        .hint("aim at one of the controls inside it")
        .detail("controls", controls)
}

pub(super) fn disabled(tree: &Tree, place: u32) -> Failure {
    let message = format!("{} is disabled", words(tree, place));
    let failure = refuse(tree, place, Row::DaemonRefusalDisabled, Code::ElementDisabled, "disabled", message);
    match selector_of(tree, place) {
        Some(selector) => failure.hint(format!("wait until it is enabled: agent-device wait '{selector} enabled'")),
        None => failure,
    }
}

pub(super) fn read_only(tree: &Tree, place: u32) -> Failure {
    let message = format!("{} is read-only", words(tree, place));
    refuse(tree, place, Row::DaemonRefusalNotEditable, Code::ElementNotEditable, "read_only", message)
}

pub(super) fn not_editable(tree: &Tree, place: u32) -> Failure {
    let message = format!("{} takes no text", words(tree, place));
    let failure = refuse(tree, place, Row::DaemonRefusalNotEditable, Code::ElementNotEditable, "not_editable", message);
    match field_meant(tree, place) {
        Some(field) => {
            let field_words = words(tree, field);
            let how = selector_of(tree, field)
                .map_or_else(String::new, |selector| format!(": agent-device fill '{selector}' TEXT"));
            failure.hint(format!("did you mean {field_words}{how}?")).detail("field", field_words)
        }
        None => failure,
    }
}

/// The only field inside the node, else the only field that the node is the label of.
fn field_meant(tree: &Tree, place: u32) -> Option<u32> {
    fn only(mut fields: impl Iterator<Item = u32>) -> Option<u32> {
        let one = fields.next()?;
        fields.next().is_none().then_some(one)
    }
    let takes_text = |node: &Node| node.is(States::EDITABLE | States::RENDERED);
    let inside = tree.descendants(place).filter(|(_, node)| takes_text(node)).map(|(field, _)| field);
    only(inside).or_else(|| {
        let name = tree.get(place).map(|node| &*node.name).filter(|name| !name.trim().is_empty())?;
        let labelled = tree.iter().filter(|(_, node)| takes_text(node) && crate::text::same(&node.name, name));
        only(labelled.map(|(field, _)| field))
    })
}
