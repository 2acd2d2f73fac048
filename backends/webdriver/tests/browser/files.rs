//! Uploads, downloads, screenshots.

use backend::Input;
use contract::Code;

use crate::support::{Opened, by_id, context, is_chrome, row};

#[tokio::test(flavor = "multi_thread")]
async fn files_reach_the_page_and_what_is_wrong_with_them_is_said_before() {
    let page = Opened::at("files.html").await;
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    };
    let (a, b) = (file("a b.txt", "alpha"), file("ü.txt", "beta"));
    let tree = page.tree().await;
    let key = |id: &str| by_id(&tree, id).unwrap().key.unwrap();
    page.perform(Input::Upload { node: key("one"), files: vec![a.clone()] }).await.0.unwrap();
    page.wait_log("a b.txt:alpha").await;
    page.perform(Input::Upload { node: key("many"), files: vec![a.clone(), b.clone()] }).await.0.unwrap();
    page.wait_log("a b.txt:alpha ü.txt:beta").await;
    // Again: what was there is replaced.
    page.perform(Input::Upload { node: key("many"), files: vec![b.clone()] }).await.0.unwrap();
    page.wait_log("ü.txt:beta").await;

    for (id, reason) in [("shut", "disabled"), ("inert", "inert")] {
        let (result, sends) = page.perform(Input::Upload { node: key(id), files: vec![a.clone()] }).await;
        let failure = result.unwrap_err();
        assert_eq!((row(&failure), failure.reason_str()), ("daemon.refusal.disabled", Some(reason)), "{id}");
        assert!(!sends.any(), "{id}");
    }
    let receipt = page.perform(Input::Upload { node: key("dropped"), files: vec![a.clone()] }).await.0.unwrap();
    assert!(receipt.warnings.iter().any(|warning| warning.contains("empty again")), "{receipt:?}");
    if is_chrome() {
        let (result, sends) = page.perform(Input::Upload { node: key("swapped"), files: vec![a.clone()] }).await;
        let failure = result.unwrap_err();
        assert_eq!((failure.code, failure.reason_str()), (Code::TextMismatch, Some("files_mismatch")), "{failure}");
        assert!(sends.any());
    }

    let missing = folder.path().join("missing").to_string_lossy().into_owned();
    let (result, sends) = page.perform(Input::Upload { node: key("one"), files: vec![a.clone(), missing] }).await;
    let failure = result.unwrap_err();
    assert_eq!(
        (row(&failure), failure.reason_str()),
        ("daemon.refusal.upload-file-missing", Some("upload_file_missing"))
    );
    assert!(!sends.any());

    if is_chrome() {
        let (result, sends) = page.perform(Input::Upload { node: key("one"), files: vec![a.clone(), b] }).await;
        let failure = result.unwrap_err();
        assert_eq!((row(&failure), failure.code), ("webdriver.keys.invalid", Code::InvalidArgs), "{failure}");
        assert!(!sends.any());
    }
    let button = page.key("button", "No file").await;
    let (result, sends) = page.perform(Input::Upload { node: button, files: vec![a] }).await;
    assert_eq!(result.unwrap_err().reason_str(), Some("not_a_file_field"));
    assert!(!sends.any());
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_saves_is_listed_with_its_size() {
    if !page_can_download() {
        return;
    }
    let page = Opened::at("files.html").await;
    assert_eq!(page.device.downloads(&context()).await.unwrap(), []);
    page.press("link", "First").await.unwrap();
    page.wait_for("the download", async || {
        page.device.downloads(&context()).await.unwrap().iter().any(|download| download.complete)
    })
    .await;
    let listed = page.device.downloads(&context()).await.unwrap();
    assert_eq!((listed.len(), listed[0].bytes, listed[0].complete), (1, 10_000, true), "{listed:?}");
    assert!(listed[0].path.ends_with("/first.bin"));
    assert_eq!(std::fs::read(&listed[0].path).unwrap().len(), 10_000);
    page.end().await;
}

fn page_can_download() -> bool {
    crate::support::browser() != contract::command::Browser::Webkit
}

/// Width and height from a PNG's header.
fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(png.get(1..4), Some(&b"PNG"[..]));
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_are_of_the_viewport_or_of_the_whole_page() {
    let page = Opened::at("files.html").await;
    let picture = page.device.screenshot(&context(), false).await.unwrap();
    assert_eq!((size(&picture.png), picture.scale), ((1280, 800), 1.0));
    page.perform(Input::Scroll { within: None, to: backend::ScrollTo::Pixels { x: 0.0, y: 300.0 } }).await.0.unwrap();
    if crate::support::browser() == contract::command::Browser::Webkit {
        assert_eq!(page.device.screenshot(&context(), true).await.unwrap_err().code, Code::UnsupportedOperation);
    } else {
        let whole = page.device.screenshot(&context(), true).await.unwrap();
        assert!(size(&whole.png).1 > 2500, "{:?}", size(&whole.png));
        assert_eq!(whole.origin.y, -300.0);
    }
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phones_picture_has_its_pixel_ratio() {
    if !is_chrome() {
        return;
    }
    let page = Opened::with("blank.html", |open| open.mobile = Some("390x844@3".parse().unwrap())).await;
    let picture = page.device.screenshot(&context(), false).await.unwrap();
    assert_eq!((size(&picture.png), picture.scale), ((1170, 2532), 3.0));
    page.end().await;
}
