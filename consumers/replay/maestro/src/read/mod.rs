//! How a file becomes a flow. Everything is read and checked up front: the file, the flows and scripts that it names, and
//! what those name. All that is wrong is said at once.
//!
//! | module | answers |
//! | --- | --- |
//! | [`mod@self`] | which files there are, and whether one names itself |
//! | `header` | name, tags, app, env, hooks |
//! | `fields` | keys of a map, and the kinds of values: texts, numbers, switches, words |
//! | `element` | elements and points |
//! | `command` | one step: which command it is |
//! | `touch` | commands that press, scroll and swipe |
//! | `device` | commands for the app and the device |
//! | `control` | conditions, loops, other flows, scripts |
//! | `script` | whether a script can be parsed |

mod command;
mod control;
mod device;
mod element;
mod fields;
mod header;
mod script;
mod touch;

pub(crate) use control::MOST_ROUNDS;
pub(crate) use element::{PointText, expression, read_index};

use std::{
    collections::HashMap,
    io::Read as _,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use flow::Place;

use crate::{
    model::Flow,
    problem::{Problem, Problems},
    yaml::{self, At, Node},
};

/// A flow file is no larger, bytes.
pub(crate) const LARGEST: u64 = 4 << 20;
/// No flow names more files.
const MOST_FILES: usize = 1_000;
/// No more is said at once.
const MOST_PROBLEMS: usize = 100;

/// How files are named to people.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The caller's folder: files below it are named from it.
    pub root: PathBuf,
}

impl Reading {
    /// A file as a person would name it.
    pub fn shown(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.root).ok().filter(|rest| !rest.as_os_str().is_empty());
        inside.unwrap_or(path).to_string_lossy().into_owned()
    }
}

impl Flow {
    /// Reads a flow and every file that it names.
    ///
    /// # Errors
    /// Everything that is wrong with them. Nothing has been run.
    pub fn read(path: &Path, reading: &Reading) -> Result<Flow, Problems> {
        let mut reader = Reader::new(reading);
        let flow = reader.flow(&tidy(&reading.root.join(path)), None);
        match (flow, reader.problems.is_empty()) {
            (Some(flow), true) => Ok(Arc::unwrap_or_clone(flow)),
            _ => Err(Problems(reader.problems)),
        }
    }

    /// Reads a flow from a text that stands for the file at `path`; the files that it names are read beside it.
    ///
    /// # Errors
    /// As [`Flow::read`].
    pub fn parse(text: &str, path: &Path, reading: &Reading) -> Result<Flow, Problems> {
        let mut reader = Reader::new(reading);
        let path = tidy(&reading.root.join(path));
        reader.open.push(path.clone());
        let scope = Scope { file: reading.shown(&path), path, app: None };
        match (reader.parsed(scope, text), reader.problems.is_empty()) {
            (Some(flow), true) => Ok(flow),
            _ => Err(Problems(reader.problems)),
        }
    }
}

/// Where a file is read from inside another.
struct Named<'a> {
    pub from: &'a Scope,
    pub at: At,
}

/// The file that is being read.
#[derive(Clone)]
struct Scope {
    pub path: PathBuf,
    pub file: String,
    /// The app of its header, for commands that name none.
    pub app: Option<crate::model::Text>,
}

impl Scope {
    fn place(&self, line: u32) -> Place {
        Place { file: self.file.clone(), line }
    }
}

struct Reader<'a> {
    reading: &'a Reading,
    read: HashMap<PathBuf, Option<Arc<Flow>>>,
    open: Vec<PathBuf>,
    /// Lists of commands that the reader stands in.
    pub depth: usize,
    /// Parses scripts, once there is one.
    engine: Option<javascript::Engine>,
    pub problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn new(reading: &'a Reading) -> Self {
        Self { reading, read: HashMap::new(), open: Vec::new(), depth: 0, engine: None, problems: Vec::new() }
    }

    /// Remembers what is wrong.
    pub fn wrong(&mut self, scope: &Scope, at: At, message: impl Into<String>, hint: impl Into<Option<String>>) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(Problem {
                place: scope.place(at.line),
                column: at.column,
                message: message.into(),
                hint: hint.into(),
            });
        }
    }

    /// The flow in a file, read once.
    pub fn flow(&mut self, path: &Path, named: Option<&Named<'_>>) -> Option<Arc<Flow>> {
        let own = Scope { path: path.to_owned(), file: self.reading.shown(path), app: None };
        let start = At { line: 1, column: 1 };
        let (scope, at) = named.map_or((&own, start), |named| (named.from, named.at));
        if let Some(from) = self.open.iter().position(|open| open == path) {
            let circle: Vec<String> =
                self.open.iter().skip(from).map(|open| self.reading.shown(open)).chain([own.file.clone()]).collect();
            let hint = "a flow that runs itself never ends: use repeat".to_owned();
            self.wrong(scope, at, format!("this flow runs itself: {}", circle.join(" -> ")), hint);
            return None;
        }
        if let Some(flow) = self.read.get(path) {
            return flow.clone();
        }
        if self.read.len() >= MOST_FILES {
            self.wrong(scope, at, format!("the flow names more than {MOST_FILES} files"), None);
            return None;
        }
        let text = match text_of(path) {
            Ok(text) => text,
            Err(why) => {
                self.wrong(scope, at, format!("{} cannot be read: {why}", own.file), None);
                self.read.insert(path.to_owned(), None);
                return None;
            }
        };
        self.open.push(path.to_owned());
        let flow = self.parsed(own, &text).map(Arc::new);
        self.open.pop();
        self.read.insert(path.to_owned(), flow.clone());
        flow
    }

    fn parsed(&mut self, scope: Scope, text: &str) -> Option<Flow> {
        let documents = match yaml::documents(text.trim_start_matches('\u{feff}')) {
            Ok(documents) => documents,
            Err(why) => {
                self.wrong(&scope, why.at, why.message, None);
                return None;
            }
        };
        self.whole(scope, documents)
    }

    fn whole(&mut self, scope: Scope, mut documents: Vec<Node>) -> Option<Flow> {
        let shape = || {
            Some("a flow is a header, a line with ---, and a list of commands:\nappId: com.example.app\n---\n- launchApp"
                .replace('\n', "\n  "))
        };
        match documents.len() {
            2 => {
                let steps = documents.pop()?;
                let header = documents.pop()?;
                self.header_and_steps(scope, &header, &steps)
            }
            0 => {
                self.wrong(&scope, At { line: 1, column: 1 }, "the file is empty", shape());
                None
            }
            1 => {
                let at = documents.first().map_or(At { line: 1, column: 1 }, |node| node.at);
                let what = match documents.first().map(|node| &node.value) {
                    Some(yaml::Yaml::List(_)) => "the header is missing",
                    _ => "the commands are missing",
                };
                self.wrong(&scope, at, what, shape());
                None
            }
            _ => {
                let at = documents.get(2).map_or(At { line: 1, column: 1 }, |node| node.at);
                self.wrong(&scope, at, "a third document stands here", shape());
                None
            }
        }
    }

    /// A file that a step names, relative to the flow that it stands in.
    pub fn beside(&self, scope: &Scope, name: &str) -> PathBuf {
        let folder = scope.path.parent().unwrap_or(Path::new(""));
        tidy(&folder.join(name))
    }
}

/// The text of a file of sane size: a script, a flow, or what one names.
///
/// # Errors
/// Why it cannot be read, as the end of a sentence.
pub fn text_of(path: &Path) -> Result<String, String> {
    let facts = std::fs::metadata(path).map_err(|why| match why.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => why.to_string(),
    })?;
    if facts.is_dir() {
        return Err("it is a folder".to_owned());
    }
    // A pipe may never end, and neither does /dev/zero.
    if !facts.is_file() {
        return Err("it is no ordinary file".to_owned());
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|why| why.to_string())?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|why| why.to_string())?;
    if bytes.len() as u64 > LARGEST {
        return Err(format!("it is larger than {} MB", LARGEST >> 20));
    }
    String::from_utf8(bytes).map_err(|why| format!("it is not UTF-8 from byte {} on", why.utf8_error().valid_up_to()))
}

/// Without `.` and, as far as names alone tell, without `..`: a file has one name here, whoever names it.
pub(crate) fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(tidy.components().next_back(), Some(Component::Normal(_))) => {
                tidy.pop();
            }
            other => tidy.push(other),
        }
    }
    tidy
}
