//! What the tests of the page share.
#![allow(dead_code, reason = "each test uses a part")]

pub mod axe;
pub mod browser;
pub mod sample;
