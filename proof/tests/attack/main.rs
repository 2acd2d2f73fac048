//! Attacks: what somebody else on this computer, a page, an app, a device, a driver or a client can do to whoever uses
//! the program. Each test makes the attack for real and looks at what came of it.
//!
//! | module | who attacks, and with what |
//! | --- | --- |
//! | [`local_user`] | another user of this computer: the socket, the state folder, links |
//! | [`terminal`] | the text of a page or an app: the terminal, the JSON, logs and timelines |
//! | [`shell`] | texts, names and addresses on their way to a device's shell and to adb |
//! | [`secrets`] | what is typed into a password field: who else gets to see it |
//! | [`trees`] | a page or a helper that sends a tree nobody can draw |
//! | [`driver`] | a WebDriver server that is slow, endless or lies |
//! | [`adb`] | an adb server or a helper of the same kind |
//! | [`client`] | a client that floods the socket |
//! | [`corpora`] | everything that the fuzzer kept |
//! | [`memory`] | how much memory it took |
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test: what it does not expect has to fail it"
)]

mod adb;
mod client;
mod corpora;
mod driver;
mod local_user;
mod memory;
mod secrets;
mod shell;
mod terminal;
mod trees;
