//! `${...}` in texts.
//!
//! An expression ends at its own `}`: braces inside it count, and those in its strings, templates, comments and
//! regular expressions do not.

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Stands for itself.
    Text(String),
    /// Is evaluated.
    Code {
        /// Between the braces.
        code: String,
        /// Where it begins in the text, bytes.
        at: usize,
    },
}

/// The pieces of a text.
///
/// # Errors
/// Where, in bytes, a `${` stands that has no end.
pub fn parts(text: &str) -> Result<Vec<Part>, usize> {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with("\\${") {
            plain.push_str("${");
            at += 3;
        } else if rest.starts_with("${") {
            let length = Code::new(rest.get(2..).unwrap_or_default()).until_brace().ok_or(at)?;
            if !plain.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut plain)));
            }
            let begin = at + 2;
            parts.push(Part::Code { code: text.get(begin..begin + length).unwrap_or_default().to_owned(), at: begin });
            at = begin + length + 1;
        } else {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            plain.push_str(rest.get(..length).unwrap_or_default());
            at += length;
        }
    }
    if !plain.is_empty() {
        parts.push(Part::Text(plain));
    }
    Ok(parts)
}

/// Whether a text has anything to evaluate or to unescape.
pub fn is_plain(text: &str) -> bool {
    !text.contains("${")
}

/// What stands before a `/`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A value ended: the `/` divides.
    Value,
    /// A value is to come: the `/` begins a regular expression.
    Operator,
}

/// A walk through code, no further than is needed to find its end. All that it looks for is ASCII, so bytes will do.
struct Code<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Code<'a> {
    const fn new(code: &'a str) -> Self {
        Self { bytes: code.as_bytes(), at: 0 }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// How many bytes stand before the `}` that belongs to the `${` before.
    fn until_brace(&mut self) -> Option<usize> {
        // What opened and is still open: a brace of code, or the `${` of a template literal.
        let mut open = vec![];
        let mut before = Before::Operator;
        loop {
            let byte = self.peek(0)?;
            match byte {
                b'}' => match open.pop() {
                    None => return Some(self.at),
                    Some(Open::Brace) => {
                        self.at += 1;
                        before = Before::Value;
                    }
                    Some(Open::Hole) => {
                        self.at += 1;
                        before = self.template(&mut open)?;
                    }
                },
                b'{' => {
                    open.push(Open::Brace);
                    self.at += 1;
                    before = Before::Operator;
                }
                b'\'' | b'"' => {
                    self.quoted(byte)?;
                    before = Before::Value;
                }
                b'`' => {
                    self.at += 1;
                    before = self.template(&mut open)?;
                }
                b'/' if self.peek(1) == Some(b'/') => self.skip_past(b"\n")?,
                b'/' if self.peek(1) == Some(b'*') => {
                    self.at += 2;
                    self.skip_past(b"*/")?;
                }
                b'/' if before == Before::Operator => {
                    self.regular_expression()?;
                    before = Before::Value;
                }
                byte if is_word(byte) => before = self.word(),
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => {
                    before = if matches!(byte, b')' | b']') { Before::Value } else { Before::Operator };
                    self.at += 1;
                }
            }
        }
    }

    fn skip_past(&mut self, end: &[u8]) -> Option<()> {
        let rest = self.bytes.get(self.at..)?;
        self.at += rest.windows(end.len()).position(|window| window == end)? + end.len();
        Some(())
    }

    fn quoted(&mut self, quote: u8) -> Option<()> {
        self.at += 1;
        loop {
            match self.peek(0)? {
                b'\\' => self.at += 2,
                byte => {
                    self.at += 1;
                    if byte == quote {
                        return Some(());
                    }
                }
            }
        }
    }

    /// The text of a template literal, up to its end or its next `${`.
    fn template(&mut self, open: &mut Vec<Open>) -> Option<Before> {
        loop {
            match self.peek(0)? {
                b'\\' => self.at += 2,
                b'`' => {
                    self.at += 1;
                    return Some(Before::Value);
                }
                b'$' if self.peek(1) == Some(b'{') => {
                    self.at += 2;
                    open.push(Open::Hole);
                    return Some(Before::Operator);
                }
                _ => self.at += 1,
            }
        }
    }

    fn regular_expression(&mut self) -> Option<()> {
        self.at += 1;
        let mut class = false;
        loop {
            match self.peek(0)? {
                b'\\' => self.at += 1,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => {
                    self.at += 1;
                    return Some(());
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    fn word(&mut self) -> Before {
        let begin = self.at;
        while self.peek(0).is_some_and(is_word) {
            self.at += 1;
        }
        let word = self.bytes.get(begin..self.at).unwrap_or_default();
        let wants_a_value: [&[u8]; 8] = [b"return", b"typeof", b"in", b"of", b"new", b"void", b"delete", b"instanceof"];
        if wants_a_value.contains(&word) { Before::Operator } else { Before::Value }
    }
}

/// What a `}` closes.
enum Open {
    Brace,
    Hole,
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<String> {
        parts(text)
            .unwrap()
            .into_iter()
            .filter_map(|part| match part {
                Part::Code { code, .. } => Some(code),
                Part::Text(_) => None,
            })
            .collect()
    }

    #[test]
    fn texts_and_expressions_alternate() {
        let found = parts("é ${a} and ${b}!").unwrap();
        assert_eq!(
            found,
            [
                Part::Text("é ".to_owned()),
                Part::Code { code: "a".to_owned(), at: 5 },
                Part::Text(" and ".to_owned()),
                Part::Code { code: "b".to_owned(), at: 14 },
                Part::Text("!".to_owned()),
            ]
        );
    }

    #[test]
    fn an_expression_ends_at_its_own_brace() {
        for code in [
            "f({a: {b: 1}}).a",
            "'}' + \"}\" + `}`",
            r"'it\'s }'",
            "`a ${`b ${'}'}`} c`",
            "x /* } */ + 1",
            "/[}/]}/.test(x)",
            r"/\/}/.exec(x)",
            "a / b + '}' + c / d",
            "(a) / 2 + `}`",
            "typeof /}/",
            "[1] / 2 + {a: '}'}.a",
        ] {
            assert_eq!(codes(&format!("<${{{code}}}>")), [code]);
        }
    }

    #[test]
    fn a_comment_to_the_end_of_the_line_hides_a_brace() {
        assert_eq!(codes("${a // }\n}"), ["a // }\n"]);
    }

    #[test]
    fn a_backslash_makes_it_text() {
        assert_eq!(parts(r"\${a} costs $5").unwrap(), [Part::Text("${a} costs $5".to_owned())]);
    }

    #[test]
    fn one_without_an_end_is_found_where_it_begins() {
        for (text, at) in [("a ${b", 2), ("${'}", 0), ("${a} ${ {} ", 5), ("${`${a}", 0), ("${/}", 0), ("${a /* }", 0)]
        {
            assert_eq!(parts(text), Err(at), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_lost(text in "[ -~\\n]{0,40}") {
            if let Ok(parts) = parts(&text) {
                let again: String = parts
                    .iter()
                    .map(|part| match part {
                        Part::Text(text) => text.replace("${", "\\${"),
                        Part::Code { code, .. } => format!("${{{code}}}"),
                    })
                    .collect();
                proptest::prop_assert_eq!(again, text);
            }
        }
    }
}
