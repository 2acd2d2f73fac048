//! How the driver program is started, found ready and taken down with everything it started.
//!
//! | module | answers |
//! | --- | --- |
//! | [`start`] | program, port, environment, readiness |
//! | [`folder`] | the folder of one browser, and the record of what runs in it |
//! | [`processes`] | which processes are ours, and ending them |
//! | [`address`] | a driver that runs already, at `--driver-url` |

pub mod address;
pub mod folder;
pub mod processes;
pub mod start;

pub use folder::Folder;
pub use start::{Running, start};
