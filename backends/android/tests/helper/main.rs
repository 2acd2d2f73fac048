//! The host's side of the helper against a phone that says what the test wants, over real connections.
//!
//! | module | answers |
//! | --- | --- |
//! | [`phone`] | the phone: its shell, its helper, and what they were asked |
//! | [`asking`] | is anything ever sent twice, and what does a lost answer come to? |
//! | [`clipboard`] | is the clipboard asked for in one place, and written once? |
//! | [`starting`] | sessions that start, do not start, end; the single run in their place |
//! | [`installing`] | is the helper installed when, and only when, it has to be? |
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "this crate is a test: what it does not expect has to fail it"
)]

mod asking;
mod clipboard;
mod installing;
mod phone;
mod starting;
