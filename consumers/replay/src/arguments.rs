//! What can stand on the command line behind `replay` and `test`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// Run a recorded script or a Maestro flow, step by step, and wait for each target
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Replay {
    #[allow(missing_docs, reason = "see ReplayTask")]
    #[command(subcommand)]
    pub task: Option<ReplayTask>,
    /// The script (.ad) or flow (.yaml)
    #[arg(value_name = "FILE", required = true)]
    pub file: Option<PathBuf>,
    /// A value for ${NAME}; stronger than AD_VAR_NAME and than the script's own
    #[arg(short = 'e', long = "env", value_name = "NAME=VALUE", value_parser = variable)]
    pub env: Vec<(String, String)>,
    /// Go on from this step: the failure of the run before names it
    #[arg(long, value_name = "N", requires = "plan_digest", value_parser = clap::value_parser!(u32).range(1..))]
    pub from: Option<u32>,
    /// The plan that the step is of: the failure of the run before names it too
    #[arg(long, value_name = "HEX")]
    pub plan_digest: Option<String>,
    /// Leave the session open: a last `close` is not run
    #[arg(long)]
    pub keep_session: bool,
    /// Where a target is named otherwise now and can be told for sure, go on with it, and write the repaired script
    /// [default: beside the old one, as NAME.healed.ad]
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub save_script: Option<Option<PathBuf>>,
    /// Replace a repaired script that is there already
    #[arg(long, requires = "save_script")]
    pub force: bool,
    /// Write a page that shows every step [default: NAME-trace.html in this folder]
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub trace: Option<Option<PathBuf>>,
}

/// What else can be done with scripts.
#[derive(Debug, Clone, Subcommand)]
pub enum ReplayTask {
    /// Write a script as a Maestro flow; what has no equivalent is listed
    Export {
        /// The script
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Where to [default: NAME.yaml beside it]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Replace a file that is there already
        #[arg(long)]
        force: bool,
    },
}

/// Run many scripts and flows, and report
#[derive(Debug, Clone, Args)]
pub struct Test {
    /// Files, folders and patterns
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<String>,
    /// A value for ${NAME}
    #[arg(short = 'e', long = "env", value_name = "NAME=VALUE", value_parser = variable)]
    pub env: Vec<(String, String)>,
    /// Spread the flows over so many sessions at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64), conflicts_with = "shard_all")]
    pub shard_split: Option<u32>,
    /// Run every flow in each of so many sessions at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub shard_all: Option<u32>,
    /// Devices of the shards [--device names one]
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    pub devices: Vec<String>,
    /// Try a flow that fails again, from the start, so often; it is told as flaky then
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=3))]
    pub retries: Option<u32>,
    /// Begin no more flows once one has failed
    #[arg(long)]
    pub fail_fast: bool,
    /// Only flows with one of these tags
    #[arg(long, value_name = "TAG,...", value_delimiter = ',')]
    pub include_tags: Vec<String>,
    /// No flows with one of these tags
    #[arg(long, value_name = "TAG,...", value_delimiter = ',')]
    pub exclude_tags: Vec<String>,
    /// Where traces, pictures and reports go [default: agent-device-results in this folder]
    #[arg(long, value_name = "DIR")]
    pub artifacts_dir: Option<PathBuf>,
    /// Of which attempts a page is kept that shows every step
    #[arg(long, value_enum, default_value_t = TraceWhen::OnFailure)]
    pub trace: TraceWhen,
    /// Write a JUnit report
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write everything that is known of the run as JSON
    #[arg(long, value_name = "FILE")]
    pub report_json: Option<PathBuf>,
    /// Write a page with every flow, its attempts, and links to their traces [default: report.html in the run's folder]
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub report_html: Option<Option<PathBuf>>,
    /// Fail where a flow passed only when tried again
    #[arg(long)]
    pub fail_on_flaky: bool,
}

/// Of which attempts a trace is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TraceWhen {
    /// Of none: nothing is recorded.
    Never,
    /// Of those that fail.
    OnFailure,
    /// Of all.
    Always,
}

fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it is written NAME=VALUE")?;
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let plain = name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit());
    match plain {
        true => Ok((name.to_owned(), value.to_owned())),
        false => Err(format!("{name:?} is no name: letters, digits and _")),
    }
}
