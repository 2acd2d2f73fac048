//! What the daemon says of itself: lines on its standard error, which is its log file.

use crate::leases::now_ms;

/// One line with its time (ms since 1970-01-01 UTC).
#[expect(clippy::print_stderr, reason = "standard error is the daemon's log")]
pub fn line(text: &str) {
    eprintln!("{} {text}", now_ms());
}
