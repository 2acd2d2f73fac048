//! Scripts: read, and held against the language's grammar, before anything runs.

use std::path::Path;

use javascript::{Engine, Kind, Limits, template::Part};

use super::{Named, Reader, Scope, text_of};
use crate::{model::Script, yaml::At};

/// A function that nobody calls: what stands in it is parsed and does not run.
const BEFORE: &str = "(function () { ";

impl Reader<'_> {
    /// The script in a file that a step names.
    pub fn script(&mut self, path: &Path, named: &Named<'_>) -> Option<Script> {
        let file = self.reading.shown(path);
        match text_of(path) {
            Ok(code) => {
                let own = Scope { path: path.to_owned(), file: file.clone(), app: None };
                self.grammar(&own, &code, At { line: 1, column: 1 }, true);
                Some(Script { file, code: code.into() })
            }
            Err(why) => {
                self.wrong(named.from, named.at, format!("{file} cannot be read: {why}"), None);
                None
            }
        }
    }

    /// The expressions of a text.
    pub fn expressions(&mut self, scope: &Scope, parts: &[Part], at: At) {
        for part in parts {
            match part {
                Part::Code { code, .. } if code.trim().is_empty() => {
                    let hint = "write \\${} where no expression is meant".to_owned();
                    self.wrong(scope, at, "there is nothing in ${}", hint);
                }
                Part::Code { code, .. } if !is_path(code) => self.grammar(scope, code, at, false),
                _ => {}
            }
        }
    }

    /// Whether code can be parsed at all. `exact` where it begins at the place: its own lines and columns are told then.
    fn grammar(&mut self, scope: &Scope, code: &str, at: At, exact: bool) {
        if self.engine.is_none() {
            self.engine = Engine::new(Limits::default(), None).ok();
        }
        // Without an engine the run itself says why there is none.
        let Some(engine) = &mut self.engine else { return };
        let Err(why) = engine.eval(&format!("{BEFORE}{code}\n}})"), &scope.file, at.line) else { return };
        if why.kind != Kind::Syntax {
            return;
        }
        let place = if exact {
            let before = u32::try_from(BEFORE.len()).unwrap_or(0);
            let column = if why.line == at.line { why.column.saturating_sub(before).max(1) } else { why.column };
            At { line: why.line, column }
        } else {
            at
        };
        let what = if exact { "this is no JavaScript".to_owned() } else { format!("${{{code}}} is no JavaScript") };
        self.wrong(scope, place, format!("{what}: {}", why.message), None);
    }
}

/// Names with dots between them need no parser.
fn is_path(code: &str) -> bool {
    code.trim().split('.').all(|name| {
        let mut letters = name.chars();
        letters.next().is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '_')
            && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    })
}
