//! A node, a snapshot and a device as callers see them in JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::geometry::{Rect, Size};

/// Where a device lives. The name after `--platform`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Platform {
    /// The embedded simulated device: an app in one TOML file.
    Stage,
    /// A browser, through W3C WebDriver.
    Web,
    /// An Android phone or emulator, through adb.
    Android,
}

impl std::fmt::Display for Platform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Platform::Stage => "stage",
            Platform::Web => "web",
            Platform::Android => "android",
        })
    }
}

/// A device that can be opened.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeviceView {
    /// The word after `--device`.
    pub id: String,
    /// For people.
    pub name: String,
    /// Where it lives.
    pub platform: Platform,
    /// `simulated`, `desktop`, `emulator`, `device`.
    pub kind: String,
    /// Whether it can be opened now.
    pub available: bool,
    /// Why it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable_reason: Option<String>,
    /// Who holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claimed_by: Option<Holder>,
}

/// Who holds a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Holder {
    /// The session's name.
    pub session: String,
    /// The folder it was opened from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// When it was opened: ms since 1970-01-01 UTC.
    pub since_ms: u64,
}

/// One node of a snapshot in JSON. Facts that the backend did not report are left out.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NodeView {
    /// Place in the listing, from 0.
    pub index: u32,
    /// `e5`, without the `@`.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Normalised role, equal on every platform: button, link, text-field ...
    pub role: String,
    /// The platform's own name for it, where it differs.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub native_type: Option<String>,
    /// The accessible name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The current value of a field, slider ...
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Test id, resource id or element id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identifier: Option<String>,
    /// The accessible description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Hint shown while the field is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// In viewport coordinates.
    pub rect: Rect,
    /// Depth in the listing, from 0.
    pub depth: u32,
    /// `index` of the parent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_index: Option<u32>,
    /// Takes input.
    pub enabled: bool,
    /// Part of it can be seen in the viewport.
    pub visible_to_user: bool,
    /// A press at its point reaches it; absent where nobody tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hittable: Option<bool>,
    /// What covers it, if something does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covered_by: Option<String>,
    /// Has the input focus.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub focused: bool,
    /// Chosen in a list, tab bar ...
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub selected: bool,
    /// Takes text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub editable: bool,
    /// Hides what is typed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub password: bool,
    /// For what can be checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<Checked>,
    /// For what can be expanded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<bool>,
    /// Takes a press, text or a choice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interactive: bool,
    /// Its content can be scrolled.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scrollable: bool,
    /// Content hidden above, px, for scroll containers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden_above: Option<f64>,
    /// Content hidden below, px, for scroll containers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden_below: Option<f64>,
    /// There is more above, and nobody can say how much.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more_above: bool,
    /// There is more below, and nobody can say how much.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more_below: bool,
    /// Heading level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Where a link leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
}

/// State of a check box, switch or toggle button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Checked {
    /// On.
    Checked,
    /// Off.
    Unchecked,
    /// Partly on.
    Mixed,
}

/// Facts of the whole capture.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenView {
    /// Title of the page or screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The page's address, or the app's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// The box that the rects are in.
    pub viewport: Size,
    /// The generation that pinned refs of this snapshot name.
    pub refs_generation: u64,
    /// Nodes that the capture holds.
    pub total_nodes: u32,
    /// Part of the screen is missing from the capture.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}
