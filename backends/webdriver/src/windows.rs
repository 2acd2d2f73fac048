//! Tabs and windows.

use backend::{Receipt, Window};
use contract::{Failure, Row};
use serde_json::{Value, json};
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
    switch(page, context, &next).await?;
    if closed {
        receipt.warnings.push("its window closed: commands go to another one now".into());
    }
    if opened.is_some() {
        receipt.warnings.push("a new window opened: commands go to it now (agent-device windows lists all)".into());
        receipt.opened = Some(next);
    }
    Ok(())
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
            contract::Code::InvalidArgs,
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
