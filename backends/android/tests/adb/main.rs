//! The client of the adb server against a real server and a real adbd, and against a server that breaks off at every
//! byte.
//!
//! | module | answers |
//! | --- | --- |
//! | [`rig`] | a private adb server and an adbd, ended with the test |
//! | [`real`] | does every service do what it says? |
//! | [`files`] | files and packages |
//! | [`offline`] | a device that is offline: waited for once, then refused |
//! | [`scripted`] | a server that says what the test wants, and stops where it wants |
//! | [`cut`] | wherever the server breaks off: is `no` ever said of something that went out? |
//!
//! The adbd is the one of the Android lab: in the folder that `AGENT_DEVICE_LAB` names, or built by
//! `proof/android-lab/parts/build` as for the lab's own tests. Where the packages for that are missing, the tests of a
//! real device are left out, and say so.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this crate is a test: what it does not expect has to fail it"
)]

mod cut;
mod files;
mod offline;
mod real;
mod rig;
mod scripted;
