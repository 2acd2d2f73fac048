//! Moving scroll containers.
//!
//! The page agent sets the offset of the container that is meant: it moves exactly as far as asked, says how far it
//! moved and what is left, and cannot scroll something else that lies under the pointer, as a wheel would. The page
//! gets its `scroll` events; `wheel` events it does not get.

use backend::{Receipt, ScrollTo};
use contract::Failure;
use screen::NodeKey;
use serde::Deserialize;
use serde_json::{Value, json};
use wire::Context;

use super::{dialog, press::gone};
use crate::{
    agent::{Ask, Said, call},
    line::Altered,
    page::Page,
};

#[derive(Debug, Deserialize)]
struct Scrolled {
    before: [f64; 2],
    after: [f64; 2],
    max: [f64; 2],
}

#[derive(Debug, Deserialize)]
struct Target {
    rect: [f64; 4],
}

/// Scrolls, in the frame that the container is in.
///
/// # Errors
/// `daemon.refusal.target-gone`, and what the driver says.
pub async fn scroll(
    page: &mut Page,
    context: &Context,
    within: Option<NodeKey>,
    to: ScrollTo,
) -> Result<Receipt, Failure> {
    let (hops, token) = match within {
        Some(key) => {
            let document = page.document(key).ok_or_else(gone)?;
            (document.hops, document.token)
        }
        None => (Vec::new(), String::new()),
    };
    let id = within.map_or(0, |key| key.id);
    // The page agent puts its guard away when it scrolls.
    page.armed = None;
    if !page.enter(context, &hops).await? {
        page.top(context).await?;
        return Err(gone());
    }
    let scrolled = scroll_here(page, context, id, &token, to).await;
    let back = page.top(context).await;
    let receipt = scrolled?;
    back?;
    Ok(receipt)
}

async fn scroll_here(
    page: &mut Page,
    context: &Context,
    id: u64,
    token: &str,
    to: ScrollTo,
) -> Result<Receipt, Failure> {
    let args = match to {
        ScrollTo::Top => json!({"id": id, "to": "top"}),
        ScrollTo::Bottom => json!({"id": id, "to": "bottom"}),
        ScrollTo::Pixels { x, y } => json!({"id": id, "dx": x, "dy": y}),
        ScrollTo::Share { x, y } => {
            // A scroll by nothing says how large the container is; it also installs the agent where it is not yet.
            let heard = page.call_here(context, "scroll", json!({"id": id, "dx": 0, "dy": 0})).await?;
            let (said,): (Said<Target>,) = heard.read()?;
            let Said::Ok(Target { rect }) = said else { return Err(gone()) };
            json!({"id": id, "dx": rect[2] * x, "dy": rect[3] * y})
        }
    };
    if !matches!(to, ScrollTo::Share { .. }) && token.is_empty() {
        page.call_here(context, "mutations", json!({})).await?;
    }
    let calls = Value::Array(vec![call("scroll", args)]);
    let altered = page.line.alter(context, Ask::Calls, &[token.into(), calls], |_: &Scrolled| None).await;
    let altered = match altered {
        Ok(altered) => altered,
        Err(failure) => return Err(dialog::explained(page, context, failure).await),
    };
    let Altered { said, .. } = altered.ok_or_else(gone)?;
    let moved = (said.after[0] - said.before[0], said.after[1] - said.before[1]);
    Ok(Receipt { moved: Some(moved), more: Some(more(&said, to)), ..Receipt::default() })
}

/// Whether anything is left in the direction asked for.
fn more(scrolled: &Scrolled, to: ScrollTo) -> bool {
    let [x, y] = scrolled.after;
    let [max_x, max_y] = scrolled.max;
    // Right-to-left pages count from 0 down.
    let rest = |offset: f64, max: f64, direction: f64| {
        let (low, high) = if offset < 0.0 { (-max, 0.0) } else { (0.0, max) };
        if direction > 0.0 { high - offset > 1.0 } else { direction < 0.0 && offset - low > 1.0 }
    };
    match to {
        ScrollTo::Top => y > 1.0,
        ScrollTo::Bottom => max_y - y > 1.0,
        ScrollTo::Share { x: dx, y: dy } | ScrollTo::Pixels { x: dx, y: dy } => {
            rest(x, max_x, dx) || rest(y, max_y, dy)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_depends_on_the_direction() {
        let at = |after, max| Scrolled { before: [0.0, 0.0], after, max };
        let down = ScrollTo::Pixels { x: 0.0, y: 10.0 };
        let up = ScrollTo::Share { x: 0.0, y: -0.5 };
        assert!(more(&at([0.0, 100.0], [0.0, 500.0]), down));
        assert!(!more(&at([0.0, 499.5], [0.0, 500.0]), down));
        assert!(more(&at([0.0, 499.5], [0.0, 500.0]), up));
        assert!(!more(&at([0.0, 0.0], [0.0, 500.0]), up));
        let left = ScrollTo::Pixels { x: -10.0, y: 0.0 };
        assert!(more(&at([-100.0, 0.0], [300.0, 0.0]), left));
        assert!(!more(&at([-300.0, 0.0], [300.0, 0.0]), left));
    }
}
