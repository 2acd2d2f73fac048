//! What the page asked of the network.

use std::time::Duration;

use backend::{Fetched, Input, Traffic};

use crate::support::{Opened, browser, context, is_chrome};

const LONG: Duration = Duration::from_secs(3_600);

impl Opened {
    async fn traffic(&self) -> Traffic {
        self.device.network(&context(), LONG).await.unwrap().unwrap()
    }

    async fn asks(&self, button: &str, done: &str) -> Traffic {
        self.press("button", button).await.unwrap();
        self.wait_log(done).await;
        self.traffic().await
    }
}

fn one(traffic: &Traffic) -> &Fetched {
    let [one] = &traffic.requests[..] else { panic!("{traffic:#?}") };
    one
}

fn ends(traffic: &Traffic, end: &str) -> Vec<Fetched> {
    traffic.requests.iter().filter(|one| one.url.ends_with(end)).cloned().collect()
}

#[tokio::test]
async fn each_request_is_told_once_with_what_the_browser_says_of_it() {
    let opened = Opened::at("network.html").await;
    let own = ends(&opened.traffic().await, "/network.html");
    assert_eq!((own.len(), own[0].kind.as_str()), (1, "navigation"), "{own:?}");
    assert!(own[0].took <= own[0].ago && own[0].ago < Duration::from_secs(60), "{own:?}");
    let asked = opened.asks("Ask", "asked").await;
    let asked = one(&asked);
    assert!(asked.url.ends_with("/blank.html?q=1") && asked.kind == "fetch", "{asked:?}");
    assert!(asked.bytes.is_some_and(|bytes| bytes > 0), "{asked:?}");
    let missed = opened.asks("Miss", "missed").await;
    let told = |one: &Fetched| (one.status, one.failed);
    if crate::support::is_webkit() {
        assert!(missed.requests.iter().all(|one| one.failed != Some(false)), "{missed:?}");
    } else {
        assert_eq!(told(asked), (Some(200), Some(false)), "{} {asked:?}", browser());
        assert_eq!(told(one(&missed)), (Some(404), Some(true)), "{missed:?}");
        let failed = opened.asks("Fail", "failed").await;
        assert!(failed.requests.iter().all(|one| told(one) == (None, Some(true))), "{failed:?}");
        assert!(!failed.requests.is_empty() || !is_chrome(), "Chromium lists what was not answered");
    }
    assert_eq!(opened.traffic().await, Traffic::default());
    opened.end().await;
}

#[tokio::test]
async fn what_the_page_wipes_away_is_told_all_the_same_and_what_is_too_much_is_counted() {
    let opened = Opened::at("network.html").await;
    opened.traffic().await;
    let forgotten = opened.asks("Forget", "forgot").await;
    assert!(one(&forgotten).url.ends_with("?q=2"), "{forgotten:?}");
    let many = opened.asks("Many", "many").await;
    assert_eq!((many.requests.len(), many.left_out), (200, 30));
    if !crate::support::is_webkit() {
        assert_eq!(many.requests[0].status, Some(404), "what failed is listed, wherever it stood");
        assert_eq!(many.requests.iter().filter(|one| one.url.ends_with("/missing")).count(), 1);
    }
    opened.device.network_end(&context()).await.unwrap();
    let again = opened.device.network(&context(), Duration::ZERO).await.unwrap().unwrap();
    assert_eq!(again.requests, [], "what ended before is nobody's");
    opened.end().await;
}

#[tokio::test]
async fn a_new_document_tells_of_itself_and_not_of_the_one_before() {
    let opened = Opened::at("network.html").await;
    opened.traffic().await;
    for page in ["outer.html", "network.html"] {
        let address = opened.site.at(page);
        opened.perform(Input::Navigate { address: address.clone(), load_timeout_ms: 20_000 }).await.0.unwrap();
        let told = opened.traffic().await;
        assert_eq!(told.requests.iter().filter(|one| one.url == address).count(), 1, "{told:#?}");
        assert!(told.requests.iter().all(|one| !one.url.contains("q=1")), "{told:#?}");
    }
    opened.perform(Input::Back).await.0.unwrap();
    let back = opened.traffic().await;
    // A page that came back from the cache has nothing new to tell.
    assert!(ends(&back, "/network.html").is_empty(), "{back:#?}");
    opened.end().await;
}

#[tokio::test]
async fn frames_are_asked_too_and_one_that_has_gone_is_not_forgotten() {
    let opened = Opened::at("network.html").await;
    opened.traffic().await;
    opened.press("button", "Frames").await.unwrap();
    opened.wait_log("framed").await;
    // The frames that the last capture entered.
    opened.tree().await;
    let framed = opened.traffic().await;
    let documents = ends(&framed, "/inner.html");
    assert_eq!(documents.len(), 2, "{framed:#?}");
    assert!(documents.iter().all(|one| one.kind == "navigation"), "{documents:#?}");
    let dropped = opened.asks("Drop", "dropped").await;
    assert_eq!(ends(&dropped, "?inside").len(), 1, "{dropped:#?}");
    opened.end().await;
}

#[tokio::test]
async fn what_another_origin_does_not_show_is_not_known() {
    let opened = Opened::at("network.html").await;
    opened.traffic().await;
    let foreign = opened.asks("Foreign", "foreign").await;
    let image = one(&foreign);
    assert_eq!((image.kind.as_str(), image.status, image.failed, image.bytes), ("img", None, None, None), "{image:?}");
    opened.end().await;
}

#[tokio::test]
async fn a_page_that_hides_its_list_is_said_to_and_is_usable_all_the_same() {
    let opened = Opened::at("network.html?hiding").await;
    let hidden = opened.traffic().await;
    assert_eq!(hidden.requests, []);
    assert!(hidden.notes[0].contains("do not tell what they asked for"), "{hidden:?}");
    opened.press("button", "Ask").await.unwrap();
    opened.wait_log("asked").await;
    opened.end().await;
}
