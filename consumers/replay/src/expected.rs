//! What the targets of a step are held to: what they were when it was recorded, as far as the script does not say otherwise.

use contract::{Command, Expected, Target};
use script::Evidence;

use crate::suggest::Wanted;

/// One for each target of the command; none where nothing is known of any. How they are judged: `screen::recorded`.
///
/// A person who changes a selector, or a variable in it, means something else than what was recorded. What the selector
/// says of its target now counts, so what was recorded of that is left out.
pub fn of_step(command: &Command, evidence: Option<&Evidence>) -> Vec<Expected> {
    let Some(evidence) = evidence else { return Vec::new() };
    let expected = evidence.expected().into_iter().zip(command.aims());
    let expected: Vec<_> = expected.map(|(expected, target)| as_said(expected, target)).collect();
    if expected.iter().all(|expected| *expected == Expected::default()) { Vec::new() } else { expected }
}

fn as_said(expected: Expected, target: &Target) -> Expected {
    let Target::Selector { selector } = target else { return Expected::default() };
    let said = Wanted::of_selector(selector);
    let kept = |was: Option<String>, said: Option<&String>| was.filter(|was| said.is_none_or(|said| same(was, said)));
    Expected {
        id: kept(expected.id, said.id.as_ref()),
        role: kept(expected.role, said.role.as_ref()),
        label: kept(expected.label, said.label.as_ref()),
        ..expected
    }
}

fn same(one: &str, other: &str) -> bool {
    let words = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
    words(one) == words(other)
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
        for line in ["press 10 20", "press @e5", "back", "get text id=save", "gesture pinch 2"] {
            assert_eq!(expected(line, SAVE), [], "{line}");
        }
        assert_eq!(of_step(&Command::from_line("press id=save").unwrap(), None), []);
        assert_eq!(expected("press id=save", "target-v1 {}"), []);
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
