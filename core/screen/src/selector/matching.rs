//! Does a node match? Equality after normalisation (trimmed, white space collapsed, letter case ignored).

use super::{Alternative, Flag, Term, TextKey};
use crate::{Node, Role, States, Tree, text};

/// A term's value, folded, and the roles that ARIA means by it.
struct Wanted {
    folded: String,
    roles: [Role; 2],
}

impl Wanted {
    fn of(term: &Term) -> Self {
        let folded = match term {
            Term::Text(_, value) => text::fold(value),
            Term::Flag(..) => String::new(),
        };
        Self { roles: [false, true].map(|multiline| Role::from_aria(&folded, multiline)), folded }
    }
}

/// An alternative made ready to be held against many nodes.
pub(super) struct Prepared<'a> {
    terms: Vec<(&'a Term, Wanted)>,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(alternative: &'a Alternative) -> Self {
        Self { terms: alternative.terms.iter().map(|term| (term, Wanted::of(term))).collect() }
    }

    /// Every term holds.
    pub(super) fn matches(&self, tree: &Tree, place: u32, node: &Node) -> bool {
        self.terms.iter().all(|(term, wanted)| match term {
            Term::Flag(flag, expected) => holds(*flag, node) == *expected,
            Term::Text(key, _) => equals(*key, wanted, tree, place, node),
        })
    }
}

/// Whether a state holds.
pub fn holds(flag: Flag, node: &Node) -> bool {
    match flag {
        Flag::Visible => node.is(States::VISIBLE),
        Flag::Hidden => !node.is(States::VISIBLE),
        Flag::Editable => node.is(States::EDITABLE),
        Flag::Selected => node.is(States::SELECTED),
        Flag::Focused => node.is(States::FOCUSED),
        Flag::Enabled => !node.is(States::DISABLED),
        Flag::Disabled => node.is(States::DISABLED),
        Flag::Hittable if node.is(States::HIT_TESTED) => node.is(States::HITTABLE),
        Flag::Hittable => {
            node.is(States::VISIBLE)
                && node.cover.is_none()
                && !node.states.intersects(States::INERT | States::PRESS_THROUGH)
        }
        Flag::Checked => node.is(States::CHECKED),
    }
}

/// What the node shows: the value of what takes text, else its label. Never what was typed into a password field.
pub fn text_of(node: &Node) -> &str {
    match node.value.as_deref() {
        Some(value) if node.is(States::EDITABLE) && !node.is(States::PASSWORD) && !value.is_empty() => value,
        _ => crate::describe::shown_label(node),
    }
}

fn equals(key: TextKey, wanted: &Wanted, tree: &Tree, place: u32, node: &Node) -> bool {
    let same = |text: &str| text::folds_to(text, &wanted.folded);
    match key {
        // An Android resource id is meant by its own name too: `id=save` for `com.example:id/save`.
        TextKey::Id => node
            .identifier
            .as_deref()
            .is_some_and(|id| same(id) || id.split_once(":id/").is_some_and(|(_, name)| same(name))),
        TextKey::Role => {
            same(node.role.as_str())
                || node.native_type.as_deref().is_some_and(same)
                || wanted.roles.contains(&node.role)
        }
        TextKey::Text => same(text_of(node)),
        TextKey::Label => !node.name.is_empty() && same(&node.name),
        TextKey::Value => !node.is(States::PASSWORD) && node.value.as_deref().is_some_and(same),
        TextKey::AppName => tree.app.as_deref().is_some_and(same),
        TextKey::WindowTitle => {
            tree.title.as_deref().is_some_and(same)
                || std::iter::once(place)
                    .chain(tree.ancestors(place))
                    .filter_map(|up| tree.get(up))
                    .any(|up| up.role.as_str() == "window" && same(&up.name))
        }
    }
}
