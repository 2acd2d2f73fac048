use contract::command::{Locator, Predicate};

use super::*;
use crate::sketch::{SHOWN, Sketch, button, field, node};

fn page() -> Tree {
    Sketch::new()
        .node(0, node("webview", "Shop").at(0.0, 0.0, 400.0, 800.0))
        .node(1, button("Save changes").id("save-btn"))
        .node(2, node("text", "Save changes"))
        .node(1, field("Save as", "report.txt", States::FOCUSED))
        .node(1, field("Secret", "save me", States::PASSWORD))
        .node(1, button("Save later").without(SHOWN))
        .node(1, node("paragraph", ""))
        .node(2, node("text", "You have"))
        .node(2, node("text", "3 new").with(States::CHECKABLE))
        .node(2, node("text", "messages"))
        .tree()
}

#[test]
fn find_looks_for_parts_and_takes_a_button_and_its_text_for_one_thing() {
    let tree = page();
    assert_eq!(find(&tree, Locator::Any, "save"), [1, 3]);
    assert_eq!(find(&tree, Locator::Label, "SAVE  as"), [3]);
    assert_eq!(find(&tree, Locator::Value, "report"), [3]);
    assert_eq!(find(&tree, Locator::Text, "report"), [3]);
    assert_eq!(find(&tree, Locator::Role, "field"), [3, 4]);
    assert_eq!(find(&tree, Locator::Id, "btn"), [1]);
    assert!(find(&tree, Locator::Value, "save me").is_empty(), "passwords are not searched");
    assert!(find(&tree, Locator::Any, "  ").is_empty());
}

#[test]
fn find_takes_a_selector_and_means_what_a_press_means() {
    let tree = page();
    let found = |text: &str| find(&tree, Locator::Selector, text);
    assert_eq!(found("label~=\"save.*\" role=button"), [1]);
    assert_eq!(found("text~=\"save.*\""), [1], "the button, not the text in it");
    assert_eq!(found("editable"), [3, 4]);
    assert!(found("label=Save").is_empty(), "the whole label");
    assert!(found("Save").is_empty());
    let fields = Selector::parse("label~=\"Save (as|changes)\"").unwrap();
    assert_eq!(find_selected(&tree, &fields).len(), 2);
    assert_eq!(find_for_text(&tree, &fields), [3], "only one takes text");
}

#[test]
fn find_takes_what_is_not_drawn_where_nothing_else_matches() {
    assert_eq!(find(&page(), Locator::Any, "later"), [5]);
}

#[test]
fn a_text_on_the_screen_is_found_also_where_it_is_spread_over_parts() {
    let tree = page();
    assert_eq!(text_on_screen(&tree, "save changes"), Some(2));
    assert_eq!(text_on_screen(&tree, "report.txt"), Some(3));
    assert_eq!(text_on_screen(&tree, "you have 3 new messages"), Some(6));
    assert_eq!(text_on_screen(&tree, "later"), None, "it is not in view");
    assert_eq!(text_on_screen(&tree, "save me"), None, "it is a password");
    assert_eq!(text_on_screen(&tree, "changes report"), None, "these are two things");
}

#[test]
fn a_whole_screen_is_not_read_as_one_sentence() {
    let list = |rows: usize| {
        (0..rows).fold(Sketch::new().node(0, node("list", "")), |sketch, _| sketch.node(1, node("text", "ab"))).tree()
    };
    assert_eq!(text_on_screen(&list(5), "ab ab ab"), Some(0));
    assert_eq!(text_on_screen(&list(100), "ab ab ab"), None);
}

#[test]
fn the_text_of_a_node_is_its_value_its_name_or_what_is_in_it() {
    let tree = page();
    assert_eq!(display_text(&tree, 1), "Save changes");
    assert_eq!(display_text(&tree, 3), "report.txt");
    assert_eq!(display_text(&tree, 4), crate::describe::MASK);
    assert_eq!(display_text(&tree, 6), "You have\n3 new\nmessages");
    let empty = Sketch::new().node(0, field("Name", "", States::empty())).node(0, node("group", "").id("box")).tree();
    assert_eq!((display_text(&empty, 0), display_text(&empty, 1)), (String::new(), "box".into()));
    assert_eq!(display_text(&empty, 7), "");
}

fn holds(predicate: Predicate, found: Option<u32>) -> bool {
    check(predicate, None, "target", &page(), found).is_ok()
}

#[test]
fn predicates_hold_of_what_is_there() {
    for (predicate, place, expected) in [
        (Predicate::Visible, 1, true),
        (Predicate::Visible, 5, false),
        (Predicate::Hidden, 5, true),
        (Predicate::Exists, 5, true),
        (Predicate::Absent, 5, false),
        (Predicate::Editable, 3, true),
        (Predicate::Editable, 1, false),
        (Predicate::Focused, 3, true),
        (Predicate::Selected, 3, false),
        (Predicate::Enabled, 1, true),
        (Predicate::Disabled, 1, false),
        (Predicate::Checked, 8, false),
    ] {
        assert_eq!(holds(predicate, Some(place)), expected, "{predicate:?} {place}");
    }
}

#[test]
fn of_what_is_not_there_only_absent_and_hidden_hold() {
    for predicate in [Predicate::Visible, Predicate::Exists, Predicate::Enabled, Predicate::Disabled, Predicate::Text] {
        assert!(!holds(predicate, None), "{predicate:?}");
    }
    assert!(holds(Predicate::Absent, None) && holds(Predicate::Hidden, None));
}

#[test]
fn a_truncated_capture_proves_no_absence() {
    let mut tree = page();
    tree.truncated = true;
    let failure = check(Predicate::Absent, None, "label=x", &tree, None).unwrap_err();
    assert_eq!(failure.details["captureTruncated"], true);
}

#[test]
fn a_failed_predicate_says_what_is_true_instead() {
    let tree = page();
    let failure = check(Predicate::Checked, None, "@e8", &tree, Some(8)).unwrap_err();
    assert_eq!(failure.message, "[text] \"3 new\" is not checked; it is visible, enabled, unchecked");
    assert_eq!((failure.code, failure.reason_str()), (Code::PredicateFailed, Some("predicate_failed")));
    let failure = check(Predicate::Text, Some("other.txt"), "@e3", &tree, Some(3)).unwrap_err();
    assert_eq!(failure.message, "the text of [text-field] \"Save as\" is \"report.txt\", not \"other.txt\"");
    assert_eq!(failure.details["actual"], "report.txt");
    assert!(check(Predicate::Text, Some(" REPORT.txt"), "@e3", &tree, Some(3)).is_ok());
    let failure = check(Predicate::Visible, None, "label=x", &tree, None).unwrap_err();
    assert_eq!(failure.message, "label=x is not visible: nothing on the screen matches");
}
