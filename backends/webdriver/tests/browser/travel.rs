//! Addresses, history, viewport.

use std::time::{Duration, Instant};

use backend::{Input, Provider, Receipt};
use contract::{Code, Failure, Sends};
use webdriver::WebProvider;

use crate::support::{Opened, browser, context, is_chrome, named, open_at, row};

async fn go(page: &Opened, address: &str, load_timeout_ms: u64) -> (Result<Receipt, Failure>, Sends) {
    page.perform(Input::Navigate { address: address.to_owned(), load_timeout_ms }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_loaded_says_why_and_whether_it_was_sent() {
    let page = Opened::at("blank.html").await;
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (result, sends) = go(&page, &format!("http://{closed}/"), 10_000).await;
    let failure = result.unwrap_err();
    assert_eq!((row(&failure), failure.code), ("webdriver.navigate.failed", Code::OpenFailed), "{failure}");
    assert!(!is_chrome() || failure.message.contains("nothing listens there"), "{failure}");
    assert!(sends.any());

    // Chromium says success here and shows its error page: a port that it never connects to.
    let failure = go(&page, "http://127.0.0.1:1/", 10_000).await.0.unwrap_err();
    assert_eq!((row(&failure), failure.code), ("webdriver.navigate.failed", Code::OpenFailed), "{failure}");

    for bad in ["not a url", "http://", "foo://x"] {
        let (result, sends) = go(&page, bad, 10_000).await;
        let failure = result.unwrap_err();
        assert_eq!((row(&failure), failure.reason_str()), ("webdriver.navigate.bad-url", Some("bad_url")), "{bad}");
        assert!(!sends.any());
    }
    // This one only the browser can judge; WebKitGTK's driver takes it and shows an error page.
    let (result, sends) = go(&page, "http://[::zz]/", 10_000).await;
    let failure = result.unwrap_err();
    if browser() == contract::command::Browser::Webkit {
        assert_eq!(row(&failure), "webdriver.navigate.failed", "{failure}");
    } else {
        assert_eq!(row(&failure), "webdriver.navigate.bad-url", "{failure}");
        assert!(!sends.any());
    }

    let receipt = go(&page, &page.site.at("missing"), 10_000).await.0.unwrap();
    if is_chrome() {
        assert!(receipt.warnings.iter().any(|warning| warning.contains("404")), "{receipt:?}");
    }
    named(&page.tree().await, "heading", "Missing");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_never_finishes_ends_at_its_limit() {
    let page = Opened::with("blank.html", |open| open.load_timeout_ms = Some(6000)).await;
    let began = Instant::now();
    let failure = go(&page, &page.site.at("hang"), 6000).await.0.unwrap_err();
    assert_eq!((row(&failure), failure.code), ("webdriver.navigate.timeout", Code::Timeout), "{failure}");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    // WebKitGTK goes on waiting for the page that never comes.
    if browser() != contract::command::Browser::Webkit {
        go(&page, &page.site.at("pointer.html"), 6000).await.0.unwrap();
        page.press("button", "Target").await.unwrap();
    }
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_which_only_a_picture_never_comes_is_opened_and_says_so() {
    if !is_chrome() {
        return;
    }
    let page = Opened::with("slow.html", |open| open.load_timeout_ms = Some(4000)).await;
    let notices = page.device.notices();
    assert!(notices.iter().any(|notice| notice.contains("did not finish loading within 4000 ms")), "{notices:?}");
    page.press("button", "Target").await.unwrap();
    named(&page.tree().await, "button", "Pressed");
    // Again, in the session that is open: the document is another one although the address is the same.
    let receipt = go(&page, &page.site.at("slow.html"), 4000).await.0.unwrap();
    assert!(receipt.warnings.iter().any(|warning| warning.contains("did not finish loading")), "{receipt:?}");
    named(&page.tree().await, "button", "Target");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_that_fails_leaves_nothing_behind() {
    let state = tempfile::tempdir().unwrap();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let provider = WebProvider::new(state.path().to_owned());
    let failure = provider
        .open(&context(), &browser().to_string(), &open_at(Some(format!("http://{closed}/"))))
        .await
        .unwrap_err();
    assert_eq!(failure.code, Code::OpenFailed);
    assert_eq!(webdriver::driver::processes::naming(&state.path().canonicalize().unwrap()), []);
    assert_eq!(std::fs::read_dir(state.path().join("browsers")).unwrap().count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn back_from_a_page_that_keeps_its_visitors_says_that_they_are_still_there() {
    if !is_chrome() {
        return;
    }
    let page = Opened::at("trap.html").await;
    let receipt = page.perform(Input::Back).await.0.unwrap();
    page.wait_log("trapped").await;
    assert!(receipt.warnings.iter().any(|warning| warning.contains("is where it was")), "{receipt:?}");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn back_goes_back_and_refuses_where_there_is_nothing() {
    let page = Opened::at("blank.html").await;
    if is_chrome() {
        let (result, sends) = page.perform(Input::Back).await;
        let failure = result.unwrap_err();
        assert_eq!((row(&failure), failure.reason_str()), ("webdriver.back.nowhere", Some("no_history")));
        assert!(!sends.any());
    }
    go(&page, &page.site.at("pointer.html"), 10_000).await.0.unwrap();
    go(&page, &page.site.at("fields.html"), 10_000).await.0.unwrap();
    page.perform(Input::Back).await.0.unwrap();
    assert_eq!(page.tree().await.title.as_deref(), Some("Pointer"));
    page.perform(Input::Home).await.0.unwrap();
    let first = page.tree().await.app.unwrap();
    assert!(first.ends_with("/blank.html"), "home is the first address of the session: {first}");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_viewport_is_as_large_as_asked_for() {
    let page = Opened::at("blank.html").await;
    let size = page.tree().await.viewport;
    assert_eq!((size.width, size.height), (1280.0, 800.0));
    for (width, height) in [(1024, 700), (700, 900)] {
        let receipt = page.perform(Input::Viewport { width, height }).await.0.unwrap();
        assert_eq!(receipt.warnings, Vec::<String>::new());
        let size = page.tree().await.viewport;
        assert_eq!((size.width, size.height), (f64::from(width), f64::from(height)));
    }
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_is_pressed_leads_away_and_that_is_no_failure() {
    let page = Opened::at("windows.html").await;
    let before = page.key("link", "Same tab").await;
    page.press_key(before).await.unwrap();
    page.wait_for("the other page", async || page.tree().await.title.as_deref() == Some("Pointer")).await;
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scrolling_says_how_far_it_went_and_what_is_left() {
    use backend::ScrollTo;
    let page = Opened::at("scrolled.html").await;
    let scroll = async |within, to| page.perform(Input::Scroll { within, to }).await;
    let (receipt, sends) = scroll(None, ScrollTo::Pixels { x: 0.0, y: 250.0 }).await;
    let receipt = receipt.unwrap();
    assert_eq!((receipt.moved, receipt.more), (Some((0.0, 250.0)), Some(true)));
    assert_eq!((sends.completed, sends.open), (1, 0));
    let receipt = scroll(None, ScrollTo::Share { x: 0.0, y: 0.5 }).await.0.unwrap();
    assert_eq!(receipt.moved, Some((0.0, 400.0)));
    let receipt = scroll(None, ScrollTo::Bottom).await.0.unwrap();
    assert_eq!(receipt.more, Some(false));
    let receipt = scroll(None, ScrollTo::Pixels { x: 0.0, y: 50.0 }).await.0.unwrap();
    assert_eq!((receipt.moved, receipt.more), (Some((0.0, 0.0)), Some(false)));
    let boxed = page.key("button", "In a box").await;
    let receipt = scroll(Some(boxed), ScrollTo::Bottom).await.0.unwrap();
    assert!(receipt.moved.is_some_and(|(_, y)| y > 1000.0), "{receipt:?}");
    let nested = page.key("button", "Inside third").await;
    let receipt = scroll(Some(nested), ScrollTo::Pixels { x: 0.0, y: 333.0 }).await.0.unwrap();
    assert_eq!(receipt.moved, Some((0.0, 333.0)));
    page.end().await;
}
