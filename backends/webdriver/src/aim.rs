//! Where a press reaches an element, found by looking at the page as it is now.

use std::time::Duration;

use backend::{Aimed, Landing};
use contract::{Failure, Point, Rect};
use observe::{BudgetFrom, End, Schedule, Verdict, observe_until};
use screen::{NodeKey, Role, States};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{sync::Mutex, time::Instant};
use wire::Context;

use crate::{
    agent::{Ask, Said, call},
    capture::decode::states,
    page::{Armed, Document, Hop, Page},
    reply::Heard,
    routes::Route,
};

/// How long an element that an animation moves is given to come to rest. What moves on is pressed where it is then.
const REST: Duration = Duration::from_millis(600);
/// Pause between two looks at something that moves.
const REST_INTERVAL: Duration = Duration::from_millis(40);
/// How long a guard stands ready, ms. It swallows presses that would hit something else, so not for long.
pub const GUARD_MS: u64 = 2000;

/// Resolves when the page has been drawn as it is now. Input for a frame of another origin goes where the frame was
/// last drawn, not where it was scrolled to since. A page in the background is not drawn: then it ends by itself.
const NEXT_FRAME: &str = "return new Promise((done) => { setTimeout(done, 200, null);\
 requestAnimationFrame(() => requestAnimationFrame(() => done(null))); })";

#[derive(Debug, Deserialize)]
struct Seen {
    status: String,
    #[serde(default)]
    x: f64,
    #[serde(default)]
    y: f64,
    #[serde(default)]
    rect: [f64; 4],
    #[serde(default)]
    viewport: [f64; 2],
    #[serde(default)]
    role: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    flags: u32,
    #[serde(default)]
    cover: Option<Covering>,
    #[serde(default)]
    scrolled: bool,
    #[serde(default)]
    moving: bool,
    #[serde(default)]
    popup: bool,
}

#[derive(Debug, Deserialize)]
struct Covering {
    id: u64,
    #[serde(default)]
    desc: String,
}

/// Looks at one element of an earlier capture, brings it into view and leaves the guard ready at the point found.
///
/// # Errors
/// What the driver says: a dialog that is open, a window that is gone.
pub async fn aim(page: &mut Page, context: &Context, key: NodeKey) -> Result<Aimed, Failure> {
    // Arming takes the place of a guard of the same document; one of another would stay behind.
    if page.armed.as_ref().is_some_and(|armed| armed.key.scope != key.scope) {
        stand_down(page, context).await?;
    }
    let schedule = Schedule {
        interval: REST_INTERVAL,
        budget: REST,
        min_polls: 1,
        budget_from: BudgetFrom::FirstLook,
        deadline: context.deadline,
    };
    let mut last = None;
    let page = Mutex::new(page);
    let look = || async { look(&mut **page.lock().await, context, key).await };
    let observed = observe_until(schedule, &context.cancel, look, |(aimed, moving)| {
        if moving && matches!(aimed, Aimed::Ready(_)) {
            last = Some(aimed);
            Verdict::Continue
        } else {
            Verdict::Done(aimed)
        }
    })
    .await;
    context.looks.note(&observed.polls);
    match (observed.end, last) {
        (End::Done(aimed), _) | (End::Expired | End::Stalled, Some(aimed)) => Ok(aimed),
        (End::Unseen(failure) | End::Stopped(failure), _) => Err(failure),
        (End::Expired | End::Stalled | End::Cancelled, _) => {
            context.check()?;
            Ok(Aimed::Gone)
        }
    }
}

/// One look. The second answer: an animation moves the element.
async fn look(page: &mut Page, context: &Context, key: NodeKey) -> Result<(Aimed, bool), Failure> {
    let Some(document) = page.document(key) else { return Ok((Aimed::Gone, false)) };
    let found = look_in(page, context, key, &document).await;
    let back = page.top(context).await;
    let found = found?;
    back?;
    Ok(found)
}

async fn look_in(
    page: &mut Page,
    context: &Context,
    key: NodeKey,
    document: &Document,
) -> Result<(Aimed, bool), Failure> {
    if !page.enter(context, &document.hops).await? {
        return Ok((Aimed::Gone, false));
    }
    let token = page.new_token();
    let guard = json!({"id": key.id, "token": token, "kind": "pointer", "ttlMs": GUARD_MS});
    let arguments = [document.token.clone().into(), json!({"id": key.id, "scroll": true}), guard];
    let asked_at = Instant::now();
    let Some(heard) = page.line.ask_present(context, Ask::AimAndArm, &arguments).await? else {
        return Ok((Aimed::Gone, false));
    };
    let answers: Vec<Value> = heard.read()?;
    let Some(Ok(Said::Ok(seen))) = answers.first().map(Said::<Seen>::deserialize) else {
        return Ok((Aimed::Gone, false));
    };
    let mut point = Point { x: seen.x, y: seen.y };
    let mut rect = Rect::new(seen.rect[0], seen.rect[1], seen.rect[2], seen.rect[3]);
    if seen.status != "ok" {
        // The script has put away what guard there was.
        page.armed = None;
        return Ok((refused(&seen, key, rect), false));
    }
    let mut scrolled = seen.scrolled && !document.hops.is_empty();
    let role = Role::from_aria(&seen.role, states(seen.flags).contains(States::MULTILINE));
    page.armed = Some(Armed {
        key,
        token,
        at: asked_at,
        page_clock: answers.get(2).and_then(Value::as_f64).unwrap_or(0.0),
        in_frame: (!document.hops.is_empty()).then_some(Point { x: seen.x, y: seen.y }),
        moving: seen.moving && document.hops.is_empty(),
        popup: seen.popup,
        is_frame: role.as_str() == "iframe",
    });
    if let Some(refused) = lift(page, context, &document.hops, &mut point, &mut rect, &mut scrolled).await? {
        stand_down(page, context).await?;
        return Ok((refused, false));
    }
    if scrolled {
        page.line.look::<Value>(context, Route::Look, "", Some(json!({"script": NEXT_FRAME, "args": []}))).await?;
    }
    let landing = Landing { point, role, name: seen.name, states: states(seen.flags), rect };
    Ok((Aimed::Ready(landing), seen.moving))
}

fn refused(seen: &Seen, key: NodeKey, rect: Rect) -> Aimed {
    match seen.status.as_str() {
        "not_rendered" => Aimed::NotRendered,
        "zero_size" => Aimed::NoSize,
        "inert" => Aimed::Inert,
        "offscreen" => Aimed::Offscreen { rect },
        "covered" => covered(seen.cover.as_ref(), key),
        _ => Aimed::Gone,
    }
}

fn covered(cover: Option<&Covering>, key: NodeKey) -> Aimed {
    Aimed::Covered {
        by: cover.map_or_else(|| "something else".to_owned(), |cover| cover.desc.clone()),
        key: cover.filter(|cover| cover.id != 0).map(|cover| NodeKey { scope: key.scope, id: cover.id }),
    }
}

/// Carries a point from inside frames of other origins to the top viewport, one frame at a time, bringing each
/// frame into view; refuses where something outside lies over it.
async fn lift(
    page: &mut Page,
    context: &Context,
    hops: &[Hop],
    point: &mut Point,
    rect: &mut Rect,
    scrolled: &mut bool,
) -> Result<Option<Aimed>, Failure> {
    for (depth, hop) in hops.iter().enumerate().rev() {
        page.leave(context, hop.levels, hops.get(..depth).unwrap_or_default()).await?;
        let offset = (hop.inset.0 + point.x * hop.scale.0, hop.inset.1 + point.y * hop.scale.1);
        let mut seen = at_offset(page, context, hop, offset).await?;
        // Twice: a scroll whose answer is lost is sent again, and then goes too far.
        for _ in 0..2 {
            let Some(off) = seen.as_ref().filter(|seen| seen.status == "offscreen") else { break };
            // A frame larger than the viewport: no alignment of the whole shows the point, so it is scrolled to.
            let dx = off.rect[0] + offset.0 - off.viewport[0] / 2.0;
            let dy = off.rect[1] + offset.1 - off.viewport[1] / 2.0;
            let args = Value::Array(vec![call("scroll", json!({"id": 0, "dx": dx, "dy": dy}))]);
            page.line.ask_present(context, Ask::Calls, &[hop.parent.clone().into(), args]).await?;
            seen = at_offset(page, context, hop, offset).await?;
            *scrolled = true;
        }
        let Some(seen) = seen else { return Ok(Some(Aimed::Gone)) };
        let frame = Rect::new(seen.rect[0], seen.rect[1], seen.rect[2], seen.rect[3]);
        let key = NodeKey { scope: crate::page::scope_of(&hop.parent), id: hop.id };
        if seen.status != "ok" {
            return Ok(Some(refused(&seen, key, frame)));
        }
        *scrolled |= seen.scrolled;
        *point = Point { x: frame.x + offset.0, y: frame.y + offset.1 };
        *rect = Rect::new(
            frame.x + hop.inset.0 + rect.x * hop.scale.0,
            frame.y + hop.inset.1 + rect.y * hop.scale.1,
            rect.width * hop.scale.0,
            rect.height * hop.scale.1,
        );
    }
    Ok(None)
}

async fn at_offset(page: &mut Page, context: &Context, hop: &Hop, offset: (f64, f64)) -> Result<Option<Seen>, Failure> {
    let args = Value::Array(vec![call("aim", json!({"id": hop.id, "scroll": true, "point": [offset.0, offset.1]}))]);
    let heard = page.line.ask_present(context, Ask::Calls, &[hop.parent.clone().into(), args]).await?;
    let Some(heard) = heard else { return Ok(None) };
    let (said,): (Said<Seen>,) = heard.read()?;
    Ok(match said {
        Said::Ok(seen) => Some(seen),
        Said::Error(_) => None,
    })
}

/// Makes sure that no guard stands ready any more, in the frame of the last one and at the top: the first look of an
/// input that is no press of an element. Finds out, before anything is sent, about a dialog that is open or a window
/// that is gone.
///
/// # Errors
/// What the driver says.
pub async fn stand_down(page: &mut Page, context: &Context) -> Result<(), Failure> {
    page.top(context).await?;
    let document = page.armed.take().and_then(|armed| page.document(armed.key));
    if let Some(document) = document.filter(|document| !document.hops.is_empty()) {
        if page.enter(context, &document.hops).await? {
            disarm(page, context).await?;
        }
        page.top(context).await?;
    }
    disarm(page, context).await
}

/// The same in the document that commands run in.
async fn disarm(page: &mut Page, context: &Context) -> Result<(), Failure> {
    let calls = Value::Array(vec![call("standDown", json!({}))]);
    let _done: Option<Heard> = page.line.ask_present(context, Ask::Calls, &["".into(), calls]).await?;
    Ok(())
}
