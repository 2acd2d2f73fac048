//! Captures, layout, covers, aiming.

use backend::Aimed;
use contract::Rect;
use screen::{Cover, States};

use crate::rig::{context, elements, open_named};

#[tokio::test(start_paused = true)]
async fn elements_stand_one_below_the_other_without_any_rect() {
    let rig = elements(
        "{ role = \"button\", id = \"a\", label = \"A\" }, { role = \"button\", id = \"b\", label = \"B\", height = 30 }, \
         { role = \"group\", row = true, gap = 8, element = [{ role = \"button\", id = \"c\", label = \"C\" }, { role = \"button\", id = \"d\", label = \"D\", width = 50 }] }",
        "",
    )
    .await;
    assert_eq!(rig.node("a").await.rect, Rect::new(16.0, 16.0, 358.0, 48.0));
    assert_eq!(rig.node("b").await.rect, Rect::new(16.0, 76.0, 358.0, 30.0));
    assert_eq!(rig.node("c").await.rect, Rect::new(16.0, 118.0, 300.0, 48.0));
    assert_eq!(rig.node("d").await.rect, Rect::new(324.0, 118.0, 50.0, 48.0));
}

#[tokio::test(start_paused = true)]
async fn a_capture_names_roles_values_states_and_places() {
    let rig = elements(
        "{ role = \"heading\", id = \"h\", label = \"Title\", level = 3 }, \
         { role = \"text-field\", id = \"f\", label = \"Mail\", placeholder = \"you@\", description = \"Work only\", states = [\"required\"] }, \
         { role = \"progressbar\", id = \"p\", label = \"Load\", value = \"40\" }",
        "",
    )
    .await;
    let tree = rig.tree().await;
    assert_eq!((tree.app.as_deref(), tree.nodes()[0].role.as_str()), (Some("test"), "application"));
    let heading = rig.node("h").await;
    assert_eq!((heading.role.as_str(), heading.extra().level), ("heading", Some(3)));
    let field = rig.node("f").await;
    assert_eq!((field.role.as_str(), &*field.name, field.value.as_deref()), ("text-field", "Mail", Some("")));
    assert_eq!((field.description.as_deref(), field.extra().placeholder.as_deref()), (Some("Work only"), Some("you@")));
    assert!(field.is(States::EDITABLE | States::REQUIRED | States::INTERACTIVE | States::VISIBLE | States::HITTABLE));
    assert_eq!(rig.node("p").await.value.as_deref(), Some("40%"));
}

#[tokio::test(start_paused = true)]
async fn keys_are_unique_and_stay_with_their_element() {
    let rig = open_named("demo").await;
    let keys: Vec<_> = rig.tree().await.nodes().iter().map(|node| node.key.unwrap()).collect();
    let mut unique = keys.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), keys.len());
    let menu = rig.key("go-birds").await;
    rig.press("go-counter").await;
    assert!(matches!(rig.device.aim(&context(), menu).await.unwrap(), Some(Aimed::Gone)));
    rig.perform(backend::Input::Back).await;
    assert_eq!(rig.key("go-birds").await, menu);
}

#[tokio::test(start_paused = true)]
async fn a_dialog_that_opens_again_is_a_new_one() {
    let rig = elements("{ role = \"button\", id = \"go\", label = \"Go\", on_press = [{ alert = \"Hi\" }] }", "").await;
    rig.press("go").await;
    let first = rig.key("stage:ok").await;
    rig.press("stage:ok").await;
    rig.press("go").await;
    assert_ne!(rig.key("stage:ok").await, first);
    assert!(matches!(rig.device.aim(&context(), first).await.unwrap(), Some(Aimed::Gone)));
}

#[tokio::test(start_paused = true)]
async fn a_scroll_container_clips_and_says_what_it_hides() {
    let rig = elements("{ role = \"list\", id = \"list\", height = 104, element = [{ role = \"listitem\", id = \"row-{n}\", label = \"Row {n}\", repeat = 500 }] }", "").await;
    assert!(rig.node("row-2").await.is(States::VISIBLE));
    let hidden = rig.node("row-3").await;
    assert!(hidden.is(States::RENDERED) && !hidden.is(States::VISIBLE));
    let list = rig.node("list").await;
    assert!(list.is(States::SCROLLABLE));
    assert_eq!(list.extra().hidden, Some([0.0, 498.0 * 52.0, 0.0, 0.0]));
}

#[tokio::test(start_paused = true)]
async fn aiming_brings_into_view_inside_nested_containers() {
    let rig = elements(
        "{ role = \"text\", label = \"row {n}\", repeat = 60 }, \
         { role = \"list\", id = \"list\", height = 300, element = [{ role = \"listitem\", id = \"row-{n}\", label = \"Row {n}\", repeat = 500 }] }",
        "",
    )
    .await;
    assert!(!rig.node("list").await.is(States::VISIBLE), "the list itself is far down");
    rig.press("row-400").await;
    assert_eq!(rig.probe.effects("row-400").presses, 1);
}

#[tokio::test(start_paused = true)]
async fn an_element_under_a_modal_dialog_is_covered_by_it() {
    let overlay = "[[overlay]]\nid = \"ask\"\nlabel = \"Cookies\"\n";
    let rig =
        elements("{ role = \"button\", id = \"go\", label = \"Go\", on_press = [{ open = \"ask\" }] }", overlay).await;
    rig.press("go").await;
    match rig.aim("go").await {
        Aimed::Covered { by, key } => {
            assert_eq!((by.as_str(), key), ("[dialog] \"Cookies\"", Some(rig.key("ask").await)))
        }
        other => panic!("it is covered: {other:?}"),
    }
    let tree = rig.tree().await;
    let node = rig.node("go").await;
    assert!(node.is(States::HIT_TESTED) && !node.is(States::HITTABLE));
    let Some(Cover::Node(by)) = node.cover else { panic!("the capture names what covers it") };
    assert_eq!(tree.get(by).unwrap().identifier.as_deref(), Some("ask"));
}

#[tokio::test(start_paused = true)]
async fn a_partly_covered_button_is_pressed_where_it_is_free() {
    let rig = elements(
        "{ role = \"button\", id = \"go\", label = \"Go\", rect = { x = 0, y = 0, width = 200, height = 48 } }, \
         { role = \"image\", id = \"ad\", label = \"Ad\", rect = { x = 40, y = 0, width = 160, height = 48 } }",
        "",
    )
    .await;
    assert!(!rig.node("go").await.is(States::HITTABLE), "its middle is covered");
    rig.press("go").await;
    assert_eq!((rig.probe.effects("go").presses, rig.probe.effects("ad").presses), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn aiming_tells_apart_why_an_element_cannot_be_reached() {
    let rig = elements(
        "{ role = \"button\", id = \"invisible\", label = \"I\", states = [\"invisible\"] }, { role = \"button\", id = \"flat\", label = \"F\", height = 0 }, \
         { role = \"button\", id = \"inert\", label = \"N\", states = [\"inert\"] }, \
         { role = \"button\", id = \"away\", label = \"A\", rect = { x = -500, y = 0, width = 50, height = 50 } }",
        "",
    )
    .await;
    assert_eq!(rig.aim("invisible").await, Aimed::NotRendered);
    assert_eq!(rig.aim("flat").await, Aimed::NoSize);
    assert_eq!(rig.aim("inert").await, Aimed::Inert);
    assert!(matches!(rig.aim("away").await, Aimed::Offscreen { .. }));
}

#[tokio::test(start_paused = true)]
async fn a_huge_screen_is_cut_and_says_so() {
    let rig = elements("{ role = \"text\", label = \"row {n}\", repeat = 50000 }", "").await;
    let tree = rig.device.capture(&context(), 1000).await.unwrap();
    assert_eq!((tree.len(), tree.truncated, tree.total), (1000, true, 50_002));
    assert_eq!(tree.warnings.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_text_of_a_container_is_that_of_what_is_in_it() {
    let rig = elements("{ role = \"group\", id = \"g\", element = [{ role = \"text\", label = \"one\" }, { role = \"text-field\", label = \"F\", value = \"two\" }, { role = \"text\", label = \"no\", states = [\"hidden\"] }] }", "").await;
    let key = rig.key("g").await;
    assert_eq!(rig.device.text(&context(), key).await.unwrap().as_deref(), Some("one\ntwo"));
}

#[tokio::test(start_paused = true)]
async fn another_viewport_lays_the_screen_out_anew() {
    let rig = elements("{ role = \"button\", id = \"a\", label = \"A\" }", "").await;
    rig.perform(backend::Input::Viewport { width: 800, height: 600 }).await;
    assert_eq!((rig.tree().await.viewport.width, rig.node("a").await.rect.width), (800.0, 768.0));
}
