//! The size of the viewport, by the size of the window around it.

use std::time::Duration;

use backend::Receipt;
use contract::Failure;
use observe::{BudgetFrom, End, Schedule, Verdict, observe_until};
use serde_json::{Value, json};
use tokio::sync::Mutex;
use wire::Context;

use crate::{page::Page, routes::Route};

/// How long a size of the viewport may take to come about, before the one that is there is reported.
const SIZE_BUDGET: Duration = Duration::from_millis(400);
/// Pause between two looks at it: a frame.
const SIZE_INTERVAL: Duration = Duration::from_millis(16);

/// Makes the viewport of a browser that has no page yet a size: no effect on an app.
///
/// # Errors
/// What the driver says.
pub async fn first(page: &mut Page, context: &Context, width: u32, height: u32) -> Result<Receipt, Failure> {
    resize(page, context, Route::FirstWindowRect, width, height).await
}

/// Makes the viewport a size, by the size of the window around it.
///
/// # Errors
/// What the driver says.
pub async fn set(page: &mut Page, context: &Context, width: u32, height: u32) -> Result<Receipt, Failure> {
    resize(page, context, Route::WindowRect, width, height).await
}

async fn resize(page: &mut Page, context: &Context, route: Route, width: u32, height: u32) -> Result<Receipt, Failure> {
    page.top(context).await?;
    let mut sizes = sizes(page, context).await?;
    let mut receipt = Receipt::default();
    // Window decorations are known only after the first try where the window was maximised.
    for _ in 0..2 {
        let [inner_width, inner_height, outer_width, outer_height] = sizes;
        if (inner_width, inner_height) == (i64::from(width), i64::from(height)) {
            return Ok(receipt);
        }
        let body = json!({
            "width": i64::from(width) + (outer_width - inner_width).max(0),
            "height": i64::from(height) + (outer_height - inner_height).max(0),
        });
        let _rect: Value = page.line.act(context, route, "", Some(body)).await?;
        sizes = settled(page, context, (i64::from(width), i64::from(height))).await?;
    }
    if (sizes[0], sizes[1]) != (i64::from(width), i64::from(height)) {
        receipt
            .warnings
            .push(format!("the browser made the viewport {}x{} instead of {width}x{height}", sizes[0], sizes[1]));
    }
    Ok(receipt)
}

/// The sizes once they are as wanted, or as they stay.
async fn settled(page: &mut Page, context: &Context, wanted: (i64, i64)) -> Result<[i64; 4], Failure> {
    let schedule = Schedule {
        interval: SIZE_INTERVAL,
        budget: SIZE_BUDGET,
        min_polls: 1,
        budget_from: BudgetFrom::Start,
        deadline: context.deadline,
    };
    let page = Mutex::new(page);
    let look = || async { sizes(&mut **page.lock().await, context).await };
    let mut last = None;
    let observed = observe_until(schedule, &context.cancel, look, |seen| {
        last = Some(seen);
        if (seen[0], seen[1]) == wanted { Verdict::Done(()) } else { Verdict::Continue }
    })
    .await;
    context.looks.note(&observed.polls);
    match (last, observed.end) {
        (Some(seen), _) => Ok(seen),
        (None, End::Unseen(failure) | End::Stopped(failure)) => Err(failure),
        (None, _) => sizes(page.into_inner(), context).await,
    }
}

/// Inner and outer width and height, px.
async fn sizes(page: &mut Page, context: &Context) -> Result<[i64; 4], Failure> {
    let script = "return [innerWidth, innerHeight, outerWidth, outerHeight].map(Math.round)";
    page.line.look(context, Route::Look, "", Some(json!({"script": script, "args": []}))).await
}
