//! What looks answer: snapshots, differences, texts, waits, pictures.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    Noted,
    acted::{DiffSummary, Filled, Pressed},
};
use crate::{
    command::Predicate,
    view::{NodeView, ScreenView},
};

/// What `snapshot` answers; with `diff` a [`Difference`].
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Snapshot {
    /// With `diff`.
    Difference(Difference),
    /// The screen.
    Screen(Screen),
}

/// The screen.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Screen {
    /// Facts of the whole.
    #[serde(flatten)]
    pub screen: ScreenView,
    /// Its nodes, in the order of the page; a parent stands before its children.
    pub nodes: Vec<NodeView>,
    /// Nothing is different from the last snapshot with the same arguments.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unchanged: bool,
    /// What the caller should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// What is different from the last snapshot with the same arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// What was compared: `snapshot`.
    pub mode: String,
    /// There was nothing to compare with: this screen is what the next one is compared with.
    pub baseline_initialized: bool,
    /// How much.
    pub summary: DiffSummary,
    /// Every line of both screens.
    pub lines: Vec<DiffLine>,
    /// The generation that pinned refs name.
    pub refs_generation: u64,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// One line of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiffLine {
    /// What became of it.
    pub kind: DiffKind,
    /// The line, as `snapshot` shows it.
    pub text: String,
    /// The element's ref, without the `@`.
    #[serde(rename = "ref", default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DiffKind {
    /// New.
    Added,
    /// Gone.
    Removed,
    /// As before.
    Unchanged,
}

/// What `get` answers: `text` or `attrs`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Read {
    /// The element's text.
    Text(Text),
    /// Everything known of it.
    Attributes(Box<Attributes>),
}

/// The text of an element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Text {
    /// Its text.
    pub text: String,
    /// Which it is: `[button] "Save"`.
    pub element: String,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// Everything known of an element.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attributes {
    /// As in a snapshot.
    #[serde(flatten)]
    pub node: NodeView,
    /// A selector that finds it again.
    pub selector_chain: String,
    /// The generation that pinned refs name.
    pub refs_generation: u64,
    /// What else the device tells of it; its names are the platform's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attributes: Option<Map<String, Value>>,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// What `is` answers: it holds. Where it does not, that is the failure `PREDICATE_FAILED`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Holds {
    /// What was checked.
    pub predicate: Predicate,
    /// Always true.
    pub pass: bool,
    /// Of what, as it was given.
    pub target: String,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// What `find` answers, by its action.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Found {
    /// `exists`.
    Exists(FoundAny),
    /// `list`.
    List(FoundList),
    /// `fill`.
    Filled(Box<Filled>),
    /// `click`, `focus`, `type`.
    Pressed(Box<Pressed>),
    /// `get-text`.
    Text(Text),
    /// `get-attrs`.
    Attributes(Box<Attributes>),
    /// `wait`.
    Waited(Waited),
}

/// Whether something is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundAny {
    /// It is.
    pub found: bool,
    /// How many match.
    pub matches: u64,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// Everything that matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundList {
    /// Pinned ref and element: `@e5~s3 [button] "Save"`.
    pub matches: Vec<String>,
    /// The generation that the refs name.
    pub refs_generation: u64,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// What `wait` answers: it came. Where it does not, that is the failure `WAIT_TIMEOUT`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Waited {
    /// How long it took, ms.
    pub waited_ms: u64,
    /// Looks made; absent where only time was waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub captures: Option<u64>,
    /// Nodes of the quiet screen, for `stable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_count: Option<u64>,
    /// `duration`, where only time was waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// What `screenshot` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pictured {
    /// The PNG file.
    pub path: String,
    /// Width, pixels of the picture.
    pub width: u32,
    /// Height, pixels of the picture.
    pub height: u32,
    /// Pixels of the picture to one px of the viewport.
    pub scale: f64,
    /// Size of the file, bytes.
    pub bytes: u64,
    /// How many refs are drawn on it, with `overlayRefs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refs: Option<u64>,
    /// The generation of those refs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refs_generation: Option<u64>,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}
