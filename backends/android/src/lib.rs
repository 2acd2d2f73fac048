//! Android devices and emulators.
//!
//! | module | answers |
//! | --- | --- |
//! | [`provider`] | which devices there are, what is missing to use them, how one is opened |
//! | [`device`] | the opened app: look, aim, perform |
//! | [`abilities`] | what works on Android and what does not |
//! | `looking` | looking at the screen, and at one node of it |
//! | [`seen`] | what the screen was when it was last looked at |
//! | [`input`] | everything that changes the app |
//! | [`launch`] | starting apps and going to addresses |
//! | [`helper`] | the program on the device: installing, starting, asking it, and what a lost answer proves |
//! | `doctor` | whether what it needs is there |
//! | [`marker`] | what a killed daemon leaves behind |
//! | [`system`] | what Android's own programs do and tell: apps, settings, logs, films, emulators, pairing |
//! | [`adb`] | adb's smart socket: which devices there are, services on them, and how far each got |
//! | [`tree`] | the helper's XML as a tree |
//! | `readers` | everything that reads foreign bytes, for the fuzz targets |

pub mod abilities;
pub mod adb;
pub mod device;
mod doctor;
pub mod helper;
pub mod input;
pub mod launch;
mod looking;
pub mod marker;
pub mod provider;
#[doc(hidden)]
pub mod readers;
pub mod seen;
pub mod system;
pub mod tree;

pub use provider::AndroidProvider;
