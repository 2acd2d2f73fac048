//! One node or one capture in words and in JSON.

use contract::view::{Checked, NodeView, ScreenView};

use crate::{
    Cover, Node, States, Tree,
    text::{cut, quote_cut, squeeze},
};

/// What stands for a password, whatever its length.
pub const MASK: &str = "••••••";
/// Longest text that a message repeats, characters.
const MESSAGE_TEXT: usize = 80;

/// `[button] "Save"`: how messages name a node.
pub fn describe(node: &Node) -> String {
    named(node.role.as_str(), shown_label(node))
}

/// The label that is printed: [`Node::label`], but never what was typed into a password field.
pub fn shown_label(node: &Node) -> &str {
    if node.is(States::PASSWORD) && node.name.is_empty() {
        return node.identifier.as_deref().unwrap_or_default();
    }
    node.label()
}

/// `[button] "Save"`; without a label `[button]`.
pub fn named(role: &str, label: &str) -> String {
    let mut out = format!("[{role}]");
    let label = squeeze(label);
    if !label.is_empty() {
        out.push(' ');
        quote_cut(&mut out, &label, MESSAGE_TEXT);
    }
    out
}

/// What covers a node, in words; `None` where nothing does.
pub fn cover_of(tree: &Tree, node: &Node) -> Option<String> {
    match node.cover.as_ref()? {
        Cover::Node(place) => tree.get(*place).map(describe),
        Cover::Other(words) => Some(contract::plain::line(cut(words, MESSAGE_TEXT).0).into_owned()),
    }
}

/// On, off or partly on; `None` for what cannot be checked.
pub fn checked_of(node: &Node) -> Option<Checked> {
    if node.is(States::MIXED) {
        Some(Checked::Mixed)
    } else if node.is(States::CHECKED) {
        Some(Checked::Checked)
    } else {
        node.is(States::CHECKABLE).then_some(Checked::Unchecked)
    }
}

/// The current value as it may be shown: passwords masked.
pub fn shown_value(node: &Node) -> Option<&str> {
    node.value.as_deref().map(|value| if node.is(States::PASSWORD) && !value.is_empty() { MASK } else { value })
}

/// Everything known of one node. `index` is 0, `depth` its depth in the capture, `parent_index` is left to listings.
pub fn node_view(tree: &Tree, place: u32, number: Option<u32>) -> NodeView {
    let Some(node) = tree.get(place) else { return NodeView::default() };
    let extra = node.extra();
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    NodeView {
        index: 0,
        reference: number.map(|number| format!("e{number}")),
        role: node.role.as_str().to_owned(),
        native_type: node.native_type.as_deref().map(str::to_owned),
        label: text(&node.name),
        value: shown_value(node).map(str::to_owned),
        identifier: node.identifier.as_deref().and_then(text),
        description: node.description.as_deref().and_then(text),
        placeholder: extra.placeholder.as_deref().and_then(text),
        rect: node.rect,
        depth: node.depth,
        parent_index: None,
        enabled: !node.is(States::DISABLED),
        visible_to_user: node.is(States::VISIBLE),
        hittable: node.is(States::HIT_TESTED).then(|| node.is(States::HITTABLE)),
        covered_by: cover_of(tree, node),
        focused: node.is(States::FOCUSED),
        selected: node.is(States::SELECTED),
        editable: node.is(States::EDITABLE),
        password: node.is(States::PASSWORD),
        checked: checked_of(node),
        expanded: node.states.intersects(States::EXPANDABLE | States::EXPANDED).then(|| node.is(States::EXPANDED)),
        interactive: node.is(States::INTERACTIVE),
        scrollable: node.is(States::SCROLLABLE),
        hidden_above: extra.hidden.map(|[above, ..]| above).filter(|px| px.is_finite()),
        hidden_below: extra.hidden.map(|[_, below, ..]| below).filter(|px| px.is_finite()),
        more_above: extra.hidden.is_some_and(|[above, ..]| above == f64::INFINITY),
        more_below: extra.hidden.is_some_and(|[_, below, ..]| below == f64::INFINITY),
        level: extra.level,
        href: extra.href.as_deref().map(str::to_owned),
    }
}

/// The facts of the whole capture.
pub fn screen_view(tree: &Tree, generation: u64) -> ScreenView {
    ScreenView {
        title: tree.title.clone(),
        app: tree.app.clone(),
        viewport: tree.viewport,
        refs_generation: generation,
        total_nodes: u32::try_from(tree.len()).unwrap_or(u32::MAX),
        truncated: tree.truncated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::{Sketch, field};

    #[test]
    fn a_password_is_masked_wherever_it_is_shown() {
        let tree = Sketch::new().node(0, field("", "hunter2", States::PASSWORD)).tree();
        let view = node_view(&tree, 0, Some(3));
        assert_eq!(view.value.as_deref(), Some(MASK));
        assert_eq!(view.reference.as_deref(), Some("e3"));
        assert!(!describe(&tree.nodes()[0]).contains("hunter2"));
    }

    #[test]
    fn a_long_label_is_cut_in_messages() {
        let tree = Sketch::new().node(0, crate::sketch::button(&"x".repeat(500))).tree();
        let words = describe(&tree.nodes()[0]);
        assert!(
            words.starts_with("[button] \"xxx") && words.ends_with("…\"") && words.chars().count() < 100,
            "{words}"
        );
    }
}
