//! How a text becomes a selector: its alternatives and terms. Never panics, whatever the text.

use super::{
    Alternative, DEEPEST, Flag, MOST_PASSES, Pick, Relation, Selector, SelectorError, SelectorProblem, Side, Span,
    Term, TextKey, reader::Reader,
};

pub(super) fn parse(text: &str) -> Result<Selector, SelectorError> {
    if text.trim().is_empty() {
        return Reader::new(text).fail(0, SelectorProblem::Empty);
    }
    Reader::new(text).selector(None)
}

/// The word before `=`, `~=`, white space or the end.
#[derive(Clone, Copy)]
enum Key {
    Text(TextKey),
    Flag(Flag),
    Relation(Relation),
    Side(Side),
    First,
    Index,
}

impl Key {
    fn of(word: &str) -> Option<Self> {
        TextKey::of(word)
            .map(Key::Text)
            .or_else(|| Flag::of(word).map(Key::Flag))
            .or_else(|| Relation::of(word).map(Key::Relation))
            .or_else(|| Side::of(word).map(Key::Side))
            .or_else(|| word.eq_ignore_ascii_case("first").then_some(Key::First))
            .or_else(|| word.eq_ignore_ascii_case("index").then_some(Key::Index))
    }

    /// What is wrong where its value is missing.
    const fn without_value(self) -> Result<Term, SelectorProblem> {
        match self {
            Key::Flag(flag) => Ok(Term::Flag(flag, true)),
            Key::First => Ok(Term::Pick(Pick::First)),
            Key::Text(key) => Err(SelectorProblem::MissingValue(key)),
            Key::Relation(relation) => Err(SelectorProblem::NoSelector(relation)),
            Key::Side(side) => Err(SelectorProblem::NotASpan(side, String::new())),
            Key::Index => Err(SelectorProblem::NotAnIndex(String::new())),
        }
    }
}

impl Reader<'_> {
    /// Up to the end, or to the parenthesis that closes the one at `opened`.
    fn selector(&mut self, opened: Option<usize>) -> Result<Selector, SelectorError> {
        let mut alternatives = Vec::new();
        let mut terms: Vec<Term> = Vec::new();
        loop {
            self.skip_space();
            let start = self.at;
            let ends = match (self.peek(), opened) {
                (None, Some(opened)) => return self.fail(opened, SelectorProblem::OpenParenthesis),
                (None, None) | (Some(')'), Some(_)) => true,
                (Some('|'), _) => {
                    self.next();
                    if self.peek() != Some('|') {
                        return self.fail(start, SelectorProblem::SingleBar);
                    }
                    false
                }
                (Some(_), _) => {
                    let term = self.term()?;
                    let second =
                        matches!(term, Term::Pick(_)) && terms.iter().any(|term| matches!(term, Term::Pick(_)));
                    if second {
                        return self.fail(start, SelectorProblem::SecondPick);
                    }
                    terms.push(term);
                    continue;
                }
            };
            if terms.is_empty() {
                return self.fail(start, SelectorProblem::EmptyAlternative);
            }
            self.next();
            alternatives.push(Alternative { terms: std::mem::take(&mut terms) });
            if ends {
                return Ok(Selector { alternatives });
            }
        }
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
        if let Some(relation) = word.split_once('(').and_then(|(head, _)| Relation::of(head)) {
            return self.fail(start + relation.word().len(), SelectorProblem::NoSelector(relation));
        }
        if self.peek() != Some('=') {
            return match Key::of(word).map(Key::without_value) {
                Some(Ok(term)) => Ok(term),
                Some(Err(problem)) => self.fail(self.at, problem),
                None if word.is_empty() => {
                    let letter = self.peek().map(String::from).unwrap_or_default();
                    self.fail(start, SelectorProblem::BareWord(letter))
                }
                None => self.fail(start, SelectorProblem::BareWord(word.to_owned())),
            };
        }
        let (word, is_pattern) = word.strip_suffix('~').map_or((word, false), |word| (word, true));
        if word.is_empty() {
            return self.fail(start, SelectorProblem::MissingKey);
        }
        let Some(key) = Key::of(word) else {
            return self.fail(start, SelectorProblem::UnknownKey(word.to_owned()));
        };
        self.next();
        match key {
            Key::Text(key) if is_pattern => self.matching(start, key),
            _ if is_pattern => self.fail(start, SelectorProblem::NoText(word.to_owned())),
            Key::Relation(relation) => self.relation(start, relation),
            _ => self.valued(key),
        }
    }

    /// `key~=`, read up to here.
    fn matching(&mut self, start: usize, key: TextKey) -> Result<Term, SelectorError> {
        self.pass(start)?;
        let at = self.at;
        match self.pattern()? {
            Some(pattern) => Ok(Term::Pattern(key, pattern)),
            None => self.fail(at, SelectorProblem::MissingValue(key)),
        }
    }

    /// `below=`, read up to here.
    fn relation(&mut self, start: usize, relation: Relation) -> Result<Term, SelectorError> {
        self.pass(start)?;
        let opened = self.at;
        if self.peek() != Some('(') {
            return self.fail(opened, SelectorProblem::NoSelector(relation));
        }
        if self.depth == DEEPEST {
            return self.fail(opened, SelectorProblem::TooDeep);
        }
        self.next();
        self.depth += 1;
        let anchor = self.selector(Some(opened))?;
        self.depth -= 1;
        self.end_of_term(SelectorProblem::AfterParenthesis)?;
        Ok(Term::Relation(relation, anchor))
    }

    /// `key=` with a value of its own, read up to here.
    fn valued(&mut self, key: Key) -> Result<Term, SelectorError> {
        let at = self.at;
        let value = self.value()?;
        let written = value.clone().unwrap_or_default();
        let boolean = match written.to_ascii_lowercase().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        let term = match key {
            Key::Text(key) => value.map(|value| Term::Text(key, value)).ok_or(SelectorProblem::MissingValue(key)),
            Key::Flag(flag) => boolean.map(|on| Term::Flag(flag, on)).ok_or(SelectorProblem::NotBoolean(flag, written)),
            Key::First => (boolean == Some(true)).then_some(Term::Pick(Pick::First)).ok_or(SelectorProblem::NotFirst),
            Key::Index => {
                let index = written.parse().ok().map(|index| Term::Pick(Pick::Index(index)));
                index.ok_or(SelectorProblem::NotAnIndex(written))
            }
            Key::Side(side) => {
                span(&written).map(|span| Term::Size(side, span)).ok_or(SelectorProblem::NotASpan(side, written))
            }
            Key::Relation(relation) => Err(SelectorProblem::NoSelector(relation)),
        };
        term.or_else(|problem| self.fail(at, problem))
    }

    /// One more pass over the screen.
    fn pass(&mut self, start: usize) -> Result<(), SelectorError> {
        self.passes += 1;
        if self.passes > MOST_PASSES { self.fail(start, SelectorProblem::TooMany) } else { Ok(()) }
    }
}

/// `44`, `40..48`, `40..`, `..48`.
fn span(text: &str) -> Option<Span> {
    let px =
        |text: &str| -> Option<u32> { text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit())) };
    let (least, most) = match text.split_once("..") {
        None => {
            let exact = px(text)?;
            (exact, exact)
        }
        Some(("", "")) => return None,
        Some((least, "")) => (px(least)?, u32::MAX),
        Some(("", most)) => (0, px(most)?),
        Some((least, most)) => (px(least)?, px(most)?),
    };
    (least <= most).then_some(Span { least, most })
}
