//! What an input answers: what was hit, what the device said of it, what the screen did then.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Noted;
use crate::{Point, command::ScrollDirection};

/// What a device can say of an input that it performed. Nothing here claims what the app did with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Received {
    /// The events that the app was seen to get, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// A dialog or window that it opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened: Option<String>,
    /// The row of the golden table where the reply was lost and the device's own journal says that it was done, once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_row: Option<String>,
    /// What the caller should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// What every input answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Acted {
    /// What was done, one sentence for people.
    pub message: String,
    /// What the device said of it.
    #[serde(flatten)]
    pub received: Received,
    /// How the screen came to rest, with `settle`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settle: Option<Settled>,
    /// Whether the screen changed, with `verify`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// What a target was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TargetKind {
    /// A ref.
    Ref,
    /// A selector.
    Selector,
    /// A point.
    Point,
}

/// What a press, a hover or a focus answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pressed {
    /// Where it landed, px from the left edge of the viewport.
    pub x: f64,
    /// Where it landed, px from the top edge of the viewport.
    pub y: f64,
    /// How the target was given.
    pub target_kind: TargetKind,
    /// The element: `[button] "Save"`. Absent for a bare point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// A selector that finds the element again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector_chain: Option<String>,
    /// The element of a plain ref is called something else than when it was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label_changed: Option<LabelChanged>,
    /// How long the target was waited for, where more than one look was needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub readiness: Option<Awaited>,
    /// What came of it.
    #[serde(flatten)]
    pub acted: Acted,
}

/// The two names of an element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabelChanged {
    /// When it was shown.
    pub was: String,
    /// Now.
    pub now: String,
}

/// The looks made while waiting for a target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Awaited {
    /// How many.
    pub polls: u64,
    /// How long it took, ms.
    pub waited_ms: u64,
}

/// What `fill` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Filled {
    /// Which field.
    #[serde(flatten)]
    pub field: Pressed,
    /// How many characters were filled in.
    pub characters: u64,
    /// The field was read back and holds the text. `false`: it cannot be read.
    pub verified: bool,
}

/// What `type` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Typed {
    /// How many characters were typed.
    pub characters: u64,
    /// What came of it.
    #[serde(flatten)]
    pub acted: Acted,
}

/// What `scroll` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scrolled {
    /// Which way.
    pub direction: ScrollDirection,
    /// By how much, px rightwards, where the device tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_x: Option<f64>,
    /// By how much, px downwards, where the device tells it. 0 and 0: it was at the end already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_y: Option<f64>,
    /// There is more in that direction, where the device tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more: Option<bool>,
    /// What came of it.
    #[serde(flatten)]
    pub acted: Acted,
}

/// What `swipe` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Swiped {
    /// How often.
    pub count: u32,
    /// What came of it.
    #[serde(flatten)]
    pub acted: Acted,
}

/// What `gesture` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gestured {
    /// How many contacts.
    pub contacts: u32,
    /// How long it took, ms.
    pub duration_ms: u64,
    /// Where the first contact began.
    pub from: Point,
    /// Where it ended.
    pub to: Point,
    /// What came of it.
    #[serde(flatten)]
    pub acted: Acted,
}

/// What `viewport` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Resized {
    /// Width that was asked for, px.
    pub width: u32,
    /// Height that was asked for, px.
    pub height: u32,
    /// What came of it.
    #[serde(flatten)]
    pub acted: Acted,
}

/// How the screen came to rest after an input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Settled {
    /// It came to rest within the limit.
    pub settled: bool,
    /// How long that took, ms.
    pub waited_ms: u64,
    /// Looks made.
    pub captures: u64,
    /// How long it had to stay the same, ms.
    pub quiet_ms: u64,
    /// The limit, ms.
    pub timeout_ms: u64,
    /// What a dialog says that opened instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialog: Option<String>,
    /// What is different from before the input. Absent where the screen could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<SettledDiff>,
    /// The generation that the pinned refs of `diff` name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refs_generation: Option<u64>,
    /// What to do next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// What is different after an input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettledDiff {
    /// How much.
    pub summary: DiffSummary,
    /// Lines that begin with `- ` or `+ `; new ones with a pinned ref.
    pub lines: Vec<String>,
    /// There are more than are shown.
    pub truncated: bool,
}

/// How much is different between two screens, in lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiffSummary {
    /// New.
    pub additions: u64,
    /// Gone.
    pub removals: u64,
    /// As before.
    pub unchanged: u64,
}

/// Whether the screen changed after an input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// Stands for what was on the screen before.
    pub digest_before: String,
    /// Stands for what is there now. This and what follows is absent where the screen could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Nodes on the screen now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_count: Option<u64>,
    /// Those that take input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interactive_node_count: Option<u64>,
    /// The page's address, or the app's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreground_app: Option<String>,
    /// It is another screen than before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_from_before: Option<bool>,
}
