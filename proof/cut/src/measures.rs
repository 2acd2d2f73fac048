//! Figures that are no counts of faults: memory, executions, survivors.

use std::{fs, io, path::Path};

use serde::{Deserialize, Serialize};

/// One run that measured something: a file of `proof/figures`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Measures {
    /// What was measured, for a heading.
    pub part: String,
    /// How, in a sentence or two.
    pub how: String,
    /// Which parts were real and which were doubles, in a sentence.
    pub real: String,
    /// The command that does this run again.
    pub command: String,
    /// How long the run took, s.
    pub seconds: u64,
    /// One line per figure.
    pub lines: Vec<Measure>,
}

/// One figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Measure {
    /// What it is: `memory after 100,000 commands`.
    pub name: String,
    /// Its value, with the unit: `9.1 MB`.
    pub value: String,
    /// What it has to be: `at most 12 MB`; empty where nothing is promised.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub bar: String,
    /// Whether it is.
    pub holds: bool,
}

impl Measures {
    /// Writes them as a file.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, to: &Path) -> io::Result<()> {
        fs::write(to, serde_json::to_string_pretty(self)? + "\n")
    }

    /// Reads a file.
    ///
    /// # Errors
    /// What the system says, or what does not fit the format.
    pub fn read(from: &Path) -> io::Result<Self> {
        Ok(serde_json::from_str(&fs::read_to_string(from)?)?)
    }
}
