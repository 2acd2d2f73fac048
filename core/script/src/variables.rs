//! Variables: where their values come from, and how they are put into words.

use std::collections::BTreeMap;

use crate::{
    error::Problem,
    word::{Quoting, Word},
};

/// What the environment of the caller calls `NAME`.
pub const ENVIRONMENT: &str = "AD_VAR_";
/// Names that begin so are given by the program alone.
pub const RESERVED: &str = "AD_";
/// No expanded word is longer, bytes.
const LONGEST: usize = 256 << 10;

/// Values by name, the first of four sources that has one: what was given on the command line, the caller's
/// environment, the script, and the program.
#[derive(Debug, Clone, Default)]
pub struct Variables {
    given: BTreeMap<String, String>,
    environment: BTreeMap<String, String>,
    script: BTreeMap<String, String>,
    builtin: BTreeMap<String, String>,
}

impl Variables {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the command line gave: `-e NAME=VALUE`.
    #[must_use]
    pub fn given(mut self, values: impl IntoIterator<Item = (String, String)>) -> Self {
        self.given.extend(values);
        self
    }

    /// The environment of the caller. Only what begins with `AD_VAR_` is taken.
    #[must_use]
    pub fn environment(mut self, values: impl IntoIterator<Item = (String, String)>) -> Self {
        let named = |(name, value): (String, String)| Some((name.strip_prefix(ENVIRONMENT)?.to_owned(), value));
        self.environment.extend(values.into_iter().filter_map(named));
        self
    }

    /// What the script's `env` lines say.
    #[must_use]
    pub fn script(mut self, values: impl IntoIterator<Item = (String, String)>) -> Self {
        self.script.extend(values);
        self
    }

    /// What the program knows of the run: `AD_PLATFORM`, `AD_SESSION`, `AD_FILENAME`, ...
    #[must_use]
    pub fn builtin(mut self, values: impl IntoIterator<Item = (String, String)>) -> Self {
        self.builtin.extend(values);
        self
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&str> {
        [&self.given, &self.environment, &self.script, &self.builtin]
            .into_iter()
            .find_map(|source| source.get(name))
            .map(String::as_str)
    }

    /// A word with its variables put in.
    ///
    /// # Errors
    /// The place of a variable that has no value, or of what is no variable.
    pub fn expand(&self, word: &Word) -> Result<String, Problem> {
        let mut out = String::with_capacity(word.text.len());
        for part in parts(word)? {
            match part {
                Part::Text(text) => out.push_str(&text),
                Part::Variable { name, default, column } => {
                    // As in a shell, an empty value is none where there is a default.
                    let value = match (self.get(name), &default) {
                        (Some(value), _) if !value.is_empty() => value,
                        (_, Some(default)) => default,
                        (Some(value), None) => value,
                        (None, None) => {
                            return Err(Problem::at(column, format!("the variable {name} has no value"))
                                .wide(name.len() + 3)
                                .hint(self.advice(name)));
                        }
                    };
                    out.push_str(value);
                }
            }
            if out.len() > LONGEST {
                return Err(word.problem(format!("with its variables this is more than {} KiB", LONGEST >> 10)));
            }
        }
        Ok(out)
    }

    fn advice(&self, name: &str) -> String {
        if name.starts_with(RESERVED) {
            let known: Vec<_> = self.builtin.keys().map(String::as_str).collect();
            return format!("{RESERVED}... are the program's own; it has {}", known.join(", "));
        }
        format!(
            "give it a value: -e {name}=..., {ENVIRONMENT}{name}=... in the environment, a line `env {name}=...` before \
             the first step, or a default: ${{{name}:-...}}"
        )
    }
}

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part<'a> {
    /// As it stands.
    Text(String),
    /// `${NAME}` or `${NAME:-default}`.
    Variable {
        /// Its name.
        name: &'a str,
        /// What stands for it where it has no value.
        default: Option<String>,
        /// Where it stands in the line.
        column: usize,
    },
}

/// A word taken apart at its variables.
pub fn parts(word: &Word) -> Result<Vec<Part<'_>>, Problem> {
    if word.quoting == Quoting::Literal {
        return Ok(vec![Part::Text(word.text.clone())]);
    }
    let (text, mut at, mut found, mut plain) = (word.text.as_str(), 0, Vec::new(), String::new());
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with("\\${") {
            plain.push_str("${");
            at += 3;
        } else if let Some(inner) = rest.strip_prefix("${") {
            if !plain.is_empty() {
                found.push(Part::Text(std::mem::take(&mut plain)));
            }
            let (variable, length) = variable(word, at, inner)?;
            found.push(variable);
            at += 2 + length;
        } else {
            let letter = rest.chars().next().unwrap_or_default();
            plain.push(letter);
            at += letter.len_utf8();
        }
    }
    if !plain.is_empty() || found.is_empty() {
        found.push(Part::Text(plain));
    }
    Ok(found)
}

/// A variable, from behind its `${`, and how many bytes it takes from there.
fn variable<'a>(word: &Word, at: usize, inner: &'a str) -> Result<(Part<'a>, usize), Problem> {
    let column = word.column_of(at);
    let problem = |offset: usize, message: String| Problem::at(word.column_of(at + 2 + offset), message);
    let literal = "a literal ${ is written \\${, or stands in '...'";
    let length = inner.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let (name, rest) = inner.split_at(length);
    if let Err(why) = check_name(name) {
        return Err(problem(0, why).wide(length).hint(literal));
    }
    if rest.starts_with('}') {
        return Ok((Part::Variable { name, default: None, column }, length + 1));
    }
    let Some(default) = rest.strip_prefix(":-") else {
        let (message, hint) = match rest.chars().next() {
            None => ("the variable is not closed: } is missing".to_owned(), literal),
            Some(other) => (
                format!("{other:?} cannot stand in a variable"),
                "a variable is ${NAME} or ${NAME:-default}; a literal ${ is written \\${",
            ),
        };
        return Err(problem(length, message).hint(hint));
    };
    let mut value = String::new();
    let mut letters = default.char_indices();
    while let Some((offset, letter)) = letters.next() {
        match letter {
            '}' => {
                let used = length + 2 + offset + 1;
                return Ok((Part::Variable { name, default: Some(value), column }, used));
            }
            '\\' => match letters.next() {
                Some((_, escaped)) => value.push(escaped),
                None => break,
            },
            '$' if default.get(offset + 1..).is_some_and(|next| next.starts_with('{')) => {
                return Err(problem(length + 2 + offset, "a variable cannot stand in another's default".into())
                    .wide(2)
                    .hint("give it a line of its own: env NAME=...; a literal ${ is written \\${ there"));
            }
            letter => value.push(letter),
        }
    }
    let hint = match word.quoting {
        Quoting::Bare => "a default with spaces needs the whole word in double quotes: \"${NAME:-two words}\"",
        _ => "close it with }; a } inside the default is written \\}",
    };
    Err(Problem::at(column, "the variable is not closed: } is missing").wide(2).hint(hint))
}

/// What may be the name of a variable.
///
/// # Errors
/// What is wrong with it.
pub fn check_name(name: &str) -> Result<(), String> {
    let first = name.chars().next().is_some_and(|first| first.is_ascii_uppercase() || first == '_');
    if first && name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_') {
        return Ok(());
    }
    Err(format!("{name:?} is no name of a variable: upper-case letters, digits and _, no digit first"))
}

/// Reads `NAME=VALUE`, as it stands behind `-e`.
///
/// # Errors
/// What is wrong with it.
pub fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("{text:?} is no NAME=VALUE"))?;
    check_name(name)?;
    if name.starts_with(RESERVED) {
        return Err(format!("{name:?}: names that begin with {RESERVED} are the program's own"));
    }
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::words;

    fn pair(name: &str, value: &str) -> [(String, String); 1] {
        [(name.to_owned(), value.to_owned())]
    }

    fn expand(variables: &Variables, line: &str) -> Result<String, Problem> {
        variables.expand(&words(line).unwrap()[0])
    }

    #[test]
    fn the_command_line_goes_before_the_environment_the_script_and_the_program() {
        let mut variables = Variables::new().builtin(pair("X", "builtin"));
        assert_eq!(variables.get("X"), Some("builtin"));
        variables = variables.script(pair("X", "script"));
        assert_eq!(variables.get("X"), Some("script"));
        variables = variables.environment(pair("X", "no")).environment(pair("AD_VAR_X", "environment"));
        assert_eq!(variables.get("X"), Some("environment"));
        variables = variables.given(pair("X", "given"));
        assert_eq!(variables.get("X"), Some("given"));
    }

    #[test]
    fn variables_and_defaults_are_put_in() {
        let variables = Variables::new().given(pair("NAME", "Ada L.")).given(pair("EMPTY", ""));
        for (line, expanded) in [
            ("label=${NAME}", "label=Ada L."),
            (r#""a ${NAME} b ${NAME}""#, "a Ada L. b Ada L."),
            ("${NONE:-x}${EMPTY:-y}${NAME:-z}", "xyAda L."),
            ("${NONE:-}", ""),
            ("${EMPTY}", ""),
            (r"${NONE:-a\}b\\c}", r"a}b\c"),
            (r#""${NONE:-two words}""#, "two words"),
            (r"\${NAME}", "${NAME}"),
            (r#""\${NAME}""#, "${NAME}"),
            (r#""\\${NAME}""#, "${NAME}"),
            (r"\\${NAME}", r"\${NAME}"),
            ("'${NAME}'", "${NAME}"),
            (r"C:\x $5 {}", r"C:\x"),
            ("$NAME", "$NAME"),
            (r#""""#, ""),
        ] {
            assert_eq!(expand(&variables, line).unwrap(), expanded, "{line}");
        }
    }

    #[test]
    fn a_value_is_not_expanded_again() {
        let variables = Variables::new().given(pair("A", "${B}")).given(pair("B", "x"));
        assert_eq!(expand(&variables, "${A}").unwrap(), "${B}");
    }

    #[test]
    fn what_is_wrong_with_a_variable_is_said_where_it_stands() {
        let variables = Variables::new().builtin(pair("AD_SESSION", "s"));
        for (line, column, message, hint) in [
            ("id=${NOPE}", 4, "NOPE has no value", "-e NOPE=..."),
            ("${AD_NOPE}", 1, "has no value", "it has AD_SESSION"),
            ("x${lower}", 4, "no name of a variable", "\\${"),
            ("${}", 3, "no name of a variable", "\\${"),
            ("${A", 4, "not closed", "\\${"),
            ("${A-b}", 4, "cannot stand", "${NAME:-default}"),
            ("${A:-b", 1, "not closed", "double quotes"),
            (r#""é${A:-${B}}""#, 8, "another's default", "env"),
        ] {
            let problem = expand(&variables, line).unwrap_err();
            assert_eq!(problem.column, column, "{line}: {problem:?}");
            assert!(problem.message.contains(message), "{line}: {problem:?}");
            assert!(problem.hint.clone().unwrap().contains(hint), "{line}: {problem:?}");
        }
    }

    #[test]
    fn an_assignment_has_a_name_that_may_be_given() {
        assert_eq!(assignment("A_1=x=y").unwrap(), ("A_1".to_owned(), "x=y".to_owned()));
        for bad in ["A", "a=b", "AD_SESSION=x", "=x", "1A=x"] {
            assert!(assignment(bad).is_err(), "{bad}");
        }
    }
}
