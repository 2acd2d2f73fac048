//! `upload` and `downloads`: files into and out of a page.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Spec;
use crate::{
    Capability, Target,
    words::{FromWords, TakeWords, Words},
};

/// Choose files for a file field
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Upload {
    #[allow(missing_docs, reason = "the help comes from the words")]
    #[command(flatten)]
    #[serde(flatten)]
    pub words: Words<UploadWords>,
}

/// The field and the files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadWords {
    /// The file field
    pub target: Target,
    /// The files, absolute paths
    pub files: Vec<String>,
}

impl FromWords for UploadWords {
    const USAGE: &'static str = "TARGET FILE...";
    const HELP: &'static str = "@ref or a selector of the file field; then the files";
    const MAX: usize = 100;

    fn from_words(words: &mut TakeWords) -> Result<Self, String> {
        let target = Target::take(words)?;
        let mut files = vec![words.next("a file")?];
        while let Some(file) = words.next_if_any() {
            files.push(file);
        }
        Ok(Self { target, files })
    }
}

impl Upload {
    pub(super) const SPEC: Spec = Spec::mutates("upload", &[Capability::Upload]);
}

/// List what the page saved, and where it is
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Downloads {
    /// Wait until at least one file is complete, ms at most
    #[arg(long, value_name = "MS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<u64>,
}

impl Downloads {
    pub(super) const SPEC: Spec = Spec::observes("downloads", &[Capability::Downloads]);
}
