//! Text into fields: through the field's own accessibility action, or the helper's input method.

use backend::{Aim, Receipt, TouchPlan};
use contract::{Code, Failure, Row};
use serde_json::{Value, json};
use wire::Context;

use super::{by_keys, judged, press};
use crate::{
    device::AndroidDevice,
    helper::{
        features::Features,
        fields::Fields,
        request::{Action, Ask},
    },
};

/// Replaces a field's content.
///
/// # Errors
/// Refused where the field has gone; unknown where it does not take the text.
pub async fn fill(
    device: &AndroidDevice,
    context: &Context,
    aim: Aim,
    text: &str,
    delay_ms: u64,
) -> Result<Receipt, Failure> {
    let features = device.helper().ready(context).await?;
    let node = aim.node.and_then(|node| device.spelled(node));
    if !features.contains(Features::TEXT) {
        by_keys::printable(text)?;
        let pressed = tap(device, context, aim).await?;
        return Ok(pressed.and(by_keys::replace(device, context, aim.node, text).await?));
    }
    if let Some(key) = aim.node.filter(|_| node.is_some()) {
        // The field is named to the helper, which would fill it behind a dialog as well.
        let before = device.seen().and_then(|seen| seen.described(key));
        judged::still_free(&*device.current(context).await?, before, key)?;
    }
    let pressed = match node {
        // Without a name for the field it has to have the focus first.
        None => tap(device, context, aim).await?,
        Some(_) => Receipt::default(),
    };
    let node = node.as_deref();
    if delay_ms == 0 {
        return Ok(pressed.and(entered(device, context, "set", text, node, "filling the field").await?));
    }
    let mut receipt = pressed.and(entered(device, context, "clear", "", node, "emptying the field").await?);
    for (done, character) in text.chars().enumerate() {
        if done > 0 {
            pause(context, delay_ms).await?;
        }
        let one = entered(device, context, "append", &character.to_string(), node, "filling the field").await?;
        receipt = receipt.and(one);
    }
    Ok(receipt)
}

/// Types into what has the focus.
///
/// # Errors
/// Refused where nothing that takes text has the focus.
pub async fn type_text(device: &AndroidDevice, context: &Context, text: &str) -> Result<Receipt, Failure> {
    if device.helper().ready(context).await?.contains(Features::TEXT) {
        return entered(device, context, "append", text, None, "typing").await;
    }
    by_keys::printable(text)?;
    by_keys::type_text(device, context, text).await
}

async fn tap(device: &AndroidDevice, context: &Context, aim: Aim) -> Result<Receipt, Failure> {
    let touch = press::Touch {
        at: aim.point,
        node: aim.node,
        plan: TouchPlan::tap,
        times: 1,
        doing: "pressing the field",
        guarded: false,
    };
    press::touch(device, context, touch).await
}

async fn entered(
    device: &AndroidDevice,
    context: &Context,
    mode: &str,
    text: &str,
    node: Option<&str>,
    doing: &str,
) -> Result<Receipt, Failure> {
    let mut payload = json!({"mode": mode, "text": text});
    if let Some(node) = node {
        payload["node"] = Value::from(node);
    }
    let said = press::act(device, context, Ask::of(Action::Text).with(payload), Features::TEXT, doing).await?;
    taken(&said.fields, doing)?;
    Ok(Receipt { resolved: said.resolved, ..Receipt::default() })
}

/// What the field then holds is judged by whoever asked; that it took nothing at all is a failure here.
fn taken(said: &Fields, doing: &str) -> Result<(), Failure> {
    if said.flag("performed") != Some(false) {
        return Ok(());
    }
    Err(Failure::lost(
        Row::AndroidTextRefusedByField,
        Code::TextMismatch,
        format!("{doing}: the field took the text neither by its accessibility action nor from an input method"),
    )
    .reason("text_refused")
    .hint("see what it holds now: agent-device snapshot -i"))
}

async fn pause(context: &Context, ms: u64) -> Result<(), Failure> {
    tokio::select! {
        () = tokio::time::sleep(std::time::Duration::from_millis(ms)) => {}
        () = context.cancel.cancelled() => {}
        () = tokio::time::sleep_until(context.deadline) => {}
    }
    context.check()
}
