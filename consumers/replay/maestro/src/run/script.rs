//! Variables, `${...}`, `output`, `maestro`.

use std::{collections::BTreeMap, time::Duration};

use contract::{Code, Failure};
use flow::Place;
use javascript::{Engine, Kind, ScriptFailure, Web, template::Part};
use serde_json::{Value, json};

use super::{Done, Entry, Run, Trouble};
use crate::model::{Flow, Number, Script, Text};

/// Variables, and the engine once something needs one: most flows never do.
#[derive(Default)]
pub(super) struct Scripts {
    variables: BTreeMap<String, String>,
    engine: Option<Engine>,
}

/// Parts of names of variables that nobody may read in a report.
const SECRET: &[&str] = &[
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "SECRET",
    "TOKEN",
    "APIKEY",
    "API_KEY",
    "ACCESS_KEY",
    "PRIVATE_KEY",
    "CREDENTIAL",
    "PIN_CODE",
];
/// Texts shorter than this stand everywhere: taking them out of a report would leave nothing to read.
const SHORTEST_SECRET: usize = 4;

impl Scripts {
    /// What variables hold, to be put back.
    pub fn snapshot(&self) -> BTreeMap<String, String> {
        self.variables.clone()
    }

    /// Puts variables back.
    pub fn restore(&mut self, before: BTreeMap<String, String>) -> Result<(), ScriptFailure> {
        let now = std::mem::take(&mut self.variables);
        if let Some(engine) = &mut self.engine {
            for name in now.keys().filter(|name| !before.contains_key(*name)) {
                engine.remove(name)?;
            }
            for (name, value) in before.iter().filter(|(name, value)| now.get(*name) != Some(value)) {
                engine.set(name, value.clone().into())?;
            }
        }
        self.variables = before;
        Ok(())
    }

    fn set(&mut self, name: &str, value: String) -> Result<(), ScriptFailure> {
        if let Some(engine) = &mut self.engine {
            engine.set(name, value.clone().into())?;
        }
        self.variables.insert(name.to_owned(), value);
        Ok(())
    }

    /// What scripts wrote since the last time.
    pub fn console(&mut self) -> Vec<String> {
        self.engine.as_mut().map(Engine::console).unwrap_or_default()
    }
}

impl Run<'_> {
    /// The variables of a flow's header and of whoever runs it.
    pub fn header(&mut self, flow: &Flow, arguments: &[(String, String)], entry: &Entry) -> Done {
        let options = self.options;
        if matches!(entry, Entry::Main) {
            let stem = flow.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            self.set("MAESTRO_FILENAME", stem)?;
            for (name, value) in &options.env {
                self.set(name, value.clone())?;
            }
        }
        let given = |name: &str| {
            arguments.iter().any(|(given, _)| given == name) || options.env.iter().any(|(given, _)| given == name)
        };
        for (name, value) in flow.env.iter().filter(|(name, _)| !given(name)) {
            let place = Place { file: flow.file.clone(), line: value.line };
            // `NAME: ${NAME || 'x'}` is how a default is written: what is not set counts as empty here.
            let value = self.lenient(value, &place)?;
            self.set(name, value)?;
        }
        for (name, value) in arguments {
            self.set(name, value.clone())?;
        }
        Ok(())
    }

    /// Variables for what is about to run, evaluated where they stand.
    pub fn arguments(&mut self, env: &[(String, Text)], at: &Place) -> Done<Vec<(String, String)>> {
        let mut arguments = Vec::new();
        for (name, value) in env {
            arguments.push((name.clone(), self.lenient(value, at)?));
        }
        Ok(arguments)
    }

    pub fn set(&mut self, name: &str, value: String) -> Done {
        let upper = name.to_ascii_uppercase();
        if SECRET.iter().any(|part| upper.contains(part)) && value.chars().count() >= SHORTEST_SECRET {
            self.host.secret(&value);
        }
        Ok(self.scripts.set(name, value)?)
    }

    /// The engine, with all that scripts see.
    fn engine(&mut self) -> Done<&mut Engine> {
        let left = self.host.remaining();
        if self.scripts.engine.is_none() {
            let http = self.options.network.map(|limits| Box::new(Web::new(limits)) as Box<dyn javascript::Http>);
            let mut engine = Engine::new(self.options.limits, http)?;
            for (name, value) in &self.scripts.variables {
                engine.set(name, value.clone().into())?;
            }
            engine.set("maestro", self.facts())?;
            self.scripts.engine = Some(engine);
        }
        let limit = self.options.limits.time.min(left.max(Duration::from_millis(1)));
        let engine = self.scripts.engine.as_mut().ok_or_else(|| Trouble::of(Code::Internal, "no engine"))?;
        engine.limit_time(limit);
        Ok(engine)
    }

    fn facts(&self) -> Value {
        let mut facts = json!({ "copiedText": self.copied, "randomText": self.random });
        if let Some(platform) = self.platform {
            facts["platform"] = platform.to_string().into();
        }
        facts
    }

    /// Keeps a copied text, for `pasteText` and for scripts.
    pub fn keep_copied(&mut self, text: String) -> Done {
        self.copied = text;
        self.tell_scripts()
    }

    /// Brings `maestro` up to date; what scripts put there themselves stays.
    pub fn tell_scripts(&mut self) -> Done {
        let facts = self.facts();
        if let Some(engine) = &mut self.scripts.engine {
            engine.eval(&format!("Object.assign(maestro, {facts})"), "maestro", 1)?;
        }
        Ok(())
    }

    /// A text with its expressions evaluated; each must have a value.
    pub fn value(&mut self, text: &Text, at: &Place) -> Done<String> {
        self.evaluated(text, at, true)
    }

    /// A text with its expressions evaluated; those without a value are empty.
    pub fn lenient(&mut self, text: &Text, at: &Place) -> Done<String> {
        self.evaluated(text, at, false)
    }

    fn evaluated(&mut self, text: &Text, at: &Place, strict: bool) -> Done<String> {
        let mut whole = String::new();
        for part in &text.parts {
            match part {
                Part::Text(text) => whole.push_str(text),
                Part::Code { code, at: offset } => {
                    let value = self.evaluate(code, text, *offset, at)?;
                    if strict && value.is_null() {
                        return Err(self.valueless(code));
                    }
                    push(&mut whole, &value);
                }
            }
        }
        Ok(whole)
    }

    fn valueless(&self, code: &str) -> Trouble {
        let code = code.trim();
        let hint = if is_name(code) {
            format!("pass it with -e {code}=..., or give it a value in env; ${{{code} || ''}} means an empty text")
        } else {
            format!("write ${{({code}) || ''}} where an empty text is meant")
        };
        let failure = Failure::new(Code::InvalidArgs, format!("${{{code}}} has no value"))
            .reason("expression_without_value")
            .hint(hint);
        Trouble::own(failure)
    }

    fn evaluate(&mut self, code: &str, text: &Text, offset: usize, at: &Place) -> Done<Value> {
        let name = code.trim();
        // No script ran yet that could have changed a variable: no engine is needed to read one.
        if self.scripts.engine.is_none()
            && is_name(name)
            && let Some(value) = self.scripts.variables.get(name)
        {
            return Ok(Value::String(value.clone()));
        }
        let lines = text.raw.get(..offset).unwrap_or_default().matches('\n').count();
        let line = text.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        let (file, engine) = (at.file.clone(), self.engine()?);
        declare(engine, code)?;
        Ok(engine.eval(code, &file, line)?)
    }

    /// Whether a condition holds: its text is neither empty nor `false`, `0`, `null` or `undefined`.
    pub fn truthy(&mut self, text: &Text, at: &Place) -> Done<(bool, String)> {
        let value = self.lenient(text, at)?;
        let word = value.trim();
        let falsy = matches!(word, "" | "false" | "null" | "undefined" | "NaN")
            || word.parse::<f64>().is_ok_and(|number| number == 0.0);
        Ok((!falsy, value))
    }

    /// A number of the flow, held to its bounds.
    pub fn number(&mut self, number: &Number, at: &Place) -> Done<f64> {
        let text = self.value(&number.text, at)?;
        number.read(&text).map_err(|why| Trouble::of(Code::InvalidArgs, why))
    }

    /// A whole number of the flow.
    pub fn whole_number(&mut self, number: &Number, at: &Place) -> Done<u64> {
        Ok(self.number(number, at)?.max(0.0).round() as u64)
    }

    pub fn eval_script(&mut self, text: &Text, at: &Place) -> Done {
        for part in &text.parts {
            if let Part::Code { code, at: offset } = part {
                self.evaluate(code, text, *offset, at)?;
            }
        }
        Ok(())
    }

    /// Runs a file.
    pub fn run_file(&mut self, script: &Script) -> Done {
        let engine = self.engine()?;
        declare(engine, &script.code)?;
        engine.eval(&script.code, &script.file, 1)?;
        Ok(())
    }
}

/// A value as a text.
fn push(whole: &mut String, value: &Value) {
    match value {
        Value::Null => {}
        Value::String(text) => whole.push_str(text),
        Value::Number(number) => {
            let text = number.to_string();
            whole.push_str(text.strip_suffix(".0").unwrap_or(&text));
        }
        other => whole.push_str(&other.to_string()),
    }
}

fn is_name(code: &str) -> bool {
    let mut letters = code.chars();
    letters.next().is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Variables that nobody set are `undefined` and no error: `${NAME || 'x'}` is how flows write defaults. Only names in
/// capitals count: others that do not exist are slips.
fn declare(engine: &mut Engine, code: &str) -> Result<(), ScriptFailure> {
    let mut code_to_run = String::new();
    let mut seen: Vec<&str> = Vec::new();
    for name in names(code) {
        if !seen.contains(&name) {
            seen.push(name);
            code_to_run.push_str(&format!("if (typeof {name} === 'undefined') globalThis.{name} = undefined;\n"));
        }
    }
    if code_to_run.is_empty() {
        return Ok(());
    }
    match engine.eval(&code_to_run, "variables", 1) {
        // A name that the language keeps for itself: the script says so better.
        Err(why) if why.kind == Kind::Syntax => Ok(()),
        other => other.map(|_| ()),
    }
}

/// Names in capitals in a script, properties of other things left out.
fn names(code: &str) -> impl Iterator<Item = &str> {
    let word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$');
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = code.get(at..)?;
            let start = at + rest.find(word)?;
            let length = code.get(start..)?.find(|letter| !word(letter)).unwrap_or(code.len() - start);
            at = start + length;
            let name = code.get(start..at)?;
            let property = code.get(..start)?.trim_end().ends_with('.');
            let first = name.chars().next().is_some_and(|letter| letter.is_ascii_uppercase() || letter == '_');
            let capitals =
                name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_');
            if first && capitals && !property && name != "JSON" && name != "NaN" {
                return Some(name);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_capitals_are_variables() {
        assert_eq!(names("USER || other.NAME + JSON.x(A_1) + Math.PI + Date").collect::<Vec<_>>(), ["USER", "A_1"]);
    }

    #[test]
    fn values_are_written_as_a_script_would() {
        let mut text = String::new();
        for value in [json!(5), json!(5.0), json!(0.5), json!(true), json!("x"), Value::Null, json!([1])] {
            push(&mut text, &value);
        }
        assert_eq!(text, "550.5truex[1]");
    }
}
