//! Filling and typing.

use backend::{Aim, Field, Input, Receipt};
use contract::{Code, Dispatched, Failure, Point, Sends};
use screen::NodeKey;

use crate::support::{Opened, by_id, context, is_webkit, row};

const HARD: &str = "héllo 日本 🎉 👨‍👩‍👧 e\u{301} \"quoted\" <b>&amp;";

async fn fill(page: &Opened, id: &str, text: &str, delay_ms: u64) -> (Result<Receipt, Failure>, Sends) {
    let node = by_id(&page.tree().await, id).unwrap_or_else(|| panic!("no #{id}")).key.unwrap();
    fill_key(page, node, text, delay_ms).await
}

async fn fill_key(page: &Opened, node: NodeKey, text: &str, delay_ms: u64) -> (Result<Receipt, Failure>, Sends) {
    let aim = Aim { point: Point { x: 0.0, y: 0.0 }, node: Some(node) };
    page.perform(Input::Fill { aim, text: text.to_owned(), delay_ms }).await
}

async fn value(page: &Opened, id: &str) -> Field {
    let node = by_id(&page.tree().await, id).unwrap().key.unwrap();
    page.device.field(&context(), node).await.unwrap().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_hold_what_was_filled_in_whatever_it_is() {
    let page = Opened::at("fields.html").await;
    for (id, text) in [
        ("name", HARD),
        ("name", ""),
        ("name", "again"),
        ("notes", "one\ntwo\n\nfour"),
        ("rich", "plain now"),
        ("digits", "2026"),
        ("loud", "8"),
        ("tint", "#ff8800"),
    ] {
        fill(&page, id, text, 0).await.0.unwrap_or_else(|failure| panic!("{id}: {failure}"));
        assert_eq!(value(&page, id).await.value, text, "{id}");
    }
    assert_eq!(page.log().await, "-", "nothing was submitted");
    fill(&page, "day", "2026-11-30", 0).await.0.unwrap();
    fill(&page, "colour", "Green", 0).await.0.unwrap();
    assert_eq!(
        (value(&page, "day").await.value.as_str(), value(&page, "colour").await.value.as_str()),
        ("2026-11-30", "Green")
    );
    assert_eq!(page.log().await, "day=2026-11-30 colour=Green");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_filling_types_one_character_after_another() {
    let page = Opened::at("fields.html").await;
    let text = if is_webkit() { "aéb" } else { "a🎉b" };
    let (result, sends) = fill(&page, "name", text, 5).await;
    result.unwrap();
    assert_eq!(value(&page, "name").await.value, text);
    // The focus, and three characters.
    assert_eq!((sends.completed, sends.open), (4, 0));
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_masked_when_read_back() {
    let page = Opened::at("fields.html").await;
    fill(&page, "secret", "hunter22", 0).await.0.unwrap();
    let field = value(&page, "secret").await;
    assert!(field.masked && !field.value.contains("hunter") && field.value.chars().count() == 8, "{field:?}");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_field_does_not_take_is_read_back_as_it_is() {
    let page = Opened::at("fields.html").await;
    fill(&page, "short", "abcdef", 0).await.0.unwrap();
    fill(&page, "digits", "a1b2", 0).await.0.unwrap();
    assert_eq!(
        (value(&page, "short").await.value.as_str(), value(&page, "digits").await.value.as_str()),
        ("abc", "12")
    );
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_cannot_take_the_text_refuses_before_anything_is_typed() {
    let page = Opened::at("fields.html").await;
    for (id, text, code, reason) in [
        ("off", "x", Code::ElementDisabled, "disabled"),
        ("fixed", "y", Code::ElementNotEditable, "readonly"),
        ("name", "two\nlines", Code::InvalidArgs, "line_break_in_single_line_field"),
        ("colour", "Purple", Code::InvalidArgs, "no_such_option"),
        ("tick", "x", Code::ElementNotEditable, "not_editable"),
    ] {
        let (result, sends) = fill(&page, id, text, 0).await;
        let failure = result.unwrap_err();
        assert_eq!((failure.code, failure.reason_str()), (code, Some(reason)), "{id}: {failure}");
        assert_eq!(failure.claim().map(|claim| claim.dispatched), Some(Dispatched::No), "{id}");
        assert_eq!(row(&failure), "webdriver.fill.refused-by-field");
        assert!(!sends.any(), "{id}: {sends:?}");
    }
    assert_eq!(value(&page, "name").await.value, "old");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_in_shadow_roots_and_in_frames_are_replaced_too() {
    let page = Opened::at("shadow.html").await;
    let node = page.key("text-field", "Deep field").await;
    for text in ["new 🎉", ""] {
        fill_key(&page, node, text, 0).await.0.unwrap();
        assert_eq!(page.device.field(&context(), node).await.unwrap().unwrap().value, text);
    }
    let address = page.site.at("scrolled.html");
    page.perform(Input::Navigate { address, load_timeout_ms: 10_000 }).await.0.unwrap();
    let tree = page.tree().await;
    let fields: Vec<NodeKey> =
        tree.nodes().iter().filter(|node| &*node.name == "Inside field").filter_map(|node| node.key).collect();
    assert_eq!(fields.len(), 3);
    for (number, node) in fields.into_iter().enumerate() {
        let text = format!("{HARD}{number}");
        fill_key(&page, node, &text, 0).await.0.unwrap();
        assert_eq!(page.device.field(&context(), node).await.unwrap().unwrap().value, text);
        if is_webkit() {
            // It does not tell the top document that a frame of it has the focus.
            continue;
        }
        assert_eq!(page.device.text_focus(&context()).await.unwrap(), Some(true));
        page.perform(Input::Type { text: "+".to_owned() }).await.0.unwrap();
        assert_eq!(page.device.field(&context(), node).await.unwrap().unwrap().value, format!("{text}+"));
    }
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn typing_goes_to_what_has_the_focus_or_nowhere() {
    let page = Opened::at("fields.html").await;
    assert_eq!(page.device.text_focus(&context()).await.unwrap(), Some(false));
    let (result, sends) = page.perform(Input::Type { text: "x".to_owned() }).await;
    let failure = result.unwrap_err();
    assert_eq!((row(&failure), failure.reason_str()), ("daemon.refusal.no-focus", Some("no_focus")));
    assert!(!sends.any());
    let node = by_id(&page.tree().await, "name").unwrap().key.unwrap();
    page.press_key(node).await.unwrap();
    assert_eq!(page.device.text_focus(&context()).await.unwrap(), Some(true));
    let typed = page.perform(Input::Type { text: "🎉".to_owned() }).await.0;
    if is_webkit() {
        // Its driver would drop it silently.
        assert_eq!(typed.unwrap_err().code, Code::UnsupportedOperation);
    } else {
        typed.unwrap();
        assert!(value(&page, "name").await.value.contains('🎉'));
    }
    page.perform(Input::Type { text: "\n".to_owned() }).await.0.unwrap();
    assert_eq!(page.log().await, "submitted");
    page.end().await;
}
