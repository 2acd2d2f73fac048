//! What a backend can do. The router refuses what is not here before anything is sent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing a device may or may not be able to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Capability {
    /// Reading the screen as a tree.
    Snapshot,
    /// Pictures of the screen.
    Screenshot,
    /// Pressing at a point.
    Tap,
    /// Real touch contacts (not a mouse).
    Touch,
    /// Other buttons of a mouse.
    MouseButtons,
    /// Moving a pointer without pressing.
    Hover,
    /// Keeping a contact down.
    LongPress,
    /// Dragging a contact.
    Swipe,
    /// Typing into whatever has the focus.
    Type,
    /// Replacing the content of a field.
    Fill,
    /// Scrolling a container.
    Scroll,
    /// Bringing an element into view by itself.
    ScrollIntoView,
    /// The system's or the browser's way back.
    Back,
    /// The home screen, or the first page.
    Home,
    /// Changing the size of the viewport.
    Viewport,
    /// Native or JavaScript dialogs.
    Alert,
    /// Choosing files for a file field.
    Upload,
    /// Files that the page or app saved.
    Downloads,
    /// More than one tab or window.
    Windows,
    /// Movements of one or two contacts.
    Gesture,
    /// Showing the apps that were used last.
    AppSwitcher,
    /// Turning the screen.
    Orientation,
    /// Asking for the on-screen keyboard and hiding it.
    Keyboard,
    /// Reading and writing the clipboard.
    Clipboard,
    /// Changing the device's settings and the app's permissions.
    Settings,
    /// Which app is in front.
    Appstate,
    /// What the app writes to the device's log.
    Logs,
    /// Frames and memory.
    Perf,
    /// Films of the screen.
    Record,
}

/// Everything a device can do, and what it cannot with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Capabilities {
    /// What works.
    pub can: Vec<Capability>,
    /// What does not, and why.
    pub cannot: Vec<Missing>,
}

/// Something a backend cannot do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Missing {
    /// What.
    pub capability: Capability,
    /// Why, for people.
    pub reason: String,
}

impl Capabilities {
    /// Whether this can be done.
    pub fn has(&self, capability: Capability) -> bool {
        self.can.contains(&capability)
    }

    /// Why it cannot be done.
    pub fn reason(&self, capability: Capability) -> Option<&str> {
        self.cannot.iter().find(|missing| missing.capability == capability).map(|missing| missing.reason.as_str())
    }
}
