//! Where on its target an input lands, or why it must not be sent.

use backend::{Aim, Aimed, Landing};
use contract::{Code, Failure, Point, Rect, Row, Target, target::RefToken};
use screen::{Node, NodeKey, Role, States, describe, guard, guard::Purpose, selector};

use super::{
    described::Located,
    identity::{self, End},
    resolve,
};
use crate::{notes::timed, run::Run};

/// Finds a target and the point that reaches it, through every guard.
///
/// A ref is looked at live where the device can (one round trip, no capture). A selector is resolved on a capture,
/// then looked at live. What cannot be looked at live is judged by the capture.
///
/// # Errors
/// Every refusal, each under its row with `dispatched: no`.
pub async fn at(run: &mut Run<'_>, target: &Target, purpose: Purpose) -> Result<Located, Failure> {
    end(run, target, purpose, End::First).await
}

/// The same for a command that has two targets.
///
/// # Errors
/// As [`at`].
pub async fn end(run: &mut Run<'_>, target: &Target, purpose: Purpose, end: End) -> Result<Located, Failure> {
    if !matches!(target, Target::Selector { .. }) {
        run.look_to_note().await;
    }
    let (located, began) = timed(find(run, target, purpose, end)).await;
    let located = located?;
    run.note_aim(target, &located, began);
    Ok(located)
}

async fn find(run: &mut Run<'_>, target: &Target, purpose: Purpose, end: End) -> Result<Located, Failure> {
    match target {
        Target::Point { x, y } => {
            if identity::expected(run, end).is_some() {
                let found = resolve::on_capture(run, target).await?;
                identity::as_recorded(run, target, &found, end)?;
            }
            at_point(run, Point { x: *x, y: *y }).await
        }
        Target::Ref { reference } => {
            let token = resolve::token(reference)?;
            let shown = run.session.refs.lookup(token)?;
            // One of several equal controls: only a capture shows whether it still belongs to the same row.
            // What it was when it was recorded is judged on a capture as well.
            let by_key = shown.within.is_none() && identity::expected(run, end).is_none();
            if let Some(key) = shown.key.filter(|_| by_key)
                && let Some(aimed) = look(run, key).await?
            {
                return by_live_look(run, token, &shown, key, aimed, purpose).await;
            }
            let found = resolve::on_capture(run, target).await?;
            identity::as_recorded(run, target, &found, end)?;
            on(run, found, purpose).await
        }
        Target::Selector { selector } => {
            let found = resolve::when_ready(run, selector, purpose).await?;
            identity::as_recorded(run, target, &found, end)?;
            on(run, found, purpose).await
        }
    }
}

/// The point that reaches an element found on a capture.
///
/// # Errors
/// Every refusal, each under its row with `dispatched: no`.
pub async fn on(run: &mut Run<'_>, found: resolve::Found, purpose: Purpose) -> Result<Located, Failure> {
    let resolve::Found { tree, place, changed, waited } = found;
    let node = tree.get(place).ok_or_else(|| Failure::new(Code::Internal, "a place outside its own capture"))?;
    let what = describe::describe(node);
    let located = |point| Located {
        point,
        node: node.key,
        place: Some(place),
        what: Some(what.clone()),
        selector_chain: Some(selector::selector_chain(&tree, place)),
        changed: changed.clone(),
        waited,
    };
    let aimed = match node.key {
        Some(key) => look(run, key).await?,
        None => None,
    };
    match aimed {
        None => guard::aim(&tree, place, purpose).map(located),
        Some(Aimed::Ready(landing)) if turned(node, &landing) => {
            let now = describe::named(landing.role.as_str(), &landing.name);
            Err(Failure::refused(
                Row::DaemonRefusalTargetChanged,
                Code::ElementNotFound,
                format!("{what} turned into {now} between the look and the press"),
            )
            .reason("target_changed")
            .detail("was", what)
            .detail("now", now)
            .retriable())
        }
        Some(Aimed::Ready(landing)) => {
            usable(&what, &landing.role, landing.states, purpose, || guard::aim(&tree, place, purpose).err())?;
            Ok(located(landing.point))
        }
        Some(aimed) => Err(explained(run, refusal(&what, aimed, run), node.key, purpose).await),
    }
}

/// Whether the element is something else than it was on the capture. A bare text is no element of its own: what a live
/// look describes is the element that holds it.
fn turned(node: &Node, landing: &Landing) -> bool {
    node.role.as_str() != "text" && (landing.role != node.role || *landing.name != *node.name)
}

/// The refusal of a live look with the better words of the guards, where a new capture comes to the same refusal: it
/// knows the dialog's own buttons, the way to scroll, the keyboard.
async fn explained(run: &mut Run<'_>, refusal: Failure, key: Option<NodeKey>, purpose: Purpose) -> Failure {
    let Ok(tree) = run.capture().await else { return refusal };
    let place = key.and_then(|key| tree.place_of(key));
    let by_capture = place.and_then(|place| guard::aim(&tree, place, purpose).err());
    by_capture.filter(|same| same.code == refusal.code).unwrap_or(refusal)
}

async fn look(run: &mut Run<'_>, key: NodeKey) -> Result<Option<Aimed>, Failure> {
    run.context.check()?;
    run.session.device.aim(&run.context, key).await
}

/// A bare point: it must lie in the viewport, which a capture tells if none has been taken yet, or if the point lies
/// outside of the one that was seen last: the screen may have been turned since.
async fn at_point(run: &mut Run<'_>, point: Point) -> Result<Located, Failure> {
    let known = run.session.viewport.is_some_and(|viewport| guard::point_inside(viewport, point).is_ok());
    if !known {
        guard::point_inside(run.capture().await?.viewport, point)?;
    }
    Ok(Located { point, node: None, place: None, what: None, selector_chain: None, changed: None, waited: None })
}

async fn by_live_look(
    run: &mut Run<'_>,
    token: RefToken,
    shown: &screen::Shown,
    key: NodeKey,
    aimed: Aimed,
    purpose: Purpose,
) -> Result<Located, Failure> {
    let what = format!("[{}] {:?}", shown.role, shown.name);
    match aimed {
        Aimed::Ready(landing) if landing.role == shown.role && *landing.name == *shown.name => {
            usable(&what, &landing.role, landing.states, purpose, || None)?;
            Ok(Located {
                point: landing.point,
                node: Some(key),
                place: None,
                what: Some(what),
                selector_chain: None,
                changed: None,
                waited: None,
            })
        }
        // Gone, or no longer what was shown: the ref book decides on a capture, with both generations in its answer.
        Aimed::Ready(_) | Aimed::Gone => {
            let found = resolve::on_capture(run, &Target::Ref { reference: token.to_string() }).await?;
            on(run, found, purpose).await
        }
        aimed => Err(explained(run, refusal(&what, aimed, run), Some(key), purpose).await),
    }
}

/// What the element's state allows. `by_capture` is asked for the better answer, where there is a capture.
fn usable(
    what: &str,
    role: &Role,
    states: States,
    purpose: Purpose,
    by_capture: impl FnOnce() -> Option<Failure>,
) -> Result<(), Failure> {
    if purpose == Purpose::Hover || purpose == Purpose::Longpress {
        return Ok(());
    }
    if states.contains(States::DISABLED) {
        return Err(Failure::refused(Row::DaemonRefusalDisabled, Code::ElementDisabled, format!("{what} is disabled"))
            .reason("disabled")
            .detail("element", what));
    }
    let takes_a_value = states.contains(States::EDITABLE) || takes_choice(role);
    if purpose == Purpose::Fill && !takes_a_value {
        let plain = || {
            Failure::refused(Row::DaemonRefusalNotEditable, Code::ElementNotEditable, format!("{what} takes no text"))
                .reason("not_editable")
                .detail("element", what)
        };
        return Err(by_capture().filter(|failure| failure.code == Code::ElementNotEditable).unwrap_or_else(plain));
    }
    Ok(())
}

fn refusal(what: &str, aimed: Aimed, run: &Run<'_>) -> Failure {
    let refused = |row, code, message: String, reason| {
        Failure::refused(row, code, message).reason(reason).detail("element", what)
    };
    match aimed {
        Aimed::Ready(_) | Aimed::Gone => refused(
            Row::DaemonRefusalTargetGone,
            Code::ElementNotFound,
            format!("{what} left the screen between the look and the press"),
            "target_gone",
        )
        .retriable(),
        Aimed::NotRendered => {
            refused(Row::DaemonRefusalNoSize, Code::ElementNotFound, format!("{what} is not drawn"), "not_rendered")
        }
        Aimed::NoSize => {
            refused(Row::DaemonRefusalNoSize, Code::ElementNotFound, format!("{what} has no area to press"), "no_size")
        }
        Aimed::Inert => refused(
            Row::DaemonRefusalCovered,
            Code::ElementCovered,
            format!("{what} takes no input: it is inert, or lies behind a modal dialog"),
            "inert",
        ),
        Aimed::Offscreen { rect } => refused(
            Row::DaemonRefusalOffscreen,
            Code::ElementOffscreen,
            format!("{what} lies {} and cannot be brought into view", place_in_words(rect, run)),
            "offscreen",
        )
        .detail("rect", serde_json::to_value(rect).unwrap_or_default()),
        Aimed::Covered { by, .. } => {
            refused(Row::DaemonRefusalCovered, Code::ElementCovered, format!("{what} is covered by {by}"), "covered")
                .detail("coveredBy", by)
        }
    }
}

fn place_in_words(rect: Rect, run: &Run<'_>) -> String {
    let size = run
        .session
        .viewport
        .map(|size| format!(" of the viewport of {} x {}", size.width, size.height))
        .unwrap_or_default();
    format!("at ({}, {}), outside{size}", rect.x, rect.y)
}

impl Located {
    /// As the input's aim.
    pub const fn aim(&self) -> Aim {
        Aim { point: self.point, node: self.node }
    }
}

/// Roles that `fill` sets by choosing or sliding instead of typing.
fn takes_choice(role: &Role) -> bool {
    ["combobox", "listbox", "slider", "number-field"].contains(&role.as_str())
}

/// The editable element at a point: the one drawn last there.
///
/// # Errors
/// `ELEMENT_NOT_EDITABLE` where there is none.
pub async fn on_editable_at(run: &mut Run<'_>, target: &Target) -> Result<Located, Failure> {
    let Some(point) = target.point() else { return at(run, target, Purpose::Fill).await };
    let tree = run.capture().await?;
    guard::point_inside(tree.viewport, point)?;
    let at_point = tree.iter().filter(|(_, node)| node.is(States::VISIBLE) && node.rect.contains(point));
    let field = at_point.filter(|(_, node)| node.is(States::EDITABLE) || takes_choice(&node.role)).last();
    let Some((place, _)) = field else {
        return Err(Failure::refused(
            Row::DaemonRefusalNotEditable,
            Code::ElementNotEditable,
            format!("no field lies at {point}"),
        )
        .reason("not_editable"));
    };
    let found = resolve::Found { tree: tree.clone(), place, changed: None, waited: None };
    identity::as_recorded(run, target, &found, End::First)?;
    let (located, began) = timed(on(run, found, Purpose::Fill)).await;
    let located = located?;
    run.note_aim(target, &located, began);
    Ok(located)
}
