//! From the helper's XML to a tree.
//!
//! ```text
//! bytes -> xml -> facts -> windows, geometry, roles, names -> build -> Tree + layers -> alert, touch
//! ```
//!
//! | module | answers |
//! | --- | --- |
//! | [`mod@self`] | one capture read: what it holds, and whether it is a screen at all |
//! | [`xml`] | elements and attributes, also those of old helpers |
//! | [`facts`] | attributes as typed facts; what is missing is unknown |
//! | [`windows`] | which window is what, which are shown, in which order |
//! | [`geometry`] | where a node is, and which part of it can be seen |
//! | [`roles`] | from Android's classes to roles |
//! | [`names`] | what a node is called and what it holds |
//! | [`keys`] | which node of one capture is which of another |
//! | [`build`] | nodes from all that |
//! | [`layers`] | what lies over what |
//! | [`touch`] | where a touch reaches a node |
//! | [`alert`] | native dialogs, and which of their buttons accept and dismiss |
//! | [`refusal`] | captures that are no screen |
//!
//! Rects are in px of the device, as taps are. Identifiers are resource ids in full (`com.example:id/save`); the
//! selector `id=save` means them too.

pub mod alert;
mod build;
pub mod facts;
mod geometry;
pub mod keys;
mod layers;
mod names;
mod refusal;
pub mod roles;
pub mod touch;
pub mod windows;
pub mod xml;

use std::{borrow::Cow, collections::HashMap};

use backend::Aimed;
use contract::{Failure, Rect};
use screen::Tree;

pub use alert::Alert;
pub use keys::Keys;
pub use touch::Touch;
pub use windows::{Window, WindowKind};

use layers::Layers;

/// The headers of a capture (of a session's response or of a one-shot's final record), by key. Read of it:
/// `truncated`, `displayWidth`, `displayHeight`, `missingRootWindowTypes`; all may be missing.
pub type Headers = HashMap<String, String>;

/// A capture with fewer things to read or to press than this is poor: the app may still be drawing.
pub const POOR: usize = 2;
/// Windows of the system alone count as a screen (the lock screen, the notification shade) from so many on.
const SYSTEM_SCREEN: usize = 3;

/// How to read a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Tells this life of the helper on this device from every other: node keys of different scopes are never equal.
    pub scope: u64,
    /// Nodes at most; what is beyond makes the tree `truncated`.
    pub max_nodes: u32,
    /// The content of the system's bars and the keys of the keyboard too.
    pub whole: bool,
}

/// One capture.
#[derive(Debug, Clone)]
pub struct Capture {
    /// The screen. Its `app` is the package of the window in front.
    pub tree: Tree,
    /// All windows, those left out of the tree too, topmost first.
    pub windows: Vec<Window>,
    /// The native dialog that asks something.
    pub alert: Option<Alert>,
    /// Where the keyboard lies, px.
    pub keyboard: Option<Rect>,
    /// Things to read or to press that the windows hold (bars aside).
    pub meaningful: usize,
    /// How the helper spells the nodes' keys.
    pub keys: Keys,
    layers: Layers,
}

impl Capture {
    /// Where to touch a node, or why it cannot be touched.
    ///
    /// To be asked before every touch of a node: a node's `cover` in the tree is set only where no point of it is free,
    /// and its middle may be covered all the same.
    pub fn touch(&self, place: u32) -> Touch {
        touch::touch(&self.tree, &self.layers, place)
    }

    /// [`Capture::touch`] in the words of a live look.
    pub fn aim(&self, place: u32) -> Aimed {
        touch::aim(&self.tree, &self.layers, place)
    }

    /// So little is there that the app may still be drawing: worth a second look.
    pub const fn is_poor(&self) -> bool {
        self.meaningful < POOR
    }
}

/// Reads a capture.
///
/// # Errors
/// What is no screen: a document that cannot be read, one without a window of an app (but for the system's own
/// screens), an app's window without content, a helper that says that the window in front gave none.
pub fn read(xml: &[u8], headers: &Headers, options: &Options) -> Result<Capture, Failure> {
    let text = match std::str::from_utf8(xml) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(xml),
    };
    let raw = facts::parse(&text).map_err(|broken| refusal::unreadable(broken, text.len()))?;
    let truncated = headers.get("truncated").is_some_and(|value| value == "true");
    if raw.nodes.is_empty() {
        return Err(refusal::empty(truncated));
    }
    let display = windows::display(&raw, headers);
    let mut windows = windows::windows(&raw, display);
    let missing = missing(headers);
    // A root without a window is the one that the platform calls active.
    let is_front = |(window, sent): (&Window, &facts::RawWindow)| {
        window.kind != WindowKind::Bar && (window.is_in_use() || sent.kind.is_none())
    };
    let has_front = windows.iter().zip(&raw.windows).any(is_front);
    if missing.contains(&windows::platform::APPLICATION) && !has_front {
        let missing = headers.get("missingRootWindowTypes").map_or("", String::as_str);
        return Err(refusal::incomplete(missing));
    }
    let mut of_apps = windows.iter().zip(&raw.windows).filter(|(window, _)| window.is_of_app()).peekable();
    let has_app = of_apps.peek().is_some();
    if let Some((window, _)) = of_apps.peek().copied()
        && of_apps.all(|(_, sent)| raw.children(sent.root).next().is_none())
    {
        return Err(refusal::app_window_empty(&window.package));
    }

    let keyboard = windows::keyboard(&raw, &windows, display);
    let (node_keys, keys) = keys::keys(&raw, &windows, options.scope);
    let Options { max_nodes, whole, .. } = *options;
    let plan = build::Plan { raw: &raw, display, keyboard, keys: &node_keys, max_nodes, whole };
    let build::Built { mut tree, layers, meaningful: [in_apps, in_system] } = build::build(&plan, &mut windows);
    if !has_app && in_system < SYSTEM_SCREEN {
        return Err(refusal::only_system(windows.len(), in_system));
    }
    let meaningful = in_apps + in_system;
    tree.app = windows::front(&windows)
        .and_then(|front| windows.get(front))
        .map(|front| front.package.clone())
        .filter(|package| !package.is_empty());
    tree.truncated |= truncated;
    warn(&mut tree, &missing, meaningful);
    let alert = alert::alert(&tree, &windows);
    windows.sort_by_key(|window| std::cmp::Reverse(window.z));
    Ok(Capture { tree, windows, alert, keyboard, meaningful, keys, layers })
}

/// Kinds of windows that gave no content.
fn missing(headers: &Headers) -> Vec<i32> {
    let types = headers.get("missingRootWindowTypes").map_or("", String::as_str);
    types.split(',').filter_map(|kind| kind.trim().parse().ok()).collect()
}

fn warn(tree: &mut Tree, missing: &[i32], meaningful: usize) {
    if missing.contains(&windows::platform::APPLICATION) {
        tree.warnings.push("another window of an app gave no content: what it shows is missing here".to_owned());
    }
    if missing.contains(&windows::platform::INPUT_METHOD) {
        tree.warnings.push("the keyboard's window gave no content: what it covers is not known".to_owned());
    }
    if meaningful < POOR {
        tree.warnings.push(
            "the screen holds next to nothing to read or to press: the app may still be drawing, or it draws without \
             saying what (a game, a video); a screenshot shows it"
                .to_owned(),
        );
    }
}

#[cfg(test)]
mod tests;
