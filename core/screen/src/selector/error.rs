//! What is wrong with a text that is no selector, and how to repair it.

use contract::{Code, Failure, Row};

use super::{Flag, TextKey};
use crate::text::quoted;

/// A text that is no selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorError {
    /// The whole text.
    pub text: String,
    /// Where reading stopped: bytes from the start, always between two characters.
    pub position: usize,
    /// What is wrong there.
    pub problem: SelectorProblem,
}

/// The ways in which a selector can be wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SelectorProblem {
    /// Nothing but white space.
    Empty,
    /// Nothing before, after or between `||`.
    EmptyAlternative,
    /// One `|` where two are meant.
    SingleBar,
    /// `=` without a key before it.
    MissingKey,
    /// A key that does not exist.
    UnknownKey(String),
    /// A word that is neither `key=value` nor a boolean key.
    BareWord(String),
    /// A text key without `=value`.
    MissingValue(TextKey),
    /// A boolean key with a value other than `true` and `false`.
    NotBoolean(Flag, String),
    /// A quote that is never closed.
    OpenQuote(char),
    /// A backslash before a character that needs none.
    UnknownEscape(char),
    /// A backslash at the very end.
    OpenEscape,
    /// Something right behind a closing quote.
    AfterQuote(char),
    /// A quote within a bare word.
    QuoteInWord(char),
}

impl SelectorError {
    /// What would have been right at the position.
    pub fn expected(&self) -> String {
        match &self.problem {
            SelectorProblem::Empty | SelectorProblem::EmptyAlternative | SelectorProblem::MissingKey => {
                "a term such as label=\"Save\"".into()
            }
            SelectorProblem::SingleBar => "\"||\" between alternatives".into(),
            SelectorProblem::UnknownKey(_) | SelectorProblem::BareWord(_) => {
                format!("key=value with a key of {}, or one of {}", text_keys(), flags())
            }
            SelectorProblem::MissingValue(key) => format!("a value: {}=\"...\"", key.word()),
            SelectorProblem::NotBoolean(flag, _) => format!("{0}, {0}=true or {0}=false", flag.word()),
            SelectorProblem::OpenQuote(quote) => format!("a closing {quote}"),
            SelectorProblem::UnknownEscape(_) | SelectorProblem::OpenEscape => {
                "one of the escapes \\\" \\' \\\\ \\/ \\b \\f \\n \\r \\t \\u{1b}".into()
            }
            SelectorProblem::AfterQuote(_) => "a space or the end after the closing quote".into(),
            SelectorProblem::QuoteInWord(_) => "quotes around the whole value".into(),
        }
    }

    /// A selector, or part of one, that was probably meant.
    pub fn suggestion(&self) -> Option<String> {
        match &self.problem {
            SelectorProblem::BareWord(word) => match closest_key(word) {
                Some(key) if Flag::of(key).is_some() => Some(key.to_owned()),
                _ => Some(format!("label={}", quoted(self.bare_words_from(word)))),
            },
            SelectorProblem::UnknownKey(key) => closest_key(key).map(|key| format!("{key}=")),
            _ => None,
        }
    }

    /// Where the bare word goes on with more of its kind up to the end (`Save all`), they are meant together.
    fn bare_words_from<'a>(&'a self, word: &'a str) -> &'a str {
        match self.text.get(self.position..) {
            Some(rest) if !rest.contains(['=', '|', '"', '\'', '\\']) => rest.trim_end(),
            _ => word,
        }
    }
}

fn text_keys() -> String {
    TextKey::ALL.iter().map(|key| key.word()).collect::<Vec<_>>().join(", ")
}

fn flags() -> String {
    Flag::ALL.iter().map(|flag| flag.word()).collect::<Vec<_>>().join(", ")
}

/// The key spelt most alike: one that a slip of two letters turns into another, never across more than a third of it.
fn closest_key(word: &str) -> Option<&'static str> {
    if word.len() > 24 {
        return None;
    }
    let word = word.to_ascii_lowercase();
    match word.as_str() {
        "name" | "title" | "aria-label" => return Some("label"),
        "identifier" | "testid" | "test-id" => return Some("id"),
        _ => {}
    }
    let keys = TextKey::ALL.iter().map(|key| key.word()).chain(Flag::ALL.iter().map(|flag| flag.word()));
    keys.map(|key| (strsim::osa_distance(&word, key), key))
        .filter(|(distance, key)| *distance <= 2 && *distance * 3 <= key.len() + 1)
        .min()
        .map(|(_, key)| key)
}

impl std::fmt::Display for SelectorError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.problem {
            SelectorProblem::Empty => f.write_str("the selector is empty")?,
            SelectorProblem::EmptyAlternative => f.write_str("an alternative of the selector is empty")?,
            SelectorProblem::SingleBar => f.write_str("a single | stands where || is meant")?,
            SelectorProblem::MissingKey => f.write_str("there is no key before =")?,
            SelectorProblem::UnknownKey(key) => write!(f, "there is no selector key {}", quoted(key))?,
            SelectorProblem::BareWord(word) => write!(f, "{} is no selector term", quoted(word))?,
            SelectorProblem::MissingValue(key) => write!(f, "the key {} has no value", key.word())?,
            SelectorProblem::NotBoolean(flag, value) => write!(f, "{} cannot be {}", flag.word(), quoted(value))?,
            SelectorProblem::OpenQuote(quote) => write!(f, "the quote {quote} is never closed")?,
            SelectorProblem::UnknownEscape(letter) => write!(f, "\\{} is no escape", letter.escape_debug())?,
            SelectorProblem::OpenEscape => f.write_str("the selector ends in a backslash")?,
            SelectorProblem::AfterQuote(letter) => {
                write!(f, "{} stands right behind a closing quote", quoted(&letter.to_string()))?;
            }
            SelectorProblem::QuoteInWord(quote) => write!(f, "the quote {quote} stands inside a bare word")?,
        }
        write!(f, " (column {}): expected {}", self.position + 1, self.expected())
    }
}

impl std::error::Error for SelectorError {}

impl From<SelectorError> for Failure {
    fn from(error: SelectorError) -> Self {
        // The caret stands under the character: columns of text, not bytes. Tabs and line ends would move it.
        let line: String = error.text.chars().map(|c| if contract::plain::is_shown(c) { c } else { ' ' }).collect();
        let column = error.text.get(..error.position).unwrap_or(&error.text).chars().count();
        let mut hint = format!("{line}\n{}^", " ".repeat(column));
        let suggestion = error.suggestion();
        if let Some(suggestion) = &suggestion {
            hint.push_str(&format!("\ndid you mean {suggestion}?"));
        }
        let mut failure = Failure::refused(Row::DaemonRefusalSelectorInvalid, Code::InvalidArgs, error.to_string())
            .reason("selector_invalid")
            .hint(hint)
            .detail("selector", error.text.clone())
            .detail("position", error.position)
            .detail("expected", error.expected());
        if let Some(suggestion) = suggestion {
            failure = failure.detail("suggestion", suggestion);
        }
        failure
    }
}
