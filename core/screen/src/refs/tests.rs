use std::collections::HashMap;

use contract::{Code, Dispatched, Failure, target::RefToken};
use proptest::prelude::*;

use super::{entry::Showing, *};
use crate::{
    Node, Tree,
    sketch::{Sketch, button, node},
};

fn screen(nodes: Vec<Node>) -> Tree {
    nodes.into_iter().fold(Sketch::new().node(0, node("list", "").key(1)), |sketch, node| sketch.node(1, node)).tree()
}

fn show(book: &mut RefBook, tree: &Tree) -> Vec<u32> {
    let mut frame = book.show(tree);
    (0u32..).take(tree.len()).map(|place| frame.number_of(place)).collect()
}

fn token(text: &str) -> RefToken {
    RefToken::parse(text).unwrap()
}

fn reason(failure: &Failure) -> &str {
    assert_eq!(failure.claim().map(|claim| claim.dispatched), Some(Dispatched::No));
    failure.reason_str().unwrap()
}

#[test]
fn a_node_keeps_its_number_and_a_new_one_never_gets_an_old_number() {
    let mut book = RefBook::new();
    assert_eq!(show(&mut book, &screen(vec![button("A").key(2), button("B").key(3)])), [1, 2, 3]);
    assert_eq!(show(&mut book, &screen(vec![button("C").key(4), button("B").key(3)])), [1, 4, 3]);
    assert_eq!(show(&mut book, &screen(vec![button("D").key(5)])), [1, 5]);
    assert_eq!(book.generation(), 3);
}

#[test]
fn a_book_after_another_gives_out_none_of_its_numbers_and_refuses_its_refs() {
    let mut before = RefBook::new();
    let tree = screen(vec![button("A").key(2), button("B").key(3)]);
    show(&mut before, &tree);
    let mut after = before.successor();
    for old in ["@e2", "@e2~s1"] {
        assert_eq!(reason(&after.lookup(token(old)).unwrap_err()), "ref_expired");
        assert_eq!(reason(&after.resolve(token(old), &tree).unwrap_err()), "ref_expired");
    }
    // The same screen, with the same keys as it happens.
    assert_eq!(show(&mut after, &tree), [4, 5, 6]);
    assert_eq!(after.generation(), 2);
    assert_eq!(reason(&after.resolve(token("@e2"), &tree).unwrap_err()), "ref_expired");
    assert!(after.resolve(token("@e5"), &tree).is_ok());
}

#[test]
fn only_what_is_asked_for_gets_a_number() {
    let mut book = RefBook::new();
    let tree = screen(vec![button("A").key(2), button("B").key(3)]);
    assert_eq!(book.show(&tree).number_of(2), 1);
    assert_eq!(book.remembered(), 1);
    assert_eq!(book.resolve(token("@e1"), &tree).unwrap().place, 2);
    assert_eq!(reason(&book.resolve(token("@e2"), &tree).unwrap_err()), "ref_not_issued");
    let mut second = book.show(&tree);
    assert_eq!((second.number_of(99), second.generation()), (0, 2));
    assert_eq!(second.pinned(2), token("@e1~s2"));
}

#[test]
fn a_ref_of_a_node_that_is_gone_refuses_and_names_both_generations() {
    let mut book = RefBook::new();
    show(&mut book, &screen(vec![button("Save").key(2)]));
    let after = screen(vec![button("Saved").key(3)]);
    show(&mut book, &after);
    let failure = book.resolve(token("@e2"), &after).unwrap_err();
    assert_eq!((failure.code, reason(&failure)), (Code::RefExpired, "ref_expired"));
    assert_eq!(
        failure.message,
        "@e2 was [button] \"Save\" in generation 1; the screen is now generation 2 and it is gone"
    );
}

#[test]
fn a_ref_is_refused_on_a_newer_capture_that_was_not_shown() {
    let mut book = RefBook::new();
    show(&mut book, &screen(vec![button("Save").key(2)]));
    let failure = book.resolve(token("@e2"), &screen(vec![])).unwrap_err();
    assert!(failure.message.ends_with("generation 1, the last one shown; it has left the screen since"), "{failure}");
}

#[test]
fn a_plain_ref_follows_a_new_name_aloud_and_refuses_a_new_role() {
    let mut book = RefBook::new();
    show(&mut book, &screen(vec![button("0 items").key(2)]));
    let renamed = screen(vec![button("1 item").key(2)]);
    let aim = book.resolve(token("@e2"), &renamed).unwrap();
    assert_eq!(aim.changed, Some(LabelChanged { was: "0 items".into(), now: "1 item".into() }));
    let failure = book.resolve(token("@e2"), &screen(vec![node("link", "0 items").key(2)])).unwrap_err();
    assert_eq!((failure.code, reason(&failure)), (Code::RefExpired, "ref_changed"));
    assert!(failure.message.contains("[button] \"0 items\"") && failure.message.contains("[link] \"0 items\""));
}

#[test]
fn a_pinned_ref_means_what_it_was_in_its_generation() {
    let mut book = RefBook::new();
    show(&mut book, &screen(vec![button("Follow").key(2)]));
    let now = screen(vec![button("Unfollow").key(2)]);
    show(&mut book, &now);
    assert_eq!(book.resolve(token("@e2~s2"), &now).unwrap().changed, None);
    assert_eq!(book.resolve(token("@e2"), &now).unwrap().changed, None, "it was last shown so");
    let failure = book.resolve(token("@e2~s1"), &now).unwrap_err();
    assert_eq!(reason(&failure), "ref_changed");
    assert_eq!(failure.message, "@e2 was [button] \"Follow\" in generation 1 and is now [button] \"Unfollow\"");
}

#[test]
fn a_pin_to_a_generation_that_did_not_show_the_node_is_refused() {
    let mut book = RefBook::new();
    let tree = screen(vec![button("A").key(2), button("B").key(3)]);
    show(&mut book, &tree);
    book.show(&tree).number_of(1);
    for pin in ["@e3~s2", "@e3~s9", "@e3~s0"] {
        let failure = book.resolve(token(pin), &tree).unwrap_err();
        assert_eq!(reason(&failure), "ref_generation_mismatch", "{pin}");
        let never = failure.message.contains("that generation has not been shown");
        assert_eq!(never, pin != "@e3~s2", "{failure}");
    }
    for (never, book) in [("@e4", &book), ("@e0", &book), ("@e1", &RefBook::new())] {
        assert_eq!(reason(&book.resolve(token(never), &tree).unwrap_err()), "ref_not_issued", "{never}");
    }
}

#[test]
fn lookup_answers_without_a_screen() {
    let mut book = RefBook::new();
    show(&mut book, &screen(vec![button("Follow").key(2).id("follow")]));
    show(&mut book, &screen(vec![button("Unfollow").key(2).id("follow")]));
    let shown = book.lookup(token("@e2")).unwrap();
    assert_eq!((shown.name.as_str(), shown.generation, shown.identifier.as_deref()), ("Unfollow", 2, Some("follow")));
    assert_eq!(shown.key.map(|key| key.id), Some(2));
    assert_eq!(book.lookup(token("@e2~s1")).unwrap().name, "Follow");
    assert!(book.lookup(token("@e3")).is_err());
}

#[test]
fn memory_is_bounded_and_what_is_forgotten_still_refuses() {
    let mut book = RefBook::new();
    let stays = || button("stays").key(1_000_000);
    let mut latest = 1;
    for round in 0..60u64 {
        let mut nodes: Vec<Node> = (0..500).map(|at| button("row").key(round * 1000 + at + 10)).collect();
        nodes.push(stays());
        let numbers = show(&mut book, &screen(nodes));
        assert_eq!(numbers.last(), Some(&502), "what stays keeps its number");
        assert!(book.remembered() <= 502 + REMEMBERED_VANISHED, "{}", book.remembered());
        assert!(round == 0 || book.entries.contains_key(&latest), "what vanished last is forgotten last");
        latest = numbers[numbers.len() - 2];
    }
    let failure = book.resolve(token("@e5"), &screen(vec![stays()])).unwrap_err();
    assert_eq!(reason(&failure), "ref_expired");
    for _ in 0..=REMEMBERED_GENERATIONS {
        show(&mut book, &screen(vec![stays()]));
    }
    assert_eq!(book.remembered(), 2);
    assert!(book.resolve(token("@e502"), &screen(vec![stays()])).is_ok());
}

#[test]
fn what_has_left_the_screen_is_named_for_so_many_generations() {
    let mut book = RefBook::new();
    show(&mut book, &screen(vec![button("Save").key(2)]));
    let empty = screen(vec![]);
    for _ in 0..REMEMBERED_GENERATIONS {
        show(&mut book, &empty);
    }
    let named = |book: &RefBook| book.resolve(token("@e2"), &empty).unwrap_err().message.contains("[button] \"Save\"");
    assert!(named(&book));
    show(&mut book, &empty);
    assert!(!named(&book));
}

#[test]
fn a_node_that_stays_on_the_screen_keeps_its_number_however_long_it_is_not_shown() {
    let mut book = RefBook::new();
    let tree = screen(vec![button("A").key(2), button("B").key(3)]);
    show(&mut book, &tree);
    for _ in 0..REMEMBERED_GENERATIONS * 3 {
        book.show(&tree).number_of(1);
    }
    assert_eq!(book.resolve(token("@e3"), &tree).unwrap().place, 2);
    assert_eq!(book.show(&tree).number_of(2), 3);
    let failure = book.resolve(token("@e2~s1"), &tree).unwrap_err();
    assert!(failure.message.starts_with("@e2~s1 is too old"), "{failure}");
}

fn rows(names: &[&str]) -> Tree {
    let mut sketch = Sketch::new().node(0, node("list", ""));
    for name in names {
        sketch = sketch.node(1, node("listitem", "")).node(2, node("text", name)).node(2, button("Delete"));
    }
    sketch.tree()
}

/// The number of the "Delete" of each row.
fn deletes(book: &mut RefBook, tree: &Tree) -> Vec<u32> {
    let numbers = show(book, tree);
    tree.iter().filter(|(_, node)| &*node.name == "Delete").map(|(place, _)| numbers[place as usize]).collect()
}

#[test]
fn without_keys_equal_buttons_are_told_apart_by_their_rows() {
    let mut book = RefBook::new();
    let before = deletes(&mut book, &rows(&["A", "B", "C"]));
    let after = deletes(&mut book, &rows(&["B", "C", "D"]));
    assert_eq!(after[..2], before[1..]);
    assert!(!before.contains(&after[2]));
    let tree = rows(&["B", "C", "D"]);
    let gone = RefToken { number: before[0], generation: None };
    assert_eq!(reason(&book.resolve(gone, &tree).unwrap_err()), "ref_expired");
}

#[test]
fn without_keys_rows_that_cannot_be_told_apart_all_expire_when_one_goes() {
    let mut book = RefBook::new();
    let before = deletes(&mut book, &rows(&["x", "x", "x"]));
    assert_eq!(deletes(&mut book, &rows(&["x", "x", "x"])), before);
    let after = deletes(&mut book, &rows(&["x", "x"]));
    assert!(after.iter().all(|number| !before.contains(number)));
}

/// What a node contains tells it apart from its likes, and where it has none it is the same whatever it contains.
#[test]
fn without_keys_a_node_without_likes_stays_the_same_while_its_content_changes() {
    let cart = |text: &str| Sketch::new().node(0, node("group", "Cart")).node(1, node("text", text)).tree();
    let mut book = RefBook::new();
    let before = show(&mut book, &cart("1 item"))[0];
    assert_eq!(show(&mut book, &cart("2 items"))[0], before);
}

/// Eight names are kept: of what was shown before the earliest of them nobody knows what it looked like.
#[test]
fn what_a_ref_was_shown_as_is_known_back_to_the_earliest_name_that_is_kept() {
    let mut entry = Entry::new(Identity::Shape(1), None, 9);
    entry.show(&button("10"), 10);
    entry.show(&button("12"), 12);
    // Listed twice on the same screen.
    entry.show(&button("12"), 12);
    let known = [(9, Showing::No), (10, Showing::Yes), (11, Showing::No), (12, Showing::Yes), (13, Showing::No)];
    for (generation, showing) in known {
        assert_eq!(entry.was_shown(generation), showing, "{generation}");
    }
    for generation in 13..=19 {
        entry.show(&button(&generation.to_string()), generation);
    }
    assert_eq!((entry.was_shown(10), entry.was_shown(11)), (Showing::Forgotten, Showing::Forgotten));
    for generation in 12..=19 {
        assert_eq!(entry.was_shown(generation), Showing::Yes, "{generation}");
        assert_eq!(&*entry.face(Some(generation)).unwrap().name, generation.to_string());
    }
}

proptest! {
    #[test]
    fn a_number_means_one_node_for_ever(screens in prop::collection::vec(prop::collection::btree_set(2u64..12, 0..8), 1..40)) {
        let mut book = RefBook::new();
        let mut meaning: HashMap<u32, u64> = HashMap::new();
        for keys in screens {
            let tree = screen(keys.iter().map(|key| button("x").key(*key)).collect());
            let numbers = show(&mut book, &tree);
            for (number, key) in numbers[1..].iter().zip(&keys) {
                prop_assert_eq!(*meaning.entry(*number).or_insert(*key), *key);
            }
            for (number, key) in &meaning {
                let there = keys.contains(key);
                let aim = book.resolve(RefToken { number: *number, generation: None }, &tree);
                if let Ok(aim) = &aim {
                    prop_assert_eq!(tree.get(aim.place).and_then(|node| node.key).map(|key| key.id), Some(*key));
                }
                prop_assert!(!there || aim.is_ok() || !numbers.contains(number));
            }
        }
    }

    #[test]
    fn without_keys_no_two_nodes_of_a_screen_share_a_number(names in prop::collection::vec(prop::sample::select(vec!["a", "b"]), 0..12)) {
        let tree = rows(&names);
        let mut numbers = show(&mut RefBook::new(), &tree);
        numbers.sort_unstable();
        numbers.dedup();
        prop_assert_eq!(numbers.len(), tree.len());
    }
}

#[test]
fn an_element_that_is_reused_for_another_row_is_no_longer_what_was_shown() {
    let list = |rows: [&str; 2]| {
        let row = |sketch: Sketch, (name, key): (&str, u64)| {
            sketch.node(1, node("listitem", "")).node(2, node("text", name)).node(2, button("Delete").key(key))
        };
        rows.into_iter().zip(10..).fold(Sketch::new().node(0, node("list", "All").key(1)), row).tree()
    };
    let mut book = RefBook::new();
    let shown = list(["Row 0", "Row 1"]);
    let view = contract::command::ViewArgs { interactive_only: true, ..Default::default() };
    let listing = crate::snapshot::render(&mut book.show(&shown), &view, None).unwrap();
    assert!(listing.text().contains("@e1 [button] \"Delete\" in \"Row 0\""), "{}", listing.text());
    let first = RefToken { number: 1, generation: None };
    assert!(book.resolve(first, &shown).is_ok());
    assert_eq!(book.lookup(first).unwrap().within.as_deref(), Some("Row 0"));
    // Scrolled: the same elements, other rows. And once more, with the first row's text now in the second.
    for now in [["Row 40", "Row 41"], ["Row 40", "Row 0"]] {
        let failure = book.resolve(first, &list(now)).unwrap_err();
        assert_eq!(failure.reason_str(), Some("ref_changed"), "{now:?}");
        assert!(failure.message.contains("in \"Row 0\""), "{failure}");
    }
    // The other row is gone: this one is the only one left, and still the same.
    let left = Sketch::new()
        .node(0, node("list", "All").key(1))
        .node(1, node("listitem", ""))
        .node(2, node("text", "Row 0"))
        .node(2, button("Delete").key(10))
        .tree();
    assert!(book.resolve(first, &left).is_ok());
}
