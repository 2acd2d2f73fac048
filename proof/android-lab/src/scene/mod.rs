//! What is on the screen, as the framework double reads it: a stage capture becomes Android windows and nodes.
//!
//! | module | answers |
//! | --- | --- |
//! | [`class`] | which Android class, id and words stand for an element |
//! | [`order`] | in which order siblings are drawn |
//! | [`window`] | which windows there are, and what is in each |

pub mod class;
pub mod order;
pub mod window;

pub use window::{Shown, Target, scene};
