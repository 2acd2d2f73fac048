//! One capture that is shown: hands out numbers.

use contract::target::RefToken;

use super::{
    RefBook,
    entry::Entry,
    identity::{Identities, Identity},
};
use crate::Tree;

/// A capture of which refs are printed, and the book that numbers them. Only nodes that are asked for get a number.
#[derive(Debug)]
pub struct Frame<'a> {
    book: &'a mut RefBook,
    tree: &'a Tree,
    identities: Identities,
}

impl<'a> Frame<'a> {
    pub(super) const fn new(book: &'a mut RefBook, tree: &'a Tree, identities: Identities) -> Self {
        Self { book, tree, identities }
    }

    /// The generation that pinned refs of this frame name.
    pub const fn generation(&self) -> u64 {
        self.book.generation
    }

    /// The capture.
    pub const fn tree(&self) -> &'a Tree {
        self.tree
    }

    /// The number of a node, given out now if it has none, and noted as shown in this generation. 0, which is no ref,
    /// for a place outside the capture.
    pub fn number_of(&mut self, place: u32) -> u32 {
        let tree = self.tree;
        let (Some(node), Some(identity)) = (tree.get(place), self.identities.at(tree, place)) else { return 0 };
        let book = &mut *self.book;
        let number = *book.numbers.entry(identity).or_insert_with(|| {
            book.issued += 1;
            book.issued
        });
        let key = match identity {
            Identity::Key(key) => Some(key),
            Identity::Shape(_) => None,
        };
        let entry = book.entries.entry(number).or_insert_with(|| Entry::new(identity, key, book.generation));
        entry.show(node, book.generation);
        number
    }

    /// Notes what tells a control apart from others of the same role and label, as it is shown now.
    pub(crate) fn within(&mut self, number: u32, context: Option<&str>) {
        if let Some(entry) = self.book.entries.get_mut(&number)
            && entry.within.as_deref() != context
        {
            entry.within = context.map(Into::into);
        }
    }

    /// `@e5`.
    pub fn reference(&mut self, place: u32) -> RefToken {
        RefToken { number: self.number_of(place), generation: None }
    }

    /// `@e5~s3`.
    pub fn pinned(&mut self, place: u32) -> RefToken {
        RefToken { number: self.number_of(place), generation: Some(self.generation()) }
    }
}
