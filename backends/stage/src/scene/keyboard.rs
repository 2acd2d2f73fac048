//! The on-screen keyboard, as far as a caller may use it: whether it is there, its enter key, sending it away.

use backend::{KeyboardState, Receipt};

use super::{Frame, Scene};
use crate::script::spec::Kind;
use crate::script::words::Filter;

impl Scene {
    /// How it stands: where it lies now, which it still may change while it slides in, and for which kind of text.
    pub fn keyboard(&self) -> KeyboardState {
        let shown = self.app.keyboard.as_ref().filter(|_| self.keyboard_since.is_some());
        let frame = shown.map(|_| Frame::of(self));
        let item = shown.zip(frame.as_ref()).and_then(|(keyboard, frame)| frame.get(frame.item_of(keyboard.root)?));
        KeyboardState {
            visible: shown.is_some(),
            rect: item.map(|item| item.rect),
            input_type: shown.and_then(|_| self.input_type()).map(str::to_owned),
            input_method: None,
        }
    }

    fn input_type(&self) -> Option<&'static str> {
        let spec = &self.app.element(self.focus?)?.spec;
        Some(match spec.filter {
            _ if spec.mask => "password",
            Some(Filter::DigitsOnly | Filter::CardNumber) => "number",
            _ => "text",
        })
    }

    /// Sends it away. The field keeps the focus, as on a phone: what is typed still arrives.
    pub fn hide_keyboard(&mut self) -> Receipt {
        self.probe.note_system("keyboard hidden");
        self.keyboard_since = None;
        Receipt::default()
    }

    /// Its enter key: what the form does in a one-line field, a new line in others. It stays where it is.
    pub fn enter(&mut self) -> Receipt {
        let Some(field) = self.text_focus() else {
            self.probe.note_system("enter nothing");
            let lost = "nothing that takes text has the focus; enter did nothing".to_owned();
            return Receipt { warnings: vec![lost], ..Receipt::default() };
        };
        let event = format!("enter {}", self.describe(field));
        self.type_character('\n');
        if self.app.kind(field) == Kind::TextView {
            self.changed(field);
        }
        Receipt { events: vec![event], ..Receipt::default() }
    }
}
