//! The locks of this crate, in one place: an explorer of schedules compiles the same sources with its own.

pub use std::sync::Mutex;
