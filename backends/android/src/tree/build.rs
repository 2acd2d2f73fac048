//! From facts to nodes: puts together what the other modules say.

use contract::{Rect, Size};
use screen::{Extra, Node, NodeKey, Role, States, Tree, TreeBuilder};

use super::{
    facts::{Facts, Raw, RawNode},
    geometry::{self, Placed},
    layers::{Layered, Layers, takes_touches},
    names::{Known, Said, dialog_name, takes_taps},
    roles, touch,
    windows::{self, Window, WindowKind},
};

/// The name of the keyboard's node.
const KEYBOARD: &str = "Keyboard";

/// What is built.
pub struct Built {
    /// The tree.
    pub tree: Tree,
    /// Its layers.
    pub layers: Layers,
    /// Things to read or to press in windows of apps, and in the system's.
    pub meaningful: [usize; 2],
}

/// Everything that [`build`] needs to know.
pub struct Plan<'a> {
    /// As sent.
    pub raw: &'a Raw<'a>,
    /// The display, px.
    pub display: Size,
    /// Where the keyboard is.
    pub keyboard: Option<Rect>,
    /// One a node.
    pub keys: &'a [NodeKey],
    /// Nodes at most.
    pub max_nodes: u32,
    /// Bars and keys too.
    pub whole: bool,
}

/// Builds the tree; notes in `windows` where each one's root is.
pub fn build(plan: &Plan<'_>, windows: &mut [Window]) -> Built {
    let raw = plan.raw;
    let mut placed = vec![Placed::default(); raw.nodes.len()];
    let mut found: Vec<(&'static str, Option<u8>)> = vec![("generic", None); raw.nodes.len()];
    let shown = windows::shown(windows, plan.whole);
    for (window, sent) in shown.iter().filter_map(|at| Some((windows.get(*at)?, raw.windows.get(*at)?))) {
        geometry::place(raw, sent, window.frame, plan.display, &mut placed);
        for (at, node) in raw.of_window(sent) {
            if let Some(slot) = found.get_mut(at) {
                *slot = roles::role_of(node);
            }
        }
    }
    let by_class: Vec<&'static str> = found.iter().map(|(role, _)| *role).collect();
    let known = Known { raw, placed: &placed, roles: &by_class };
    let front = windows::front(windows);
    let ranks = ranks(windows, &shown);

    let mut builder = TreeBuilder::new(plan.display);
    let mut places: Vec<Option<u32>> = vec![None; raw.nodes.len()];
    let mut layered: Vec<Layered> = Vec::with_capacity(raw.nodes.len());
    let mut meaningful = [0, 0];
    for at in shown {
        let (Some(sent), Some(window)) = (raw.windows.get(at), windows.get(at)) else { continue };
        let first = builder.len();
        let (root_role, rank) = (windows::root_role(window, sent, raw, front == Some(at)), ranks.get(at).copied());
        let is_modal = windows::is_modal(at, windows, raw);
        let only_root = window.kind == WindowKind::Keyboard && !plan.whole;
        for (at, sent_node) in raw.of_window(sent).take(if only_root { 1 } else { usize::MAX }) {
            if builder.len() >= plan.max_nodes as usize {
                builder.tree_mut().truncated = true;
                break;
            }
            let level = found.get(at).and_then(|(_, level)| *level);
            let mut node = node(&known, at, sent_node, level);
            node.key = plan.keys.get(at).copied();
            node.window = rank.unwrap_or_default();
            // A menu is one thing: the list that it consists of is not listed again.
            if root_role == Some("menu") && node.role.as_str() == "list" && !node.is(States::SCROLLABLE) {
                node.role = Role::of("generic");
            }
            if sent_node.parent.is_none() {
                root(&mut node, &known, at, window, root_role, is_modal);
            }
            let tells = !node.name.trim().is_empty() || takes_taps(sent_node) || node.is(States::EDITABLE);
            if let Some(count) = meaningful.get_mut(usize::from(!window.is_of_app())) {
                *count += usize::from(tells && sent_node.parent.is_some() && window.kind != WindowKind::Bar);
            }
            layered.push(Layered {
                at,
                end: u32::try_from(first + sent_node.end - sent.root).unwrap_or(u32::MAX),
                part: known.placed(at).part,
                takes: node.is(States::VISIBLE) && takes_touches(sent_node, node.role.as_str()),
            });
            let parent = sent_node.parent.and_then(|parent| places.get(parent).copied().flatten());
            let place = builder.push(parent, node);
            if let Some(slot) = places.get_mut(at) {
                *slot = Some(place);
            }
        }
        let end = u32::try_from(builder.len()).unwrap_or(u32::MAX);
        for node in layered.iter_mut().skip(first) {
            node.end = node.end.min(end);
        }
        if let Some(window) = windows.get_mut(at) {
            window.root = places.get(sent.root).copied().flatten();
        }
    }
    if builder.tree_mut().truncated {
        builder.tree_mut().total = u32::try_from(raw.nodes.len()).unwrap_or(u32::MAX);
    }
    let layers = Layers::of(raw, windows, &layered, plan.display.bounds(), plan.keyboard);
    for place in 0..u32::try_from(builder.len()).unwrap_or(u32::MAX) {
        if let Some(node) = builder.node_mut(place).filter(|node| node.is(States::VISIBLE)) {
            node.cover = touch::cover(&layers, place);
        }
    }
    Built { tree: builder.finish(), layers, meaningful }
}

/// The number of each window in the tree, from the bottom: 0 is the app's own, where no dialog is alone.
fn ranks(windows: &[Window], shown: &[usize]) -> Vec<u32> {
    let z = |at: &usize| windows.get(*at).map_or(0, |window| window.z);
    let mut ranks = vec![0; windows.len()];
    let mut stack = shown.to_vec();
    stack.sort_by_key(z);
    for (rank, at) in (0u32..).zip(stack) {
        if let Some(slot) = ranks.get_mut(at) {
            *slot = rank;
        }
    }
    ranks
}

/// What only the root of a window is.
fn root(node: &mut Node, known: &Known<'_>, at: usize, window: &Window, role: Option<&'static str>, is_modal: bool) {
    node.states |= States::CLIPS;
    if is_modal {
        node.states |= States::MODAL;
    }
    let Some(role) = role else { return };
    node.role = Role::of(role);
    let name = match role {
        "keyboard" => KEYBOARD,
        "dialog" => dialog_name(known, at).unwrap_or(&window.package),
        "menu" => "",
        _ if node.name.is_empty() => &window.package,
        _ => return,
    };
    node.name = name.into();
}

fn node(known: &Known<'_>, at: usize, sent: &RawNode<'_>, level: Option<u8>) -> Node {
    let Placed { rect, states: shown, .. } = known.placed(at);
    let Said { name, value, placeholder } = known.said(at);
    let role = role(known, at, sent, !name.is_empty());
    let hidden = geometry::hidden(known.raw, at, known.placed);
    let mut node = Node::new(Role::of(role), name, rect);
    node.value = value.map(Into::into);
    node.native_type = Some(&*sent.class).filter(|class| !class.is_empty()).map(Into::into);
    node.identifier = sent.resource_id.as_deref().filter(|id| roles::is_said(id)).map(Into::into);
    node.states = shown | states(sent, role);
    if level.is_some() || hidden.is_some() || placeholder.is_some() {
        node.extra =
            Some(Box::new(Extra { level, hidden, placeholder: placeholder.map(Into::into), ..Extra::default() }));
    }
    node
}

/// The role by class, in the light of what the node says and where it stands.
fn role(known: &Known<'_>, at: usize, sent: &RawNode<'_>, has_name: bool) -> &'static str {
    let taps = takes_taps(sent);
    match known.role(at) {
        "image" if !has_name && !taps => "generic",
        "generic" => {
            let above = sent.parent.map(|parent| known.role(parent));
            match above {
                Some("list") => "listitem",
                Some("grid") => "cell",
                _ if !taps && !has_name && !sent.is(Facts::SCROLLABLE) => "generic",
                _ if !taps && has_name && sent.end == at + 1 => "text",
                _ => "group",
            }
        }
        role => role,
    }
}

fn states(sent: &RawNode<'_>, role: &str) -> States {
    let disabled = sent.fact(Facts::ENABLED) == Some(false);
    let is_field = matches!(role, "text-field" | "search-field" | "number-field");
    // A field that is disabled is not editable to the platform, and a field all the same.
    let editable = match sent.fact(Facts::EDITABLE) {
        Some(true) => true,
        Some(false) => is_field && disabled,
        None => is_field,
    };
    let taps = takes_taps(sent);
    let checkable = sent.fact(Facts::CHECKED).is_some();
    let control = roles::is_control(role)
        && (taps || editable || checkable || disabled || sent.is(Facts::FOCUSABLE) || role == "slider");
    let mut states = States::empty();
    states.set(States::DISABLED, disabled);
    states.set(States::SELECTED, sent.is(Facts::SELECTED));
    states.set(States::FOCUSED, sent.is(Facts::FOCUSED));
    states.set(States::EDITABLE, editable);
    states.set(States::READONLY, is_field && !editable);
    states.set(States::PASSWORD, sent.is(Facts::PASSWORD));
    states.set(States::SCROLLABLE, sent.is(Facts::SCROLLABLE));
    states.set(States::CLIPS, roles::is_scroll_container(sent));
    states.set(States::CHECKABLE, checkable);
    states.set(States::CHECKED, sent.is(Facts::CHECKED));
    states.set(States::MIXED, sent.is(Facts::PARTLY_CHECKED));
    states.set(States::HAS_POPUP, role == "combobox");
    states.set(States::INTERACTIVE, control);
    states.set(States::CLICKABLE, taps && !control);
    states
}
