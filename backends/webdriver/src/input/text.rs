//! Filling a field.

use std::time::Duration;

use backend::{Aim, Receipt};
use contract::{Code, Failure, Row, command::Browser};
use serde::Deserialize;
use serde_json::{Value, json};
use wire::Context;

use super::{
    dialog,
    keys::{KEYS_AT_ONCE, as_keys, is_key, is_key_code, keys, parts},
    press::gone,
};
use crate::{
    agent::{Ask, Said, call},
    aim,
    browser::drops_emoji,
    line::{Altered, INTERRUPTED},
    page::{Document, Page},
};

/// W3C key codes.
const BACKSPACE: &str = "\u{e003}";
const CONTROL: &str = "\u{e009}";
const META: &str = "\u{e03d}";
/// Longest text that is typed into a field, characters. Keys for more take seconds; the field's setter takes none.
const MAX_TYPED: usize = 2_000;
/// Characters of a text that a message shows.
const MAX_QUOTED: usize = 80;
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
    limit: Option<u64>,
    #[serde(default)]
    options: Vec<(String, String, Value, Value)>,
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
    // The page agent puts its guard away where it fills; one of another document would stay behind.
    if page.armed.as_ref().is_some_and(|armed| armed.key.scope != key.scope) {
        aim::stand_down(page, context).await?;
    }
    page.armed = None;
    page.filled = None;
    if !page.enter(context, &document.hops).await? {
        page.top(context).await?;
        return Err(gone());
    }
    let filled = fill_here(page, context, &document, key.id, text, delay_ms, browser).await;
    let back = page.top(context).await;
    let receipt = filled?;
    page.filled = Some(key);
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
    if matches!(kind.as_str(), "file" | "checkbox") {
        let (thing, instead) = if kind == "file" { ("files", "upload") } else { ("a tick", "press") };
        return Err(refusal(
            "not_editable",
            Code::ElementNotEditable,
            format!("the field takes {thing}, not text: use {instead}"),
        ));
    }
    if kind == "text" && tag == "input" {
        one_line(text)?;
    }
    if matches!(kind.as_str(), "select" | "date" | "color" | "range")
        || (matches!(kind.as_str(), "text" | "contenteditable") && is_set(browser, text, delay_ms))
    {
        return set(page, context, token, id, text).await.map_err(|failure| written_so(failure, &kind));
    }
    let calls = Value::Array(vec![call("focusForFill", json!({"id": id}))]);
    let altered = page
        .line
        .alter(context, Ask::CallAndElement, &[token, calls], |focused: &Focused| refused_focus(focused))
        .await;
    let altered = match altered {
        Ok(altered) => altered,
        Err(failure) => return Err(dialog::explained(page, context, failure).await),
    };
    let Altered { said: focused, element, id, in_shadow } = altered.ok_or_else(gone)?;
    if !focused.ok {
        return Err(Failure::new(Code::ElementNotEditable, "the field did not take the focus").reason("not_focusable"));
    }
    let element = match element {
        Some(element) => element,
        // In a frame of the same origin: keys are sent from inside.
        None => page.element(context, &document.token, id).await?.ok_or_else(left_on_focus)?.0,
    };
    let empty = focused.value.as_deref().is_none_or(str::is_empty);
    // Keys go to the end of a field in a shadow tree, whose selection the driver does not keep: select by keys.
    let select_all = if in_shadow && !empty { select_all_keys() } else { String::new() };
    let text = as_keys(browser, text);
    if text.is_empty() {
        if !empty {
            keys(page, context, &element, &format!("{select_all}{BACKSPACE}")).await?;
        }
        return Ok(Receipt::default());
    }
    let at_once = if delay_ms == 0 { KEYS_AT_ONCE } else { 1 };
    for (at, part) in parts(&text, at_once).into_iter().enumerate() {
        if at > 0 && delay_ms > 0 {
            tokio::time::sleep(Duration::from_millis(delay_ms)).await;
        }
        context.check()?;
        let prefix = if at == 0 { select_all.as_str() } else { "" };
        keys(page, context, &element, &format!("{prefix}{part}")).await?;
    }
    Ok(Receipt::default())
}

/// Whether a text is set instead of typed: what keys cannot carry, what a driver drops, and what takes long.
fn is_set(browser: Browser, text: &str, delay_ms: u64) -> bool {
    text.contains(|letter| is_key(letter) || is_key_code(letter))
        || (drops_emoji(browser) && text.chars().any(|letter| letter > '\u{ffff}'))
        || (delay_ms == 0 && text.chars().count() > MAX_TYPED)
}

/// Refuses what a field of one line cannot hold.
fn one_line(text: &str) -> Result<(), Failure> {
    if text.contains(['\n', '\r']) {
        let message = "the field holds one line and the text has several: typing it would press Enter";
        return Err(refusal("line_break_in_single_line_field", Code::InvalidArgs, message.to_owned())
            .hint("fill in the line alone, then press Enter by typing a line break: agent-device type $'\\n'"));
    }
    if let Some(letter) = text.chars().find(|letter| is_key(*letter)) {
        let name = if letter == '\t' {
            "a Tab".to_owned()
        } else {
            format!("the control character U+{:04X}", u32::from(letter))
        };
        let message =
            format!("the field holds one line of text and the text has {name}: typing it would leave the field");
        return Err(refusal("control_character_in_single_line_field", Code::InvalidArgs, message)
            .hint("fill each field by itself; to move on, type a Tab: agent-device type $'\\t'"));
    }
    Ok(())
}

/// The field got the focus, and was taken off the page by it.
fn left_on_focus() -> Failure {
    Failure::new(Code::ElementNotFound, "the field left the page when it got the focus: nothing was typed")
        .reason("field_left_page")
        .hint("look again: agent-device snapshot -i")
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
    let failure = refusal(focused.reason.as_deref().unwrap_or_default(), code, message.to_owned());
    Some(if focused.reason.as_deref() == Some("not_editable") {
        failure.hint(
            "a list that the page draws itself is opened by a press, then its option is pressed: \
             agent-device press <target> --settle; fields are [editable] in agent-device snapshot -i",
        )
    } else {
        failure
    })
}

/// How a field that takes only one notation wants its value.
fn written_so(failure: Failure, kind: &str) -> Failure {
    if failure.code != Code::TextMismatch {
        return failure;
    }
    match kind {
        "date" => failure.hint(
            "write a date as 2026-01-31, a time as 14:30, both as 2026-01-31T14:30, a month as 2026-01, a week as 2026-W05",
        ),
        "color" => failure.hint("write a colour as #3366cc"),
        "range" => failure.hint("give a number at which the slider can stand: agent-device get attrs <target>"),
        _ => failure,
    }
}

async fn set(page: &mut Page, context: &Context, token: Value, id: u64, text: &str) -> Result<Receipt, Failure> {
    let calls = Value::Array(vec![call("setValue", json!({"id": id, "text": text}))]);
    let altered = page.line.alter(context, Ask::Calls, &[token, calls], |set: &Set| refused_value(set, text)).await;
    let Altered { said, .. } = match altered {
        Ok(altered) => altered.ok_or_else(gone)?,
        Err(failure) if failure.reason_str() == Some(INTERRUPTED) => {
            // The page stands still in the dialog that its field opened; the rest comes when that is answered.
            return match dialog::get(page, context).await {
                Ok(Some(dialog)) => Ok(Receipt {
                    opened: Some(dialog.text),
                    warnings: vec!["setting the field opened a dialog: answer it, then check the field".into()],
                    ..Receipt::default()
                }),
                _ => Err(failure),
            };
        }
        Err(failure) => return Err(failure),
    };
    if said.ok {
        return Ok(Receipt::default());
    }
    Err(Failure::new(
        Code::TextMismatch,
        format!("the field did not take {}: it holds something else now", quoted(text)),
    )
    .reason("rejected"))
}

/// A text for a message, its beginning where it is long.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{:?} and so on", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
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
        "too_long" => Some(
            refusal(
                "too_long",
                Code::InvalidArgs,
                format!("the field takes {} characters, and the text has more", set.limit.unwrap_or_default()),
            )
            .hint("fill in a shorter text"),
        ),
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

/// The chord that selects everything in a field.
fn select_all_keys() -> String {
    let modifier = if cfg!(target_os = "macos") { META } else { CONTROL };
    format!("{modifier}a{modifier}")
}
