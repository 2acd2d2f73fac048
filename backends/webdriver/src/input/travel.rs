//! Going to an address, back, home.

use std::time::Duration;

use backend::Receipt;
use contract::{Code, Failure, Row, command::Browser};
use serde::Deserialize;
use serde_json::{Value, json};
use wire::Context;

use super::dialog;
use crate::{address, page::Page, provider::LOAD_TIMEOUT_MS, routes::Route, windows};

/// Time for the reply beyond the driver's own limit for loading.
const GRACE: Duration = Duration::from_secs(3);
/// What a page says after it was gone to.
#[derive(Debug, Deserialize)]
struct Arrived {
    url: String,
}

/// Goes to an address and waits until the page has loaded.
///
/// # Errors
/// `webdriver.navigate.*`, with the browser's reason in words.
pub async fn navigate(
    page: &mut Page,
    context: &Context,
    written: &str,
    load_timeout_ms: u64,
) -> Result<Receipt, Failure> {
    let Some(address) = address::complete(written) else { return Err(bad_address(written)) };
    nothing_in_the_way(page, context).await?;
    let limited = context.until(Duration::from_millis(load_timeout_ms) + GRACE);
    let before = document_since(page, context).await;
    load_limit(page, context, load_timeout_ms).await?;
    let gone = page.line.act::<Value>(&limited, Route::Navigate, "", Some(json!({"url": address}))).await;
    page.left_documents();
    // Other commands wait for pages too, and have not been asked to hurry. A failure of the navigation counts for more.
    let restored = load_limit(page, context, LOAD_TIMEOUT_MS).await;
    if gone.is_ok() {
        restored?;
    }
    let mut receipt = Receipt::default();
    if let Err(failure) = gone {
        let timed_out = failure.claim().is_some_and(|claim| claim.row == Row::WebdriverNavigateTimeout);
        // A picture or script that never comes must not keep anybody from a page that is there.
        if !(timed_out && another_document(page, context, before).await) {
            return Err(explain(failure, &address, load_timeout_ms));
        }
        receipt.warnings.push(format!(
            "the page did not finish loading within {load_timeout_ms} ms: what has come of it can be used (longer: --load-timeout-ms)"
        ));
    }
    if page.home.is_none() {
        page.home = Some(address.clone());
    }
    match arrived(page, context).await {
        Ok((url, status, says)) => {
            if is_error_page(&url, &address) {
                let says = if says.is_empty() { "the browser shows its error page" } else { says.as_str() };
                return Err(Failure::lost(
                    Row::WebdriverNavigateFailed,
                    Code::OpenFailed,
                    format!("{address} could not be loaded: {says}"),
                )
                .reason("navigation_failed")
                .hint(NOT_LOADED));
            }
            if let Some(status) = status.filter(|status| *status >= 400) {
                receipt.warnings.push(format!("the server answered {status} for {address}"));
            }
        }
        // A page that opens a dialog while it loads is there all the same.
        Err(failure) if failure.reason_str() == Some("alert_open") => {
            receipt.opened = failure.details.get("alertText").and_then(Value::as_str).map(str::to_owned);
        }
        // It was gone to; that it is too busy to be looked at is no failure of that.
        Err(failure) if failure.code == Code::Timeout && !context.left().is_zero() => {
            receipt.warnings.push("the page has loaded and is too busy to be looked at".into());
        }
        Err(failure) => return Err(failure),
    }
    Ok(receipt)
}

/// Tells the driver how long a page may take to load, where that is not what it was told last.
async fn load_limit(page: &mut Page, context: &Context, limit_ms: u64) -> Result<(), Failure> {
    if page.load_limit_ms != limit_ms {
        let _null: Value = page.line.act(context, Route::Timeouts, "", Some(json!({"pageLoad": limit_ms}))).await?;
        page.load_limit_ms = limit_ms;
    }
    Ok(())
}

/// When the document that is shown began, by its own clock: another document has another beginning.
async fn document_since(page: &mut Page, context: &Context) -> Option<f64> {
    let script = json!({"script": "return performance.timeOrigin", "args": []});
    page.line.look(&context.until(GRACE), Route::Look, "", Some(script)).await.ok()
}

/// Whether a document has come since, however little of it.
async fn another_document(page: &mut Page, context: &Context, before: Option<f64>) -> bool {
    let now = document_since(page, context).await;
    now.is_some() && now != before
}

/// Before a navigation: a dialog refuses it, and a window that is gone is left for one that is there.
async fn nothing_in_the_way(page: &mut Page, context: &Context) -> Result<(), Failure> {
    match dialog::get(page, context).await {
        Ok(None) => Ok(()),
        Ok(Some(dialog)) => Err(Failure::refused(
            Row::WebdriverAlertOpen,
            Code::AlertOpen,
            format!("a dialog is open: {:?}", dialog.text),
        )
        .reason("alert_open")
        .detail("alertText", dialog.text)),
        Err(failure) if failure.reason_str() == Some("window_gone") => {
            if windows::recover(page, context).await? {
                Ok(())
            } else {
                Err(failure)
            }
        }
        // A page that is still loading answers nothing and can be left all the same.
        Err(failure) if failure.code == Code::Timeout && !context.left().is_zero() => Ok(()),
        Err(failure) => Err(failure),
    }
}

/// The address that is shown, the server's status where the browser tells it, and what a page without an address says.
async fn arrived(page: &mut Page, context: &Context) -> Result<(String, Option<u16>, String), Failure> {
    let script = "const n = performance.getEntriesByType('navigation')[0], u = location.href;\
                  const says = u === 'about:blank' && document.body ? document.body.innerText.trim().slice(0, 200) : '';\
                  return [u, n && n.responseStatus || 0, says];";
    let (url, status, says): (String, u16, String) =
        page.line.look(context, Route::Look, "", Some(json!({"script": script, "args": []}))).await?;
    Ok((url, Some(status).filter(|status| *status != 0), says))
}

/// Some drivers say success and show an error page: Chromium for ports that it never connects to, WebKit for all.
fn is_error_page(url: &str, address: &str) -> bool {
    let error_page = ["chrome-error:", "about:neterror", "about:certerror"].iter().any(|start| url.starts_with(start));
    error_page || (url == "about:blank" && ["http", "file"].iter().any(|start| address.starts_with(start)))
}

/// The refusal of an address that no browser understands.
pub fn bad_address(written: &str) -> Failure {
    Failure::refused(
        Row::WebdriverNavigateBadUrl,
        Code::InvalidArgs,
        format!("{written:?} is no address a browser understands"),
    )
    .reason("bad_url")
    .hint("write it in full: http://localhost:3000/path")
}

fn explain(failure: Failure, address: &str, load_timeout_ms: u64) -> Failure {
    match failure.claim().map(|claim| claim.row) {
        Some(Row::WebdriverNavigateBadUrl) => bad_address(address),
        Some(Row::WebdriverNavigateTimeout | Row::WebdriverTimeoutAfterSend) => {
            let claim = failure.claim();
            let mut explained =
                Failure::new(Code::Timeout, format!("{address} did not finish loading within {load_timeout_ms} ms"))
                    .reason("load_timeout")
                    .hint(
                        "what has loaded can be looked at: agent-device snapshot; or give it longer: --load-timeout-ms",
                    );
            explained.details.extend(failure.details.into_iter().filter(|(key, _)| key != "reason"));
            match claim {
                Some(claim) => explained.under(claim),
                None => explained,
            }
        }
        Some(Row::WebdriverNavigateFailed) => match net_error(&failure.message.clone()) {
            Some((name, words)) => {
                let mut failure = failure.detail("netError", name).reason("navigation_failed");
                failure.message = format!("{address} could not be loaded: {words} ({name})");
                failure.hint(if UNKNOWN_HOST.contains(&name) { NO_SUCH_HOST } else { NOT_LOADED })
            }
            None => failure.reason("navigation_failed"),
        },
        _ => failure,
    }
}

/// The browsers' names for a host that nobody knows.
const UNKNOWN_HOST: [&str; 2] = ["ERR_NAME_NOT_RESOLVED", "dnsNotFound"];
/// What to do about it: the name of an app on a phone looks like one.
const NO_SUCH_HOST: &str = "check the address; an app on a phone is opened with --platform android";
/// What to do about a page that could not be loaded.
const NOT_LOADED: &str = "check the address, and that its server is running";

/// The browser's name for a network error, and what it means.
fn net_error(message: &str) -> Option<(&str, &'static str)> {
    let chromium = message.find("net::ERR_").map(|at| message.get(at + 5..).unwrap_or_default());
    let firefox = message.find("about:neterror?e=").map(|at| message.get(at + 17..).unwrap_or_default());
    let rest = chromium.or(firefox)?;
    let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
    let name = rest.get(..end)?;
    let words = match name {
        "ERR_CONNECTION_REFUSED" | "connectionFailure" => "nothing listens there",
        name if UNKNOWN_HOST.contains(&name) => "there is no host of that name",
        "ERR_CONNECTION_RESET" | "ERR_EMPTY_RESPONSE" | "ERR_CONNECTION_CLOSED" | "netReset" => {
            "the server closed the connection without an answer"
        }
        "ERR_CONNECTION_TIMED_OUT" | "ERR_TIMED_OUT" | "netTimeout" => "the server does not answer",
        "ERR_INTERNET_DISCONNECTED" | "ERR_ADDRESS_UNREACHABLE" | "ERR_NETWORK_CHANGED" | "netOffline" => {
            "the network does not lead there"
        }
        "ERR_TOO_MANY_REDIRECTS" | "redirectLoop" => "the server redirects in a circle",
        "ERR_FILE_NOT_FOUND" | "fileNotFound" => "there is no such file",
        "ERR_SSL_PROTOCOL_ERROR" | "nssFailure2" => "the server does not speak TLS there: is it http://?",
        "ERR_ABORTED" => "it was not loaded as a page: a download, or the page went elsewhere at once",
        name if name.starts_with("ERR_CERT_") => "the server's certificate is not trusted",
        _ => "the browser reports a network error",
    };
    Some((name, words))
}

/// One step back.
///
/// # Errors
/// `webdriver.back.nowhere` where there is nothing to go back to, and what the driver says.
pub async fn back(page: &mut Page, context: &Context, browser: Browser) -> Result<Receipt, Failure> {
    page.top(context).await?;
    if !can_go_back(page, context, browser).await? {
        return Err(Failure::refused(
            Row::WebdriverBackNowhere,
            Code::CommandFailed,
            "this is the first page of the window: there is nothing to go back to",
        )
        .reason("no_history"));
    }
    let before = place(page, context, browser).await?;
    let gone = page.line.act::<Value>(context, Route::Back, "", Some(json!({}))).await;
    page.left_documents();
    gone?;
    let mut receipt = Receipt::default();
    match place(page, context, browser).await {
        Ok(after) if after == before => receipt.warnings.push(STAYED.into()),
        Ok(_) => {}
        Err(failure) if failure.reason_str() == Some("alert_open") => {
            receipt.opened = failure.details.get("alertText").and_then(Value::as_str).map(str::to_owned);
        }
        // It went back; that what is there now cannot be looked at yet is the next look's to say.
        Err(_) => {}
    }
    Ok(receipt)
}

/// A page that keeps its visitors: it adds an entry to the history whenever one is left, or asks before it is left.
const STAYED: &str = "the window is where it was: the page does not let itself be left by going back";

/// The window's pages, oldest first, as Chromium tells them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct History {
    current_index: usize,
    entries: Vec<Arrived>,
}

async fn history(page: &mut Page, context: &Context) -> Result<History, Failure> {
    let body = json!({"cmd": "Page.getNavigationHistory", "params": {}});
    page.line.look(context, Route::CdpLook, "", Some(body)).await
}

/// Where a window is: its place in the history, or its address where the browser does not tell that.
async fn place(page: &mut Page, context: &Context, browser: Browser) -> Result<String, Failure> {
    if browser == Browser::Chrome {
        return Ok(history(page, context).await?.current_index.to_string());
    }
    page.line.look(context, Route::Address, "", None).await
}

async fn can_go_back(page: &mut Page, context: &Context, browser: Browser) -> Result<bool, Failure> {
    if browser == Browser::Chrome {
        let history = history(page, context).await?;
        let previous = history.current_index.checked_sub(1).and_then(|before| history.entries.get(before));
        // What the browser itself opened with is no page of the session's.
        return Ok(previous.is_some_and(|entry| {
            !matches!(entry.url.as_str(), "data:," | "about:blank") && !entry.url.starts_with("chrome:")
        }));
    }
    let script = json!({"script": "return history.length", "args": []});
    let length: u64 = page.line.look(context, Route::Look, "", Some(script)).await?;
    Ok(length > 1)
}

/// To the address that the session was opened with.
///
/// # Errors
/// As for [`navigate`].
pub async fn home(page: &mut Page, context: &Context, load_timeout_ms: u64) -> Result<Receipt, Failure> {
    let Some(home) = page.home.clone() else {
        return Err(Failure::refused(
            Row::WebdriverBackNowhere,
            Code::CommandFailed,
            "the session was opened without an address",
        )
        .reason("no_history"));
    };
    navigate(page, context, &home, load_timeout_ms).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_errors_of_both_browsers_are_put_into_words() {
        for (message, name, words) in [
            (
                "could not go: net::ERR_CONNECTION_REFUSED (unknown error)",
                "ERR_CONNECTION_REFUSED",
                "nothing listens there",
            ),
            (
                "unknown error: net::ERR_CERT_AUTHORITY_INVALID",
                "ERR_CERT_AUTHORITY_INVALID",
                "the server's certificate is not trusted",
            ),
            (
                "Reached error page: about:neterror?e=connectionFailure&u=http%3A//127.0.0.1%3A1/&c=UTF-8",
                "connectionFailure",
                "nothing listens there",
            ),
            ("net::ERR_SOMETHING_NEW", "ERR_SOMETHING_NEW", "the browser reports a network error"),
        ] {
            assert_eq!(net_error(message), Some((name, words)));
        }
        assert_eq!(net_error("no network in it"), None);
    }
}
