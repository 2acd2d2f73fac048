//! What Android devices can do.

use contract::{Capabilities, Capability, Code, Failure, Row, capability::Missing};

/// What every Android device can do.
pub fn all() -> Capabilities {
    let missing = |capability, reason: &str| Missing { capability, reason: reason.to_owned() };
    Capabilities {
        can: vec![
            Capability::Snapshot,
            Capability::Screenshot,
            Capability::Tap,
            Capability::Touch,
            Capability::LongPress,
            Capability::Swipe,
            Capability::Type,
            Capability::Fill,
            Capability::Scroll,
            Capability::Back,
            Capability::Home,
            Capability::Alert,
            Capability::Gesture,
            Capability::AppSwitcher,
            Capability::Orientation,
            Capability::Keyboard,
            Capability::Clipboard,
            Capability::Settings,
            Capability::Appstate,
            Capability::Logs,
            Capability::Perf,
            Capability::Record,
        ],
        cannot: vec![
            missing(Capability::MouseButtons, "a touch screen has no buttons: every press is a touch"),
            missing(Capability::Hover, "a finger cannot point without touching"),
            missing(Capability::ScrollIntoView, "the content is scrolled step by step: scroll --until"),
            missing(Capability::Viewport, "a device's screen has the size that it has"),
            missing(Capability::Upload, "push the file to the device, then choose it there: agent-device push"),
            missing(Capability::Downloads, "pull the file from the device: agent-device pull"),
            missing(Capability::Windows, "an app has one window in front: see agent-device snapshot"),
        ],
    }
}

/// The refusal of something that names neither an app nor an address.
pub fn unknown(app: &str) -> Failure {
    Failure::refused(
        Row::DaemonAdmissionDeviceNotFound,
        Code::InvalidArgs,
        format!("{app:?} is neither an app nor an address"),
    )
    .reason("app_unknown")
    .hint(
        "a package (com.example.app), an activity (com.example.app/.Main) or an address with its scheme (https://...)",
    )
}
