//! What text does: focus, filters, limits, lost characters.

use std::time::Duration;

use backend::Receipt;
use contract::Point;

use super::Scene;
use crate::script::Index;
use crate::script::spec::State;

/// Characters closer together than this are typed fast: ten times what the fastest typists reach.
const FAST: Duration = Duration::from_millis(20);

impl Scene {
    /// The field that takes text now.
    pub fn text_focus(&self) -> Option<Index> {
        self.focus.filter(|index| self.takes_text(*index))
    }

    /// Whether an element takes text now.
    pub fn takes_text(&self, index: Index) -> bool {
        self.app.kind(index).is_field()
            && !self.live(index).is(State::Readonly)
            && !self.is_disabled(index)
            && !self.is_inert(index)
            && self.is_there(index)
    }

    /// A press that gives the focus, and the content emptied: the first half of filling. `None` where the press
    /// reached something that takes no text.
    pub fn begin_fill(&mut self, point: Point) -> Result<Index, Receipt> {
        let target = self.topmost(point).filter(|target| self.takes_text(*target));
        let Some(field) = target else {
            let mut receipt = self.press(point);
            receipt.warnings.push(format!("what lies at {point} takes no text; it was pressed"));
            return Err(receipt);
        };
        self.focus_on(field);
        self.change(field, |live| live.value.clear());
        self.probe.note(&self.app.name_of(field), "fill", |effects| effects.fills += 1);
        Ok(field)
    }

    /// What a changed text runs.
    pub fn changed(&mut self, field: Index) {
        let app = self.app.clone();
        if let Some(element) = app.element(field) {
            self.run(&element.spec.on_fill, element.row);
        }
    }

    /// One character arrives at the field that has the focus. Returns whether there was one.
    pub fn type_character(&mut self, character: char) -> bool {
        let Some(field) = self.text_focus() else { return false };
        let app = self.app.clone();
        let Some(element) = app.element(field) else { return false };
        let spec = &element.spec;
        self.probe.note(&app.name_of(field), "type", |effects| effects.typed_chars += 1);
        let fast = match self.typed {
            Some((last, fast)) if self.now.saturating_duration_since(last) < FAST => fast + 1,
            _ => 1,
        };
        self.typed = Some((self.now, fast));
        if spec.drops_every.is_some_and(|every| fast % every == 0) {
            return true;
        }
        if character == '\n' && spec.kind() != crate::script::spec::Kind::TextView {
            self.run(&spec.on_submit, element.row);
            return true;
        }
        let mut text = self.live(field).value.clone();
        if character == '\u{8}' {
            text.pop();
        } else {
            text.push(character);
        }
        if let Some(filter) = spec.filter {
            text = filter.apply(&text);
        }
        if let Some(most) = spec.max_length {
            text = text.chars().take(most).collect();
        }
        self.change(field, |live| live.value = text);
        true
    }
}
