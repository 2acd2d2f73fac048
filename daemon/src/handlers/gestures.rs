//! gesture: movements of one or two contacts, planned here and sent whole.

use backend::{Input, TouchPlan, touch::two};
use contract::{
    Code, Failure, Point, Size, Target,
    command::{
        DRAG_HOLD_MS, DRAG_MOVE_MS, FLING_MS, FLING_PX, Gesture, GestureDirection, GestureWords, PAN_MS, PINCH_MS,
    },
    request::Answer,
};
use screen::guard::Purpose;
use serde_json::Map;

use super::moving::finish;
use crate::{
    interaction::{
        after, aim,
        described::Located,
        identity::{self, End},
        resolve,
    },
    run::Run,
};

/// Two contacts that pan side by side are as far apart as this share of the screen's shorter side (the field's span of
/// everything but a pinch).
const PAN_APART: f64 = 0.25;

/// `gesture`.
///
/// # Errors
/// As `press` for each target; `OUTSIDE_VIEWPORT` for a movement that leaves the screen, before anything is sent.
pub async fn gesture(run: &mut Run<'_>, args: &Gesture) -> Result<Answer, Failure> {
    let viewport = match run.session.viewport {
        Some(viewport) => viewport,
        None => run.capture().await?.viewport,
    };
    let planned = plan(run, args, viewport).await?;
    let Planned { plan, from, sentence } = planned;
    let plan = plan.inside(viewport)?;
    let before = after::before(run, &args.settle, false).await?;
    let mut facts = Map::new();
    let (start, end) = (plan.start(), plan.end());
    facts.insert("contacts".into(), plan.contacts.len().into());
    facts.insert("durationMs".into(), plan.duration_ms.into());
    facts.insert("from".into(), serde_json::to_value(start).unwrap_or_default());
    facts.insert("to".into(), serde_json::to_value(end).unwrap_or_default());
    let node = from.and_then(|located| located.node);
    let receipt = run.perform(Input::Touch { plan, node }).await?;
    finish(run, facts, sentence, &receipt, &args.settle, before).await
}

/// A movement, what it starts on where that is an element, and what to say of it.
struct Planned {
    plan: TouchPlan,
    from: Option<Located>,
    sentence: String,
}

async fn plan(run: &mut Run<'_>, args: &Gesture, viewport: Size) -> Result<Planned, Failure> {
    let duration = |default| args.duration_ms.unwrap_or(default);
    Ok(match &*args.words {
        GestureWords::Pan { origin, dx, dy } => {
            let from = aim::at(run, origin, Purpose::Longpress).await?;
            let (start, to) = (from.point, moved(from.point, *dx, *dy));
            let plan = match args.pointer_count {
                Some(2) => {
                    let apart = viewport.width.min(viewport.height) * PAN_APART;
                    TouchPlan::pan_by_two(start, to, apart, duration(PAN_MS))
                }
                _ => TouchPlan::pan(start, to, duration(PAN_MS)),
            };
            let sentence = format!("Panned from {} to {to}", from.sentence(origin));
            Planned { plan, from: Some(from), sentence }
        }
        GestureWords::Fling { direction, distance, origin } => {
            let (from, start) = start(run, origin.as_ref(), viewport).await?;
            let far = distance.unwrap_or(FLING_PX);
            let (dx, dy) = match direction {
                GestureDirection::Up => (0.0, -far),
                GestureDirection::Down => (0.0, far),
                GestureDirection::Left => (-far, 0.0),
                GestureDirection::Right => (far, 0.0),
            };
            let to = moved(start, dx, dy);
            Planned {
                plan: TouchPlan::swipe(start, to, duration(FLING_MS)),
                from,
                sentence: format!("Flung from {start} to {to}"),
            }
        }
        GestureWords::Pinch { scale, origin } => {
            let (from, middle) = start(run, origin.as_ref(), viewport).await?;
            let what = two::Transform { middle, by: (0.0, 0.0), scale: *scale, degrees: 0.0 };
            let verb = if *scale >= 1.0 { "Spread" } else { "Pinched" };
            Planned {
                plan: TouchPlan::transform(viewport, what, duration(PINCH_MS))?,
                from,
                sentence: format!("{verb} by {scale} around {middle}"),
            }
        }
        GestureWords::Rotate { degrees, origin } => {
            let (from, middle) = start(run, origin.as_ref(), viewport).await?;
            let what = two::Transform { middle, by: (0.0, 0.0), scale: 1.0, degrees: *degrees };
            Planned {
                plan: TouchPlan::transform(viewport, what, duration(two::turn_ms(*degrees)))?,
                from,
                sentence: format!("Turned by {degrees} degrees around {middle}"),
            }
        }
        GestureWords::Transform { origin, dx, dy, scale, degrees } => {
            let from = aim::at(run, origin, Purpose::Longpress).await?;
            let what = two::Transform { middle: from.point, by: (*dx, *dy), scale: *scale, degrees: *degrees };
            let sentence =
                format!("Moved two contacts around {} by ({dx}, {dy}), scale {scale}, {degrees} degrees", from.point);
            let plan = TouchPlan::transform(viewport, what, duration(two::turn_ms(*degrees)))?;
            Planned { plan, from: Some(from), sentence }
        }
        GestureWords::Drag { source, destination } => drag(run, args, source, destination).await?,
    })
}

/// Both ends are found on one screen: what is picked up and where it goes belong together.
async fn drag(run: &mut Run<'_>, args: &Gesture, source: &Target, destination: &Target) -> Result<Planned, Failure> {
    let to = aim::end(run, destination, Purpose::Longpress, End::Second).await?;
    let from = aim::at(run, source, Purpose::Longpress).await?;
    // Bringing the source into view may have moved the destination: it is judged once more where it is an element.
    let to = match destination.point() {
        Some(_) => to,
        None => {
            let found = resolve::on_capture(run, destination).await?;
            identity::as_recorded(run, destination, &found, End::Second)?;
            let place = found.place;
            let point = screen::guard::aim(&found.tree, place, Purpose::Longpress)?;
            Located { point, ..to }
        }
    };
    let hold = args.hold_ms.unwrap_or(DRAG_HOLD_MS);
    let travel = args.duration_ms.unwrap_or(DRAG_MOVE_MS);
    let plan = TouchPlan::drag(from.point, to.point, hold, travel, args.drop_hold_ms.unwrap_or(0));
    let sentence = format!("Dragged {} to {}", from.sentence(source), to.sentence(destination));
    Ok(Planned { plan, from: Some(from), sentence })
}

/// Where a movement starts: on its target, else in the middle of the screen.
async fn start(
    run: &mut Run<'_>,
    origin: Option<&Target>,
    viewport: Size,
) -> Result<(Option<Located>, Point), Failure> {
    match origin {
        Some(origin) => {
            let located = aim::at(run, origin, Purpose::Longpress).await?;
            let point = located.point;
            Ok((Some(located), point))
        }
        None if viewport.bounds().is_empty() => Err(Failure::new(Code::CaptureFailed, "the screen has no size")),
        None => Ok((None, viewport.bounds().centre())),
    }
}

fn moved(from: Point, dx: f64, dy: f64) -> Point {
    Point { x: from.x + dx, y: from.y + dy }
}
