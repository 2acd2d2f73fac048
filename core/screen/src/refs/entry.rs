//! What a number was shown as, and when.

use super::identity::Identity;
use crate::{Node, NodeKey, Role, describe::named, hash::Fnv, text::cut};

/// Longest name that is kept to be repeated, characters.
const KEPT_NAME: usize = 80;
/// Changes of role or name that are kept for pinned refs.
const KEPT_FACES: usize = 8;
/// Generations back in which a showing is known exactly: the bits that an entry keeps.
pub const KNOWN_BACK: u64 = 64;

/// What a node was shown as from one generation on.
#[derive(Debug, Clone)]
pub struct Face {
    /// First generation in which it was shown so.
    pub since: u64,
    /// Its role.
    pub role: Role,
    /// Its name, cut.
    pub name: Box<str>,
    /// Of the whole name.
    hash: u64,
}

impl Face {
    fn of(node: &Node, since: u64) -> Self {
        let name = crate::describe::shown_label(node);
        let hash = Fnv::new().text(&node.name).value();
        Self { since, role: node.role.clone(), name: cut(name, KEPT_NAME).0.into(), hash }
    }

    /// The same role and name (the name only, not what stands in for it).
    pub fn fits(&self, node: &Node) -> bool {
        self.role == node.role && self.hash == Fnv::new().text(&node.name).value()
    }

    /// `[button] "Save"`.
    pub fn words(&self) -> String {
        named(self.role.as_str(), &self.name)
    }
}

/// One number.
#[derive(Debug)]
pub struct Entry {
    /// How the node is known again.
    pub identity: Identity,
    /// The backend's identity, where there is one.
    pub key: Option<NodeKey>,
    /// Last generation in which the node was on the screen, shown or not.
    pub seen: u64,
    /// Last generation in which it was shown.
    pub last_shown: u64,
    /// Bit `n`: it was shown `n` generations before `last_shown`.
    shown: u64,
    /// Earliest first; never empty once shown.
    faces: Vec<Face>,
    /// Test id, resource id or element id when last shown.
    pub identifier: Option<Box<str>>,
    /// What told it apart from controls of the same role and label when last shown: the name of its row.
    pub within: Option<Box<str>>,
}

/// Whether a node was shown in a generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Showing {
    /// Yes.
    Yes,
    /// No.
    No,
    /// Too long ago to tell.
    Forgotten,
}

impl Entry {
    /// A number just given out.
    pub fn new(identity: Identity, key: Option<NodeKey>, generation: u64) -> Self {
        Self {
            identity,
            key,
            seen: generation,
            last_shown: 0,
            shown: 0,
            faces: Vec::new(),
            identifier: None,
            within: None,
        }
    }

    /// Notes that the node is shown now.
    pub fn show(&mut self, node: &Node, generation: u64) {
        let passed = generation - self.last_shown;
        self.shown = if passed >= KNOWN_BACK { 1 } else { (self.shown << passed) | 1 };
        self.seen = generation;
        if passed == 0 {
            return;
        }
        self.last_shown = generation;
        if self.identifier.as_deref() != node.identifier.as_deref() {
            self.identifier = node.identifier.as_deref().map(Into::into);
        }
        if self.faces.last().is_none_or(|face| !face.fits(node)) {
            if self.faces.len() == KEPT_FACES {
                self.faces.remove(0);
            }
            self.faces.push(Face::of(node, generation));
        }
    }

    /// Whether it was shown in a generation.
    pub fn was_shown(&self, generation: u64) -> Showing {
        let Some(back) = self.last_shown.checked_sub(generation) else { return Showing::No };
        if back >= KNOWN_BACK
            || self.faces.first().is_none_or(|face| face.since > generation && self.faces.len() == KEPT_FACES)
        {
            Showing::Forgotten
        } else if (self.shown >> back) & 1 == 1 {
            Showing::Yes
        } else {
            Showing::No
        }
    }

    /// What it was shown as in a generation; the last face where none is asked for.
    pub fn face(&self, generation: Option<u64>) -> Option<&Face> {
        match generation {
            Some(generation) => self.faces.iter().rev().find(|face| face.since <= generation),
            None => self.faces.last(),
        }
    }
}
