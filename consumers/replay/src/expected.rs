//! What the targets of a step are held to: what they were when it was recorded, as far as the script does not say otherwise.

use contract::{
    Command, Expected, Named, Target,
    command::{FindWords, Locator},
};
use script::Evidence;

use crate::suggest::Wanted;

/// One for each target of the command; none where nothing is known of any. How they are judged: `screen::recorded`.
///
/// A person who changes a selector, or a variable in it, means something else than what was recorded. What the selector
/// says of its target now counts, so what was recorded of that is left out.
pub fn of_step(command: &Command, evidence: Option<&Evidence>) -> Vec<Expected> {
    let Some(evidence) = evidence else { return Vec::new() };
    let expected = evidence.expected().into_iter().zip(command.named());
    let expected: Vec<_> = expected.map(|(expected, named)| as_said(expected, named)).collect();
    if expected.iter().all(|expected| *expected == Expected::default()) { Vec::new() } else { expected }
}

fn as_said(expected: Expected, named: Named<'_>) -> Expected {
    let selector = match named {
        Named::Target(Target::Selector { selector }) => selector,
        Named::Target(_) => return Expected::default(),
        Named::Found(words) => match words.selector() {
            Some(selector) => selector,
            None => return as_looked_for(expected, words),
        },
    };
    let said = Wanted::of_selector(selector);
    let kept = |was: Option<String>, said: Option<&String>| was.filter(|was| said.is_none_or(|said| same(was, said)));
    Expected {
        id: kept(expected.id, said.id.as_ref()),
        role: kept(expected.role, said.role.as_ref()),
        label: kept(expected.label, said.label.as_ref()),
        ..expected
    }
}

/// `find` looks for part of a text: what was recorded of the field it looks in counts as far as it has that part.
fn as_looked_for(expected: Expected, words: &FindWords) -> Expected {
    let query = folded(&words.query);
    let has = |was: &String| folded(was).contains(&query);
    match words.how() {
        Locator::Id => Expected { id: expected.id.filter(has), ..expected },
        Locator::Role => Expected { role: expected.role.filter(has), ..expected },
        Locator::Text | Locator::Label => Expected { label: expected.label.filter(has), ..expected },
        // What it holds is not part of what it was.
        Locator::Value | Locator::Selector => expected,
        // Any of them had it. Where none has, the words were changed.
        Locator::Any => match expected.id.as_ref().is_some_and(has) || expected.label.as_ref().is_some_and(has) {
            true => expected,
            false => Expected { id: None, label: None, ..expected },
        },
    }
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn same(one: &str, other: &str) -> bool {
    folded(one) == folded(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(text: &str) -> Evidence {
        Evidence::read(&format!("# agent-device:{text}")).unwrap().unwrap()
    }

    fn expected(line: &str, text: &str) -> Vec<Expected> {
        of_step(&Command::from_line(line).unwrap(), Some(&evidence(text)))
    }

    const SAVE: &str = r#"target-v1 {"id":"save","role":"button","label":"Save"}"#;

    #[test]
    fn what_the_script_says_of_its_target_outweighs_what_was_recorded() {
        let of = |line| {
            let expected = expected(line, SAVE).pop().unwrap();
            (expected.id.is_some(), expected.role.is_some(), expected.label.is_some())
        };
        assert_eq!(of(r#"press 'id="save" || role=button label="save"'"#), (true, true, true));
        assert_eq!(of(r#"press 'label="Store"'"#), (true, true, false));
        assert_eq!(of(r#"press 'role=link label="Save"'"#), (true, false, true));
        assert_eq!(of(r#"fill 'id="keep"' text"#), (false, true, true));
    }

    #[test]
    fn what_aims_at_no_element_is_held_to_nothing() {
        for line in [
            "press 10 20",
            "press @e5",
            "back",
            "wait id=save",
            "is absent id=save",
            "find save list",
            "gesture pinch 2",
        ] {
            assert_eq!(expected(line, SAVE), [], "{line}");
        }
        assert_eq!(of_step(&Command::from_line("press id=save").unwrap(), None), []);
        assert_eq!(expected("press id=save", "target-v1 {}"), []);
    }

    #[test]
    fn reads_and_finds_are_held_to_what_they_were_about() {
        let of = |line| {
            let expected = expected(line, SAVE).pop().unwrap();
            (expected.id.is_some(), expected.role.is_some(), expected.label.is_some())
        };
        for line in ["get text id=save", "is visible id=save", "is exists id=save", "find sav", "find id=save getText"]
        {
            assert_eq!(of(line), (true, true, true), "{line}");
        }
        assert_eq!(of("find Store"), (false, true, false), "the words were changed");
        assert_eq!(of("find label Store"), (true, true, false));
        assert_eq!(of("find 'role=link label=Save'"), (true, false, true));
        assert_eq!(of("get text label=Store"), (true, true, false));
    }

    #[test]
    fn both_ends_of_a_drag_are_held_to_what_they_were() {
        let ends = r#"targets-v1 {"source":{"label":"Milk"},"destination":{"label":"Bread"}}"#;
        let labels: Vec<_> = expected("gesture drag label=Milk id=shelf", ends)
            .into_iter()
            .filter_map(|expected| expected.label)
            .collect();
        assert_eq!(labels, ["Milk", "Bread"]);
        // A step that was changed into one with fewer targets.
        assert_eq!(expected("press label=Milk", ends).len(), 1);
    }
}
