//! One driver per row of the golden table: makes the real producer fail in the row's way, and brings back what the
//! caller was told and what reached the app.
//!
//! | module | rows |
//! | --- | --- |
//! | [`client`] | what the program says before or after it reached a daemon |
//! | [`hop`] | the way to a daemon on another machine, and what the server there refuses |
//! | [`protocol`] | lines on the socket, request ids |
//! | [`admission`] | sessions, devices, leases, the daemon's own end |
//! | [`keeping`] | scripts and traces of a session |
//! | [`refusals`] | what must not be pressed or typed into |
//! | [`waits`] | readiness, waits, predicates |
//! | [`series`] | failures after an earlier send of the same request |
//! | [`endings`] | cancellation, deadlines, panics, what nobody classified |
//! | [`replay`] | scripts and flows as a whole |
//! | [`stage`] | the simulated device |
//! | [`web_open`] | opening a browser and going to an address |
//! | [`web_input`] | inputs to a page |
//! | [`web_line`] | the connection to a driver |
//! | [`appium`] | a server that keeps its replies |
//! | [`adb_way`] | the way to an Android device |
//! | [`adb_line`] | the line to it |
//! | [`android_app`] | apps on it |
//! | [`android_system`] | settings, emulators, films, pairing |
//! | [`helper_setup`] | installing and starting the helper on it, and running it once |
//! | [`helper_line`] | the connection to that helper's session, and what it says of a command |
//! | [`helper_journal`] | a lost reply of the helper, and what its journal can still tell |
//! | [`helper_capture`] | captures that are no screen |

use std::pin::Pin;

use contract::Row;

use crate::{seen::Seen, world::World};

/// One row made to happen.
pub struct Driver {
    /// The row.
    pub row: Row,
    /// Makes it happen.
    pub run: for<'w> fn(&'w World) -> Pin<Box<dyn Future<Output = Seen> + Send + 'w>>,
}

/// Rows that need two users of the system, and so the rights of root to become the other one.
pub const NEED_ROOT: &[Row] = &[Row::DaemonProtocolOtherUser];

/// A driver: `driver!(Variant, |world| { ... })`, where the block ends with a [`Seen`].
macro_rules! driver {
    ($row:ident, |$world:ident| $body:block) => {
        $crate::drivers::Driver { row: contract::Row::$row, run: |$world| Box::pin(async move { $body }) }
    };
}

pub mod adb_line;
pub mod adb_way;
pub mod admission;
pub mod android_app;
pub mod android_system;
pub mod appium;
pub mod client;
pub mod endings;
pub mod helper_capture;
pub mod helper_journal;
pub mod helper_line;
pub mod helper_setup;
pub mod hop;
pub mod keeping;
pub mod protocol;
pub mod refusals;
pub mod replay;
pub mod series;
pub mod stage;
pub mod waits;
pub mod web_input;
pub mod web_line;
pub mod web_open;

/// Every driver.
pub fn all() -> impl Iterator<Item = &'static Driver> {
    [
        client::DRIVERS,
        hop::DRIVERS,
        protocol::DRIVERS,
        admission::DRIVERS,
        keeping::DRIVERS,
        refusals::DRIVERS,
        waits::DRIVERS,
        series::DRIVERS,
        replay::DRIVERS,
        endings::DRIVERS,
        stage::DRIVERS,
        web_open::DRIVERS,
        web_input::DRIVERS,
        web_line::DRIVERS,
        appium::DRIVERS,
        adb_way::DRIVERS,
        adb_line::DRIVERS,
        android_app::DRIVERS,
        android_system::DRIVERS,
        helper_setup::DRIVERS,
        helper_line::DRIVERS,
        helper_journal::DRIVERS,
        helper_capture::DRIVERS,
    ]
    .into_iter()
    .flatten()
}
