//! Tabs and windows.

use backend::Input;
use contract::Code;

use crate::support::{Opened, context, is_chrome, is_webkit, row};

#[tokio::test(flavor = "multi_thread")]
async fn a_new_tab_is_followed_and_the_receipt_says_so() {
    let page = Opened::at("windows.html").await;
    let receipt = page.press("link", "New tab").await.unwrap();
    let opened = receipt.opened.clone().expect("the new window's id");
    assert!(receipt.warnings.iter().any(|warning| warning.contains("new window")), "{receipt:?}");
    page.wait_for("the new page", async || page.tree().await.title.as_deref() == Some("Pointer")).await;
    page.press("button", "Target").await.unwrap();
    let windows = page.device.windows(&context()).await.unwrap();
    assert_eq!(windows.len(), 2);
    let active: Vec<_> = windows.iter().filter(|window| window.active).collect();
    assert_eq!((active.len(), active[0].title.as_str()), (1, "Pointer"));
    // Browsers list their windows in different orders; the number is that of the list.
    let number = windows.iter().position(|window| window.active).unwrap() + 1;
    assert_eq!(opened, format!("window {number}"));
    let opened = active[0].id.clone();
    let first = windows.iter().find(|window| !window.active).unwrap();
    assert_eq!(first.title, "Windows");
    page.device.switch_window(&context(), &first.id).await.unwrap();
    assert_eq!(page.tree().await.title.as_deref(), Some("Windows"));
    page.perform(Input::CloseWindow { id: opened }).await.0.unwrap();
    assert_eq!(page.device.windows(&context()).await.unwrap().len(), 1);
    assert_eq!(page.tree().await.title.as_deref(), Some("Windows"));

    let (result, sends) = page.perform(Input::CloseWindow { id: first.id.clone() }).await;
    let failure = result.unwrap_err();
    assert_eq!((row(&failure), failure.reason_str()), ("webdriver.last-window", Some("last_window")));
    assert!(!sends.any());
    page.end().await;
}

/// Chromium refuses to show `data:` addresses in a window of their own: the window stays without a page for good.
#[tokio::test(flavor = "multi_thread")]
async fn a_window_whose_address_is_blocked_does_not_take_the_session_over() {
    if !is_chrome() {
        return;
    }
    let page = Opened::at("windows.html").await;
    let receipt = page.press("link", "Blocked").await.unwrap();
    assert!(receipt.opened.is_none(), "{receipt:?}");
    assert!(receipt.warnings.iter().any(|warning| warning.contains("no page yet")), "{receipt:?}");
    assert_eq!(page.tree().await.title.as_deref(), Some("Windows"));
    let windows = page.device.windows(&context()).await.unwrap();
    assert_eq!((windows.len(), windows[1].address.as_str(), windows[0].active), (2, "", true));
    let failure = page.device.switch_window(&context(), &windows[1].id).await.unwrap_err();
    assert_eq!(row(&failure), "webdriver.window-without-page");
    page.perform(Input::CloseWindow { id: windows[1].id.clone() }).await.0.unwrap();
    assert_eq!(page.device.windows(&context()).await.unwrap().len(), 1);
    assert_eq!(page.tree().await.title.as_deref(), Some("Windows"));
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_a_press_closes_leads_back() {
    let page = Opened::at("windows.html").await;
    // WebKitGTK's driver fails an action list whose window closes half-way, which proves nothing.
    for name in ["Close me", "Close at once"].into_iter().take(if is_webkit() { 1 } else { 2 }) {
        page.press("button", "Popup").await.unwrap();
        page.wait_for("the popup", async || page.tree().await.title.as_deref() == Some("Closing")).await;
        let receipt = page.press("button", name).await.unwrap();
        assert!(receipt.warnings.iter().any(|warning| warning.contains("closed")), "{name}: {receipt:?}");
        assert_eq!(page.tree().await.title.as_deref(), Some("Windows"));
    }
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_closes_by_itself_leads_back_and_is_noticed() {
    let page = Opened::at("windows.html").await;
    let receipt = page.press("button", "Login").await.unwrap();
    assert!(receipt.opened.is_some());
    page.wait_for("the first window", async || page.tree().await.title.as_deref() == Some("Windows")).await;
    let notices = page.device.notices();
    assert!(notices.iter().any(|notice| notice.contains("closed by itself")), "{notices:?}");
    assert!(page.device.notices().is_empty());
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_is_not_there_is_refused() {
    let page = Opened::at("windows.html").await;
    let failure = page.device.switch_window(&context(), "nowhere").await.unwrap_err();
    assert_eq!((row(&failure), failure.code), ("webdriver.window-gone", Code::CommandFailed));
    page.tree().await;
    let (result, sends) = page.perform(Input::CloseWindow { id: "nowhere".to_owned() }).await;
    assert_eq!(row(&result.unwrap_err()), "webdriver.window-gone");
    assert!(!sends.any());
    assert_eq!(page.tree().await.title.as_deref(), Some("Windows"));
    page.end().await;
}
