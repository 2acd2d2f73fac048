//! Terms beyond equality and states.

use super::*;

#[test]
fn a_pattern_matches_a_whole_text_of_its_key() {
    let tree = form();
    assert_eq!(found(&tree, r#"label~="save .*""#), Resolution::One(3));
    assert_eq!(found(&tree, "label~=Save"), Resolution::None, "not a part of it");
    assert_eq!(found(&tree, r"value~=\w@b\.c"), Resolution::One(1));
    assert_eq!(found(&tree, "id~='save|nothing'"), Resolution::One(3));
    assert_eq!(wrong("id~=save|email").problem, SelectorProblem::SingleBar);
}

#[test]
fn keys_of_patterns_compare_what_they_compare_otherwise() {
    let mut tree = Sketch::new().node(0, button("Save").id("com.example:id/save_7")).node(0, node("text", "")).tree();
    tree.app = Some("com.example.app".into());
    for holds in [r"id~=save_\d", r"id~='com\.example:id/.*'", "role~=butt.* appname~=com.*", r#"label~="(?-i)Save""#] {
        assert_eq!(found(&tree, holds), Resolution::One(0), "{holds}");
    }
    assert_eq!(found(&tree, r#"label~="(?-i)save""#), Resolution::None);
    assert_eq!(found(&tree, "label~=.*"), Resolution::One(0), "what has no label has none that matches");
}

#[test]
fn any_text_is_label_value_placeholder_and_description_but_no_password() {
    let mut hinted = field("Name", "", States::empty());
    hinted.extra = Some(Box::new(crate::Extra { placeholder: Some("Jane Doe".into()), ..crate::Extra::default() }));
    hinted.description = Some("As on your card".into());
    let tree = Sketch::new()
        .node(0, hinted)
        .node(0, field("Email", "a@b.c", States::empty()))
        .node(0, field("Password", "hunter2", States::PASSWORD))
        .tree();
    for (text, place) in [("jane doe", 0), ("As on your card", 0), ("Name", 0), ("a@b.c", 1), ("Password", 2)] {
        assert_eq!(found(&tree, &format!("anytext={text:?}")), Resolution::One(place), "{text}");
    }
    for secret in ["anytext=hunter2", "anytext~=hunter.*", "value~=.*2", "text~=hunter2", "anytext~='h\\w+2'"] {
        assert_eq!(found(&tree, secret), Resolution::None, "{secret}");
    }
}

#[test]
fn sizes_are_whole_px_and_ranges() {
    let tree = Sketch::new()
        .node(0, button("wide").at(0.0, 0.0, 200.4, 40.0))
        .node(0, button("square").at(0.0, 50.0, 40.0, 41.0))
        .tree();
    for (text, place) in [
        ("width=200", 0),
        ("width=190..210", 0),
        ("width=100..", 0),
        ("width=..100", 1),
        ("width=40 height=41", 1),
        ("square", 1),
    ] {
        assert_eq!(found(&tree, text), Resolution::One(place), "{text}");
    }
    assert_eq!(found(&tree, "width=201"), Resolution::None);
}

#[test]
fn traits_are_states() {
    let tree = Sketch::new()
        .node(0, node("image", ""))
        .node(0, node("text", &"long ".repeat(41)))
        .node(0, node("text", &"x".repeat(200)))
        .tree();
    assert_eq!(found(&tree, "long-text"), Resolution::One(1));
    assert_eq!(found(&tree, "has-text=false"), Resolution::One(0));
}

#[test]
fn a_relation_alone_leaves_an_ambiguity_and_wrappers_collapse_as_ever() {
    let tree = Sketch::new()
        .node(0, node("heading", "Cart").at(0.0, 0.0, 100.0, 20.0))
        .node(0, button("Buy").at(0.0, 50.0, 100.0, 20.0))
        .node(1, node("text", "Buy").at(0.0, 50.0, 100.0, 20.0))
        .node(0, button("Sell").at(0.0, 80.0, 100.0, 20.0))
        .tree();
    assert_eq!(found(&tree, "label=Buy below=(label=Cart)"), Resolution::One(1));
    assert_eq!(found(&tree, "role=button below=(label=Cart)"), Resolution::Many(vec![1, 3]));
    assert_eq!(found(&tree, "role=button below=(label=Cart) first"), Resolution::One(1));
    assert_eq!(resolve_for_text(&Selector::parse("role=button index=-1").unwrap(), &tree), Resolution::One(3));
}
