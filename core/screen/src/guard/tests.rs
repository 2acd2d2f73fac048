use contract::{Code, Dispatched, Failure, Point, Size};
use proptest::prelude::*;

use super::*;
use crate::{
    Node,
    sketch::{SHOWN, Sketch, button, field, node},
};

const ALL: [Purpose; 4] = [Purpose::Press, Purpose::Longpress, Purpose::Hover, Purpose::Fill];

fn one(node: Node) -> Tree {
    Sketch::new().node(0, node).tree()
}

fn refusal(tree: &Tree, place: u32, purpose: Purpose) -> (Code, String) {
    let failure = aim(tree, place, purpose).unwrap_err();
    assert_eq!(failure.claim().map(|claim| claim.dispatched), Some(Dispatched::No), "{failure}");
    (failure.code, failure.reason_str().unwrap().to_owned())
}

fn hint(failure: &Failure) -> &str {
    failure.hint.as_deref().unwrap_or_default()
}

#[test]
fn a_control_in_view_is_aimed_at_in_its_middle() {
    let tree = one(field("Email", "", States::empty()).at(10.0, 20.0, 100.0, 40.0));
    for purpose in ALL {
        assert_eq!(aim(&tree, 0, purpose).unwrap(), Point { x: 60.0, y: 40.0 });
    }
}

#[test]
fn of_a_control_at_the_edge_the_part_in_view_counts() {
    let tree = one(button("Save").at(350.0, 780.0, 100.0, 100.0));
    assert_eq!(aim(&tree, 0, Purpose::Press).unwrap(), Point { x: 375.0, y: 790.0 });
    let clipped = Sketch::new()
        .node(0, node("webview", "").at(0.0, 0.0, 400.0, 800.0))
        .node(1, node("list", "").at(0.0, 0.0, 400.0, 100.0).with(States::SCROLLABLE))
        .node(2, button("Row").at(0.0, 80.0, 100.0, 60.0))
        .tree();
    assert_eq!(aim(&clipped, 2, Purpose::Press).unwrap(), Point { x: 50.0, y: 90.0 });
    // Neither a group that does not clip nor the root, however its box is, cuts anything off.
    let whole = Sketch::new()
        .node(0, node("webview", "").at(0.0, 0.0, 400.0, 60.0).with(States::SCROLLABLE))
        .node(1, node("group", "").at(0.0, 0.0, 50.0, 50.0))
        .node(2, button("Row").at(0.0, 30.0, 100.0, 40.0))
        .tree();
    assert_eq!(aim(&whole, 2, Purpose::Press).unwrap(), Point { x: 50.0, y: 50.0 });
}

#[test]
fn what_is_not_drawn_or_has_no_size_is_refused() {
    for purpose in ALL {
        let hidden = one(field("x", "", States::empty()).without(SHOWN));
        assert_eq!(refusal(&hidden, 0, purpose), (Code::ElementNotFound, "not_rendered".into()));
        let flat = one(field("x", "", States::empty()).at(10.0, 10.0, 0.0, 20.0));
        assert_eq!(refusal(&flat, 0, purpose), (Code::ElementNotFound, "no_size".into()));
        assert_eq!(refusal(&flat, 9, purpose), (Code::ElementNotFound, "not_rendered".into()));
    }
}

/// Neither what takes no press, nor what is not in view, nor what has no size itself.
#[test]
fn what_has_no_size_names_the_control_inside_it_that_can_be_aimed_at() {
    let tree = Sketch::new()
        .node(0, button("Wrapper").at(10.0, 10.0, 0.0, 0.0))
        .node(1, node("text", "Label"))
        .node(1, button("Scrolled away").without(States::VISIBLE))
        .node(1, button("Flat").at(10.0, 10.0, 0.0, 0.0))
        .node(1, button("Save"))
        .tree();
    let failure = aim(&tree, 0, Purpose::Press).unwrap_err();
    assert_eq!(hint(&failure), "aim at what is inside it: [button] \"Save\"");
}

#[test]
fn an_off_screen_refusal_says_which_way_to_scroll() {
    for (x, y, direction, word) in [
        (0.0, 900.0, "below", "down"),
        (0.0, -90.0, "above", "up"),
        (-90.0, 0.0, "left", "left"),
        (450.0, 0.0, "right", "right"),
    ] {
        let tree = one(button("Save").at(x, y, 50.0, 50.0).without(States::VISIBLE));
        let failure = aim(&tree, 0, Purpose::Press).unwrap_err();
        assert_eq!(failure.code, Code::ElementOffscreen);
        assert_eq!(failure.message, format!("[button] \"Save\" lies {direction} what is in view"));
        assert!(hint(&failure).ends_with(&format!("scroll {word}")), "{}", hint(&failure));
    }
}

#[test]
fn a_row_outside_its_scroll_container_lies_in_a_direction_too() {
    let tree = Sketch::new()
        .node(0, node("webview", "").at(0.0, 0.0, 400.0, 800.0))
        .node(1, node("list", "").at(0.0, 300.0, 400.0, 100.0).with(States::SCROLLABLE))
        .node(2, button("Row").at(0.0, 200.0, 100.0, 60.0).without(States::VISIBLE))
        .tree();
    assert_eq!(offscreen(&tree, 2), Some(Direction::Above));
    assert_eq!(offscreen(&tree, 1), None);
}

#[test]
fn what_is_in_the_viewport_and_said_to_be_out_of_view_lies_towards_the_nearer_edge() {
    // From the very middle on, down: most of what is not in view lies there.
    for (y, direction) in [(100.0, Direction::Above), (370.0, Direction::Below), (600.0, Direction::Below)] {
        let tree = Sketch::new()
            .node(0, node("webview", "").at(0.0, 0.0, 400.0, 800.0))
            .node(1, button("Save").at(0.0, y, 100.0, 60.0).without(States::VISIBLE))
            .tree();
        assert_eq!(offscreen(&tree, 1), Some(direction), "{y}");
    }
}

#[test]
fn a_covered_control_names_the_dialog_and_the_button_that_closes_it() {
    let mut save = button("Save");
    save.cover = Some(Cover::Node(3));
    let tree = Sketch::new()
        .node(0, node("webview", "").at(0.0, 0.0, 400.0, 800.0))
        .node(1, save)
        .node(1, node("dialog", "Cookie settings"))
        .node(2, node("group", ""))
        // Drawn like a button, and takes no press.
        .node(3, node("button", "Later"))
        .node(3, button("More").with(States::DISABLED))
        .node(3, button(""))
        .node(3, button("Accept all"))
        .tree();
    for purpose in [Purpose::Press, Purpose::Hover, Purpose::Longpress] {
        let failure = aim(&tree, 1, purpose).unwrap_err();
        assert_eq!(failure.code, Code::ElementCovered);
        assert_eq!(failure.message, "[button] \"Save\" is covered by [dialog] \"Cookie settings\"");
        assert!(
            hint(&failure)
                .ends_with("it has [button] \"Accept all\": agent-device press 'role=button label=\"Accept all\"'")
        );
    }
}

#[test]
fn a_cover_that_is_no_dialog_is_named_with_its_controls() {
    let covered = |controls: &[Node], over: u32| {
        let mut save = button("Save");
        save.cover = Some(Cover::Node(over));
        // What stands beside the target covers nothing, and helps nobody.
        let mut sketch = Sketch::new().node(0, node("main", "")).node(1, button("Help")).node(1, save);
        sketch = sketch.node(1, node("generic", "bar"));
        sketch = sketch.node(2, node("text", "We use cookies"));
        for control in controls {
            sketch = sketch.node(2, control.clone());
        }
        aim(&sketch.tree(), 2, Purpose::Press).unwrap_err()
    };
    let hint = |failure: contract::Failure| failure.hint.unwrap();
    // What lies on top may be a text in the bar.
    for over in [3, 4] {
        let one = hint(covered(&[button("Close")], over));
        assert!(
            one.ends_with("first, it has [button] \"Close\": agent-device press 'role=button label=Close'"),
            "{one}"
        );
    }
    let two = hint(covered(&[button("Subscribe"), button("Close")], 3));
    assert!(two.ends_with("first, it has [button] \"Subscribe\", [button] \"Close\""), "{two}");
    let many = |count: usize| hint(covered(&vec![button("Go"); count], 3));
    assert!(many(3).ends_with(r#"[button] "Go", [button] "Go", [button] "Go""#), "{}", many(3));
    assert!(many(4).ends_with(r#"[button] "Go", [button] "Go", [button] "Go" and more"#), "{}", many(4));
    let mut off = button("Close");
    off.states |= States::DISABLED;
    assert_eq!(hint(covered(&[off], 3)), "deal with what covers it first");
}

#[test]
fn what_lies_inside_a_control_does_not_cover_it() {
    let mut card = button("Card");
    card.cover = Some(Cover::Node(1));
    let tree = Sketch::new().node(0, card).node(1, node("image", "")).tree();
    assert!(aim(&tree, 0, Purpose::Press).is_ok());
}

#[test]
fn a_press_that_was_tried_out_and_does_not_arrive_is_refused() {
    let tree = one(button("Save").with(States::HIT_TESTED));
    assert_eq!(refusal(&tree, 0, Purpose::Press), (Code::ElementCovered, "covered".into()));
    let tree = one(button("Save").with(States::INERT));
    assert_eq!(refusal(&tree, 0, Purpose::Press), (Code::ElementCovered, "inert".into()));
    let tree = Sketch::new()
        .node(0, button("Save").with(States::INERT))
        .node(0, node("dialog", "Sure?").with(States::MODAL))
        .tree();
    assert!(aim(&tree, 0, Purpose::Press).unwrap_err().message.ends_with("covered by [dialog] \"Sure?\""));
    assert!(aim(&one(button("Save").with(States::HIT_TESTED | States::HITTABLE)), 0, Purpose::Press).is_ok());
    let tree = one(button("Save").with(States::PRESS_THROUGH));
    assert_eq!(refusal(&tree, 0, Purpose::Press), (Code::ElementCovered, "press_through".into()));
}

#[test]
fn a_disabled_control_is_neither_pressed_nor_filled_but_hovered() {
    let tree = one(field("Email", "", States::DISABLED));
    for (purpose, refused) in
        [(Purpose::Press, true), (Purpose::Fill, true), (Purpose::Hover, false), (Purpose::Longpress, false)]
    {
        match aim(&tree, 0, purpose) {
            Ok(_) => assert!(!refused, "{purpose:?}"),
            Err(failure) => assert!(refused && failure.code == Code::ElementDisabled, "{purpose:?}"),
        }
    }
    let tree = Sketch::new().node(0, button("Save").with(States::DISABLED)).node(1, node("text", "Save it")).tree();
    let failure = aim(&tree, 1, Purpose::Press).unwrap_err();
    assert_eq!(failure.message, "[button] \"Save\" is disabled");
    assert!(hint(&failure).contains("'role=button label=Save enabled'"), "{}", hint(&failure));
}

#[test]
fn what_takes_no_text_names_the_field_that_was_meant() {
    let inside = Sketch::new().node(0, node("group", "Address")).node(1, field("Street", "", States::empty())).tree();
    let failure = aim(&inside, 0, Purpose::Fill).unwrap_err();
    assert_eq!((failure.code, failure.reason_str()), (Code::ElementNotEditable, Some("not_editable")));
    assert!(
        hint(&failure)
            .starts_with("did you mean [text-field] \"Street\": agent-device fill 'role=text-field label=Street'")
    );
    let label = Sketch::new().node(0, node("text", "Street")).node(0, field("Street", "", States::empty())).tree();
    assert!(hint(&aim(&label, 0, Purpose::Fill).unwrap_err()).contains("[text-field] \"Street\""));
    let two = Sketch::new()
        .node(0, node("group", ""))
        .node(1, field("A", "", States::empty()))
        .node(1, field("B", "", States::empty()))
        .tree();
    assert!(!hint(&aim(&two, 0, Purpose::Fill).unwrap_err()).contains("did you mean"));
    assert_eq!(refusal(&one(field("x", "", States::READONLY)), 0, Purpose::Fill).1, "read_only");
}

#[test]
fn the_point_of_a_card_avoids_the_controls_in_it() {
    let card = |like: Node| {
        Sketch::new()
            .node(0, button("Card").at(0.0, 0.0, 300.0, 100.0))
            .node(1, like.at(100.0, 0.0, 100.0, 100.0))
            .tree()
    };
    let point = aim(&card(button("Like")), 0, Purpose::Press).unwrap();
    assert!((80.0..100.0).contains(&point.x) || (200.0..220.0).contains(&point.x), "the nearest free one: {point}");
    assert_eq!(aim(&card(node("text", "Like")), 0, Purpose::Press).unwrap(), Point { x: 150.0, y: 50.0 });
    let tall = Sketch::new()
        .node(0, button("Card").at(0.0, 400.0, 100.0, 300.0))
        .node(1, button("Like").at(0.0, 490.0, 100.0, 110.0))
        .tree();
    let point = aim(&tall, 0, Purpose::Press).unwrap();
    assert!((600.0..620.0).contains(&point.y), "below it is nearer to the middle than above: {point}");
    let through = card(button("Like").with(States::PRESS_THROUGH));
    assert_eq!(aim(&through, 0, Purpose::Press).unwrap(), Point { x: 150.0, y: 50.0 });
}

#[test]
fn a_card_that_its_controls_fill_is_refused_by_their_names() {
    let tree = Sketch::new()
        .node(0, button("Card").at(0.0, 0.0, 100.0, 100.0))
        .node(1, node("text", "Two of them"))
        .node(1, button("A").at(0.0, 0.0, 100.0, 50.0))
        .node(1, button("B").at(0.0, 50.0, 100.0, 50.0))
        .tree();
    let failure = aim(&tree, 0, Purpose::Press).unwrap_err();
    assert_eq!(failure.reason_str(), Some("filled_by_own_controls"));
    assert!(failure.message.ends_with("inside it: [button] \"A\", [button] \"B\""), "{failure}");
}

#[test]
fn points_outside_the_viewport_are_refused() {
    let viewport = Size { width: 400.0, height: 800.0 };
    assert!(point_inside(viewport, Point { x: 0.0, y: 799.0 }).is_ok());
    for (x, y) in [(400.0, 5.0), (5.0, 800.0), (-1.0, 5.0), (f64::NAN, 5.0)] {
        let failure = point_inside(viewport, Point { x, y }).unwrap_err();
        assert_eq!((failure.code, failure.reason_str()), (Code::OutsideViewport, Some("outside_viewport")));
    }
}

#[test]
fn text_is_typed_into_the_focused_field_only() {
    let focused = Sketch::new()
        .node(0, node("webview", "").with(States::FOCUSED))
        .node(1, field("Email", "", States::FOCUSED))
        .tree();
    assert_eq!(typing_target(&focused).unwrap(), 1);
    let button_focused = one(button("Save").with(States::FOCUSED));
    assert!(typing_target(&button_focused).unwrap_err().message.contains("[button] \"Save\", which takes no text"));
    assert_eq!(typing_target(&one(field("Email", "", States::empty()))).unwrap_err().reason_str(), Some("no_focus"));
    let disabled = one(field("Email", "", States::FOCUSED | States::DISABLED));
    assert_eq!(typing_target(&disabled).unwrap_err().code, Code::ElementDisabled);
    let read_only = one(field("Email", "", States::FOCUSED | States::READONLY));
    assert_eq!(typing_target(&read_only).unwrap_err().reason_str(), Some("read_only"));
    assert_eq!(text_given("").unwrap_err().reason_str(), Some("no_text"));
    assert!(text_given(" ").is_ok());
}

#[test]
fn a_capture_without_content_is_refused() {
    assert_eq!(content(&Tree::default()).unwrap_err().reason_str(), Some("capture_sparse"));
    assert!(content(&one(button("x"))).is_ok());
}

proptest! {
    #[test]
    fn a_point_lies_in_its_node_in_the_viewport_and_in_no_control_inside(
        card in (-200.0..500.0f64, -200.0..900.0f64, 1.0..400.0f64, 1.0..400.0f64),
        controls in prop::collection::vec((0.0..300.0f64, 0.0..300.0f64, 1.0..200.0f64, 1.0..200.0f64), 0..6),
    ) {
        let (x, y, width, height) = card;
        let mut sketch = Sketch::new().node(0, button("Card").at(x, y, width, height));
        for (dx, dy, width, height) in controls {
            sketch = sketch.node(1, button("inside").at(x + dx, y + dy, width, height));
        }
        let tree = sketch.tree();
        if let Ok(point) = aim(&tree, 0, Purpose::Press) {
            prop_assert!(tree.nodes()[0].rect.contains(point) && tree.viewport.bounds().contains(point));
            prop_assert!(!tree.nodes()[1..].iter().any(|node| node.rect.contains(point)));
        }
    }
}
