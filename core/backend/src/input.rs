//! Everything that may change the app: the only way a mutation leaves the daemon.

use contract::{
    Point, Row,
    command::{Button, Setting, Turn},
};
use screen::NodeKey;

use crate::TouchPlan;

/// Where an input lands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aim {
    /// In the viewport.
    pub point: Point,
    /// The element that is meant, where the target was one. A backend that can makes sure that it is the one hit.
    pub node: Option<NodeKey>,
}

/// One input.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// Goes to an address or starts an app in the session that is open.
    Navigate {
        /// The address.
        address: String,
        /// How long it may take to load, ms.
        load_timeout_ms: u64,
    },
    /// One press.
    Press {
        /// Where.
        aim: Aim,
        /// Which button, for mice.
        button: Button,
        /// How long it stays down, ms; 0 for an ordinary press.
        hold_ms: u64,
    },
    /// Two presses that count as a double press.
    DoublePress {
        /// Where.
        aim: Aim,
    },
    /// Moves a pointer there.
    Hover {
        /// Where.
        aim: Aim,
    },
    /// Drags a contact in a straight line.
    Swipe {
        /// From.
        from: Point,
        /// To.
        to: Point,
        /// How long the movement takes, ms.
        duration_ms: u64,
    },
    /// Gives a field the focus and replaces its whole content.
    Fill {
        /// The field.
        aim: Aim,
        /// The text.
        text: String,
        /// Pause after each character, ms.
        delay_ms: u64,
    },
    /// Types into whatever has the focus.
    Type {
        /// The text.
        text: String,
    },
    /// Moves the content of a scroll container.
    Scroll {
        /// The container, or an element in it; `None` for the screen's main one.
        within: Option<NodeKey>,
        /// How far.
        to: ScrollTo,
    },
    /// The system's or the browser's way back.
    Back,
    /// The first address or screen.
    Home,
    /// Changes the size of the viewport, px.
    Viewport {
        /// Width.
        width: u32,
        /// Height.
        height: u32,
    },
    /// Answers the open dialog.
    AnswerDialog {
        /// Confirm, or cancel.
        accept: bool,
        /// Text for a prompt.
        text: Option<String>,
    },
    /// Chooses files for a file field.
    Upload {
        /// The field.
        node: NodeKey,
        /// Absolute paths.
        files: Vec<String>,
    },
    /// Closes a tab or window.
    CloseWindow {
        /// The backend's id of it.
        id: String,
    },
    /// Contacts that move as planned.
    Touch {
        /// The movement.
        plan: TouchPlan,
        /// The element that is picked up or moved, where the target was one.
        node: Option<NodeKey>,
    },
    /// Shows the apps that were used last.
    AppSwitcher,
    /// Turns the screen.
    Orientation {
        /// Which way.
        turn: Turn,
    },
    /// Hides the on-screen keyboard.
    HideKeyboard,
    /// Presses the keyboard's enter key.
    Enter,
    /// Puts a text on the clipboard.
    Clipboard {
        /// The text.
        text: String,
    },
    /// Changes a setting.
    Setting(Setting),
}

/// How far to scroll.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScrollTo {
    /// By a share of the container's size: positive is right and down.
    Share {
        /// Horizontally.
        x: f64,
        /// Vertically.
        y: f64,
    },
    /// By px.
    Pixels {
        /// Horizontally.
        x: f64,
        /// Vertically.
        y: f64,
    },
    /// To the very top.
    Top,
    /// To the very bottom.
    Bottom,
}

/// What a backend can say of an input that it performed. Nothing here claims what the app did with it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Receipt {
    /// The events that the app was seen to get, in order.
    pub events: Vec<String>,
    /// For scrolling: how far it moved, px.
    pub moved: Option<(f64, f64)>,
    /// For scrolling: whether more is left in that direction.
    pub more: Option<bool>,
    /// What opened because of it: a dialog's text, a new window's id.
    pub opened: Option<String>,
    /// For the caller.
    pub warnings: Vec<String>,
    /// The reply was lost and the device's own record gave the result: under which row.
    pub resolved: Option<Row>,
}

impl Receipt {
    /// What can be said of this input and of the next one of the same command together: the presses of a series, the
    /// halves of a double press.
    #[must_use]
    pub fn and(mut self, next: Receipt) -> Receipt {
        self.events.extend(next.events);
        for warning in next.warnings {
            // Each input of a series says the same.
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        Receipt {
            moved: next.moved.or(self.moved),
            more: next.more.or(self.more),
            opened: next.opened.or(self.opened),
            resolved: self.resolved.or(next.resolved),
            ..self
        }
    }
}
