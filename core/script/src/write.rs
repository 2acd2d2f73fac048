//! Writing scripts: recorded ones from their steps, read ones back as text, and repairs into a file that is there.

use std::collections::BTreeMap;

use crate::{Script, error::ScriptError, evidence::Evidence, parse::parse, quote::quote};

/// A script that is being written.
#[derive(Debug, Clone, Default)]
pub struct Writer {
    notes: Vec<String>,
    context: Vec<(String, String)>,
    env: Vec<(String, String)>,
    steps: Vec<(Vec<String>, Option<Evidence>, String)>,
}

impl Writer {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a comment at the top.
    #[must_use]
    pub fn note(mut self, text: &str) -> Self {
        self.notes.push(comment(text));
        self
    }

    /// Adds to the `context` line.
    #[must_use]
    pub fn context(mut self, key: &str, value: &str) -> Self {
        self.context.push((key.to_owned(), value.to_owned()));
        self
    }

    /// Adds an `env` line.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds a step: a line such as [`crate::line_of`] writes, and what its target was.
    #[must_use]
    pub fn step(mut self, line: impl Into<String>, evidence: Option<Evidence>) -> Self {
        self.push(line, evidence);
        self
    }

    /// Adds a step: see [`Writer::step`].
    pub fn push(&mut self, line: impl Into<String>, evidence: Option<Evidence>) {
        self.steps.push((Vec::new(), evidence, line.into()));
    }

    /// Adds a step with a comment above it.
    pub fn push_noted(&mut self, note: &str, line: impl Into<String>, evidence: Option<Evidence>) {
        self.steps.push((vec![comment(note)], evidence, line.into()));
    }

    /// How many steps there are.
    pub const fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The whole text.
    pub fn text(&self) -> String {
        let mut lines = self.notes.clone();
        if !self.context.is_empty() {
            let pairs: Vec<_> = self.context.iter().map(|(key, value)| format!("{key}={}", quote(value))).collect();
            lines.push(format!("context {}", pairs.join(" ")));
        }
        lines.extend(self.env.iter().map(|(name, value)| format!("env {name}={}", quote(value))));
        if !lines.is_empty() && !self.steps.is_empty() {
            lines.push(String::new());
        }
        for (notes, evidence, line) in &self.steps {
            lines.extend(notes.iter().cloned());
            lines.extend(evidence.iter().map(Evidence::comment));
            lines.push(line.clone());
        }
        lines.push(String::new());
        lines.join("\n")
    }

    /// The whole text, read back: what cannot be replayed is found now, not then.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn checked(&self, file: &str) -> Result<String, Vec<ScriptError>> {
        let text = self.text();
        parse(&text, file).map(|_| text)
    }
}

/// A comment that is no evidence, on one line.
fn comment(text: &str) -> String {
    format!("# {}", contract::plain::line(text.trim_start_matches("agent-device:")))
}

/// A script as text that reads back as the same. Comments and blank lines are not part of a script: to keep them, use
/// [`rewrite`] on the file's own text.
pub fn print(script: &Script) -> String {
    let mut writer = Writer { context: script.context.pairs(), env: script.env.clone(), ..Writer::new() };
    for step in &script.steps {
        let words: Vec<_> = step.words.iter().map(|word| word.raw.as_str()).collect();
        writer.push(words.join(" "), step.evidence.as_ref().map(|(_, evidence)| evidence.clone()));
    }
    writer.text()
}

/// Another line for a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Repair {
    /// The step's line in the file, from 1 on.
    pub line: u32,
    /// What stands there instead.
    pub with: String,
    /// What its target is now.
    pub evidence: Option<Evidence>,
}

/// The text of a script with some steps replaced, evidence above them too. Everything else stays as it stands.
pub fn rewrite(text: &str, script: &Script, repairs: &[Repair]) -> String {
    let repairs: BTreeMap<u32, &Repair> = repairs.iter().map(|repair| (repair.line, repair)).collect();
    let old: BTreeMap<u32, u32> = script
        .steps
        .iter()
        .filter(|step| repairs.contains_key(&step.line()))
        .filter_map(|step| Some((step.evidence.as_ref()?.0, step.line())))
        .collect();
    let mut out = String::with_capacity(text.len());
    for (line, number) in text.split_inclusive('\n').zip(1_u32..) {
        let end = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
        if old.contains_key(&number) {
            continue;
        }
        let Some(repair) = repairs.get(&number) else {
            out.push_str(line);
            continue;
        };
        if let Some(evidence) = &repair.evidence {
            out.push_str(&evidence.comment());
            out.push_str(end);
        }
        out.push_str(line.get(..line.len() - line.trim_start().len()).unwrap_or_default());
        out.push_str(&repair.with);
        out.push_str(end);
    }
    out
}
