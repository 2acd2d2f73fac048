//! What a trace of a real page tells of its network, end to end: a request that works, one that fails, one with a secret in its
//! query; from before the page is open, for a session and for a replayed script.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::{fs, path::Path};

use contract::trace::{Entry, Exchange, FILE};
use proof::{program::Program, site::Site};

/// With what an address has to encode.
const SECRET: &str = "open sesame/7&more";

const PAGE: &str = r#"
<label>Word <input id="word" autocomplete="off"></label>
<button id="works">Works</button><button id="breaks">Breaks</button><button id="leaves">Leaves</button>
<p role="status" id="said"></p>
<script>
  const say = (text) => { document.getElementById("said").textContent = text; };
  // Read to its end: a browser does not list an answer before.
  const asked = (address) => fetch(address).then((answer) => answer.text().then(() => say(answer.ok ? "Worked" : "Broke")));
  document.getElementById("works").onclick = () =>
    asked("/other?" + new URLSearchParams({ word: document.getElementById("word").value }) + "&again=" + encodeURIComponent(document.getElementById("word").value));
  document.getElementById("breaks").onclick = () => asked("/nowhere");
  document.getElementById("leaves").onclick = () => { location.href = "/other"; };
</script>"#;

fn entries(folder: &Path) -> Vec<Entry> {
    let text = fs::read_to_string(folder.join(FILE)).unwrap();
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What a command's app asked for below a path.
fn asked<'a>(entry: &'a Entry, path: &str) -> Vec<&'a Exchange> {
    let network = entry.network.as_ref().unwrap_or_else(|| panic!("nobody looked: {entry:?}"));
    network.requests.iter().filter(|one| one.url.contains(path)).collect()
}

/// None of its spellings stands anywhere.
fn tells_nothing(text: &str) {
    for secret in ["sesame", "open%20", "open+s"] {
        assert!(!text.contains(secret), "{secret} stands in it");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_tells_what_each_step_asked_of_the_network_and_keeps_secrets() {
    if std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_BROWSER").is_some() {
        return;
    }
    let site = Site::with(PAGE).await;
    // The site knows no path with a query: what has the secret in it is answered by 404, and told as that.
    let program = Program::new();
    program.does(&["trace", "start"]).await;
    let open = site.url.replace("http://", "http://ann:hidden@");
    program.does(&["open", &open, "--platform", "web"]).await;
    // A page whose address has a user cannot fetch anything by a relative one.
    program.does(&["open", &site.url]).await;
    program.does(&["fill", "id=word", SECRET, "--record-as", "WORD"]).await;
    program.does(&["press", "id=works"]).await;
    program.does(&["wait", "text", "Broke"]).await;
    program.does(&["press", "id=breaks", "--settle"]).await;
    program.does(&["press", "id=leaves", "--settle"]).await;
    let page = program.folder().join("session.html");
    let stopped = program.does(&["trace", "stop", "--out", page.to_str().unwrap()]).await;
    let entries = entries(Path::new(stopped["folder"].as_str().unwrap()));
    let names: Vec<_> = entries.iter().map(|entry| entry.command.as_str()).collect();
    assert_eq!(names, ["open", "open", "fill", "press", "wait", "press", "press"]);

    // The first step has what it showed, and the document that it asked for.
    assert!(entries[0].before.is_none() && entries[0].after.as_ref().unwrap().picture.is_some(), "{:?}", entries[0]);
    let document = asked(&entries[0], "127.0.0.1");
    assert_eq!((document[0].kind.as_str(), document[0].failed), ("navigation", Some(false)), "{document:?}");
    assert_eq!(document[0].status, Some(200));
    assert!(document[0].url.starts_with(&site.url), "no user, no password: {document:?}");

    // A request is told with the command during which it ended.
    let with_secret: Vec<_> = entries[3..5].iter().flat_map(|entry| asked(entry, "/other?")).collect();
    let [one] = with_secret[..] else { panic!("{with_secret:?}") };
    assert!(one.url.ends_with("/other?word=${WORD}&again=${WORD}"), "{one:?}");
    assert_eq!((one.kind.as_str(), one.status, one.failed), ("fetch", Some(404), Some(true)));
    let [broken] = asked(&entries[5], "/nowhere")[..] else { panic!("{:?}", entries[5].network) };
    assert_eq!((broken.status, broken.failed), (Some(404), Some(true)));
    assert!(broken.start_ms >= 0 && broken.start_ms <= 30_000, "{broken:?}");
    let [left] = asked(&entries[6], "/other")[..] else { panic!("{:?}", entries[6].network) };
    assert_eq!((left.kind.as_str(), left.status), ("navigation", Some(200)), "{left:?}");

    let shown = fs::read_to_string(&page).unwrap();
    assert!(shown.contains("/nowhere") && shown.contains("${WORD}"));
    for text in [&shown, &fs::read_to_string(Path::new(stopped["folder"].as_str().unwrap()).join(FILE)).unwrap()] {
        tells_nothing(text);
        assert!(!text.contains("hidden@") && !text.contains("ann:"), "a user stands in it");
    }
    program.does(&["close"]).await;
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replayed_script_has_the_step_that_opens_the_page_in_its_trace() {
    if std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_BROWSER").is_some() {
        return;
    }
    let site = Site::with(PAGE).await;
    let program = Program::new();
    let script = format!("context platform=web\nopen \"{}\"\npress id=breaks --settle\nclose\n", site.url);
    fs::write(program.folder().join("flow.ad"), script).unwrap();
    let done = program.does(&["replay", "flow.ad", "--trace=flow.html"]).await;
    let page = fs::read_to_string(done["trace"].as_str().unwrap()).unwrap();
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let call = |step: usize| &data["runs"][0]["steps"][step]["calls"][0];
    assert!(call(0)["before"].is_null() && call(0)["after"]["picture"].is_u64(), "{:#}", call(0));
    assert_eq!(call(0)["network"]["requests"][0]["kind"], "navigation", "{:#}", call(0));
    assert_eq!(call(1)["before"]["picture"], call(0)["after"]["picture"], "what open left is what press found");
    let failed = call(1)["network"]["requests"].as_array().unwrap().iter().find(|one| one["failed"] == true).unwrap();
    assert!(failed["url"].as_str().unwrap().ends_with("/nowhere"), "{failed:#}");
    program.end().await;
}
