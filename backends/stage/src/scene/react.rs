//! What actions do.

use std::time::Duration;

use super::Scene;
use super::state::{OpenDialog, Opened, Timer};
use crate::script::Index;
use crate::script::action::{Action, When};
use crate::script::spec::{Name, State};
use crate::script::template::with_row;

/// How many actions one input may run, and how deep they may lead to others, so that a screen that shows itself again
/// and again comes to an end.
const ACTION_LIMIT: u32 = 10_000;
const DEPTH_LIMIT: u32 = 24;

/// What is left of those limits.
#[derive(Debug, Clone, Copy)]
struct Budget {
    actions: u32,
    depth: u32,
}

impl Budget {
    const WHOLE: Budget = Budget { actions: ACTION_LIMIT, depth: DEPTH_LIMIT };
}

impl Scene {
    /// Runs actions one after another. `row` is the generated row that they belong to.
    pub fn run(&mut self, actions: &[Action], row: Option<u32>) {
        self.run_within(actions, row, &mut Budget::WHOLE.clone());
    }

    fn run_within(&mut self, actions: &[Action], row: Option<u32>, left: &mut Budget) {
        if left.depth == 0 {
            return;
        }
        left.depth -= 1;
        for action in actions {
            if left.actions == 0 {
                break;
            }
            left.actions -= 1;
            self.act(action, row, left);
        }
        left.depth += 1;
    }

    fn act(&mut self, action: &Action, row: Option<u32>, left: &mut Budget) {
        match action {
            Action::Goto(screen) => {
                if let Some(to) = self.app.screens.iter().position(|known| known.id == *screen.get_ref()) {
                    self.way.push(self.screen);
                    self.go(to, left);
                }
            }
            Action::Back => {
                if let Some(to) = self.way.pop() {
                    self.go(to, left);
                }
            }
            Action::Home => {
                self.way.clear();
                self.go(self.app.start, left);
            }
            Action::Open(overlay) => self.open_overlay(overlay.get_ref()),
            Action::Close(overlay) => self.close_overlay(overlay.get_ref()),
            Action::Alert(text) => self.ask("alert", text, row, &[], &[], None),
            Action::Confirm(confirm) => {
                self.ask("confirm", &confirm.text, row, &confirm.accept, &confirm.dismiss, None);
            }
            Action::Prompt(prompt) => {
                let into = prompt.into.as_ref().and_then(|id| self.named(id, row));
                self.ask("prompt", &prompt.text, row, &prompt.accept, &prompt.dismiss, into);
                let value = self.text(&prompt.value, row);
                self.change(self.app.dialog.field, |live| live.value = value);
            }
            Action::Count(counter) => self.add(counter, 1),
            Action::Add(add) => self.add(&add.counter, add.by),
            Action::SetCounter(set) => {
                self.counters.insert(set.counter.get_ref().clone(), set.to);
            }
            Action::SetText(set) => {
                let text = self.text(set.text.get_ref(), row);
                if let Some(index) = self.named(&set.id, row) {
                    self.set_text(index, text);
                }
            }
            Action::Toggle(id) => self.on(id, row, Scene::toggle),
            Action::Check(id) => self.on(id, row, |scene, index| scene.check(index, true)),
            Action::Uncheck(id) => self.on(id, row, |scene, index| scene.check(index, false)),
            Action::Select(id) => self.on(id, row, Scene::select),
            Action::Show(id) => self.state(id, row, State::Hidden, false),
            Action::Hide(id) => self.state(id, row, State::Hidden, true),
            Action::Enable(id) => self.state(id, row, State::Disabled, false),
            Action::Disable(id) => self.state(id, row, State::Disabled, true),
            Action::Invalid(id) => self.state(id, row, State::Invalid, true),
            Action::Valid(id) => self.state(id, row, State::Invalid, false),
            Action::Focus(id) => self.on(id, row, Scene::focus_on),
            Action::Blur => self.blur(),
            Action::After(after) => {
                let at = self.now + Duration::from_millis(after.ms);
                self.timers.push(Timer { at, run: after.run.clone(), row });
            }
            Action::When(when) => {
                let list = if self.holds(when, row) { &when.then } else { &when.otherwise };
                self.run_within(list, row, left);
            }
        }
    }

    fn named(&self, id: &Name, row: Option<u32>) -> Option<Index> {
        self.app.find(&with_row(id.get_ref(), row))
    }

    fn on(&mut self, id: &Name, row: Option<u32>, how: impl FnOnce(&mut Scene, Index)) {
        if let Some(index) = self.named(id, row) {
            how(self, index);
        }
    }

    fn state(&mut self, id: &Name, row: Option<u32>, state: State, on: bool) {
        self.on(id, row, |scene, index| {
            scene.change(index, |live| live.set(state, on));
            if state == State::Hidden
                && on
                && scene.focus.is_some_and(|held| scene.app.upwards(held).any(|up| up == index))
            {
                scene.blur();
            }
        });
    }

    fn add(&mut self, counter: &Name, by: i64) {
        let count = self.counters.entry(counter.get_ref().clone()).or_insert(0);
        *count = count.saturating_add(by);
    }

    /// Sets what an element says, or what a field or progress bar holds.
    pub fn set_text(&mut self, index: Index, text: String) {
        let kind = self.app.kind(index);
        let holds = kind.is_field() || kind == crate::script::spec::Kind::Progressbar;
        self.change(index, |live| if holds { live.value = text } else { live.text = Some(text) });
    }

    /// Turns on what is off, and off what is on.
    pub fn toggle(&mut self, index: Index) {
        let live = self.live(index);
        if live.is(State::Expanded) || live.is(State::Collapsed) {
            let opens = live.is(State::Collapsed);
            self.change(index, |live| {
                live.set(State::Expanded, opens);
                live.set(State::Collapsed, !opens);
            });
        } else {
            let on = !live.is(State::Checked);
            self.check(index, on);
        }
    }

    fn check(&mut self, index: Index, on: bool) {
        self.change(index, |live| {
            live.set(State::Mixed, false);
            live.set(State::Checked, on);
        });
    }

    /// Chooses an element, and no other of its kind in its container.
    pub fn select(&mut self, index: Index) {
        let kind = self.app.kind(index);
        let state = if kind == crate::script::spec::Kind::Radio { State::Checked } else { State::Selected };
        let parent = self.app.element(index).and_then(|element| element.parent);
        let app = self.app.clone();
        let siblings = parent.and_then(|parent| app.element(parent)).map(|parent| parent.children.as_slice());
        for other in siblings.unwrap_or_default().iter().filter(|other| app.kind(**other) == kind) {
            self.change(*other, |live| live.set(state, false));
        }
        self.change(index, |live| live.set(state, true));
    }

    fn holds(&self, when: &When, row: Option<u32>) -> bool {
        let value = |id: &Name| self.named(id, row).map(|index| self.live(index).value.clone()).unwrap_or_default();
        when.empty.as_ref().is_none_or(|id| value(id).is_empty())
            && when.filled.as_ref().is_none_or(|id| !value(id).is_empty())
            && when.contains.as_ref().is_none_or(|contains| value(&contains.id).contains(&contains.text))
            && when
                .checked
                .as_ref()
                .is_none_or(|id| self.named(id, row).is_some_and(|index| self.live(index).is(State::Checked)))
            && when.reached.as_ref().is_none_or(|reached| {
                self.counters.get(reached.counter.get_ref()).is_some_and(|count| *count >= reached.to)
            })
    }

    fn go(&mut self, screen: usize, left: &mut Budget) {
        self.screen = screen;
        self.screen_since = self.now;
        let app = self.app.clone();
        self.overlays.retain(|opened| app.overlays.get(opened.overlay).is_some_and(|overlay| overlay.stays));
        self.blur();
        let Some(shown) = app.screens.get(screen) else { return };
        self.change(shown.main, |live| live.scroll = Default::default());
        self.probe.show(&shown.id);
        self.run_within(&shown.on_show, None, left);
    }

    /// Tells the probe and runs what the first screen runs when it is shown.
    pub fn shown(&mut self) {
        self.go(self.screen, &mut Budget::WHOLE.clone());
    }

    fn open_overlay(&mut self, id: &str) {
        let Some(overlay) = self.app.overlays.iter().position(|overlay| overlay.id == id) else { return };
        if !self.overlays.iter().any(|opened| opened.overlay == overlay) {
            if self.app.overlays.get(overlay).is_some_and(|overlay| overlay.modal) {
                self.blur();
            }
            self.overlays.push(Opened { overlay, since: self.now });
        }
    }

    fn close_overlay(&mut self, id: &str) {
        let Some(closing) = self.app.overlays.iter().position(|overlay| overlay.id == id) else { return };
        self.overlays.retain(|opened| opened.overlay != closing);
        let root = self.app.overlays.get(closing).map(|overlay| overlay.root);
        if self.focus.is_some_and(|held| self.app.upwards(held).last() == root) {
            self.blur();
        }
    }

    /// Closes the topmost overlay if Back and presses beside it may do so.
    pub fn dismiss_overlay(&mut self) -> bool {
        let top = self.overlays.last().and_then(|opened| self.app.overlays.get(opened.overlay));
        match top.filter(|overlay| overlay.dismissable).map(|overlay| overlay.id.clone()) {
            Some(id) => {
                self.close_overlay(&id);
                true
            }
            None => false,
        }
    }

    fn ask(
        &mut self,
        kind: &'static str,
        text: &str,
        row: Option<u32>,
        accept: &[Action],
        dismiss: &[Action],
        into: Option<Index>,
    ) {
        self.blur();
        let text = self.text(text, row);
        let parts = self.app.dialog;
        for part in [parts.root, parts.text, parts.field, parts.cancel, parts.ok] {
            self.change(part, |live| live.generation += 1);
        }
        let title = self.app.title.clone();
        self.change(parts.root, |live| live.text = Some(title));
        self.change(parts.text, |live| live.text = Some(text.clone()));
        self.change(parts.field, |live| {
            live.value.clear();
            live.set(State::Hidden, kind != "prompt");
        });
        self.change(parts.cancel, |live| live.set(State::Hidden, kind == "alert"));
        self.dialog = Some(OpenDialog {
            kind,
            text,
            accept: accept.to_vec(),
            dismiss: dismiss.to_vec(),
            into,
            row,
            since: self.now,
        });
    }

    /// Answers the native dialog. False where none is open.
    pub fn answer(&mut self, accept: bool, text: Option<&str>) -> bool {
        let Some(dialog) = self.dialog.take() else { return false };
        self.blur();
        if accept && let Some(into) = dialog.into {
            let typed = self.live(self.app.dialog.field).value.clone();
            self.set_text(into, text.map_or(typed, str::to_owned));
        }
        let what = if accept { "accept" } else { "dismiss" };
        self.probe.note_system(format!("dialog {what}"));
        self.run(if accept { &dialog.accept } else { &dialog.dismiss }, dialog.row);
        true
    }

    /// Gives a field the focus; the keyboard comes.
    pub fn focus_on(&mut self, index: Index) {
        self.focus = Some(index);
        self.typed = None;
        let wants =
            self.app.element(index).is_some_and(|element| element.spec.keyboard && element.spec.kind().is_field());
        if !wants || self.app.keyboard.is_none() {
            self.keyboard_since = None;
        } else if self.keyboard_since.is_none() {
            self.keyboard_since = Some(self.now);
        }
    }

    /// Takes the focus away; the keyboard goes.
    pub fn blur(&mut self) {
        self.focus = None;
        self.typed = None;
        self.keyboard_since = None;
    }
}
