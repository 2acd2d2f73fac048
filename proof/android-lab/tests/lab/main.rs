//! The lab itself: that what it says of itself holds, with the APK that ships.
//!
//! | module | proves |
//! | --- | --- |
//! | [`shell`] | commands, files, input, pictures |
//! | [`helper`] | the shipped APK on the running stage |
//! | [`faults`] | what can be broken, and that it comes back |

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test: what it does not expect has to fail it"
)]

mod faults;
mod helper;
mod rig;
mod shell;
