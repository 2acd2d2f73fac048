//! Hitting what is meant, or refusing.

use backend::{Aim, Aimed, Input, TouchPlan};
use contract::{Code, Point, command::Button};

use crate::support::{Opened, is_chrome, is_webkit, row};

#[tokio::test(flavor = "multi_thread")]
async fn a_press_hits_what_was_scrolled_away_and_lies_under_a_sticky_header() {
    let page = Opened::at("scrolled.html").await;
    for (name, said) in [("Far down", "far"), ("In a box", "far boxed"), ("Inside same", "far boxed inner-same")] {
        let receipt = page.press("button", name).await.unwrap();
        assert!(receipt.events.iter().any(|event| event == "click"), "{name}: {receipt:?}");
        page.wait_log(said).await;
    }
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_hits_what_is_in_frames_of_other_origins() {
    let page = Opened::at("scrolled.html").await;
    for (name, said) in [("Inside nested", "inner-nested"), ("Inside third", "inner-nested inner-third")] {
        let receipt = page.press("button", name).await.unwrap();
        assert!(receipt.events.iter().any(|event| event == "click"), "{name}: {receipt:?}");
        page.wait_log(said).await;
    }
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_waits_for_what_slides_in_and_hits_what_never_rests() {
    let page = Opened::at("moving.html").await;
    page.press("button", "Start").await.unwrap();
    page.press("button", "Sliding").await.unwrap();
    assert_eq!(page.log().await, "start sliding");
    let mut said = "start sliding".to_owned();
    for _ in 0..3 {
        page.press("button", "Endless").await.unwrap();
        said.push_str(" endless");
        assert_eq!(page.log().await, said);
    }
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_whose_target_leaves_at_the_last_moment_hits_nothing_else() {
    let page = Opened::at("moving.html").await;
    let failure = page.press("button", "Shy").await.unwrap_err();
    assert_eq!((row(&failure), failure.reason_str()), ("webdriver.press.intercepted", Some("press_intercepted")));
    assert!(failure.message.contains("Delete everything"), "{failure}");
    assert_eq!(page.log().await, "-");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_reaches_into_shadow_roots() {
    let page = Opened::at("shadow.html").await;
    page.press("button", "Deep").await.unwrap();
    assert_eq!(page.log().await, "deep");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn buttons_holds_and_double_presses_arrive_as_such() {
    let page = Opened::at("pointer.html").await;
    let key = page.key("button", "Target").await;
    let landing = page.landing(key).await;
    let aim = Aim { point: landing.point, node: Some(key) };
    page.perform(Input::Press { aim, button: Button::Secondary, hold_ms: 0 }).await.0.unwrap();
    // WebKitGTK sends a click for the secondary button too.
    let first = if is_webkit() { "contextmenu click" } else { "contextmenu" };
    assert_eq!(page.log().await, first);
    page.perform(Input::DoublePress { aim }).await.0.unwrap();
    let held = page.perform(Input::Press { aim, button: Button::Primary, hold_ms: 600 }).await.0;
    if is_webkit() {
        // Two presses in a row after a first click count as three there: a click more, and the same double click.
        assert!(page.log().await.ends_with("dblclick"), "{}", page.log().await);
        assert_eq!(held.unwrap_err().code, Code::UnsupportedOperation);
    } else {
        held.unwrap();
        assert_eq!(page.log().await, format!("{first} click click dblclick held click"));
    }
    page.perform(Input::Hover { aim: Aim { point: Point { x: 1.0, y: 1.0 }, node: None } }).await.0.unwrap();
    let hovered = page.perform(Input::Hover { aim }).await.0.unwrap();
    assert!(hovered.events.iter().any(|event| event.contains("over")), "{hovered:?}");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_point_is_pressed_without_a_guard_and_an_old_guard_does_not_stand_in_the_way() {
    let page = Opened::at("pointer.html").await;
    let other = page.key("button", "Other").await;
    let target = page.key("button", "Target").await;
    let point = page.landing(other).await.point;
    page.landing(target).await;
    let (result, sends) =
        page.perform(Input::Press { aim: Aim { point, node: None }, button: Button::Primary, hold_ms: 0 }).await;
    result.unwrap();
    assert_eq!(page.log().await, "other");
    assert_eq!((sends.completed, sends.open), (1, 0));
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_pressed_is_said_before_anything_is_sent() {
    let page = Opened::at("pointer.html").await;
    let covered = page.key("button", "Covered").await;
    match page.aim(covered).await {
        Aimed::Covered { by, .. } => assert!(by.contains("Cookie settings"), "{by}"),
        other => panic!("{other:?}"),
    }
    let target = page.key("button", "Target").await;
    page.press("button", "Remove target").await.unwrap();
    assert_eq!(page.aim(target).await, Aimed::Gone);
    let aim = Aim { point: Point { x: 60.0, y: 60.0 }, node: Some(target) };
    let (result, sends) = page.perform(Input::Press { aim, button: Button::Primary, hold_ms: 0 }).await;
    let failure = result.unwrap_err();
    assert_eq!((row(&failure), failure.code), ("daemon.refusal.target-gone", Code::ElementNotFound));
    assert!(!sends.any());
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_element_of_a_page_that_was_left_is_gone_and_not_its_namesake_by_number() {
    let page = Opened::at("pointer.html").await;
    let key = page.key("button", "Target").await;
    let address = page.site.at("pointer.html");
    page.perform(Input::Navigate { address, load_timeout_ms: 10_000 }).await.0.unwrap();
    page.tree().await;
    assert_eq!(page.aim(key).await, Aimed::Gone);
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drag_moves_with_the_button_down_and_releases_where_it_ends() {
    let page = Opened::at("pointer.html").await;
    let key = page.key("slider", "Handle").await;
    let from = page.landing(key).await.point;
    let to = Point { x: from.x + 200.0, y: from.y };
    page.perform(Input::Swipe { from, to, duration_ms: 120 }).await.0.unwrap();
    assert_eq!(page.log().await, "dragged 200");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_is_touched() {
    if !is_chrome() {
        return;
    }
    let page = Opened::with("pointer.html", |open| open.mobile = Some("390x844@3".parse().unwrap())).await;
    let tree = page.tree().await;
    assert_eq!((tree.viewport.width, tree.viewport.height), (390.0, 844.0));
    let receipt = page.press("button", "Target").await.unwrap();
    assert!(receipt.events.iter().any(|event| event == "touchstart"), "{receipt:?}");
    assert_eq!(page.log().await, "click");
    let refused = page.perform(Input::Viewport { width: 500, height: 500 }).await.0.unwrap_err();
    assert_eq!(refused.code, Code::UnsupportedOperation);
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_that_came_to_no_click_says_so() {
    let page = Opened::at("guarded.html").await;
    for (name, words) in [("Swapped", "left the page"), ("Moved", "no click"), ("Shut", "no click")] {
        let receipt = page.press("button", name).await.unwrap();
        assert!(receipt.warnings.iter().any(|warning| warning.contains(words)), "{name}: {receipt:?}");
    }
    assert_eq!(page.press("button", "Go").await.unwrap().warnings, Vec::<String>::new());
    page.wait_log("clicked submitted").await;
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_turned_into_something_else_after_the_look_is_neither_pressed_nor_dragged() {
    for drags in [false, true] {
        let page = Opened::at("turning.html").await;
        let key = page.key("button", "Archive").await;
        page.press("button", "Start").await.unwrap();
        let point = page.landing(key).await.point;
        page.wait_log("turned").await;
        let input = match drags {
            false => Input::Press { aim: Aim { point, node: Some(key) }, button: Button::Primary, hold_ms: 0 },
            true => {
                let plan = TouchPlan::drag(point, Point { x: point.x, y: point.y + 100.0 }, 32, 160, 32);
                Input::Touch { plan, node: Some(key) }
            }
        };
        let (result, sends) = page.perform(input).await;
        let failure = result.unwrap_err();
        assert_eq!((row(&failure), failure.reason_str()), ("webdriver.press.target-changed", Some("target_changed")));
        assert!(failure.message.contains("Delete"), "{failure}");
        assert_eq!((sends.completed, page.log().await.as_str()), (1, "turned"), "the page saw none of it");
        page.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_pointer_itself_changes_about_its_target_is_no_reason_to_refuse() {
    let page = Opened::at("turning.html").await;
    page.press("button", "Send").await.unwrap();
    page.press("button", "Keep").await.unwrap();
    page.wait_log("sent kept").await;
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_of_a_parent_never_lands_on_a_control_inside_it() {
    let page = Opened::at("tiled.html").await;
    page.press("button", "Part").await.unwrap();
    assert_eq!(page.log().await, "Part", "beside the control in its middle");
    let full = page.key("button", "Full").await;
    match page.aim(full).await {
        Aimed::Covered { by, .. } => assert!(by.contains("One") || by.contains("Two"), "{by}"),
        other => panic!("{other:?}"),
    }
    page.end().await;
}

/// As libraries of components write their tabs.
#[tokio::test(flavor = "multi_thread")]
async fn a_wrapper_around_one_control_that_says_the_same_is_pressed_through_it() {
    let page = Opened::at("tiled.html").await;
    page.press("tab", "First").await.unwrap();
    assert_eq!(page.log().await, "First");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_element_is_drawn_by_is_no_control_of_its_own() {
    let page = Opened::at("tiled.html").await;
    page.press("button", "Drawn").await.unwrap();
    page.press("combobox", "City").await.unwrap();
    assert_eq!(page.log().await, "Drawn Search");
    page.end().await;
}
