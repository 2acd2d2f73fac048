//! Tabs and windows.
//!
//! Chromium's driver answers nothing for a window that has not shown a page yet, and blocks the whole session until the
//! page load limit: a link to a blocked address opens such a window. So Chromium itself is asked what its windows show,
//! and commands never go to one without a page.

use std::time::Duration;

use backend::{Receipt, Window};
use contract::{Code, Failure, Row, command::Browser};
use observe::{BudgetFrom, End, Schedule, Verdict, observe_until};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use wire::Context;

use crate::{page::Page, routes::Route};

/// After an input: notices windows that opened or closed; commands go to the newest one, and the receipt says so.
///
/// # Errors
/// What the driver says.
pub async fn follow(page: &mut Page, context: &Context, receipt: &mut Receipt) -> Result<(), Failure> {
    let now: Vec<String> = page.line.look(context, Route::Windows, "", None).await?;
    let opened = now.iter().rfind(|id| !page.windows.contains(id)).cloned();
    let closed = !now.contains(&page.window);
    page.windows = now;
    let Some(next) = opened.clone().or_else(|| closed.then(|| page.windows.last().cloned()).flatten()) else {
        return Ok(());
    };
    if !closed && !shows_a_page(page, context, &next).await? {
        receipt
            .warnings
            .push("a new window opened and shows no page yet: switch to it when it does (agent-device windows)".into());
        return Ok(());
    }
    switch(page, context, &next).await?;
    if closed {
        receipt.warnings.push("its window closed: commands go to another one now".into());
    }
    if opened.is_some() {
        receipt.warnings.push("a new window opened: commands go to it now (agent-device windows lists all)".into());
        receipt.opened =
            Some(format!("window {}", page.windows.iter().position(|id| *id == next).map_or(0, |place| place + 1)));
    }
    Ok(())
}

/// How long a new window may take until its navigation has an address, before it counts as showing no page.
const FIRST_PAGE: Duration = Duration::from_millis(1_500);
/// Pause between two looks at it.
const FIRST_PAGE_INTERVAL: Duration = Duration::from_millis(30);

/// What Chromium says of one of its windows.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    target_id: String,
    #[serde(rename = "type")]
    kind: String,
    title: String,
    url: String,
}

/// What Chromium's windows show, without a word to any of them; `None` for other browsers.
async fn shown(page: &mut Page, context: &Context) -> Result<Option<Vec<Shown>>, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Targets {
        target_infos: Vec<Shown>,
    }
    if page.browser != Browser::Chrome {
        return Ok(None);
    }
    let body = json!({"cmd": "Target.getTargets", "params": {}});
    let targets: Targets = page.line.look(context, Route::CdpLook, "", Some(body)).await?;
    Ok(Some(targets.target_infos.into_iter().filter(|target| target.kind == "page").collect()))
}

/// The window of a driver's id: older drivers put a word before Chromium's own.
fn of<'a>(shown: &'a [Shown], id: &str) -> Option<&'a Shown> {
    shown.iter().find(|window| id.ends_with(window.target_id.as_str()))
}

/// Whether a window has a page, or comes to have one soon.
async fn shows_a_page(page: &mut Page, context: &Context, id: &str) -> Result<bool, Failure> {
    let schedule = Schedule {
        interval: FIRST_PAGE_INTERVAL,
        budget: FIRST_PAGE,
        min_polls: 1,
        budget_from: BudgetFrom::Start,
        deadline: context.deadline,
    };
    let page = Mutex::new(page);
    let look = || async { shown(&mut **page.lock().await, context).await };
    let observed = observe_until(schedule, &context.cancel, look, |windows| match windows {
        Some(windows) if of(&windows, id).is_some_and(|window| window.url.is_empty()) => Verdict::Continue,
        _ => Verdict::Done(()),
    })
    .await;
    context.looks.note(&observed.polls);
    match observed.end {
        End::Done(()) => Ok(true),
        End::Unseen(failure) | End::Stopped(failure) => Err(failure),
        End::Expired | End::Stalled | End::Cancelled => Ok(false),
    }
}

/// Makes a window the one that commands go to, as a caller asked for it.
///
/// # Errors
/// Refused where it shows no page; what the driver says, such as that there is no such window.
pub async fn switch_to(page: &mut Page, context: &Context, id: &str) -> Result<(), Failure> {
    if id != page.window && !shows_a_page(page, context, id).await? {
        return Err(Failure::refused(
            Row::WebdriverWindowWithoutPage,
            Code::CommandFailed,
            "that window shows no page: its address was blocked, or has not answered yet",
        )
        .reason("window_without_page")
        .hint("try again later, or close it: agent-device windows --close N"));
    }
    switch(page, context, id).await
}

/// Makes a window the one that commands go to.
///
/// # Errors
/// What the driver says, such as that there is no such window.
pub async fn switch(page: &mut Page, context: &Context, id: &str) -> Result<(), Failure> {
    let _null: Value = page.line.look(context, Route::SwitchWindow, "", Some(json!({"handle": id}))).await?;
    page.window = id.to_owned();
    page.left_documents();
    Ok(())
}

/// Where the window that commands went to is gone by itself: goes to one that is left. `false`: none is left.
///
/// # Errors
/// What the driver says.
pub async fn recover(page: &mut Page, context: &Context) -> Result<bool, Failure> {
    let now: Vec<String> = page.line.look(context, Route::Windows, "", None).await?;
    page.windows = now;
    match page.windows.last().cloned() {
        Some(next) => switch(page, context, &next).await.map(|()| true),
        None => Ok(false),
    }
}

/// All windows, with title and address.
///
/// # Errors
/// What the driver says.
pub async fn list(page: &mut Page, context: &Context) -> Result<Vec<Window>, Failure> {
    let ids: Vec<String> = page.line.look(context, Route::Windows, "", None).await?;
    let active = page.window.clone();
    if let Some(shown) = shown(page, context).await? {
        let window = |id: &String| {
            let (title, address) = of(&shown, id).map(|of| (of.title.clone(), of.url.clone())).unwrap_or_default();
            Window { id: id.clone(), title, address, active: *id == active }
        };
        let windows = ids.iter().map(window).collect();
        page.windows = ids;
        return Ok(windows);
    }
    let mut windows = Vec::with_capacity(ids.len());
    let mut current = active.clone();
    for id in &ids {
        if *id != current {
            let _null: Value = page.line.look(context, Route::SwitchWindow, "", Some(json!({"handle": id}))).await?;
            current.clone_from(id);
        }
        // A window with a dialog or a crashed page says neither; it is listed all the same.
        let title = page.line.look(context, Route::Title, "", None).await.unwrap_or_default();
        let address = page.line.look(context, Route::Address, "", None).await.unwrap_or_default();
        windows.push(Window { id: id.clone(), title, address, active: *id == active });
    }
    if current != active && ids.contains(&active) {
        let _null: Value = page.line.look(context, Route::SwitchWindow, "", Some(json!({"handle": active}))).await?;
    }
    page.windows = ids;
    Ok(windows)
}

/// Closes a window; commands go on to one that is left.
///
/// # Errors
/// `webdriver.window-gone` where there is none of that id, and what the driver says.
pub async fn close(page: &mut Page, context: &Context, id: &str) -> Result<Receipt, Failure> {
    let before: Vec<String> = page.line.look(context, Route::Windows, "", None).await?;
    if before.len() == 1 && before.first().is_some_and(|only| only == id) {
        return Err(Failure::refused(
            Row::WebdriverLastWindow,
            Code::InvalidArgs,
            "this is the session's last window: closing it would end the browser",
        )
        .reason("last_window")
        .hint("end the session instead: agent-device close"));
    }
    let was = page.window.clone();
    // Switching to it proves that it is there, before anything is sent to it.
    switch(page, context, id).await?;
    let left: Vec<String> = page.line.act(context, Route::CloseWindow, "", None).await?;
    page.windows = left;
    let next = Some(was).filter(|was| page.windows.contains(was)).or_else(|| page.windows.last().cloned());
    if let Some(next) = next {
        switch(page, context, &next).await?;
    }
    Ok(Receipt::default())
}
