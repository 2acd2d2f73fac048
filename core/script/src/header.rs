//! What stands before the first step: `context` and `env`.

use clap::ValueEnum;
use contract::view::Platform;

use crate::{
    error::Problem,
    variables::{RESERVED, check_name},
    word::{Letters, Quoting, Word, word},
};

/// The most retries a script may ask for.
pub const RETRIES: u32 = 3;
/// The longest limit, ms: a day.
const TIMEOUT_MS: u64 = 86_400_000;

/// What a script says of what it runs on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Context {
    /// The platform that it was made for.
    pub platform: Option<Platform>,
    /// Which kind of device.
    pub target: Option<String>,
    /// The limit of one attempt, ms.
    pub timeout_ms: Option<u64>,
    /// How often the whole is tried again after a failure, at most.
    pub retries: Option<u32>,
    /// Keys that mean nothing here, in the order in which they stand: kept, not followed.
    pub others: Vec<(String, String)>,
}

/// Keys that recordings carry for people; nobody warns of them.
const TOLD: &[&str] = &["device", "kind", "theme", "app", "recorded"];

impl Context {
    /// Takes one `key=value`. What comes back is a warning.
    pub(crate) fn take(&mut self, pair: Pair) -> Result<Option<Problem>, Problem> {
        let Pair { key, key_column, value } = pair;
        let twice = || {
            let width = key.chars().count();
            Problem::at(key_column, format!("{key} is said twice")).wide(width).hint("keep one of the two")
        };
        let whole = |range: std::ops::RangeInclusive<u64>, what: &str| {
            value.text.parse::<u64>().ok().filter(|number| range.contains(number)).ok_or_else(|| {
                value.problem(format!("{key} is {} to {}{what}, not {:?}", range.start(), range.end(), value.text))
            })
        };
        match key.as_str() {
            "platform" => {
                let platform = Platform::from_str(&value.text, true).map_err(|_| {
                    value.problem(format!("there is no platform {:?}", value.text)).hint("stage, web or android")
                })?;
                set(&mut self.platform, platform).map_err(|()| twice())?;
            }
            "target" => set(&mut self.target, value.text.clone()).map_err(|()| twice())?,
            "timeout" => {
                let timeout = whole(1..=TIMEOUT_MS, " ms").map_err(|problem| problem.hint("a whole number of ms"))?;
                set(&mut self.timeout_ms, timeout).map_err(|()| twice())?;
            }
            "retries" => {
                let retries = whole(0..=RETRIES.into(), "").map_err(|problem| {
                    problem.hint("a script that needs more is better mended: see why it fails in the report")
                })?;
                set(&mut self.retries, u32::try_from(retries).unwrap_or(RETRIES)).map_err(|()| twice())?;
            }
            _ if self.others.iter().any(|(other, _)| *other == key) => return Err(twice()),
            _ => {
                let warning = (!TOLD.contains(&key.as_str())).then(|| {
                    Problem::at(key_column, format!("{key} means nothing here and is not followed"))
                        .wide(key.chars().count())
                        .hint("context has platform, target, timeout and retries")
                });
                self.others.push((key, value.text));
                return Ok(warning);
            }
        }
        Ok(None)
    }

    /// The pairs of one `context` line, in the order in which they are written.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let known = [
            ("platform", self.platform.map(|platform| platform.to_string())),
            ("target", self.target.clone()),
            ("timeout", self.timeout_ms.map(|timeout| timeout.to_string())),
            ("retries", self.retries.map(|retries| retries.to_string())),
        ];
        let known = known.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        known.chain(self.others.iter().cloned()).collect()
    }
}

fn set<T>(place: &mut Option<T>, value: T) -> Result<(), ()> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(()),
    }
}

/// One `key=value`.
#[derive(Debug)]
pub(crate) struct Pair {
    /// Before the `=`.
    pub key: String,
    /// Where it begins.
    pub key_column: usize,
    /// Behind the `=`, in quotes or not.
    pub value: Word,
}

/// The pairs behind `context` or `env`.
pub(crate) fn pairs(line: &str, keyword: &str) -> Result<Vec<Pair>, Problem> {
    let mut letters = Letters::new(line, 1);
    letters.skip_space();
    letters.nth(keyword.chars().count().saturating_sub(1));
    let mut found = Vec::new();
    loop {
        letters.skip_space();
        let key_column = letters.column();
        if letters.peek().is_none() {
            if found.is_empty() {
                let example = if keyword == "env" { "env NAME=value" } else { "context platform=web timeout=60000" };
                return Err(
                    Problem::at(key_column, format!("{keyword} says nothing")).hint(format!("such as: {example}"))
                );
            }
            return Ok(found);
        }
        let mut key = String::new();
        while let Some(letter) = letters.peek().filter(|letter| !letter.is_whitespace() && *letter != '=') {
            key.push(letter);
            letters.next();
        }
        if letters.peek() != Some('=') || key.is_empty() {
            return Err(Problem::at(key_column, format!("{key:?} is no key=value"))
                .wide(key.chars().count())
                .hint("a value with spaces stands in quotes: key=\"two words\""));
        }
        letters.next();
        let value = if letters.peek().is_none_or(char::is_whitespace) {
            Word { column: letters.column(), raw: String::new(), text: String::new(), quoting: Quoting::Bare }
        } else {
            word(&mut letters)?
        };
        found.push(Pair { key, key_column, value: settled(value)? });
    }
}

/// One `NAME=value` of an `env` line.
pub(crate) fn variable(pair: Pair, known: &[(String, String)]) -> Result<(String, String), Problem> {
    let Pair { key, key_column, value } = pair;
    let problem = |message: String| Problem::at(key_column, message).wide(key.chars().count());
    check_name(&key).map_err(|why| problem(why).hint(format!("such as: env {}=...", suggested(&key))))?;
    if key.starts_with(RESERVED) {
        return Err(
            problem(format!("names that begin with {RESERVED} are the program's own")).hint("take another name")
        );
    }
    if known.iter().any(|(name, _)| *name == key) {
        return Err(problem(format!("{key} has a value already")).hint("keep one of the two"));
    }
    Ok((key, value.text))
}

/// A value as it is meant: nothing is put into it, `\${` is `${`.
fn settled(mut value: Word) -> Result<Word, Problem> {
    if value.quoting == Quoting::Literal {
        return Ok(value);
    }
    if value.text.replace("\\${", "").contains("${") {
        return Err(value
            .problem("a value is taken as it stands: variables are put into steps only")
            .hint("a literal ${ stands in '...': NAME='${...}'"));
    }
    value.text = value.text.replace("\\${", "${");
    Ok(value)
}

fn suggested(key: &str) -> String {
    let name: String = key
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' })
        .collect();
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("_{name}") } else { name }
}
