//! Filling and typing.

use std::time::Duration;

use backend::{Aim, Receipt};
use contract::{Code, Failure, Row, command::Browser};
use serde::Deserialize;
use serde_json::{Value, json};
use wire::Context;

use super::press::gone;
use crate::{
    agent::{Ask, Said, call},
    browser::drops_emoji,
    line::Altered,
    page::{Document, Page},
    routes::Route,
};

/// W3C key codes.
const BACKSPACE: &str = "\u{e003}";
const ENTER: &str = "\u{e006}";
const CONTROL: &str = "\u{e009}";
const META: &str = "\u{e03d}";
/// Frames in frames that are followed to find what has the focus.
const MAX_DEPTH: usize = 8;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Focused {
    ok: bool,
    #[serde(default)]
    value: Option<String>,
    #[serde(default)]
    reason: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Set {
    ok: bool,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    options: Vec<(String, String, Value, Value)>,
}

/// What has the focus.
#[derive(Debug, Deserialize)]
pub struct Active {
    /// Its number, 0 for nothing.
    pub id: u64,
    #[serde(default)]
    tag: String,
    /// Takes text.
    pub editable: bool,
}

/// Gives a field the focus and replaces its whole content: by keys where the field takes keys, by its own setter
/// where a browser offers none (dates, colours, sliders, lists).
///
/// # Errors
/// `webdriver.fill.refused-by-field` before anything was typed, and what the driver says. Whether the field then
/// holds the text is the caller's to check.
pub async fn fill(
    page: &mut Page,
    context: &Context,
    browser: Browser,
    aim: Aim,
    text: &str,
    delay_ms: u64,
) -> Result<Receipt, Failure> {
    let Some(key) = aim.node else {
        return Err(Failure::refused(
            Row::DaemonRefusalNotEditable,
            Code::ElementNotEditable,
            "a browser fills an element, not a point: name the field by a ref or selector",
        ));
    };
    let document = page.document(key).ok_or_else(gone)?;
    page.armed = None;
    if !page.enter(context, &document.hops).await? {
        page.top(context).await?;
        return Err(gone());
    }
    let filled = fill_here(page, context, &document, key.id, text, delay_ms, browser).await;
    let back = page.top(context).await;
    let receipt = filled?;
    // Typing may open a dialog: it is the caller's next look that says so.
    if let Err(failure) = back
        && failure.reason_str() != Some("alert_open")
    {
        return Err(failure);
    }
    Ok(receipt)
}

async fn fill_here(
    page: &mut Page,
    context: &Context,
    document: &Document,
    id: u64,
    text: &str,
    delay_ms: u64,
    browser: Browser,
) -> Result<Receipt, Failure> {
    let token = Value::String(document.token.clone());
    let (kind, tag) = kind_of(page, context, document, id).await?;
    // What keys cannot carry is set: codes that stand for keys, and what a driver drops.
    let by_setter = text.chars().any(|letter| ('\u{e000}'..='\u{e05d}').contains(&letter))
        || (drops_emoji(browser) && text.chars().any(|letter| letter > '\u{ffff}'));
    if matches!(kind.as_str(), "select" | "date" | "color" | "range")
        || (by_setter && matches!(kind.as_str(), "text" | "contenteditable"))
    {
        return set(page, context, token, id, text).await;
    }
    if matches!(kind.as_str(), "file" | "checkbox") {
        let (thing, instead) = if kind == "file" { ("files", "upload") } else { ("a tick", "press") };
        return Err(refusal(
            "not_editable",
            Code::ElementNotEditable,
            format!("the field takes {thing}, not text: use {instead}"),
        ));
    }
    if kind == "text" && tag == "input" && text.contains(['\n', '\r']) {
        let message = "the field holds one line and the text has several: typing it would press Enter";
        return Err(refusal("line_break_in_single_line_field", Code::InvalidArgs, message.to_owned()));
    }
    let calls = Value::Array(vec![call("focusForFill", json!({"id": id}))]);
    let altered = page
        .line
        .alter(context, Ask::CallAndElement, &[token, calls], |focused: &Focused| refused_focus(focused))
        .await?;
    let Altered { said: focused, element, id, in_shadow } = altered.ok_or_else(gone)?;
    if !focused.ok {
        return Err(Failure::new(Code::ElementNotEditable, "the field did not take the focus").reason("not_focusable"));
    }
    let element = match element {
        Some(element) => element,
        // In a frame of the same origin: keys are sent from inside.
        None => page.element(context, &document.token, id).await?.ok_or_else(gone)?.0,
    };
    let empty = focused.value.as_deref().is_none_or(str::is_empty);
    // Keys go to the end of a field in a shadow tree, whose selection the driver does not keep: select by keys.
    let select_all = if in_shadow && !empty { select_all_keys() } else { String::new() };
    let text = as_keys(browser, text);
    if text.is_empty() {
        if !empty {
            keys(page, context, &element, &format!("{select_all}{BACKSPACE}")).await?;
        }
    } else if delay_ms == 0 {
        keys(page, context, &element, &format!("{select_all}{text}")).await?;
    } else {
        for (at, letter) in text.chars().enumerate() {
            if at > 0 {
                tokio::time::sleep(Duration::from_millis(delay_ms)).await;
            }
            let prefix = if at == 0 { select_all.as_str() } else { "" };
            keys(page, context, &element, &format!("{prefix}{letter}")).await?;
        }
    }
    Ok(Receipt::default())
}

/// What kind of field an element is, and its tag, without touching it.
async fn kind_of(
    page: &mut Page,
    context: &Context,
    document: &Document,
    id: u64,
) -> Result<(String, String), Failure> {
    #[derive(Deserialize)]
    struct Read {
        kind: String,
        tag: String,
    }
    let calls = Value::Array(vec![call("readValue", json!({"id": id}))]);
    let heard = page.line.ask_present(context, Ask::Calls, &[document.token.clone().into(), calls]).await?;
    let Some(heard) = heard else { return Err(gone()) };
    let (said,): (Said<Read>,) = heard.read()?;
    match said {
        Said::Ok(Read { kind, tag }) => Ok((kind, tag)),
        Said::Error(_) => Err(gone()),
    }
}

fn refused_focus(focused: &Focused) -> Option<Failure> {
    let (code, message) = match focused.reason.as_deref()? {
        "disabled" => (Code::ElementDisabled, "the field is disabled"),
        "readonly" => (Code::ElementNotEditable, "the field is read-only"),
        "not_editable" => (Code::ElementNotEditable, "the element takes no text"),
        _ => return None,
    };
    Some(refusal(focused.reason.as_deref().unwrap_or_default(), code, message.to_owned()))
}

async fn set(page: &mut Page, context: &Context, token: Value, id: u64, text: &str) -> Result<Receipt, Failure> {
    let calls = Value::Array(vec![call("setValue", json!({"id": id, "text": text}))]);
    let altered = page.line.alter(context, Ask::Calls, &[token, calls], |set: &Set| refused_value(set, text)).await?;
    let Altered { said, .. } = altered.ok_or_else(gone)?;
    if said.ok {
        return Ok(Receipt::default());
    }
    Err(Failure::new(Code::TextMismatch, format!("the field did not take {text:?}: it holds something else now"))
        .reason("rejected"))
}

fn refused_value(set: &Set, text: &str) -> Option<Failure> {
    match set.error.as_deref()? {
        "disabled" => {
            Some(refusal("disabled", Code::ElementDisabled, "the field, or the option, is disabled".to_owned()))
        }
        "readonly" => Some(refusal("readonly", Code::ElementNotEditable, "the field is read-only".to_owned())),
        "not_settable" => {
            Some(refusal("not_editable", Code::ElementNotEditable, "the element takes no value".to_owned()))
        }
        "no_such_option" => {
            let options: Vec<&str> = set.options.iter().map(|option| option.0.as_str()).collect();
            Some(
                refusal("no_such_option", Code::InvalidArgs, format!("the list has no option {text:?}"))
                    .hint(format!("it offers: {}", options.join(", ")))
                    .detail("options", options.iter().map(|option| Value::from(*option)).collect::<Vec<_>>()),
            )
        }
        _ => None,
    }
}

fn refusal(reason: &str, code: Code, message: String) -> Failure {
    Failure::refused(Row::WebdriverFillRefusedByField, code, message).reason(reason)
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
    let found = focused_element(page, context).await;
    let typed = match found {
        Ok(Some(element)) => keys(page, context, &element, &as_keys(browser, text)).await,
        Ok(None) => Err(Failure::refused(
            Row::DaemonRefusalNoFocus,
            Code::ElementNotEditable,
            "nothing on the page has the focus",
        )
        .reason("no_focus")
        .hint("focus a field first: agent-device focus <target>")),
        Err(failure) => Err(failure),
    };
    let back = page.top(context).await;
    typed?;
    if let Err(failure) = back
        && failure.reason_str() != Some("alert_open")
    {
        return Err(failure);
    }
    Ok(Receipt::default())
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

/// What has the focus and the token of its document; commands then run in its frame.
async fn active(page: &mut Page, context: &Context) -> Result<Option<(String, Active)>, Failure> {
    page.top(context).await?;
    for _ in 0..MAX_DEPTH {
        let calls = Value::Array(vec![call("activeElement", json!({})), call("ready", json!({}))]);
        let heard = page.line.ask(context, Ask::Calls, &["".into(), calls]).await?.ok_or_else(gone)?;
        #[derive(Deserialize)]
        struct Ready {
            doc: String,
        }
        let (active, ready): (Said<Active>, Said<Ready>) = heard.read()?;
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

async fn keys(page: &mut Page, context: &Context, element: &str, text: &str) -> Result<(), Failure> {
    page.line.act::<Value>(context, Route::Keys, element, Some(json!({"text": text}))).await.map(|_null| ())
}

/// Line ends as the key that makes one.
fn as_keys(browser: Browser, text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    // WebKitGTK's driver drops the character, Firefox's submits no form by it: both take the key.
    if browser == Browser::Chrome { text } else { text.replace('\n', ENTER) }
}

/// The chord that selects everything in a field.
fn select_all_keys() -> String {
    let modifier = if cfg!(target_os = "macos") { META } else { CONTROL };
    format!("{modifier}a{modifier}")
}
