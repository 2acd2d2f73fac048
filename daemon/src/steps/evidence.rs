//! What a step's target looked like when it was recorded: a replay that finds another element under the same selector can say
//! so.

use screen::{States, Tree, describe};
use script::{Ancestor, Evidence, TargetEvidence, Verification};

use crate::secrets::Secrets;

/// The evidence of an element. What is nobody's to read is left out. `alone` says whether the step's selector means it alone.
pub fn of(tree: &Tree, place: u32, alone: bool, secrets: &Secrets) -> Option<TargetEvidence> {
    let node = tree.get(place)?;
    let told = |text: &str| {
        let text = text.trim();
        (!text.is_empty() && secrets.replaced(text, "", "").is_none()).then(|| text.to_owned())
    };
    let before = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let earlier = || tree.iter().take_while(|(other, _)| *other < place).map(|(_, other)| other);
    let alike = earlier()
        .filter(|other| other.is(States::VISIBLE) && other.role == node.role && other.name == node.name)
        .count();
    let ancestor =
        |up: &screen::Node| Ancestor { role: up.role.as_str().to_owned(), label: told(describe::shown_label(up)) };
    Some(
        TargetEvidence {
            id: node.identifier.as_deref().and_then(told),
            role: node.role.as_str().to_owned(),
            label: told(describe::shown_label(node)),
            ancestry: tree
                .ancestors(place)
                .filter_map(|up| tree.get(up))
                .take(script::evidence::ANCESTORS)
                .map(ancestor)
                .collect(),
            sibling: Some(before(earlier().filter(|other| other.parent == node.parent).count())),
            viewport_order: node.is(States::VISIBLE).then(|| before(alike)),
            rect: Some(node.rect),
            verification: if alone { Verification::Unique } else { Verification::Ambiguous },
        }
        .bounded(),
    )
}

/// The comment above a step: of its target, or of both ends of a drag.
pub fn comment(targets: &[TargetEvidence]) -> Option<String> {
    match targets {
        [target] => Some(Evidence::target(target.clone()).comment()),
        [source, destination] => Some(Evidence::targets(source.clone(), destination.clone()).comment()),
        _ => None,
    }
}
