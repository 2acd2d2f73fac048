//! What text does.

use backend::Input;
use screen::States;

use crate::rig::{Rig, context, elements, press_at};

async fn field(keys: &str) -> Rig {
    elements(&format!("{{ role = \"text-field\", id = \"f\", label = \"F\"{keys} }}"), "").await
}

#[tokio::test(start_paused = true)]
async fn filling_replaces_the_whole_content_in_one_send() {
    let rig = field(", value = \"before\"").await;
    let aim = rig.target("f").await;
    let request = context();
    rig.device.perform(&request, Input::Fill { aim, text: "after".into(), delay_ms: 0 }).await.unwrap();
    assert_eq!((rig.value("f").await.as_str(), request.ledger.sends().completed), ("after", 1));
    let effects = rig.probe.effects("f");
    assert_eq!((effects.fills, effects.typed_chars, effects.presses), (1, 5, 0));
    rig.fill("f", "").await;
    assert_eq!(rig.value("f").await, "");
}

#[tokio::test(start_paused = true)]
async fn typing_goes_on_where_the_focus_is() {
    let rig = field(", value = \"ab\"").await;
    rig.press("f").await;
    rig.perform(Input::Type { text: "cd".into() }).await;
    assert_eq!(rig.value("f").await, "abcd");
    assert_eq!((rig.probe.effects("f").typed_chars, rig.probe.effects("f").fills), (2, 0));
}

#[tokio::test(start_paused = true)]
async fn typing_without_a_focus_goes_nowhere_and_says_so() {
    let rig = field("").await;
    let receipt = rig.perform(Input::Type { text: "lost".into() }).await;
    assert_eq!((rig.value("f").await.as_str(), receipt.warnings.len()), ("", 1));
}

#[tokio::test(start_paused = true)]
async fn filters_and_limits_alter_what_arrives() {
    for (keys, typed, held) in [
        (", filter = \"digits-only\"", "a1b2", "12"),
        (", filter = \"letters-only\"", "a1b2", "ab"),
        (", filter = \"uppercase\"", "Straße", "STRASSE"),
        (", filter = \"lowercase\"", "ABC", "abc"),
        (", filter = \"no-spaces\"", "a b c", "abc"),
        (", filter = \"card-number\"", "12345678901", "1234 5678 901"),
        (", max_length = 3", "abcdef", "abc"),
    ] {
        let rig = field(keys).await;
        rig.fill("f", typed).await;
        assert_eq!(rig.value("f").await, held, "{keys}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_field_that_loses_fast_characters_keeps_slow_ones() {
    let rig = field(", drops_every = 3").await;
    rig.fill("f", "abcdefg").await;
    assert_eq!(rig.value("f").await, "abdeg");
    assert_eq!(rig.probe.effects("f").typed_chars, 7);
    let aim = rig.target("f").await;
    rig.perform(Input::Fill { aim, text: "abcdefg".into(), delay_ms: 50 }).await;
    assert_eq!(rig.value("f").await, "abcdefg");
}

#[tokio::test(start_paused = true)]
async fn a_masked_field_never_shows_what_it_holds() {
    let rig = field(", mask = true").await;
    rig.fill("f", "secret").await;
    assert_eq!(rig.value("f").await, "••••••");
    assert!(rig.node("f").await.is(States::PASSWORD));
    let key = rig.key("f").await;
    let field = rig.device.field(&context(), key).await.unwrap().unwrap();
    assert_eq!((field.value.as_str(), field.masked), ("••••••", true));
}

#[tokio::test(start_paused = true)]
async fn a_readonly_or_disabled_field_takes_no_text() {
    for (state, bit) in [("readonly", States::READONLY), ("disabled", States::DISABLED)] {
        let rig = field(&format!(", value = \"kept\", states = [\"{state}\"]")).await;
        assert!(rig.node("f").await.is(bit));
        let receipt = rig.fill("f", "new").await;
        assert_eq!((rig.value("f").await.as_str(), rig.probe.effects("f").fills), ("kept", 0), "{state}");
        assert!(!receipt.warnings.is_empty(), "{state}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_changed_text_and_enter_run_what_they_should() {
    let rig = elements(
        "{ role = \"text-field\", id = \"f\", label = \"F\", on_fill = [{ count = \"changed\" }], on_submit = [{ count = \"sent\" }] }, \
         { role = \"text-view\", id = \"v\", label = \"V\" }, { role = \"text\", id = \"out\", label = \"{changed} {sent}\" }",
        "",
    )
    .await;
    rig.fill("f", "x").await;
    rig.perform(Input::Type { text: "y\n".into() }).await;
    assert_eq!((rig.label("out").await.as_str(), rig.value("f").await.as_str()), ("2 1", "xy"));
    rig.fill("v", "two\nlines").await;
    assert_eq!(rig.value("v").await, "two\nlines");
    assert!(rig.node("v").await.is(States::MULTILINE));
}

#[tokio::test(start_paused = true)]
async fn filling_what_takes_no_text_presses_it_as_a_phone_would() {
    let rig = elements("{ role = \"button\", id = \"go\", label = \"Go\" }", "").await;
    let receipt = rig.fill("go", "text").await;
    assert_eq!((rig.probe.effects("go").presses, rig.probe.effects("go").typed_chars), (1, 0));
    assert!(!receipt.warnings.is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_keyboard_slides_in_covers_the_lower_part_and_goes() {
    let rig = elements(
        "{ role = \"text-field\", id = \"f\", label = \"F\" }, \
         { role = \"button\", id = \"send\", label = \"Send\", rect = { x = 0, y = 600, width = 200, height = 48 } }, \
         { role = \"text-field\", id = \"quiet\", label = \"Quiet\", keyboard = false }",
        "[keyboard]\nheight = 260\nslide_ms = 200\n",
    )
    .await;
    rig.press("quiet").await;
    assert!(rig.find("stage:keyboard").await.is_none(), "this field brings no keyboard");
    let send = rig.target("send").await;
    rig.press("f").await;
    tokio::time::advance(std::time::Duration::from_millis(100)).await;
    let half = rig.node("stage:keyboard").await.rect.y;
    tokio::time::advance(std::time::Duration::from_millis(100)).await;
    let whole = rig.node("stage:keyboard").await.rect;
    assert!(whole.y < half && (whole.y, whole.bottom()) == (520.0, 780.0));
    match rig.aim("send").await {
        backend::Aimed::Covered { by, .. } => assert_eq!(by, "[group] \"Keyboard\""),
        other => panic!("the keyboard covers it: {other:?}"),
    }
    rig.perform(press_at(backend::Aim { node: None, ..send })).await;
    assert_eq!(rig.probe.effects("send").presses, 0, "the press reached the keyboard");
    rig.press("stage:done").await;
    rig.press("send").await;
    assert_eq!(rig.probe.effects("send").presses, 1);
    rig.press("f").await;
    rig.perform(Input::Back).await;
    assert!(rig.find("stage:keyboard").await.is_none(), "Back sends it away first");
}

#[tokio::test(start_paused = true)]
async fn the_keyboard_can_be_asked_about_and_sent_away() {
    let rig = elements(
        "{ role = \"text-field\", id = \"f\", label = \"F\" }, \
         { role = \"text-field\", id = \"pin\", label = \"PIN\", mask = true, filter = \"digits-only\" }, \
         { role = \"text-field\", id = \"age\", label = \"Age\", filter = \"digits-only\" }, \
         { role = \"text-field\", id = \"quiet\", label = \"Quiet\", keyboard = false }",
        "[keyboard]\nheight = 260\nslide_ms = 0\n",
    )
    .await;
    let state = || async { rig.device.keyboard(&context()).await.unwrap() };
    assert_eq!((state().await.visible, state().await.rect, state().await.input_type), (false, None, None));
    for (field, kind) in [("f", "text"), ("pin", "password"), ("age", "number")] {
        rig.press(field).await;
        let shown = state().await;
        assert_eq!((shown.visible, shown.input_type.as_deref()), (true, Some(kind)), "{field}");
        assert_eq!(shown.rect.map(|rect| (rect.y, rect.height)), Some((520.0, 260.0)));
    }
    let request = context();
    rig.device.perform(&request, Input::HideKeyboard).await.unwrap();
    assert_eq!((request.ledger.sends().completed, state().await.visible), (1, false));
    assert!(rig.find("stage:keyboard").await.is_none(), "it is gone from the screen as well");
    rig.perform(Input::Type { text: "42".into() }).await;
    assert_eq!(rig.value("age").await, "42", "the field has kept the focus");
    rig.press("age").await;
    assert!(state().await.visible, "a press on the field brings it back");
    rig.press("quiet").await;
    assert!(!state().await.visible);
}

#[tokio::test(start_paused = true)]
async fn enter_submits_a_line_and_breaks_one_where_there_are_several() {
    let rig = elements(
        "{ role = \"text-field\", id = \"f\", label = \"F\", on_submit = [{ count = \"sent\" }], on_fill = [{ count = \"changed\" }] }, \
         { role = \"text-view\", id = \"v\", label = \"V\", on_fill = [{ count = \"changed\" }] }, \
         { role = \"text\", id = \"out\", label = \"{sent} {changed}\" }",
        "[keyboard]\n",
    )
    .await;
    let lost = rig.perform(Input::Enter).await;
    assert_eq!((rig.label("out").await.as_str(), lost.warnings.len()), ("0 0", 1), "nothing has the focus");
    rig.press("f").await;
    let receipt = rig.perform(Input::Enter).await;
    assert_eq!((rig.label("out").await.as_str(), rig.value("f").await.as_str()), ("1 0", ""));
    assert_eq!(receipt.events, ["enter [text-field] \"F\""]);
    rig.press("v").await;
    rig.perform(Input::Enter).await;
    assert_eq!((rig.label("out").await.as_str(), rig.value("v").await.as_str()), ("1 1", "\n"));
}

#[tokio::test(start_paused = true)]
async fn what_the_keyboard_covers_is_scrolled_free_where_the_screen_scrolls() {
    let rig =
        elements("{ role = \"text-field\", id = \"f-{n}\", label = \"Field {n}\", repeat = 20 }", "[keyboard]\n").await;
    rig.press("f-1").await;
    tokio::time::advance(std::time::Duration::from_secs(1)).await;
    rig.fill("f-11", "reached").await;
    assert_eq!(rig.value("f-11").await, "reached");
    assert!(rig.node("f-11").await.rect.bottom() <= 520.0);
}
