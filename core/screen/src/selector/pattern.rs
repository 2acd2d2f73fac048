//! Regular expressions of a selector: they match a whole text, letter case ignored, in linear time.
//!
//! As in the flow files that many such expressions come from: `.` matches a line end too, `^` and `$` also match at the
//! ends of lines, and an expression that stands in the text letter by letter matches as well (`Price (EUR)`). Look-around
//! and back-references do not exist: without them no expression can make a command take for ever.

use std::hash::{Hash, Hasher};

use contract::quote::canonical_pattern;
use regex_automata::{
    Input,
    meta::{Config, Regex},
    nfa::thompson::WhichCaptures,
};
use regex_syntax::{
    ParserBuilder,
    hir::{Hir, Look},
};

use crate::text::squeeze;

/// The longest expression, bytes.
pub const LONGEST: usize = 4_096;
/// What a compiled expression may take, bytes; also bounds what a search of one text costs.
const LARGEST: usize = 1 << 20;
/// How deep groups may lie in each other.
const DEEPEST: u32 = 64;

/// A regular expression that was checked and compiled.
#[derive(Clone)]
pub struct Pattern {
    text: Box<str>,
    regex: Regex,
}

/// Why a text is no pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternError {
    /// Where in the expression, bytes from its start.
    pub offset: usize,
    /// What is wrong there.
    pub why: String,
}

impl Pattern {
    /// Checks and compiles an expression.
    ///
    /// # Errors
    /// What no regular expression is, or one that is too long or too large.
    pub fn new(expression: &str) -> Result<Self, PatternError> {
        // The text as given is read once for the place of an error, which its one spelling could move.
        parsed(expression)?;
        let text = canonical_pattern(expression);
        let whole = Hir::concat(vec![Hir::look(Look::Start), parsed(&text)?, Hir::look(Look::End)]);
        let limits = Config::new()
            .nfa_size_limit(Some(LARGEST))
            .hybrid_cache_capacity(LARGEST)
            .which_captures(WhichCaptures::None);
        let regex = Regex::builder().configure(limits).build_from_hir(&whole).map_err(|error| {
            let why = match error.size_limit() {
                Some(_) => "the pattern is too large; use smaller counts in {}".to_owned(),
                None => error.to_string(),
            };
            PatternError { offset: 0, why }
        })?;
        Ok(Self { text: text.into(), regex })
    }

    /// The expression in its one spelling.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// It matches the whole of `text`, as it is or with its white space trimmed and collapsed, or equals it.
    pub fn matches(&self, text: &str) -> bool {
        if self.matches_as_it_is(text) {
            return true;
        }
        let shown = squeeze(text);
        shown.as_ref() != text && self.matches_as_it_is(&shown)
    }

    fn matches_as_it_is(&self, text: &str) -> bool {
        self.regex.is_match(Input::new(text)) || *self.text == *text
    }
}

fn parsed(expression: &str) -> Result<Hir, PatternError> {
    if expression.len() > LONGEST {
        return Err(PatternError { offset: 0, why: format!("the pattern is longer than {LONGEST} bytes") });
    }
    ParserBuilder::new()
        .nest_limit(DEEPEST)
        .case_insensitive(true)
        .dot_matches_new_line(true)
        .multi_line(true)
        .build()
        .parse(expression)
        .map_err(|error| match error {
            regex_syntax::Error::Parse(error) => {
                PatternError { offset: error.span().start.offset, why: error.kind().to_string() }
            }
            regex_syntax::Error::Translate(error) => {
                PatternError { offset: error.span().start.offset, why: error.kind().to_string() }
            }
            other => PatternError { offset: 0, why: other.to_string() },
        })
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

impl Hash for Pattern {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pattern({:?})", self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(expression: &str, text: &str) -> bool {
        Pattern::new(expression).unwrap().matches(text)
    }

    #[test]
    fn the_whole_text_has_to_match_whatever_its_letter_case() {
        assert!(holds("save", "Save"));
        assert!(!holds("save", "Save all"));
        assert!(holds("save.*", "Save all"));
        assert!(!holds("a|ab", "abc"));
        assert!(holds("a|ab", "ab"), "an alternative that stops early does not decide");
        assert!(holds("größe", "GRÖSSE") == holds("grösse", "größe"), "letters are folded one by one");
        assert!(holds("STRASSE|äöü", "ÄÖÜ"));
    }

    #[test]
    fn a_dot_matches_a_line_end_and_anchors_the_ends_of_lines() {
        assert!(holds("a.*d", "a b\nc d"));
        assert!(holds("a$.^b", "a\nb"));
        assert!(holds("^a$", "a"));
    }

    #[test]
    fn white_space_may_stand_as_shown_or_as_it_is() {
        assert!(holds("Save changes", "  Save \n changes "));
        assert!(holds(r"Save \n changes", "Save \n changes"));
        assert!(!holds("Savechanges", "Save changes"));
    }

    #[test]
    fn an_expression_that_stands_in_the_text_letter_by_letter_matches() {
        assert!(holds("Price (EUR)?*", "Price (EUR)?*") || Pattern::new("Price (EUR)?*").is_err());
        assert!(holds("Total (2)", "Total (2)"));
        assert!(holds("Total (2)", "total 2"));
        assert!(!holds("Total (2)", "total (2)"), "letter by letter, so letter case counts");
    }

    #[test]
    fn comments_of_an_expression_stay_in_it() {
        assert!(holds("(?x)save # a comment", "save"));
        assert!(!holds("(?x)save # a comment", "saved"));
    }

    #[test]
    fn what_is_no_expression_is_refused_at_its_place() {
        for (expression, offset, part) in [
            ("ab(c", 2, "unclosed group"),
            ("a[z-b]", 2, "invalid character class range"),
            ("ä*+{", 4, "repetition"),
            ("a(?=b)", 1, "look-around"),
            (r"(a)\1", 3, "backreferences"),
            (r"a\p{Nonsense}", 1, "Unicode property"),
        ] {
            let error = Pattern::new(expression).unwrap_err();
            assert_eq!(error.offset, offset, "{expression}: {error:?}");
            assert!(error.why.contains(part), "{expression}: {error:?}");
        }
    }

    #[test]
    fn what_would_take_too_much_is_refused() {
        for expression in [r"(\w{200}){200}".to_owned(), "x".repeat(LONGEST + 1), "(".repeat(65) + &")".repeat(65)] {
            let error = Pattern::new(&expression).unwrap_err();
            assert!(error.why.len() < 200, "{error:?}");
        }
    }

    #[test]
    fn what_people_write_is_not_too_much() {
        for expression in [
            r"\w{1,20}",
            r".{1,200}",
            r"[A-Za-z0-9._%+-]+@[\w.-]+\.\w{2,6}",
            r"\d{4}-\d{2}-\d{2} .*",
            r"\p{L}+",
            r"\b\w+\b",
        ] {
            assert!(Pattern::new(expression).is_ok(), "{expression}");
        }
    }

    #[test]
    fn a_hard_expression_on_a_long_text_ends() {
        let text = "a".repeat(20_000);
        assert!(!holds("(a*)*(a*)*b", &text));
        assert!(holds("(a|aa)+", &text));
    }
}
