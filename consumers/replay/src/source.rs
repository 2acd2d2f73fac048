//! A file that is run: a recorded script or a Maestro flow, read and checked as a whole.

use std::path::{Path, PathBuf};

use contract::{Code, Failure, Row, view::Platform};
use maestro::{Reading, text_of};
use script::Script;
use serde_json::json;

use crate::steps::UnderScript;

/// One file.
#[derive(Debug)]
pub struct Source {
    /// Absolute.
    pub path: PathBuf,
    /// As a person would name it.
    pub file: String,
    /// What it holds.
    pub body: Body,
}

/// What a file holds.
#[derive(Debug)]
pub enum Body {
    /// A recorded script, and its text as it stands in the file.
    Script {
        /// Read.
        script: Script,
        /// As it is.
        text: String,
    },
    /// A Maestro flow.
    Flow(maestro::Flow),
}

impl Source {
    /// Reads a file: `.yaml` and `.yml` are flows, everything else is a script. `folder` is the caller's.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once, with file, line and column. Nothing has been run.
    pub fn read(path: &Path, folder: &Path) -> Result<Self, Failure> {
        let path = caller::absolute(folder, path);
        let file = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase()).unwrap_or_default();
        if extension == "yaml" || extension == "yml" {
            let reading = Reading { root: folder.to_owned() };
            let flow = maestro::Flow::read(&path, &reading).map_err(|problems| of_flow(&problems))?;
            return Ok(Self { path, file, body: Body::Flow(flow) });
        }
        if path.is_dir() {
            return Err(unreadable(&format!("{file}: it is a folder; `agent-device test` runs folders")));
        }
        let text = text_of(&path).map_err(|why| unreadable(&format!("{file}: {why}")))?;
        let script = script::parse(&text, &file).map_err(|errors| script::failure(&errors).under_script())?;
        Ok(Self { path, file, body: Body::Script { script, text } })
    }

    /// Its name: what it says of itself, else the file's.
    pub fn name(&self) -> String {
        match &self.body {
            Body::Flow(flow) => flow.name(),
            Body::Script { .. } => {
                self.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
            }
        }
    }

    /// Its tags.
    pub fn tags(&self) -> &[String] {
        match &self.body {
            Body::Flow(flow) => flow.tags(),
            Body::Script { .. } => &[],
        }
    }

    /// The folder in which what it names lies.
    pub fn folder(&self) -> PathBuf {
        self.path.parent().map(Path::to_path_buf).unwrap_or_default()
    }

    /// The platform that it asks for.
    pub fn platform(&self) -> Option<Platform> {
        match &self.body {
            Body::Flow(flow) => flow.is_web().then_some(Platform::Web),
            Body::Script { script, .. } => script.context.platform,
        }
    }

    /// How often it asks to be tried again.
    pub fn retries(&self) -> u32 {
        match &self.body {
            Body::Flow(_) => 0,
            Body::Script { script, .. } => script.context.retries.unwrap_or(0),
        }
    }

    /// The limit that it sets itself, ms.
    pub fn timeout_ms(&self) -> Option<u64> {
        match &self.body {
            Body::Flow(_) => None,
            Body::Script { script, .. } => script.context.timeout_ms,
        }
    }
}

/// Everything that is wrong with a flow.
pub fn of_flow(problems: &maestro::Problems) -> Failure {
    let mut shown = problems.0.iter().map(|problem| {
        let message = problem.to_string();
        json!({"file": problem.place.file, "line": problem.place.line, "column": problem.column, "shown": message})
    });
    let first = problems.0.first().map_or_else(String::new, |problem| {
        format!("{}:{}:{}: {}", problem.place.file, problem.place.line, problem.column, problem.message)
    });
    let more = problems.0.len().saturating_sub(1);
    let others = if more > 0 { format!(" (and {more} more)") } else { String::new() };
    unreadable(&format!("{first}{others}; nothing was run")).detail("problems", shown.by_ref().collect::<Vec<_>>())
}

/// What cannot be run, before anything of it has.
pub fn unreadable(why: &str) -> Failure {
    Failure::refused(Row::ReplayScriptUnreadable, Code::InvalidArgs, why)
        .reason("script_unreadable")
        .hint("nothing has been run; see `agent-device help replay`")
}
