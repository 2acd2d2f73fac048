//! Files that are wrong: each error names the file, the line, the key and what to do.

use super::{DEMO, ScriptError, load, parse};

const HEAD: &str = "app = \"x\"\ntitle = \"X\"\nstart = \"one\"\n";

fn error(text: &str) -> ScriptError {
    parse("app.toml", text).expect_err("this file is wrong")
}

fn with_element(element: &str) -> String {
    format!("{HEAD}[[screen]]\nid = \"one\"\n[[screen.element]]\n{element}\n")
}

#[test]
fn the_demo_is_a_correct_app() {
    assert!(parse("demo", DEMO).unwrap().elements.len() > 500);
}

#[test]
fn only_an_ordinary_file_of_sane_size_is_read() {
    let folder = std::env::temp_dir();
    for (name, why) in
        [("/dev/zero", "no ordinary file"), (folder.to_str().unwrap(), "a folder"), ("/no/such.toml", "No such file")]
    {
        let told = load(name).unwrap_err();
        assert!(told.message.contains(why), "{name}: {told}");
    }
}

#[test]
fn an_unknown_key_is_named_with_its_line() {
    let wrong = error(&with_element("role = \"button\"\nlabl = \"Save\""));
    assert_eq!((wrong.line, wrong.key.as_deref()), (Some(8), Some("labl")));
    assert!(wrong.message.contains("label"), "the known keys are listed: {}", wrong.message);
    assert!(wrong.to_string().starts_with("app.toml, line 8, key `labl`: "), "{wrong}");
}

#[test]
fn a_wrong_value_is_named_with_its_key_and_what_would_be_right() {
    let wrong = error(&with_element("role = \"buton\""));
    assert_eq!((wrong.line, wrong.key.as_deref()), (Some(7), Some("role")));
    assert!(wrong.message.contains("`button`"), "{}", wrong.message);
}

#[test]
fn every_word_that_refers_to_nothing_is_found() {
    for (element, line, key, known) in [
        ("role = \"button\"\non_press = [{ goto = \"two\" }]", 8, "goto", "name one of: one"),
        ("role = \"button\"\non_press = [{ open = \"box\" }]", 8, "open", "add one"),
        ("role = \"button\"\nid = \"save\"\non_press = [{ hide = \"sav\" }]", 9, "hide", "name one of: save"),
        ("role = \"button\"\non_press = [{ after = { ms = 5, run = [{ show = \"x\" }] } }]", 8, "show", "id first"),
        ("role = \"button\"\nlabel = \"{taps} taps\"", 8, "label", "count it"),
        ("role = \"button\"\nlabel = \"{value:x}\"", 8, "label", "id first"),
    ] {
        let wrong = error(&with_element(element));
        assert_eq!((wrong.line, wrong.key.as_deref()), (Some(line), Some(key)), "{element}");
        assert!(wrong.hint.contains(known), "{element}: {}", wrong.hint);
    }
}

#[test]
fn ids_stand_for_one_thing() {
    let twice = error(&with_element("role = \"text\"\nid = \"a\"\n[[screen.element]]\nrole = \"text\"\nid = \"a\""));
    assert_eq!(twice.line, Some(11));
    let rows = error(&with_element("role = \"text\"\nid = \"a\"\nrepeat = 3"));
    assert!(rows.hint.contains("{n}"), "{}", rows.hint);
    let screens = error(&format!("{HEAD}[[screen]]\nid = \"one\"\n[[screen]]\nid = \"one\"\n"));
    assert_eq!(screens.line, Some(7));
    assert!(error(&with_element("role = \"text\"\nid = \"stage:ok\"")).hint.contains("stage:"));
}

#[test]
fn keys_that_do_not_fit_the_role_are_refused() {
    assert!(error(&with_element("role = \"button\"\nmask = true")).hint.contains("text-field"));
    let inside = error(&with_element("role = \"button\"\nelement = [{ role = \"text\" }]"));
    assert!(inside.hint.contains("group"));
    let twice = error(&with_element("role = \"list\"\nrepeat = 2\nelement = [{ role = \"text\", repeat = 2 }]"));
    assert!(twice.message.contains("repeat"));
}

#[test]
fn an_app_that_would_fill_the_memory_is_refused() {
    let wrong = error(&with_element("role = \"text\"\nrepeat = 4000000000"));
    assert!(wrong.message.contains("100000"), "{}", wrong.message);
}

#[test]
fn numbers_and_colours_are_checked() {
    assert!(error(&format!("{HEAD}scale = 9\n[[screen]]\nid = \"one\"\n")).hint.contains("1 to 4"));
    assert_eq!(error(&format!("{HEAD}accent = \"blue\"\n[[screen]]\nid = \"one\"\n")).key.as_deref(), Some("accent"));
    assert_eq!(error("app = \"x\"\ntitle = \"X\"\nstart = \"no\"\n").line, Some(3));
}

#[test]
fn what_is_no_toml_is_named_with_its_line() {
    assert_eq!(error("app = \"x\"\ntitle =\n").line, Some(2));
}

#[test]
fn a_fault_on_an_element_that_is_not_there_is_refused() {
    let text =
        format!("{HEAD}[[screen]]\nid = \"one\"\n[[fault]]\non = \"press\"\nkind = \"refuse\"\nelement = \"gone\"\n");
    assert_eq!((error(&text).line, error(&text).key), (Some(9), Some("element".to_owned())));
    assert!(parse("app.toml", &text.replace("gone", "stage:ok")).is_ok(), "the stage's own parts can have faults");
}

#[test]
fn a_file_that_is_not_there_says_so_and_sends_nothing() {
    let failure = load("./no-such-app.toml").unwrap_err().failure();
    assert_eq!(failure.claim().map(|claim| claim.row), Some(contract::Row::StageScriptInvalid));
    assert!(failure.message.contains("./no-such-app.toml") && failure.hint.is_some());
}

/// The keys that a table knows, out of the message about one that it does not know.
fn keys_of(text: &str) -> Vec<String> {
    let message = error(text).message;
    let (_, known) = message.split_once("expected").expect("the message lists the known keys");
    known.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_guide_explains_every_key_and_word() {
    let guide = include_str!("../../../../docs/guide/stage.md");
    let screen = format!("{HEAD}[[screen]]\nid = \"one\"\n");
    let action = |action: &str| with_element(&format!("role = \"button\"\non_press = [{action}]"));
    let fault = |fault: &str| format!("{screen}[[fault]]\n{fault}\n");
    let mut known = 0;
    for text in [
        format!("zzz = 1\n{HEAD}"),
        format!("{HEAD}[keyboard]\nzzz = 1\n"),
        format!("{HEAD}viewport = {{ zzz = 1 }}\n"),
        format!("{screen}zzz = 1\n"),
        format!("{screen}[[overlay]]\nzzz = 1\n"),
        format!("{screen}[[overlay]]\nid = \"o\"\nrole = \"zzz\"\n"),
        format!("{screen}[[overlay]]\nid = \"o\"\nplace = \"zzz\"\n"),
        with_element("zzz = 1"),
        with_element("role = \"zzz\""),
        with_element("role = \"text\"\nstates = [\"zzz\"]"),
        with_element("role = \"search\"\nfilter = \"zzz\""),
        with_element("role = \"text\"\nmoves = { zzz = 1 }"),
        with_element("role = \"text\"\nrect = { zzz = 1 }"),
        with_element("role = \"text\"\non_swipe = { zzz = [] }"),
        action("{ zzz = 1 }"),
        action("{ confirm = { zzz = 1 } }"),
        action("{ prompt = { zzz = 1 } }"),
        action("{ add = { zzz = 1 } }"),
        action("{ set_counter = { zzz = 1 } }"),
        action("{ set_text = { zzz = 1 } }"),
        action("{ after = { zzz = 1 } }"),
        action("{ when = { zzz = 1 } }"),
        action("{ when = { contains = { zzz = 1 } } }"),
        fault("zzz = 1"),
        fault("on = \"zzz\""),
        fault("on = \"press\"\nkind = \"zzz\""),
    ] {
        for key in keys_of(&text) {
            let word = |at: usize, text: &str| {
                let beside = |letter: Option<char>| {
                    letter.is_none_or(|letter| !(letter.is_alphanumeric() || letter == '_' || letter == '-'))
                };
                beside(guide[..at].chars().next_back()) && beside(guide[at + text.len()..].chars().next())
            };
            let explained = guide.match_indices(&key).any(|(at, found)| word(at, found));
            assert!(explained, "docs/guide/stage.md does not explain `{key}`");
            known += 1;
        }
    }
    assert!(known > 150, "only {known} keys and words were found");
}

#[test]
fn the_guides_first_app_is_a_correct_one() {
    let guide = include_str!("../../../../docs/guide/stage.md");
    let app =
        guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("the guide shows an app");
    assert_eq!(parse("guide", app).unwrap().id, "shop");
}
