//! Questions that the system or an app asks in a native dialog, known by the ids of their buttons alone: a sheet that
//! an app draws itself is none, and neither is what an earlier dialog left behind.

use backend::Dialog;
use screen::{States, Tree};

use super::{
    facts::{Facts, RawNode},
    windows::{Window, WindowKind},
};

/// A question that can be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alert {
    /// What it is and says. `kind` is `alert`, `permission`, `anr` (an app does not answer) or `crash`.
    pub dialog: Dialog,
    /// Its window's root.
    pub place: u32,
    /// All its buttons, in document order.
    pub buttons: Vec<u32>,
    /// The button that confirms.
    pub accept: Option<u32>,
    /// The button that cancels; of a dialog with one button, that one.
    pub dismiss: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Alert,
    Permission,
    Trouble,
}

/// What a button's id means: the dialog's kind and how much it confirms or cancels, best first; 0 for neither.
struct Button {
    kind: Kind,
    accepts: u8,
    dismisses: u8,
}

/// Packages that ask for permissions: since Android 10, Google's, and before.
const PERMISSION_PACKAGES: &[&str] = &[
    "com.android.permissioncontroller",
    "com.google.android.permissioncontroller",
    "com.android.packageinstaller",
    "com.google.android.packageinstaller",
];

/// Names of what holds a dialog's title.
pub const TITLES: &[&str] = &["alertTitle", "permission_message"];
const MESSAGES: &[&str] = &["message", "detail_message"];

fn button(id: &str) -> Option<Button> {
    let (package, name) = id.split_once(":id/")?;
    let of = |kind, accepts, dismisses| Some(Button { kind, accepts, dismisses });
    if package == "android" {
        return match name {
            "button1" => of(Kind::Alert, 1, 3),
            "button2" => of(Kind::Alert, 0, 1),
            "button3" => of(Kind::Alert, 0, 2),
            // "Wait" keeps the app; of a crash "Open again" does.
            "aerr_wait" => of(Kind::Trouble, 1, 0),
            "aerr_restart" => of(Kind::Trouble, 2, 0),
            "aerr_close" => of(Kind::Trouble, 3, 1),
            "aerr_app_info" | "aerr_report" | "aerr_mute" => of(Kind::Trouble, 0, 0),
            _ => None,
        };
    }
    if !PERMISSION_PACKAGES.contains(&package) {
        return None;
    }
    match name {
        "permission_allow_foreground_only_button" => of(Kind::Permission, 1, 0),
        "permission_allow_button" => of(Kind::Permission, 2, 0),
        "permission_allow_always_button" => of(Kind::Permission, 3, 0),
        "permission_allow_all_button" => of(Kind::Permission, 4, 0),
        "permission_allow_selected_button" => of(Kind::Permission, 5, 0),
        "permission_allow_one_time_button" => of(Kind::Permission, 6, 0),
        "permission_deny_button" => of(Kind::Permission, 0, 1),
        "permission_deny_and_dont_ask_again_button" => of(Kind::Permission, 0, 2),
        "permission_no_upgrade_button" => of(Kind::Permission, 0, 3),
        "permission_no_upgrade_and_dont_ask_again_button" => of(Kind::Permission, 0, 4),
        _ => None,
    }
}

/// The node is a button of a native dialog, and can be seen.
pub fn is_answerable(node: &RawNode<'_>) -> bool {
    is_seen(node) && node.resource_id.as_deref().and_then(button).is_some()
}

/// The node is the title or message of a native dialog, and can be seen.
pub fn is_question(node: &RawNode<'_>) -> bool {
    is_seen(node) && node.short_id().is_some_and(|id| TITLES.contains(&id) || MESSAGES.contains(&id))
}

fn is_seen(node: &RawNode<'_>) -> bool {
    node.fact(Facts::VISIBLE_TO_USER) != Some(false)
}

fn text_of<'a>(tree: &'a Tree, root: u32, ids: &[&str]) -> Option<&'a str> {
    tree.descendants(root)
        .filter(|(_, node)| node.is(States::VISIBLE))
        .find(|(_, node)| {
            let name = node.identifier.as_deref().and_then(|id| id.split_once(":id/")).map(|(_, name)| name);
            name.is_some_and(|name| ids.contains(&name))
        })
        .map(|(_, node)| node.name.trim())
        .filter(|text| !text.is_empty())
}

/// The question on top, if the screen asks one.
pub fn alert(tree: &Tree, windows: &[Window]) -> Option<Alert> {
    let mut dialogs: Vec<&Window> = windows.iter().filter(|window| window.kind == WindowKind::Dialog).collect();
    dialogs.sort_by_key(|window| std::cmp::Reverse(window.z));
    dialogs.into_iter().filter_map(|window| window.root).find_map(|root| in_window(tree, root))
}

fn in_window(tree: &Tree, root: u32) -> Option<Alert> {
    let found: Vec<(u32, Button)> = tree
        .descendants(root)
        .filter(|(_, node)| node.is(States::VISIBLE))
        .filter_map(|(place, node)| Some((place, button(node.identifier.as_deref()?)?)))
        .collect();
    let kind = found.iter().map(|(_, button)| button.kind).max()?;
    let of_kind = || found.iter().filter(|(_, button)| button.kind == kind);
    let best = |rank: &dyn Fn(&Button) -> u8| {
        of_kind().filter(|(_, button)| rank(button) > 0).min_by_key(|(_, button)| rank(button)).map(|(place, _)| *place)
    };
    let has = |id: &str| {
        found.iter().any(|(place, _)| tree.get(*place).and_then(|node| node.identifier.as_deref()) == Some(id))
    };
    let buttons: Vec<u32> = of_kind().map(|(place, _)| *place).collect();
    let dismiss = best(&|button| button.dismisses);
    let accept = best(&|button| button.accepts);
    // "OK" cancels only where nothing else does; among several buttons it never does.
    let dismiss = dismiss.filter(|place| Some(*place) != accept || buttons.len() == 1 || kind == Kind::Trouble);
    let said: Vec<&str> = [TITLES, MESSAGES].map(|ids| text_of(tree, root, ids)).into_iter().flatten().collect();
    let text = if said.is_empty() { first_text(tree, root).unwrap_or_default().to_owned() } else { said.join("\n") };
    let kind = match kind {
        Kind::Alert => "alert",
        Kind::Permission => "permission",
        Kind::Trouble if has("android:id/aerr_wait") => "anr",
        Kind::Trouble => "crash",
    };
    let label = |place: &u32| tree.get(*place).map(|node| node.name.trim().to_owned()).unwrap_or_default();
    let dialog = Dialog { kind: kind.to_owned(), text, buttons: buttons.iter().map(label).collect() };
    Some(Alert { dialog, place: root, buttons, accept, dismiss })
}

/// The first thing to read in a window, buttons aside.
fn first_text(tree: &Tree, root: u32) -> Option<&str> {
    tree.descendants(root)
        .map(|(_, node)| node)
        .filter(|node| node.is(States::VISIBLE) && matches!(node.role.as_str(), "text" | "heading"))
        .map(|node| node.name.trim())
        .find(|text| !text.is_empty())
}
