//! Checks that need no target: points, typing, empty captures.

use contract::{Code, Failure, Point, Row, Size};

use crate::{States, Tree, describe::describe};

/// A point that a user named lies in the viewport.
pub fn point_inside(viewport: Size, point: Point) -> Result<(), Failure> {
    if viewport.bounds().contains(point) {
        return Ok(());
    }
    let Size { width, height } = viewport;
    let message = format!("the point {point} lies outside the viewport of {width} x {height}");
    Err(Failure::refused(Row::DaemonRefusalOutsideViewport, Code::OutsideViewport, message)
        .reason("outside_viewport")
        .detail("x", point.x)
        .detail("y", point.y)
        .detail("viewport", serde_json::json!({"width": width, "height": height})))
}

/// The node that typed text goes to: the innermost one that has the focus and takes text.
pub fn typing_target(tree: &Tree) -> Result<u32, Failure> {
    let focused = |(place, node): (u32, &crate::Node)| node.is(States::FOCUSED).then_some(place);
    let takes_text = |place: &u32| tree.get(*place).is_some_and(|node| node.is(States::EDITABLE));
    let all: Vec<u32> = tree.iter().filter_map(focused).collect();
    if let Some(place) = all.iter().rev().copied().find(takes_text) {
        let node = tree.get(place);
        return match node {
            Some(node) if node.is(States::DISABLED) => Err(super::refusal::disabled(tree, place)),
            Some(node) if node.is(States::READONLY) => Err(super::refusal::read_only(tree, place)),
            _ => Ok(place),
        };
    }
    let message = match all.last().and_then(|place| tree.get(*place)) {
        Some(node) => format!("the focus is on {}, which takes no text", describe(node)),
        None => "nothing has the focus, so typed text would go nowhere".to_owned(),
    };
    Err(Failure::refused(Row::DaemonRefusalNoFocus, Code::ElementNotEditable, message)
        .reason("no_focus")
        .hint("focus a field first: agent-device focus <target>, or fill it: agent-device fill <target> TEXT"))
}

/// There is text to type.
pub fn text_given(text: &str) -> Result<(), Failure> {
    if !text.is_empty() {
        return Ok(());
    }
    Err(Failure::refused(Row::DaemonProtocolBadArguments, Code::InvalidArgs, "there is no text to type")
        .reason("no_text")
        .hint("to empty a field: agent-device fill <target> ''"))
}

/// The capture shows a screen at all.
pub fn content(tree: &Tree) -> Result<(), Failure> {
    if !tree.is_sparse() {
        return Ok(());
    }
    let message = format!("the screen came back without content ({} nodes, none of them drawn)", tree.len());
    Err(Failure::refused(Row::DaemonRefusalSparseCapture, Code::CaptureFailed, message)
        .reason("capture_sparse")
        .detail("nodes", tree.len()))
}
