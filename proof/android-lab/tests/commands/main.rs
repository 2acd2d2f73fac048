//! The commands of the system around the app, most of them over adb's shell, against the lab's device: real adb, real adbd, a real shell.
//!
//! | module | proves |
//! | --- | --- |
//! | [`fleet`] | apps, install, push, pull |
//! | [`screen`] | the app in front, turning, the keyboard |
//! | [`clipboard`] | the clipboard, by the helper and by a vendor's shell |
//! | [`settings`] | each setting, written and read back; permissions |
//! | [`evidence`] | logs, frames, memory, films |
//! | [`emulators`] | boot and shutdown, with a scripted emulator program |
//! | [`pairing`] | pairing, with a scripted adb server: the real one here is older than pairing |

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test: what it does not expect has to fail it"
)]

mod clipboard;
mod emulators;
mod evidence;
mod fleet;
mod pairing;
mod rig;
mod screen;
mod settings;
