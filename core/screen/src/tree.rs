//! A capture as one arena: nodes in document order, each knowing its parent and the end of its subtree.

use contract::{Point, Rect, Size};

use crate::Role;

bitflags::bitflags! {
    /// What is true of a node. A fact that the backend did not report is not set; where "no" and "not known" differ
    /// there are two bits (`CHECKABLE` and `CHECKED`, `EXPANDABLE` and `EXPANDED`, `HIT_TESTED` and `HITTABLE`).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
    pub struct States: u32 {
        /// Takes no input.
        const DISABLED = 1;
        /// Chosen in a list, tab bar ...
        const SELECTED = 1 << 1;
        /// Has the input focus.
        const FOCUSED = 1 << 2;
        /// Takes text.
        const EDITABLE = 1 << 3;
        /// Its content can be scrolled.
        const SCROLLABLE = 1 << 4;
        /// On.
        const CHECKED = 1 << 5;
        /// Partly on.
        const MIXED = 1 << 6;
        /// Can be on or off.
        const CHECKABLE = 1 << 7;
        /// Shows its content.
        const EXPANDED = 1 << 8;
        /// Can show or hide its content.
        const EXPANDABLE = 1 << 9;
        /// Hides what is typed.
        const PASSWORD = 1 << 10;
        /// Part of it lies in the viewport and in every clipping ancestor.
        const VISIBLE = 1 << 11;
        /// It is drawn somewhere, maybe outside the viewport.
        const RENDERED = 1 << 12;
        /// Takes a press, text or a choice.
        const INTERACTIVE = 1 << 13;
        /// Must be filled in.
        const REQUIRED = 1 << 14;
        /// Shows text that cannot be changed.
        const READONLY = 1 << 15;
        /// Holds a value that the app refuses.
        const INVALID = 1 << 16;
        /// Takes several lines.
        const MULTILINE = 1 << 17;
        /// A text of it was cut for length.
        const CUT = 1 << 18;
        /// Cannot be reached by input although it is shown.
        const INERT = 1 << 19;
        /// A press falls through it.
        const PRESS_THROUGH = 1 << 20;
        /// Nothing outside it takes input.
        const MODAL = 1 << 21;
        /// A toggle button that is down.
        const PRESSED = 1 << 22;
        /// A press at its point was tried out and reaches it.
        const HITTABLE = 1 << 23;
        /// A press at its point was tried out.
        const HIT_TESTED = 1 << 24;
        /// Opens a menu or the like.
        const HAS_POPUP = 1 << 25;
        /// Takes files.
        const FILE = 1 << 26;
        /// Hidden from assistive technology.
        const ARIA_HIDDEN = 1 << 27;
        /// Reacts to presses without having a role that says so.
        const CLICKABLE = 1 << 28;
        /// Cuts off what of its content lies outside its box.
        const CLIPS = 1 << 29;
    }
}

/// A backend's own identity of a node: equal in two captures if, and only if, it is the same element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeKey {
    /// The document, window or app instance that numbers its elements by itself.
    pub scope: u64,
    /// The element in it.
    pub id: u64,
}

/// What lies over a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cover {
    /// Another node of the capture, by its place in the arena.
    Node(u32),
    /// Something that the capture does not list, in words.
    Other(Box<str>),
}

/// Facts that few nodes have.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extra {
    /// Heading level.
    pub level: Option<u8>,
    /// Where a link leads.
    pub href: Option<Box<str>>,
    /// Content hidden above, below, left and right of a scroll container, px; infinity where there is some and the
    /// platform does not say how much.
    pub hidden: Option<[f64; 4]>,
    /// Hint shown while a field is empty.
    pub placeholder: Option<Box<str>>,
    /// A native input's type: `email`, `date`, `number` ...
    pub input_type: Option<Box<str>>,
    /// What a single-choice field offers.
    pub options: Vec<Box<str>>,
}

/// One node.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The backend's identity, where it has one.
    pub key: Option<NodeKey>,
    /// Place of the parent; always smaller than the node's own place.
    pub parent: Option<u32>,
    /// Number of ancestors.
    pub depth: u32,
    /// Place after the last node of its subtree.
    pub end: u32,
    /// Normalised role.
    pub role: Role,
    /// The platform's name for it, where it differs from the role.
    pub native_type: Option<Box<str>>,
    /// Accessible name; empty where there is none.
    pub name: Box<str>,
    /// Current value; `Some("")` is an empty field.
    pub value: Option<Box<str>>,
    /// Test id, resource id or element id.
    pub identifier: Option<Box<str>>,
    /// Accessible description.
    pub description: Option<Box<str>>,
    /// In viewport coordinates, CSS px or dp.
    pub rect: Rect,
    /// What is true of it.
    pub states: States,
    /// What lies over it, where a hit test said so.
    pub cover: Option<Cover>,
    /// Number of the window it belongs to, 0 for the app's own.
    pub window: u32,
    /// Rare facts.
    pub extra: Option<Box<Extra>>,
}

impl Node {
    /// A node with a role, a name and a place; everything else not reported.
    pub fn new(role: Role, name: impl Into<Box<str>>, rect: Rect) -> Self {
        Self {
            key: None,
            parent: None,
            depth: 0,
            end: 0,
            role,
            native_type: None,
            name: name.into(),
            value: None,
            identifier: None,
            description: None,
            rect,
            states: States::empty(),
            cover: None,
            window: 0,
            extra: None,
        }
    }

    /// What a person calls it: the name, else the value, else the identifier.
    pub fn label(&self) -> &str {
        [Some(&self.name), self.value.as_ref(), self.identifier.as_ref()]
            .into_iter()
            .flatten()
            .find(|text| !text.is_empty())
            .map_or("", |text| text)
    }

    /// The middle of the part that the viewport shows.
    pub fn centre_in(&self, viewport: Size) -> Point {
        self.rect.intersect(viewport.bounds()).centre()
    }

    /// Every bit of `states` is set.
    pub const fn is(&self, states: States) -> bool {
        self.states.contains(states)
    }

    /// The rare facts, default where there are none.
    pub fn extra(&self) -> &Extra {
        static NONE: Extra =
            Extra { level: None, href: None, hidden: None, placeholder: None, input_type: None, options: Vec::new() };
        self.extra.as_deref().unwrap_or(&NONE)
    }
}

/// One capture.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The box that all rects are in.
    pub viewport: Size,
    /// Title of the page or screen.
    pub title: Option<String>,
    /// The page's address or the app's id.
    pub app: Option<String>,
    /// Part of the screen is missing.
    pub truncated: bool,
    /// Nodes the screen has, as far as the backend counted; at least as many as the capture holds.
    pub total: u32,
    /// What the caller should know of this capture.
    pub warnings: Vec<String>,
}

impl Tree {
    /// All nodes in document order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node at a place.
    pub fn get(&self, place: u32) -> Option<&Node> {
        self.nodes.get(place as usize)
    }

    /// Places from 0, with their nodes.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Node)> {
        (0u32..).zip(&self.nodes)
    }

    /// From the parent of `place` up to the root.
    pub fn ancestors(&self, place: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(self.get(place).and_then(|node| node.parent), |up| {
            self.get(*up).and_then(|node| node.parent)
        })
    }

    /// The nodes below `place`.
    pub fn descendants(&self, place: u32) -> impl Iterator<Item = (u32, &Node)> {
        let first = place.saturating_add(1);
        let end = self.get(place).map_or(first, |node| node.end);
        (first..).zip(self.nodes.get(first as usize..end as usize).unwrap_or_default())
    }

    /// The place of the node with this identity.
    pub fn place_of(&self, key: NodeKey) -> Option<u32> {
        self.iter().find(|(_, node)| node.key == Some(key)).map(|(place, _)| place)
    }

    /// `inner` lies below `outer` (and is not `outer` itself).
    pub fn is_below(&self, inner: u32, outer: u32) -> bool {
        inner > outer && self.get(outer).is_some_and(|node| inner < node.end)
    }

    /// The node itself or its nearest ancestor that takes input.
    pub fn actionable(&self, place: u32) -> Option<u32> {
        std::iter::once(place).chain(self.ancestors(place)).find(|up| {
            self.get(*up).is_some_and(|node| node.states.intersects(States::INTERACTIVE | States::CLICKABLE))
        })
    }

    /// The capture came back without content: no node that is drawn anywhere with an area. A blank page is not sparse,
    /// its root is drawn.
    pub fn is_sparse(&self) -> bool {
        !self.nodes.iter().any(|node| node.is(States::RENDERED) && !node.rect.is_empty())
    }

    pub(crate) fn nodes_mut(&mut self) -> &mut [Node] {
        &mut self.nodes
    }

    /// How many nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// No nodes at all.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

/// Builds a [`Tree`] from nodes in document order.
#[derive(Debug, Default)]
pub struct TreeBuilder {
    tree: Tree,
}

impl TreeBuilder {
    /// An empty tree in a viewport.
    pub fn new(viewport: Size) -> Self {
        Self { tree: Tree { viewport: viewport.bounded(), ..Tree::default() } }
    }

    /// Appends a node below `parent` in constant time, which must be the last node pushed or one of its ancestors (document order); a
    /// parent that is not there makes the node a root. Returns the node's place.
    pub fn push(&mut self, parent: Option<u32>, mut node: Node) -> u32 {
        let place = u32::try_from(self.tree.nodes.len()).unwrap_or(u32::MAX);
        let above = parent.and_then(|parent| self.tree.get(parent));
        node.depth = above.map_or(0, |above| above.depth + 1);
        node.parent = parent.filter(|_| above.is_some());
        node.end = place + 1;
        // Pages and helpers send what they like; from here on it can be counted with.
        node.rect = node.rect.bounded();
        self.tree.nodes.push(node);
        place
    }

    /// A node already pushed, to complete it.
    pub fn node_mut(&mut self, place: u32) -> Option<&mut Node> {
        self.tree.nodes.get_mut(place as usize)
    }

    /// The facts of the whole capture.
    pub const fn tree_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }

    /// How many nodes so far.
    pub fn len(&self) -> usize {
        self.tree.nodes.len()
    }

    /// No nodes so far.
    pub fn is_empty(&self) -> bool {
        self.tree.nodes.is_empty()
    }

    /// The tree, every node's `end` in place. `total` is raised to the number of nodes.
    pub fn finish(mut self) -> Tree {
        for place in (0..self.tree.nodes.len()).rev() {
            let Some((parent, end)) = self.tree.nodes.get(place).map(|node| (node.parent, node.end)) else { continue };
            if let Some(above) = parent.and_then(|parent| self.tree.nodes.get_mut(parent as usize)) {
                above.end = above.end.max(end);
            }
        }
        self.tree.total = self.tree.total.max(u32::try_from(self.tree.nodes.len()).unwrap_or(u32::MAX));
        self.tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subtree_ends_where_its_last_node_ends() {
        let node = || Node::new(Role::of("group"), "", Rect::default());
        let mut builder = TreeBuilder::new(Size { width: 10.0, height: 10.0 });
        let root = builder.push(None, node());
        let first = builder.push(Some(root), node());
        let leaf = builder.push(Some(first), node());
        let second = builder.push(Some(root), node());
        let tree = builder.finish();
        let ends: Vec<u32> = tree.nodes().iter().map(|node| node.end).collect();
        assert_eq!(ends, [4, 3, 3, 4]);
        assert!(tree.is_below(leaf, root) && tree.is_below(leaf, first) && !tree.is_below(leaf, second));
        assert!(!tree.is_below(root, root));
        assert_eq!(tree.ancestors(leaf).collect::<Vec<_>>(), [first, root]);
        assert_eq!(tree.descendants(root).count(), 3);
    }

    #[test]
    fn a_capture_without_anything_drawn_is_sparse_and_a_blank_page_is_not() {
        let mut builder = TreeBuilder::new(Size { width: 10.0, height: 10.0 });
        builder.push(None, Node::new(Role::of("webview"), "", Rect::new(0.0, 0.0, 10.0, 10.0)));
        assert!(builder.tree_mut().is_sparse());
        if let Some(root) = builder.node_mut(0) {
            root.states |= States::RENDERED;
        }
        assert!(!builder.finish().is_sparse());
        assert!(Tree::default().is_sparse());
    }
}
