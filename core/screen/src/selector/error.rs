//! What is wrong with a text that is no selector, and what would have been right.

use contract::{Code, Failure, Row};

use super::{DEEPEST, Flag, MOST_PASSES, Relation, Side, TextKey};
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
    /// A parenthesis within a bare word that is itself in parentheses.
    ParenthesisInWord,
    /// A parenthesis that is never closed.
    OpenParenthesis,
    /// Something right behind a closing parenthesis.
    AfterParenthesis(char),
    /// A relation without `=(...)`.
    NoSelector(Relation),
    /// Selectors in each other's parentheses, more than [`DEEPEST`].
    TooDeep,
    /// More than [`MOST_PASSES`] patterns and relations.
    TooMany,
    /// `~=` with a key that compares no text.
    NoText(String),
    /// No regular expression, and why.
    BadPattern(String),
    /// `index=` without a whole number.
    NotAnIndex(String),
    /// `first=` with anything but `true`.
    NotFirst,
    /// A second `first` or `index` in one alternative.
    SecondPick,
    /// A side of a box with anything but a range of px.
    NotASpan(Side, String),
}

impl SelectorError {
    /// What would have been right at the position.
    pub fn expected(&self) -> String {
        match &self.problem {
            SelectorProblem::Empty | SelectorProblem::EmptyAlternative | SelectorProblem::MissingKey => {
                "a term such as label=\"Save\"".into()
            }
            SelectorProblem::SingleBar => {
                "\"||\" between alternatives, or quotes around a pattern that holds one".into()
            }
            SelectorProblem::UnknownKey(_) | SelectorProblem::BareWord(_) => {
                format!(
                    "key=value with a key of {}, or one of {}, or first, index=, {} (see help selectors)",
                    words(TextKey::ALL.iter().map(|key| key.word())),
                    words(Flag::ALL.iter().map(|flag| flag.word())),
                    words(
                        Relation::ALL
                            .iter()
                            .map(|relation| relation.word())
                            .chain(Side::ALL.iter().map(|side| side.word()))
                            .map(|word| format!("{word}="))
                    )
                )
            }
            SelectorProblem::MissingValue(key) => format!("a value: {}=\"...\"", key.word()),
            SelectorProblem::NotBoolean(flag, _) => format!("{0}, {0}=true or {0}=false", flag.word()),
            SelectorProblem::OpenQuote(quote) => format!("a closing {quote}"),
            SelectorProblem::UnknownEscape(_) | SelectorProblem::OpenEscape => {
                "one of the escapes \\\" \\' \\\\ \\/ \\b \\f \\n \\r \\t \\u{1b}".into()
            }
            SelectorProblem::AfterQuote(_) => "a space or the end after the closing quote".into(),
            SelectorProblem::QuoteInWord(_) | SelectorProblem::ParenthesisInWord => {
                "quotes around the whole value".into()
            }
            SelectorProblem::OpenParenthesis => "a closing )".into(),
            SelectorProblem::AfterParenthesis(_) => "a space or the end after the closing parenthesis".into(),
            SelectorProblem::NoSelector(relation) => {
                format!("a selector in parentheses: {}=(label=\"...\")", relation.word())
            }
            SelectorProblem::TooDeep => format!("at most {DEEPEST} parentheses in each other"),
            SelectorProblem::TooMany => format!("at most {MOST_PASSES} patterns and relations"),
            SelectorProblem::NoText(_) => {
                format!("~= with one of {}", words(TextKey::ALL.iter().map(|key| key.word())))
            }
            SelectorProblem::BadPattern(_) => {
                "a regular expression; a backslash before a letter that is meant as it is: \\( \\? \\.".into()
            }
            SelectorProblem::NotAnIndex(_) => "a whole number: index=0 is the topmost match, index=-1 the last".into(),
            SelectorProblem::NotFirst => "first alone".into(),
            SelectorProblem::SecondPick => "one first or index between two ||".into(),
            SelectorProblem::NotASpan(side, _) => {
                format!("whole px or a range: {0}=44, {0}=40..48, {0}=40.., {0}=..48", side.word())
            }
        }
    }
}

fn words(words: impl IntoIterator<Item = impl Into<String>>) -> String {
    words.into_iter().map(Into::into).collect::<Vec<String>>().join(", ")
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
            SelectorProblem::ParenthesisInWord => f.write_str("a parenthesis stands inside a bare word")?,
            SelectorProblem::OpenParenthesis => f.write_str("the parenthesis is never closed")?,
            SelectorProblem::AfterParenthesis(letter) => {
                write!(f, "{} stands right behind a closing parenthesis", quoted(&letter.to_string()))?;
            }
            SelectorProblem::NoSelector(relation) => write!(f, "{} names nothing", relation.word())?,
            SelectorProblem::TooDeep => f.write_str("the selector is nested too deep")?,
            SelectorProblem::TooMany => f.write_str("the selector has too many patterns and relations")?,
            SelectorProblem::NoText(key) => write!(f, "{} compares no text", quoted(key))?,
            SelectorProblem::BadPattern(why) => write!(f, "the pattern is no regular expression: {why}")?,
            SelectorProblem::NotAnIndex(value) => write!(f, "index cannot be {}", quoted(value))?,
            SelectorProblem::NotFirst => f.write_str("first takes no value")?,
            SelectorProblem::SecondPick => f.write_str("first or index stands a second time")?,
            SelectorProblem::NotASpan(side, value) => write!(f, "{} cannot be {}", side.word(), quoted(value))?,
        }
        // The whole list is in the details; here it would bury what is wrong.
        let expected = match &self.problem {
            SelectorProblem::UnknownKey(_) | SelectorProblem::BareWord(_) => {
                format!("key=value with a key of {} and others", words(TextKey::ALL.iter().map(|key| key.word())))
            }
            _ => self.expected(),
        };
        write!(f, " (column {}): expected {expected}", self.position + 1)
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
        } else if matches!(error.problem, SelectorProblem::UnknownKey(_) | SelectorProblem::BareWord(_)) {
            hint.push_str("\nsay what it is, role=button label=\"Save\", or use its ref (agent-device help selectors)");
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
