//! .ad scripts: how recorded steps stand in a file, and what they mean.
//!
//! ```text
//! context platform=web timeout=60000
//! env NAME="Ada Lovelace"
//!
//! open http://localhost:3000
//! fill label=Name ${NAME}
//! # agent-device:target-v1 {"role":"button","label":"Save","verification":"unique"}
//! press 'role=button label="Save"'
//! wait text Saved
//! ```
//!
//! | module | answers |
//! | --- | --- |
//! | [`parse`](mod@parse) | a text as a script, or everything that is wrong with it |
//! | [`error`] | what is wrong, where, and what to do: printed as a compiler prints it |
//! | [`word`] | words of a line, in quotes or not |
//! | [`header`] | what stands before the first step: `context` and `env` |
//! | [`variables`] | where values come from, and how they are put into words |
//! | [`step`] | one step, and the command that it becomes |
//! | [`standing`] | which commands may stand in a script, and what they aim at |
//! | [`evidence`] | what a step's target was when it was recorded |
//! | [`quote`](mod@quote) | how a word is written |
//! | [`line`] | commands as lines |
//! | [`write`] | recorded scripts, read ones as text, repairs |
//! | [`plan`] | the digest of a script |
//! | [`export`](mod@export) | a script as a Maestro flow, and what has no equivalent there |

pub mod error;
pub mod evidence;
pub mod export;
pub mod header;
pub mod line;
pub mod parse;
pub mod plan;
pub mod quote;
pub mod standing;
pub mod step;
pub mod variables;
pub mod word;
pub mod write;

use std::sync::Arc;

use contract::Command;

pub use error::{ScriptError, Source, Warning, failure};
pub use evidence::{Ancestor, Ends, Evidence, TargetEvidence, Verification};
pub use export::{Export, Gap, export};
pub use header::Context;
pub use line::{line_of, line_with, plainly};
pub use parse::parse;
pub use plan::digest;
pub use quote::quote;
pub use step::Step;
pub use variables::Variables;
pub use write::{Repair, Writer, print, rewrite};

/// A script that was read.
#[derive(Debug, Clone)]
pub struct Script {
    /// The file as a person would name it.
    pub file: Arc<str>,
    /// What it says of what it runs on.
    pub context: Context,
    /// The variables that it sets, in order.
    pub env: Vec<(String, String)>,
    /// Its steps, at least one.
    pub steps: Vec<Step>,
    /// What is odd about it.
    pub warnings: Vec<Warning>,
}

impl Script {
    fn empty(file: &str) -> Self {
        Self {
            file: file.into(),
            context: Context::default(),
            env: Vec::new(),
            steps: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The same variables, and those that the script sets.
    #[must_use]
    pub fn variables(&self, others: Variables) -> Variables {
        others.script(self.env.iter().cloned())
    }

    /// Every step as a command, with the variables put in: nothing of a script runs before all of it is understood.
    /// `variables` should come from [`Script::variables`].
    ///
    /// # Errors
    /// Everything that is wrong, the first [`parse::MOST_ERRORS`] of it.
    pub fn commands(&self, variables: &Variables) -> Result<Vec<Command>, Vec<ScriptError>> {
        let (mut commands, mut errors) = (Vec::with_capacity(self.steps.len()), Vec::new());
        for step in &self.steps {
            match step.command(variables) {
                Ok(command) => commands.push(command),
                Err(error) if errors.len() < parse::MOST_ERRORS => errors.push(error),
                Err(_) => break,
            }
        }
        if errors.is_empty() { Ok(commands) } else { Err(errors) }
    }
}

/// Whether both say the same, wherever their lines stand.
impl PartialEq for Script {
    fn eq(&self, other: &Self) -> bool {
        self.context == other.context
            && self.env == other.env
            && self.steps.len() == other.steps.len()
            && self.steps.iter().zip(&other.steps).all(|(one, other)| step::alike(one, other))
    }
}
