//! A command as words: what [`Command::from_words`] reads back as the same command. The counterpart of `line.rs`.
//!
//! Flags and plain arguments come from the same definitions that read them; only what is read by
//! [`crate::words::FromWords`] has its counterpart here, [`ToWords`].

use clap::{Arg, ArgAction, ValueEnum};
use serde_json::Value;

use super::{
    ClipboardWords, Command, FillWords, FindAction, FindWords, GestureWords, IsWords, Locator, LogsWords,
    LongpressWords, RecordWords, SETTLE_QUIET_MS, Setting, UploadWords, Wait, WaitFor, line::parser_of,
};
use crate::{
    Target,
    words::{self, Words},
};

impl Command {
    /// The words that a person would type for it, the command's name first.
    ///
    /// `None` where no words say the same: a selector that would be read as a point, a batch whose steps are in a file.
    pub fn to_words(&self) -> Option<Vec<String>> {
        let name = self.spec().name;
        let spellable = self.spellable();
        let args = spellable.to_args();
        let parser = parser_of(name);
        let (mut plain, mut flags) = (Vec::new(), Vec::new());
        for arg in parser.get_arguments() {
            if arg.get_id() == words::ID {
                plain.extend(spellable.positional().into_iter().map(|word| (word, true)));
                continue;
            }
            let Some(value) = value_of(arg, &args) else { continue };
            if arg.is_positional() {
                plain.push((value, arg.is_allow_negative_numbers_set()));
            } else {
                flag(arg, value, &mut flags);
            }
        }
        let mut words = vec![name.to_owned()];
        let hyphens = plain.iter().any(|(word, numbers)| word.starts_with('-') && !(*numbers && is_number(word)));
        if hyphens {
            words.append(&mut flags);
            words.push("--".to_owned());
        }
        words.extend(plain.into_iter().map(|(word, _)| word));
        words.append(&mut flags);
        // The proof that it is so.
        let mut read = Command::from_words(&words).ok()?;
        if let (Command::Open(read), Command::Open(written)) = (&mut read, &spellable)
            && written.driver_url.is_none()
        {
            // The environment of this process may have filled it in.
            read.driver_url = None;
        }
        (read == spellable).then_some(words)
    }

    /// The same command, with that said which words cannot leave out.
    fn spellable(&self) -> Self {
        let mut command = self.clone();
        if let Command::Wait(Wait { words: Words(WaitFor::Stable { quiet_ms: quiet @ None, timeout_ms: Some(_) }) }) =
            &mut command
        {
            *quiet = Some(SETTLE_QUIET_MS);
        }
        if let Command::Find(find) = &mut command
            && find.words.locator.is_none()
            // A text that is itself the name of a locator, with something behind it.
            && <Locator as ValueEnum>::from_str(&find.words.query, false).is_ok()
        {
            find.words.0.locator = Some(find.words.how());
        }
        command
    }

    /// The words that clap does not read by itself.
    fn positional(&self) -> Vec<String> {
        match self {
            Command::Press(press) => press.target.to_words(),
            Command::Longpress(press) => press.words.to_words(),
            Command::Hover(hover) => hover.target.to_words(),
            Command::Focus(focus) => focus.target.to_words(),
            Command::Fill(fill) => fill.words.to_words(),
            Command::Gesture(gesture) => gesture.words.to_words(),
            Command::Get(get) => get.target.to_words(),
            Command::Is(is) => is.words.to_words(),
            Command::Find(find) => find.words.to_words(),
            Command::Wait(wait) => wait.words.to_words(),
            Command::Clipboard(clipboard) => clipboard.words.to_words(),
            Command::Settings(settings) => settings.words.to_words(),
            Command::Logs(logs) => logs.words.to_words(),
            Command::Record(record) => record.words.to_words(),
            Command::Upload(upload) => upload.words.to_words(),
            _ => Vec::new(),
        }
    }
}

/// The value of an argument as a word, out of the command's JSON.
fn value_of(arg: &Arg, args: &Value) -> Option<String> {
    let named = |name: &str| args.get(camel(name));
    let value = named(arg.get_id().as_str()).or_else(|| named(arg.get_long()?))?;
    Some(match value {
        Value::Null | Value::Bool(false) => return None,
        Value::Bool(true) => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(real) => real.to_string(),
            None => number.to_string(),
        },
        other => other.to_string(),
    })
}

/// Appends a flag with its value.
fn flag(arg: &Arg, value: String, flags: &mut Vec<String>) {
    let Some(long) = arg.get_long() else { return };
    let word = format!("--{long}");
    match arg.get_action() {
        ArgAction::SetTrue => flags.push(word),
        _ if arg.is_require_equals_set() && value.is_empty() => flags.push(word),
        _ if arg.is_require_equals_set() || value.starts_with('-') => flags.push(format!("{word}={value}")),
        _ => flags.extend([word, value]),
    }
}

fn camel(name: &str) -> String {
    let mut parts = name.split(['_', '-']);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut whole, part| {
        let mut letters = part.chars();
        whole.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        whole.push_str(letters.as_str());
        whole
    })
}

/// What clap takes for a negative number rather than for a flag.
fn is_number(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| {
        rest.starts_with(|first: char| first.is_ascii_digit())
            && rest.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
    })
}

/// The counterpart of [`crate::words::FromWords`].
trait ToWords {
    /// The words it was read from.
    fn to_words(&self) -> Vec<String>;
}

impl ToWords for Target {
    fn to_words(&self) -> Vec<String> {
        match self {
            Target::Ref { .. } => vec![self.to_string()],
            Target::Selector { selector } => vec![selector.clone()],
            Target::Point { x, y } => vec![x.to_string(), y.to_string()],
        }
    }
}

impl ToWords for LongpressWords {
    fn to_words(&self) -> Vec<String> {
        joined([self.target.to_words(), number(self.duration_ms)])
    }
}

impl ToWords for FillWords {
    fn to_words(&self) -> Vec<String> {
        joined([self.target.to_words(), vec![self.text.clone()]])
    }
}

impl ToWords for UploadWords {
    fn to_words(&self) -> Vec<String> {
        joined([self.target.to_words(), self.files.clone()])
    }
}

impl ToWords for IsWords {
    fn to_words(&self) -> Vec<String> {
        joined([vec![self.predicate.word()], self.target.to_words(), self.value.iter().cloned().collect()])
    }
}

impl ToWords for FindWords {
    fn to_words(&self) -> Vec<String> {
        let alone = self.action == FindAction::default() && self.value.is_none();
        let locator = self.locator.as_ref().map(word_of).into_iter().collect();
        let action = if alone { Vec::new() } else { vec![word_of(&self.action)] };
        joined([locator, vec![self.query.clone()], action, self.value.iter().cloned().collect()])
    }
}

impl ToWords for WaitFor {
    fn to_words(&self) -> Vec<String> {
        let limited = |words: &[&str], limit: Option<u64>| {
            joined([words.iter().map(|word| (*word).to_owned()).collect(), number(limit)])
        };
        match self {
            WaitFor::Duration { duration_ms } => vec![duration_ms.to_string()],
            WaitFor::Text { text, timeout_ms } => limited(&["text", text], *timeout_ms),
            WaitFor::Ref { reference, timeout_ms } => limited(&[reference], *timeout_ms),
            WaitFor::Selector { selector, timeout_ms } => limited(&[selector], *timeout_ms),
            WaitFor::Absent { selector, timeout_ms } => limited(&["absent", selector], *timeout_ms),
            WaitFor::Stable { quiet_ms, timeout_ms } => joined([limited(&["stable"], *quiet_ms), number(*timeout_ms)]),
        }
    }
}

impl ToWords for GestureWords {
    fn to_words(&self) -> Vec<String> {
        let origin = |origin: &Option<Target>| origin.as_ref().map(ToWords::to_words).unwrap_or_default();
        let numbers = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>();
        let kind = |kind: &str| vec![kind.to_owned()];
        match self {
            GestureWords::Pan { origin, dx, dy } => joined([kind("pan"), origin.to_words(), numbers(&[*dx, *dy])]),
            GestureWords::Fling { direction, distance, origin: from } => {
                let distance = distance.map(|distance| numbers(&[distance])).unwrap_or_default();
                joined([kind("fling"), vec![word_of(direction)], distance, origin(from)])
            }
            GestureWords::Pinch { scale, origin: at } => joined([kind("pinch"), numbers(&[*scale]), origin(at)]),
            GestureWords::Rotate { degrees, origin: at } => joined([kind("rotate"), numbers(&[*degrees]), origin(at)]),
            GestureWords::Transform { origin, dx, dy, scale, degrees } => {
                joined([kind("transform"), origin.to_words(), numbers(&[*dx, *dy, *scale, *degrees])])
            }
            GestureWords::Drag { source, destination } => {
                joined([kind("drag"), source.to_words(), destination.to_words()])
            }
        }
    }
}

impl ToWords for ClipboardWords {
    fn to_words(&self) -> Vec<String> {
        match self {
            ClipboardWords::Read => vec!["read".to_owned()],
            ClipboardWords::Write { text } => vec!["write".to_owned(), text.clone()],
        }
    }
}

impl ToWords for RecordWords {
    fn to_words(&self) -> Vec<String> {
        match self {
            RecordWords::Start { path } => joined([vec!["start".to_owned()], path.iter().cloned().collect()]),
            RecordWords::Stop => vec!["stop".to_owned()],
        }
    }
}

impl ToWords for LogsWords {
    fn to_words(&self) -> Vec<String> {
        let word = match self {
            LogsWords::Show => "show",
            LogsWords::Start => "start",
            LogsWords::Stop => "stop",
            LogsWords::Path => "path",
            LogsWords::Clear => "clear",
            LogsWords::Mark { message } => return vec!["mark".to_owned(), message.clone()],
        };
        vec![word.to_owned()]
    }
}

impl ToWords for Setting {
    fn to_words(&self) -> Vec<String> {
        let switch = |name: &str, on: bool| vec![name.to_owned(), if on { "on" } else { "off" }.to_owned()];
        match self {
            Setting::Wifi { on } => switch("wifi", *on),
            Setting::Airplane { on } => switch("airplane", *on),
            Setting::Location { on } => switch("location", *on),
            Setting::Animations { on } => switch("animations", *on),
            Setting::LocationSet { latitude, longitude } => {
                vec!["location".to_owned(), "set".to_owned(), latitude.to_string(), longitude.to_string()]
            }
            Setting::Appearance { appearance } => vec!["appearance".to_owned(), word_of(appearance)],
            Setting::Permission { grant, permission } => {
                vec!["permission".to_owned(), word_of(grant), permission.clone()]
            }
            Setting::ClearAppState { app } => {
                joined([vec!["clear-app-state".to_owned()], app.iter().cloned().collect()])
            }
        }
    }
}

fn joined<const N: usize>(parts: [Vec<String>; N]) -> Vec<String> {
    parts.into_iter().flatten().collect()
}

fn number(number: Option<u64>) -> Vec<String> {
    number.map(|number| number.to_string()).into_iter().collect()
}

/// The word of a choice on the command line.
fn word_of<T: ValueEnum>(value: &T) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
