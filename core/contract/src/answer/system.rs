//! What the system around an app answers: dialogs, keyboard, clipboard, settings, windows, files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Noted,
    acted::{Acted, Received},
};
use crate::{
    Rect,
    command::{Setting, Turn},
};

/// A dialog that blocks the app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dialog {
    /// `alert`, `confirm`, `prompt`, `beforeunload`, or the platform's kind.
    pub kind: String,
    /// What it says.
    pub text: String,
    /// Labels of its buttons, where they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub buttons: Vec<String>,
}

/// What `alert` answers. No dialog: the failure `ALERT_NOT_FOUND`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Alerted {
    /// The dialog.
    #[serde(flatten)]
    pub dialog: Dialog,
    /// `accepted` or `dismissed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// What was done, one sentence for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How long `wait` took, ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_ms: Option<u64>,
    /// What the device said of it.
    #[serde(flatten)]
    pub received: Received,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// The on-screen keyboard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyboardState {
    /// It is shown.
    pub visible: bool,
    /// Where, px.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
    /// What it is for: `text`, `number`, `email`, `phone`, `password`, `datetime`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_type: Option<String>,
    /// Whose it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_method: Option<String>,
}

/// What `keyboard` answers, by its action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Keyboard {
    /// `dismiss`.
    Hidden(Box<KeyboardHidden>),
    /// `dismiss`, and there was none.
    HiddenAlready(KeyboardHiddenAlready),
    /// `enter`.
    Entered(Box<Acted>),
    /// `status`.
    Status(KeyboardStatus),
}

/// A keyboard that was hidden.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyboardHidden {
    /// It is shown: false.
    pub visible: bool,
    /// It was shown before.
    pub was_visible: bool,
    /// What came of it.
    #[serde(flatten)]
    pub acted: Acted,
}

/// A keyboard that was not there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyboardHiddenAlready {
    /// As it stands.
    #[serde(flatten)]
    pub state: KeyboardState,
    /// It was shown before: false.
    pub was_visible: bool,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// How the keyboard stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeyboardStatus {
    /// As it stands.
    #[serde(flatten)]
    pub state: KeyboardState,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// What `clipboard` answers: `read` or `write`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Clipboard {
    /// `write`.
    Written(Box<Acted>),
    /// `read`.
    Read(ClipboardText),
}

/// What is on the clipboard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClipboardText {
    /// The text.
    pub text: String,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// What `settings` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettingChanged {
    /// The setting, as it was asked for.
    #[serde(flatten)]
    pub setting: Setting,
    /// What came of it.
    #[serde(flatten)]
    pub acted: Acted,
}

/// What `orientation` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Turned {
    /// How the screen was asked to stand.
    pub orientation: Turn,
    /// The device was seen to stand so.
    pub confirmed: bool,
    /// What came of it.
    #[serde(flatten)]
    pub acted: Acted,
}

/// The app in front.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Foreground {
    /// Its id.
    pub app: String,
    /// The part of it that is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub activity: Option<String>,
    /// The windows that lie over it and take input: a system dialog, a permission question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub above: Vec<String>,
}

/// What `appstate` answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InFront {
    /// The app in front.
    #[serde(flatten)]
    pub front: Foreground,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// A tab or window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Window {
    /// The backend's id of it.
    pub id: String,
    /// Title.
    pub title: String,
    /// Address.
    pub address: String,
    /// The one that commands go to.
    pub active: bool,
}

/// What `windows` answers: how they stand afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Windows {
    /// Numbered from 1 in this order.
    pub windows: Vec<Window>,
    /// What the device said of a window that was closed.
    #[serde(flatten)]
    pub received: Received,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// What `upload` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Uploaded {
    /// The files, by their paths.
    pub files: Vec<String>,
    /// The field: `[file-field] "Photo"`.
    pub element: String,
    /// What came of it.
    #[serde(flatten)]
    pub acted: Acted,
}

/// A file that the app saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Download {
    /// Where it is.
    pub path: String,
    /// Bytes so far.
    pub bytes: u64,
    /// Nothing more is coming.
    pub complete: bool,
}

/// What `downloads` answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Downloaded {
    /// What the app saved in this session.
    pub downloads: Vec<Download>,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}
