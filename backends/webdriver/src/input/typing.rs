//! Typing into what has the focus.

use backend::Receipt;
use contract::{Code, Failure, Row, command::Browser};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::json;
use wire::Context;

use super::{
    keys::{KEYS_AT_ONCE, as_keys, is_key, is_key_code, keys, parts},
    press::gone,
};
use crate::{
    agent::{Ask, Said, call},
    browser::drops_emoji,
    page::Page,
};

/// Frames in frames that are followed to find what has the focus.
const MAX_DEPTH: usize = 8;

/// What has the focus.
#[derive(Debug, Deserialize)]
struct Active {
    /// Its number, 0 for nothing.
    id: u64,
    #[serde(default)]
    tag: String,
    /// Takes text.
    editable: bool,
}

/// Types into whatever has the focus, in frames too.
///
/// # Errors
/// `NO_FOCUS` where nothing that takes keys has it, and what the driver says.
pub async fn type_text(page: &mut Page, context: &Context, browser: Browser, text: &str) -> Result<Receipt, Failure> {
    if drops_emoji(browser) && text.chars().any(|letter| letter > '\u{ffff}') {
        return Err(Failure::refused(
            Row::DaemonAdmissionUnsupportedOperation,
            Code::UnsupportedOperation,
            "this browser's driver drops emoji from keys",
        )
        .reason("unsupported_operation")
        .hint("fill the field instead: agent-device fill <target> <text>"));
    }
    if let Some(letter) = text.chars().find(|letter| is_key_code(*letter) || (is_key(*letter) && *letter != '\t')) {
        return Err(Failure::refused(
            Row::DaemonProtocolBadArguments,
            Code::InvalidArgs,
            format!("the text has U+{:04X}, which a browser's driver takes for a key", u32::from(letter)),
        )
        .reason("control_character")
        .hint("only line breaks and tabs are typed as keys: agent-device type $'\\n'"));
    }
    let typed = type_here(page, context, &as_keys(browser, text)).await;
    let back = page.top(context).await;
    typed?;
    if let Err(failure) = back
        && failure.reason_str() != Some("alert_open")
    {
        return Err(failure);
    }
    Ok(Receipt::default())
}

/// A Tab may have moved the focus: each part goes to what has it by then.
async fn type_here(page: &mut Page, context: &Context, text: &str) -> Result<(), Failure> {
    for part in parts(text, KEYS_AT_ONCE) {
        context.check()?;
        let Some(element) = focused_element(page, context).await? else {
            return Err(Failure::refused(
                Row::DaemonRefusalNoFocus,
                Code::ElementNotEditable,
                "nothing on the page has the focus",
            )
            .reason("no_focus")
            .hint("focus a field first: agent-device focus <target>"));
        };
        keys(page, context, &element, &part).await?;
    }
    Ok(())
}

/// Whether what has the focus takes text.
///
/// # Errors
/// What the driver says.
pub async fn takes_text(page: &mut Page, context: &Context) -> Result<bool, Failure> {
    let active = active(page, context).await;
    let back = page.top(context).await;
    let active = active?;
    back?;
    Ok(active.is_some_and(|(_, active)| active.editable))
}

/// What has the focus and the token of its document; commands then run in its frame. No guard stands ready on the way
/// there any more: the Enter key presses a form's button.
async fn active(page: &mut Page, context: &Context) -> Result<Option<(String, Active)>, Failure> {
    page.top(context).await?;
    page.armed = None;
    for _ in 0..MAX_DEPTH {
        let calls = ["activeElement", "ready", "standDown"].map(|name| call(name, json!({}))).to_vec().into();
        let heard = page.line.ask(context, Ask::Calls, &["".into(), calls]).await?.ok_or_else(gone)?;
        #[derive(Deserialize)]
        struct Ready {
            doc: String,
        }
        let (active, ready, _): (Said<Active>, Said<Ready>, IgnoredAny) = heard.read()?;
        let (Said::Ok(active), Said::Ok(ready)) = (active, ready) else { return Ok(None) };
        if active.id == 0 {
            return Ok(None);
        }
        if active.tag != "iframe" && active.tag != "frame" {
            return Ok(Some((ready.doc, active)));
        }
        if page.enter_one(context, &ready.doc, active.id).await?.is_none() {
            return Ok(None);
        }
    }
    Ok(None)
}

async fn focused_element(page: &mut Page, context: &Context) -> Result<Option<String>, Failure> {
    let Some((token, active)) = active(page, context).await? else { return Ok(None) };
    Ok(page.element(context, &token, active.id).await?.map(|(element, _)| element))
}
