//! A selector that finds a given node again: what `press` answers and what scripts record.

use super::{Alternative, Resolution, Selector, Term, TextKey, resolve};
use crate::{States, Tree};

/// The chain `id || role+label || label || value` of those alternatives that mean this node alone, today, on this
/// screen. Empty where there are none. Values that the user can type are left out for password fields.
pub fn selector_chain(tree: &Tree, place: u32) -> String {
    let Some(node) = tree.get(place) else { return String::new() };
    let text = |key, text: &str| (!text.trim().is_empty()).then(|| Term::Text(key, text.to_owned()));
    let id = node.identifier.as_deref().and_then(|id| text(TextKey::Id, id));
    let label = text(TextKey::Label, &node.name);
    let value =
        node.value.as_deref().filter(|_| !node.is(States::PASSWORD)).and_then(|value| text(TextKey::Value, value));
    let role = Term::Text(TextKey::Role, node.role.as_str().to_owned());

    let candidates = [
        id.map(|id| vec![id]),
        label.clone().map(|label| vec![role, label]),
        label.map(|label| vec![label]),
        value.map(|value| vec![value]),
    ];
    let alternatives: Vec<Alternative> = candidates
        .into_iter()
        .flatten()
        .map(|terms| Alternative { terms })
        .filter(|alternative| {
            let alone = Selector { alternatives: vec![alternative.clone()] };
            resolve(&alone, tree) == Resolution::One(place)
        })
        .collect();
    if alternatives.is_empty() { String::new() } else { Selector { alternatives }.to_string() }
}
