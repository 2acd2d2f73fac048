//! Captures that are no screen, each with its row.

use contract::{Code, Failure, Row};

use super::xml::Broken;

/// The document ends early or is none.
pub fn unreadable(broken: Broken, length: usize) -> Failure {
    let Broken { at, why } = broken;
    let message = format!("the helper's capture cannot be read: the document {why} (byte {at} of {length})");
    Failure::refused(Row::HelperCaptureUnreadable, Code::CaptureFailed, message)
        .reason("capture_unreadable")
        .detail("byte", at)
        .detail("bytes", length)
        .retriable()
}

/// There is not a single node.
pub fn empty(truncated: bool) -> Failure {
    let message = if truncated {
        "the helper's capture ended before its first node"
    } else {
        "the helper's capture is empty: no window gave its content"
    };
    without_app("capture_empty", message.to_owned())
}

/// Only the system's own windows are there, and they show nothing to speak of.
pub fn only_system(windows: usize, meaningful: usize) -> Failure {
    without_app(
        "system_windows_only",
        format!("the capture holds no window of an app, only {windows} of the system with {meaningful} things to read"),
    )
    .detail("windows", windows)
    .detail("meaningfulNodes", meaningful)
}

/// The app's window is there without anything in it.
pub fn app_window_empty(package: &str) -> Failure {
    let owner = if package.is_empty() { "the app".to_owned() } else { package.to_owned() };
    without_app("app_window_empty", format!("the window of {owner} came back without content"))
        .detail("package", package)
}

fn without_app(reason: &str, message: String) -> Failure {
    Failure::refused(Row::HelperCaptureWithoutApp, Code::CaptureFailed, message)
        .reason(reason)
        .hint("the app may still be starting: look again, or take a screenshot to see what is there")
        .retriable()
}

/// The helper says that the window in front gave no content.
pub fn incomplete(missing: &str) -> Failure {
    let message = "the app's window did not give its content within the helper's limit".to_owned();
    Failure::refused(Row::HelperCaptureIncomplete, Code::CaptureFailed, message)
        .reason("capture_incomplete")
        .detail("missingRootWindowTypes", missing)
        .hint("the app may still be starting or be busy: look again in a moment")
        .retriable()
}
