//! What is wrong with a text, where, and what to do about it.

use contract::{Dispatched, Failure};

use super::*;

#[test]
fn quotes_and_escapes_are_read() {
    let text = |selector: &str| match &Selector::parse(selector).unwrap().alternatives[0].terms[0] {
        Term::Text(_, value) => value.clone(),
        _ => unreachable!(),
    };
    assert_eq!(text(r#"label="a \"b\" \\ \/ \b\f\n\r\t""#), "a \"b\" \\ / \u{8}\u{c}\n\r\t");
    assert_eq!(text("label='it\\'s'"), "it's");
    assert_eq!(text("label=\"it's || x=y\""), "it's || x=y");
    assert_eq!(text("id=a=b"), "a=b");
    assert_eq!(text("label=\"\""), "");
}

#[test]
fn words_that_join_terms_elsewhere_are_left_out_of_the_advice() {
    let told = |text: &str| Selector::parse(text).unwrap_err().suggestion();
    for (text, meant) in [
        ("role=button && label~=\"Sa.*\"", Some("role=button label~=\"Sa.*\"")),
        ("role=button AND enabled & label='a && b'", Some("role=button enabled label='a && b'")),
        ("id=a OR id=b", Some("id=a || id=b")),
        ("role=button && lable=Save", None),
        ("&& label=Save", Some("label=Save")),
        ("label=Save &&", Some("label=Save")),
    ] {
        assert_eq!(told(text).as_deref(), meant, "{text}");
    }
    let failure = Failure::from(Selector::parse("role=button && id=a").unwrap_err());
    assert!(failure.hint.unwrap().ends_with("\n            ^\ndid you mean role=button id=a?"));
}

#[test]
fn every_key_that_find_knows_a_selector_by_is_one() {
    let all = TextKey::ALL
        .iter()
        .map(|key| key.word())
        .chain(Flag::ALL.iter().map(|flag| flag.word()))
        .chain(Relation::ALL.iter().map(|relation| relation.word()))
        .chain(Side::ALL.iter().map(|side| side.word()))
        .chain(["first", "index"]);
    assert_eq!(all.collect::<Vec<_>>(), contract::command::SELECTOR_KEYS);
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
        ("below=label", 6, P::NoSelector(Relation::Below)),
        ("below", 5, P::NoSelector(Relation::Below)),
        ("child-of(id=x)", 8, P::NoSelector(Relation::ChildOf)),
        ("label=x below=(id=y", 14, P::OpenParenthesis),
        ("below=()", 7, P::EmptyAlternative),
        ("below=(id=x ||)", 14, P::EmptyAlternative),
        ("below=(id=x)y", 12, P::AfterParenthesis('y')),
        ("below=(id=f(x))", 11, P::ParenthesisInWord),
        ("below=(id~=f(x))", 12, P::ParenthesisInWord),
        ("below=((id=x))", 7, P::BareWord("(".into())),
        ("label=x )", 8, P::BareWord(")".into())),
        ("label~=", 7, P::MissingValue(TextKey::Label)),
        ("label~=\"a", 7, P::OpenQuote('"')),
        (r#"label~="a\""#, 7, P::OpenQuote('"')),
        ("visible~=x", 0, P::NoText("visible".into())),
        ("lable~=x", 0, P::UnknownKey("lable".into())),
        ("~=x", 0, P::MissingKey),
        ("index=one", 6, P::NotAnIndex("one".into())),
        ("index", 5, P::NotAnIndex(String::new())),
        ("first=false", 6, P::NotFirst),
        ("first index=0", 6, P::SecondPick),
        ("width=4.5", 6, P::NotASpan(Side::Width, "4.5".into())),
        ("height=..", 7, P::NotASpan(Side::Height, "..".into())),
        ("height=5..4", 7, P::NotASpan(Side::Height, "5..4".into())),
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
        ("leftOf=(id=x)", Some("left-of=(...)")),
        ("containsDescendants=(id=x)", Some("contains-descendant=(...)")),
        ("below=\"Total\"", Some(r#"below=(label="Total")"#)),
        ("lable~=Save", Some("label~=")),
        ("frist", Some("first")),
        ("Save(1)", Some(r#"label="Save(1)""#)),
        ("e7", Some("@e7")),
        ("e7~s3", Some("@e7~s3")),
        ("e-mail", Some(r#"label="e-mail""#)),
        ("role=button e7", Some(r#"label="e7""#)),
        ("#save", Some(r#"id="save""#)),
        ("#1 in the list", Some("label=\"#1 in the list\"")),
        ("label:Save all", Some(r#"label="Save all""#)),
        ("label:Save", Some(r#"label="Save""#)),
        ("[button] \"Save\"", Some(r#"role=button label="Save""#)),
        ("button \"Save all\"", Some(r#"role=button label="Save all""#)),
        ("placeholder=Search", Some("anytext=")),
        ("button.save", None),
        (".save", None),
        ("//button[@id=\"save\"]", None),
        ("example.org", None),
        ("Mr.Smith", Some(r#"label="Mr.Smith""#)),
    ] {
        assert_eq!(wrong(text).suggestion().as_deref(), suggestion, "{text}");
    }
    let failure = Failure::from(wrong("role=button Save"));
    assert_eq!(failure.reason_str(), Some("selector_invalid"));
    let hint = failure.hint.clone().unwrap();
    assert_eq!(hint, "role=button Save\n            ^\ndid you mean label=\"Save\"?");
    assert!(failure.message.contains("windowtitle") && failure.message.len() < 150, "{}", failure.message);
    assert!(failure.details["expected"].as_str().unwrap().contains("hittable"));
    let css = Failure::from(wrong("button.save")).hint.unwrap();
    assert!(css.contains("role=button label=\"Save\"") && css.contains("help selectors"), "{css}");
    assert_eq!(failure.claim().unwrap().dispatched, Dispatched::No);
}

#[test]
fn the_caret_stands_under_the_character_whatever_came_before() {
    let hint = Failure::from(wrong("label=ä\u{1F600} ?")).hint.unwrap();
    let lines: Vec<&str> = hint.lines().collect();
    assert_eq!(lines[1].chars().count() - 1, lines[0].chars().position(|c| c == '?').unwrap());
}

#[test]
fn parentheses_nest_so_deep_and_passes_are_counted() {
    let nested = |depth: usize| "below=(".repeat(depth) + "id=x" + &")".repeat(depth);
    assert!(Selector::parse(&nested(DEEPEST)).is_ok());
    assert_eq!(wrong(&nested(DEEPEST + 1)).problem, SelectorProblem::TooDeep);
    assert_eq!(wrong(&nested(100_000)).problem, SelectorProblem::TooDeep);
    let wide = |count: usize| vec!["id~=x"; count].join(" ");
    assert!(Selector::parse(&wide(MOST_PASSES)).is_ok());
    assert_eq!(wrong(&wide(MOST_PASSES + 1)).problem, SelectorProblem::TooMany);
}

#[test]
fn a_wrong_pattern_is_shown_at_its_column() {
    for (text, column) in [("label~=\"ab(c\"", 10), ("role=button label~=a(?=b)", 20), ("below=(id~='x[')", 13)] {
        let error = wrong(text);
        assert!(matches!(error.problem, SelectorProblem::BadPattern(_)), "{error:?}");
        assert_eq!(error.position, column, "{text}");
    }
    let failure = Failure::from(wrong("label~=\"Total (2\""));
    assert!(failure.message.contains("unclosed group (column 15)"), "{}", failure.message);
    assert_eq!(failure.reason_str(), Some("selector_invalid"));
}
