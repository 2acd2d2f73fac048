use proptest::prelude::*;

use super::*;
use crate::{
    Selector,
    sketch::{Sketch, button, node},
};

fn found(tree: &Tree, text: &str) -> Vec<u32> {
    matches(&Selector::parse(text).unwrap(), tree)
}

/// Two columns: a heading over each, three rows of a text and a button.
fn table() -> Tree {
    let mut sketch = Sketch::new().node(0, node("webview", "").at(0.0, 0.0, 400.0, 800.0));
    for (column, name) in [(0.0, "Left"), (200.0, "Right")] {
        sketch = sketch.node(1, node("heading", name).at(column, 20.0, 100.0, 20.0));
        for row in 0..3u8 {
            let y = 60.0 + f64::from(row) * 50.0;
            sketch = sketch
                .node(1, node("listitem", "").id(&format!("{name}-{row}")).at(column, y, 190.0, 40.0))
                .node(2, node("text", &format!("Row {row}")).at(column + 5.0, y + 10.0, 80.0, 20.0))
                .node(2, button("Delete").at(column + 100.0, y + 5.0, 60.0, 30.0));
        }
    }
    sketch.tree()
}

fn names(tree: &Tree, places: &[u32]) -> Vec<String> {
    places
        .iter()
        .filter_map(|place| tree.get(*place))
        .map(|node| format!("{} {},{}", node.name, node.rect.x, node.rect.y))
        .collect()
}

#[test]
fn edges_decide_what_is_below_above_and_beside() {
    let tree = table();
    let rows = |text: &str| names(&tree, &found(&tree, text));
    assert_eq!(rows(r#"label="Row 2" below=(label="Row 1")"#), ["Row 2 5,170", "Row 2 205,170"]);
    assert_eq!(rows(r#"label="Row 0" below=(label="Row 1")"#), [""; 0]);
    assert_eq!(rows(r#"role=heading above=(label="Row 0")"#), ["Left 0,20", "Right 200,20"]);
    assert_eq!(rows(r#"label="Row 1" left-of=(label=Right)"#), ["Row 1 5,120"]);
    assert_eq!(rows(r#"label=Right right-of=(label=Left)"#), ["Right 200,20"]);
    assert_eq!(rows("label=Left right-of=(label=Left)"), [""; 0], "nothing lies beside itself");
}

#[test]
fn what_overlaps_is_below_if_it_begins_lower_and_what_is_on_one_line_is_not() {
    let tree = Sketch::new()
        .node(0, node("text", "anchor").at(0.0, 100.0, 100.0, 40.0))
        .node(0, node("text", "low").at(0.0, 110.0, 100.0, 10.0))
        .node(0, node("text", "level").at(200.0, 100.6, 100.0, 10.0))
        .tree();
    assert_eq!(found(&tree, "role=text below=(label=anchor)"), [1]);
}

#[test]
fn what_lies_in_a_thing_or_around_it_is_neither_below_nor_above_it() {
    let tree = Sketch::new()
        .node(0, node("webview", "page").at(0.0, 0.0, 400.0, 800.0))
        .node(1, node("group", "card").at(0.0, 100.0, 400.0, 100.0))
        .node(2, node("heading", "title").at(10.0, 110.0, 100.0, 20.0))
        .node(1, node("group", "next").at(0.0, 300.0, 400.0, 100.0))
        .tree();
    assert_eq!(found(&tree, "visible below=(label=card)"), [3]);
    assert_eq!(found(&tree, "visible above=(label=title)"), Vec::<u32>::new());
    assert_eq!(found(&tree, "visible above=(label=next)"), [1, 2]);
}

#[test]
fn relations_in_the_tree_follow_it_at_the_depth_they_say() {
    let tree = Sketch::new()
        .node(0, node("list", ""))
        .node(1, node("listitem", "").id("one"))
        .node(2, node("group", ""))
        .node(3, node("text", "Milk"))
        .node(2, button("Buy"))
        .node(1, node("listitem", "").id("two"))
        .node(2, node("text", "Bread"))
        .node(2, button("Buy"))
        .tree();
    assert_eq!(found(&tree, "label=Buy child-of=(id=two)"), [7]);
    assert_eq!(found(&tree, "label=Milk child-of=(id=one)"), [3]);
    assert_eq!(found(&tree, "id=one child-of=(id=one)"), Vec::<u32>::new(), "nothing lies in itself");
    assert_eq!(found(&tree, "visible contains-child=(label=Milk)"), [2]);
    assert_eq!(found(&tree, "visible contains-descendant=(label=Milk)"), [0, 1, 2]);
    assert_eq!(
        found(&tree, "role=listitem contains-descendant=(label=Buy) contains-descendant=(label=Bread)"),
        [5],
        "all of them"
    );
    assert_eq!(found(&tree, "label=Buy child-of=(role=listitem contains-descendant=(label=Bread))"), [7]);
    assert_eq!(found(&tree, "label=Buy child-of=(id=three || id=one)"), [4]);
}

#[test]
fn first_means_the_nearest_to_what_a_relation_names() {
    let tree = table();
    let picked = |text: &str| names(&tree, &found(&tree, text));
    assert_eq!(picked("label=Delete below=(label=Right) first"), ["Delete 300,65"]);
    assert_eq!(picked("label=Delete above=(id=Right-2) first"), ["Delete 300,115"]);
    assert_eq!(picked(r#"label=Delete right-of=(label="Row 1" child-of=(id=Left-1)) first"#), ["Delete 100,115"]);
}

#[test]
fn where_too_many_distances_would_be_measured_document_order_decides() {
    let rows = |count: u32| {
        let mut sketch = Sketch::new();
        for row in 0..count {
            let y = f64::from(row) * 10.0;
            // The first button is far to the right of its text, the others are near theirs.
            let x = if row == 0 { 300.0 } else { 50.0 };
            sketch = sketch
                .node(0, node("text", "anchor").at(0.0, y, 10.0, 5.0))
                .node(0, button("Buy").at(x, y + 2.0, 10.0, 5.0));
        }
        sketch.tree()
    };
    let (few, many) = (rows(10), rows(500));
    assert_eq!(found(&few, "label=Buy below=(label=anchor) first"), [3]);
    assert_eq!(found(&many, "label=Buy below=(label=anchor) first"), [1]);
}

#[test]
fn first_prefers_what_is_in_view_and_takes_input() {
    let tree = Sketch::new()
        .node(0, button("Save").at(0.0, 900.0, 10.0, 10.0).without(crate::States::VISIBLE))
        .node(0, node("heading", "Save").at(0.0, 0.0, 10.0, 10.0))
        .node(0, button("").at(0.0, 20.0, 10.0, 10.0))
        .node(1, node("text", "Save").at(0.0, 20.0, 10.0, 10.0))
        .node(0, button("Save").at(0.0, 40.0, 10.0, 10.0))
        .node(1, node("text", "Save").at(0.0, 40.0, 10.0, 10.0))
        .tree();
    assert_eq!(found(&tree, "label=Save first"), [4]);
    assert_eq!(found(&tree, "label=Save role=text first"), [3]);
    assert_eq!(found(&tree, "label=Save role=heading first"), [1]);
    assert_eq!(found(&tree, "label=Save visible=false first"), [0]);
    assert_eq!(found(&tree, "label=Nothing first"), Vec::<u32>::new());
}

#[test]
fn index_counts_things_by_position_from_either_end() {
    let tree = table();
    let at = |index: i32| names(&tree, &found(&tree, &format!("label=Delete index={index}")));
    assert_eq!(at(0), ["Delete 100,65"]);
    assert_eq!(at(1), ["Delete 300,65"]);
    assert_eq!(at(-1), ["Delete 300,165"]);
    assert_eq!(at(-6), ["Delete 100,65"]);
    assert_eq!((at(6), at(-7)), (vec![], vec![]));
    assert_eq!(at(i32::MIN), Vec::<String>::new());
    assert_eq!(names(&tree, &found(&tree, "label=Delete index=9 || label=Left")), ["Left 0,20"]);
}

#[test]
fn a_row_and_its_title_are_one_thing_and_two_titles_are_two() {
    let rows = Sketch::new()
        .node(0, button("Item 1").at(0.0, 0.0, 100.0, 40.0))
        .node(1, node("text", "Item 1"))
        .node(0, node("group", "Item 2").at(0.0, 50.0, 100.0, 40.0))
        .node(1, node("text", "Item 2 of 3").at(0.0, 50.0, 100.0, 20.0))
        .node(1, node("text", "Item 2, cheap").at(0.0, 70.0, 100.0, 20.0))
        .tree();
    let index = |index: i32| found(&rows, &format!("label~=\"Item.*\" index={index}"));
    assert_eq!((index(0), index(1), index(2), index(3)), (vec![0], vec![3], vec![4], vec![]));
}

/// The same in words of one pair.
fn stands(tree: &Tree, relation: Relation, place: u32, anchor: u32) -> bool {
    let (Some(node), Some(other)) = (tree.get(place), tree.get(anchor)) else { return false };
    let apart = place != anchor && !tree.is_below(place, anchor) && !tree.is_below(anchor, place);
    let boxes = apart && !node.rect.is_empty() && !other.rect.is_empty();
    match relation {
        Relation::Below => boxes && node.rect.y >= other.rect.y + 1.0,
        Relation::Above => boxes && node.rect.y <= other.rect.y - 1.0,
        Relation::LeftOf => boxes && node.rect.x <= other.rect.x - 1.0,
        Relation::RightOf => boxes && node.rect.x >= other.rect.x + 1.0,
        Relation::ChildOf => tree.is_below(place, anchor),
        Relation::ContainsChild => other.parent == Some(place),
        Relation::ContainsDescendant => tree.is_below(anchor, place),
    }
}

proptest! {
    #[test]
    fn one_pass_says_what_all_pairs_say(
        nodes in prop::collection::vec((0usize..5, 0u8..6, 0u8..6, any::<bool>(), any::<bool>()), 1..40),
    ) {
        let mut sketch = Sketch::new();
        for (depth, x, y, marked, empty) in nodes {
            let size = if empty { 0.0 } else { 10.0 };
            let name = if marked { "anchor" } else { "" };
            sketch = sketch.node(depth, node("group", name).at(f64::from(x), f64::from(y), size, size));
        }
        let tree = sketch.tree();
        let anchor = Selector::parse("label=anchor").unwrap();
        for relation in Relation::ALL {
            let related = Related::new(*relation, &anchor, &tree);
            let mut anchors = matches(&anchor, &tree);
            if relation.is_positional() {
                anchors = things(anchors, &tree);
            }
            for (place, _) in tree.iter() {
                let expected = anchors.iter().any(|anchor| stands(&tree, *relation, place, *anchor));
                prop_assert_eq!(related.holds(place), expected, "{:?} {}", relation, place);
                if relation.is_positional() {
                    prop_assert_eq!(related.distance(place).is_finite(), expected, "{:?} {}", relation, place);
                }
            }
        }
    }

    #[test]
    fn things_never_lie_in_each_other_and_every_innermost_match_is_in_one(
        nodes in prop::collection::vec((0usize..6, any::<bool>(), any::<bool>()), 1..40),
    ) {
        let mut sketch = Sketch::new();
        for (depth, named, control) in nodes {
            let name = if named { "x" } else { "" };
            sketch = sketch.node(depth, if control { button(name) } else { node("group", name) });
        }
        let tree = sketch.tree();
        let all = found(&tree, "label=x");
        let things = things(all.clone(), &tree);
        prop_assert!(things.windows(2).all(|pair| pair[0] < pair[1] && !tree.is_below(pair[1], pair[0])));
        prop_assert!(things.iter().all(|thing| all.contains(thing)));
        for place in &all {
            let innermost = !all.iter().any(|other| tree.is_below(*other, *place));
            prop_assert!(!innermost || things.iter().any(|thing| thing == place || tree.is_below(*place, *thing)));
        }
    }
}
