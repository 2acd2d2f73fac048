//! Which numbers make sense. The command line says so for its flags; this holds for every way in, and before anything is
//! sent.

use std::ops::RangeInclusive;

use super::{
    Command, Gesture, GestureWords, ScrollDirection, SessionAction, Setting, SettleArgs, TraceAction, WaitFor,
};
use crate::{Code, Failure, Row, Target};

/// Pauses and contacts, ms.
const PAUSE_MS: RangeInclusive<u64> = 0..=10_000;
/// A contact that is to stay down, ms.
const HOLD_MS: RangeInclusive<u64> = 0..=120_000;
/// Waits, ms: a day.
const WAIT_MS: RangeInclusive<u64> = 0..=86_400_000;
/// Repetitions of a series.
const COUNT: RangeInclusive<u64> = 1..=200;
/// The longest way to scroll in one step, px.
const SCROLL_PX: f64 = 1e6;
/// The furthest a point can be from the origin, px: no screen is as large.
const POINT_PX: f64 = 1e6;

impl Command {
    /// Refuses numbers that make no sense.
    ///
    /// # Errors
    /// `INVALID_ARGS` naming the number and its range.
    pub fn check(&self) -> Result<(), Failure> {
        match self {
            Command::Press(press) => {
                point(&press.target)?;
                settle(&press.after.settle)?;
                within("count", press.count.map(u64::from), COUNT)?;
                within("intervalMs", press.interval_ms, PAUSE_MS)?;
                within("holdMs", press.hold_ms, PAUSE_MS)
            }
            Command::Longpress(press) => {
                point(&press.words.target)?;
                settle(&press.settle)?;
                within("durationMs", press.words.duration_ms, HOLD_MS)
            }
            Command::Hover(hover) => point(&hover.target).and_then(|()| settle(&hover.settle)),
            Command::Focus(focus) => point(&focus.target),
            Command::Get(get) => point(&get.target),
            Command::Fill(fill) => {
                point(&fill.words.target)?;
                settle(&fill.after.settle)?;
                variable(fill.record_as.as_deref())?;
                within("delayMs", fill.delay_ms, PAUSE_MS)
            }
            Command::Type(text) => {
                variable(text.record_as.as_deref())?;
                within("delayMs", text.delay_ms, PAUSE_MS)
            }
            Command::Session(session)
                if (session.path.is_some() || session.force) && session.action != SessionAction::SaveScript =>
            {
                Err(refused("a file and --force go with session save-script".into()))
            }
            Command::Trace(trace) if trace.out.is_some() && trace.action != TraceAction::Stop => {
                Err(refused("--out goes with trace stop: the page is made of what was traced until then".into()))
            }
            Command::Back(back) => settle(&back.settle),
            Command::Scroll(scroll) => {
                settle(&scroll.settle)?;
                let whole = matches!(scroll.direction, ScrollDirection::Top | ScrollDirection::Bottom);
                if whole && (scroll.amount.is_some() || scroll.pixels.is_some()) {
                    return Err(refused("top and bottom go all the way: they take no amount".into()));
                }
                let sane = |pixels: f64| pixels > 0.0 && pixels <= SCROLL_PX;
                if scroll.pixels.is_some_and(|pixels| !sane(pixels)) {
                    return Err(refused("pixels is more than 0 and at most 1000000".into()));
                }
                if scroll.amount.is_some_and(|share| !(0.05..=1.0).contains(&share)) {
                    return Err(refused(
                        "the amount is a share of the container, 0.05 to 1; for px use --pixels".into(),
                    ));
                }
                Ok(())
            }
            Command::Swipe(swipe) => {
                [swipe.x1, swipe.y1, swipe.x2, swipe.y2].into_iter().try_for_each(coordinate)?;
                within("durationMs", swipe.duration_ms, PAUSE_MS)?;
                within("pauseMs", swipe.pause_ms, PAUSE_MS)?;
                within("count", swipe.count.map(u64::from), COUNT)
            }
            Command::Gesture(args) => gesture(args),
            Command::Logs(logs) => within("lines", logs.lines.map(u64::from), 1..=100_000),
            Command::Settings(settings) => match &*settings.words {
                Setting::LocationSet { latitude, longitude } if latitude.abs() > 90.0 || longitude.abs() > 180.0 => {
                    Err(refused("the latitude is -90 to 90 degrees, the longitude -180 to 180".into()))
                }
                _ => Ok(()),
            },
            Command::Wait(wait) => {
                if let WaitFor::Text { text, .. } = &*wait.words
                    && text.trim().is_empty()
                {
                    return Err(refused("an empty text is on every screen: say which text to wait for".into()));
                }
                if let WaitFor::Stable { quiet_ms, .. } = &*wait.words {
                    within("quietMs", *quiet_ms, WAIT_MS)?;
                }
                within("timeoutMs", Some(wait.words.limit_ms()), WAIT_MS)
            }
            Command::Find(find) => within("waitMs", find.wait_ms, WAIT_MS),
            Command::Alert(alert) => within("waitMs", alert.wait_ms, WAIT_MS),
            Command::Downloads(downloads) => within("waitMs", downloads.wait_ms, WAIT_MS),
            Command::Open(open) => within("loadTimeoutMs", open.load_timeout_ms, 100..=600_000),
            Command::Viewport(viewport) => {
                within("width", Some(viewport.width.into()), 50..=10_000)?;
                within("height", Some(viewport.height.into()), 50..=10_000)
            }
            _ => Ok(()),
        }
    }
}

/// The field's bounds of a pan, ms; the others' are as wide.
const GESTURE_MS: RangeInclusive<u64> = 16..=10_000;
/// Further apart or together than this no two fingers go.
const GESTURE_SCALE: RangeInclusive<f64> = 0.05..=20.0;
/// Two full turns, degrees.
const GESTURE_DEGREES: f64 = 720.0;

fn gesture(args: &Gesture) -> Result<(), Failure> {
    settle(&args.settle)?;
    within("durationMs", args.duration_ms, GESTURE_MS)?;
    within("holdMs", args.hold_ms, PAUSE_MS)?;
    within("dropHoldMs", args.drop_hold_ms, PAUSE_MS)?;
    within("pointerCount", args.pointer_count.map(u64::from), 1..=2)?;
    let pan = matches!(*args.words, GestureWords::Pan { .. });
    let drag = matches!(*args.words, GestureWords::Drag { .. });
    if args.pointer_count.is_some() && !pan {
        return Err(refused("--pointer-count goes with pan: the others have a fixed number of contacts".into()));
    }
    if (args.hold_ms.is_some() || args.drop_hold_ms.is_some()) && !drag {
        return Err(refused("--hold-ms and --drop-hold-ms go with drag".into()));
    }
    let sane = |scale: &f64, degrees: &f64| {
        if !GESTURE_SCALE.contains(scale) {
            return Err(refused("the scale is 0.05 to 20: more than 1 spreads, less than 1 pinches".into()));
        }
        if degrees.abs() > GESTURE_DEGREES {
            return Err(refused("the angle is -720 to 720 degrees".into()));
        }
        Ok(())
    };
    match &*args.words {
        GestureWords::Pan { origin, dx, dy } => {
            point(origin)?;
            coordinate(*dx)?;
            coordinate(*dy)
        }
        GestureWords::Fling { distance, origin, .. } => {
            if distance.is_some_and(|distance| !(distance > 0.0 && distance <= SCROLL_PX)) {
                return Err(refused("the distance is more than 0 px".into()));
            }
            origin.as_ref().map_or(Ok(()), point)
        }
        GestureWords::Pinch { scale, origin } => {
            sane(scale, &0.0)?;
            origin.as_ref().map_or(Ok(()), point)
        }
        GestureWords::Rotate { degrees, origin } => {
            sane(&1.0, degrees)?;
            origin.as_ref().map_or(Ok(()), point)
        }
        GestureWords::Transform { origin, dx, dy, scale, degrees } => {
            point(origin)?;
            coordinate(*dx)?;
            coordinate(*dy)?;
            sane(scale, degrees)
        }
        GestureWords::Drag { source, destination } => point(source).and_then(|()| point(destination)),
    }
}

fn settle(args: &SettleArgs) -> Result<(), Failure> {
    within("settleQuietMs", args.settle_quiet_ms, WAIT_MS)?;
    within("settleTimeoutMs", args.settle_timeout_ms, WAIT_MS)
}

fn point(target: &Target) -> Result<(), Failure> {
    target.point().map_or(Ok(()), |point| coordinate(point.x).and_then(|()| coordinate(point.y)))
}

fn coordinate(value: f64) -> Result<(), Failure> {
    if value.abs() <= POINT_PX {
        Ok(())
    } else {
        Err(refused("a coordinate is a number of px, at most 1000000".into()))
    }
}

/// Holds the name of a script's variable to its form: what a script can define, and nothing of our own.
fn variable(name: Option<&str>) -> Result<(), Failure> {
    let Some(name) = name else { return Ok(()) };
    let begins = name.starts_with(|first: char| first.is_ascii_uppercase());
    let fits = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    if begins && fits && name.len() <= 64 && !name.starts_with("AD_") {
        return Ok(());
    }
    Err(refused(
        "recordAs is a variable's name: A-Z, 0-9 and _, a letter first, 64 at most, not beginning with AD_".into(),
    ))
}

fn within(what: &str, value: Option<u64>, range: RangeInclusive<u64>) -> Result<(), Failure> {
    match value {
        Some(value) if !range.contains(&value) => {
            Err(refused(format!("{what} is {} to {}, not {value}", range.start(), range.end())))
        }
        _ => Ok(()),
    }
}

fn refused(message: String) -> Failure {
    Failure::refused(Row::DaemonProtocolBadArguments, Code::InvalidArgs, message).reason("invalid_arguments")
}
