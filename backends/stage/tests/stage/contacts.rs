//! What presses, swipes and scrolling reach and do.

use std::time::Duration;

use backend::{Aim, Aimed, Input, ScrollTo, TouchPlan};
use contract::{Code, command::Button};
use screen::States;

use crate::rig::{at, context, elements, press_at};

#[tokio::test(start_paused = true)]
async fn a_press_is_counted_once_and_told_by_the_attributes() {
    let rig =
        elements("{ role = \"button\", id = \"go\", label = \"{taps}\", on_press = [{ count = \"taps\" }] }", "").await;
    let receipt = rig.press("go").await;
    assert_eq!(receipt.events, ["press [button] \"1\""].map(|_| "press [button] \"0\""));
    let key = rig.key("go").await;
    let facts = rig.device.attributes(&context(), key).await.unwrap().unwrap();
    assert_eq!((facts["presses"].as_u64(), facts["longPresses"].as_u64()), (Some(1), Some(0)));
    assert_eq!(rig.label("go").await, "1");
}

#[tokio::test(start_paused = true)]
async fn a_press_held_for_half_a_second_is_a_long_press() {
    let rig = elements(
        "{ role = \"button\", id = \"both\", label = \"{short} {long}\", on_press = [{ count = \"short\" }], on_long_press = [{ count = \"long\" }] }, \
         { role = \"checkbox\", id = \"box\", label = \"Box\" }",
        "",
    )
    .await;
    let aim = rig.target("both").await;
    rig.perform(Input::Press { aim, button: Button::Primary, hold_ms: 499 }).await;
    rig.perform(Input::Press { aim, button: Button::Primary, hold_ms: 500 }).await;
    assert_eq!(rig.label("both").await, "1 1");
    assert_eq!((rig.probe.effects("both").presses, rig.probe.effects("both").long_presses), (2, 1));
    let aim = rig.target("box").await;
    rig.perform(Input::Press { aim, button: Button::Primary, hold_ms: 900 }).await;
    assert!(rig.node("box").await.is(States::CHECKED), "without a reaction of its own it is a press");
}

#[tokio::test(start_paused = true)]
async fn a_double_press_is_two_sends_and_one_double_press() {
    let rig = elements("{ role = \"button\", id = \"go\", label = \"{one} {two}\", on_press = [{ count = \"one\" }], on_double_press = [{ count = \"two\" }] }", "").await;
    let aim = rig.target("go").await;
    let request = context();
    rig.device.perform(&request, Input::DoublePress { aim }).await.unwrap();
    assert_eq!(request.ledger.sends().completed, 2);
    assert_eq!(rig.label("go").await, "2 1");
    rig.press("go").await;
    rig.press("go").await;
    assert_eq!(rig.label("go").await, "4 1", "two presses in a row are no double press");
}

#[tokio::test(start_paused = true)]
async fn presses_turn_switches_choose_radios_and_tabs() {
    let rig = elements(
        "{ role = \"switch\", id = \"on\", label = \"On\" }, { role = \"radio\", id = \"a\", label = \"A\", states = [\"checked\"] }, { role = \"radio\", id = \"b\", label = \"B\" }, \
         { role = \"checkbox\", id = \"half\", label = \"Half\", states = [\"mixed\"] }",
        "",
    )
    .await;
    for id in ["on", "b", "half"] {
        rig.press(id).await;
        assert!(rig.node(id).await.is(States::CHECKABLE | States::CHECKED), "{id}");
    }
    assert!(!rig.node("a").await.is(States::CHECKED) && !rig.node("half").await.is(States::MIXED));
}

#[tokio::test(start_paused = true)]
async fn a_contact_at_a_bare_point_reaches_what_is_topmost() {
    let rig = elements(
        "{ role = \"button\", id = \"below\", label = \"Below\", rect = { x = 0, y = 0, width = 100, height = 50 } }, \
         { role = \"button\", id = \"above\", label = \"Above\", z = 1, rect = { x = 0, y = 0, width = 100, height = 50 } }, \
         { role = \"button\", id = \"later\", label = \"Later\", rect = { x = 0, y = 0, width = 100, height = 50 } }",
        "",
    )
    .await;
    rig.perform(press_at(Aim { point: rig.node("below").await.rect.centre(), node: None })).await;
    assert_eq!(["below", "above", "later"].map(|id| rig.probe.effects(id).presses), [0, 1, 0]);
}

#[tokio::test(start_paused = true)]
async fn a_press_on_what_is_disabled_or_inert_does_nothing_and_says_so() {
    let rig = elements(
        "{ role = \"button\", id = \"off\", label = \"Off\", states = [\"disabled\"] }, \
         { role = \"group\", states = [\"disabled\"], element = [{ role = \"checkbox\", id = \"inner\", label = \"Inner\" }] }, \
         { role = \"button\", id = \"inert\", label = \"Inert\", states = [\"inert\"] }",
        "",
    )
    .await;
    for id in ["off", "inner", "inert"] {
        let point = rig.node(id).await.rect.centre();
        let receipt = rig.perform(press_at(Aim { point, node: None })).await;
        assert_eq!(receipt.warnings.len(), 1, "{id}");
        let effects = rig.probe.effects(id);
        assert_eq!((effects.presses, effects.ignored), (0, 1), "{id}");
    }
    assert!(!rig.node("inner").await.is(States::CHECKED));
    assert!(rig.node("inner").await.is(States::DISABLED), "disabled with its container");
}

#[tokio::test(start_paused = true)]
async fn a_press_on_a_text_in_a_row_is_the_rows() {
    let rig = elements("{ role = \"listitem\", id = \"row\", on_press = [{ count = \"hits\" }], element = [{ role = \"text\", id = \"in\", label = \"{hits}\" }] }", "").await;
    rig.press("in").await;
    assert_eq!((rig.label("in").await.as_str(), rig.probe.effects("row").presses), ("1", 1));
    assert!(rig.node("row").await.is(States::INTERACTIVE | States::CLICKABLE));
}

#[tokio::test(start_paused = true)]
async fn a_press_through_layer_lets_contacts_pass() {
    let rig = elements(
        "{ role = \"button\", id = \"go\", label = \"Go\", rect = { x = 0, y = 0, width = 100, height = 50 } }, \
         { role = \"image\", id = \"tint\", label = \"Tint\", states = [\"press-through\"], rect = { x = 0, y = 0, width = 300, height = 300 } }",
        "",
    )
    .await;
    rig.press("go").await;
    assert_eq!(rig.probe.effects("go").presses, 1);
}

#[tokio::test(start_paused = true)]
async fn hovering_runs_what_it_should() {
    let rig = elements("{ role = \"button\", id = \"go\", label = \"{h}\", on_hover = [{ count = \"h\" }] }", "").await;
    let aim = rig.target("go").await;
    rig.perform(Input::Hover { aim }).await;
    assert_eq!(
        (rig.label("go").await.as_str(), rig.probe.effects("go").hovers, rig.probe.effects("go").presses),
        ("1", 1, 0)
    );
}

#[tokio::test(start_paused = true)]
async fn a_swipe_runs_its_direction_or_scrolls_what_lies_there() {
    let rig = elements(
        "{ role = \"group\", id = \"pad\", label = \"Pad\", height = 100, on_swipe = { left = [{ count = \"l\" }], up = [{ count = \"u\" }] } }, \
         { role = \"text\", id = \"out\", label = \"{l} {u}\" }, \
         { role = \"list\", id = \"list\", height = 300, element = [{ role = \"listitem\", id = \"row-{n}\", label = \"Row {n}\", repeat = 50 }] }",
        "",
    )
    .await;
    let pad = rig.node("pad").await.rect.centre();
    rig.perform(Input::Swipe { from: pad, to: at(pad.x - 90.0, pad.y), duration_ms: 100 }).await;
    rig.perform(Input::Swipe { from: pad, to: at(pad.x, pad.y - 40.0), duration_ms: 100 }).await;
    assert_eq!((rig.label("out").await.as_str(), rig.probe.effects("pad").swipes), ("1 1", 2));
    let list = rig.node("list").await.rect.centre();
    let before = rig.node("row-1").await.rect.y;
    let receipt = rig.perform(Input::Swipe { from: list, to: at(list.x, list.y - 120.0), duration_ms: 100 }).await;
    assert_eq!((receipt.moved, receipt.more), (Some((0.0, 120.0)), Some(true)));
    assert_eq!(rig.node("row-1").await.rect.y, before - 120.0);
}

#[tokio::test(start_paused = true)]
async fn scrolling_says_how_far_it_moved_and_whether_more_is_left() {
    let rig = elements("{ role = \"list\", id = \"list\", height = 300, element = [{ role = \"listitem\", id = \"row-{n}\", label = \"Row {n}\", repeat = 20 }] }", "").await;
    let list = Some(rig.key("list").await);
    let row = Some(rig.key("row-3").await);
    let room = 20.0 * 52.0 - 300.0;
    for (within, to, moved, more) in [
        (list, ScrollTo::Share { x: 0.0, y: 0.5 }, 150.0, true),
        (row, ScrollTo::Pixels { x: 0.0, y: 10.0 }, 10.0, true),
        (None, ScrollTo::Bottom, room - 160.0, false),
        (list, ScrollTo::Pixels { x: 0.0, y: 10.0 }, 0.0, false),
        (list, ScrollTo::Top, -room, false),
    ] {
        let receipt = rig.perform(Input::Scroll { within, to }).await;
        assert_eq!((receipt.moved, receipt.more), (Some((0.0, moved)), Some(more)), "{to:?}");
    }
    assert_eq!(rig.probe.effects("list").scrolls, 5);
}

#[tokio::test(start_paused = true)]
async fn rows_side_by_side_scroll_sideways() {
    let rig = elements("{ role = \"scroll\", id = \"strip\", row = true, height = 60, element = [{ role = \"button\", id = \"b-{n}\", label = \"Button {n}\", width = 120, repeat = 10 }] }", "").await;
    assert!(!rig.node("b-9").await.is(States::VISIBLE));
    rig.press("b-9").await;
    assert_eq!(rig.probe.effects("b-9").presses, 1);
}

#[tokio::test(start_paused = true)]
async fn where_nothing_scrolls_a_scroll_says_so() {
    let rig = elements("{ role = \"text\", label = \"short\" }", "").await;
    let receipt = rig.perform(Input::Scroll { within: None, to: ScrollTo::Bottom }).await;
    assert_eq!((receipt.moved, receipt.more, receipt.warnings.len()), (Some((0.0, 0.0)), Some(false), 1));
}

#[tokio::test(start_paused = true)]
async fn a_contact_for_what_has_left_or_been_covered_since_the_look_reaches_nothing() {
    let rig = elements(
        "{ role = \"button\", id = \"leaves\", label = \"Leaves\", disappear_after_ms = 500 }, \
         { role = \"button\", id = \"below\", label = \"Below\", rect = { x = 0, y = 300, width = 200, height = 48 } }, \
         { role = \"button\", id = \"covers\", label = \"Covers\", appear_after_ms = 500, rect = { x = 0, y = 300, width = 200, height = 48 } }",
        "",
    )
    .await;
    let (leaves, below) = (rig.target("leaves").await, rig.target("below").await);
    tokio::time::advance(Duration::from_millis(600)).await;
    let plan = TouchPlan::pan(below.point, at(below.point.x, below.point.y + 40.0), 100);
    for (input, code) in [
        (press_at(leaves), Code::ElementNotFound),
        (press_at(below), Code::ElementCovered),
        (Input::DoublePress { aim: below }, Code::ElementCovered),
        (Input::Hover { aim: below }, Code::ElementCovered),
        (Input::Touch { plan, node: below.node }, Code::ElementCovered),
    ] {
        let (failure, sends) = rig.fails(&context(), input).await;
        assert_eq!((failure.code, sends.any()), (code, false), "{failure}");
    }
    assert_eq!(rig.probe.log(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_press_of_a_parent_never_lands_on_a_control_inside_it() {
    let rig = elements(
        "{ role = \"listitem\", id = \"part\", label = \"Part\", padding = 0, gap = 0, row = true, width = 300, height = 48, \
           on_press = [{ count = \"parts\" }], element = [{ role = \"text\", label = \"Text\", width = 60 }, { role = \"button\", id = \"inner\", label = \"Inner\", width = 180, height = 48 }] }, \
         { role = \"listitem\", id = \"full\", label = \"Full\", padding = 0, gap = 0, row = true, width = 300, height = 48, \
           element = [{ role = \"button\", id = \"one\", label = \"One\", width = 150, height = 48 }, { role = \"button\", id = \"two\", label = \"Two\", width = 150, height = 48 }] }",
        "",
    )
    .await;
    rig.press("part").await;
    assert_eq!((rig.probe.effects("part").presses, rig.probe.effects("inner").presses), (1, 0));
    match rig.aim("full").await {
        Aimed::Covered { by, .. } => assert!(by.contains("One") || by.contains("Two"), "{by}"),
        other => panic!("{other:?}"),
    }
}
