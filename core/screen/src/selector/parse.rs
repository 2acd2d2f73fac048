//! How a text becomes a selector. Never panics, whatever the text.

use super::{Alternative, Flag, Selector, SelectorError, SelectorProblem, Term, TextKey};

/// A value that needs no quotes: it reads back as itself.
pub(super) fn is_bare(value: &str) -> bool {
    !value.is_empty()
        && value
            .chars()
            .all(|c| !c.is_whitespace() && contract::plain::is_shown(c) && !matches!(c, '"' | '\'' | '\\' | '|'))
}

pub(super) fn parse(text: &str) -> Result<Selector, SelectorError> {
    let mut reader = Reader { text, at: 0 };
    let mut alternatives = Vec::new();
    let mut terms = Vec::new();
    loop {
        reader.skip_space();
        match reader.peek() {
            None if alternatives.is_empty() && terms.is_empty() => return reader.fail(0, SelectorProblem::Empty),
            None if terms.is_empty() => return reader.fail(reader.at, SelectorProblem::EmptyAlternative),
            None => {
                alternatives.push(Alternative { terms });
                return Ok(Selector { alternatives });
            }
            Some('|') => {
                let start = reader.at;
                reader.next();
                if reader.peek() != Some('|') {
                    return reader.fail(start, SelectorProblem::SingleBar);
                }
                reader.next();
                if terms.is_empty() {
                    return reader.fail(start, SelectorProblem::EmptyAlternative);
                }
                alternatives.push(Alternative { terms: std::mem::take(&mut terms) });
            }
            Some(_) => terms.push(reader.term()?),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn fail<T>(&self, position: usize, problem: SelectorProblem) -> Result<T, SelectorError> {
        Err(SelectorError { text: self.text.to_owned(), position, problem })
    }

    /// Up to white space, `=` or `|`.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '|')).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    fn term(&mut self) -> Result<Term, SelectorError> {
        let start = self.at;
        if let Some(quote @ ('"' | '\'')) = self.peek() {
            // A quoted text alone: read it, so that the advice can repeat it.
            self.next();
            let word = self.quoted(start, quote)?;
            return self.fail(start, SelectorProblem::BareWord(word));
        }
        let word = self.word();
        if self.peek() != Some('=') {
            return match (Flag::of(word), TextKey::of(word)) {
                (Some(flag), _) => Ok(Term::Flag(flag, true)),
                (None, Some(key)) => self.fail(self.at, SelectorProblem::MissingValue(key)),
                (None, None) => self.fail(start, SelectorProblem::BareWord(word.to_owned())),
            };
        }
        if word.is_empty() {
            return self.fail(start, SelectorProblem::MissingKey);
        }
        let (flag, key) = (Flag::of(word), TextKey::of(word));
        if flag.is_none() && key.is_none() {
            return self.fail(start, SelectorProblem::UnknownKey(word.to_owned()));
        }
        self.next();
        let at = self.at;
        let value = self.value()?;
        match (flag, key, value) {
            (None, Some(key), Some(value)) => Ok(Term::Text(key, value)),
            (None, Some(key), None) => self.fail(at, SelectorProblem::MissingValue(key)),
            (Some(flag), _, value) => match value.as_deref().map(str::to_ascii_lowercase).as_deref() {
                Some("true") => Ok(Term::Flag(flag, true)),
                Some("false") => Ok(Term::Flag(flag, false)),
                _ => self.fail(at, SelectorProblem::NotBoolean(flag, value.unwrap_or_default())),
            },
            (None, None, _) => self.fail(start, SelectorProblem::UnknownKey(word.to_owned())),
        }
    }

    /// What stands after `=`: `None` where there is nothing.
    fn value(&mut self) -> Result<Option<String>, SelectorError> {
        if let Some(quote @ ('"' | '\'')) = self.peek() {
            let start = self.at;
            self.next();
            let value = self.quoted(start, quote)?;
            return match self.peek() {
                Some(letter) if !letter.is_whitespace() && letter != '|' => {
                    self.fail(self.at, SelectorProblem::AfterQuote(letter))
                }
                _ => Ok(Some(value)),
            };
        }
        let mut value = String::new();
        while let Some(letter) = self.peek() {
            match letter {
                '|' => break,
                letter if letter.is_whitespace() => break,
                '"' | '\'' => return self.fail(self.at, SelectorProblem::QuoteInWord(letter)),
                '\\' => value.push(self.escape()?),
                _ => {
                    value.push(letter);
                    self.next();
                }
            }
        }
        Ok((!value.is_empty()).then_some(value))
    }

    /// The rest of a quoted value; `start` is where its quote stands.
    fn quoted(&mut self, start: usize, quote: char) -> Result<String, SelectorError> {
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
