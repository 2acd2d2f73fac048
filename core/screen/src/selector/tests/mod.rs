//! | module | tests |
//! | --- | --- |
//! | [`mod@self`] | which one is meant |
//! | `terms` | patterns, sizes, picks |
//! | `wrong` | texts that are none |
//! | `told` | misses, ambiguities, records |
//! | `properties` | whatever the text and the screen |

mod properties;
mod terms;
mod told;
mod wrong;

use super::*;
use crate::{
    States, Tree,
    sketch::{Sketch, button, field, node},
};

fn found(tree: &Tree, text: &str) -> Resolution {
    resolve(&Selector::parse(text).unwrap(), tree)
}

fn wrong(text: &str) -> SelectorError {
    Selector::parse(text).unwrap_err()
}

fn form() -> Tree {
    Sketch::new()
        .node(0, node("webview", "Settings").at(0.0, 0.0, 400.0, 800.0))
        .node(1, field("Email", "a@b.c", States::FOCUSED).id("email"))
        .node(1, field("Password", "hunter2", States::PASSWORD))
        .node(1, button("Save  changes").id("save"))
        .node(2, node("text", "Save changes"))
        .node(1, button("Delete").with(States::DISABLED))
        .node(1, node("heading", "Danger zone"))
        .tree()
}

#[test]
fn an_android_resource_id_is_meant_in_full_and_by_its_name() {
    let tree = Sketch::new()
        .node(0, button("Save").id("com.example:id/save"))
        .node(0, button("Saved").id("com.example:id/saved"))
        .tree();
    for selector in ["id=save", "id=com.example:id/save"] {
        assert_eq!(found(&tree, selector), Resolution::One(0), "{selector}");
    }
    assert_eq!(found(&tree, "id=example:id/save"), Resolution::None);
}

#[test]
fn terms_are_anded_and_alternatives_tried_in_order() {
    let tree = form();
    assert_eq!(found(&tree, "role=button label=Delete"), Resolution::One(5));
    assert_eq!(found(&tree, "role=link label=Delete"), Resolution::None);
    assert_eq!(found(&tree, "id=nope || id=save || label=Delete"), Resolution::One(3));
    assert_eq!(found(&tree, "disabled"), Resolution::One(5));
    assert_eq!(found(&tree, "role=button enabled=true"), Resolution::One(3));
    assert_eq!(found(&tree, "editable focused"), Resolution::One(1));
}

#[test]
fn texts_are_compared_after_normalisation_and_never_in_part() {
    let tree = form();
    assert_eq!(found(&tree, r#"label=" save CHANGES ""#), Resolution::One(3));
    assert_eq!(found(&tree, "label=Save"), Resolution::None);
}

#[test]
fn a_fields_text_is_its_value_and_a_passwords_is_not() {
    let tree = form();
    assert_eq!(found(&tree, "text=a@b.c"), Resolution::One(1));
    assert_eq!(found(&tree, "text=hunter2"), Resolution::None);
    assert_eq!(found(&tree, "value=hunter2"), Resolution::None);
    assert_eq!(found(&tree, "text=Password"), Resolution::One(2));
}

#[test]
fn roles_match_by_our_name_arias_name_and_the_platforms_name() {
    let mut input = field("Name", "", States::empty());
    input.native_type = Some("android.widget.EditText".into());
    let tree = Sketch::new().node(0, input).tree();
    for role in ["text-field", "textbox", "TextBox", "android.widget.EditText"] {
        assert_eq!(found(&tree, &format!("role={role}")), Resolution::One(0), "{role}");
    }
    assert_eq!(found(&tree, "role=button"), Resolution::None);
}

#[test]
fn window_titles_and_app_names_narrow_a_selector() {
    let mut tree = Sketch::new().node(0, node("window", "Print")).node(1, button("OK")).tree();
    tree.app = Some("com.example".into());
    tree.title = Some("Main".into());
    for holds in ["label=OK windowtitle=print", "label=OK windowtitle=Main", "label=OK appname=com.example"] {
        assert_eq!(found(&tree, holds), Resolution::One(1), "{holds}");
    }
    assert_eq!(found(&tree, "label=OK windowtitle=Other"), Resolution::None);
}

#[test]
fn a_button_and_the_text_in_it_are_one_thing() {
    assert_eq!(found(&form(), r#"text="Save changes""#), Resolution::One(3));
}

#[test]
fn a_caption_gives_way_to_the_field_it_names_and_to_nothing_else() {
    let form = Sketch::new()
        .node(0, node("text", "Email"))
        .node(0, node("text-field", "Email").with(States::EDITABLE | States::INTERACTIVE))
        .node(0, node("text", "Total"))
        .node(0, node("heading", "Total"))
        .node(0, node("button", "Send").with(States::INTERACTIVE))
        .node(0, node("button", "Send").with(States::INTERACTIVE))
        .node(0, node("text", "Send"))
        .tree();
    assert_eq!(found(&form, "label=Email"), Resolution::One(1));
    assert_eq!(found(&form, "label=Total"), Resolution::Many(vec![2, 3]));
    assert_eq!(found(&form, "label=Send"), Resolution::Many(vec![4, 5]));
}

#[test]
fn where_text_is_entered_the_only_field_among_the_matches_is_meant() {
    let field = || node("text-field", "Name").with(States::EDITABLE | States::INTERACTIVE);
    let one = Sketch::new().node(0, node("columnheader", "Name")).node(0, field()).tree();
    let two = Sketch::new().node(0, node("columnheader", "Name")).node(0, field()).node(0, field()).tree();
    let none = Sketch::new().node(0, node("columnheader", "Name")).node(0, node("heading", "Name")).tree();
    let selector = Selector::parse("label=Name").unwrap();
    assert_eq!(resolve(&selector, &one), Resolution::Many(vec![0, 1]));
    assert_eq!(resolve_for_text(&selector, &one), Resolution::One(1));
    assert_eq!(resolve_for_text(&selector, &two), Resolution::Many(vec![0, 1, 2]));
    assert_eq!(resolve_for_text(&selector, &none), Resolution::Many(vec![0, 1]));
}

#[test]
fn the_innermost_control_of_a_chain_is_meant() {
    let tree = Sketch::new()
        .node(0, button("Card"))
        .node(1, node("group", ""))
        .node(2, node("link", "Card").with(States::INTERACTIVE))
        .node(3, node("text", "Card"))
        .tree();
    assert_eq!(found(&tree, "label=Card"), Resolution::One(2));
}

#[test]
fn a_match_that_belongs_to_another_control_inside_keeps_a_chain_ambiguous() {
    let tree = Sketch::new()
        .node(0, node("link", "Card").with(States::INTERACTIVE))
        .node(1, button(""))
        .node(2, node("text", "Card"))
        .tree();
    assert_eq!(found(&tree, "label=Card"), Resolution::Many(vec![0, 2]));
}

#[test]
fn wrappers_around_nothing_pressable_collapse_onto_what_has_a_meaning() {
    let heading = Sketch::new().node(0, node("heading", "News")).node(1, node("text", "News")).tree();
    assert_eq!(found(&heading, "label=News"), Resolution::One(0));
    let texts = Sketch::new().node(0, node("group", "News")).node(1, node("text", "News")).tree();
    assert_eq!(found(&texts, "label=News"), Resolution::One(1));
    let dialog = Sketch::new().node(0, node("dialog", "News")).node(1, node("heading", "News")).tree();
    assert_eq!(found(&dialog, "label=News"), Resolution::Many(vec![0, 1]));
    let nameless =
        Sketch::new().node(0, button("")).node(1, node("heading", "News")).node(2, node("text", "News")).tree();
    assert_eq!(found(&nameless, "label=News"), Resolution::One(2));
}

#[test]
fn geometry_never_chooses_between_different_things() {
    let twin = |states: States| {
        Sketch::new()
            .node(0, node("group", ""))
            .node(1, button("Save"))
            .node(1, button("Save").at(0.0, 5000.0, 10.0, 10.0).without(states))
            .tree()
    };
    assert_eq!(found(&twin(States::VISIBLE), "label=Save"), Resolution::Many(vec![1, 2]));
    assert_eq!(found(&twin(States::VISIBLE | States::RENDERED), "label=Save"), Resolution::One(1));
}

#[test]
fn what_is_not_drawn_is_found_where_nothing_else_is() {
    let tree = Sketch::new().node(0, button("Save").without(crate::sketch::SHOWN)).tree();
    assert_eq!(found(&tree, "label=Save hidden"), Resolution::One(0));
}
