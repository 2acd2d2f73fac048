use proptest::prelude::*;

use super::*;
use crate::sketch::{Sketch, button, node};

fn covers(tree: &mut Tree) -> Vec<Option<u32>> {
    mark(tree);
    tree.nodes()
        .iter()
        .map(|node| match node.cover {
            Some(Cover::Node(over)) => Some(over),
            _ => None,
        })
        .collect()
}

#[test]
fn what_is_drawn_later_over_the_middle_covers() {
    let mut tree = Sketch::new()
        .node(0, node("group", "").at(0.0, 0.0, 400.0, 800.0))
        .node(1, button("under").at(0.0, 0.0, 100.0, 100.0))
        .node(1, button("beside").at(200.0, 0.0, 100.0, 100.0))
        .node(1, button("over").at(40.0, 40.0, 100.0, 100.0))
        .tree();
    assert_eq!(covers(&mut tree)[1..], [Some(3), None, None]);
}

#[test]
fn texts_and_what_lets_presses_through_cover_nothing() {
    for over in
        [node("text", "over"), button("over").with(States::PRESS_THROUGH), button("over").without(States::VISIBLE)]
    {
        let mut tree = Sketch::new().node(0, button("under")).node(0, over).tree();
        assert_eq!(covers(&mut tree)[0], None);
    }
}

#[test]
fn parts_of_a_control_do_not_cover_it_nor_it_them() {
    let mut tree = Sketch::new().node(0, button("outer")).node(1, button("inner").at(0.0, 0.0, 20.0, 20.0)).tree();
    assert_eq!(covers(&mut tree), [None, None]);
}

#[test]
fn a_modal_covers_all_that_was_drawn_before_it_and_nothing_inside_it() {
    let mut tree = Sketch::new()
        .node(0, button("far away").at(0.0, 700.0, 50.0, 50.0))
        .node(0, node("dialog", "Sure?").at(100.0, 100.0, 200.0, 200.0).with(States::MODAL))
        .node(1, button("Yes").at(120.0, 120.0, 50.0, 50.0))
        .tree();
    assert_eq!(covers(&mut tree), [Some(1), None, None]);
}

#[test]
fn a_modal_covers_what_lies_beyond_all_that_takes_input() {
    let mut tree = Sketch::new()
        .node(0, node("text", "far away").at(350.0, 750.0, 40.0, 40.0))
        .node(0, node("dialog", "Sure?").at(0.0, 0.0, 50.0, 50.0).with(States::MODAL))
        .tree();
    assert_eq!(covers(&mut tree), [Some(1), None]);
}

#[test]
fn a_window_above_covers_although_it_comes_first() {
    let mut above = node("window", "Keyboard").at(0.0, 500.0, 400.0, 300.0);
    above.window = 1;
    let mut tree = Sketch::new()
        .node(0, above)
        .node(0, button("under").at(0.0, 600.0, 100.0, 40.0))
        .node(0, button("free").at(0.0, 100.0, 100.0, 40.0))
        .tree();
    assert_eq!(covers(&mut tree), [None, Some(0), None]);
}

#[test]
fn a_window_does_not_cover_its_own_content_where_only_its_root_is_numbered() {
    let mut above = node("window", "Popup").at(0.0, 0.0, 400.0, 300.0);
    above.window = 1;
    let mut tree = Sketch::new().node(0, above).node(1, button("OK")).tree();
    assert_eq!(covers(&mut tree), [None, None]);
}

#[test]
fn boxes_that_are_no_numbers_are_survived() {
    for (x, width) in [
        (f64::NAN, 10.0),
        (300.0, f64::NAN),
        (f64::INFINITY, 10.0),
        (10.0, f64::INFINITY),
        (f64::NEG_INFINITY, f64::INFINITY),
    ] {
        let mut tree = Sketch::new().node(0, button("free")).node(0, button("odd").at(x, 100.0, width, 10.0)).tree();
        assert_eq!(covers(&mut tree), [None, None]);
        assert!(crate::guard::aim(&tree, 1, crate::Purpose::Press).is_err());
    }
}

#[test]
fn what_the_backend_found_out_stays() {
    let mut told = button("told");
    told.cover = Some(Cover::Other("a toast".into()));
    let mut tree = Sketch::new()
        .node(0, told)
        .node(0, button("tested").with(States::HIT_TESTED | States::HITTABLE))
        .node(0, button("over"))
        .tree();
    mark(&mut tree);
    assert_eq!(tree.nodes()[0].cover, Some(Cover::Other("a toast".into())));
    assert_eq!(tree.nodes()[1].cover, None);
}

/// A window is drawn as a whole, its frame: what is merely inside of it and reaches out of the frame covers nothing.
#[test]
fn of_a_window_above_only_its_root_is_opaque() {
    let in_window = |mut node: Node| {
        node.window = 1;
        node
    };
    let mut tree = Sketch::new()
        .node(0, node("group", "App"))
        .node(1, in_window(node("window", "Popup").at(0.0, 0.0, 100.0, 100.0)))
        .node(2, in_window(node("group", "Shadow").at(0.0, 0.0, 100.0, 300.0)))
        .node(1, button("under the popup").at(0.0, 0.0, 50.0, 50.0))
        .node(1, button("under the shadow").at(0.0, 200.0, 50.0, 50.0))
        .tree();
    assert_eq!(covers(&mut tree)[3..], [Some(1), None]);
}

/// Up to [`LARGE`] nodes a container is judged where a press would go, above that by its middle.
#[test]
fn a_large_container_is_judged_by_its_middle() {
    let covered = |inside: u32| {
        let list = button("list").at(0.0, 100.0, 300.0, 300.0);
        // In front of it one node, so that its place is not 0; in its middle a control of its own, so that a press goes beside.
        let mut sketch = Sketch::new()
            .node(0, button("first").at(0.0, 0.0, 10.0, 10.0))
            .node(0, list)
            .node(1, button("row").at(140.0, 240.0, 20.0, 20.0));
        for _ in 1..inside {
            sketch = sketch.node(1, node("text", "x").at(0.0, 100.0, 1.0, 1.0));
        }
        let mut tree = sketch.node(0, button("over").at(145.0, 245.0, 10.0, 10.0)).tree();
        assert_eq!(tree.nodes()[1].end - 1, inside + 1);
        covers(&mut tree)[1].is_some()
    };
    assert!(!covered(LARGE - 1), "of {LARGE} nodes, itself counted");
    assert!(covered(LARGE));
}

proptest! {
    #[test]
    fn marking_all_at_once_agrees_with_asking_one_by_one(
        nodes in prop::collection::vec((0usize..3, -50.0..450.0f64, -50.0..850.0f64, 1.0..300.0f64, 0u32..3, any::<bool>()), 1..40),
    ) {
        let mut tree = nodes.into_iter().fold(Sketch::new(), |sketch, (depth, x, y, size, window, modal)| {
            let mut shown = button("x").at(x, y, size, size);
            shown.window = window;
            shown.states.set(States::MODAL, modal && size > 250.0);
            sketch.node(depth, shown)
        }).tree();
        let asked: Vec<Option<u32>> = tree.iter().map(|(place, _)| covering(&tree, place, touch_point(&tree, place)?)).collect();
        prop_assert_eq!(covers(&mut tree), asked);
    }
}
