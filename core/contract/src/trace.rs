//! A trace as it lies in its folder: what the daemon writes while a session is traced, and a page is made of.
//!
//! `trace.ndjson` holds a [`Header`] and then one [`Entry`] per command, in the order in which they ended. Pictures are
//! PNG files and trees are JSON arrays of [`crate::view::NodeView`] beside it; entries name them, and several may name
//! the same one. Nothing in it is secret: what was typed is left out as in the timeline, values of password fields are
//! masked, addresses have no user and no password, and a picture shows no more than the screen does.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Point, Rect, Size};

/// Of the format.
pub const VERSION: u32 = 1;
/// The file of the entries.
pub const FILE: &str = "trace.ndjson";

/// The first line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// [`VERSION`].
    pub version: u32,
    /// The build that wrote it.
    pub agent_device: String,
    /// The session.
    pub session: String,
    /// `stage`, `web`, `android`.
    pub platform: String,
    /// The device's id.
    pub device: String,
    /// What was open when the trace began.
    pub app: String,
    /// ms since 1970-01-01 UTC.
    pub started_at_ms: u64,
}

/// One command.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// From 1 on.
    pub number: u32,
    /// The request's.
    pub request_id: String,
    /// The command's name.
    pub command: String,
    /// As a person would type it, without secrets: `press label="Save" --settle`.
    pub line: String,
    /// When it began, ms since 1970-01-01 UTC.
    pub at_ms: u64,
    /// How long it took, ms, the pictures of the trace left out.
    pub duration_ms: u64,
    /// Whether it worked.
    pub ok: bool,
    /// What was done, or how it failed: one sentence.
    pub message: String,
    /// The failure as `--json` shows failures (code, message, hint, details with `dispatched` and `dispatchRow`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Value>,
    /// Where the time went.
    #[serde(default)]
    pub timing: Timing,
    /// What it aimed at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Aimed>,
    /// The screen before; `None` where it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Screen>,
    /// The screen after; `None` where it could not be read, and for commands that only look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Screen>,
    /// Lines that the app's log gained, where the device has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<String>,
    /// What the app asked of the network; `None` where the device cannot say, or was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<Network>,
    /// What a reader should know of the entry itself: a picture that could not be taken, a trace that is full.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Where the time of a command went, ms. What does not apply is 0 or empty.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Timing {
    /// Finding the target on the screen, the wait left out.
    pub resolve_ms: u64,
    /// Waiting for it to be there.
    pub wait_ms: u64,
    /// Handing the input to the device.
    pub send_ms: u64,
    /// Waiting until the screen was quiet.
    pub settle_ms: u64,
    /// Every look of every wait, as in the timeline.
    pub polls: Vec<Value>,
}

/// What a command aimed at.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Aimed {
    /// Index of the node in the tree of [`Entry::before`].
    pub node: Option<u32>,
    /// Its box, px of the viewport.
    pub rect: Option<Rect>,
    /// Where the contact landed, px of the viewport.
    pub point: Option<Point>,
    /// Where a gesture went: its points in order, px of the viewport.
    pub path: Vec<Point>,
}

/// A screen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Screen {
    /// When, ms since 1970-01-01 UTC.
    pub at_ms: u64,
    /// A PNG file beside `trace.ndjson`.
    pub picture: Option<String>,
    /// A JSON file beside it: an array of nodes.
    pub tree: Option<String>,
    /// What the px of boxes and points are counted in: the picture shows this area, at whatever scale.
    pub viewport: Option<Size>,
    /// Title of the page or window.
    pub title: Option<String>,
}

/// What the app asked of the network, as far as the device can tell: each request stands with the command during which it was
/// seen to end, or with the next one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Network {
    /// In the order in which they began.
    pub requests: Vec<Exchange>,
    /// How many more there were.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: u32,
    /// What is known to be missing, one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One request and its answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Exchange {
    /// The address, without user, password and secrets.
    pub url: String,
    /// What asked for it: `navigation`, `fetch`, `xmlhttprequest`, `script`, `link`, `css`, `img` and so on.
    pub kind: String,
    /// The status of the answer; `None` where the device does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Whether it failed: a status of 400 and more, or no answer; `None` where that cannot be known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<bool>,
    /// When it began, ms since the command began: negative for what began before.
    pub start_ms: i64,
    /// How long it took, ms.
    pub duration_ms: u64,
    /// What came over the network, bytes: 0 from a cache; `None` where the device does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}
