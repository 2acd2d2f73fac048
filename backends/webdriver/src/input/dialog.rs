//! JavaScript dialogs.

use backend::{Dialog, Receipt};
use contract::{Code, Failure, Row};
use serde_json::{Value, json};
use wire::Context;

use crate::{line::INTERRUPTED, page::Page, routes::Route};

/// The dialog that is open. The protocol tells its text, not its kind.
///
/// # Errors
/// What the driver says.
pub async fn get(page: &mut Page, context: &Context) -> Result<Option<Dialog>, Failure> {
    match page.line.look::<Option<String>>(context, Route::AlertText, "", None).await {
        Ok(text) => Ok(Some(Dialog { kind: "javascript".into(), text: text.unwrap_or_default(), buttons: Vec::new() })),
        Err(failure) if failure.reason_str() == Some("alert_not_found") => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Where a script that changes the page gave no answer: the dialog that interrupted it is what is told. It stays open
/// that nobody knows how far the script got.
pub async fn explained(page: &mut Page, context: &Context, failure: Failure) -> Failure {
    if failure.reason_str() != Some(INTERRUPTED) {
        return failure;
    }
    let Ok(Some(dialog)) = get(page, context).await else { return failure };
    Failure::lost(
        Row::WebdriverInputInterrupted,
        Code::AlertOpen,
        format!("the page opened a dialog half-way through the input: {:?}", dialog.text),
    )
    .reason("alert_open")
    .detail("alertText", dialog.text)
    .hint("answer it, then look: agent-device alert accept (or dismiss)")
}

/// Confirms or cancels it, entering text first where some is given.
///
/// # Errors
/// `ALERT_NOT_FOUND` where none is open, and what the driver says.
pub async fn answer(page: &mut Page, context: &Context, accept: bool, text: Option<&str>) -> Result<Receipt, Failure> {
    if let Some(text) = text {
        let _null: Value = page.line.act(context, Route::AlertType, "", Some(json!({"text": text}))).await?;
    }
    let route = if accept { Route::AlertAccept } else { Route::AlertDismiss };
    let _null: Value = page.line.act(context, route, "", Some(json!({}))).await?;
    Ok(Receipt::default())
}
