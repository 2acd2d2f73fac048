//! The helper on the device, from the host's side.
//!
//! | module | answers |
//! | --- | --- |
//! | [`fields`] | the key=value facts of an answer |
//! | [`features`] | what this helper can do beyond the base protocol |
//! | [`request`] | one line of a request, its id, the device's clock |
//! | [`reply`] | one answer of a session, read by its length |
//! | [`client`] | the helper of one device, whatever state it is in |
//! | [`exchange`] | one command to a session, and how far it got |
//! | [`journal`] | what became of a command whose answer was lost, and what that proves |
//! | [`settle`] | asking for it, in the request's own time |
//! | [`refusals`] | what the helper's exceptions mean |
//! | [`options`] | how the helper is run |
//! | [`session`] | a helper that runs on, from its start to its end |
//! | [`release`] | ending it, and the proof that UiAutomation is free |
//! | [`once`] | the helper run once, where it cannot be kept running |
//! | [`install`] | making sure that the helper on a device is ours |
//! | [`records`] | what `am instrument` prints: status blocks, chunks, the result |
//! | [`package`] | the packages that are part of this program, and their manifests |
//! | [`verdict`] | whether the helper on a device is ours, and what an installer's refusal means |

pub mod client;
pub mod exchange;
pub mod features;
pub mod fields;
pub mod install;
pub mod journal;
pub mod once;
pub mod options;
pub mod package;
pub mod records;
pub mod refusals;
pub mod release;
pub mod reply;
pub mod request;
pub mod session;
pub mod settle;
pub mod verdict;

pub use client::Helper;
