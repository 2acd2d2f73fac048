//! Refs: `@e5` means the same node as long as that node lives, and nothing else ever.
//!
//! | module | answers |
//! | --- | --- |
//! | [`mod@self`] | the ref book of a session: which number belongs to which node |
//! | [`mod@frame`] | one capture that is shown: hands out numbers |
//! | [`mod@identity`] | is this the same node as in an earlier capture? |
//! | [`mod@entry`] | what a number was shown as, and when |
//! | [`mod@lookup`] | from a ref back to a node, or why not |

pub mod entry;
pub mod frame;
pub mod identity;
pub mod lookup;

pub use frame::Frame;
pub use lookup::{Aim, LabelChanged, Shown};

use crate::{Tree, hash::NumberMap};
use entry::Entry;
use identity::{Identities, Identity};

/// Nodes that have left the screen are remembered for this many generations, so that the refusal can say what they
/// were. After that their refs still refuse: a number is never given out twice.
const REMEMBERED_GENERATIONS: u64 = 32;
/// And at most so many of them, the latest; bounds the memory of a session on pages that replace everything.
const REMEMBERED_VANISHED: usize = 4_096;

/// The refs of one session.
///
/// Numbers start at 1 and rise; nodes get theirs when they are first shown. A node that is on the screen again keeps
/// its number: by the backend's [`crate::NodeKey`] where there is one, else by its shape ([`identity`]).
#[derive(Debug, Default)]
pub struct RefBook {
    generation: u64,
    /// Numbers given out so far: all of them were issued once, remembered or not.
    issued: u32,
    numbers: NumberMap<Identity, u32>,
    entries: NumberMap<u32, Entry>,
}

impl RefBook {
    /// An empty book: generation 0, no refs.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty book that goes on counting where this one stopped: for what is opened in a session after this. A ref that
    /// was shown before is refused there, instead of naming whatever got its number.
    #[must_use]
    pub fn successor(&self) -> Self {
        Self { generation: self.generation, issued: self.issued, ..Self::default() }
    }

    /// The generation of the last frame, 0 before the first.
    pub const fn generation(&self) -> u64 {
        self.generation
    }

    /// Opens the next generation on a capture. Call it for every capture of which refs are printed.
    pub fn show<'a>(&'a mut self, tree: &'a Tree) -> Frame<'a> {
        self.generation += 1;
        let identities = Identities::of(tree);
        if !self.entries.is_empty() {
            for place in (0u32..).take(tree.len()) {
                let number = identities.at(tree, place).and_then(|identity| self.numbers.get(&identity));
                if let Some(entry) = number.and_then(|number| self.entries.get_mut(number)) {
                    entry.seen = self.generation;
                }
            }
            self.forget();
        }
        Frame::new(self, tree, identities)
    }

    /// How many refs are remembered, those of vanished nodes included.
    pub fn remembered(&self) -> usize {
        self.entries.len()
    }

    fn forget(&mut self) {
        let now = self.generation;
        let mut vanished: Vec<(u64, u32)> = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.seen != now)
            .map(|(number, entry)| (entry.seen, *number))
            .collect();
        vanished.sort_unstable();
        let surplus = vanished.len().saturating_sub(REMEMBERED_VANISHED);
        for (place, (seen, number)) in vanished.into_iter().enumerate() {
            if (place < surplus || now - seen > REMEMBERED_GENERATIONS)
                && let Some(entry) = self.entries.remove(&number)
            {
                self.numbers.remove(&entry.identity);
            }
        }
    }
}

#[cfg(test)]
mod tests;
