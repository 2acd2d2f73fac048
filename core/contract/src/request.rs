//! One request and one response, as they stand on the socket (inside JSON-RPC 2.0 lines).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Command, Disclosed, Expected, view::Platform};

/// A request of a consumer to the daemon.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Request {
    /// Chosen by the client, unique. Asking again with the same id answers with the retained result.
    pub request_id: String,
    /// The session's name; where absent, the one implied by `workspace`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The caller's worktree or folder: names the implied session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// Which platform, if the caller said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<Platform>,
    /// Which device, if the caller said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The whole request's limit, ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// How long a press may wait while its target is absent, ms; set by replay and the client libraries only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub readiness_timeout_ms: Option<u64>,
    /// What the command's targets were when it was recorded, in the order of its arguments: a target that is something else
    /// now is not acted on. Set by replay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<Expected>,
    /// Whether the answer should bring the text for people.
    #[serde(default)]
    pub render: Render,
    /// The command's name, not looked at yet: a wrong one still gets a typed answer.
    pub command: String,
    /// Its arguments, an object.
    #[serde(default)]
    pub args: Value,
}

impl Request {
    /// A request for `command` with everything else left to its default.
    pub fn new(request_id: impl Into<String>, command: &Command) -> Self {
        Self {
            request_id: request_id.into(),
            session: None,
            workspace: None,
            platform: None,
            device: None,
            timeout_ms: None,
            readiness_timeout_ms: None,
            expect: Vec::new(),
            render: Render::default(),
            command: command.spec().name.to_owned(),
            args: command.to_args(),
        }
    }
}

/// What the answer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Render {
    /// Data for programs.
    #[default]
    Json,
    /// `text` for people; bulky data is left out.
    Text,
}

/// What a command answers.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// For programs; an object.
    #[serde(default)]
    pub data: Value,
    /// For people, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Answer {
    /// An answer of one sentence, whatever names and paths stand in it.
    pub fn said(data: Value, sentence: impl AsRef<str>) -> Self {
        Self { data, text: Some(crate::plain::line(sentence.as_ref()).into_owned()) }
    }

    /// An answer with both faces.
    pub fn new(data: Value, text: impl Into<String>) -> Self {
        Self { data, text: Some(text.into()) }
    }
}

/// What a request ends with.
pub type Response = Result<Answer, Disclosed>;

/// What the first line of a connection says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Hello {
    /// Exact version; both sides must be equal.
    pub version: String,
    /// Identity of the build, where the client has one: two builds of one version differ here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
}

/// What the daemon says back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Welcome {
    /// Exact version.
    pub version: String,
    /// Identity of the build.
    pub build: String,
    /// Identity of this daemon process: another one cannot answer for what this one was asked.
    pub instance: String,
    /// Process id.
    pub pid: u32,
    /// Open sessions: a daemon that has some is never replaced.
    pub sessions: u32,
    /// Whether requests will be taken.
    pub accepted: bool,
}

/// Asks for the result of a request sent earlier, without running anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RetainedQuery {
    /// The request's id.
    pub request_id: String,
}

/// The methods of the socket (JSON-RPC 2.0, one object a line).
pub mod method {
    /// [`super::Hello`] -> [`super::Welcome`]. The first line of a connection.
    pub const HELLO: &str = "hello";
    /// [`super::Request`] -> [`super::Answer`].
    pub const RUN: &str = "run";
    /// [`super::RetainedQuery`] -> the answer of that request, or an error with reason `not_seen`.
    pub const RETAINED: &str = "retained";
}

/// A line longer than this is refused, bytes.
pub const LINE_LIMIT: usize = 16 << 20;
