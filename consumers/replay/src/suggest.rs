//! What a step may have meant whose target is not there: the nodes of the screen that are most like it.

use contract::{Rect, view::NodeView};
use serde::Serialize;

/// Suggestions at most (the field's limit).
const MOST: usize = 5;
/// Labels less alike than this are not alike (Jaro-Winkler, 0 to 1).
const ALIKE: f64 = 0.85;
/// The same place: centres this near, px.
const NEAR: f64 = 12.0;

/// What a target was when the step was written, as far as that is known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wanted {
    /// Its identifier.
    pub id: Option<String>,
    /// Its role.
    pub role: Option<String>,
    /// Its label.
    pub label: Option<String>,
    /// Where it lay, px of the viewport.
    pub rect: Option<Rect>,
}

/// Why a node is suggested, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The same identifier.
    Id,
    /// The same role and the same label.
    RoleAndLabel,
    /// The same label.
    Label,
    /// A label that is much like it, and the same role.
    AlikeLabel,
    /// The same role at the same place.
    Place,
}

impl Basis {
    /// Strong enough to take the node for the target, where it is the only one.
    pub const fn heals(self) -> bool {
        matches!(self, Basis::Id | Basis::RoleAndLabel | Basis::Label)
    }
}

/// A node that may have been meant.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// A selector that means it alone on this screen; `None` where there is no short one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// Its ref.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Its role.
    pub role: String,
    /// Its label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its box, px of the viewport.
    pub rect: Rect,
    /// Why.
    pub basis: Basis,
}

impl Suggestion {
    /// What a recording would say of it.
    pub fn evidence(&self) -> script::Evidence {
        let target = script::TargetEvidence {
            id: self.id.clone(),
            role: self.role.clone(),
            label: self.label.clone(),
            rect: Some(self.rect),
            verification: script::Verification::Unique,
            ..script::TargetEvidence::default()
        };
        script::Evidence::Target(Box::new(target.bounded()))
    }
}

impl Wanted {
    /// What a selector says of its target: the first value of each key.
    pub fn of_selector(selector: &str) -> Self {
        let mut wanted = Wanted::default();
        for (key, value) in terms(selector) {
            let slot = match key.as_str() {
                "id" => &mut wanted.id,
                "role" => &mut wanted.role,
                "label" | "text" | "value" => &mut wanted.label,
                _ => continue,
            };
            slot.get_or_insert(value);
        }
        wanted
    }

    /// What a recording says of its target.
    pub fn of_evidence(evidence: &script::Evidence) -> Self {
        let target = match evidence {
            script::Evidence::Target(target) => target.as_ref(),
            script::Evidence::Targets(ends) => &ends.source,
        };
        let role = Some(target.role.clone()).filter(|role| !role.is_empty());
        Self { id: target.id.clone(), role, label: target.label.clone(), rect: target.rect }
    }

    /// Where nothing is known here, what `other` knows.
    #[must_use]
    pub fn or(self, other: Wanted) -> Self {
        Self {
            id: self.id.or(other.id),
            role: self.role.or(other.role),
            label: self.label.or(other.label),
            rect: self.rect.or(other.rect),
        }
    }
}

/// What a recording says of its target, as snapshots show elements: `[button] "Order"`.
pub fn recorded(evidence: &script::Evidence) -> Option<String> {
    let Wanted { id, role, label, .. } = Wanted::of_evidence(evidence);
    let name = label.map(|label| format!("{label:?}")).or_else(|| id.map(|id| format!("id={id}")))?;
    Some(format!("[{}] {name}", role.as_deref().unwrap_or("element")))
}

/// The nodes that are most like what was wanted, the likeliest first.
pub fn suggest(wanted: &Wanted, nodes: &[NodeView]) -> Vec<Suggestion> {
    let mut found: Vec<(Basis, i64, &NodeView)> = nodes
        .iter()
        .filter(|node| node.visible_to_user)
        .filter_map(|node| basis(wanted, node).map(|(basis, likeness)| (basis, -(likeness * 1e6) as i64, node)))
        .collect();
    found.sort_by_key(|(basis, likeness, node)| (*basis, *likeness, !node.interactive, node.index));
    found.truncate(MOST);
    found
        .into_iter()
        .map(|(basis, _, node)| Suggestion {
            selector: selector_of(node, nodes),
            reference: node.reference.clone(),
            role: node.role.clone(),
            label: node.label.clone(),
            id: node.identifier.clone(),
            rect: node.rect,
            basis,
        })
        .collect()
}

/// The only node that can be taken for the target.
pub fn healing(suggestions: &[Suggestion]) -> Option<&Suggestion> {
    let (first, others) = suggestions.split_first()?;
    let alone = others.iter().all(|other| other.basis > first.basis);
    (first.basis.heals() && alone && first.selector.is_some()).then_some(first)
}

fn basis(wanted: &Wanted, node: &NodeView) -> Option<(Basis, f64)> {
    let same = |wanted: &Option<String>, has: Option<&str>| {
        wanted.as_deref().zip(has).is_some_and(|(wanted, has)| fold(wanted) == fold(has))
    };
    let same_role = same(&wanted.role, Some(&node.role));
    let same_label = same(&wanted.label, node.label.as_deref().or(node.value.as_deref()));
    if same(&wanted.id, node.identifier.as_deref()) {
        return Some((Basis::Id, 1.0));
    }
    if same_label {
        return Some((if same_role { Basis::RoleAndLabel } else { Basis::Label }, 1.0));
    }
    let alike = wanted
        .label
        .as_deref()
        .zip(node.label.as_deref())
        .map_or(0.0, |(wanted, has)| strsim::jaro_winkler(&fold(wanted), &fold(has)));
    if alike >= ALIKE && (same_role || wanted.role.is_none()) {
        return Some((Basis::AlikeLabel, alike));
    }
    let near = wanted.rect.is_some_and(|was| {
        let (was, is) = (was.centre(), node.rect.centre());
        (was.x - is.x).hypot(was.y - is.y) <= NEAR
    });
    (near && same_role).then_some((Basis::Place, 1.0))
}

/// The shortest selector that means this node alone among those shown.
fn selector_of(node: &NodeView, nodes: &[NodeView]) -> Option<String> {
    let alone = |same: &dyn Fn(&NodeView) -> bool| nodes.iter().filter(|other| same(other)).count() == 1;
    if let Some(id) = &node.identifier
        && alone(&|other| other.identifier.as_ref() == Some(id))
    {
        return Some(format!("id={}", quoted(id)));
    }
    let label = node.label.as_ref()?;
    alone(&|other| other.role == node.role && other.label.as_ref() == Some(label))
        .then(|| format!("role={} label={}", node.role, quoted(label)))
}

fn quoted(value: &str) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The terms `key=value` of a selector; what is something else is passed over.
fn terms(selector: &str) -> Vec<(String, String)> {
    let mut terms = Vec::new();
    let mut rest = selector.trim_start();
    while !rest.is_empty() {
        let Some(end) = rest.find(|c: char| c == '=' || c.is_whitespace()) else { break };
        let key = &rest[..end];
        rest = &rest[end..];
        let Some(after) = rest.strip_prefix('=') else {
            rest = rest.trim_start();
            continue;
        };
        let (value, left) = value(after);
        terms.push((key.to_lowercase(), value));
        rest = left.trim_start();
    }
    terms
}

fn value(text: &str) -> (String, &str) {
    let Some(quote) = text.chars().next().filter(|first| matches!(first, '"' | '\'')) else {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut escaped = false;
    for (place, c) in text.char_indices().skip(1) {
        match (escaped, c) {
            (true, _) => {
                value.push(match c {
                    'n' => '\n',
                    't' => '\t',
                    other => other,
                });
                escaped = false;
            }
            (false, '\\') => escaped = true,
            (false, c) if c == quote => return (value, &text[place + c.len_utf8()..]),
            (false, c) => value.push(c),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(index: u32, role: &str, label: &str, id: Option<&str>, y: f64) -> NodeView {
        NodeView {
            index,
            role: role.to_owned(),
            label: Some(label.to_owned()),
            identifier: id.map(str::to_owned),
            rect: Rect { x: 0.0, y, width: 100.0, height: 20.0 },
            reference: Some(format!("e{index}")),
            visible_to_user: true,
            interactive: true,
            ..NodeView::default()
        }
    }

    #[test]
    fn what_a_selector_says_is_read() {
        let wanted = Wanted::of_selector(r#"id="a\"b" || role=button label='Log in' enabled || label=other"#);
        assert_eq!(
            wanted,
            Wanted { id: Some("a\"b".into()), role: Some("button".into()), label: Some("Log in".into()), rect: None }
        );
        assert_eq!(Wanted::of_selector("visible"), Wanted::default());
        assert_eq!(Wanted::of_selector(r#"label="open"#).label.as_deref(), Some("open"));
    }

    #[test]
    fn the_likeliest_comes_first_and_only_a_sure_one_heals() {
        let nodes = [
            node(1, "button", "Save as", None, 0.0),
            node(2, "button", "Save", Some("new-id"), 40.0),
            node(3, "link", "Help", None, 80.0),
        ];
        let wanted = Wanted::of_selector(r#"id="save" || role=button label="Save""#);
        let found = suggest(&wanted, &nodes);
        assert_eq!((found[0].basis, found[0].selector.as_deref()), (Basis::RoleAndLabel, Some(r#"id="new-id""#)));
        assert_eq!(found[1].basis, Basis::AlikeLabel);
        assert_eq!(healing(&found).unwrap().reference.as_deref(), Some("e2"));
        // Two of them: neither.
        let twice = [nodes[1].clone(), node(4, "button", "Save", None, 90.0)];
        assert_eq!(healing(&suggest(&wanted, &twice)), None);
        // Much like it is shown, and never taken for it.
        assert_eq!(healing(&suggest(&wanted, &nodes[..1])), None);
    }

    #[test]
    fn what_was_renamed_is_found_at_its_place_and_not_taken_for_it() {
        let wanted = Wanted {
            role: Some("button".into()),
            label: Some("Save".into()),
            rect: Some(Rect { x: 2.0, y: 41.0, width: 100.0, height: 20.0 }),
            id: None,
        };
        let found = suggest(&wanted, &[node(1, "button", "Keep it", None, 40.0), node(2, "button", "Go", None, 200.0)]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].basis, Basis::Place);
        assert_eq!(healing(&found), None);
    }
}
