//! What an app does when something happens to it.

use serde::Deserialize;

use super::spec::Name;

/// One step of a reaction. In the file: a word (`"back"`) or a table with one key (`{ goto = "form" }`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Shows a screen and remembers the present one for Back.
    Goto(Name),
    /// Shows the screen before this one.
    Back,
    /// Shows the first screen and forgets the way there.
    Home,
    /// Opens an overlay.
    Open(Name),
    /// Closes an overlay.
    Close(Name),
    /// Opens an alert: a text and one button.
    Alert(String),
    /// Opens a dialog with two buttons.
    Confirm(Confirm),
    /// Opens a dialog with a field and two buttons.
    Prompt(Prompt),
    /// Adds one to a counter.
    Count(Name),
    /// Adds to a counter.
    Add(Add),
    /// Sets a counter.
    SetCounter(SetCounter),
    /// Sets what an element says, or what a field holds.
    SetText(SetText),
    /// Turns on what is off, and off what is on.
    Toggle(Name),
    /// Turns on.
    Check(Name),
    /// Turns off.
    Uncheck(Name),
    /// Chooses an element, and no other of its container.
    Select(Name),
    /// Makes a hidden element appear.
    Show(Name),
    /// Takes an element away.
    Hide(Name),
    /// Lets an element take input.
    Enable(Name),
    /// Lets an element take no input.
    Disable(Name),
    /// Marks a field as refused.
    Invalid(Name),
    /// Takes that mark away.
    Valid(Name),
    /// Gives a field the focus.
    Focus(Name),
    /// Takes the focus away; the keyboard goes.
    Blur,
    /// Runs later.
    After(After),
    /// Runs one of two lists.
    When(When),
}

/// `confirm`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Confirm {
    /// What it says.
    pub text: String,
    /// Run by OK.
    #[serde(default)]
    pub accept: Vec<Action>,
    /// Run by Cancel.
    #[serde(default)]
    pub dismiss: Vec<Action>,
}

/// `prompt`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prompt {
    /// What it says.
    pub text: String,
    /// What its field holds at first.
    #[serde(default)]
    pub value: String,
    /// The element that gets the text when it is accepted.
    pub into: Option<Name>,
    /// Run by OK.
    #[serde(default)]
    pub accept: Vec<Action>,
    /// Run by Cancel.
    #[serde(default)]
    pub dismiss: Vec<Action>,
}

/// `add`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Add {
    /// Which.
    pub counter: Name,
    /// How much.
    pub by: i64,
}

/// `set_counter`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetCounter {
    /// Which.
    pub counter: Name,
    /// To what.
    pub to: i64,
}

/// `set_text`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetText {
    /// Which element.
    pub id: Name,
    /// To what, a template.
    pub text: Name,
}

/// `after`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct After {
    /// How much later.
    pub ms: u64,
    /// What.
    pub run: Vec<Action>,
}

/// `when`: all conditions that are given must hold.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// This field holds nothing.
    pub empty: Option<Name>,
    /// This field holds something.
    pub filled: Option<Name>,
    /// This element is on.
    pub checked: Option<Name>,
    /// This field holds a text.
    pub contains: Option<Contains>,
    /// This counter has reached a number.
    pub reached: Option<SetCounter>,
    /// What then.
    #[serde(default)]
    pub then: Vec<Action>,
    /// What otherwise.
    #[serde(default)]
    pub otherwise: Vec<Action>,
}

/// `contains`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contains {
    /// Which field.
    pub id: Name,
    /// What.
    pub text: String,
}

/// What a word in an action refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refers {
    /// A screen.
    Screen,
    /// An overlay.
    Overlay,
    /// An element.
    Element,
    /// A counter that it may bring into being.
    Counter,
    /// A text with templates in it.
    Template,
}

impl Action {
    /// Every word of this action, and of those inside it, that refers to something.
    pub fn names<'a>(&'a self, found: &mut Vec<(Refers, &'a Name)>) {
        match self {
            Action::Goto(screen) => found.push((Refers::Screen, screen)),
            Action::Open(overlay) | Action::Close(overlay) => found.push((Refers::Overlay, overlay)),
            Action::Toggle(id)
            | Action::Check(id)
            | Action::Uncheck(id)
            | Action::Select(id)
            | Action::Show(id)
            | Action::Hide(id)
            | Action::Enable(id)
            | Action::Disable(id)
            | Action::Invalid(id)
            | Action::Valid(id)
            | Action::Focus(id) => found.push((Refers::Element, id)),
            Action::Count(counter) => found.push((Refers::Counter, counter)),
            Action::Add(add) => found.push((Refers::Counter, &add.counter)),
            Action::SetCounter(set) => found.push((Refers::Counter, &set.counter)),
            Action::SetText(set) => {
                found.push((Refers::Element, &set.id));
                found.push((Refers::Template, &set.text));
            }
            Action::Confirm(confirm) => all(&[&confirm.accept, &confirm.dismiss], found),
            Action::Prompt(prompt) => {
                found.extend(prompt.into.as_ref().map(|id| (Refers::Element, id)));
                all(&[&prompt.accept, &prompt.dismiss], found);
            }
            Action::After(after) => all(&[&after.run], found),
            Action::When(when) => {
                let fields = [&when.empty, &when.filled, &when.checked];
                found.extend(fields.into_iter().flatten().map(|id| (Refers::Element, id)));
                found.extend(when.contains.as_ref().map(|contains| (Refers::Element, &contains.id)));
                found.extend(when.reached.as_ref().map(|reached| (Refers::Counter, &reached.counter)));
                all(&[&when.then, &when.otherwise], found);
            }
            Action::Back | Action::Home | Action::Blur | Action::Alert(_) => {}
        }
    }
}

fn all<'a>(lists: &[&'a Vec<Action>], found: &mut Vec<(Refers, &'a Name)>) {
    for action in lists.iter().flat_map(|list| list.iter()) {
        action.names(found);
    }
}
