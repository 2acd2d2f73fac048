//! What keeps the project honest.
//!
//! `contracts/fixtures/dispatch-disclosure.json` lists every way to fail and what a caller is told then. For each row
//! one [`drivers`] entry makes the real producer fail so, and the [`gate`] holds what the caller saw and what really
//! reached the app against the table.
//!
//! | module | answers |
//! | --- | --- |
//! | [`table`] | what the golden table says |
//! | [`seen`] | what a driver brings back: what the caller was told, and the truth |
//! | [`gate`] | what is wrong with table, drivers, sources and results |
//! | [`sources`] | which rows the sources speak of |
//! | [`rooms`] | which crate may depend on which |
//! | [`recorder`] | every failure seen anywhere says whether it was sent |
//! | [`world`] | a daemon in this process, on a real socket, whose apps can be looked into |
//! | [`kept`] | what a command of the proof has done so far, in a file |
//! | [`line`] | a client that speaks lines |
//! | [`program`] | the real program, with a state folder of its own |
//! | [`conformance`] | the cases that every surface runs, here through command line and socket |
//! | [`consumers`] | what every consumer makes of an answer of the daemon |
//! | [`hop`] | the remote server before a daemon of a test, and its clients |
//! | [`relay`] | a socket between client and daemon that loses replies |
//! | [`appium`] | an Appium server for a test of its own |
//! | [`android`] | an app on the lab's Android device, behind that proxy |
//! | [`adb_cut`] | a proxy between backend and adb server that loses, delays and garbles replies |
//! | [`cuts`] | the bytes of every operation cut at every place |
//! | [`publish`] | the page of all figures |
//! | [`resolve`] | lost replies that end in a certain answer |
//! | [`sabotage`] | lies told on purpose, and who sees them |
//! | [`cut`] | a proxy between backend and driver that loses, delays and garbles replies |
//! | [`browser_driver`] | a driver of a browser for a test of its own |
//! | [`site`] | a web site that counts what reaches it |
//! | [`web`] | a page in a real browser behind the proxy |
//! | [`plain`] | a backend that classifies nothing |
//! | [`pages`] | pages of others, and how our roles and names compare with the browser's |
//! | [`tour`] | a site of others, driven by what a new user types |
//! | [`smoke`] | two minutes on a phone, for what no lab can show |
//! | [`soak`] | load, leak and death: what a daemon holds that runs for days |
//! | [`patience`] | bounded waits |
//! | [`drivers`] | one per row |
//! | [`guarantees`] | a scenario for every cell of the table of guarantees |
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::result_large_err,
    reason = "this crate is a test: what it does not expect has to fail it"
)]

pub mod adb_cut;
pub mod android;
pub mod appium;
pub mod browser_driver;
pub mod conformance;
pub mod consumers;
pub mod cut;
pub mod cuts;
pub mod drivers;
pub mod gate;
pub mod guarantees;
pub mod hop;
pub mod kept;
pub mod line;
pub mod pages;
pub mod patience;
pub mod plain;
pub mod program;
pub mod publish;
pub mod recorder;
pub mod relay;
pub mod resolve;
pub mod rooms;
pub mod sabotage;
pub mod seen;
pub mod site;
pub mod smoke;
pub mod soak;
pub mod sources;
pub mod table;
pub mod tour;
pub mod web;
pub mod world;

use std::path::PathBuf;

/// The folder of the workspace.
pub fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace lies above this crate").to_owned()
}
