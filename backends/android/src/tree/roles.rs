//! From Android's classes to roles: one table, and the few facts that overrule it.
//!
//! A view reports the framework class that it stands for (`android.widget.Button` for a material button, a React Native
//! or a Compose one), so the table is mostly of those; a class of an app's own is known by how its name ends. What is
//! neither a control nor a text nor an image is a wrapper, `generic`, whatever its layout.

use super::facts::{Facts, RawNode};

/// Class names without their package, in alphabetical order, and their roles.
const CLASSES: &[(&str, &str)] = &[
    ("AbsListView", "list"),
    ("ActionMenuItemView", "button"),
    ("AlertDialog", "dialog"),
    ("AppCompatAutoCompleteTextView", "text-field"),
    ("AppCompatMultiAutoCompleteTextView", "text-field"),
    ("AutoCompleteTextView", "text-field"),
    ("BottomNavigationItemView", "tab"),
    ("BottomNavigationView", "tablist"),
    ("BottomSheetDialog", "dialog"),
    ("Button", "button"),
    ("CheckBox", "checkbox"),
    ("CheckedTextView", "option"),
    ("Chip", "button"),
    ("Chronometer", "text"),
    ("CompoundButton", "checkbox"),
    ("Dialog", "dialog"),
    ("EditText", "text-field"),
    ("ExpandableListView", "list"),
    ("GridView", "grid"),
    ("ImageButton", "button"),
    ("ImageView", "image"),
    ("KeyboardKey", "button"),
    ("ListMenuItemView", "menuitem"),
    ("ListView", "list"),
    ("MenuItem", "menuitem"),
    ("MultiAutoCompleteTextView", "text-field"),
    ("NavigationBarItemView", "tab"),
    ("NavigationBarView", "tablist"),
    ("NavigationMenuItemView", "menuitem"),
    ("NavigationRailView", "tablist"),
    ("NavigationView", "navigation"),
    ("ProgressBar", "progressbar"),
    ("QuickContactBadge", "button"),
    ("RadioButton", "radio"),
    ("RadioGroup", "radiogroup"),
    ("RangeSlider", "slider"),
    ("RatingBar", "slider"),
    ("RecyclerView", "list"),
    ("ScrollBar", "scrollbar"),
    ("SearchAutoComplete", "search-field"),
    ("SearchView", "search"),
    ("SeekBar", "slider"),
    ("Slider", "slider"),
    ("SnackbarLayout", "status"),
    ("Spinner", "combobox"),
    ("Switch", "switch"),
    ("SwitchCompat", "switch"),
    ("SwitchMaterial", "switch"),
    ("Tab", "tab"),
    ("TabLayout", "tablist"),
    ("TabView", "tab"),
    ("TabWidget", "tablist"),
    ("TextClock", "text"),
    ("TextInputEditText", "text-field"),
    ("TextSwitcher", "text"),
    ("TextView", "text"),
    ("Toast", "status"),
    ("ToggleButton", "switch"),
    ("Toolbar", "toolbar"),
    ("WebView", "webview"),
];

/// How the names of an app's own classes end, longer ends before those that they end with.
const ENDINGS: &[(&str, &str)] = &[
    ("AutoCompleteTextView", "text-field"),
    ("CheckedTextView", "option"),
    ("EditText", "text-field"),
    ("TextView", "text"),
    ("ImageButton", "button"),
    ("RadioButton", "radio"),
    ("ToggleButton", "switch"),
    ("Button", "button"),
    ("CheckBox", "checkbox"),
    ("Checkbox", "checkbox"),
    ("SwitchCompat", "switch"),
    ("Switch", "switch"),
    ("ImageView", "image"),
    ("ProgressBar", "progressbar"),
    ("ProgressIndicator", "progressbar"),
    ("RatingBar", "slider"),
    ("SeekBar", "slider"),
    ("Spinner", "combobox"),
    ("RecyclerView", "list"),
    ("ListView", "list"),
    ("GridView", "grid"),
    ("TabLayout", "tablist"),
    ("TabView", "tab"),
    ("Toolbar", "toolbar"),
    ("WebView", "webview"),
    ("SearchView", "search"),
];

/// What apps call roles (React Native, Compose and Chromium set these), in English and lower case. Other languages leave
/// the class to decide.
const SAID: &[(&str, &str)] = &[
    ("alert", "alert"),
    ("article", "article"),
    ("banner", "banner"),
    ("button", "button"),
    ("button, image", "button"),
    ("check box", "checkbox"),
    ("checkbox", "checkbox"),
    ("combo box", "combobox"),
    ("combobox", "combobox"),
    ("dialog", "dialog"),
    ("drop down list", "combobox"),
    ("dropdown list", "combobox"),
    ("figure", "figure"),
    ("form", "form"),
    ("grid", "grid"),
    ("header", "heading"),
    ("heading", "heading"),
    ("icon", "image"),
    ("image", "image"),
    ("link", "link"),
    ("list", "list"),
    ("list box", "listbox"),
    ("list item", "listitem"),
    ("main", "main"),
    ("menu", "menu"),
    ("menu bar", "menubar"),
    ("menu item", "menuitem"),
    ("navigation", "navigation"),
    ("option", "option"),
    ("progress bar", "progressbar"),
    ("radio button", "radio"),
    ("radio group", "radiogroup"),
    ("region", "region"),
    ("row", "row"),
    ("search", "search"),
    ("search text field", "search-field"),
    ("separator", "separator"),
    ("slider", "slider"),
    ("spin button", "number-field"),
    ("status", "status"),
    ("switch", "switch"),
    ("tab", "tab"),
    ("tab bar", "tablist"),
    ("tab list", "tablist"),
    ("tab panel", "tabpanel"),
    ("table", "table"),
    ("text field", "text-field"),
    ("toggle button", "switch"),
    ("tool bar", "toolbar"),
    ("toolbar", "toolbar"),
    ("tooltip", "tooltip"),
    ("tree", "tree"),
    ("tree item", "treeitem"),
];

/// Classes of which the content moves, whether there is enough of it or not: they cut it off at their box.
const SCROLL_CONTAINERS: &[&str] =
    &["RecyclerView", "ListView", "GridView", "ScrollView", "ViewPager", "ViewPager2", "WebView", "Gallery"];

/// The role of one node, its place among others left aside.
pub fn role_of(node: &RawNode<'_>) -> (&'static str, Option<u8>) {
    let class = of_class(node.simple_class());
    let (said, level) = node.role_description.as_deref().map_or((None, None), said);
    // Whatever it is called: what takes text is a field.
    if node.is(Facts::EDITABLE) {
        let searches = |role: &str| matches!(role, "search" | "search-field");
        let is_search = class.is_some_and(searches) || said.is_some_and(searches);
        let number = said == Some("number-field");
        return (
            if is_search {
                "search-field"
            } else if number {
                "number-field"
            } else {
                "text-field"
            },
            None,
        );
    }
    if let Some(said) = said {
        return (said, level);
    }
    let touched = node.any(Facts::CLICKABLE.union(Facts::LONG_CLICKABLE));
    let checkable = node.fact(Facts::CHECKED).is_some();
    let role = match class {
        Some("image") if node.is(Facts::CLICKABLE) => "button",
        Some("option") if !touched && !checkable => "text",
        Some(role) => role,
        None if checkable => "checkbox",
        None if node.pane_title.as_deref().is_some_and(is_said) => "region",
        None => "generic",
    };
    if node.is(Facts::HEADING) && matches!(role, "text" | "generic" | "region") {
        ("heading", None)
    } else {
        (role, None)
    }
}

/// The class is that of a field: what helpers that do not send `editable` are judged by.
pub fn is_field(node: &RawNode<'_>) -> bool {
    matches!(of_class(node.simple_class()), Some("text-field" | "search-field"))
}

/// It is something that is pressed, filled or chosen, by its role.
pub fn is_control(role: &str) -> bool {
    matches!(
        role,
        "button"
            | "checkbox"
            | "combobox"
            | "link"
            | "menuitem"
            | "number-field"
            | "option"
            | "radio"
            | "search-field"
            | "slider"
            | "switch"
            | "tab"
            | "text-field"
            | "treeitem"
    )
}

/// It holds rows or the like: never named by what is in it.
pub fn is_collection(role: &str) -> bool {
    matches!(
        role,
        "list"
            | "grid"
            | "listbox"
            | "menu"
            | "menubar"
            | "radiogroup"
            | "table"
            | "tablist"
            | "toolbar"
            | "tree"
            | "webview"
            | "navigation"
    )
}

/// Its content moves, by its class.
pub fn is_scroll_container(node: &RawNode<'_>) -> bool {
    SCROLL_CONTAINERS.iter().any(|name| node.simple_class().ends_with(name))
}

/// Its content moves sideways, by its class.
pub fn is_horizontal(node: &RawNode<'_>) -> bool {
    let class = node.simple_class();
    ["HorizontalScrollView", "ViewPager", "ViewPager2", "Gallery", "TabLayout"].iter().any(|name| class.ends_with(name))
}

/// A view that lists its content in the order in which it is read, not drawn, and without a drawing order: web pages and
/// Flutter's screens. What lies over what in it cannot be told.
pub fn is_in_reading_order(node: &RawNode<'_>) -> bool {
    matches!(node.simple_class(), "WebView" | "FlutterView")
}

fn of_class(simple: &str) -> Option<&'static str> {
    match CLASSES.binary_search_by_key(&simple, |(name, _)| *name) {
        Ok(at) => CLASSES.get(at).map(|(_, role)| *role),
        Err(_) => ENDINGS.iter().find(|(ending, _)| simple.ends_with(ending)).map(|(_, role)| *role),
    }
}

fn said(description: &str) -> (Option<&'static str>, Option<u8>) {
    let lower = description.trim().to_lowercase();
    if let Some(level) = lower.strip_prefix("heading ").and_then(|level| level.parse().ok()) {
        return (Some("heading"), Some(level));
    }
    let found = SAID.binary_search_by_key(&lower.as_str(), |(name, _)| *name).ok();
    (found.and_then(|at| SAID.get(at)).map(|(_, role)| *role), None)
}

/// There is something to read in a text.
pub fn is_said(text: &str) -> bool {
    !text.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::facts::parse;

    fn role(attributes: &str) -> &'static str {
        role_of(&parse(&format!("<hierarchy><node {attributes}/></hierarchy>")).unwrap().nodes[0]).0
    }

    #[test]
    fn the_tables_are_in_order_and_every_ending_can_be_reached() {
        assert!(CLASSES.is_sorted() && SAID.is_sorted());
        for (at, (ending, _)) in ENDINGS.iter().enumerate() {
            assert!(!ENDINGS[..at].iter().any(|(before, _)| ending.ends_with(before)), "{ending} is never reached");
        }
    }

    #[test]
    fn classes_of_the_framework_of_libraries_and_of_apps() {
        for (class, expected) in [
            ("android.widget.Button", "button"),
            ("com.google.android.material.button.MaterialButton", "button"),
            ("android.widget.ImageButton", "button"),
            ("android.widget.EditText", "text-field"),
            ("android.widget.MultiAutoCompleteTextView", "text-field"),
            ("androidx.appcompat.widget.SwitchCompat", "switch"),
            ("com.example.FancySwitch", "switch"),
            ("android.widget.ToggleButton", "switch"),
            ("com.google.android.material.tabs.TabLayout$TabView", "tab"),
            ("androidx.appcompat.app.ActionBar.Tab", "tab"),
            ("androidx.recyclerview.widget.RecyclerView", "list"),
            ("com.example.PhotoGridView", "grid"),
            ("android.webkit.WebView", "webview"),
            ("android.widget.Spinner", "combobox"),
            ("android.widget.SeekBar", "slider"),
            ("android.widget.TextView", "text"),
            ("android.widget.CheckedTextView", "text"),
            ("android.widget.ScrollView", "generic"),
            ("androidx.constraintlayout.widget.ConstraintLayout", "generic"),
            ("android.view.View", "generic"),
            ("", "generic"),
        ] {
            assert_eq!(role(&format!("class='{class}'")), expected, "{class}");
        }
    }

    #[test]
    fn facts_overrule_the_class() {
        assert_eq!(role("class='android.view.View' editable='true'"), "text-field");
        assert_eq!(role("class='a.SearchView$SearchAutoComplete' editable='true'"), "search-field");
        assert_eq!(role("class='android.widget.ImageView' clickable='true'"), "button");
        assert_eq!(role("class='android.widget.CheckedTextView' checked='false'"), "option");
        assert_eq!(role("class='android.view.View' checked='true'"), "checkbox");
        assert_eq!(role("class='android.view.View' heading='true'"), "heading");
        assert_eq!(role("class='android.widget.Button' heading='true'"), "button");
        assert_eq!(role("class='android.view.View' roleDescription='Tab'"), "tab");
        assert_eq!(role("class='android.view.View' roleDescription='Reiter'"), "generic");
        assert_eq!(said("Heading 2"), (Some("heading"), Some(2)));
    }
}
