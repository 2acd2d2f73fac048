//! Letters of a selector's text: words, values, escapes, patterns. Never panics, whatever the text.

use super::{Pattern, SelectorError, SelectorProblem};

/// Reads on from a place in a text.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    /// Bytes from the start, always between two characters.
    pub(super) at: usize,
    /// How many parentheses are open: inside them a `)` ends a bare word.
    pub(super) depth: usize,
    /// Patterns and relations so far.
    pub(super) passes: usize,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0, passes: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    pub(super) fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    pub(super) fn fail<T>(&self, position: usize, problem: SelectorProblem) -> Result<T, SelectorError> {
        Err(SelectorError { text: self.text.to_owned(), position, problem })
    }

    const fn is_inside(&self) -> bool {
        self.depth > 0
    }

    /// Up to white space, `=`, `|` or, inside parentheses, one of these.
    pub(super) fn word(&mut self) -> &'a str {
        let (rest, inside) = (self.rest(), self.is_inside());
        let ends = |c: char| c.is_whitespace() || matches!(c, '=' | '|') || (inside && matches!(c, '(' | ')'));
        let end = rest.find(ends).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// A letter that ends a bare value.
    fn ends_bare(&self, letter: char) -> bool {
        letter.is_whitespace() || letter == '|' || (self.is_inside() && letter == ')')
    }

    /// After a closing quote or parenthesis a term ends.
    pub(super) fn end_of_term(&self, problem: impl FnOnce(char) -> SelectorProblem) -> Result<(), SelectorError> {
        match self.peek() {
            Some(letter) if !self.ends_bare(letter) => self.fail(self.at, problem(letter)),
            _ => Ok(()),
        }
    }

    /// What stands after `=`: `None` where there is nothing.
    pub(super) fn value(&mut self) -> Result<Option<String>, SelectorError> {
        if let Some(quote @ ('"' | '\'')) = self.peek() {
            let start = self.at;
            self.next();
            let value = self.quoted(start, quote)?;
            self.end_of_term(SelectorProblem::AfterQuote)?;
            return Ok(Some(value));
        }
        let mut value = String::new();
        while let Some(letter) = self.peek() {
            match letter {
                letter if self.ends_bare(letter) => break,
                '"' | '\'' => return self.fail(self.at, SelectorProblem::QuoteInWord(letter)),
                // Where it closes could be read in two ways.
                '(' if self.is_inside() => return self.fail(self.at, SelectorProblem::ParenthesisInWord),
                '\\' => value.push(self.escape()?),
                _ => {
                    value.push(letter);
                    self.next();
                }
            }
        }
        Ok((!value.is_empty()).then_some(value))
    }

    /// What stands after `~=`: `None` where there is nothing. Backslashes stay, the expression reads them itself.
    pub(super) fn pattern(&mut self) -> Result<Option<Pattern>, SelectorError> {
        let quote = self.peek().filter(|letter| matches!(letter, '"' | '\''));
        let opened = self.at;
        if quote.is_some() {
            self.next();
        }
        let start = self.at;
        loop {
            match (self.peek(), quote) {
                (None, Some(quote)) => return self.fail(opened, SelectorProblem::OpenQuote(quote)),
                (None, None) => break,
                (Some('\\'), _) => {
                    self.next();
                    self.next();
                }
                (Some(letter), Some(quote)) if letter == quote => break,
                (Some(letter), None) if self.ends_bare(letter) => break,
                (Some(letter @ ('"' | '\'')), None) => return self.fail(self.at, SelectorProblem::QuoteInWord(letter)),
                (Some('('), None) if self.is_inside() => {
                    return self.fail(self.at, SelectorProblem::ParenthesisInWord);
                }
                (Some(_), _) => {
                    self.next();
                }
            }
        }
        let expression = self.text.get(start..self.at).unwrap_or_default();
        if quote.is_some() {
            self.next();
            self.end_of_term(SelectorProblem::AfterQuote)?;
        } else if expression.is_empty() {
            return Ok(None);
        }
        match Pattern::new(expression) {
            Ok(pattern) => Ok(Some(pattern)),
            Err(error) => {
                let mut position = (start + error.offset).min(self.text.len());
                while !self.text.is_char_boundary(position) {
                    position -= 1;
                }
                self.fail(position, SelectorProblem::BadPattern(error.why))
            }
        }
    }

    /// The rest of a quoted value; `start` is where its quote stands.
    pub(super) fn quoted(&mut self, start: usize, quote: char) -> Result<String, SelectorError> {
        let mut value = String::new();
        loop {
            match self.peek() {
                None => return self.fail(start, SelectorProblem::OpenQuote(quote)),
                Some('\\') => value.push(self.escape()?),
                Some(letter) => {
                    self.next();
                    if letter == quote {
                        return Ok(value);
                    }
                    value.push(letter);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, SelectorError> {
        let start = self.at;
        self.next();
        match self.next() {
            None => self.fail(start, SelectorProblem::OpenEscape),
            Some(letter @ ('"' | '\'' | '\\' | '/')) => Ok(letter),
            Some('b') => Ok('\u{8}'),
            Some('f') => Ok('\u{c}'),
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some('u') => self.spelt(start),
            Some(letter) => self.fail(start, SelectorProblem::UnknownEscape(letter)),
        }
    }

    /// The rest of `\u{1b}`.
    fn spelt(&mut self, start: usize) -> Result<char, SelectorError> {
        let number = self.rest().strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(number, _)| number);
        let letter = number
            .filter(|number| number.len() <= 6 && number.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .and_then(|number| Some((char::from_u32(u32::from_str_radix(number, 16).ok()?)?, number.len())));
        let Some((letter, digits)) = letter else { return self.fail(start, SelectorProblem::UnknownEscape('u')) };
        self.at += digits + 2;
        Ok(letter)
    }
}
