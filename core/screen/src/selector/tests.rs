use contract::{Dispatched, Failure};
use proptest::prelude::*;

use super::*;
use crate::{
    RefBook, States, Tree,
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

#[test]
fn quotes_and_escapes_are_read() {
    let text = |selector: &str| match &Selector::parse(selector).unwrap().alternatives[0].terms[0] {
        Term::Text(_, value) => value.clone(),
        Term::Flag(..) => unreachable!(),
    };
    assert_eq!(text(r#"label="a \"b\" \\ \/ \b\f\n\r\t""#), "a \"b\" \\ / \u{8}\u{c}\n\r\t");
    assert_eq!(text("label='it\\'s'"), "it's");
    assert_eq!(text("label=\"it's || x=y\""), "it's || x=y");
    assert_eq!(text("id=a=b"), "a=b");
    assert_eq!(text("label=\"\""), "");
}

#[test]
fn every_mistake_has_its_place_and_its_name() {
    use SelectorProblem as P;
    for (text, position, problem) in [
        ("", 0, P::Empty),
        ("  ", 0, P::Empty),
        ("|| label=x", 0, P::EmptyAlternative),
        ("label=x ||", 10, P::EmptyAlternative),
        ("label=x || || id=y", 11, P::EmptyAlternative),
        ("label=x | id=y", 8, P::SingleBar),
        ("=x", 0, P::MissingKey),
        ("lable=x", 0, P::UnknownKey("lable".into())),
        ("ä label=x", 0, P::BareWord("ä".into())),
        ("role=button ä", 12, P::BareWord("ä".into())),
        ("label", 5, P::MissingValue(TextKey::Label)),
        ("label= id=x", 6, P::MissingValue(TextKey::Label)),
        ("visible=yes", 8, P::NotBoolean(Flag::Visible, "yes".into())),
        ("label=\"Save", 6, P::OpenQuote('"')),
        ("label='Save\"", 6, P::OpenQuote('\'')),
        (r#"label="\x""#, 7, P::UnknownEscape('x')),
        (r"label=a\", 7, P::OpenEscape),
        ("label=\"a\"b", 9, P::AfterQuote('b')),
        ("label=don't", 9, P::QuoteInWord('\'')),
        ("\"Save\"", 0, P::BareWord("Save".into())),
    ] {
        let error = wrong(text);
        assert_eq!((error.position, error.problem), (position, problem), "{text:?}");
    }
}

#[test]
fn mistakes_come_with_the_repair() {
    for (text, suggestion) in [
        ("Save", Some(r#"label="Save""#)),
        ("Save all", Some(r#"label="Save all""#)),
        ("visibel", Some("visible")),
        ("lable=Save", Some("label=")),
        ("name=Save", Some("label=")),
        ("testid=Save", Some("id=")),
        ("colour=red", None),
    ] {
        assert_eq!(wrong(text).suggestion().as_deref(), suggestion, "{text}");
    }
    let failure = Failure::from(wrong("role=button Save"));
    assert_eq!(failure.reason_str(), Some("selector_invalid"));
    let hint = failure.hint.clone().unwrap();
    assert_eq!(hint, "role=button Save\n            ^\ndid you mean label=\"Save\"?");
    assert!(failure.message.contains("windowtitle") && failure.message.contains("hittable"), "{}", failure.message);
    assert_eq!(failure.claim().unwrap().dispatched, Dispatched::No);
}

#[test]
fn the_caret_stands_under_the_character_whatever_came_before() {
    let hint = Failure::from(wrong("label=ä\u{1F600} ?")).hint.unwrap();
    let lines: Vec<&str> = hint.lines().collect();
    assert_eq!(lines[1].chars().count() - 1, lines[0].chars().position(|c| c == '?').unwrap());
}

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
fn a_recorded_selector_holds_only_what_means_this_node_alone() {
    let tree = form();
    assert_eq!(selector_chain(&tree, 3), r#"id=save || role=button label="Save  changes" || label="Save  changes""#);
    assert_eq!(selector_chain(&tree, 2), "role=text-field label=Password || label=Password");
    let twins = Sketch::new().node(0, node("list", "")).node(1, button("x")).node(1, button("x").id("second")).tree();
    assert_eq!(selector_chain(&twins, 1), "");
    assert_eq!(selector_chain(&twins, 2), "id=second");
}

fn term() -> impl Strategy<Value = Term> {
    prop_oneof![
        (prop::sample::select(TextKey::ALL), any::<String>()).prop_map(|(key, value)| Term::Text(key, value)),
        (prop::sample::select(Flag::ALL), any::<bool>()).prop_map(|(flag, on)| Term::Flag(flag, on)),
    ]
}

fn selector() -> impl Strategy<Value = Selector> {
    prop::collection::vec(prop::collection::vec(term(), 1..4).prop_map(|terms| Alternative { terms }), 1..4)
        .prop_map(|alternatives| Selector { alternatives })
}

/// A screen of few names, so that they meet.
fn screen() -> impl Strategy<Value = Tree> {
    let names = prop::sample::select(vec!["", "Save", "Delete"]);
    let roles = prop::sample::select(vec!["button", "text", "group", "heading"]);
    prop::collection::vec((0usize..4, roles, names, any::<bool>(), any::<bool>()), 1..20).prop_map(|nodes| {
        nodes
            .into_iter()
            .fold(Sketch::new(), |sketch, (depth, role, name, interactive, drawn)| {
                let mut shown = node(role, name);
                shown.states.set(States::INTERACTIVE, interactive);
                shown.states.set(States::RENDERED, drawn);
                sketch.node(depth, shown)
            })
            .tree()
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back_as_the_same_selector(selector in selector()) {
        prop_assert_eq!(Selector::parse(&selector.to_string()), Ok(selector));
    }

    #[test]
    fn no_text_makes_the_parser_panic_and_every_error_points_into_the_text(text in any::<String>()) {
        if let Err(error) = Selector::parse(&text) {
            prop_assert!(error.position <= text.len() && text.is_char_boundary(error.position));
            let _ = Failure::from(error);
        }
    }

    #[test]
    fn texts_that_look_like_selectors_do_not_make_it_panic_either(text in r#"((label|id|visible|x)(=|)("|'|\\|a| |\|){0,4} ?(\|\|)? ?){0,4}"#) {
        let _ = Selector::parse(&text).map_err(Failure::from);
    }

    #[test]
    fn one_node_is_always_a_match_and_several_are_never_of_one_control_chain(tree in screen()) {
        let selector = Selector::parse("label=Save").unwrap();
        let all = matches(&selector, &tree);
        match resolve(&selector, &tree) {
            Resolution::One(place) => prop_assert!(all.contains(&place)),
            Resolution::None => prop_assert!(all.is_empty()),
            Resolution::Many(several) => {
                prop_assert!(several.len() > 1);
                let left_out = all.iter().filter(|place| !several.contains(place));
                let captions: Vec<u32> = left_out.copied().collect();
                prop_assert!(captions.iter().all(|place| tree.get(*place).is_some_and(|node| node.role.as_str() == "text")));
                prop_assert!(captions.is_empty() || several.iter().any(|place| tree.actionable(*place) == Some(*place)));
                prop_assert_eq!(several.len() + captions.len(), all.len());
            }
        }
    }

    #[test]
    fn a_recorded_chain_finds_its_node_again(tree in screen()) {
        for (place, _) in tree.iter() {
            let chain = selector_chain(&tree, place);
            if !chain.is_empty() {
                prop_assert_eq!(found(&tree, &chain), Resolution::One(place));
            }
        }
    }
}
