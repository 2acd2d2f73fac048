//! scroll, swipe, back, home, viewport.

use std::sync::Arc;

use backend::{Input, Receipt, ScrollTo};
use contract::{
    Claim, Code, Dispatched, Failure, Point, Row, Target,
    command::{
        AfterArgs, Back, SCROLL_AMOUNT, SCROLL_UNTIL_PASSES, SWIPE_MS, Scroll, ScrollDirection, SettleArgs, Swipe,
        SwipePattern, Viewport,
    },
    request::Answer,
};
use screen::{Resolution, Selector, States, Tree, guard, selector};
use serde_json::{Map, json};
use tokio::time::Instant;

use super::{acting::pause, answer, receipt_facts};
use crate::{
    disclosure::after_steps,
    interaction::{after, resolve},
    run::Run,
};

/// `scroll`: a step, to an edge, or on until something is in view.
///
/// # Errors
/// `--until`: the end was reached, or 12 passes were made, without the target in view.
pub async fn scroll(run: &mut Run<'_>, args: &Scroll) -> Result<Answer, Failure> {
    let to = distance(args);
    let within = match &args.within {
        None => None,
        Some(within) => {
            let target = match within.strip_prefix('@') {
                Some(_) => Target::Ref { reference: within.clone() },
                None => Target::Selector { selector: within.clone() },
            };
            let found = resolve::on_capture(run, &target).await?;
            let key = found.tree.get(found.place).and_then(|node| node.key);
            Some(key.ok_or_else(|| {
                Failure::refused(
                    Row::DaemonAdmissionUnsupportedOperation,
                    Code::UnsupportedOperation,
                    "this device cannot scroll a container by name",
                )
                .reason("unsupported_operation")
            })?)
        }
    };
    let before = after::before(run, &args.settle, false).await?;
    let input = || Input::Scroll { within, to };
    let word = format!("{:?}", args.direction).to_lowercase();
    let (receipt, sentence) = match &args.until {
        None => {
            let receipt = run.perform(input()).await?;
            let sentence = match receipt.moved {
                Some((0.0, 0.0)) => format!("Did not scroll {word}: already at the end"),
                Some((x, y)) => {
                    let to = if matches!(to, ScrollTo::Top | ScrollTo::Bottom) { "to the " } else { "" };
                    format!("Scrolled {to}{word} by {} px", x.abs().max(y.abs()))
                }
                None => format!("Scrolled {word}"),
            };
            (receipt, sentence)
        }
        Some(until) => {
            let (receipt, passes) = until_in_view(run, until, args.direction, &input).await?;
            let steps = format!("{passes} step{}", if passes == 1 { "" } else { "s" });
            let sentence = match receipt.moved.unwrap_or_default() {
                (0.0, 0.0) => format!("{until} is in view already"),
                (x, y) => format!("{until} is in view after {steps}, {} px", x.abs().max(y.abs()).round()),
            };
            (receipt, sentence)
        }
    };
    let mut facts = Map::new();
    facts.insert("direction".into(), word.into());
    if let Some((x, y)) = receipt.moved {
        facts.insert("movedX".into(), json!(x));
        facts.insert("movedY".into(), json!(y));
    }
    if let Some(more) = receipt.more {
        facts.insert("more".into(), more.into());
    }
    finish(run, facts, sentence, &receipt, &args.settle, before).await
}

/// How far one step goes. The numbers have been held to their ranges by `Command::check`.
fn distance(args: &Scroll) -> ScrollTo {
    let (right, down) = match args.direction {
        ScrollDirection::Up => (0.0, -1.0),
        ScrollDirection::Down => (0.0, 1.0),
        ScrollDirection::Left => (-1.0, 0.0),
        ScrollDirection::Right => (1.0, 0.0),
        ScrollDirection::Top => return ScrollTo::Top,
        ScrollDirection::Bottom => return ScrollTo::Bottom,
    };
    match (args.pixels, args.amount.unwrap_or(SCROLL_AMOUNT)) {
        (Some(pixels), _) => ScrollTo::Pixels { x: right * pixels, y: down * pixels },
        (None, share) => ScrollTo::Share { x: right * share, y: down * share },
    }
}

/// Scrolls on until the selector's element is in view. Looks before each pass, so that nothing is sent for what is in
/// view already, or cannot be resolved. Not a wait, so no verdict on the polling loop: what brings the next screen is a
/// step of this command, sent once and judged for itself. Its looks stand in the timeline all the same.
async fn until_in_view(
    run: &mut Run<'_>,
    until: &str,
    direction: ScrollDirection,
    input: &impl Fn() -> Input,
) -> Result<(Receipt, u32), Failure> {
    let target = Selector::parse(until)?;
    let mut receipt = Receipt::default();
    let mut moved = (0.0, 0.0);
    let (mut passes, mut at_end) = (0, false);
    let began = Instant::now();
    loop {
        let look = async {
            let tree = run.capture_noted(began).await?;
            let matches = selector::matches(&target, &tree);
            Ok::<_, Failure>((
                matches.iter().any(|place| tree.get(*place).is_some_and(|node| node.is(States::VISIBLE))),
                tree,
            ))
        };
        let row =
            if passes == 0 { Row::DaemonScrollUntilBeforeFirstPass } else { Row::DaemonScrollUntilLaterPassRefused };
        let dispatched = if passes == 0 { Dispatched::No } else { Dispatched::Unknown };
        let (mut visible, mut tree) = look.await.map_err(|failure| failure.under(Claim { row, dispatched }))?;
        // What the screen's tree holds already, the device may be able to bring into view by itself.
        if !visible && let Some((now, (x, y))) = brought_into_view(run, &target, direction, &tree, began).await {
            (visible, tree) = (true, now);
            moved = (moved.0 + x, moved.1 + y);
        }
        if visible {
            receipt.moved = Some(moved);
            return Ok((receipt, passes));
        }
        if at_end || passes == SCROLL_UNTIL_PASSES {
            let (why, reason) = match at_end {
                true => ("the end was reached", "scroll_until_edge_reached"),
                false => ("the limit of steps was reached", "scroll_until_pass_limit"),
            };
            let absent = selector::absent(&target, &tree);
            let mut failure = Failure::lost(
                Row::DaemonScrollUntilNoProgress,
                Code::ElementNotFound,
                format!("{until} is not in view: {why}"),
            )
            .reason(reason)
            .detail("passes", passes);
            failure.hint = absent.hint.or(failure.hint);
            return Err(failure);
        }
        let pass = run
            .perform(input())
            .await
            .map_err(|failure| after_steps(failure, passes as usize, Row::DaemonScrollUntilLaterPassRefused))?;
        if let Some((x, y)) = pass.moved {
            moved = (moved.0 + x, moved.1 + y);
        }
        at_end = pass.moved.is_some_and(|(x, y)| x == 0.0 && y == 0.0);
        receipt = receipt.and(pass);
        passes += 1;
    }
}

/// The screen after the device brought the target into view, and by how much that moved it, px; `None` where it is not
/// there or the device cannot.
async fn brought_into_view(
    run: &mut Run<'_>,
    target: &Selector,
    direction: ScrollDirection,
    tree: &Tree,
    began: Instant,
) -> Option<(Arc<Tree>, (f64, f64))> {
    let place = match selector::resolve(target, tree) {
        Resolution::One(place) => place,
        Resolution::Many(places) => nearest_ahead(&places, direction, tree)?,
        Resolution::None => return None,
    };
    let before = tree.get(place)?;
    let key = before.key?;
    // A look that fails proves nothing: the steps go on as if it had not been made.
    run.session.device.aim(&run.context, key).await.ok().flatten()?;
    let now = run.capture_noted(began).await.ok()?;
    let after = now.nodes().iter().find(|node| node.key == Some(key)).filter(|node| node.is(States::VISIBLE))?;
    let moved = (before.rect.x - after.rect.x, before.rect.y - after.rect.y);
    Some((now.clone(), moved))
}

/// Of several things, the nearest that lies ahead; where none does, the nearest.
fn nearest_ahead(places: &[u32], direction: ScrollDirection, tree: &Tree) -> Option<u32> {
    let middle = tree.viewport.bounds().centre();
    // How far ahead a thing lies, px; negative behind.
    let ahead = |place: &u32| {
        let at = tree.get(*place).map_or(middle, |node| node.rect.centre());
        match direction {
            ScrollDirection::Down | ScrollDirection::Bottom => at.y - middle.y,
            ScrollDirection::Up | ScrollDirection::Top => middle.y - at.y,
            ScrollDirection::Right => at.x - middle.x,
            ScrollDirection::Left => middle.x - at.x,
        }
    };
    let rank = |place: &&u32| {
        let ahead = ahead(place);
        (ahead < 0.0, ahead.abs())
    };
    places.iter().min_by(|one, other| rank(one).partial_cmp(&rank(other)).unwrap_or(std::cmp::Ordering::Equal)).copied()
}

/// `swipe`: once, or a series.
///
/// # Errors
/// Both ends must lie in the viewport.
pub async fn swipe(run: &mut Run<'_>, args: &Swipe) -> Result<Answer, Failure> {
    let (from, to) = (Point { x: args.x1, y: args.y1 }, Point { x: args.x2, y: args.y2 });
    let viewport = match run.session.viewport {
        Some(viewport) => viewport,
        None => run.capture().await?.viewport,
    };
    guard::point_inside(viewport, from)?;
    guard::point_inside(viewport, to)?;
    let count = args.count.unwrap_or(1).max(1);
    let mut receipt = Receipt::default();
    for done in 0..count {
        let back = args.pattern == Some(SwipePattern::PingPong) && done % 2 == 1;
        let (from, to) = if back { (to, from) } else { (from, to) };
        let one = async {
            if done > 0 {
                pause(run, args.pause_ms.unwrap_or(0)).await?;
            }
            run.perform(Input::Swipe { from, to, duration_ms: args.duration_ms.unwrap_or(SWIPE_MS) }).await
        };
        let one =
            one.await.map_err(|failure| after_steps(failure, done as usize, Row::DaemonSeriesLaterSwipeRefused))?;
        receipt = receipt.and(one);
    }
    let mut facts = Map::new();
    facts.insert("count".into(), count.into());
    let times = if count == 1 { String::new() } else { format!(" {count} times") };
    finish(run, facts, format!("Swiped from {from} to {to}{times}"), &receipt, &SettleArgs::default(), None).await
}

/// `back`.
///
/// # Errors
/// What the device says; refused where there is nowhere to go.
pub async fn back(run: &mut Run<'_>, args: &Back) -> Result<Answer, Failure> {
    let before = after::before(run, &args.settle, false).await?;
    let receipt = run.perform(Input::Back).await?;
    finish(run, Map::new(), "Went back".to_owned(), &receipt, &args.settle, before).await
}

/// `home`.
///
/// # Errors
/// What the device says.
pub async fn home(run: &mut Run<'_>) -> Result<Answer, Failure> {
    let receipt = run.perform(Input::Home).await?;
    finish(run, Map::new(), "Went home".to_owned(), &receipt, &SettleArgs::default(), None).await
}

/// `viewport`.
///
/// # Errors
/// What the device says.
pub async fn viewport(run: &mut Run<'_>, args: &Viewport) -> Result<Answer, Failure> {
    let (width, height) = (args.width, args.height);
    let receipt = run.perform(Input::Viewport { width, height }).await?;
    run.session.viewport = None;
    let mut facts = Map::new();
    facts.insert("width".into(), width.into());
    facts.insert("height".into(), height.into());
    finish(run, facts, format!("The viewport is {width} x {height}"), &receipt, &SettleArgs::default(), None).await
}

/// The answer to an input that has no target of its own.
pub async fn finish(
    run: &mut Run<'_>,
    mut facts: Map<String, serde_json::Value>,
    sentence: String,
    receipt: &Receipt,
    settle: &SettleArgs,
    before: Option<after::Before>,
) -> Result<Answer, Failure> {
    let mut lines = Vec::new();
    receipt_facts(receipt, &mut facts, &mut lines);
    let (seen, shown) = after::after(run, &AfterArgs { settle: settle.clone(), verify: false }, before).await;
    facts.extend(seen);
    lines.extend(shown);
    Ok(answer(facts, sentence, lines))
}

#[cfg(test)]
mod tests {
    use contract::{Rect, Size};
    use screen::{Node, Role, TreeBuilder};

    use super::*;

    #[test]
    fn of_several_the_nearest_ahead_is_meant_and_only_without_one_the_nearest_behind() {
        let mut builder = TreeBuilder::new(Size { width: 400.0, height: 800.0 });
        for y in [-3000.0, -900.0, 1200.0, 5000.0] {
            builder.push(None, Node::new(Role::of("button"), "Next", Rect::new(0.0, y, 100.0, 40.0)));
        }
        let tree = builder.finish();
        let meant = |places: &[u32], direction| nearest_ahead(places, direction, &tree);
        assert_eq!(meant(&[0, 1, 2, 3], ScrollDirection::Down), Some(2));
        assert_eq!(meant(&[0, 1, 2, 3], ScrollDirection::Up), Some(1));
        assert_eq!(meant(&[0, 1], ScrollDirection::Down), Some(1));
        assert_eq!(meant(&[], ScrollDirection::Down), None);
    }
}
