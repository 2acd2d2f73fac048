//! What each fuzz target does with its bytes. A finding is a panic: of the product, or of what is asserted here beyond
//! "does not panic". The fuzzer runs them on what it makes up (`proof/fuzz/run`), an ordinary test on the corpora that
//! are kept in `proof/fuzz/corpus`.
//!
//! | module | bytes of whom |
//! | --- | --- |
//! | [`adb`] | an adb server, an adbd, Android's own programs |
//! | [`flows`] | whoever writes Maestro flows, their config and their scripts |
//! | [`helper`] | the helper on a device |
//! | [`web`] | a driver, a page |
//! | [`lines`] | a client on the socket, a person at the command line, a script of the stage |
//! | [`shown`] | what all of them become: trees, lines, pictures |

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "this crate is a test: what it does not expect has to fail it"
)]

pub mod adb;
pub mod flows;
pub mod helper;
pub mod lines;
pub mod shown;
pub mod web;

pub use adb::{adb_dumps, adb_frames, apk};
pub use flows::{flow_script, maestro_config, maestro_flow};
pub use helper::{android_tree, helper_records, helper_reply};
pub use lines::{command_line, daemon_line, replay_script, selector, stage_script};
pub use shown::{picture, plain};
pub use web::{page_capture, webdriver_reply};

/// One target.
pub type Target = fn(&[u8]);

/// Every target, by the name of its corpus.
pub const TARGETS: &[(&str, Target)] = &[
    ("adb_frames", adb_frames),
    ("adb_dumps", adb_dumps),
    ("apk", apk),
    ("helper_records", helper_records),
    ("helper_reply", helper_reply),
    ("android_tree", android_tree),
    ("webdriver_reply", webdriver_reply),
    ("page_capture", page_capture),
    ("daemon_line", daemon_line),
    ("command_line", command_line),
    ("selector", selector),
    ("stage_script", stage_script),
    ("replay_script", replay_script),
    ("maestro_flow", maestro_flow),
    ("maestro_config", maestro_config),
    ("flow_script", flow_script),
    ("picture", picture),
    ("plain", plain),
];

/// Runs what never waits for anybody.
fn now<T>(future: impl Future<Output = T>) -> T {
    let mut future = Box::pin(future);
    match future.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("a reader waits for bytes that are all there"),
    }
}
