//! The file of cases.

use std::{collections::BTreeMap, fs, path::PathBuf};

use serde::Deserialize;
use serde_json::Value;

/// Where a case runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// The simulated phone.
    Stage,
    /// A browser.
    Web,
}

impl Place {
    /// As it stands in the file.
    pub const fn word(self) -> &'static str {
        match self {
            Place::Stage => "stage",
            Place::Web => "web",
        }
    }

    /// What `open` takes.
    pub fn app(self) -> String {
        match self {
            Place::Stage => folder().join("app.toml").display().to_string(),
            Place::Web => format!("file://{}", folder().join("app.html").display()),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "$schema")]
    _schema: String,
    version: u32,
    cases: Vec<Case>,
}

/// One case.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Unique.
    pub id: String,
    /// What it shows.
    pub about: String,
    /// Where it runs; everywhere where nothing is said.
    #[serde(default)]
    pub on: Vec<Place>,
    /// The app is open when it begins.
    #[serde(default = "yes")]
    pub opened: bool,
    /// What the surface must offer.
    #[serde(default)]
    pub needs: Vec<String>,
    /// What is done.
    pub steps: Vec<Step>,
}

const fn yes() -> bool {
    true
}

/// One step.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Step {
    /// The command.
    pub command: String,
    /// Its arguments.
    pub args: Value,
    /// Which device.
    pub device: Option<String>,
    /// The limit of the request, ms.
    pub timeout_ms: Option<u64>,
    /// How long a press may wait, ms.
    pub readiness_timeout_ms: Option<u64>,
    /// The id of the request.
    pub request_id: Option<String>,
    /// When the caller cancels it, ms after it was sent.
    pub cancel_after_ms: Option<u64>,
    /// What must come of it.
    pub expect: Expect,
    /// What later steps use of the answer.
    #[serde(default)]
    pub keep: BTreeMap<String, Keep>,
}

/// What must come of a step.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expect {
    /// It works, and the answer fits.
    Ok(Value),
    /// It fails, and the failure fits.
    Failed(Value),
}

/// A part of an answer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keep {
    /// A list in it.
    #[serde(rename = "in")]
    pub list: Option<String>,
    /// The item of the list that fits this.
    #[serde(rename = "where")]
    pub fits: Option<Value>,
    /// The field.
    pub take: String,
}

/// The folder of the cases.
pub fn folder() -> PathBuf {
    crate::workspace().join("contracts/conformance")
}

/// Every case.
///
/// # Panics
/// Where the file cannot be read or is wrong.
pub fn all() -> Vec<Case> {
    let path = folder().join("cases.json");
    let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let file: File = serde_json::from_str(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    assert_eq!(file.version, 1, "{}", path.display());
    file.cases
}
