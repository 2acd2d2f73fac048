//! Which window is what, which of them are shown, and in which order.
//!
//! What an agent looks for stands first: the window that has the focus (a dialog, else the app), then the other windows
//! of apps, then the system's and overlays, then the keyboard. The status and navigation bar are left out: their clock
//! and icons say nothing of the app, and a "Back" of theirs would make the app's own "Back" ambiguous. The keyboard is
//! one node without its keys, for the same reasons. Both still cover what lies under them.

use contract::{Rect, Size};

use super::{
    Headers,
    alert::{is_answerable, is_question},
    facts::{Edges, Facts, Raw, RawNode, RawWindow},
    geometry::rect_of,
    roles::{is_said, role_of},
};

/// What a window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WindowKind {
    /// An app's.
    App,
    /// A dialog, popup or menu over an app, the system's questions included.
    Dialog,
    /// The soft keyboard.
    Keyboard,
    /// The status or navigation bar.
    Bar,
    /// Another one of the system's: the notification shade, the lock screen, a volume panel, a floating window.
    System,
    /// Of an accessibility service.
    Overlay,
    /// Between the halves of a split screen.
    Divider,
}

/// One window of a capture.
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    /// What it is.
    pub kind: WindowKind,
    /// The platform's number of it, from helpers that send it.
    pub id: Option<i64>,
    /// Place in the stack, 0 is at the bottom.
    pub z: u32,
    /// The app that it belongs to; empty where nobody said.
    pub package: String,
    /// The box around where it takes touches, px. The platform leaves out what windows above it take: of an app under
    /// the keyboard, the part beside the keyboard.
    pub bounds: Rect,
    /// The box that it is laid out in, px.
    pub frame: Rect,
    /// It was touched last or has the accessibility focus.
    pub active: bool,
    /// It has the input focus.
    pub focused: bool,
    /// Its root's place in the tree; `None` for windows that are left out.
    pub root: Option<u32>,
}

impl Window {
    /// One that holds an app's own content: in front it is what commands are about.
    pub const fn is_of_app(&self) -> bool {
        matches!(self.kind, WindowKind::App | WindowKind::Dialog)
    }

    /// It is the one that is touched or typed into.
    pub const fn is_in_use(&self) -> bool {
        self.active || self.focused
    }
}

/// The platform's numbers for kinds of windows.
pub mod platform {
    /// Of an app, its dialogs included.
    pub const APPLICATION: i32 = 1;
    /// The keyboard.
    pub const INPUT_METHOD: i32 = 2;
    /// Bars, shade, lock screen, toasts, floating windows.
    pub const SYSTEM: i32 = 3;
    /// Of an accessibility service.
    pub const ACCESSIBILITY_OVERLAY: i32 = 4;
    /// Of a split screen.
    pub const DIVIDER: i32 = 5;
}

/// A bar is at most so high (at the side: so wide): a share of the display's longer side. Status bars with a cutout and
/// navigation bars with buttons take 3 to 6 percent, a notification that pops up more than 8.
const BAR: f64 = 0.075;
/// And at least so long: a share of the side that it lies along.
const BAR_LENGTH: f64 = 0.9;
/// A window that is in use and narrower and lower than this share of the display is a dialog. One that is not in use is
/// a picture-in-picture or a floating window.
const WHOLE: f64 = 0.98;
/// A window that lies on another of its app and has less than this share of its area is a dialog.
const ON_TOP: f64 = 0.9;

const SYSTEM_UI: &str = "com.android.systemui";

/// The size of the display, px: as the helper measured it, else as far as the windows reach.
pub fn display(raw: &Raw<'_>, headers: &Headers) -> Size {
    let side = |key: &str| headers.get(key).and_then(|value| value.trim().parse().ok()).filter(|px: &f64| *px >= 1.0);
    if let (Some(width), Some(height)) = (side("displayWidth"), side("displayHeight")) {
        return Size { width, height };
    }
    let root = |window: &RawWindow| raw.nodes.get(window.root).and_then(|root| root.bounds);
    let boxes = raw.windows.iter().flat_map(|window| [window.bounds, root(window)]).flatten().map(rect_of);
    let (width, height) = boxes
        .fold((0.0, 0.0), |(width, height): (f64, f64), rect| (width.max(rect.right()), height.max(rect.bottom())));
    Size { width, height }
}

/// A window's box, else its root's: of a root without a window nothing else is known.
fn bounds_of(raw: &Raw<'_>, window: &RawWindow) -> Option<Edges> {
    window.bounds.or_else(|| raw.nodes.get(window.root).and_then(|root| root.bounds))
}

/// Every window as what it is, in the helper's order.
pub fn windows(raw: &Raw<'_>, display: Size) -> Vec<Window> {
    let mut stack: Vec<usize> = (0..raw.windows.len()).collect();
    // Higher layers are on top; of equal ones the earlier, as the platform lists them from the top.
    stack.sort_by_key(|at| (raw.windows.get(*at).and_then(|window| window.layer), std::cmp::Reverse(*at)));
    let mut windows: Vec<Window> = raw
        .windows
        .iter()
        .map(|window| {
            let root = raw.nodes.get(window.root);
            let package = raw.of_window(window).find_map(|(_, node)| node.package.as_deref()).unwrap_or_default();
            let bounds = bounds_of(raw, window).map(rect_of).unwrap_or_default();
            let frame = root.and_then(|root| root.bounds).map(rect_of).filter(|frame| !frame.is_empty());
            let mut seen = Window {
                kind: WindowKind::App,
                id: window.id,
                z: 0,
                package: package.to_owned(),
                bounds,
                frame: frame.unwrap_or(bounds),
                active: window.active == Some(true),
                focused: window.focused == Some(true),
                root: None,
            };
            seen.kind = kind_of(&seen, window, root, display);
            seen
        })
        .collect();
    for (z, at) in (0u32..).zip(&stack) {
        if let Some(window) = windows.get_mut(*at) {
            window.z = z;
        }
    }
    let dialogs: Vec<usize> = (0..windows.len()).filter(|at| is_dialog(*at, &windows, raw, display)).collect();
    for at in dialogs {
        if let Some(window) = windows.get_mut(at) {
            window.kind = WindowKind::Dialog;
        }
    }
    windows
}

fn kind_of(seen: &Window, window: &RawWindow, root: Option<&RawNode<'_>>, display: Size) -> WindowKind {
    match window.kind {
        Some(platform::APPLICATION) => WindowKind::App,
        Some(platform::INPUT_METHOD) => WindowKind::Keyboard,
        Some(platform::ACCESSIBILITY_OVERLAY) => WindowKind::Overlay,
        Some(platform::DIVIDER) => WindowKind::Divider,
        Some(platform::SYSTEM) if !seen.focused && is_bar(seen.bounds, display) => WindowKind::Bar,
        Some(platform::SYSTEM) => WindowKind::System,
        // Newer than this list: what has the focus is what one works with.
        Some(_) if seen.is_in_use() => WindowKind::App,
        Some(_) => WindowKind::Overlay,
        // A root of which the helper found no window.
        None if seen.package != SYSTEM_UI => WindowKind::App,
        None if root.and_then(|root| root.bounds).map(rect_of).is_some_and(|rect| is_bar(rect, display)) => {
            WindowKind::Bar
        }
        None => WindowKind::System,
    }
}

/// A strip along an edge of the display.
fn is_bar(bounds: Rect, display: Size) -> bool {
    let thin = BAR * display.width.max(display.height);
    let lies = bounds.width >= BAR_LENGTH * display.width
        && bounds.height <= thin
        && (bounds.y <= 0.0 || bounds.bottom() >= display.height);
    let stands = bounds.height >= BAR_LENGTH * display.height
        && bounds.width <= thin
        && (bounds.x <= 0.0 || bounds.right() >= display.width);
    lies || stands
}

fn is_dialog(at: usize, windows: &[Window], raw: &Raw<'_>, display: Size) -> bool {
    let (Some(window), Some(sent)) = (windows.get(at), raw.windows.get(at)) else { return false };
    if !matches!(window.kind, WindowKind::App | WindowKind::System) {
        return false;
    }
    let area = |rect: Rect| rect.width * rect.height;
    let frame = window.frame;
    // An app's own screen may use the platform's ids too; as large as the display it must ask something as well.
    let is_whole = frame.width >= WHOLE * display.width && frame.height >= WHOLE * display.height;
    if raw.of_window(sent).any(|(_, node)| is_answerable(node))
        && (!is_whole || raw.of_window(sent).any(|(_, node)| is_question(node)))
    {
        return true;
    }
    window.kind == WindowKind::App
        && ((window.is_in_use() && frame.width < WHOLE * display.width && frame.height < WHOLE * display.height)
            || windows.iter().any(|other| {
                other.kind == WindowKind::App
                    && other.z < window.z
                    && other.package == window.package
                    && frame.intersect(other.frame) == frame
                    && area(frame) < ON_TOP * area(other.frame)
            }))
}

/// The windows that are shown, in the order in which they are. `whole` shows the bars too.
pub fn shown(windows: &[Window], whole: bool) -> Vec<usize> {
    let front = front(windows);
    let mut shown: Vec<usize> = (0..windows.len())
        .filter(|at| windows.get(*at).is_some_and(|window| whole || window.kind != WindowKind::Bar))
        .collect();
    shown.sort_by_key(|at| {
        let group = windows.get(*at).map_or(u8::MAX, |window| match window.kind {
            _ if front == Some(*at) => 0,
            WindowKind::App | WindowKind::Dialog => 1,
            WindowKind::System | WindowKind::Overlay | WindowKind::Divider => 2,
            WindowKind::Keyboard => 3,
            WindowKind::Bar => 4,
        });
        (group, std::cmp::Reverse(windows.get(*at).map(|window| window.z)))
    });
    shown
}

/// The window that commands are about: the topmost that has the focus, else the topmost active one, else the topmost
/// of an app.
pub fn front(windows: &[Window]) -> Option<usize> {
    let candidates = || {
        windows
            .iter()
            .enumerate()
            .filter(|(_, window)| matches!(window.kind, WindowKind::App | WindowKind::Dialog | WindowKind::System))
    };
    let topmost = |fits: &dyn Fn(&Window) -> bool| {
        candidates().filter(|(_, window)| fits(window)).max_by_key(|(_, window)| window.z).map(|(at, _)| at)
    };
    topmost(&|window| window.focused)
        .or_else(|| topmost(&|window| window.active))
        .or_else(|| topmost(&Window::is_of_app))
        .or_else(|| topmost(&|_| true))
}

/// Nothing under this window takes input although it lies beside it: a dialog that has the focus, over a window of the
/// same app or as a question of the system.
pub fn is_modal(at: usize, windows: &[Window], raw: &Raw<'_>) -> bool {
    let (Some(window), Some(sent)) = (windows.get(at), raw.windows.get(at)) else { return false };
    if window.kind != WindowKind::Dialog || !window.is_in_use() {
        return false;
    }
    let mut below = windows.iter().filter(|other| other.is_of_app() && other.z < window.z).peekable();
    below.peek().is_some()
        && (below.any(|other| other.package == window.package)
            || raw.of_window(sent).any(|(_, node)| is_answerable(node)))
}

/// Where the keyboard lies: the box of its windows over the app in front. A keyboard that floats has a window as large as
/// the display: then it is where its keys are.
pub fn keyboard(raw: &Raw<'_>, windows: &[Window], display: Size) -> Option<Rect> {
    let boxes = windows.iter().zip(&raw.windows).filter(|(window, _)| window.kind == WindowKind::Keyboard);
    boxes
        .filter_map(|(window, sent)| {
            let bounds = window.bounds.intersect(display.bounds());
            // One that shows the field itself (in landscape) does fill the display.
            let shows_field = raw.of_window(sent).any(|(_, node)| node.is(Facts::EDITABLE));
            let floats = bounds.height > 0.9 * display.height && !shows_field;
            let keys = || {
                let keys = raw.of_window(sent).map(|(_, node)| node).filter(|node| node.is(Facts::CLICKABLE));
                let boxes = keys.filter_map(|node| node.bounds).map(rect_of).map(|rect| rect.intersect(bounds));
                boxes.filter(|rect| !rect.is_empty()).reduce(around)
            };
            let rect = if floats { keys().unwrap_or(bounds) } else { bounds };
            (!rect.is_empty()).then_some(rect)
        })
        .reduce(around)
}

fn around(one: Rect, other: Rect) -> Rect {
    let (x, y) = (one.x.min(other.x), one.y.min(other.y));
    Rect::new(x, y, one.right().max(other.right()) - x, one.bottom().max(other.bottom()) - y)
}

/// What the root of a window is called: its role, and its name where it has one of its own.
pub fn root_role(window: &Window, sent: &RawWindow, raw: &Raw<'_>, is_front: bool) -> Option<&'static str> {
    match window.kind {
        WindowKind::Dialog if holds_a_list_alone(raw, sent) => Some("menu"),
        WindowKind::Dialog => Some("dialog"),
        WindowKind::Keyboard => Some("keyboard"),
        WindowKind::App if is_front => None,
        WindowKind::App | WindowKind::System | WindowKind::Overlay | WindowKind::Bar | WindowKind::Divider => {
            Some("window")
        }
    }
}

/// A popup of which everything lies in one list: a menu, or what a drop-down offers.
fn holds_a_list_alone(raw: &Raw<'_>, sent: &RawWindow) -> bool {
    let mut place = sent.root;
    loop {
        let Some(node) = raw.nodes.get(place) else { return false };
        if role_of(node).0 == "list" {
            return true;
        }
        let silent = !node.text.as_deref().is_some_and(is_said) && !node.content_desc.as_deref().is_some_and(is_said);
        let mut children = raw.children(place);
        match (children.next(), children.next()) {
            (Some(only), None) if silent => place = only,
            _ => return false,
        }
    }
}
