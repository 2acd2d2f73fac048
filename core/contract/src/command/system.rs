//! What a phone's system offers around an app: orientation, keyboard, clipboard, the app switcher, the app in front.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Effect, Spec};
use crate::{
    Capability,
    words::{FromWords, TakeWords, Words},
};

/// Show the apps that were used last
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AppSwitcher {}

impl AppSwitcher {
    pub(super) const SPEC: Spec = Spec::mutates("app-switcher", &[Capability::AppSwitcher]);
}

/// Turn the screen
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Orientation {
    /// Which way
    #[arg(value_enum)]
    pub orientation: Turn,
}

/// How the screen stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Turn {
    /// Upright.
    Portrait,
    /// On its head.
    PortraitUpsideDown,
    /// Turned a quarter to the left: the top of the phone points left.
    LandscapeLeft,
    /// Turned a quarter to the right.
    LandscapeRight,
}

impl Turn {
    /// Quarter turns to the left from upright: 0 to 3 (Android's `user_rotation`).
    pub const fn quarters(self) -> u8 {
        match self {
            Turn::Portrait => 0,
            Turn::LandscapeLeft => 1,
            Turn::PortraitUpsideDown => 2,
            Turn::LandscapeRight => 3,
        }
    }
}

impl Orientation {
    pub(super) const SPEC: Spec = Spec::mutates("orientation", &[Capability::Orientation]);
}

/// Say whether the on-screen keyboard is shown, hide it, or press its enter key
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Keyboard {
    /// What to do
    #[arg(value_enum)]
    pub action: KeyboardAction,
}

/// What to do with the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum KeyboardAction {
    /// Say whether it is shown, and for which kind of text.
    #[value(alias = "get")]
    #[serde(alias = "get")]
    Status,
    /// Hide it.
    Dismiss,
    /// Press enter.
    #[value(alias = "return")]
    #[serde(alias = "return")]
    Enter,
}

impl KeyboardAction {
    /// Asking for its state does nothing to the app.
    pub const fn effect(self) -> Effect {
        match self {
            KeyboardAction::Status => Effect::Observes,
            KeyboardAction::Dismiss | KeyboardAction::Enter => Effect::Mutates,
        }
    }
}

impl Keyboard {
    /// That of its action.
    pub const fn effect(&self) -> Effect {
        self.action.effect()
    }

    pub(super) const SPEC: Spec = Spec::mutates("keyboard", &[Capability::Keyboard]);
}

/// Read the device's clipboard, or put a text on it
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Clipboard {
    #[allow(missing_docs, reason = "the help comes from the words")]
    #[command(flatten)]
    #[serde(flatten)]
    pub words: Words<ClipboardWords>,
}

/// Read or write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "action", rename_all = "lowercase")]
pub enum ClipboardWords {
    /// What is on it.
    Read,
    /// Puts a text on it.
    Write {
        /// The text
        text: String,
    },
}

impl FromWords for ClipboardWords {
    const USAGE: &'static str = "read | write TEXT";
    const HELP: &'static str = "read, or write and the text";
    const MAX: usize = 2;

    fn from_words(words: &mut TakeWords) -> Result<Self, String> {
        match words.next("read or write")?.as_str() {
            "read" => Ok(ClipboardWords::Read),
            "write" => Ok(ClipboardWords::Write { text: words.next("the text")? }),
            other => Err(format!("{other:?} is neither read nor write")),
        }
    }
}

impl Clipboard {
    /// Reading does nothing to the app.
    pub fn effect(&self) -> Effect {
        match *self.words {
            ClipboardWords::Read => Effect::Observes,
            ClipboardWords::Write { .. } => Effect::Mutates,
        }
    }

    pub(super) const SPEC: Spec = Spec::mutates("clipboard", &[Capability::Clipboard]);
}

/// Say which app is in front
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Appstate {}

impl Appstate {
    pub(super) const SPEC: Spec = Spec::observes("appstate", &[Capability::Appstate]);
}
