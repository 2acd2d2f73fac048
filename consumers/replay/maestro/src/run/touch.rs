//! Presses, scrolls, swipes.

use contract::{
    Command, Point, Rect, Target,
    command::{
        AfterArgs, Gesture, GestureWords, Get, GetFormat, Longpress, LongpressWords, Press, SCROLL_UNTIL_PASSES,
        Scroll, ScrollDirection, SettleArgs, Swipe as SwipeCommand, WaitFor,
    },
    words::Words,
};
use flow::{Ask, Place};
use serde_json::Value;

use super::{
    Done, Run, Trouble,
    send::{ASSERT_MS, TARGET_MS},
    target::{For, share},
};
use crate::model::{Direction, DragTo, Element, How, Number, ScrollUntil, Spot, Step, Swipe, SwipeTo, Tap};

/// Pause between the presses of a series where nothing is said, ms.
const REPEAT_MS: u64 = 100;
/// How long a swipe takes where nothing is said, ms.
const SWIPE_MS: u64 = 400;
/// How long a scroll looks for its element where nothing is said, ms.
const SCROLL_MS: u64 = 20_000;
/// The longest that a scroll waits for the screen to rest after a tap, ms: Maestro's own limit.
const SETTLE_MS: u64 = 30_000;

/// How a press is made.
struct Manner {
    how: How,
    count: Option<u32>,
    interval_ms: Option<u64>,
    settle: SettleArgs,
}

impl Manner {
    fn command(&self, target: Target) -> Command {
        match self.how {
            How::Long => Command::Longpress(Longpress {
                words: Words(LongpressWords { target, duration_ms: None }),
                settle: self.settle.clone(),
            }),
            How::Once | How::Double => Command::Press(Press {
                target: Words(target),
                count: self.count,
                interval_ms: self.interval_ms,
                hold_ms: None,
                double_tap: self.how == How::Double,
                button: None,
                after: AfterArgs { settle: self.settle.clone(), verify: false },
            }),
        }
    }
}

/// How long a step waits for what it acts on.
pub(super) const fn patience(step: &Step) -> u64 {
    if step.optional { ASSERT_MS } else { TARGET_MS }
}

impl Run<'_> {
    pub fn tap(&mut self, tap: &Tap, step: &Step) -> Done {
        let at = &step.place;
        let manner = self.manner(tap, at)?;
        if tap.retry_if_no_change {
            self.host
                .note("retryTapIfNoChange: pressed once all the same; a press that changes nothing may have landed");
        }
        match (&tap.element, &tap.point) {
            (Some(element), None) => {
                let selector = self.selector(element, For::Acting, at)?;
                let target = || Target::Selector { selector: selector.clone() };
                self.act_on(&selector, patience(step), &|| manner.command(target()))?;
            }
            (Some(element), Some(point)) => {
                let rect = self.place_of(element, step)?;
                let Point { x, y } = self.point_in(point, rect, at)?;
                self.ask(manner.command(Target::Point { x, y }))?;
            }
            (None, Some(point)) => {
                // A place means what lies there, so it must lie still.
                self.rest()?;
                let Point { x, y } = self.point(point, at)?;
                self.ask(manner.command(Target::Point { x, y }))?;
            }
            (None, None) => {}
        }
        if manner.settle.settle {
            self.restless = None;
        }
        Ok(())
    }

    fn manner(&mut self, tap: &Tap, at: &Place) -> Done<Manner> {
        let count = tap.repeat.as_ref().map(|repeat| self.whole_number(repeat, at)).transpose()?;
        let delay = tap.delay.as_ref().map(|delay| self.whole_number(delay, at)).transpose()?;
        if tap.how != How::Once && delay.is_some() {
            self.host.note("delay: not used, the gesture has its own timing");
        }
        let count = count.filter(|count| *count > 1).map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        let settle = self.settling(tap.settle.as_ref(), at)?;
        Ok(Manner { how: tap.how, count, interval_ms: count.map(|_| delay.unwrap_or(REPEAT_MS)), settle })
    }

    fn settling(&mut self, limit: Option<&Number>, at: &Place) -> Done<SettleArgs> {
        let Some(limit) = limit else { return Ok(SettleArgs::default()) };
        let limit = self.whole_number(limit, at)?.min(SETTLE_MS);
        Ok(SettleArgs { settle: true, settle_quiet_ms: None, settle_timeout_ms: Some(limit) })
    }

    /// Where an element lies, once it is there.
    pub fn place_of(&mut self, element: &Element, step: &Step) -> Done<Rect> {
        let seen = self.selector(element, For::Seeing, &step.place)?;
        self.rest()?;
        self.wait(WaitFor::Selector { selector: seen, timeout_ms: Some(patience(step)) })?;
        let selector = self.selector(element, For::Acting, &step.place)?;
        let get = Get { format: GetFormat::Attrs, target: Words(Target::Selector { selector }) };
        let answer = self.ask(Command::Get(get))?;
        rect(answer.data.get("rect"))
            .ok_or_else(|| Trouble::of(contract::Code::CaptureFailed, "the element has no place on the screen"))
    }

    pub fn scroll(&mut self) -> Done {
        self.rest()?;
        self.ask(Command::Scroll(scroll(ScrollDirection::Down, None)))?;
        Ok(())
    }

    pub fn scroll_until(&mut self, until: &ScrollUntil, at: &Place) -> Done {
        let limit = match &until.timeout {
            Some(timeout) => self.whole_number(timeout, at)?,
            None => SCROLL_MS,
        };
        let direction = match until.direction {
            Direction::Up => ScrollDirection::Up,
            Direction::Down => ScrollDirection::Down,
            Direction::Left => ScrollDirection::Left,
            Direction::Right => ScrollDirection::Right,
        };
        let ignored =
            [(until.speed, "speed"), (until.visibility, "visibilityPercentage"), (until.center, "centerElement")];
        for (_, key) in ignored.iter().filter(|(said, _)| *said) {
            self.host.note(&format!(
                "{key}: not used; the scroll ends when part of the element is in view, after at most {SCROLL_UNTIL_PASSES} steps"
            ));
        }
        self.rest()?;
        let selector = self.selector(&until.element, For::Scrolling, at)?;
        let command = Command::Scroll(scroll(direction, Some(selector)));
        self.ask_as(Ask { timeout_ms: Some(limit), ..Ask::once(command) })?;
        Ok(())
    }

    pub fn swipe(&mut self, swipe: &Swipe, duration: Option<&Number>, settle: Option<&Number>, step: &Step) -> Done {
        let at = &step.place;
        let duration = match duration {
            Some(duration) => self.whole_number(duration, at)?,
            None => SWIPE_MS,
        };
        let settle = self.settling(settle, at)?;
        self.rest()?;
        let (from, to) = match swipe {
            Swipe::Direction(direction) => self.across(*direction)?,
            Swipe::Points(start, end) => (self.point(start, at)?, self.point(end, at)?),
            Swipe::From(element, to) => {
                let from = self.place_of(element, step)?.centre();
                let to = match to {
                    SwipeTo::Point(point) => self.point(point, at)?,
                    SwipeTo::Direction(direction) => self.edge(from, *direction)?,
                };
                (from, to)
            }
        };
        self.ask(Command::Swipe(SwipeCommand {
            x1: from.x,
            y1: from.y,
            x2: to.x,
            y2: to.y,
            duration_ms: Some(duration),
            count: None,
            pause_ms: None,
            pattern: None,
        }))?;
        match settle.settle_timeout_ms {
            Some(limit) => self.settle(contract::command::SETTLE_QUIET_MS, limit),
            None => Ok(()),
        }
    }

    /// The two ends of a swipe over the screen.
    fn across(&mut self, direction: Direction) -> Done<(Point, Point)> {
        let size = self.screen()?;
        let at = |x: f64, y: f64| Point { x: share(size.width, x), y: share(size.height, y) };
        Ok(match direction {
            Direction::Up => (at(50.0, 50.0), at(50.0, 10.0)),
            Direction::Down => (at(50.0, 20.0), at(50.0, 90.0)),
            Direction::Left => (at(90.0, 50.0), at(10.0, 50.0)),
            Direction::Right => (at(10.0, 50.0), at(90.0, 50.0)),
        })
    }

    /// From a point to near the edge of the screen.
    fn edge(&mut self, from: Point, direction: Direction) -> Done<Point> {
        let size = self.screen()?;
        Ok(match direction {
            Direction::Up => Point { x: from.x, y: share(size.height, 10.0) },
            Direction::Down => Point { x: from.x, y: share(size.height, 90.0) },
            Direction::Left => Point { x: share(size.width, 10.0), y: from.y },
            Direction::Right => Point { x: share(size.width, 90.0), y: from.y },
        })
    }

    /// `timing` is how long the source is held, how long the way takes, how long the screen may take to rest.
    pub fn drag(&mut self, from: &Spot, to: &DragTo, timing: [Option<&Number>; 3], step: &Step) -> Done {
        let at = &step.place;
        let [hold, duration, settle] = timing;
        let hold_ms = hold.map(|hold| self.whole_number(hold, at)).transpose()?;
        let duration_ms = duration.map(|duration| self.whole_number(duration, at)).transpose()?;
        let settle = self.settling(settle, at)?;
        self.rest()?;
        let source = self.spot(from, step)?;
        let destination = match to {
            DragTo::Spot(spot) => self.spot(spot, step)?,
            DragTo::Offset(offset) => {
                let way = match self.point_text(offset, at)? {
                    crate::read::PointText::Px(x, y) => (x, y),
                    crate::read::PointText::Percent(x, y) => {
                        let size = self.screen()?;
                        (size.width * x / 100.0, size.height * y / 100.0)
                    }
                };
                Point { x: source.x + way.0, y: source.y + way.1 }
            }
        };
        let target = |Point { x, y }| Target::Point { x, y };
        self.ask(Command::Gesture(Gesture {
            words: Words(GestureWords::Drag { source: target(source), destination: target(destination) }),
            duration_ms,
            pointer_count: None,
            hold_ms,
            drop_hold_ms: None,
            settle,
        }))?;
        Ok(())
    }

    fn spot(&mut self, spot: &Spot, step: &Step) -> Done<Point> {
        match spot {
            Spot::Point(point) => self.point(point, &step.place),
            Spot::Element(element) => Ok(self.place_of(element, step)?.centre()),
        }
    }
}

fn scroll(direction: ScrollDirection, until: Option<String>) -> Scroll {
    Scroll { direction, amount: None, pixels: None, until, within: None, settle: SettleArgs::default() }
}

fn rect(value: Option<&Value>) -> Option<Rect> {
    let side = |name: &str| value?.get(name)?.as_f64();
    Some(Rect { x: side("x")?, y: side("y")?, width: side("width")?, height: side("height")? })
}
