//! JavaScript dialogs.

use backend::{Dialog, Receipt};
use contract::Failure;
use serde_json::{Value, json};
use wire::Context;

use crate::{page::Page, routes::Route};

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
