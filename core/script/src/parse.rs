//! A script's text as a [`Script`], or everything that is wrong with it.

use std::sync::Arc;

use crate::{
    Script,
    error::{Problem, ScriptError, Source, Warning},
    evidence::{Evidence, PREFIX},
    header::{pairs, variable},
    step::Step,
    word::{Quoting, words},
};

/// Problems that are reported at most.
pub const MOST_ERRORS: usize = 50;
/// Steps at most.
pub const MOST_STEPS: usize = 10_000;
/// A longer file is no script, bytes.
pub const LONGEST_FILE: usize = 4 << 20;
/// A longer line is none either, bytes.
const LONGEST_LINE: usize = 256 << 10;

/// Reads a script. `file` is its name as a person would give it.
///
/// # Errors
/// Everything that is wrong with it, in the order of the lines, the first [`MOST_ERRORS`] of it.
pub fn parse(text: &str, file: &str) -> Result<Script, Vec<ScriptError>> {
    let mut reader = Reader { script: Script::empty(file), errors: Vec::new(), more: 0, evidence: None };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > LONGEST_FILE {
        let problem = Problem::at(1, format!("a script has at most {} MiB", LONGEST_FILE >> 20));
        return Err(vec![reader.source(1, "").error(problem.hint("split it into several scripts"))]);
    }
    for (line, number) in text.lines().zip(1..) {
        let source = reader.source(number, line);
        if let Err(problem) = reader.line(&source) {
            reader.fail(source.error(problem));
        }
    }
    reader.end()
}

struct Reader {
    script: Script,
    errors: Vec<ScriptError>,
    /// Errors beyond those.
    more: usize,
    /// Evidence that waits for its step.
    evidence: Option<(Source, Evidence)>,
}

impl Reader {
    fn source(&self, line: u32, text: &str) -> Source {
        Source { file: Arc::clone(&self.script.file), line, text: text.into() }
    }

    fn fail(&mut self, error: ScriptError) {
        if self.errors.len() < MOST_ERRORS { self.errors.push(error) } else { self.more += 1 }
    }

    fn warn(&mut self, source: &Source, problem: Problem) {
        if self.script.warnings.len() < MOST_ERRORS {
            self.script.warnings.push(Warning(source.error(problem)));
        }
    }

    fn line(&mut self, source: &Source) -> Result<(), Problem> {
        let line = source.text.trim();
        if source.text.len() > LONGEST_LINE {
            self.strand();
            return Err(Problem::at(1, format!("a line has at most {} KiB", LONGEST_LINE >> 10)).hint("shorten it"));
        }
        if line.is_empty() {
            self.strand();
            return Ok(());
        }
        if line.starts_with('#') {
            self.strand();
            return self.comment(source);
        }
        match line.split(char::is_whitespace).next() {
            Some("context") => self.context(source),
            Some("env") => self.env(source),
            _ => self.step(source),
        }
    }

    /// Evidence stands directly above a step, or it is nobody's.
    fn strand(&mut self) {
        if let Some((source, _)) = self.evidence.take() {
            let problem = Problem::at(1, "evidence of a target stands directly above its step")
                .wide(source.text.chars().count())
                .hint("put it right above the step it belongs to, or remove it");
            self.fail(source.error(problem));
        }
    }

    fn comment(&mut self, source: &Source) -> Result<(), Problem> {
        let indent = source.text.chars().take_while(|letter| letter.is_whitespace()).count();
        let read = Evidence::read(source.text.trim())
            .map_err(|problem| Problem { column: problem.column + indent, ..problem })?;
        match read {
            Some(evidence) => self.evidence = Some((source.clone(), evidence)),
            None if source.text.trim().starts_with(PREFIX) => {
                let problem = Problem::at(indent + 1, "this build does not know this kind of evidence; it is left out")
                    .wide(source.text.trim().chars().count())
                    .hint("the kinds are target-v1 and targets-v1");
                self.warn(source, problem);
            }
            None => {}
        }
        Ok(())
    }

    /// What belongs before the first step.
    fn early(&mut self, source: &Source, keyword: &str) -> Result<(), Problem> {
        self.strand();
        if self.script.steps.is_empty() {
            return Ok(());
        }
        let column = source.text.chars().take_while(|letter| letter.is_whitespace()).count() + 1;
        let first = self.script.steps.first().map_or(0, Step::line);
        Err(Problem::at(column, format!("{keyword} stands before the first step, which is in line {first}"))
            .wide(keyword.len())
            .hint("move it to the top"))
    }

    fn context(&mut self, source: &Source) -> Result<(), Problem> {
        self.early(source, "context")?;
        for pair in pairs(&source.text, "context")? {
            match self.script.context.take(pair) {
                Ok(Some(warning)) => self.warn(source, warning),
                Ok(None) => {}
                Err(problem) => self.fail(source.error(problem)),
            }
        }
        Ok(())
    }

    fn env(&mut self, source: &Source) -> Result<(), Problem> {
        self.early(source, "env")?;
        for pair in pairs(&source.text, "env")? {
            match variable(pair, &self.script.env) {
                Ok(pair) => self.script.env.push(pair),
                Err(problem) => self.fail(source.error(problem)),
            }
        }
        Ok(())
    }

    fn step(&mut self, source: &Source) -> Result<(), Problem> {
        let evidence = self.evidence.take().map(|(at, evidence)| (at.line, evidence));
        if self.script.steps.len() >= MOST_STEPS {
            return Err(Problem::at(1, format!("a script has at most {MOST_STEPS} steps"))
                .hint("split it into several scripts"));
        }
        let words = words(&source.text)?;
        for word in &words {
            if word.quoting == Quoting::Literal && word.text.contains("${") {
                let problem = word.problem("in '...' a variable is not put in");
                self.warn(source, problem.hint("where it should be, use double quotes: \"...\""));
            }
        }
        match Step::new(source.clone(), words, evidence) {
            Ok(step) => self.script.steps.push(step),
            Err(error) => self.fail(error),
        }
        Ok(())
    }

    fn end(mut self) -> Result<Script, Vec<ScriptError>> {
        self.strand();
        if self.script.steps.is_empty() && self.errors.is_empty() {
            let problem = Problem::at(1, "this script has no steps");
            self.fail(self.source(1, "").error(problem.hint("write one command on a line, such as: open demo")));
        }
        if self.errors.is_empty() {
            return Ok(self.script);
        }
        self.errors.sort_by_key(|error| (error.source.line, error.problem.column));
        if let Some(last) = self.errors.last_mut().filter(|_| self.more > 0) {
            let more = format!("and {} more problems below", self.more);
            last.problem.hint = Some(last.problem.hint.take().map_or(more.clone(), |hint| format!("{hint}\n{more}")));
        }
        Err(self.errors)
    }
}
