//! A captured screen, and everything that can be said of it without a device. Pure: no I/O, no clock.
//!
//! | module | answers |
//! | --- | --- |
//! | [`mod@tree`] | what a capture is: one arena of nodes in document order |
//! | [`mod@role`] | what a node is called, equal on every platform |
//! | [`mod@describe`] | a node or a capture in words and in JSON |
//! | [`mod@selector`] | naming a node by what it is: grammar, matching, which one is meant |
//! | [`mod@refs`] | naming a node by the number it was shown with |
//! | [`mod@snapshot`] | the screen as text |
//! | [`mod@diff`] | what changed between two snapshots |
//! | [`mod@query`] | reading a screen: `find`, `wait text`, `get text`, `is` |
//! | [`mod@recorded`] | is this what a recorded step was about |
//! | [`mod@guard`] | may this be pressed or filled, and at which point |
//! | [`mod@occlusion`] | what covers what, where the backend cannot tell |
//! | [`mod@visibility`] | what is in view, where the backend cannot tell |
//! | [`mod@digest`] | is this still the same screen |
//! | `text`, `hash` | when texts are equal, how they are quoted; a hash that is equal in every build |

pub mod describe;
pub mod diff;
pub mod digest;
pub mod guard;
mod hash;
pub mod occlusion;
pub mod query;
pub mod recorded;
pub mod refs;
pub mod role;
pub mod selector;
pub mod snapshot;
mod text;
pub mod tree;
pub mod visibility;

#[cfg(test)]
mod sketch;

pub use diff::{Diff, DiffLine, LineKind};
pub use digest::Digest;
pub use guard::{Direction, Purpose};
pub use refs::{Aim, Frame, LabelChanged, RefBook, Shown};
pub use role::Role;
pub use selector::{Resolution, Selector, SelectorError};
pub use snapshot::{Line, Listing};
pub use tree::{Cover, Extra, Node, NodeKey, States, Tree, TreeBuilder};
