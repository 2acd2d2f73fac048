//! What is told of a miss and of an ambiguity, and what is recorded.

use super::*;
use crate::RefBook;

#[test]
fn a_miss_names_what_is_near() {
    let tree = form();
    let near = |text: &str| near(&Selector::parse(text).unwrap(), &tree);
    assert_eq!(near("label=Save"), [r#"role=button label="Save changes""#, r#"role=text label="Save changes""#]);
    assert_eq!(near("label=Delte")[0], r#"role=button label="Delete""#);
    assert_eq!(near("role=link label=Delete")[0], r#"role=button label="Delete""#);
    assert_eq!(near("id=emial"), [r#"id="email""#]);
    assert!(near("label=Xylophone").is_empty());
    assert!(near("value=hunter").is_empty(), "a password is not told");
    let failure = absent(&Selector::parse("label=Delte").unwrap(), &tree);
    assert!(failure.hint.as_deref().unwrap().starts_with("did you mean role=button label=\"Delete\"?"), "{failure:?}");
    assert_eq!(failure.reason_str(), Some("selector_not_found"));
}

#[test]
fn an_ambiguity_lists_at_most_five_candidates_with_pinned_refs() {
    let mut sketch = Sketch::new().node(0, node("list", ""));
    for _ in 0..7 {
        sketch = sketch.node(1, button("Delete"));
    }
    let tree = sketch.tree();
    let mut book = RefBook::new();
    let failure = locate(&Selector::parse("label=Delete").unwrap(), &mut book, &tree).unwrap_err();
    assert_eq!(failure.code, contract::Code::AmbiguousMatch);
    let candidates = failure.details["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 5);
    assert_eq!(candidates[0], "@e1~s1 [button] \"Delete\"");
    assert_eq!((failure.details["matches"].as_u64(), failure.details["refsGeneration"].as_u64()), (Some(7), Some(1)));
    assert_eq!(failure.message, "7 elements match label=Delete; the first 5 are listed");
}

#[test]
fn equal_candidates_are_told_apart_by_what_they_lie_in() {
    let mut sketch = Sketch::new().node(0, node("list", ""));
    for row in ["Milk", "Bread"] {
        sketch = sketch.node(1, node("listitem", "")).node(2, node("text", row)).node(2, button("Delete"));
    }
    let tree = sketch.tree();
    let mut book = RefBook::new();
    let failure = locate(&Selector::parse("label=Delete").unwrap(), &mut book, &tree).unwrap_err();
    let candidates = failure.details["candidates"].as_array().unwrap();
    assert_eq!(candidates[0], "@e1~s1 [button] \"Delete\" in \"Milk\"");
    assert_eq!(candidates[1], "@e2~s1 [button] \"Delete\" in \"Bread\"");
}

#[test]
fn a_recorded_selector_holds_only_what_means_this_node_alone() {
    let tree = form();
    assert_eq!(selector_chain(&tree, 3), r#"id=save || role=button label="Save  changes" || label="Save  changes""#);
    assert_eq!(selector_chain(&tree, 2), "role=text-field label=Password || label=Password");
    let twins = Sketch::new().node(0, node("list", "")).node(1, button("x")).node(1, button("x").id("second")).tree();
    assert_eq!(selector_chain(&twins, 1), "");
    assert_eq!(selector_chain(&twins, 2), "id=second");
}

#[test]
fn a_miss_says_which_part_of_the_selector_fails() {
    let tree = Sketch::new()
        .node(0, node("heading", "Cart").at(0.0, 0.0, 100.0, 20.0))
        .node(0, button("Buy").at(0.0, 50.0, 100.0, 20.0))
        .node(0, button("Buy").at(0.0, 80.0, 100.0, 20.0))
        .tree();
    let message = |text: &str| absent(&Selector::parse(text).unwrap(), &tree);
    let anchor = message("label=Buy below=(label=Crat)");
    assert!(anchor.message.ends_with(": nothing matches label=Crat"), "{}", anchor.message);
    assert!(anchor.hint.unwrap().starts_with("did you mean role=heading label=\"Cart\""));
    let index = message("label=Buy index=2").message;
    assert!(index.ends_with(": 2 elements match label=Buy, counted from 0"), "{index}");
    let relation = message("label=Cart below=(label=Buy) first").message;
    assert!(relation.ends_with(": 1 element matches label=Cart, but not below=(label=Buy)"), "{relation}");
    let second = message("label=Buy below=(label=Cart) above=(role=heading)").message;
    assert!(
        second.ends_with(": 2 elements match label=Buy below=(label=Cart), but not above=(role=heading)"),
        "{second}"
    );
    assert!(!message("label=Nothing").message.contains(": "));
    let near = near(&Selector::parse(r#"anytext~=".*Byu\?""#).unwrap(), &tree);
    assert_eq!(near, [r#"role=button text="Buy""#]);
}
