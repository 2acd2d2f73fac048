//! `agent-device serve`: the daemon for clients elsewhere. docs/reference/remote-protocol.md has the wire.
//!
//! A request's way: [`connections`] accepts it within limits, [`door`] looks at its token, its origin and its path,
//! [`rpc`] or [`files`] answers it under its lease. What it asks of the daemon goes through the client that every consumer uses,
//! with its rule for a lost reply; this crate sends nothing of its own to a device.
//!
//! | module | answers |
//! | --- | --- |
//! | [`arguments`] | what can stand on the command line |
//! | [`process`] | the server as a process: what it needs to begin, how it ends |
//! | [`token`] | who may speak |
//! | [`connections`] | how many at once, how slow they may be |
//! | [`patient`] | a connection that does not wait for a reader for ever |
//! | [`door`] | from an HTTP request to whoever answers it |
//! | [`reply`] | what an HTTP reply looks like |
//! | [`rpc`] | hello, run, retained, cancel |
//! | [`leases`] | whose sessions and files: how long they live |
//! | [`sessions`] | which session a request means, and whose it is |
//! | [`names`] | files named in a command, and in its answer |
//! | [`files`] | their content, in and out |
//! | [`exports`] | files that the device host made without being given a place |

pub mod arguments;
pub mod connections;
pub mod door;
pub mod exports;
pub mod files;
pub mod leases;
pub mod names;
pub mod patient;
pub mod process;
pub mod reply;
pub mod rpc;
pub mod sessions;
pub mod token;

pub use arguments::Serve;
pub use process::serve;
