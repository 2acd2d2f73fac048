//! Does a node match? Equality after normalisation (trimmed, white space collapsed, letter case ignored), regular
//! expressions over whole texts, states and sizes. What needs the other nodes, relations and picks, is not judged here.

use super::{Alternative, Flag, Side, Span, Term, TextKey};
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
            _ => String::new(),
        };
        Self { roles: [false, true].map(|multiline| Role::from_aria(&folded, multiline)), folded }
    }
}

/// More characters than this make a text a long one.
const LONG: usize = 200;
/// By how much the sides of a square may differ.
const SQUARE: f64 = 0.03;

/// An alternative made ready to be held against many nodes.
pub(super) struct Prepared<'a> {
    terms: Vec<(&'a Term, Wanted)>,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(alternative: &'a Alternative) -> Self {
        Self { terms: alternative.terms.iter().map(|term| (term, Wanted::of(term))).collect() }
    }

    /// Every term holds that can be judged on the node alone.
    pub(super) fn matches(&self, tree: &Tree, place: u32, node: &Node) -> bool {
        self.terms.iter().all(|(term, wanted)| match term {
            Term::Flag(flag, expected) => holds(*flag, node) == *expected,
            Term::Text(key, _) => equals(*key, wanted, tree, place, node),
            Term::Pattern(key, pattern) => any_text(*key, tree, place, node, |text| pattern.matches(text)),
            Term::Size(side, span) => is_long(*side, *span, node),
            Term::Relation(..) | Term::Pick(_) => true,
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
        Flag::HasText => !node.name.trim().is_empty() || node.value.as_deref().is_some_and(|value| !value.is_empty()),
        Flag::LongText => text_of(node).chars().nth(LONG).is_some(),
        Flag::Square => !node.rect.is_empty() && (1.0 - node.rect.width / node.rect.height).abs() < SQUARE,
    }
}

fn is_long(side: Side, span: Span, node: &Node) -> bool {
    let length = match side {
        Side::Width => node.rect.width,
        Side::Height => node.rect.height,
    };
    let length = length.round();
    length >= f64::from(span.least) && (span.most == u32::MAX || length <= f64::from(span.most))
}

/// What the node shows: the value of what takes text, else its label. Never what was typed into a password field.
pub fn text_of(node: &Node) -> &str {
    match node.value.as_deref() {
        Some(value) if node.is(States::EDITABLE) && !node.is(States::PASSWORD) && !value.is_empty() => value,
        _ => crate::describe::shown_label(node),
    }
}

fn equals(key: TextKey, wanted: &Wanted, tree: &Tree, place: u32, node: &Node) -> bool {
    any_text(key, tree, place, node, |text| text::folds_to(text, &wanted.folded))
        || (key == TextKey::Role && wanted.roles.contains(&node.role))
}

/// `holds` for any of the texts that the key means. Never asked of what was typed into a password field.
fn any_text(key: TextKey, tree: &Tree, place: u32, node: &Node, holds: impl Fn(&str) -> bool) -> bool {
    let holds = &holds;
    let value = || node.value.as_deref().filter(|_| !node.is(States::PASSWORD));
    let some = |text: &str| !text.is_empty() && holds(text);
    match key {
        // An Android resource id is meant by its own name too: `id=save` for `com.example:id/save`.
        TextKey::Id => node
            .identifier
            .as_deref()
            .is_some_and(|id| holds(id) || id.split_once(":id/").is_some_and(|(_, name)| holds(name))),
        TextKey::Role => holds(node.role.as_str()) || node.native_type.as_deref().is_some_and(holds),
        TextKey::Text => holds(text_of(node)),
        TextKey::Label => some(&node.name),
        TextKey::Value => value().is_some_and(holds),
        TextKey::AnyText => {
            some(&node.name)
                || value().is_some_and(some)
                || node.extra().placeholder.as_deref().is_some_and(some)
                || node.description.as_deref().is_some_and(some)
        }
        TextKey::AppName => tree.app.as_deref().is_some_and(holds),
        TextKey::WindowTitle => {
            tree.title.as_deref().is_some_and(holds)
                || std::iter::once(place)
                    .chain(tree.ancestors(place))
                    .filter_map(|up| tree.get(up))
                    .any(|up| up.role.as_str() == "window" && holds(&up.name))
        }
    }
}
