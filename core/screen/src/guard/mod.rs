//! What must hold before input is sent, and where it is aimed. Each refusal has its own reason and row.
//!
//! | module | answers |
//! | --- | --- |
//! | [`mod@self`] | may this node be pressed, filled ...: the checks in their order |
//! | [`mod@direction`] | which way an off-screen node lies |
//! | [`mod@touch`] | the point of a node that belongs to it and to nothing inside it |
//! | [`mod@refusal`] | the failures, each with what to do instead |
//! | [`mod@screen`] | checks that need no target: points, typing, empty captures |
//!
//! | reason | code | what for |
//! | --- | --- | --- |
//! | `not_rendered`, `no_size` | `ELEMENT_NOT_FOUND` | every purpose |
//! | `not_editable`, `read_only` | `ELEMENT_NOT_EDITABLE` | fill |
//! | `disabled` | `ELEMENT_DISABLED` | press and fill: both would do nothing. Hover and longpress show tooltips and menus of disabled controls too |
//! | `offscreen` | `ELEMENT_OFFSCREEN` | every purpose |
//! | `covered`, `inert`, `press_through` | `ELEMENT_COVERED` | every purpose; what lies inside the target does not cover it |
//! | `filled_by_own_controls` | `ELEMENT_COVERED` | every purpose but fill |

pub mod direction;
pub mod refusal;
pub mod screen;
pub mod touch;

pub use direction::{Direction, offscreen};
pub use screen::{content, point_inside, text_given, typing_target};
pub use touch::touch_point;

use contract::{Failure, Point, Rect};

use crate::{Cover, States, Tree};

/// What the input is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A press or click, once or several times.
    Press,
    /// A press that is held.
    Longpress,
    /// The pointer moved over it.
    Hover,
    /// Its text replaced.
    Fill,
}

/// The point to send input to, px in the viewport, or why none may be sent.
///
/// `place` need not take input itself: the label inside a control is pressed through it, and the control's state counts.
pub fn aim(tree: &Tree, place: u32, purpose: Purpose) -> Result<Point, Failure> {
    let Some(node) = tree.get(place) else { return Err(refusal::not_rendered(tree, place)) };
    if !node.is(States::RENDERED) {
        return Err(refusal::not_rendered(tree, place));
    }
    // A box that is no box (a backend's division by nothing) has no point either.
    let Rect { x, y, width, height } = node.rect;
    if node.rect.is_empty() || ![x, y, width, height].into_iter().all(f64::is_finite) {
        return Err(refusal::no_size(tree, place));
    }
    if purpose == Purpose::Fill && !node.is(States::EDITABLE) {
        return Err(refusal::not_editable(tree, place));
    }
    if matches!(purpose, Purpose::Press | Purpose::Fill) {
        let control = tree.actionable(place).unwrap_or(place);
        if tree.get(control).is_some_and(|control| control.is(States::DISABLED)) || node.is(States::DISABLED) {
            return Err(refusal::disabled(tree, if node.is(States::DISABLED) { place } else { control }));
        }
    }
    if purpose == Purpose::Fill && node.is(States::READONLY) {
        return Err(refusal::read_only(tree, place));
    }
    if let Some(direction) = offscreen(tree, place) {
        return Err(refusal::offscreen(tree, place, direction));
    }
    covered(tree, place)?;
    if purpose == Purpose::Fill {
        return touch::visible_box(tree, place).map(|part| part.centre()).ok_or_else(|| refusal::no_size(tree, place));
    }
    touch_point(tree, place).ok_or_else(|| refusal::filled_by_own_controls(tree, place))
}

fn covered(tree: &Tree, place: u32) -> Result<(), Failure> {
    let Some(node) = tree.get(place) else { return Ok(()) };
    match &node.cover {
        // A press on a part of the target is a press on the target.
        Some(Cover::Node(over)) if *over == place || tree.is_below(*over, place) => Ok(()),
        Some(Cover::Node(over)) => Err(refusal::covered_by_node(tree, place, *over)),
        Some(Cover::Other(words)) => Err(refusal::covered_by(tree, place, words)),
        None if node.is(States::INERT) => Err(refusal::inert(tree, place)),
        None if node.is(States::PRESS_THROUGH | States::INTERACTIVE) && !node.is(States::HIT_TESTED) => {
            Err(refusal::press_through(tree, place))
        }
        None if node.is(States::HIT_TESTED) && !node.is(States::HITTABLE) => {
            Err(refusal::covered_by(tree, place, "something that the capture does not list"))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
