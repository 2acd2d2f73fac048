//! Typing, erasing, copying.

use contract::{
    Code, Command, Failure, Target,
    command::{AfterArgs, Fill, FillWords, Get, GetFormat, Type, WaitFor},
    words::Words,
};
use flow::Place;
use serde_json::Value;

use super::{Done, Run, Trouble, app::unreadable, target::For, touch::patience};
use crate::{
    model::{Element, Number, Random, Step, Text},
    random,
};

/// Characters that are erased where nothing is said.
const ERASED: u64 = 50;
/// Letters or digits where nothing is said.
const LENGTH: u64 = 8;
/// The field that has the focus.
const FOCUSED: &str = "focused editable";

impl Run<'_> {
    pub fn input(&mut self, text: &Text, at: &Place) -> Done {
        let text = self.value(text, at)?;
        self.type_text(text)
    }

    pub fn type_text(&mut self, text: String) -> Done {
        if text.is_empty() {
            self.host.note("the text is empty: nothing was typed");
            return Ok(());
        }
        self.ask(Command::Type(Type { text, delay_ms: None, record_as: None })).map(drop)
    }

    pub fn input_random(&mut self, kind: Random, length: Option<&Number>, at: &Place) -> Done {
        let length = match length {
            Some(length) => self.whole_number(length, at)?,
            None => LENGTH,
        };
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let text = random::text(kind, length).map_err(|why| Trouble::of(Code::CommandFailed, why))?;
        // A run that failed can be looked at, and done again by hand, only with what was typed.
        self.host.note(&format!("typed: {text}"));
        self.random.clone_from(&text);
        self.tell_scripts()?;
        self.type_text(text)
    }

    pub fn paste(&mut self) -> Done {
        if self.copied.is_empty() {
            let failure = Failure::new(Code::InvalidArgs, "there is nothing to paste")
                .hint("copy a text first, with copyTextFrom or setClipboard");
            return Err(Trouble::own(failure));
        }
        self.type_text(self.copied.clone())
    }

    pub fn copy(&mut self, element: &Element, step: &Step) -> Done {
        let selector = self.selector(element, For::Acting, &step.place)?;
        let target = || Target::Selector { selector: selector.clone() };
        let get = || Command::Get(Get { format: GetFormat::Text, target: Words(target()) });
        self.rest()?;
        // What is out of view can be read as well; only what is absent is waited for.
        let answer = match self.ask(get()) {
            Err(trouble) if trouble.failure.code == Code::ElementNotFound => {
                let limit = Some(patience(step));
                self.wait(WaitFor::Selector { selector: selector.clone(), timeout_ms: limit })?;
                self.ask(get())?
            }
            other => other?,
        };
        let text = answer.data.get("text").and_then(Value::as_str).ok_or_else(|| unreadable("the element's text"))?;
        let text = text.to_owned();
        self.host.note(&format!("copied: {text}"));
        self.keep_copied(text)
    }

    pub fn erase(&mut self, count: Option<&Number>, at: &Place) -> Done {
        let count = match count {
            Some(count) => self.whole_number(count, at)?,
            None => ERASED,
        };
        self.erase_last(count)
    }

    /// Takes the last characters of the focused field away: what remains is written as a whole and read back.
    pub fn erase_last(&mut self, count: u64) -> Done {
        self.rest()?;
        let target = || Target::Selector { selector: FOCUSED.to_owned() };
        let get = Get { format: GetFormat::Attrs, target: Words(target()) };
        let answer = self.ask(Command::Get(get))?;
        let hidden = answer.data.get("password").and_then(Value::as_bool).unwrap_or(false);
        let text = match answer.data.get("value").and_then(Value::as_str) {
            _ if hidden => {
                self.host.note("what a password field holds cannot be read: it was emptied");
                String::new()
            }
            Some(value) => {
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                let keep = value.chars().count().saturating_sub(count);
                if value.is_empty() {
                    self.host.note("the field is empty already: nothing was sent");
                    return Ok(());
                }
                value.chars().take(keep).collect()
            }
            None => {
                self.host.note("the field is empty already: nothing was sent");
                return Ok(());
            }
        };
        let words = Words(FillWords { target: target(), text });
        self.ask(Command::Fill(Fill { words, delay_ms: None, record_as: None, after: AfterArgs::default() })).map(drop)
    }
}
