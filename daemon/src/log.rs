//! What the daemon says of itself: lines on its standard error, which is its log file.

use std::io::Write;

use crate::leases::now_ms;

/// One line, whatever is in it, with its time (ms since 1970-01-01 UTC). A log that cannot be written, on a full disk, stops nothing.
pub fn line(text: &str) {
    let _unwritten = writeln!(std::io::stderr().lock(), "{} {}", now_ms(), contract::plain::line(text));
}
