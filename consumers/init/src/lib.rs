//! `agent-device init`: writes the registration of the MCP server, and the skill, where coding agents look for them.
//!
//! | module | answers |
//! | --- | --- |
//! | [`agents`] | which agents there are, and which files they read |
//! | [`arguments`] | what can stand on the command line |
//! | [`plan`] | what each file would become |
//! | [`jsonc`] | how a member is added to JSON, and every other byte kept |
//! | [`tables`] | the same for TOML |
//! | [`place`] | what was found: folders, the program, whether somebody can be asked |
//! | [`write`] | how a file is replaced |
//! | [`told`] | what is said of it |
//!
//! Nothing is written unless every file could be read and understood, and a file that was changed is read again and
//! compared before it replaces the old one: what it meant before, it means still.

mod agents;
mod arguments;
mod jsonc;
mod place;
mod plan;
mod tables;
mod told;
mod write;

use contract::{Code, Failure, Row, request::Answer};

pub use agents::Agent;
pub use arguments::Init;
pub use place::Place;

/// The skill, as it is written into a project.
pub const SKILL: &str = include_str!("../../skill/SKILL.md");

/// Runs the command. `ask` shows what would be written and returns whether it may be; it is called only where somebody
/// sits at a terminal and `--yes` was not given.
///
/// # Errors
/// `INVALID_ARGS` where nobody can be asked, no agent is found, or a file cannot be understood; `STORAGE_FAILED` where a
/// file cannot be read or written. Nothing is written then, unless the message says what was.
pub fn run(init: &Init, place: &Place, ask: impl FnOnce(&str) -> bool) -> Result<Answer, Failure> {
    let agents = place.agents(init)?;
    let plan = plan::make(init, place, &agents)?;
    if init.print {
        return Ok(told::plan(&plan, place));
    }
    if plan.changes() && !init.yes {
        if !place.interactive {
            return Err(usage("there is nobody here who could be asked")
                .hint("look with --print, then write with --yes: agent-device init --yes"));
        }
        if !ask(&told::question(&plan, place)) {
            return Ok(told::nothing());
        }
    }
    write::all(&plan, place)?;
    Ok(told::done(&plan, place))
}

fn usage(message: impl Into<String>) -> Failure {
    Failure::refused(Row::ClientUsage, Code::InvalidArgs, message).reason("usage")
}
