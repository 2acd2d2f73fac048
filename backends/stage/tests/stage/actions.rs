//! What every action does.

use backend::Input;
use screen::States;

use crate::rig::{context, elements, open};

/// A button that runs some actions, some elements beside it, and what else the file holds.
async fn pressing(actions: &str, beside: &str, rest: &str) -> crate::rig::Rig {
    let rig = elements(
        &format!("{{ role = \"button\", id = \"go\", label = \"Go\", on_press = [{actions}] }}, {beside}"),
        rest,
    )
    .await;
    rig.press("go").await;
    rig
}

const TEXT: &str = "{ role = \"text\", id = \"out\", label = \"{n1} and {n2}\" }";
const BOX: &str = "{ role = \"checkbox\", id = \"box\", label = \"Box\" }";
const FIELD: &str = "{ role = \"text-field\", id = \"field\", label = \"Field\" }";

#[tokio::test(start_paused = true)]
async fn counters_are_counted_added_to_and_set_and_shown_in_labels() {
    let actions = "{ count = \"n1\" }, { add = { counter = \"n2\", by = -5 } }, { count = \"n1\" }";
    let rig = pressing(actions, TEXT, "[counters]\nn2 = 7\n").await;
    assert_eq!(rig.label("out").await, "2 and 2");
    let rig =
        pressing("{ set_counter = { counter = \"n1\", to = 40 } }, { count = \"n1\" }", TEXT, "[counters]\nn2 = 0\n")
            .await;
    assert_eq!(rig.label("out").await, "41 and 0");
}

#[tokio::test(start_paused = true)]
async fn set_text_changes_what_an_element_says_and_what_a_field_holds() {
    let beside = format!("{{ role = \"text\", id = \"out\", label = \"old\" }}, {FIELD}");
    let actions = "{ set_text = { id = \"field\", text = \"typed\" } }, { set_text = { id = \"out\", text = \"It holds {value:field}\" } }";
    let rig = pressing(actions, &beside, "").await;
    assert_eq!((rig.label("out").await, rig.value("field").await), ("It holds typed".into(), "typed".into()));
}

#[tokio::test(start_paused = true)]
async fn toggle_check_and_uncheck_switch_what_can_be_on() {
    for (actions, on) in [
        ("{ toggle = \"box\" }", true),
        ("{ toggle = \"box\" }, { toggle = \"box\" }", false),
        ("{ check = \"box\" }, { check = \"box\" }", true),
        ("{ check = \"box\" }, { uncheck = \"box\" }", false),
    ] {
        let rig = pressing(actions, BOX, "").await;
        assert_eq!(rig.node("box").await.is(States::CHECKED), on, "{actions}");
    }
}

#[tokio::test(start_paused = true)]
async fn toggle_opens_and_closes_what_can_be_expanded() {
    let rig = pressing(
        "{ toggle = \"more\" }",
        "{ role = \"listitem\", id = \"more\", label = \"More\", states = [\"collapsed\"] }",
        "",
    )
    .await;
    assert!(rig.node("more").await.is(States::EXPANDABLE | States::EXPANDED));
    rig.press("go").await;
    assert!(!rig.node("more").await.is(States::EXPANDED) && rig.node("more").await.is(States::EXPANDABLE));
}

#[tokio::test(start_paused = true)]
async fn select_chooses_one_of_its_container() {
    let tabs = "{ role = \"tablist\", element = [{ role = \"tab\", id = \"a\", label = \"A\", states = [\"selected\"] }, { role = \"tab\", id = \"b\", label = \"B\" }] }";
    let rig = pressing("{ select = \"b\" }", tabs, "").await;
    assert!(rig.node("b").await.is(States::SELECTED) && !rig.node("a").await.is(States::SELECTED));
}

#[tokio::test(start_paused = true)]
async fn show_and_hide_enable_and_disable_valid_and_invalid() {
    let beside = format!(
        "{FIELD}, {{ role = \"text\", id = \"ghost\", label = \"Here\", states = [\"hidden\"] }}, {{ role = \"button\", id = \"off\", label = \"Off\", states = [\"disabled\"] }}"
    );
    let rig = pressing("{ show = \"ghost\" }, { enable = \"off\" }, { invalid = \"field\" }", &beside, "").await;
    assert!(rig.find("ghost").await.is_some());
    assert!(!rig.node("off").await.is(States::DISABLED));
    assert!(rig.node("field").await.is(States::INVALID));
    let rig = pressing("{ show = \"ghost\" }, { hide = \"ghost\" }, { disable = \"off\" }, { invalid = \"field\" }, { valid = \"field\" }", &beside, "").await;
    assert!(rig.find("ghost").await.is_none());
    assert!(rig.node("off").await.is(States::DISABLED));
    assert!(!rig.node("field").await.is(States::INVALID));
}

#[tokio::test(start_paused = true)]
async fn focus_and_blur_move_the_focus() {
    let rig = pressing("{ focus = \"field\" }", FIELD, "").await;
    assert_eq!(rig.device.text_focus(&context()).await.unwrap(), Some(true));
    assert!(rig.node("field").await.is(States::FOCUSED));
    let rig = pressing("{ focus = \"field\" }, \"blur\"", FIELD, "").await;
    assert_eq!(rig.device.text_focus(&context()).await.unwrap(), Some(false));
}

#[tokio::test(start_paused = true)]
async fn screens_are_gone_to_and_come_back_from() {
    let rig = open(
        "app = \"t\"\ntitle = \"T\"\nstart = \"one\"\n\
         [[screen]]\nid = \"one\"\ntitle = \"One\"\nelement = [{ role = \"button\", id = \"to-two\", label = \"2\", on_press = [{ goto = \"two\" }] }]\n\
         [[screen]]\nid = \"two\"\ntitle = \"Two\"\non_show = [{ count = \"seen\" }]\nelement = [{ role = \"button\", id = \"to-three\", label = \"3\", on_press = [{ goto = \"three\" }] }, { role = \"text\", id = \"seen\", label = \"{seen}\" }]\n\
         [[screen]]\nid = \"three\"\ntitle = \"Three\"\nelement = [{ role = \"button\", id = \"away\", label = \"Away\", on_press = [\"home\"] }]\n",
    )
    .await;
    rig.press("to-two").await;
    rig.press("to-three").await;
    assert_eq!((rig.probe.screen(), rig.tree().await.title), ("three".into(), Some("Three".into())));
    rig.press("stage:back").await;
    assert_eq!(rig.label("seen").await, "2", "what a screen runs when it is shown ran again");
    rig.perform(Input::Back).await;
    assert_eq!(rig.probe.screen(), "one");
    assert!(rig.find("stage:back").await.is_none(), "the first screen has no way back");
    assert!(!rig.perform(Input::Back).await.warnings.is_empty(), "and says so");
    rig.press("to-two").await;
    rig.press("to-three").await;
    rig.press("away").await;
    assert_eq!(rig.probe.screen(), "one");
    assert!(rig.find("stage:back").await.is_none(), "going home forgets the way");
}

#[tokio::test(start_paused = true)]
async fn overlays_open_close_and_are_dismissed_by_back_and_by_a_press_beside() {
    let overlay = "[[overlay]]\nid = \"ask\"\nlabel = \"Sure?\"\nelement = [{ role = \"button\", id = \"yes\", label = \"Yes\", on_press = [{ close = \"ask\" }] }]\n";
    let rig = pressing("{ open = \"ask\" }", "", overlay).await;
    assert!(rig.node("ask").await.is(States::MODAL));
    rig.press("yes").await;
    assert!(rig.find("ask").await.is_none());
    rig.press("go").await;
    rig.perform(Input::Back).await;
    assert!(rig.find("ask").await.is_none());
    rig.press("go").await;
    let aim = backend::Aim { point: crate::rig::at(2.0, 2.0), node: None };
    rig.perform(crate::rig::press_at(aim)).await;
    assert!(rig.find("ask").await.is_none());
    assert_eq!(rig.probe.effects("go").presses, 3, "the press beside reached nothing below");
}

#[tokio::test(start_paused = true)]
async fn an_overlay_that_may_not_be_dismissed_stays() {
    let rig =
        pressing("{ open = \"ask\" }", "", "[[overlay]]\nid = \"ask\"\nlabel = \"Sure?\"\ndismissable = false\n").await;
    rig.perform(Input::Back).await;
    assert!(rig.find("ask").await.is_some());
}

#[tokio::test(start_paused = true)]
async fn an_alert_a_confirm_and_a_prompt_are_read_and_answered() {
    let rig = pressing("{ alert = \"Low battery\" }", "", "").await;
    let dialog = rig.device.dialog(&context()).await.unwrap().unwrap();
    assert_eq!((dialog.kind.as_str(), dialog.text.as_str(), dialog.buttons.len()), ("alert", "Low battery", 1));
    rig.perform(Input::AnswerDialog { accept: true, text: None }).await;
    assert_eq!(rig.device.dialog(&context()).await.unwrap(), None);

    let confirm = "{ confirm = { text = \"Go?\", accept = [{ count = \"n1\" }], dismiss = [{ count = \"n2\" }] } }";
    let rig = pressing(confirm, TEXT, "").await;
    rig.press("stage:ok").await;
    rig.press("go").await;
    rig.press("stage:cancel").await;
    rig.press("go").await;
    rig.perform(Input::AnswerDialog { accept: false, text: None }).await;
    assert_eq!(rig.label("out").await, "1 and 2");

    let prompt = "{ prompt = { text = \"Name?\", value = \"Ann\", into = \"field\" } }";
    let rig = pressing(prompt, FIELD, "").await;
    rig.perform(Input::AnswerDialog { accept: true, text: Some("Bob".into()) }).await;
    assert_eq!(rig.value("field").await, "Bob");
    rig.press("go").await;
    rig.fill("stage:field", "Cleo").await;
    rig.press("stage:ok").await;
    assert_eq!(rig.value("field").await, "Cleo");
}

#[tokio::test(start_paused = true)]
async fn answering_where_no_dialog_is_open_is_refused_without_a_send() {
    let rig = elements(TEXT, "[counters]\nn1 = 0\nn2 = 0\n").await;
    let request = context();
    let (failure, sends) = rig.fails(&request, Input::AnswerDialog { accept: true, text: None }).await;
    assert_eq!((failure.code, sends.any()), (contract::Code::AlertNotFound, false));
}

#[tokio::test(start_paused = true)]
async fn when_chooses_between_two_lists() {
    for (condition, holds) in [
        ("filled = \"field\"", false),
        ("empty = \"field\"", true),
        ("checked = \"box\"", false),
        ("contains = { id = \"full\", text = \"ull\" }", true),
        ("reached = { counter = \"n1\", to = 1 }", false),
        ("empty = \"field\", checked = \"box\"", false),
    ] {
        let actions = format!("{{ when = {{ {condition}, then = [{{ count = \"n2\" }}] }} }}");
        let beside = format!(
            "{TEXT}, {FIELD}, {BOX}, {{ role = \"text-field\", id = \"full\", label = \"\", value = \"full\" }}"
        );
        let rig = pressing(&actions, &beside, "[counters]\nn1 = 0\nn2 = 0\n").await;
        assert_eq!(rig.label("out").await, if holds { "0 and 1" } else { "0 and 0" }, "{condition}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_row_reacts_with_its_own_number() {
    let row = "{ role = \"listitem\", id = \"row-{n}\", label = \"Row {n}\", repeat = 500, on_press = [{ set_text = { id = \"out\", text = \"Row {n} of 500\" } }, { hide = \"row-{n}\" }] }";
    let rig = elements(&format!("{{ role = \"text\", id = \"out\", label = \"\" }}, {row}"), "").await;
    rig.press("row-437").await;
    assert_eq!(rig.label("out").await, "Row 437 of 500");
    assert!(rig.find("row-437").await.is_none() && rig.find("row-438").await.is_some());
}

#[tokio::test(start_paused = true)]
async fn a_screen_that_shows_itself_for_ever_comes_to_an_end() {
    let rig =
        open("app = \"t\"\ntitle = \"T\"\nstart = \"one\"\n[[screen]]\nid = \"one\"\non_show = [{ goto = \"one\" }]\n")
            .await;
    assert_eq!(rig.probe.screen(), "one");
}
