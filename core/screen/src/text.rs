//! Texts: when two count as equal, and how they are quoted.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The letters of a text after normalisation: trimmed, white space collapsed to one space, lower case.
fn letters(text: &str) -> impl Iterator<Item = char> {
    text.split_whitespace().enumerate().flat_map(|(place, word)| {
        (place > 0).then_some(' ').into_iter().chain(word.chars().flat_map(char::to_lowercase))
    })
}

/// Equal after normalisation: trimmed, white space collapsed, letter case ignored.
pub fn same(one: &str, other: &str) -> bool {
    one == other || letters(one).eq(letters(other))
}

/// The normalised form behind [`same`].
pub fn fold(text: &str) -> String {
    letters(text).collect()
}

/// `text` equals what [`fold`] made of another text.
pub fn folds_to(text: &str, folded: &str) -> bool {
    // Most texts differ in their first letter: no need to walk them then.
    if let (Some(first), Some(wanted)) = (text.bytes().next(), folded.bytes().next())
        && first.is_ascii_graphic()
        && !first.eq_ignore_ascii_case(&wanted)
    {
        return false;
    }
    text == folded || letters(text).eq(folded.chars())
}

/// What [`fold`] makes of `text` contains what it made of another text.
pub fn fold_contains(text: &str, folded: &str) -> bool {
    if !is_plain(text) {
        return fold(text).contains(folded);
    }
    let (text, folded) = (text.as_bytes(), folded.as_bytes());
    folded.is_empty() || text.windows(folded.len()).any(|part| part.eq_ignore_ascii_case(folded))
}

/// ASCII without white space to trim or collapse, and so equal to its folded form but for letter case.
fn is_plain(text: &str) -> bool {
    let mut after_space = true;
    for byte in text.bytes() {
        let space = byte == b' ';
        if !(byte.is_ascii_graphic() || space) || (space && after_space) {
            return false;
        }
        after_space = space;
    }
    !after_space || text.is_empty()
}

/// White space trimmed and collapsed, letter case kept.
pub fn squeeze(text: &str) -> Cow<'_, str> {
    let clean = is_plain(text)
        || (!text.starts_with(char::is_whitespace)
            && !text.ends_with(char::is_whitespace)
            && !text.chars().any(|letter| letter.is_whitespace() && letter != ' ')
            && !text.contains("  "));
    if clean { Cow::Borrowed(text) } else { Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" ")) }
}

/// Appends `text` in double quotes, spelt so that the selector grammar reads the same text back and a
/// terminal shows it, whatever it is.
pub fn quote_into(out: &mut String, text: &str) {
    contract::quote::value_into(out, text);
}

/// [`quote_into`] a text of its own.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote_into(&mut out, text);
    out
}

/// At most `limit` characters of `text`, and whether some were left out.
pub fn cut(text: &str, limit: usize) -> (&str, bool) {
    if text.len() <= limit {
        return (text, false);
    }
    match text.char_indices().nth(limit) {
        Some((end, _)) => (text.get(..end).unwrap_or(text), true),
        None => (text, false),
    }
}

/// Appends `text` in quotes, at most `limit` characters, with an ellipsis where some were left out.
pub fn quote_cut(out: &mut String, text: &str, limit: usize) {
    let (shown, shortened) = cut(text, limit);
    if shortened {
        let mut longer = String::with_capacity(shown.len() + 3);
        let _ = write!(longer, "{shown}…");
        quote_into(out, &longer);
    } else {
        quote_into(out, shown);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn letter_case_and_white_space_do_not_tell_texts_apart() {
        assert!(same("  Save\n all ", "save ALL"));
        assert!(same("", "  "));
        assert!(!same("Save", "Saved"));
        assert!(!same("sa ve", "save"));
    }

    #[test]
    fn a_cut_never_splits_a_character() {
        assert_eq!(cut("äöü", 2), ("äö", true));
        assert_eq!(cut("äöü", 3), ("äöü", false));
    }

    proptest! {
        #[test]
        fn folding_agrees_with_comparing(one in "\\PC{0,12}", other in "\\PC{0,12}") {
            prop_assert_eq!(same(&one, &other), fold(&one) == fold(&other));
            prop_assert!(same(&one, &squeeze(&one)));
            prop_assert_eq!(folds_to(&one, &fold(&other)), fold(&one) == fold(&other));
        }

        #[test]
        fn containing_agrees_with_folding(text in "[aAbÄ \\t]{0,8}", part in "[aAbä ]{0,3}") {
            prop_assert_eq!(fold_contains(&text, &fold(&part)), fold(&text).contains(&fold(&part)));
            prop_assert_eq!(squeeze(&text).to_lowercase(), fold(&text));
        }
    }
}
