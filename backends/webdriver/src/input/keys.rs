//! Text as keys: what can be sent as such, and in what parts.

use contract::{Failure, command::Browser};
use serde_json::{Value, json};
use wire::Context;

use crate::{page::Page, routes::Route};

/// W3C key code.
const ENTER: &str = "\u{e006}";
/// Keys that one request carries. What they cost a driver grows faster than their number, and a request that is under
/// way cannot be ended: a longer text goes in several.
pub const KEYS_AT_ONCE: usize = 500;

/// A text in parts of so many characters.
pub fn parts(text: &str, characters: usize) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(characters).map(|part| part.iter().collect()).collect()
}

/// Characters that a driver takes for keys: Tab would leave the field, Escape close what it is in.
pub fn is_key(letter: char) -> bool {
    letter.is_ascii_control() && !matches!(letter, '\n' | '\r')
}

/// The codes that WebDriver spells keys with; private characters to everybody else.
pub fn is_key_code(letter: char) -> bool {
    ('\u{e000}'..='\u{e05d}').contains(&letter)
}

/// Sends keys to an element, which gets the focus where it has it not.
///
/// # Errors
/// What the driver says.
pub async fn keys(page: &mut Page, context: &Context, element: &str, text: &str) -> Result<(), Failure> {
    page.line.act::<Value>(context, Route::Keys, element, Some(json!({"text": text}))).await.map(|_null| ())
}

/// Line ends as the key that makes one.
pub fn as_keys(browser: Browser, text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    // WebKitGTK's driver drops the character, Firefox's submits no form by it: both take the key.
    if browser == Browser::Chrome { text } else { text.replace('\n', ENTER) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_parts_is_the_text() {
        let text = "wörd 🎉\n".repeat(200);
        let found = parts(&text, KEYS_AT_ONCE);
        assert_eq!(found.concat(), text);
        assert_eq!(found.iter().map(|part| part.chars().count()).collect::<Vec<_>>(), [500, 500, 400]);
        assert!(parts("", KEYS_AT_ONCE).is_empty());
    }

    #[test]
    fn line_ends_are_no_keys_that_leave_a_field_and_all_else_that_controls_is() {
        assert!("\n\ra é🎉".chars().all(|letter| !is_key(letter) && !is_key_code(letter)));
        assert!("\t\0\u{8}\u{1b}\u{7f}".chars().all(is_key) && "\u{e000}\u{e05d}".chars().all(is_key_code));
    }
}
