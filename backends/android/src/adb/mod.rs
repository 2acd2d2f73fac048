//! adb's smart socket: our own client of the adb server.
//!
//! A fresh connection per service is the protocol; no adb process runs once the server does. Every service goes
//! through the same phases, and the type of its outcome says in which of them it ended: the way to the device
//! ([`wire::NotSent`], with the row that says why there is none), then the service ([`wire::Answered`] or a row that
//! leaves open what happened).
//!
//! | module | answers |
//! | --- | --- |
//! | [`address`] | where the adb server listens |
//! | [`socket`] | a stream to it, TCP or Unix |
//! | [`server`] | connecting, and starting it where none answers |
//! | [`protocol`] | how words are framed |
//! | [`refusals`] | what adb's own refusals mean: the one table |
//! | [`service`] | one service, from the way to its end: rows, the bounded wait for a device that is offline |
//! | [`phone`] | one device: what it can do, what is asked of it |
//! | [`quote`] | quoting for the device's shell |
//! | [`shell`] | a program run to its end: output, errors, exit code |
//! | [`legacy`] | the same on a device that does not tell exit codes |
//! | [`running`] | a program that runs on: its lines as they come, ended with the connection |
//! | [`sync`] | files: stat, list, pull, push |
//! | [`install`] | packages, streamed or pushed |
//! | [`forward`] | ports between host and device |
//! | [`devices`] | which devices there are, once or as they come and go |
//! | [`network`] | devices over the network: connect, pair, mDNS |
//! | [`console`] | the emulator's console |

pub mod address;
pub mod console;
pub mod devices;
pub mod forward;
pub mod install;
pub mod legacy;
pub mod network;
pub mod phone;
pub mod protocol;
pub mod quote;
pub mod refusals;
pub mod running;
pub mod server;
pub mod service;
pub mod shell;
pub mod socket;
pub mod sync;

pub use address::Address;
pub use devices::{Listed, State};
pub use phone::{Features, Phone};
pub use running::{Event, Running};
pub use service::Adb;
pub use shell::ShellOutput;
pub use socket::Socket;
