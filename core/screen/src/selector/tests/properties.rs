//! What holds whatever the text and the screen.

use contract::Failure;
use proptest::prelude::*;

use super::*;

fn pattern() -> impl Strategy<Value = Pattern> {
    let written = prop::sample::select(vec![
        r"\d+ items?",
        ".*Save.*",
        "a|b|\"c\"",
        r"C:\\x",
        r"[^\]\[]+",
        "(?i:x)\n",
        r"\u{1b}",
        "",
        "it's",
        "(?x) a b",
    ]);
    prop_oneof![
        written.prop_map(str::to_owned),
        any::<String>().prop_map(|text| regex_syntax::escape(&text)),
        any::<String>(),
    ]
    .prop_filter_map("no expression", |text| Pattern::new(&text).ok())
}

fn span() -> impl Strategy<Value = Span> {
    (any::<u32>(), any::<u32>(), 0..3u8).prop_map(|(one, other, open)| match open {
        0 => Span { least: one.min(other), most: one.max(other) },
        1 => Span { least: 0, most: one },
        _ => Span { least: one, most: u32::MAX },
    })
}

fn term() -> impl Strategy<Value = Term> {
    prop_oneof![
        (prop::sample::select(TextKey::ALL), any::<String>()).prop_map(|(key, value)| Term::Text(key, value)),
        (prop::sample::select(TextKey::ALL), pattern()).prop_map(|(key, pattern)| Term::Pattern(key, pattern)),
        (prop::sample::select(Flag::ALL), any::<bool>()).prop_map(|(flag, on)| Term::Flag(flag, on)),
        (prop::sample::select(Side::ALL), span()).prop_map(|(side, span)| Term::Size(side, span)),
    ]
}

fn picked() -> impl Strategy<Value = Option<Pick>> {
    prop_oneof![Just(None), Just(Some(Pick::First)), any::<i32>().prop_map(|index| Some(Pick::Index(index)))]
}

fn selector() -> impl Strategy<Value = Selector> {
    let of = |terms: BoxedStrategy<Term>| {
        prop::collection::vec((prop::collection::vec(terms, 1..4), picked()), 1..3).prop_map(|alternatives| Selector {
            alternatives: alternatives
                .into_iter()
                .map(|(mut terms, pick)| {
                    terms.extend(pick.map(Term::Pick));
                    Alternative { terms }
                })
                .collect(),
        })
    };
    of(term().boxed()).prop_recursive(3, 12, 2, move |inner| {
        let related = (prop::sample::select(Relation::ALL), inner)
            .prop_map(|(relation, anchor)| Term::Relation(relation, anchor));
        of(prop_oneof![term(), related].boxed())
    })
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
    fn texts_with_relations_and_patterns_do_not_either_and_read_back(
        text in r#"((label|below|first|index|width|id)(=|~=|)(\(|\)|"|'|\\|a|1|\.\.| |\|\|){0,5} ?){0,6}"#,
    ) {
        match Selector::parse(&text) {
            Ok(selector) => {
                let written = selector.to_string();
                prop_assert!(written.chars().all(contract::plain::is_shown));
                prop_assert_eq!(Selector::parse(&written), Ok(selector));
            }
            Err(error) => {
                prop_assert!(text.is_char_boundary(error.position));
                let _ = Failure::from(error);
            }
        }
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
