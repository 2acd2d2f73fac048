//! Values in a selector's text: how whoever writes one quotes what stands behind `=` and `~=`.
//!
//! ```
//! use contract::quote;
//!
//! let button = format!("role=button label={}", quote::value("Save \"all\""));
//! assert_eq!(button, r#"role=button label="Save \"all\"""#);
//! let row = format!("anytext~={} below=({button})", quote::pattern(r#"Row \d+ "new""#));
//! assert_eq!(row, r#"anytext~="Row \d+ \"new\"" below=(role=button label="Save \"all\"")"#);
//! ```

use crate::plain::{is_shown, spell};

/// The value of a `key=`: in double quotes, read back as the same text whatever it is.
pub fn value(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    value_into(&mut out, text);
    out
}

/// Appends [`value`]. Nothing that it writes acts on a terminal.
pub fn value_into(out: &mut String, text: &str) {
    out.push('"');
    let plain = |letter: char| is_shown(letter) && !matches!(letter, '"' | '\\');
    // The cheap question first: plain ASCII is the usual case.
    let ascii = text.bytes().all(|byte| (b' '..0x7f).contains(&byte) && !matches!(byte, b'"' | b'\\'));
    if ascii || text.chars().all(plain) {
        out.push_str(text);
        out.push('"');
        return;
    }
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            letter if is_shown(letter) => out.push(letter),
            letter => spell(out, letter),
        }
    }
    out.push('"');
}

/// The value of a `key~=`: a regular expression in double quotes. Its backslashes stay as they are, since the
/// expression reads them itself; only quotes get one.
pub fn pattern(expression: &str) -> String {
    let mut out = String::with_capacity(expression.len() + 2);
    out.push('"');
    for letter in canonical_pattern(expression).chars() {
        if letter == '"' {
            out.push('\\');
        }
        out.push(letter);
    }
    out.push('"');
    out
}

/// The same expression in its one spelling: quotes without a backslash before them (to an expression `\"` is `"`), and
/// what a terminal does not show spelt as the expression reads it back (`\n`, `\u{1b}`).
pub fn canonical_pattern(expression: &str) -> String {
    let mut out = String::with_capacity(expression.len());
    let mut letters = expression.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some(quote @ ('"' | '\'')) => out.push(quote),
                Some(next) if is_shown(next) => {
                    out.push('\\');
                    out.push(next);
                }
                Some(hidden) => spell_in_pattern(&mut out, hidden),
                None => out.push('\\'),
            },
            letter if is_shown(letter) => out.push(letter),
            hidden => spell_in_pattern(&mut out, hidden),
        }
    }
    out
}

fn spell_in_pattern(out: &mut String, letter: char) {
    match letter {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        letter => spell(out, letter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_value_or_acts_on_a_terminal_is_spelt() {
        assert_eq!(value("a \"b\" \\ \n\u{1b}"), r#""a \"b\" \\ \n\u{1b}""#);
        assert_eq!(value("Größe (cm)"), "\"Größe (cm)\"");
        assert_eq!(value(""), "\"\"");
    }

    #[test]
    fn an_expression_keeps_its_backslashes() {
        assert_eq!(pattern(r"\d+ items?"), r#""\d+ items?""#);
        assert_eq!(pattern(r"C:\\dir"), r#""C:\\dir""#);
        assert_eq!(pattern("say \"x\" or \\\"y\\\""), r#""say \"x\" or \"y\"""#);
        assert_eq!(pattern("a\nb\u{1b}"), r#""a\nb\u{1b}""#);
    }

    #[test]
    fn the_one_spelling_of_an_expression_is_its_own_spelling() {
        for text in [r#"\"a\'"#, "\n\\\n", "\\", "\\\\\"", "[\"\\]]", "\u{202e}"] {
            let once = canonical_pattern(text);
            assert_eq!(canonical_pattern(&once), once, "{text:?}");
        }
    }
}
