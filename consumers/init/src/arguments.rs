//! What can stand on the command line.

use std::path::PathBuf;

use clap::Args;

use crate::Agent;

/// Tell coding agents of this program: the MCP server, and a skill
///
/// Writes into the files that the agents read; what stands in them already is kept as it is. Shows what it will write
/// and asks first.
#[derive(Debug, Clone, Default, Args)]
pub struct Init {
    /// Which agent; several may be given [default: those that are found in the folder or at home]
    #[arg(long = "agent", value_name = "AGENT", value_enum, value_delimiter = ',')]
    pub agents: Vec<Agent>,
    /// Show what would be written, and write nothing
    #[arg(long, conflicts_with = "yes")]
    pub print: bool,
    /// Write without asking
    #[arg(long)]
    pub yes: bool,
    /// The project [default: this folder]
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// For all projects of this user, instead of one project
    #[arg(long, conflicts_with = "folder")]
    pub user: bool,
    /// Replace an entry or a skill of the same name that says something else
    #[arg(long)]
    pub force: bool,
    /// Only the MCP server, no skill
    #[arg(long, conflicts_with = "no_mcp")]
    pub no_skill: bool,
    /// Only the skill, no MCP server: for agents that use the command line
    #[arg(long)]
    pub no_mcp: bool,
}
