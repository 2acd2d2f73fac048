//! Why the reply to a request is asked for, and the request not sent again: what Appium's own keys do, with a script in a
//! real browser that counts its runs.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test: what it does not expect has to fail it")]

use std::time::Duration;

use proof::{
    appium::Appium,
    patience::{soon, within},
    site::Site,
    web::ask,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// Tells the site that it has begun, and then that it has run: in between it takes its time.
const SLOW: &str = "hit('begun'); return new Promise(done => setTimeout(() => { hit('ran'); done('done') }, 600))";
/// How long a question that is never answered is waited for.
const SILENCE: Duration = Duration::from_secs(1);
/// Replies that Appium keeps, of all its clients together.
const KEPT: usize = 64;

struct Browser {
    appium: Appium,
    site: Site,
    path: String,
}

impl Browser {
    async fn open() -> Self {
        let appium = Appium::start().await;
        let site = Site::with("<p>here").await;
        let mut wanted = appium.for_browser();
        wanted["browserName"] = "chrome".into();
        wanted["goog:chromeOptions"]["args"] = json!(["--headless", "--no-sandbox", "--disable-gpu"]);
        let body = json!({"capabilities": {"alwaysMatch": wanted}}).to_string();
        let said = ask(&appium.authority, "POST", "/session", &body).await;
        let path = format!("/session/{}", said["value"]["sessionId"].as_str().unwrap_or_else(|| panic!("{said}")));
        let gone = ask(&appium.authority, "POST", &format!("{path}/url"), &json!({"url": site.url}).to_string()).await;
        assert_eq!(gone, json!({"value": null}));
        Self { appium, site, path }
    }

    /// Sends the script under a key, as it is or as a question that cannot run; the connection.
    async fn sent(&self, key: &str, question: bool) -> TcpStream {
        let body = json!({"script": SLOW, "args": []}).to_string();
        let overridden = if question { "x-http-method-override: LOCK\r\n" } else { "" };
        let head = format!(
            "POST {}/execute/sync HTTP/1.1\r\nhost: appium\r\nx-idempotency-key: {key}\r\n{overridden}\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.path,
            body.len()
        );
        let mut stream = soon("a connection", TcpStream::connect(&self.appium.authority)).await.unwrap();
        stream.write_all((head + &body).as_bytes()).await.unwrap();
        stream
    }

    async fn has(&self, what: &str, times: u32) {
        assert!(within(Duration::from_secs(10), || self.site.hits(what) >= times).await, "{what} {times} times");
    }

    async fn end(mut self) {
        ask(&self.appium.authority, "DELETE", &self.path, "").await;
        self.appium.kill().await;
    }
}

/// What comes on a connection; empty where nothing does.
async fn heard(stream: &mut TcpStream, limit: Duration) -> String {
    let mut bytes = vec![0; 65536];
    match timeout(limit, stream.read(&mut bytes)).await {
        Ok(Ok(count)) => String::from_utf8_lossy(&bytes[..count]).into_owned(),
        Ok(Err(_)) | Err(_) => String::new(),
    }
}

const LONG: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_request_that_is_sent_again_while_the_first_one_is_cut_off_runs_twice_and_a_question_does_not() {
    let browser = Browser::open().await;
    let first = browser.sent("again", false).await;
    browser.has("begun", 1).await;
    let mut again = browser.sent("again", false).await;
    // Until it waits for the first one's reply: nothing else can be seen of it.
    assert_eq!(heard(&mut again, Duration::from_millis(150)).await, "");
    drop(first);
    assert!(heard(&mut again, LONG).await.contains("done"));
    assert_eq!(browser.site.hits("ran"), 2, "Appium runs it a second time: if it no longer does, see docs/adr/0012");

    let first = browser.sent("question", false).await;
    browser.has("begun", 3).await;
    let mut question = browser.sent("question", true).await;
    assert_eq!(heard(&mut question, Duration::from_millis(150)).await, "");
    drop(first);
    assert!(heard(&mut question, LONG).await.contains("unknown command"));
    browser.has("ran", 3).await;
    let said = ask(&browser.appium.authority, "GET", &format!("{}/title", browser.path), "").await;
    assert_eq!((&said["value"], browser.site.hits("begun")), (&Value::from("Ground"), 3));
    browser.end().await;
}

#[tokio::test]
async fn a_reply_is_forgotten_after_64_others_or_when_its_connection_goes_and_then_only_a_question_runs_nothing() {
    let browser = Browser::open().await;
    // Its connection went while it ran: nothing is ever answered.
    drop({
        let first = browser.sent("gone", false).await;
        browser.has("begun", 1).await;
        first
    });
    browser.has("ran", 1).await;
    let mut question = browser.sent("gone", true).await;
    assert_eq!(heard(&mut question, SILENCE).await, "");

    // Kept, then pushed out.
    for (key, question, runs) in [("pushed", true, 0), ("out", false, 1)] {
        let before = browser.site.hits("ran");
        let mut first = browser.sent(key, false).await;
        assert!(heard(&mut first, LONG).await.contains("done"));
        let mut kept = browser.sent(key, question).await;
        assert!(heard(&mut kept, LONG).await.contains("done"), "it is kept");
        assert_eq!(browser.site.hits("ran") - before, 1);
        for other in 0..KEPT {
            let mut stream = browser.sent(&format!("{key} {other}"), true).await;
            assert!(heard(&mut stream, LONG).await.contains("unknown command"));
        }
        let mut again = browser.sent(key, question).await;
        let said = heard(&mut again, LONG).await;
        assert!(said.contains(if question { "unknown command" } else { "done" }), "{said}");
        assert_eq!(browser.site.hits("ran") - before - 1, runs, "{key}");
    }
    browser.end().await;
}
