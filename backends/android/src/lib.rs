//! Android devices and emulators.
//!
//! | module | answers |
//! | --- | --- |
//! | [`adb`] | adb's smart socket: which devices there are, services on them, and how far each got |
//! | [`tree`] | the helper's XML as a tree |

pub mod adb;
pub mod tree;
