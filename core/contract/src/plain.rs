//! Text of others in front of a person: what a page, an app, a device or a driver wrote must not act on the terminal
//! that shows it, hide, or turn the line around.
//!
//! Such letters are spelt `\u{1b}`, which the selector grammar reads back. In JSON they are spelt as JSON does: equal
//! to any parser, harmless to a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a terminal shows this letter, and nothing else happens.
///
/// Not so: the controls of ASCII and of Latin-1 (a terminal takes U+009B for `ESC [`), what has no width (U+00AD,
/// U+200B, U+2060 to U+2064, U+FEFF, tags), and what changes the order of a line (Unicode's `Bidi_Control`), or ends it
/// (U+2028, U+2029). The joiners U+200C and U+200D stay: Persian and emoji are written with them.
pub const fn is_shown(letter: char) -> bool {
    !matches!(
        letter,
        '\0'..='\x1f'
            | '\x7f'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// Appends a letter as `\u{1b}`.
pub fn spell(out: &mut String, letter: char) {
    let _ = write!(out, "\\u{{{:x}}}", u32::from(letter));
}

/// A text of several lines, tabs left in.
pub fn text(text: &str) -> Cow<'_, str> {
    spelt(
        text,
        |letter| is_shown(letter) || matches!(letter, '\n' | '\t'),
        |out, letter| match letter {
            '\r' => out.push_str("\\r"),
            _ => spell(out, letter),
        },
    )
}

/// A text that has to stay on its line.
pub fn line(text: &str) -> Cow<'_, str> {
    spelt(text, is_shown, |out, letter| match letter {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push(' '),
        _ => spell(out, letter),
    })
}

/// A JSON document that a serializer wrote: equal to the one given, without a letter that acts on a terminal.
pub fn json(document: &str) -> Cow<'_, str> {
    spelt(
        document,
        |letter| is_shown(letter) || matches!(letter, '\n' | '\t' | '\r'),
        |out, letter| {
            // All of them stand inside strings, where JSON takes any letter in UTF-16.
            for unit in letter.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        },
    )
}

fn spelt(text: &str, stays: impl Fn(char) -> bool, mut spell: impl FnMut(&mut String, char)) -> Cow<'_, str> {
    // Almost every text is as it should be: looked through byte by byte.
    let suspect = |byte: u8| !(b' '..0x7f).contains(&byte);
    if !text.bytes().any(suspect) || text.chars().all(&stays) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if stays(letter) { out.push(letter) } else { spell(&mut out, letter) }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_is_spelt_out() {
        assert_eq!(text("a\u{1b}]52;c;eA==\x07b\u{9b}2Jc\rd\ne\tf"), "a\\u{1b}]52;c;eA==\\u{7}b\\u{9b}2Jc\\rd\ne\tf");
        assert_eq!(line("a\nb\r\nc\td"), "a\\nb\\r\\nc d");
        assert_eq!(line("\u{202e}cba\u{2066}\u{200b}\u{feff}\u{7f}"), "\\u{202e}cba\\u{2066}\\u{200b}\\u{feff}\\u{7f}");
    }

    #[test]
    fn what_people_write_stays() {
        for word in ["Größe", "日本語", "👨\u{200d}👩\u{200d}👧", "می\u{200c}خواهم", "e\u{301}", "¡Hola!", "→ ✓"]
        {
            assert!(matches!(text(word), Cow::Borrowed(_)), "{word}");
            assert_eq!(line(word), word);
        }
    }

    #[test]
    fn a_json_document_stays_the_same_document() {
        let value = serde_json::json!({"a\u{9b}": "\u{1b}[2J\u{7f}\u{202e}\u{e0041}\n", "b": ["plain", 1, null]});
        let written = value.to_string();
        let shown = json(&written);
        assert!(shown.chars().all(is_shown), "{shown}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        assert!(matches!(json(r#"{"a":"ä"}"#), Cow::Borrowed(_)));
    }
}
