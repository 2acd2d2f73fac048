//! Which node of one capture is which of another.
//!
//! Helpers with the `node-keys` extension number their nodes: as long as a view lives it keeps its number, and the host
//! can name it to the helper. For other helpers an identity is derived: the window, the way down to the node (class, id,
//! how many siblings of that class and id stand before it) and what it says itself, unless it is a field. It holds
//! while the screen keeps its shape. Its weakness: where siblings come or go in front of a node, or its text changes, it
//! becomes another node and refs to it expire; and where equal rows trade places, a control of one is taken for that
//! of the other, as far as nothing around it tells them apart (the ref book compares the surroundings).

use std::collections::HashMap;

use screen::NodeKey;

use super::{
    facts::{Facts, Raw, RawNode},
    windows::Window,
};

/// Numbers windows, and spells the keys of their nodes for the helper.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keys {
    /// Scopes of windows that the helper numbers, with the number.
    windows: Vec<(u64, i64)>,
}

impl Keys {
    /// How the helper spells the key of a node: `window:hash`. `None` for a derived key, which it does not know.
    pub fn spell(&self, key: NodeKey) -> Option<String> {
        self.windows.iter().find(|(scope, _)| *scope == key.scope).map(|(_, window)| format!("{window}:{:x}", key.id))
    }

    fn number(&mut self, scope: u64, window: i64) {
        if !self.windows.iter().any(|(known, _)| *known == scope) {
            self.windows.push((scope, window));
        }
    }
}

/// The keys of all nodes, by their places in the capture. `scope` tells this helper's life on this device from others.
pub fn keys(raw: &Raw<'_>, windows: &[Window], scope: u64) -> (Vec<NodeKey>, Keys) {
    let mut spelt = Keys::default();
    let mut keys = Vec::with_capacity(raw.nodes.len());
    let mut derived = Derived::of(raw, windows, scope);
    for (at, node) in raw.nodes.iter().enumerate() {
        let own = derived.next(at, node);
        keys.push(match node.node_key.and_then(read) {
            Some((window, hash)) => {
                let scope = Hash::new(scope).number(1).number(window.cast_unsigned()).0;
                spelt.number(scope, window);
                NodeKey { scope, id: hash }
            }
            None => own,
        });
    }
    (keys, spelt)
}

fn read(key: &str) -> Option<(i64, u64)> {
    let (window, hash) = key.split_once(':')?;
    Some((window.parse().ok()?, u64::from_str_radix(hash, 16).ok()?))
}

/// Walks down the nodes in document order.
struct Derived {
    scopes: Vec<u64>,
    /// The way to every node so far.
    ways: Vec<u64>,
    /// How many siblings of a kind there were so far, by parent and kind.
    before: HashMap<(usize, u64), u32>,
    /// Some node has no number of its own.
    needed: bool,
}

impl Derived {
    fn of(raw: &Raw<'_>, windows: &[Window], scope: u64) -> Self {
        let needed = raw.nodes.iter().any(|node| node.node_key.is_none());
        let mut alike: HashMap<(&str, i32), u64> = HashMap::new();
        let scopes = windows
            .iter()
            .zip(&raw.windows)
            .map(|(window, sent)| {
                let kind = sent.kind.unwrap_or_default();
                let hash = Hash::new(scope).number(2);
                match window.id {
                    Some(id) => hash.number(1).number(id.cast_unsigned()).0,
                    None => {
                        let nth = alike.entry((&window.package, kind)).or_default();
                        *nth += 1;
                        hash.number(u64::from(kind.unsigned_abs())).text(&window.package).number(*nth).0
                    }
                }
            })
            .collect();
        Self { scopes, ways: Vec::with_capacity(raw.nodes.len()), before: HashMap::new(), needed }
    }

    fn next(&mut self, at: usize, node: &RawNode<'_>) -> NodeKey {
        let scope = self.scopes.get(node.window).copied().unwrap_or_default();
        if !self.needed {
            return NodeKey { scope, id: at as u64 };
        }
        let kind = Hash::new(0).text(&node.class).text(node.resource_id.as_deref().unwrap_or_default()).0;
        let parent = node.parent.unwrap_or(usize::MAX);
        let nth = self.before.entry((parent, kind)).or_default();
        *nth += 1;
        let above = self.ways.get(parent).copied().unwrap_or_default();
        let way = Hash::new(above).number(kind).number(u64::from(*nth));
        self.ways.push(way.0);
        let is_field = node.is(Facts::EDITABLE) || super::roles::is_field(node);
        let text = if is_field { "" } else { node.text.as_deref().unwrap_or_default() };
        NodeKey { scope, id: way.text(text).text(node.content_desc.as_deref().unwrap_or_default()).0 }
    }
}

/// FNV-1a over texts, a mixing step for numbers: the same in every build.
#[derive(Debug, Clone, Copy)]
struct Hash(u64);

impl Hash {
    const fn new(seed: u64) -> Self {
        Self(0xcbf2_9ce4_8422_2325 ^ seed)
    }

    fn text(self, text: &str) -> Self {
        let mut hash = self.0;
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Self(hash).number(text.len() as u64)
    }

    const fn number(self, number: u64) -> Self {
        let mixed = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self(mixed ^ (mixed >> 31))
    }
}
