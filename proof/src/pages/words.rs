//! The browser's roles and names in our words.

/// Names are cut at this many UTF-16 units by the page agent.
const CUT: usize = 400;

/// What Chromium's `computedrole` calls roles that ARIA has no word for; see the table of roles in
/// `backends/webdriver/page/README.md`.
const ROLES: &[(&str, &str)] = &[
    ("", "generic"),
    ("Abbr", "generic"),
    ("Audio", "audio"),
    ("Canvas", "canvas"),
    ("ColorWell", "color"),
    ("Date", "date"),
    ("DateTime", "datetime"),
    ("DescriptionList", "generic"),
    ("DisclosureTriangle", "button"),
    ("DisclosureTriangleGrouped", "button"),
    ("Figcaption", "caption"),
    ("GenericContainer", "generic"),
    ("Iframe", "iframe"),
    ("InputTime", "time"),
    ("LabelText", "generic"),
    ("LayoutTable", "generic"),
    ("LayoutTableCell", "generic"),
    ("LayoutTableRow", "generic"),
    ("Legend", "generic"),
    ("MathMLMath", "math"),
    ("PluginObject", "embed"),
    ("Ruby", "generic"),
    ("Section", "generic"),
    ("Video", "video"),
    ("none", "generic"),
];

/// A role of the browser's in ARIA's words and those of the page agent.
pub fn role(browser: &str) -> &str {
    ROLES.iter().find(|(theirs, _)| *theirs == browser).map_or(browser, |(_, ours)| ours)
}

/// A name as the page agent gives it: without characters of icon fonts, whitespace and invisible break opportunities
/// as one space, cut.
pub fn name(theirs: &str) -> String {
    let mut clean = String::with_capacity(theirs.len());
    for part in theirs.split(|character: char| is_space(character)) {
        let part: String = part.chars().filter(|character| !is_private(*character)).collect();
        if !part.is_empty() {
            if !clean.is_empty() {
                clean.push(' ');
            }
            clean.push_str(&part);
        }
    }
    let mut units = 0;
    let end = clean.char_indices().find(|(_, character)| {
        units += character.len_utf16();
        units > CUT
    });
    if let Some((end, _)) = end {
        clean.truncate(end);
    }
    clean
}

/// What scripts in a page take for whitespace, zero width space, soft hyphen.
const fn is_space(character: char) -> bool {
    (character.is_whitespace() && character != '\u{85}') || matches!(character, '\u{feff}' | '\u{200b}' | '\u{ad}')
}

/// Of Unicode's private use areas.
const fn is_private(character: char) -> bool {
    matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_known_by_our_name_and_others_kept() {
        assert_eq!(["DateTime", "none", "link"].map(role), ["datetime", "generic", "link"]);
    }

    #[test]
    fn names_are_compared_without_icons_and_extra_space() {
        assert_eq!(name(" \u{f101}  Sign\u{a0}\u{200b} up \n"), "Sign up");
        assert_eq!(name("a\u{e000}b"), "ab");
        assert_eq!(name("\u{e000}"), "");
    }

    #[test]
    fn long_names_are_cut_and_no_character_is_halved() {
        assert_eq!(name(&"x".repeat(500)).len(), 400);
        assert_eq!(name(&format!("{}\u{1f600}x", "x".repeat(399))), "x".repeat(399));
    }
}
