//! What was found: folders, the program, whether somebody can be asked.

use std::{
    env,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use contract::Failure;

use crate::{Agent, Init, agents::NAME, usage};

/// Where the command runs.
#[derive(Debug, Clone)]
pub struct Place {
    /// The project's folder.
    pub folder: PathBuf,
    /// The user's folder.
    pub home: Option<PathBuf>,
    /// Where Codex keeps its files, if the user has moved them.
    pub codex_home: Option<PathBuf>,
    /// What an entry calls: a word if the program is found by it, else its path.
    pub program: String,
    /// Whether somebody sits at a terminal and can answer.
    pub interactive: bool,
}

impl Place {
    /// As this process finds it. `quiet` is for programs that read the output: they are not asked.
    pub fn find(folder: Option<&Path>, quiet: bool) -> Self {
        let path = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let here = env::current_dir().unwrap_or_default();
        Self {
            folder: folder.map_or_else(|| here.clone(), |folder| here.join(folder)),
            home: path("HOME"),
            codex_home: path("CODEX_HOME"),
            program: program(),
            interactive: !quiet && io::stdin().is_terminal() && io::stderr().is_terminal(),
        }
    }

    /// The agents that are meant: those that were named, else those that were found.
    pub(crate) fn agents(&self, init: &Init) -> Result<Vec<Agent>, Failure> {
        let known = Agent::value_variants();
        if !init.user && !self.folder.is_dir() {
            return Err(
                usage(format!("{} is no folder", self.folder.display())).hint("name the project's: --folder DIR")
            );
        }
        if !init.agents.is_empty() {
            return Ok(known.iter().copied().filter(|agent| init.agents.contains(agent)).collect());
        }
        let found: Vec<_> = known.iter().copied().filter(|agent| self.shows(*agent, init.user)).collect();
        if found.is_empty() {
            let names: Vec<_> = known.iter().map(|agent| agent.name()).collect();
            return Err(usage("no agent was found, neither in this folder nor at home")
                .hint(format!("name one: agent-device init --agent {}", names.join("|"))));
        }
        Ok(found)
    }

    /// Whether there are signs of an agent.
    fn shows(&self, agent: Agent, user: bool) -> bool {
        let habits = agent.habits();
        let in_folder = !user && habits.signs.iter().any(|sign| self.folder.join(sign).exists());
        let at_home =
            self.home.as_ref().is_some_and(|home| habits.signs_at_home.iter().any(|sign| home.join(sign).exists()));
        in_folder || at_home || agent == Agent::Codex && self.codex_home.as_ref().is_some_and(|folder| folder.exists())
    }

    /// The path as a person reads it.
    pub(crate) fn shown(&self, path: &Path) -> String {
        if let Ok(inner) = path.strip_prefix(&self.folder) {
            return inner.display().to_string();
        }
        match self.home.as_ref().and_then(|home| path.strip_prefix(home).ok()) {
            Some(inner) => format!("~/{}", inner.display()),
            None => path.display().to_string(),
        }
    }
}

/// The word, if a shell finds this very program by it; else this program's path.
fn program() -> String {
    let Ok(this) = env::current_exe() else { return NAME.to_owned() };
    let real = |path: &Path| path.canonicalize().ok();
    let found = env::var_os("PATH")
        .and_then(|path| env::split_paths(&path).map(|folder| folder.join(NAME)).find(|file| file.is_file()));
    match found {
        Some(found) if real(&found) == real(&this) => NAME.to_owned(),
        _ => this.display().to_string(),
    }
}
