//! Small screens for tests.

use contract::{Rect, Size};

use crate::{Node, NodeKey, Role, States, Tree, TreeBuilder};

/// Drawn, in view.
pub const SHOWN: States = States::RENDERED.union(States::VISIBLE);

/// A screen of 400 x 800 px, written as an outline: each node with its depth.
pub struct Sketch {
    builder: TreeBuilder,
    path: Vec<u32>,
}

impl Sketch {
    pub fn new() -> Self {
        Self { builder: TreeBuilder::new(Size { width: 400.0, height: 800.0 }), path: Vec::new() }
    }

    /// Appends a node at a depth.
    pub fn node(mut self, depth: usize, node: Node) -> Self {
        self.path.truncate(depth);
        let place = self.builder.push(self.path.last().copied(), node);
        self.path.push(place);
        self
    }

    /// The screen.
    pub fn tree(self) -> Tree {
        self.builder.finish()
    }
}

/// A node that is shown, 100 x 40 px at the origin.
pub fn node(role: &'static str, name: &str) -> Node {
    Node { states: SHOWN, ..Node::new(Role::of(role), name, Rect::new(0.0, 0.0, 100.0, 40.0)) }
}

/// A button that is shown.
pub fn button(name: &str) -> Node {
    Node { states: SHOWN | States::INTERACTIVE, ..node("button", name) }
}

/// A text field that is shown.
pub fn field(name: &str, value: &str, states: States) -> Node {
    Node {
        value: Some(value.into()),
        states: SHOWN | States::INTERACTIVE | States::EDITABLE | states,
        ..node("text-field", name)
    }
}

impl Node {
    pub(crate) fn at(mut self, x: f64, y: f64, width: f64, height: f64) -> Self {
        self.rect = Rect::new(x, y, width, height);
        self
    }

    pub(crate) fn with(mut self, states: States) -> Self {
        self.states |= states;
        self
    }

    pub(crate) fn without(mut self, states: States) -> Self {
        self.states -= states;
        self
    }

    pub(crate) fn key(mut self, id: u64) -> Self {
        self.key = Some(NodeKey { scope: 1, id });
        self
    }

    pub(crate) fn id(mut self, identifier: &str) -> Self {
        self.identifier = Some(identifier.into());
        self
    }

    pub(crate) fn value(mut self, value: &str) -> Self {
        self.value = Some(value.into());
        self
    }
}
