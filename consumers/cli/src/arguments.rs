//! What can stand on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use contract::{Command, view::Platform};

/// Drives browsers and simulated devices, and says of every failure whether it reached the device.
///
/// First steps:
///   agent-device open http://localhost:3000
///   agent-device snapshot -i
///   agent-device press @e5 --settle
///
/// Exit codes: 0 done; 1 failed, nothing reached the device; 2 wrong usage; 3 failed, it may have reached it.
#[derive(Debug, Parser)]
#[command(
    name = "agent-device",
    version,
    propagate_version = true,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    max_term_width = 110,
    verbatim_doc_comment
)]
pub struct Arguments {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Sub,
}

/// Flags that every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// Print one JSON envelope instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Which session [default: the one of this git worktree or folder]
    #[arg(long, global = true, value_name = "NAME", env = "AGENT_DEVICE_SESSION", hide_env_values = true)]
    pub session: Option<String>,
    /// Which platform, when opening [env: AGENT_DEVICE_PLATFORM=]
    #[arg(long, global = true, value_enum)]
    pub platform: Option<Platform>,
    /// Which device, when opening: see `devices`
    #[arg(long, global = true, value_name = "ID")]
    pub device: Option<String>,
    /// How long the whole command may take, ms
    #[arg(long, global = true, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub timeout: Option<u64>,
    /// Where the daemon keeps its state
    #[arg(long, global = true, value_name = "DIR", env = "AGENT_DEVICE_STATE_DIR", hide_env_values = true)]
    pub state_dir: Option<PathBuf>,
    /// Use the devices of another machine: where `agent-device serve` can be reached
    #[arg(long, global = true, value_name = "URL", env = "AGENT_DEVICE_URL", hide_env_values = true)]
    pub url: Option<String>,
}

/// A command of the daemon, or one that this program answers itself.
#[derive(Debug, Subcommand)]
pub enum Sub {
    #[command(flatten)]
    Device(Command),
    #[allow(missing_docs, reason = "documented on the arguments, where clap reads it")]
    Replay(Box<replay::arguments::Replay>),
    #[allow(missing_docs, reason = "documented on the arguments, where clap reads it")]
    Test(Box<replay::arguments::Test>),
    #[allow(missing_docs, reason = "documented on the arguments, where clap reads it")]
    Init(init::Init),
    #[allow(missing_docs, reason = "documented on the arguments, where clap reads it")]
    Serve(Box<serve::Serve>),
    #[allow(missing_docs, reason = "documented on the arguments, where clap reads it")]
    Mcp(Box<crate::models::Mcp>),
    /// Print a completion script for a shell
    Completions {
        /// Which shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Explain a topic or a command
    Help {
        /// A topic or a command [default: the list of both]
        topic: Option<String>,
    },
}
