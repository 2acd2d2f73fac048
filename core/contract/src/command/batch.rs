//! `batch`: several commands in one request.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Command, Effect, Spec};
use crate::{Code, Failure, Row};

/// Steps of a batch at most.
pub const BATCH_STEPS: usize = 500;

/// Run several commands in one request, and stop at the first that fails
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Batch {
    /// The steps as JSON: [{"command":"press","args":{...}}, ...] or ["press @e5", ...]
    #[arg(long, value_name = "JSON", value_parser = parse_steps, required_unless_present = "steps_file")]
    #[serde(default)]
    pub steps: Option<Steps>,
    /// A file with the steps; - reads them from standard input
    #[arg(long, value_name = "FILE", conflicts_with = "steps")]
    #[serde(skip)]
    pub steps_file: Option<String>,
}

/// The steps of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Steps(pub Vec<Step>);

/// One step: a command line, or a command with its arguments as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Step {
    /// As on the command line: `press @e5 --settle`.
    Line(String),
    /// As on the socket.
    Call(StepCall),
}

/// A command with its arguments as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepCall {
    /// The command's name
    pub command: String,
    /// Its arguments
    #[serde(default)]
    pub args: serde_json::Value,
}

/// Reads the JSON of `--steps`.
pub fn parse_steps(text: &str) -> Result<Steps, String> {
    serde_json::from_str(text).map_err(|why| format!("the steps are no JSON array of commands: {why}"))
}

impl Batch {
    /// The steps as commands.
    ///
    /// # Errors
    /// `INVALID_ARGS` naming the step: a batch with a wrong step does not begin.
    pub fn commands(&self) -> Result<Vec<Command>, Failure> {
        let steps = self.steps.as_ref().map(|steps| steps.0.as_slice()).unwrap_or_default();
        let refuse = |message: String| {
            Failure::refused(Row::DaemonProtocolBadArguments, Code::InvalidArgs, message).reason("invalid_arguments")
        };
        if steps.is_empty() || steps.len() > BATCH_STEPS {
            return Err(refuse(format!("a batch has 1 to {BATCH_STEPS} steps, not {}", steps.len())));
        }
        let read = |step: &Step, number: usize| {
            let command = match step {
                Step::Call(call) => Command::from_call(&call.command, &call.args),
                Step::Line(line) => Command::from_line(line),
            };
            let command = command.map_err(|failure| {
                let mut failure = failure.detail("step", number);
                failure.message = format!("step {number}: {}", failure.message);
                failure
            })?;
            let name = command.spec().name;
            if command.spec().batchable {
                Ok(command)
            } else {
                Err(refuse(format!("step {number}: {name} cannot stand in a batch")))
            }
        };
        steps.iter().zip(1..).map(|(step, number)| read(step, number)).collect()
    }

    /// What the batch does to the app: the most that one of its steps does.
    pub fn effect(&self) -> Effect {
        match self.commands() {
            Ok(steps) if steps.iter().all(|step| step.effect() == Effect::Observes) => Effect::Observes,
            _ => Effect::Mutates,
        }
    }

    pub(super) const SPEC: Spec = Spec { timeout_ms: 600_000, batchable: false, ..Spec::mutates("batch", &[]) };
}
