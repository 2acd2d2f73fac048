//! How a word is written, so that it reads back as the same text.

use contract::plain;

/// The word for a text: bare where it can be, else in the quotes that need the fewest escapes. Nothing that it writes
/// acts on a terminal, and nothing in it is taken for a variable.
pub fn quote(text: &str) -> String {
    let shown = text.chars().all(plain::is_shown);
    let plain_word = |letter: char| !letter.is_whitespace() && !matches!(letter, '"' | '\'');
    let variable = text.contains("${");
    if shown && !text.is_empty() && !variable && !text.starts_with('#') && text.chars().all(plain_word) {
        return text.to_owned();
    }
    if shown && !text.contains('\'') && (variable || text.contains(['"', '\\'])) {
        return format!("'{text}'");
    }
    let escaped = text.replace("${", "\\${");
    let json = serde_json::to_string(&escaped).unwrap_or_default();
    plain::json(&json).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Variables, word::words};

    #[test]
    fn a_word_is_written_as_plainly_as_it_can_be() {
        for (text, written) in [
            ("id=save", "id=save"),
            ("C:\\dir", "C:\\dir"),
            ("", "\"\""),
            ("Ada Lovelace", "\"Ada Lovelace\""),
            ("label=\"Save all\"", "'label=\"Save all\"'"),
            ("it's \"it\"", "\"it's \\\"it\\\"\""),
            ("#", "\"#\""),
            ("${X}", "'${X}'"),
            ("don't ${X}", "\"don't \\\\${X}\""),
            ("a\nb\u{202e}", "\"a\\nb\\u202e\""),
        ] {
            assert_eq!(quote(text), written);
            let read = words(written).unwrap();
            assert_eq!(read.len(), 1, "{written}");
            assert_eq!(Variables::new().expand(&read[0]).unwrap(), text);
        }
    }
}
