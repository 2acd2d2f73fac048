//! What each file would become. Files are read here, and nothing is written.

use std::{fs, io, path::Path, path::PathBuf};

use contract::{Code, Failure};
use serde_json::{Value, json};
use toml::Table;

use crate::{
    Agent, Init, Place, SKILL,
    agents::{self, Form, Habits, NAME},
    jsonc::{self, Changed},
    tables, usage,
};

/// What would be done.
#[derive(Debug)]
pub struct Plan {
    /// Each file once.
    pub files: Vec<File>,
    /// The agents, in their order.
    pub agents: Vec<Agent>,
    /// Agents whose list of servers, for all projects, only their own command should change.
    pub by_hand: Vec<Agent>,
}

impl Plan {
    /// Whether anything would be written.
    pub fn changes(&self) -> bool {
        self.files.iter().any(File::changes)
    }
}

/// A file, now and afterwards.
#[derive(Debug)]
pub struct File {
    pub path: PathBuf,
    pub agents: Vec<Agent>,
    pub what: What,
    pub before: Option<String>,
    pub after: String,
    pub outcome: Outcome,
}

impl File {
    /// Whether it would be written.
    pub fn changes(&self) -> bool {
        matches!(self.outcome, Outcome::New | Outcome::Changed | Outcome::Replaced(_))
    }
}

/// What is put into a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    Server,
    Skill,
}

/// What becomes of a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is not there yet.
    New,
    /// It is there, and gets something more.
    Changed,
    /// What stood there under our name gives way: this.
    Replaced(String),
    /// It says it already.
    Same,
    /// It says something else under our name, and stays: this.
    Kept(String),
}

/// Reads every file and works out the next one.
pub fn make(init: &Init, place: &Place, agents: &[Agent]) -> Result<Plan, Failure> {
    let mut plan = Plan { files: Vec::new(), agents: agents.to_vec(), by_hand: Vec::new() };
    for agent in agents {
        let habits = agent.habits();
        if !init.no_mcp {
            match servers(init, place, *agent, &habits)? {
                Some(path) => add(&mut plan.files, path, *agent, |path| server(init, place, *agent, path))?,
                None => plan.by_hand.push(*agent),
            }
        }
        if !init.no_skill {
            let path = base(init, place)?.join(habits.skills).join(NAME).join("SKILL.md");
            add(&mut plan.files, path, *agent, |path| skill(init, path))?;
        }
    }
    Ok(plan)
}

/// Several agents may read one file.
fn add(
    files: &mut Vec<File>,
    path: PathBuf,
    agent: Agent,
    make: impl FnOnce(PathBuf) -> Result<File, Failure>,
) -> Result<(), Failure> {
    let file = match files.iter_mut().find(|file| file.path == path) {
        Some(file) => file,
        None => {
            files.push(make(path)?);
            let Some(file) = files.last_mut() else { return Ok(()) };
            file
        }
    };
    file.agents.push(agent);
    Ok(())
}

fn base<'a>(init: &Init, place: &'a Place) -> Result<&'a Path, Failure> {
    match (init.user, &place.home) {
        (false, _) => Ok(&place.folder),
        (true, Some(home)) => Ok(home),
        (true, None) => Err(usage("the user's folder is not known").hint("set HOME, or leave out --user")),
    }
}

/// The agent's file of servers: the first that is there, else the first.
fn servers(init: &Init, place: &Place, agent: Agent, habits: &Habits) -> Result<Option<PathBuf>, Failure> {
    if let (true, Agent::Codex, Some(folder)) = (init.user, agent, &place.codex_home) {
        return Ok(Some(folder.join("config.toml")));
    }
    let base = base(init, place)?;
    let names = if init.user { habits.user } else { habits.project };
    let paths: Vec<_> = names.iter().map(|name| base.join(name)).collect();
    Ok(paths.iter().find(|path| path.exists()).or(paths.first()).cloned())
}

fn server(init: &Init, place: &Place, agent: Agent, path: PathBuf) -> Result<File, Failure> {
    let before = read(&path)?;
    let entry = agent.entry(&place.program);
    let form = agent.habits().form;
    let text = before.as_deref().unwrap_or_default();
    let there = match form {
        Form::Json(container) => json_entry(text, container).map_err(|why| unread(&path, &why))?,
        Form::Toml(container) => {
            let table = tables::table(text).map_err(|why| unread(&path, &why))?;
            tables::entry(&table, container, NAME)
        }
    };
    let (after, outcome) = match there {
        Some(there) if agents::says(&there, &entry) => (text.to_owned(), Outcome::Same),
        Some(there) if !init.force => (text.to_owned(), Outcome::Kept(there.to_string())),
        there => {
            let after = changed(form, text, &entry).map_err(|why| by_hand(&path, form, &entry, &why))?;
            let outcome = match (&before, there) {
                (_, Some(there)) => Outcome::Replaced(there.to_string()),
                (None, None) => Outcome::New,
                (Some(_), None) => Outcome::Changed,
            };
            (after, outcome)
        }
    };
    Ok(File { path, agents: Vec::new(), what: What::Server, before, after, outcome })
}

fn skill(init: &Init, path: PathBuf) -> Result<File, Failure> {
    let before = read(&path)?;
    let outcome = match &before {
        None => Outcome::New,
        Some(before) if before == SKILL => Outcome::Same,
        Some(_) if init.force => Outcome::Replaced("another text".to_owned()),
        Some(_) => Outcome::Kept("another text".to_owned()),
    };
    let after = match (&outcome, &before) {
        (Outcome::Kept(_), Some(before)) => before.clone(),
        _ => SKILL.to_owned(),
    };
    Ok(File { path, agents: Vec::new(), what: What::Skill, before, after, outcome })
}

fn json_entry(text: &str, container: &str) -> Result<Option<Value>, String> {
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Ok(None);
    }
    let value = jsonc::value(text).map_err(|problem| problem.tell(text))?;
    Ok(value.get(container).and_then(|list| list.get(NAME)).cloned())
}

/// The new text, read again: it says what the old one said, and the entry.
fn changed(form: Form, text: &str, entry: &[(&'static str, Value)]) -> Result<String, String> {
    const ELSE: &str = "the change would alter something else";
    match form {
        Form::Json(container) => {
            let new = match jsonc::put(text, container, NAME, entry).map_err(|problem| problem.tell(text))? {
                Changed::Text(new) => new,
                Changed::NoObject => return Err(format!("{container:?} is no object there")),
            };
            let mut expected = jsonc::value(text).unwrap_or_else(|_| json!({}));
            if let Some(list) = expected
                .as_object_mut()
                .and_then(|root| root.entry(container).or_insert_with(|| json!({})).as_object_mut())
            {
                list.insert(NAME.to_owned(), agents::object(entry));
            }
            let same = jsonc::value(&new).is_ok_and(|new| new == expected);
            if same { Ok(new) } else { Err(ELSE.to_owned()) }
        }
        Form::Toml(container) => {
            let new = tables::put(text, container, NAME, entry);
            let mut expected = tables::table(text)?;
            let list = expected.entry(container).or_insert_with(|| toml::Value::Table(Table::new()));
            let ours = toml::Value::try_from(agents::object(entry)).map_err(|why| why.to_string())?;
            list.as_table_mut()
                .ok_or_else(|| format!("{container:?} is no table there"))?
                .insert(NAME.to_owned(), ours);
            match tables::table(&new) {
                Ok(new_table) if new_table == expected => Ok(new),
                Ok(_) => Err(ELSE.to_owned()),
                Err(_) => Err(format!("{container:?} is written there in a form that cannot be added to")),
            }
        }
    }
}

fn read(path: &Path) -> Result<Option<String>, Failure> {
    match fs::read(path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(unread(path, "it is no UTF-8 text")),
        },
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(Failure::new(Code::StorageFailed, format!("{} could not be read: {why}", path.display()))
            .hint("nothing was written; make it readable, or name other agents with --agent")),
    }
}

fn unread(path: &Path, why: &str) -> Failure {
    Failure::new(Code::InvalidArgs, format!("{} cannot be understood: {why}", path.display()))
        .reason("file_not_understood")
        .hint("nothing was written; repair the file, or name other agents with --agent")
}

/// The user adds what the program cannot.
fn by_hand(path: &Path, form: Form, entry: &[(&'static str, Value)], why: &str) -> Failure {
    let snippet = match form {
        Form::Json(container) => json!({container: {NAME: agents::object(entry)}}).to_string(),
        Form::Toml(container) => tables::put("", container, NAME, entry).trim_end().to_owned(),
    };
    Failure::new(Code::InvalidArgs, format!("{} cannot be changed: {why}", path.display()))
        .reason("file_not_changed")
        .hint(format!("nothing was written; add it by hand:\n{snippet}"))
}
