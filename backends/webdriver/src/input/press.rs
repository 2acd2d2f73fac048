//! A press that hits the element that was meant, or says what it would have hit.

use std::time::Duration;

use backend::{Aim, Receipt};
use contract::{
    Code, Failure, Row,
    command::{Browser, Button},
};
use observe::{BudgetFrom, End, Schedule, Verdict as Look, observe_until};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{sync::Mutex, time::Instant};
use tokio_util::sync::CancellationToken;
use wire::Context;

use super::pointer::{Pointer, To};
use crate::{
    agent::{Ask, Said, call},
    aim::{self, GUARD_MS},
    page::{Armed, Page},
    reply::Heard,
    routes::Route,
    windows,
};

/// How long browsers hold back the click of a touch on a page that can be zoomed, to tell it from a double tap (300 ms),
/// and one look more.
const LATE_CLICK: Duration = Duration::from_millis(350);
/// Time between two looks for it.
const CLICK_INTERVAL: Duration = Duration::from_millis(25);
/// A press that the page saw and that the browser made no click of: it ended a scroll that was still running, or what was
/// pressed was exchanged under it.
const NO_CLICK: &str = "the page saw the press, but no click on the element came of it: check what changed";

/// The same where what was pressed left the page: a list that closes when it is pressed, or a new element in its place.
const REPLACED: &str = "what was pressed left the page before a click came of it: check what changed";

/// What a press does.
#[derive(Debug, Clone, Copy)]
pub struct Press {
    /// Which button.
    pub button: Button,
    /// How long it stays down, ms.
    pub hold_ms: u64,
    /// 1, or 2 for a double press.
    pub times: u32,
}

/// What the guard saw.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Verdict {
    known: bool,
    #[serde(default)]
    hit: bool,
    #[serde(default)]
    clicked: bool,
    #[serde(default)]
    pending: bool,
    #[serde(default)]
    default_prevented: bool,
    #[serde(default)]
    alive: bool,
    #[serde(default)]
    events: Vec<String>,
    #[serde(default)]
    missed: Option<Missed>,
}

#[derive(Debug, Deserialize)]
struct Missed {
    #[serde(default)]
    desc: String,
    /// It is the element that was meant, which has become something else.
    #[serde(default)]
    changed: bool,
}

/// What is known after a press of an element.
enum Outcome {
    /// The guard's word.
    Verdict(Verdict),
    /// Another document is there; when its navigation began, by the page's clock.
    Replaced(f64),
    /// A dialog opened; its text.
    Dialog(String),
    /// The window closed.
    WindowClosed,
}

/// Presses.
///
/// An element is pressed under its guard: what would hit something else is swallowed before the page sees it. A
/// press that led away, opened a dialog or closed its window did what it was to do.
///
/// # Errors
/// `ELEMENT_COVERED` with the reason `press_intercepted` where something else was in the way, and what the driver says.
pub async fn press(
    page: &mut Page,
    context: &Context,
    browser: Browser,
    pointer: Pointer,
    aim: Aim,
    press: Press,
) -> Result<Receipt, Failure> {
    let Some(armed) = ready(page, context, aim, press).await? else {
        aim::stand_down(page, context).await?;
        let list = pointer.press(&To::Point(aim.point), press.button, press.hold_ms, press.times);
        send(page, context, list).await?;
        return after(page, context, Receipt::default()).await;
    };
    let to = if armed.moving {
        element(page, context, &armed).await?.unwrap_or(To::Point(aim.point))
    } else {
        To::Point(aim.point)
    };
    page.armed = None;
    match armed.in_frame.filter(|_| browser == Browser::Firefox) {
        None => send(page, context, pointer.press(&to, press.button, press.hold_ms, press.times)).await?,
        // Firefox's driver sends input to the process of the frame that commands run in, and to no other.
        Some(point) => {
            let document = page.document(armed.key).ok_or_else(gone)?;
            let entered = page.enter(context, &document.hops).await?;
            let list = pointer.press(&To::Point(point), press.button, press.hold_ms, press.times);
            let sent = if entered { send(page, context, list).await } else { Err(gone()) };
            let back = page.top(context).await;
            sent?;
            if let Err(failure) = back
                && !matches!(failure.reason_str(), Some("alert_open" | "window_gone"))
            {
                return Err(failure);
            }
        }
    }
    let mut receipt = Receipt::default();
    // A held press is a gesture of its own, other buttons do not click.
    let clicks = press.hold_ms == 0 && press.button == Button::Primary && !armed.popup;
    let click_limit = if clicks && pointer == Pointer::Touch { LATE_CLICK } else { Duration::ZERO };
    match judge(page, context, &armed, click_limit).await? {
        Outcome::Verdict(verdict) if verdict.hit => {
            let clickless = !verdict.clicked && !verdict.default_prevented && !armed.is_frame;
            if clicks && clickless {
                receipt.warnings.push(if verdict.alive { NO_CLICK } else { REPLACED }.into());
            }
            receipt.events = verdict.events;
        }
        // What happens inside a frame, or while a native list is open, is not seen from outside.
        Outcome::Verdict(verdict) if verdict.missed.is_none() && (armed.is_frame || armed.popup) => {
            receipt.warnings.push("what the press did inside the frame or list cannot be seen from outside".into());
        }
        Outcome::Verdict(verdict) => return Err(intercepted(verdict.missed)),
        Outcome::Replaced(began) if began >= armed.page_clock => receipt.events.push("navigation".into()),
        Outcome::Replaced(_) => {
            return Err(Failure::lost(
                Row::WebdriverPressIntercepted,
                Code::ElementNotFound,
                "the page was already being replaced by another one when the press came: nobody knows what it hit",
            )
            .reason("page_replaced"));
        }
        Outcome::Dialog(text) => {
            receipt.opened = Some(text);
            return Ok(receipt);
        }
        Outcome::WindowClosed => {}
    }
    if armed.popup {
        receipt.warnings.push("a native list or picker may be open now: choose with fill instead of pressing".into());
    }
    after(page, context, receipt).await
}

/// Moves the pointer over an element or a point.
///
/// # Errors
/// As for [`press`].
pub async fn hover(page: &mut Page, context: &Context, pointer: Pointer, aim: Aim) -> Result<Receipt, Failure> {
    aim::stand_down(page, context).await?;
    let guard = match aim.node {
        Some(key) => {
            let token = page.new_token();
            let args = json!({"token": token, "kind": "hover", "x": aim.point.x, "y": aim.point.y});
            let Some(heard) = page.call_on(context, key, "arm", args).await? else { return Err(gone()) };
            if !armed_at_all(Some(heard))? {
                return Err(gone());
            }
            Some((key, token))
        }
        None => None,
    };
    send(page, context, pointer.hover(&To::Point(aim.point))).await?;
    let mut receipt = Receipt::default();
    if let Some((key, token)) = guard {
        let heard = page.call_on(context, key, "verdict", json!({"token": token})).await?;
        if let Some(heard) = heard {
            let (said,): (Said<Verdict>,) = heard.read()?;
            match said {
                Said::Ok(verdict) if !verdict.hit && verdict.missed.is_some() => {
                    return Err(intercepted(verdict.missed));
                }
                Said::Ok(verdict) => receipt.events = verdict.events,
                Said::Error(_) => {}
            }
        }
    }
    Ok(receipt)
}

/// Moves a contact that picks up an element, under that element's guard: a movement that would begin on something else
/// is swallowed before the page sees it. Without an element, or in a frame that Firefox delivers to by a way of its own,
/// the movement is made as it is.
///
/// # Errors
/// As for [`press`].
pub async fn drag(
    page: &mut Page,
    context: &Context,
    browser: Browser,
    list: Value,
    aim: Aim,
    takes_ms: u64,
) -> Result<Receipt, Failure> {
    let press = Press { button: Button::Primary, hold_ms: takes_ms, times: 1 };
    let armed = ready(page, context, aim, press).await?;
    let Some(armed) = armed.filter(|armed| armed.in_frame.is_none() || browser != Browser::Firefox) else {
        aim::stand_down(page, context).await?;
        send_movement(page, context, list).await?;
        return after(page, context, Receipt::default()).await;
    };
    page.armed = None;
    send_movement(page, context, list).await?;
    let mut receipt = Receipt::default();
    match judge(page, context, &armed, Duration::ZERO).await? {
        Outcome::Verdict(verdict) if verdict.hit => receipt.events = verdict.events,
        Outcome::Verdict(_) if armed.is_frame => {}
        Outcome::Verdict(verdict) => return Err(intercepted(verdict.missed)),
        Outcome::Dialog(text) => {
            receipt.opened = Some(text);
            return Ok(receipt);
        }
        // What was dragged led away, or closed its window.
        Outcome::Replaced(_) | Outcome::WindowClosed => {}
    }
    after(page, context, receipt).await
}

/// Sends a movement. One that failed half-way may have left the pointer down: it is let go of.
async fn send_movement(page: &mut Page, context: &Context, list: Value) -> Result<(), Failure> {
    let sent = send(page, context, list).await;
    if let Err(failure) = &sent
        && failure.claim().is_some_and(|claim| claim.row == Row::WebdriverActionsOutOfBounds)
    {
        let _released: Result<Value, Failure> = page.line.act(context, Route::ReleaseActions, "", None).await;
    }
    sent
}

async fn send(page: &mut Page, context: &Context, list: Value) -> Result<(), Failure> {
    page.line.act::<Value>(context, Route::Actions, "", Some(list)).await.map(|_null| ())
}

/// The guard for an aim: the one that the look just left, or a new one. `None`: no element is meant.
async fn ready(page: &mut Page, context: &Context, aim: Aim, press: Press) -> Result<Option<Armed>, Failure> {
    let Some(key) = aim.node else { return Ok(None) };
    // The guard must still be up when the last event of the press comes.
    let fresh = Duration::from_millis((GUARD_MS / 2).saturating_sub(press.hold_ms));
    if let Some(armed) = page.armed.clone().filter(|armed| armed.key == key && armed.at.elapsed() < fresh) {
        return Ok(Some(armed));
    }
    let Some(document) = page.document(key) else { return Err(gone()) };
    if !page.enter(context, &document.hops).await? {
        page.top(context).await?;
        return Err(gone());
    }
    let known = page.armed.clone().filter(|armed| armed.key == key);
    let token = page.new_token();
    let ttl = GUARD_MS + press.hold_ms * u64::from(press.times);
    let args =
        json!({"id": key.id, "token": token, "kind": "pointer", "ttlMs": ttl, "x": aim.point.x, "y": aim.point.y});
    let calls = Value::Array(vec![call("arm", args)]);
    let heard = page.line.ask_present(context, Ask::Calls, &[document.token.into(), calls]).await;
    let back = page.top(context).await;
    let is_armed = armed_at_all(heard?)?;
    back?;
    if !is_armed {
        return Err(gone());
    }
    let armed = Armed {
        key,
        token,
        at: Instant::now(),
        page_clock: known.as_ref().map_or(0.0, |known| known.page_clock),
        in_frame: known.as_ref().and_then(|known| known.in_frame),
        moving: known.as_ref().is_some_and(|known| known.moving),
        popup: known.as_ref().is_some_and(|known| known.popup),
        is_frame: known.as_ref().is_some_and(|known| known.is_frame),
    };
    page.armed = Some(armed.clone());
    Ok(Some(armed))
}

fn armed_at_all(heard: Option<Heard>) -> Result<bool, Failure> {
    let Some(heard) = heard else { return Ok(false) };
    let (said,): (Said<serde::de::IgnoredAny>,) = heard.read()?;
    Ok(matches!(said, Said::Ok(_)))
}

/// Where what moves is when the action runs; only for elements of the top window's own document.
async fn element(page: &mut Page, context: &Context, armed: &Armed) -> Result<Option<To>, Failure> {
    let Some(document) = page.document(armed.key) else { return Ok(None) };
    let found = page.element(context, &document.token, armed.key.id).await?;
    page.top(context).await?;
    Ok(found.filter(|(_, entered)| *entered == 0).map(|(element, _)| To::Element(element)))
}

/// What became of a press of an element. Only failures that say nothing about the press are failures here.
async fn judge(page: &mut Page, context: &Context, armed: &Armed, click_limit: Duration) -> Result<Outcome, Failure> {
    let ends = Instant::now() + click_limit;
    let schedule = Schedule {
        interval: CLICK_INTERVAL,
        budget: click_limit,
        min_polls: 1,
        budget_from: BudgetFrom::Start,
        deadline: ends,
    };
    let page = Mutex::new(page);
    // A question that fails is not asked again: what it failed at, a dialog or a window that closed, is the verdict.
    let look = || async { Ok(ask_verdict(&mut **page.lock().await, context, armed, Instant::now() < ends).await) };
    // What was sent has to be known, also to a caller who went away: for the ledger, and for the timeline.
    let observed = observe_until(schedule, &CancellationToken::new(), look, |told| match told {
        Ok(Outcome::Verdict(verdict)) if verdict.pending => Look::Continue,
        told => Look::Done(told),
    })
    .await;
    context.looks.note(&observed.polls);
    let told = match observed.end {
        End::Done(told) => told,
        // A page that goes on saying that it does not know yet is asked for what it has.
        _ => ask_verdict(page.into_inner(), context, armed, false).await,
    };
    match told {
        Ok(outcome) => Ok(outcome),
        Err(failure) => match failure.reason_str() {
            Some("alert_open") => {
                let text = failure.details.get("alertText").and_then(Value::as_str).unwrap_or_default();
                Ok(Outcome::Dialog(text.to_owned()))
            }
            Some("window_gone") => Ok(Outcome::WindowClosed),
            _ => Err(failure),
        },
    }
}

async fn ask_verdict(page: &mut Page, context: &Context, armed: &Armed, await_click: bool) -> Result<Outcome, Failure> {
    let Some(document) = page.document(armed.key) else { return Ok(Outcome::Replaced(f64::MAX)) };
    if !page.enter(context, &document.hops).await? {
        page.top(context).await?;
        return Ok(Outcome::Replaced(f64::MAX));
    }
    let calls = Value::Array(vec![call("verdict", json!({"token": armed.token, "awaitClick": await_click}))]);
    let heard = page.line.ask_present(context, Ask::VerdictOrClock, &[document.token.into(), calls]).await;
    let back = page.top(context).await;
    let heard = heard?;
    back?;
    let Some(heard) = heard else { return Ok(Outcome::Replaced(f64::MAX)) };
    if let Heard::List(list) = &heard {
        return Ok(Outcome::Replaced(list.first().and_then(Value::as_f64).unwrap_or(f64::MAX)));
    }
    let (said,): (Said<Verdict>,) = heard.read()?;
    match said {
        Said::Ok(verdict) if verdict.known => Ok(Outcome::Verdict(verdict)),
        Said::Ok(_) => Ok(Outcome::Replaced(f64::MAX)),
        Said::Error(refusal) => {
            Err(Failure::new(Code::Internal, format!("the page agent failed: {}", refusal.message)))
        }
    }
}

/// Looks for windows that opened or closed, and follows.
async fn after(page: &mut Page, context: &Context, mut receipt: Receipt) -> Result<Receipt, Failure> {
    windows::follow(page, context, &mut receipt).await?;
    Ok(receipt)
}

fn intercepted(missed: Option<Missed>) -> Failure {
    match missed {
        Some(missed) if missed.changed => Failure::lost(
            Row::WebdriverPressTargetChanged,
            Code::ElementNotFound,
            format!("the element turned into {} just before the input: the page saw none of it", missed.desc),
        )
        .reason("target_changed")
        .detail("now", missed.desc)
        .hint("look again, then decide: agent-device snapshot -i")
        .retriable(),
        Some(missed) => Failure::lost(
            Row::WebdriverPressIntercepted,
            Code::ElementCovered,
            format!(
                "the element moved or was covered at the last moment: {} would have been hit, and was not",
                missed.desc
            ),
        )
        .reason("press_intercepted")
        .detail("hit", missed.desc)
        .hint("look again and retry: agent-device snapshot -i"),
        None => Failure::lost(
            Row::WebdriverPressIntercepted,
            Code::ElementCovered,
            "the page saw no press: something outside of it, such as an open native list, took it",
        )
        .reason("press_not_seen")
        .hint("take a screenshot to see what is in the way: agent-device screenshot"),
    }
}

/// The element left the page between the look and the input.
pub fn gone() -> Failure {
    Failure::refused(
        Row::DaemonRefusalTargetGone,
        Code::ElementNotFound,
        "the element left the page just before the input",
    )
    .reason("target_gone")
}
