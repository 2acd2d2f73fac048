//! What is wrong with a file: where, which key, and what to do.

use std::ops::Range;

use contract::{Code, Failure, Row};

/// A file that cannot be read as a stage app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptError {
    /// The file, as the user named it.
    pub file: String,
    /// From 1; `None` where the file itself cannot be read.
    pub line: Option<usize>,
    /// The key that is wrong, where one is.
    pub key: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl ScriptError {
    /// Wrong at a place in the text.
    pub fn at(file: &str, text: &str, span: Range<usize>, message: impl Into<String>, hint: impl Into<String>) -> Self {
        let before = text.get(..span.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        ScriptError {
            file: file.to_owned(),
            line: Some(line),
            key: key_at(text, &span),
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// The file cannot be read at all.
    pub fn unreadable(file: &str, cause: &std::io::Error) -> Self {
        ScriptError {
            file: file.to_owned(),
            line: None,
            key: None,
            message: format!("the file cannot be read: {cause}"),
            hint: "name a stage app's file (./app.toml), or `demo` for the app that is built in".to_owned(),
        }
    }

    /// The failure that the caller sees: nothing was sent.
    pub fn failure(&self) -> Failure {
        let mut failure = Failure::refused(Row::StageScriptInvalid, Code::OpenFailed, self.to_string())
            .reason("script_invalid")
            .hint(self.hint.clone())
            .detail("file", self.file.clone());
        if let Some(line) = self.line {
            failure = failure.detail("line", line);
        }
        if let Some(key) = &self.key {
            failure = failure.detail("key", key.clone());
        }
        failure
    }
}

impl std::fmt::Display for ScriptError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if let Some(key) = &self.key {
            write!(f, ", key `{key}`")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for ScriptError {}

/// The key that a place in the text belongs to: the place itself where it is a key (an unknown one), else the last
/// word before the nearest `=` to its left on the same line.
fn key_at(text: &str, span: &Range<usize>) -> Option<String> {
    let bare = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    let here = text.get(span.clone())?;
    let after = text.get(span.end..)?.trim_start_matches([' ', '\t']);
    if !here.is_empty() && here.chars().all(bare) && after.starts_with('=') {
        return Some(here.to_owned());
    }
    let line = text.get(..span.start)?.rsplit('\n').next()?;
    let key = line.rsplit_once('=')?.0.trim_end();
    let word = key.rsplit(|letter| !bare(letter)).next()?;
    (!word.is_empty()).then(|| word.to_owned())
}
