//! Android devices and emulators.
//!
//! | module | answers |
//! | --- | --- |
//! | [`adb`] | adb's smart socket: which devices there are, services on them, and how far each got |
//! | [`helper`] | the program on the device: installing, starting, asking it, and what a lost answer proves |
//! | [`input`] | everything that changes the app |
//! | [`tree`] | the helper's XML as a tree |

pub mod adb;
pub mod helper;
pub mod input;
pub mod tree;
