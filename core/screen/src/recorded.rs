//! Is this what a recorded step was about? The one rule by which a target is held to what it was when its step was recorded.
//!
//! A script outlives the app that it was recorded on. A test that stops because a label was reworded is worse than one that
//! goes on, so the rule asks for a contradiction, not for equality:
//!
//! | what is known of both | the same? |
//! | --- | --- |
//! | roles | they must be of one kind: a button may become a link, not a checkbox. Roles that only hold other things, or that nobody knows, become anything |
//! | ids, equal | yes, whatever it is called now, unless its role says nothing and it is called otherwise |
//! | ids, different | only under the same name and in the same place: ids are renamed, and things that look alike have different ones |
//! | names, no ids | they must be alike: equal but for numbers, one part of the other, or a few letters apart |
//! | nothing but the role | yes |
//!
//! Names are never asked of fields, where they may be what was typed. The place is the nearest thing around it that has a name, in both.
//! It is asked for where ids differ, and where the step's selector meant several things when it was recorded: then it is
//! what told them apart. Order and position on the screen say nothing: lists grow, windows are resized.
//!
//! What cannot be decided is the same. A step recorded without any of this is not held to anything.

use contract::Expected;
use serde::Serialize;

use crate::{Node, States, Tree, describe::shown_label, text};

/// Names less alike than this are different (Jaro-Winkler, 0 to 1; the bound of suggestions).
const ALIKE: f64 = 0.85;

/// Roles that may take each other's place from one build of an app to the next: what is done to one does the same to the
/// others.
const KINDS: &[&[&str]] = &[
    &["button", "link", "menuitem", "tab", "option", "treeitem", "image-button"],
    &["checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio", "toggle-button"],
    &["text-field", "search-field", "text-view", "combobox", "number-field"],
    &["slider", "scrollbar", "progressbar", "number-field"],
    &["combobox", "listbox", "button"],
];

/// Roles that are shown and not used.
const SHOWN: &[&str] = &["text", "heading", "status", "alert", "tooltip", "progressbar", "separator", "paragraph"];

/// What speaks against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Differs {
    /// It is of another kind.
    Role,
    /// It has another id.
    Id,
    /// It is called something else.
    Label,
    /// It lies in something else.
    Within,
}

impl Differs {
    /// For people.
    pub const fn words(self) -> &'static str {
        match self {
            Differs::Role => "role",
            Differs::Id => "id",
            Differs::Label => "name",
            Differs::Within => "what it lies in",
        }
    }
}

/// What speaks against this node being what was expected; nothing where it may be.
pub fn differences(expected: &Expected, tree: &Tree, place: u32) -> Vec<Differs> {
    let Some(node) = tree.get(place) else { return Vec::new() };
    if expected.role.as_deref().is_some_and(|was| !same_kind(was, node.role.as_str())) {
        return vec![Differs::Role];
    }
    let ids = expected.id.as_deref().zip(node.identifier.as_deref().filter(|id| !id.is_empty()));
    let label = label_differs(expected, node);
    match ids {
        // An id that is used again: nothing else of it is as it was.
        Some((was, is)) if was == is => {
            let another = expected.role.as_deref().is_some_and(|was| !alike_role(was, node));
            if label && another { vec![Differs::Role, Differs::Label] } else { Vec::new() }
        }
        Some(_) => {
            let others = [(label, Differs::Label), (within_differs(expected, tree, place), Differs::Within)];
            let others: Vec<_> = others.into_iter().filter_map(|(differs, what)| differs.then_some(what)).collect();
            match others.is_empty() {
                true => others,
                false => std::iter::once(Differs::Id).chain(others).collect(),
            }
        }
        None if label => vec![Differs::Label],
        None if expected.ambiguous && within_differs(expected, tree, place) => vec![Differs::Within],
        None => Vec::new(),
    }
}

/// Whether what is done to one does the same to the other, as far as roles say.
fn same_kind(was: &str, is: &str) -> bool {
    let used = |role: &str| KINDS.iter().any(|kind| kind.contains(&role));
    let known = |role: &str| used(role) || SHOWN.contains(&role);
    if was == is || !known(was) || !known(is) {
        return true;
    }
    // A text that became a control is still what was pressed; a control that became a text is not.
    let shown = |role: &str| SHOWN.contains(&role);
    shown(was) || one_kind(was, is)
}

fn one_kind(was: &str, is: &str) -> bool {
    KINDS.iter().any(|kind| kind.contains(&was) && kind.contains(&is))
}

fn alike_role(was: &str, node: &Node) -> bool {
    was == node.role.as_str() || one_kind(was, node.role.as_str())
}

/// Whether both have a name, and not the same one.
fn label_differs(expected: &Expected, node: &Node) -> bool {
    let Some(was) = expected.label.as_deref().filter(|was| !was.trim().is_empty()) else { return false };
    if node.name.trim().is_empty() || node.is(States::EDITABLE) || node.is(States::PASSWORD) {
        return false;
    }
    !alike(was, &node.name)
}

/// Whether both lie in something that has a name, and not the same one.
fn within_differs(expected: &Expected, tree: &Tree, place: u32) -> bool {
    let Some(was) = expected.within.first() else { return false };
    let named = |up: u32| tree.get(up).map(shown_label).filter(|label| !label.trim().is_empty());
    tree.ancestors(place).find_map(named).is_some_and(|is| !alike(was, is))
}

/// Whether two names may be of one thing: numbers, letter case and spaces are left out of it.
fn alike(one: &str, other: &str) -> bool {
    let (one, other) = (without_numbers(one), without_numbers(other));
    // All that is left of "12" and "7:30" says nothing.
    if !one.chars().any(char::is_alphabetic) || !other.chars().any(char::is_alphabetic) {
        return true;
    }
    // By whole words: "Save" and "Save changes", not "On" and "Confirm".
    let (words, others) = (format!(" {one} "), format!(" {other} "));
    words.contains(&others) || others.contains(&words) || strsim::jaro_winkler(&one, &other) >= ALIKE
}

/// The folded text with `#` for each number: "Inbox (12)" and "Inbox (3)" are one.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    let folded = text::fold(text);
    let mut letters = folded.chars().peekable();
    while let Some(letter) = letters.next() {
        if !letter.is_numeric() {
            out.push(letter);
            continue;
        }
        out.push('#');
        // 1,204.50 and 7:30 are one number each.
        while letters.next_if(|next| next.is_numeric() || matches!(next, '.' | ',' | ':')).is_some() {}
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::{Sketch, button, field, node};

    fn expected(role: &str, label: Option<&str>, id: Option<&str>) -> Expected {
        Expected {
            role: Some(role.to_owned()),
            label: label.map(str::to_owned),
            id: id.map(str::to_owned),
            ..Expected::default()
        }
    }

    /// What speaks against a node alone on its screen.
    fn against(expected: &Expected, node: Node) -> Vec<Differs> {
        differences(expected, &Sketch::new().node(0, node).tree(), 0)
    }

    #[test]
    fn an_app_that_is_reworded_is_still_the_same_app() {
        let was = expected("button", Some("Save"), Some("save"));
        for node in [
            button("Save").id("save"),
            button("Keep this").id("save"),
            button("").id("save"),
            node("link", "Store").id("save"),
            node("listitem", "Save").id("save"),
            // The id is gone, or is called otherwise now.
            button("Save"),
            button("save  ").id("save-button"),
            button("Save changes"),
            button(""),
        ] {
            assert_eq!(against(&was, node.clone()), [], "{node:?}");
        }
    }

    #[test]
    fn something_else_under_the_same_selector_is_found_out() {
        let was = expected("button", Some("Save"), Some("save"));
        for (node, differs) in [
            (node("checkbox", "Save").id("save"), vec![Differs::Role]),
            (node("listitem", "Delete all").id("save"), vec![Differs::Role, Differs::Label]),
            (node("text", "Save"), vec![Differs::Role]),
            (button("Delete all"), vec![Differs::Label]),
            (button("Delete all").id("delete"), vec![Differs::Id, Differs::Label]),
        ] {
            assert_eq!(against(&was, node.clone()), differs, "{node:?}");
        }
        assert_eq!(against(&expected("button", Some("Cancel order"), None), button("Confirm order")), [Differs::Label]);
    }

    #[test]
    fn numbers_in_a_name_change_every_day() {
        for (was, is, same) in [
            ("Inbox (12)", "Inbox (3)", true),
            ("Pay 1,204.50 EUR", "Pay 9 EUR", true),
            ("12", "7", true),
            ("Page 2", "Image 2", false),
            ("Yes", "No", false),
            ("Öffnen", "öffnen", true),
        ] {
            let differs = against(&expected("button", Some(was), None), button(is));
            assert_eq!(differs.is_empty(), same, "{was:?} and {is:?}: {differs:?}");
        }
    }

    #[test]
    fn what_stands_in_a_field_is_not_what_it_is_called() {
        let was = expected("text-field", Some("Ada Lovelace"), None);
        assert_eq!(against(&was, field("", "Grace Hopper", States::EDITABLE)), []);
        assert_eq!(against(&was, field("Your name", "", States::EDITABLE)), []);
        assert_eq!(against(&was, node("checkbox", "Your name")), [Differs::Role]);
    }

    #[test]
    fn a_role_that_says_nothing_speaks_against_nothing() {
        for (was, is, same) in [
            ("generic", "button", true),
            ("button", "generic", true),
            ("made-up", "checkbox", true),
            ("listitem", "button", true),
            ("text", "button", true),
            ("button", "text", false),
            ("slider", "button", false),
            ("combobox", "button", true),
            ("switch", "checkbox", true),
        ] {
            assert_eq!(against(&expected(was, None, None), node(is, "")).is_empty(), same, "{was} {is}");
        }
    }

    #[test]
    fn alike_things_are_told_apart_by_what_they_lie_in() {
        let row = |name: &str| Sketch::new().node(0, node("list", "")).node(1, node("listitem", name));
        let delete =
            |name: &str, id: &str| row(name).node(2, node("group", "")).node(3, button("Delete").id(id)).tree();
        let within = |ambiguous| Expected {
            within: vec!["Milk".into(), "Shopping".into()],
            ambiguous,
            ..expected("button", Some("Delete"), Some("delete-1"))
        };
        assert_eq!(differences(&within(false), &delete("Milk", "delete-9"), 3), []);
        assert_eq!(differences(&within(false), &delete("Eggs", "delete-9"), 3), [Differs::Id, Differs::Within]);
        assert_eq!(differences(&within(false), &delete("Eggs", "delete-1"), 3), []);
        // Without ids it counts only where the selector meant several.
        let bare = |ambiguous| Expected { id: None, ..within(ambiguous) };
        assert_eq!(differences(&bare(false), &delete("Eggs", ""), 3), []);
        assert_eq!(differences(&bare(true), &delete("Eggs", ""), 3), [Differs::Within]);
        assert_eq!(differences(&bare(true), &delete("", ""), 3), []);
    }

    #[test]
    fn nothing_recorded_is_nothing_to_hold_to() {
        assert_eq!(against(&Expected::default(), button("Anything").id("x")), []);
        assert_eq!(differences(&Expected::default(), &Sketch::new().tree(), 7), []);
    }
}
