//! One step: a line of words, and the command that it becomes once the variables are known.

use contract::{Command, command::GestureWords};
use screen::Selector;
use serde_json::Value;

use crate::{
    error::{Problem, ScriptError, Source},
    evidence::Evidence,
    quote::quote,
    standing::{Aim, aims, may_stand},
    variables::{Part, Variables, parts},
    word::{Quoting, Word},
};

/// Stands around the number of a word whose value is not to be taken for a flag: no character, so in nobody's text.
const MARK: &str = "\u{fdd2}";

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its line.
    pub source: Source,
    /// The words as they stand there: variables are put in when it runs.
    pub words: Vec<Word>,
    /// What its target was when it was recorded, and the line that says so.
    pub evidence: Option<(u32, Evidence)>,
    /// Where no variable is in it, the command.
    fixed: Option<Command>,
}

impl Step {
    /// A step of at least one word. Where it has no variables, it is read at once.
    ///
    /// # Errors
    /// What is wrong with it, as far as it can be known without the variables.
    pub(crate) fn new(
        source: Source,
        words: Vec<Word>,
        evidence: Option<(u32, Evidence)>,
    ) -> Result<Self, ScriptError> {
        let mut step = Self { source, words, evidence, fixed: None };
        let mut variables = Vec::with_capacity(step.words.len());
        for word in &step.words {
            let parts = parts(word).map_err(|problem| step.source.error(problem))?;
            variables.push(parts.iter().any(|part| matches!(part, Part::Variable { .. })));
        }
        if !variables.contains(&true) {
            step.fixed = Some(step.command(&Variables::new())?);
        } else if variables.first() == Some(&false)
            && let Some(name) = step.words.first()
            && let Err(misread) = Command::from_words(&[&name.text])
            && misread.failure.reason_str() == Some("unknown_command")
        {
            return Err(step.misread(*misread, &[]));
        }
        Ok(step)
    }

    /// Its line, from 1 on.
    pub const fn line(&self) -> u32 {
        self.source.line
    }

    /// As it stands in the file: without the values of variables, so without what is secret there.
    pub fn text(&self) -> &str {
        self.source.text.trim()
    }

    /// The command, with the variables put in, checked as far as it can be without a device.
    ///
    /// # Errors
    /// What is wrong with it, and where. Values of variables are not repeated: they may be secret.
    pub fn command(&self, variables: &Variables) -> Result<Command, ScriptError> {
        if let Some(command) = &self.fixed {
            return Ok(command.clone());
        }
        let texts = self.texts(variables)?;
        let command = self.read(&texts)?;
        may_stand(&command)
            .map_err(|(why, instead)| self.source.error(Problem { hint: Some(instead), ..self.whole(why) }))?;
        for aim in aims(&command) {
            self.check_aim(aim, &texts)?;
        }
        let drag = matches!(&command, Command::Gesture(gesture) if matches!(*gesture.words, GestureWords::Drag { .. }));
        if let Some((_, Evidence::Targets(_))) = self.evidence
            && !drag
        {
            let problem = self.whole("the evidence above is of two targets; only a drag has two");
            return Err(self.source.error(problem.hint("record the step again, or remove the line above")));
        }
        Ok(command)
    }

    /// The line with the word that stands for `old` (a selector, a text) replaced. `None` where no word does.
    pub fn replaced(&self, variables: &Variables, old: &str, new: &str) -> Option<String> {
        let texts = self.texts(variables).ok()?;
        let at = texts.iter().position(|text| text == old)?;
        let words: Vec<_> = self
            .words
            .iter()
            .enumerate()
            .map(|(number, word)| if number == at { quote(new) } else { word.raw.clone() })
            .collect();
        Some(words.join(" "))
    }

    /// The command of the words. What comes out of a variable is a value, also where it begins with a hyphen.
    fn read(&self, texts: &[String]) -> Result<Command, ScriptError> {
        let is_value = |word: &Word, text: &str| {
            text.starts_with('-') && !word.text.starts_with('-') && text.parse::<f64>().is_err()
        };
        let marked: Vec<_> = self
            .words
            .iter()
            .zip(texts)
            .enumerate()
            .map(|(at, (word, text))| if is_value(word, text) { format!("{MARK}{at}{MARK}") } else { text.clone() })
            .collect();
        let command = Command::from_words(&marked).map_err(|misread| self.misread(*misread, &marked))?;
        if marked == texts {
            return Ok(command);
        }
        let mut args = command.to_args();
        restore(&mut args, &marked, texts);
        Command::from_call(command.spec().name, &args)
            .map_err(|failure| self.source.error(self.whole(self.without_values(&failure.message, texts))))
    }

    /// The words with the variables put in.
    fn texts(&self, variables: &Variables) -> Result<Vec<String>, ScriptError> {
        let expanded: Result<Vec<_>, _> = self.words.iter().map(|word| variables.expand(word)).collect();
        expanded.map_err(|problem| self.source.error(problem))
    }

    /// A problem of the command as a whole: its name is marked.
    fn whole(&self, message: impl Into<String>) -> Problem {
        let name = self.words.first().map_or_else(|| Problem::at(1, String::new()), |word| word.problem(String::new()));
        name.said(message)
    }

    fn check_aim(&self, aim: Aim<'_>, texts: &[String]) -> Result<(), ScriptError> {
        let word = texts.iter().position(|text| text.ends_with(aim.word())).and_then(|at| self.words.get(at));
        let at_word = |message: &str| word.map_or_else(|| self.whole(message), |word| word.problem(message));
        match aim {
            Aim::Ref(reference) => Err(self.source.error(
                at_word("a ref means something only in the session that showed it").hint(format!(
                    "scripts name targets by selectors: see the selectorChain of agent-device press {reference} --json, \
                     or agent-device help selectors"
                )),
            )),
            Aim::Selector(selector) => match Selector::parse(selector) {
                Ok(_) => Ok(()),
                Err(error) => {
                    let said = error.to_string();
                    // The column in the file says more than that in the selector.
                    let message = said.split(" (column ").next().unwrap_or(&said);
                    let hint = match error.suggestion() {
                        Some(suggestion) => format!("did you mean {suggestion}?"),
                        None => format!("expected {}", error.expected()),
                    };
                    let mut problem = at_word(&self.without_values(message, texts));
                    problem.hint = Some(self.without_values(&hint, texts));
                    if let Some(word) = word.filter(|word| word.text == selector) {
                        problem.column = word.column_of(error.position);
                        problem.width = 1;
                    }
                    Err(self.source.error(problem))
                }
            },
        }
    }

    /// What [`Command::from_words`] said, at the place of the word.
    fn misread(&self, misread: contract::command::Misread, texts: &[String]) -> ScriptError {
        let message = self.without_values(&misread.failure.message, texts);
        let word = misread.word.and_then(|at| self.words.get(at));
        let mut problem = match word {
            Some(word) => word.problem(message),
            None => Problem::at(self.words.last().map_or(1, |word| word.column + word.width() + 1), message),
        };
        problem.hint = misread.failure.hint.map(|hint| self.without_values(&hint, texts));
        if self.words.iter().any(|word| word.quoting == Quoting::Bare && word.text == "#") {
            problem.hint = Some("a comment stands on a line of its own, which begins with #".to_owned());
        }
        self.source.error(problem)
    }

    /// A message in which the values of variables stand as the script has them.
    fn without_values(&self, message: &str, texts: &[String]) -> String {
        let mut message = message.to_owned();
        for (word, text) in self.words.iter().zip(texts) {
            if word.text == *text || text.is_empty() || word.quoting == Quoting::Literal {
                continue;
            }
            message = message.replace(&format!("{text:?}"), &format!("{:?}", word.text));
            message = message.replace(&format!("'{text}'"), &format!("'{}'", word.text));
            // What is shorter may be part of any word of the message.
            if text.len() >= 4 {
                message = message.replace(text.as_str(), &word.text);
            }
        }
        message
    }
}

/// Puts the values back in the place of their marks.
fn restore(args: &mut Value, marked: &[String], texts: &[String]) {
    match args {
        Value::String(text) if text.starts_with(MARK) => {
            if let Some(value) = marked.iter().position(|mark| mark == text).and_then(|at| texts.get(at)) {
                text.clone_from(value);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| restore(item, marked, texts)),
        Value::Object(fields) => fields.values_mut().for_each(|field| restore(field, marked, texts)),
        _ => {}
    }
}

/// Whether both say the same: the same words and evidence, wherever they stand.
pub fn alike(one: &Step, other: &Step) -> bool {
    let said = |step: &Step| {
        let words = step.words.iter().map(|word| parts(word).map(|parts| unplaced(&parts)));
        (words.collect::<Vec<_>>(), step.evidence.as_ref().map(|(_, evidence)| evidence.clone()))
    };
    said(one) == said(other)
}

/// Parts of a word without their columns.
pub(crate) fn unplaced(parts: &[Part<'_>]) -> Vec<(bool, String, Option<String>)> {
    parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => (false, text.clone(), None),
            Part::Variable { name, default, .. } => (true, (*name).to_owned(), default.clone()),
        })
        .collect()
}
