//! The locks and counters that requests share, in one place: an explorer of schedules compiles the same sources with its own.

pub use std::sync::{Mutex, atomic::AtomicU64};
