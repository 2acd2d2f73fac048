//! A captured screen, and everything that can be said of it without a device. Pure: no I/O, no clock.
//!
//! | module | answers |
//! | --- | --- |
//! | [`tree`] | what a capture is: one arena of nodes in document order |
//! | [`role`] | what a node is called, equal on every platform |

pub mod role;
pub mod tree;

pub use role::Role;
pub use tree::{Cover, Extra, Node, NodeKey, States, Tree, TreeBuilder};
