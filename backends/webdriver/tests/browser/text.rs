//! Filling and typing.

use backend::{Aim, Field, Input, Receipt};
use contract::{Code, Dispatched, Failure, Point, Sends};
use screen::NodeKey;

use crate::support::{Opened, by_id, context, is_chrome, is_webkit, row};

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

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_a_text_carries_neither_leave_the_field_nor_are_typed() {
    let page = Opened::at("guarded.html").await;
    let (result, sends) = fill(&page, "q", "one\ttwo", 0).await;
    let failure = result.unwrap_err();
    assert_eq!(
        (row(&failure), failure.reason_str()),
        ("webdriver.fill.refused-by-field", Some("control_character_in_single_line_field"))
    );
    assert!(!sends.any() && value(&page, "q").await.value.is_empty());
    for text in ["one\ttwo\nthree", "a\u{1b}b", "icon \u{e004}"] {
        fill(&page, "notes", text, 0).await.0.unwrap();
        assert_eq!(value(&page, "notes").await.value, text);
        assert_eq!(value(&page, "next").await.value, "", "nothing of it reached the next field");
    }
    fill(&page, "rich", "left\tright", 0).await.0.unwrap();
    assert_eq!(value(&page, "rich").await.value, "left\tright");

    let node = by_id(&page.tree().await, "q").unwrap().key.unwrap();
    page.press_key(node).await.unwrap();
    for text in ["x\u{1b}", "\u{e004}y"] {
        let (result, sends) = page.perform(Input::Type { text: text.to_owned() }).await;
        let failure = result.unwrap_err();
        assert_eq!((failure.code, failure.reason_str()), (Code::InvalidArgs, Some("control_character")), "{text:?}");
        assert!(!sends.any());
    }
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_text_goes_in_parts_and_a_very_long_one_at_once() {
    let page = Opened::at("guarded.html").await;
    let unit = if is_webkit() { "wörd " } else { "wörd 🎉 " };
    for (id, characters, least) in [("q", 1_200, 4), ("notes", 20_000, 1), ("rich", 5_000, 1)] {
        let text: String = unit.chars().cycle().take(characters - 1).chain(['.']).collect();
        let began = std::time::Instant::now();
        let (result, sends) = fill(&page, id, &text, 0).await;
        result.unwrap();
        assert!(value(&page, id).await.value == text, "{id}");
        // The focus and three parts of up to 500 characters; or one call that sets it.
        assert_eq!((sends.completed, sends.open), (least, 0), "{id}");
        assert!(began.elapsed() < std::time::Duration::from_secs(10), "{id} took {:?}", began.elapsed());
    }
    let (result, sends) = fill(&page, "limited", &"x".repeat(3_000), 0).await;
    let failure = result.unwrap_err();
    assert_eq!((row(&failure), failure.reason_str()), ("webdriver.fill.refused-by-field", Some("too_long")));
    assert!(!sends.any());
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn filling_stops_between_two_parts_when_its_caller_leaves() {
    let page = Opened::at("guarded.html").await;
    let node = by_id(&page.tree().await, "q").unwrap().key.unwrap();
    let aim = Aim { point: Point { x: 0.0, y: 0.0 }, node: Some(node) };
    let context = context();
    let filling = page.device.perform(&context, Input::Fill { aim, text: "z".repeat(2_000), delay_ms: 0 });
    let leaving = async {
        page.wait_until(|| context.ledger.sends().completed > 1, "the first part").await;
        context.cancel.cancel();
    };
    let (result, ()) = tokio::join!(filling, leaving);
    assert_eq!(result.unwrap_err().code, Code::Cancelled);
    let length = value(&page, "q").await.value.chars().count();
    assert!((500..2_000).contains(&length), "{length}");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_that_interrupts_a_fill_is_no_proof_that_nothing_was_done() {
    if !is_chrome() {
        return;
    }
    let page = Opened::at("asking.html").await;
    for (id, text, dialog) in [("plan", "Paid", "plan Paid"), ("level", "7", "level?")] {
        let (result, sends) = fill(&page, id, text, 0).await;
        let receipt = result.unwrap_or_else(|failure| panic!("{id}: {failure}"));
        assert_eq!(receipt.opened.as_deref(), Some(dialog));
        assert!(sends.any(), "{id}: it counts as possibly done");
        page.perform(Input::AnswerDialog { accept: true, text: None }).await.0.unwrap();
        assert_eq!(value(&page, id).await.value, text);
    }
    for id in ["name", "rich"] {
        let (result, sends) = fill(&page, id, "new", 0).await;
        let failure = result.unwrap_err();
        assert_eq!((failure.code, failure.reason_str()), (Code::AlertOpen, Some("alert_open")), "{id}: {failure}");
        assert_eq!(failure.claim().map(|claim| claim.dispatched), Some(Dispatched::Unknown), "{id}");
        assert_eq!(row(&failure), "webdriver.input.interrupted");
        assert!(sends.any(), "{id}");
        page.perform(Input::AnswerDialog { accept: true, text: None }).await.0.unwrap();
    }
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_enter_key_submits_a_form_right_after_its_field_was_looked_at() {
    let page = Opened::at("guarded.html").await;
    let node = by_id(&page.tree().await, "q").unwrap().key.unwrap();
    page.landing(node).await;
    fill_key(&page, node, "hi", 0).await.0.unwrap();
    page.perform(Input::Type { text: "\n".to_owned() }).await.0.unwrap();
    page.wait_log("clicked submitted").await;
    // A press that was looked for and never sent leaves nothing behind either.
    page.landing(by_id(&page.tree().await, "off").unwrap().key.unwrap()).await;
    page.perform(Input::Type { text: "\n".to_owned() }).await.0.unwrap();
    page.wait_log("clicked submitted clicked submitted").await;
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_leaves_with_its_text_is_said_to_have_had_it() {
    let page = Opened::at("leaving.html").await;
    let inner = page.key("text-field", "Inner").await;
    let away = by_id(&page.tree().await, "away").unwrap().key.unwrap();
    for (node, text) in [(inner, "x"), (away, "5")] {
        fill_key(&page, node, text, 0).await.0.unwrap();
        page.wait_for("that it left", async || page.device.field(&context(), node).await.is_err()).await;
        let failure = page.device.field(&context(), node).await.unwrap_err();
        assert_eq!((failure.code, failure.reason_str()), (Code::ElementNotFound, Some("field_left_page")));
        assert!(failure.message.starts_with("the text was entered"), "{failure}");
    }
    page.end().await;
}
