//! Which Android class, id and words stand for an element of a stage app. The choices are those of common toolkits: what is text on
//! the screen is text, what a person named for assistive technology is a content description.

use screen::{Node, States};

/// How one element is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// Class name.
    pub name: &'static str,
    /// Role description, where Android has no class for the role.
    pub role: Option<&'static str>,
    /// Where the accessible name goes.
    pub name_as: NameAs,
}

/// Where an accessible name goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameAs {
    /// It is drawn: the text.
    Text,
    /// The content description.
    Description,
}

/// The class of an element.
pub fn of(node: &Node) -> Class {
    let text = |name, role| Class { name, role, name_as: NameAs::Text };
    let described = |name, role| Class { name, role, name_as: NameAs::Description };
    match node.role.as_str() {
        "button" => text("android.widget.Button", None),
        "link" => text("android.widget.TextView", Some("Link")),
        "tab" => text("android.widget.TextView", Some("Tab")),
        "menuitem" => text("android.widget.TextView", Some("Menu item")),
        "text" | "heading" | "status" | "alert" => text("android.widget.TextView", None),
        "checkbox" => text("android.widget.CheckBox", None),
        "switch" => text("android.widget.Switch", None),
        "radio" => text("android.widget.RadioButton", None),
        "image" => described("android.widget.ImageView", None),
        "text-field" | "text-view" | "search-field" => described("android.widget.EditText", None),
        "progressbar" => described("android.widget.ProgressBar", None),
        "list" => described("androidx.recyclerview.widget.RecyclerView", None),
        "tablist" => described("android.widget.HorizontalScrollView", None),
        "group" if node.native_type.as_deref() == Some("scroll") => described("android.widget.ScrollView", None),
        "main" if node.is(States::SCROLLABLE) => described("android.widget.ScrollView", None),
        "separator" => described("android.view.View", None),
        "application" => described("android.widget.FrameLayout", None),
        _ => described("android.view.ViewGroup", None),
    }
}

/// The resource id of an element; the parts of the stage's own dialog have the platform's.
pub fn resource_id(package: &str, node: &Node) -> Option<String> {
    let own = node.identifier.as_deref()?;
    Some(match own {
        "stage:ok" => "android:id/button1".to_owned(),
        "stage:cancel" => "android:id/button2".to_owned(),
        "stage:text" => "android:id/message".to_owned(),
        "stage:field" => "android:id/edit".to_owned(),
        "stage:dialog" => "android:id/parentPanel".to_owned(),
        other => format!("{package}:id/{}", other.trim_start_matches("stage:")),
    })
}

/// The words of a scene that say what is true of it, and those that say what is not.
pub fn flags(node: &Node) -> (Vec<&'static str>, Vec<&'static str>) {
    let has = |states: States| node.states.intersects(states);
    let editable = has(States::EDITABLE);
    let field = matches!(node.role.as_str(), "text-field" | "text-view" | "search-field");
    // An overlay takes every touch on it; an Android view that is not clickable would let them through.
    let overlay = node.native_type.as_deref() == Some("overlay");
    let reacts = has(States::INTERACTIVE | States::CLICKABLE) || field || overlay;
    let empty = node.value.as_deref().unwrap_or_default().is_empty();
    let hint = node.extra().placeholder.is_some();
    let is = [
        ("clickable", reacts),
        ("focusable", reacts),
        ("long-clickable", field),
        ("focused", has(States::FOCUSED)),
        ("editable", editable),
        ("scrollable", has(States::SCROLLABLE)),
        ("password", has(States::PASSWORD)),
        ("selected", has(States::SELECTED)),
        ("checkable", has(States::CHECKABLE)),
        ("checked", has(States::CHECKED)),
        ("heading", node.role.as_str() == "heading"),
        ("showing-hint", field && empty && hint),
        ("multi-line", has(States::MULTILINE)),
        ("content-invalid", has(States::INVALID)),
        ("important", true),
    ];
    let not = [("enabled", has(States::DISABLED)), ("visible", !has(States::VISIBLE))];
    let words = |list: &[(&'static str, bool)]| list.iter().filter(|(_, on)| *on).map(|(word, _)| *word).collect();
    (words(&is), words(&not))
}

/// What can be asked of it.
pub fn actions(node: &Node, reacts: bool) -> Vec<&'static str> {
    let mut actions = Vec::new();
    if reacts {
        actions.extend(["click", "focus"]);
    }
    if node.is(States::EDITABLE) {
        actions.extend(["set_text", "set_selection"]);
    }
    if let Some([above, below, left, right]) = node.extra().hidden {
        if below > 0.5 || right > 0.5 {
            actions.push("scroll_forward");
        }
        if above > 0.5 || left > 0.5 {
            actions.push("scroll_backward");
        }
    }
    actions
}

/// What a screen reader would say of its state beyond the class's own.
pub fn state(node: &Node) -> Option<String> {
    if node.is(States::MIXED) {
        return Some("Partially checked".to_owned());
    }
    if node.is(States::EXPANDABLE) {
        return Some(if node.is(States::EXPANDED) { "Expanded" } else { "Collapsed" }.to_owned());
    }
    (node.role.as_str() == "progressbar").then(|| node.value.as_deref().unwrap_or_default().to_owned())
}
