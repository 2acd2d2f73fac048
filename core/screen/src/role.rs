//! Roles: one vocabulary for every platform.

use std::borrow::Cow;

/// A normalised role: what stands in brackets in a snapshot and what `role=` in a selector matches.
///
/// ARIA's own names are kept except where the field has a word of its own ([`Role::from_aria`]).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Role(Cow<'static, str>);

/// ARIA's name and ours, where they differ.
const RENAMED: &[(&str, &str)] = &[
    ("textbox", "text-field"),
    ("searchbox", "search-field"),
    ("spinbutton", "number-field"),
    ("img", "image"),
    ("gridcell", "cell"),
    ("statictext", "text"),
    ("rootwebarea", "webview"),
];

/// The longest name, characters: the longest of ARIA's has 26.
const LONGEST: usize = 40;

/// Roles spelt without an allocation, in alphabetical order.
const KNOWN: &[&str] = &[
    "alert",
    "alertdialog",
    "application",
    "article",
    "banner",
    "button",
    "cell",
    "checkbox",
    "columnheader",
    "combobox",
    "complementary",
    "contentinfo",
    "dialog",
    "document",
    "figure",
    "form",
    "generic",
    "grid",
    "group",
    "heading",
    "iframe",
    "image",
    "link",
    "list",
    "listbox",
    "listitem",
    "main",
    "menu",
    "menubar",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "navigation",
    "number-field",
    "option",
    "paragraph",
    "progressbar",
    "radio",
    "radiogroup",
    "region",
    "row",
    "rowgroup",
    "rowheader",
    "scrollbar",
    "search",
    "search-field",
    "separator",
    "slider",
    "status",
    "switch",
    "tab",
    "table",
    "tablist",
    "tabpanel",
    "text",
    "text-field",
    "text-view",
    "toolbar",
    "tooltip",
    "tree",
    "treegrid",
    "treeitem",
    "webview",
    "window",
];

impl Role {
    /// A role under its normalised name.
    pub fn new(name: &str) -> Self {
        match KNOWN.binary_search(&name).ok().and_then(|place| KNOWN.get(place)) {
            Some(known) => Role(Cow::Borrowed(known)),
            None => Role(Cow::Owned(spelt(name))),
        }
    }

    /// A role of our vocabulary, known when compiling.
    pub const fn of(name: &'static str) -> Self {
        Role(Cow::Borrowed(name))
    }

    /// The normalised role for one of ARIA's (any letter case). A multi-line text box is a `text-view`.
    pub fn from_aria(aria: &str, multiline: bool) -> Self {
        if multiline && aria.eq_ignore_ascii_case("textbox") {
            return Role::of("text-view");
        }
        match RENAMED.iter().find(|(from, _)| aria.eq_ignore_ascii_case(from)) {
            Some((_, to)) => Role::of(to),
            None if aria.bytes().any(|byte| byte.is_ascii_uppercase()) => Role::new(&aria.to_ascii_lowercase()),
            None => Role::new(aria),
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A name as it may stand in brackets: a page that wrote `button] @e9 [link` must not write lines of a snapshot.
fn spelt(name: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || "-_ ".contains(letter) { letter } else { '-' };
    let name: String = name.trim().chars().take(LONGEST).map(plain).collect();
    if name.is_empty() { "generic".to_owned() } else { name }
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_roles_are_in_order_and_found() {
        assert!(KNOWN.is_sorted());
        assert!(KNOWN.iter().all(|known| matches!(Role::new(known).0, Cow::Borrowed(_))));
        assert!(RENAMED.iter().all(|(_, ours)| KNOWN.contains(ours)));
    }

    #[test]
    fn arias_names_become_ours_whatever_their_case() {
        for (aria, multiline, ours) in [
            ("textbox", false, "text-field"),
            ("textbox", true, "text-view"),
            ("StaticText", false, "text"),
            ("BUTTON", false, "button"),
            ("img", true, "image"),
            ("made-up", false, "made-up"),
            ("button]\n@e9 [link", false, "button---e9 -link"),
            ("", false, "generic"),
        ] {
            assert_eq!(Role::from_aria(aria, multiline).as_str(), ours);
        }
    }
}
