//! A script as a Maestro flow in strict YAML, and a list of what has no equivalent there. Nothing is left out silently.
//!
//! | module | answers |
//! | --- | --- |
//! | `steps` | one command as steps of a flow |
//! | `element` | selectors as elements |
//! | `text` | texts with variables |
//! | `yaml` | how YAML is written |

mod element;
mod steps;
#[cfg(test)]
mod tests;
mod text;
mod yaml;

use contract::{Command, view::Platform};

use crate::{Script, Step};
use steps::Written;
use text::Marks;
use yaml::{Yaml, one, word, write_pairs};

/// A flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The file.
    pub yaml: String,
    /// Steps of the script that are in it, quite or not quite.
    pub steps: usize,
    /// What is not in it, or not quite, in the order of the script.
    pub gaps: Vec<Gap>,
}

/// Something of a script that a flow cannot say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// The script's line; 0 for the script as a whole.
    pub line: u32,
    /// The line's text.
    pub step: String,
    /// Why, one sentence.
    pub why: String,
    /// Whether the step is in the flow all the same, without that.
    pub written: bool,
}

/// Writes a script as a flow.
pub fn export(script: &Script) -> Export {
    let mut out =
        Exporter { script, marks: Marks::default(), opened: None, gaps: Vec::new(), body: String::new(), steps: 0 };
    for step in &script.steps {
        out.step(step);
    }
    out.end()
}

struct Exporter<'a> {
    script: &'a Script,
    marks: Marks,
    /// What the flow is about: `appId` or `url`.
    opened: Option<(&'static str, String)>,
    gaps: Vec<Gap>,
    body: String,
    steps: usize,
}

impl Exporter<'_> {
    fn step(&mut self, step: &Step) {
        let marked: Result<Vec<_>, _> = step.words.iter().map(|word| self.marks.mark(word)).collect();
        let words = match marked {
            Ok(words) => words,
            Err(problem) => return self.gap(step, problem.message, false),
        };
        let Ok(command) = Command::from_words(&words) else {
            return self.gap(step, "a variable stands where a number or a choice is needed".to_owned(), false);
        };
        match self.command(&command) {
            Ok(Written { steps, lost }) => {
                lost.into_iter().for_each(|why| self.gap(step, why, true));
                self.steps += 1;
                steps.iter().for_each(|step| step.write_item(&mut self.body, 0));
            }
            Err(why) => self.gap(step, why, false),
        }
    }

    /// In the list, and in the file: whoever reads that has no list.
    fn gap(&mut self, step: &Step, why: String, written: bool) {
        let note = format!("line {}: {}", step.line(), self.marks.text(&why));
        self.body.push_str(&format!("# {}\n", contract::plain::line(&note)));
        self.gaps.push(Gap { line: step.line(), step: step.text().to_owned(), why: self.marks.text(&why), written });
    }

    fn command(&mut self, command: &Command) -> Result<Written, String> {
        let Command::Open(open) = command else { return steps::written(command, &self.marks) };
        let app = open.app.clone().unwrap_or_else(|| "demo".to_owned());
        let is_address = app.contains("://");
        let mut lost = Vec::new();
        for (said, flag) in [
            (open.browser.is_some(), "--browser"),
            (open.headed, "--headed"),
            (open.mobile.is_some(), "--mobile"),
            (open.driver_url.is_some(), "--driver-url"),
            (open.capabilities.is_some(), "--capabilities"),
            (open.load_timeout_ms.is_some(), "--load-timeout-ms"),
        ] {
            if said {
                lost.push(format!("{flag} has no equivalent"));
            }
        }
        if is_address && self.script.context.platform == Some(Platform::Android) {
            return Ok(Written { steps: vec![one("openLink", Yaml::Text(self.marks.text(&app)))], lost });
        }
        let text = self.marks.text(&app);
        let first = self.opened.is_none();
        let (key, known) = self.opened.get_or_insert_with(|| (if is_address { "url" } else { "appId" }, text.clone()));
        if *known != text && is_address {
            return Ok(Written { steps: vec![one("openLink", Yaml::Text(text))], lost });
        }
        if *known != text && *key == "url" {
            return Err("a flow about a page opens no app".to_owned());
        }
        if first && !is_address && !app.contains('.') {
            lost.push(format!("{app:?} may be no app that is installed elsewhere: check appId"));
        }
        let mut arguments = Vec::new();
        if *known != text {
            arguments.push(("appId".to_owned(), Yaml::Text(text)));
        }
        if !open.relaunch {
            // There, an app is stopped first unless this is said.
            arguments.push(("stopApp".to_owned(), word(false)));
        }
        let launch = if arguments.is_empty() { word("launchApp") } else { one("launchApp", Yaml::Map(arguments)) };
        Ok(Written { steps: vec![launch], lost })
    }

    fn end(mut self) -> Export {
        let (key, about) = self.opened.take().unwrap_or_else(|| {
            let why = "no step opens an app: give APP_ID a value (-e APP_ID=...)".to_owned();
            self.gaps.insert(0, Gap { line: 0, step: String::new(), why, written: true });
            ("appId", "${APP_ID}".to_owned())
        });
        let mut header = vec![(key.to_owned(), Yaml::Text(about))];
        let (defaults, twice) = self.marks.defaults(&self.script.env);
        let whole = |why: String| Gap { line: 0, step: String::new(), why, written: true };
        for name in twice {
            self.gaps.push(whole(format!("{name} has several defaults in the script; the flow has the first")));
        }
        for name in self.marks.unknown() {
            self.gaps.push(whole(format!("{name} has no equivalent: give it a value (-e {name}=...)")));
        }
        let mut env = Vec::new();
        for (name, value) in self.script.env.iter().chain(&defaults) {
            // Written so, a value that is given when the flow is run goes first, as in a script.
            let quoted = serde_json::to_string(value).unwrap_or_default();
            let value = if value.contains(['{', '}']) {
                self.gaps
                    .push(whole(format!("{name} has braces in its value, so that -e {name}=... does not replace it")));
                value.replace("${", "\\${")
            } else {
                format!("${{{name} || {quoted}}}")
            };
            env.push((name.clone(), Yaml::Text(value)));
        }
        if !env.is_empty() {
            header.push(("env".to_owned(), Yaml::Map(env)));
        }
        let context = &self.script.context;
        for (key, said) in [
            ("timeout", context.timeout_ms.is_some()),
            ("retries", context.retries.is_some_and(|retries| retries > 0)),
            ("target", context.target.is_some()),
        ] {
            if said {
                self.gaps.push(whole(format!("context {key} has no equivalent: say it where the flow is run")));
            }
        }
        let mut yaml = String::new();
        write_pairs(&header, &mut yaml, 0);
        yaml.push_str("---\n");
        if self.body.lines().all(|line| line.starts_with('#')) {
            // A flow without steps is none.
            self.body.push_str("[]\n");
        }
        yaml.push_str(&self.body);
        Export { yaml, steps: self.steps, gaps: self.gaps }
    }
}
