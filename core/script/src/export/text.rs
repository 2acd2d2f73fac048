//! Texts with variables on their way from one format to the other.
//!
//! A command is read with a mark in the place of each variable; when its texts are written, the marks become what the
//! other format writes for a variable.

use std::collections::BTreeMap;

use crate::{
    error::Problem,
    variables::{Part, parts},
    word::Word,
};

/// Stands before and behind a mark's number: no character, so in nobody's text.
const EDGE: char = '\u{fdd0}';
/// The number 0.
const ZERO: u32 = 0xe000;
/// More variables are not told apart.
const MOST: u32 = 0x1000;

/// The variables of a script.
#[derive(Debug, Default)]
pub(super) struct Marks {
    uses: Vec<(String, Option<String>)>,
}

impl Marks {
    /// A word with marks in the place of its variables.
    pub(super) fn mark(&mut self, word: &Word) -> Result<String, Problem> {
        let mut out = String::new();
        for part in parts(word)? {
            match part {
                Part::Text(text) if text.contains(EDGE) => {
                    return Err(word.problem("U+FDD0 is no character: a flow cannot hold it"));
                }
                Part::Text(text) => out.push_str(&text),
                Part::Variable { name, default, column } => {
                    let one = (name.to_owned(), default);
                    let known = self.uses.iter().position(|known| *known == one);
                    let number = known.unwrap_or_else(|| {
                        self.uses.push(one);
                        self.uses.len() - 1
                    });
                    let letter = u32::try_from(number).ok().filter(|number| *number < MOST);
                    let letter = letter.and_then(|number| char::from_u32(ZERO + number));
                    let letter = letter.ok_or_else(|| Problem::at(column, format!("more than {MOST} variables")))?;
                    out.extend([EDGE, letter, EDGE]);
                }
            }
        }
        Ok(out)
    }

    /// A text as the other format writes it. `literal` writes what stands between variables.
    fn write(&self, text: &str, literal: impl Fn(&str) -> String) -> String {
        let mut out = String::new();
        // Between two edges stands one letter; texts of a page have no such letters.
        let mut pieces = text.split(EDGE);
        while let Some(piece) = pieces.next() {
            out.push_str(&literal(piece));
            let number = pieces.next().and_then(|letter| letter.chars().next());
            let used = number.and_then(|letter| u32::from(letter).checked_sub(ZERO));
            if let Some((name, _)) = used.and_then(|at| self.uses.get(usize::try_from(at).ok()?)) {
                out.push_str(&format!("${{{}}}", renamed(name)));
            }
        }
        out
    }

    /// A text to type or to show.
    pub(super) fn text(&self, text: &str) -> String {
        self.write(text, |piece| piece.replace("${", "\\${"))
    }

    /// A text that an element has: the other format takes it for a regular expression.
    pub(super) fn exactly(&self, text: &str) -> String {
        self.write(text, |piece| escaped(piece).replace("${", "\\${"))
    }

    /// A text that an element has as a part of its own.
    pub(super) fn part(&self, text: &str) -> String {
        format!(".*{}.*", self.exactly(text))
    }

    /// A regular expression.
    pub(super) fn pattern(&self, expression: &str) -> String {
        self.write(expression, |piece| piece.replace("${", "\\${"))
    }

    /// Whether a text has variables in it.
    pub(super) fn in_text(&self, text: &str) -> bool {
        text.contains(EDGE)
    }

    /// The defaults of variables, those that the script's `env` has left out; and those that have two.
    pub(super) fn defaults(&self, env: &[(String, String)]) -> (Vec<(String, String)>, Vec<String>) {
        let mut defaults: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, default) in &self.uses {
            if let Some(default) = default
                && !env.iter().any(|(known, _)| known == name)
            {
                defaults.entry(name).or_default().push(default);
            }
        }
        let twice = defaults.iter().filter(|(_, all)| all.len() > 1).map(|(name, _)| (*name).to_owned()).collect();
        let first = defaults.iter().filter_map(|(name, all)| Some(((*name).to_owned(), (*all.first()?).to_owned())));
        (first.collect(), twice)
    }

    /// The program's own variables that are used and have no name in the other format.
    pub(super) fn unknown(&self) -> Vec<String> {
        let own = |name: &&str| name.starts_with(crate::variables::RESERVED) && renamed(name) == *name;
        let mut names: Vec<_> =
            self.uses.iter().map(|(name, _)| name.as_str()).filter(own).map(str::to_owned).collect();
        names.sort();
        names.dedup();
        names
    }
}

/// What the other format calls one of the program's own variables.
fn renamed(name: &str) -> &str {
    match name {
        "AD_FILENAME" => "MAESTRO_FILENAME",
        other => other,
    }
}

/// A text as a regular expression that matches it alone.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if r"\.+*?()|[]{}^$".contains(letter) {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}
