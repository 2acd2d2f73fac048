//! Moving scroll containers with a finger that slows down, and what that moved.

use backend::{Receipt, ScrollTo, TouchPlan};
use contract::{Claim, Code, Dispatched, Failure, Point, Rect, Row, Size};
use screen::{NodeKey, States, Tree};
use wire::Context;

use super::press;
use crate::{device::AndroidDevice, seen::Seen};

/// How long the finger moves, ms (the field's number).
const SCROLL_MS: u64 = 300;
/// A finger crosses this share of the container at most: a tenth is kept at either end (the field's margins).
const LONGEST: f64 = 0.8;
/// Kept between the finger and the keyboard, px.
const KEYBOARD_GAP: f64 = 12.0;
/// A container of which less than this share of the screen's height is left above the keyboard is not scrolled.
const LEAST_BAND: f64 = 0.15;
/// Movements to an edge at most (the field's limit).
const EDGE_PASSES: u32 = 40;
/// Movements of one scroll by px at most.
const STEP_PASSES: u32 = 20;
/// A movement of less than this is none, px.
const STILL: f64 = 1.0;

/// Which way, and how far in all, px: positive shows what is further right or down.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Way {
    x: f64,
    y: f64,
}

/// Scrolls a container, or the screen's main one.
///
/// # Errors
/// Refused where the keyboard leaves no room; how a movement was lost; that an edge is further than one scroll goes.
pub async fn scroll(
    device: &AndroidDevice,
    context: &Context,
    within: Option<NodeKey>,
    to: ScrollTo,
) -> Result<Receipt, Failure> {
    let mut seen = device.current(context).await?;
    let container = Container::find(&seen, within)?;
    let (mut left, edge) = match to {
        ScrollTo::Share { x, y } => (Way { x: x * container.band.width, y: y * container.band.height }, false),
        ScrollTo::Pixels { x, y } => (Way { x, y }, false),
        ScrollTo::Top => (Way { x: 0.0, y: f64::NEG_INFINITY }, true),
        ScrollTo::Bottom => (Way { x: 0.0, y: f64::INFINITY }, true),
    };
    let (mut moved, mut receipt) = ((0.0, 0.0), Receipt::default());
    let passes = if edge { EDGE_PASSES } else { STEP_PASSES };
    let mut more = container.more(&seen.capture.tree, left);
    for done in 0..passes {
        if (left.x == 0.0 && left.y == 0.0) || more == Some(false) {
            break;
        }
        let step = container.step(left);
        let (from, end) = container.path(step);
        let touch = press::Touch {
            at: from,
            node: None,
            plan: |from| TouchPlan::scroll(from, end, SCROLL_MS),
            times: 1,
            doing: "scrolling",
            guarded: false,
        };
        let pass = press::touch(device, context, touch).await.map_err(|failure| after_passes(failure, done))?;
        receipt = receipt.and(pass);
        let now = device.look(context, device.max_nodes()).await.map_err(|failure| after_passes(failure, done + 1))?;
        let (dx, dy) = travelled(&seen.capture.tree, &now.capture.tree, &container, step);
        moved = (moved.0 + dx, moved.1 + dy);
        more = container.more(&now.capture.tree, left);
        seen = now;
        if dx.abs() < STILL && dy.abs() < STILL {
            // Nothing moved although the platform may still speak of more: this is the end.
            more = Some(false);
            break;
        }
        if !edge {
            left = Way { x: rest(left.x, step.x), y: rest(left.y, step.y) };
        }
    }
    if edge && more != Some(false) {
        return Err(short_of_the_end(to, moved.1));
    }
    Ok(Receipt { moved: Some(moved), more, ..receipt })
}

/// A refusal, or a look that fails, after earlier movements of the same scroll. A movement that was itself sent and lost
/// keeps its own row.
fn after_passes(failure: Failure, done: u32) -> Failure {
    match failure.claim() {
        Some(Claim { dispatched: Dispatched::No, row }) if done > 0 => failure
            .under(Claim { row: Row::AndroidScrollLaterPassRefused, dispatched: Dispatched::Unknown })
            .detail("completed", done)
            .detail("refusalRow", row.id()),
        _ => failure,
    }
}

/// The content is longer than one command goes.
fn short_of_the_end(to: ScrollTo, moved: f64) -> Failure {
    let end = if to == ScrollTo::Top { "top" } else { "bottom" };
    Failure::new(
        Code::CommandFailed,
        format!(
            "the {end} is not reached: it scrolled {:.0} px in {EDGE_PASSES} movements, and there is more",
            moved.abs()
        ),
    )
    .reason("scroll_end_not_reached")
    .hint(format!(
        "go on: agent-device scroll {end}; or to what is looked for: agent-device scroll down --until SELECTOR"
    ))
    .detail("movedY", moved)
}

/// What remains of a distance after a step of it.
fn rest(all: f64, step: f64) -> f64 {
    let rest = all - step;
    if rest.abs() < STILL || rest.signum() != all.signum() { 0.0 } else { rest }
}

#[derive(Debug, Clone, PartialEq)]
struct Container {
    key: Option<NodeKey>,
    /// The part of it where a finger can move.
    band: Rect,
}

impl Container {
    fn find(seen: &Seen, within: Option<NodeKey>) -> Result<Self, Failure> {
        let tree = &seen.capture.tree;
        let shown = |place: u32| tree.get(place).filter(|node| node.is(States::SCROLLABLE | States::VISIBLE));
        let place = match within {
            Some(key) => {
                let place = tree.place_of(key).ok_or_else(gone)?;
                std::iter::once(place).chain(tree.ancestors(place)).find(|up| shown(*up).is_some())
            }
            None => {
                let area = |place: u32| {
                    let part =
                        tree.get(place).map(|node| node.rect.intersect(tree.viewport.bounds())).unwrap_or_default();
                    part.width * part.height
                };
                let all = tree.iter().map(|(place, _)| place).filter(|place| shown(*place).is_some());
                all.max_by(|one, other| area(*one).total_cmp(&area(*other)))
            }
        };
        let node = place.and_then(|place| tree.get(place));
        let whole = node.map_or(tree.viewport.bounds(), |node| node.rect.intersect(tree.viewport.bounds()));
        let band = above_keyboard(whole, seen.capture.keyboard, tree.viewport)?;
        Ok(Self { key: node.and_then(|node| node.key), band })
    }

    /// How far one movement goes: what is left, and no further than a finger can.
    fn step(&self, left: Way) -> Way {
        let bounded = |left: f64, length: f64| left.clamp(-length * LONGEST, length * LONGEST);
        Way { x: bounded(left.x, self.band.width), y: bounded(left.y, self.band.height) }
    }

    /// From where to where the finger goes: against the direction that is shown, around the middle.
    fn path(&self, step: Way) -> (Point, Point) {
        let middle = self.band.centre();
        let at = |sign: f64| Point { x: middle.x + sign * step.x / 2.0, y: middle.y + sign * step.y / 2.0 };
        (at(1.0), at(-1.0))
    }

    /// Whether there is more in a direction, as the platform says of the container; `None` where it does not.
    fn more(&self, tree: &Tree, way: Way) -> Option<bool> {
        let [above, below, left, right] =
            self.key.and_then(|key| tree.place_of(key)).and_then(|place| tree.get(place))?.extra().hidden?;
        let some = |way: f64, back: f64, on: f64| match way {
            way if way > 0.0 => on > 0.0,
            way if way < 0.0 => back > 0.0,
            _ => false,
        };
        Some(some(way.y, above, below) || some(way.x, left, right))
    }
}

/// The part of a container that the keyboard leaves free.
fn above_keyboard(whole: Rect, keyboard: Option<Rect>, screen: Size) -> Result<Rect, Failure> {
    let Some(keyboard) = keyboard.filter(|keyboard| !keyboard.intersect(whole).is_empty()) else { return Ok(whole) };
    let bottom = (keyboard.y - KEYBOARD_GAP).min(whole.bottom());
    let band = Rect { height: (bottom - whole.y).max(0.0), ..whole };
    if band.height >= screen.height * LEAST_BAND {
        return Ok(band);
    }
    Err(Failure::refused(
        Row::DaemonRefusalCovered,
        Code::ElementCovered,
        format!("the keyboard leaves {:.0} px of the container: no room to scroll", band.height),
    )
    .reason("scroll_keyboard_occludes_surface")
    .hint("hide the keyboard first: agent-device keyboard dismiss"))
}

fn gone() -> Failure {
    Failure::refused(Row::HelperNodeGone, Code::ElementNotFound, "the scroll container has left the screen")
        .reason("target_gone")
        .retriable()
}

/// How far the content of a container moved between two captures, px: what most of the things did that are in both.
/// Where none is, it moved by more than a screen could show, or changed altogether: then as far as the finger.
fn travelled(before: &Tree, after: &Tree, container: &Container, step: Way) -> (f64, f64) {
    let inside = |tree: &Tree| -> Vec<(NodeKey, String, Rect)> {
        let place = container.key.and_then(|key| tree.place_of(key));
        tree.iter()
            .filter(|(at, _)| place.is_none_or(|place| tree.is_below(*at, place)))
            .filter(|(_, node)| node.is(States::RENDERED) && !node.rect.is_empty())
            .filter_map(|(_, node)| Some((node.key?, node.label().to_owned(), node.rect)))
            .collect()
    };
    let (was, is) = (inside(before), inside(after));
    let now: std::collections::HashMap<NodeKey, &(NodeKey, String, Rect)> =
        is.iter().map(|node| (node.0, node)).collect();
    // A view that was given to another row says something else; its place says nothing.
    let same = was.iter().filter_map(|(key, label, rect)| {
        let (_, now, at) = now.get(key)?;
        (now == label && size(*rect) == size(*at)).then_some((rect.x - at.x, rect.y - at.y))
    });
    let shifts: Vec<(f64, f64)> = same.collect();
    if shifts.is_empty() {
        let unchanged = was.len() == is.len() && was.iter().zip(&is).all(|(one, other)| one.1 == other.1);
        return if unchanged { (0.0, 0.0) } else { (step.x, step.y) };
    }
    (median(shifts.iter().map(|shift| shift.0)), median(shifts.iter().map(|shift| shift.1)))
}

const fn size(rect: Rect) -> (f64, f64) {
    (rect.width, rect.height)
}

/// The middle one. What stays in place (a header) is outvoted by what moves.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use screen::{Node, Role, TreeBuilder};

    use super::*;

    const SCREEN: Size = Size { width: 1080.0, height: 2400.0 };
    const DOWN: Way = Way { x: 0.0, y: 1000.0 };

    fn container() -> Container {
        Container { key: None, band: Rect::new(0.0, 200.0, 1080.0, 2000.0) }
    }

    #[test]
    fn the_finger_goes_against_what_is_shown_around_the_middle_and_keeps_its_margins() {
        let container = container();
        let step = container.step(Way { x: 0.0, y: 1200.0 });
        let (from, to) = container.path(step);
        assert_eq!((from.y, to.y, from.x, to.x), (1800.0, 600.0, 540.0, 540.0));
        let all = container.step(Way { x: 0.0, y: f64::NEG_INFINITY });
        let (from, to) = container.path(all);
        assert_eq!((from.y, to.y), (400.0, 2000.0));
    }

    #[test]
    fn what_is_left_ends_at_nothing_and_never_turns_back() {
        assert_eq!(rest(2000.0, 1600.0), 400.0);
        assert_eq!(rest(400.0, 400.0), 0.0);
        assert_eq!(rest(-400.0, -400.4), 0.0);
        assert_eq!(rest(0.0, 0.0), 0.0);
    }

    #[test]
    fn the_keyboard_takes_its_room_and_where_too_little_is_left_nothing_is_scrolled() {
        let whole = Rect::new(0.0, 200.0, 1080.0, 2000.0);
        let keyboard = Rect::new(0.0, 1500.0, 1080.0, 900.0);
        assert_eq!(above_keyboard(whole, Some(keyboard), SCREEN).unwrap().bottom(), 1488.0);
        assert_eq!(above_keyboard(whole, None, SCREEN).unwrap(), whole);
        let low = Rect::new(0.0, 1300.0, 1080.0, 900.0);
        let refused = above_keyboard(low, Some(keyboard), SCREEN).unwrap_err();
        assert_eq!(refused.reason_str(), Some("scroll_keyboard_occludes_surface"));
    }

    fn tree(rows: &[(u64, &str, f64)]) -> Tree {
        let mut builder = TreeBuilder::new(SCREEN);
        for (id, name, y) in rows {
            let mut node = Node::new(Role::of("text"), *name, Rect::new(0.0, *y, 1080.0, 100.0));
            node.key = Some(NodeKey { scope: 1, id: *id });
            node.states |= States::RENDERED;
            builder.push(None, node);
        }
        builder.finish()
    }

    #[test]
    fn how_far_it_moved_is_what_most_of_what_is_in_both_did() {
        let before = tree(&[(0, "Header", 0.0), (1, "A", 500.0), (2, "B", 600.0), (3, "C", 700.0)]);
        let after = tree(&[(0, "Header", 0.0), (2, "B", 100.0), (3, "C", 200.0), (1, "Z", 900.0)]);
        assert_eq!(travelled(&before, &after, &container(), DOWN), (0.0, 500.0));
        assert_eq!(travelled(&before, &before, &container(), DOWN), (0.0, 0.0));
        let other = tree(&[(7, "X", 0.0), (8, "Y", 100.0)]);
        assert_eq!(travelled(&before, &other, &container(), DOWN), (0.0, 1000.0));
    }
}
