//! Words of a line: bare, `"..."` as in JSON, or `'...'` as they stand.

use crate::error::Problem;

/// How a word stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quoting {
    /// Between white space. `${...}` is expanded.
    Bare,
    /// A JSON string. `${...}` is expanded.
    Json,
    /// As it stands: no escapes, no variables.
    Literal,
}

/// One word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Where it begins, quote included; from 1 on, in characters.
    pub column: usize,
    /// As it stands in the file.
    pub raw: String,
    /// Quotes and escapes taken off, variables not yet expanded.
    pub text: String,
    /// How it stands in the file.
    pub quoting: Quoting,
}

impl Word {
    /// How many characters of the line it takes.
    pub fn width(&self) -> usize {
        self.raw.chars().count()
    }

    /// A problem of the whole word.
    pub fn problem(&self, message: impl Into<String>) -> Problem {
        Problem::at(self.column, message).wide(self.width())
    }

    /// The column of a byte of [`Word::text`].
    pub fn column_of(&self, offset: usize) -> usize {
        let at = self.text.get(..offset).unwrap_or(&self.text).chars().count();
        match self.quoting {
            Quoting::Bare => self.column + at,
            Quoting::Literal => self.column + 1 + at,
            Quoting::Json => {
                let mut letters = Letters::new(&self.raw, self.column);
                letters.next();
                for _ in 0..at {
                    if unescape(&mut letters).is_err() {
                        break;
                    }
                }
                letters.column()
            }
        }
    }
}

/// Characters with their columns.
#[derive(Debug)]
pub(crate) struct Letters<'a> {
    rest: std::str::Chars<'a>,
    column: usize,
}

impl<'a> Letters<'a> {
    pub(crate) fn new(text: &'a str, column: usize) -> Self {
        Self { rest: text.chars(), column }
    }

    /// Of the next character.
    pub(crate) const fn column(&self) -> usize {
        self.column
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    pub(crate) fn rest(&self) -> &'a str {
        self.rest.as_str()
    }

    pub(crate) fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }
}

impl Iterator for Letters<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let next = self.rest.next();
        self.column += usize::from(next.is_some());
        next
    }
}

/// All words of a line.
pub fn words(line: &str) -> Result<Vec<Word>, Problem> {
    let mut letters = Letters::new(line, 1);
    let mut found = Vec::new();
    loop {
        letters.skip_space();
        if letters.peek().is_none() {
            return Ok(found);
        }
        found.push(word(&mut letters)?);
    }
}

/// The next word, which begins right here.
pub(crate) fn word(letters: &mut Letters<'_>) -> Result<Word, Problem> {
    let (column, start) = (letters.column(), letters.rest());
    let (text, quoting) = match letters.peek() {
        Some('"') => (json(letters)?, Quoting::Json),
        Some('\'') => (literal(letters)?, Quoting::Literal),
        _ => (bare(letters)?, Quoting::Bare),
    };
    let raw = start.get(..start.len() - letters.rest().len()).unwrap_or(start).to_owned();
    if let Some(next) = letters.peek().filter(|next| !next.is_whitespace()) {
        return Err(Problem::at(letters.column(), format!("{next:?} stands right behind a closing quote"))
            .hint("put a space between two words, or the whole word into one pair of quotes"));
    }
    Ok(Word { column, raw, text, quoting })
}

fn bare(letters: &mut Letters<'_>) -> Result<String, Problem> {
    let (column, mut text) = (letters.column(), String::new());
    let mut open = None;
    while let Some(letter) = letters.peek().filter(|letter| !letter.is_whitespace()) {
        if letter == '"' {
            open = if open.is_some() { None } else { Some(letters.column()) };
        }
        text.push(letter);
        letters.next();
    }
    match open {
        None => Ok(text),
        // label="Save all" would fall apart at the space.
        Some(quote) => {
            let start: String = text.chars().take(40).collect();
            Err(Problem::at(quote, "a quote opens inside a word and is not closed before the word ends")
                .wide(column + text.chars().count() - quote)
                .hint(format!("put the whole word into quotes: '{start} ...\"'")))
        }
    }
}

fn literal(letters: &mut Letters<'_>) -> Result<String, Problem> {
    let column = letters.column();
    letters.next();
    let mut text = String::new();
    for letter in letters.by_ref() {
        if letter == '\'' {
            return Ok(text);
        }
        text.push(letter);
    }
    Err(Problem::at(column, "the quote ' is never closed").hint("close it; a text with ' in it stands in \"...\""))
}

fn json(letters: &mut Letters<'_>) -> Result<String, Problem> {
    let column = letters.column();
    letters.next();
    let mut text = String::new();
    loop {
        match letters.peek() {
            None => {
                return Err(Problem::at(column, "the quote \" is never closed")
                    .hint("close it; a quote inside is written \\\", and a word may stand in '...' instead"));
            }
            Some('"') => {
                letters.next();
                return Ok(text);
            }
            Some(_) => text.push(unescape(letters)?),
        }
    }
}

/// The next character of a JSON string.
fn unescape(letters: &mut Letters<'_>) -> Result<char, Problem> {
    let column = letters.column();
    let Some(letter) = letters.next() else { return Err(Problem::at(column, "the quote \" is never closed")) };
    if letter != '\\' {
        return if letter.is_control() && letter != '\t' {
            Err(Problem::at(column, format!("{letter:?} stands in a text"))
                .hint("write it as an escape: \\n, \\r, \\u001b"))
        } else {
            Ok(letter)
        };
    }
    // `\${` stays as it is, for the expansion.
    if letters.rest().starts_with("${") {
        return Ok('\\');
    }
    let wrong = |width: usize| {
        Problem::at(column, "this is no escape of a JSON string")
            .wide(width)
            .hint("the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u001b; a backslash itself is \\\\")
    };
    Ok(match letters.next().ok_or_else(|| wrong(1))? {
        letter @ ('"' | '\\' | '/') => letter,
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let first = unit(letters).ok_or_else(|| wrong(6))?;
            let second = (0xd800..0xdc00).contains(&first).then(|| {
                (letters.next() == Some('\\') && letters.next() == Some('u')).then(|| unit(letters)).flatten()
            });
            let units = match second {
                None => vec![first],
                Some(Some(second)) => vec![first, second],
                Some(None) => return Err(wrong(6)),
            };
            match char::decode_utf16(units).next() {
                Some(Ok(letter)) => letter,
                _ => return Err(wrong(6)),
            }
        }
        _ => return Err(wrong(2)),
    })
}

/// Four hexadecimal digits.
fn unit(letters: &mut Letters<'_>) -> Option<u16> {
    let digits = letters.rest().get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let unit = u16::from_str_radix(digits, 16).ok()?;
    letters.nth(3);
    Some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<String> {
        words(line).unwrap_or_else(|why| panic!("{line}: {why:?}")).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn words_are_bare_or_stand_in_quotes() {
        assert_eq!(texts("  press\tid=save --count 2 "), ["press", "id=save", "--count", "2"]);
        assert_eq!(
            texts(r#"fill "label=\"First name\"" 'it is "as it stands" \n ${X}'"#),
            ["fill", "label=\"First name\"", r#"it is "as it stands" \n ${X}"#]
        );
        assert_eq!(texts(r#"type "a\n\u00e9\ud83d\ude00\/" "" ''"#), ["type", "a\né😀/", "", ""]);
        assert_eq!(texts(r#"press label="Save" don't"#), ["press", "label=\"Save\"", "don't"]);
        assert_eq!(texts(r#"type \${A} "\${A}" "\\${A}""#), ["type", "\\${A}", "\\${A}", "\\${A}"]);
        assert!(texts("   ").is_empty());
    }

    #[test]
    fn every_word_knows_its_column() {
        let line = "press  \"lab\\u00e9l=\\\"Ünd\\\"\" 'x y' ü";
        let found = words(line).unwrap();
        assert_eq!(found.iter().map(|word| word.column).collect::<Vec<_>>(), [1, 8, 29, 35]);
        for word in &found {
            assert_eq!(word.raw, line.chars().skip(word.column - 1).take(word.width()).collect::<String>());
        }
        // The Ü stands behind two escapes.
        let at = found[1].text.find('Ü').unwrap();
        assert_eq!(line.chars().nth(found[1].column_of(at) - 1), Some('Ü'));
        assert_eq!(found[2].column_of(2), 32);
    }

    #[test]
    fn what_is_no_word_is_refused_where_it_goes_wrong() {
        for (line, column, message) in [
            (r#"type "abc"#, 6, "never closed"),
            (r"type 'abc", 6, "never closed"),
            (r#"type "a"b"#, 9, "right behind"),
            (r#"type "a\q""#, 8, "no escape"),
            (r#"type "\ud83dx""#, 7, "no escape"),
            (r#"type "\u12""#, 7, "no escape"),
            (r#"press label="Save all""#, 13, "inside a word"),
            ("type \"a\u{1}\"", 8, "stands in a text"),
        ] {
            let problem = words(line).unwrap_err();
            assert_eq!(problem.column, column, "{line}: {problem:?}");
            assert!(problem.message.contains(message) && problem.hint.is_some(), "{line}: {problem:?}");
        }
    }
}
