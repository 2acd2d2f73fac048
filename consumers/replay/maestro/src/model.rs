//! What a checked flow is.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use contract::command::{Appearance, Grant};
use flow::Place;
use javascript::template::Part;

/// A flow, with everything that it names read and checked.
#[derive(Debug, Clone)]
pub struct Flow {
    pub(crate) path: PathBuf,
    pub(crate) file: String,
    pub(crate) name: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) app: Option<Text>,
    pub(crate) web: bool,
    pub(crate) properties: Vec<(String, String)>,
    pub(crate) env: Vec<(String, Text)>,
    pub(crate) on_start: Vec<Step>,
    pub(crate) on_complete: Vec<Step>,
    pub(crate) steps: Vec<Step>,
}

impl Flow {
    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its file as a person would name it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Its name: what its header says, else the file's without its ending.
    pub fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| {
            self.path.file_stem().map_or_else(|| self.file.clone(), |stem| stem.to_string_lossy().into_owned())
        })
    }

    /// Its tags.
    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// The app or address of its header, as written: there may be a `${...}` in it.
    pub fn app(&self) -> Option<&str> {
        self.app.as_ref().map(|app| app.raw.as_str())
    }

    /// Whether its header names an address (`url`) and no app.
    pub const fn is_web(&self) -> bool {
        self.web
    }

    /// What its header says under `properties`, for reports.
    pub fn properties(&self) -> &[(String, String)] {
        &self.properties
    }

    /// How many steps it has at its top level, `onFlowStart` and `onFlowComplete` included.
    pub const fn len(&self) -> usize {
        self.on_start.len() + self.steps.len() + self.on_complete.len()
    }

    /// Whether it has none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A text with expressions in it, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    pub raw: String,
    pub parts: Vec<Part>,
    pub line: u32,
    pub column: u32,
}

impl Text {
    /// What it is where nothing has to be evaluated.
    pub fn plain(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }
}

/// A text that becomes a number within bounds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Number {
    pub text: Text,
    pub what: &'static str,
    pub least: f64,
    pub most: f64,
}

/// One step.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub place: Place,
    /// As written: command and main argument.
    pub summary: String,
    pub label: Option<Text>,
    pub optional: bool,
    pub action: Action,
}

/// How an element is told from others.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Element {
    pub text: Option<Text>,
    pub id: Option<Text>,
    pub index: Option<Text>,
    pub width: Option<Number>,
    pub height: Option<Number>,
    pub tolerance: Option<Number>,
    pub flags: Vec<(&'static str, bool)>,
    pub traits: Vec<&'static str>,
    pub relations: Vec<(&'static str, Element)>,
    /// The step that looks for it is optional.
    pub optional: bool,
}

/// What is pressed.
#[derive(Debug, Clone)]
pub(crate) struct Tap {
    pub element: Option<Element>,
    pub point: Option<Text>,
    pub how: How,
    pub repeat: Option<Number>,
    pub delay: Option<Number>,
    pub settle: Option<Number>,
    pub retry_if_no_change: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Once,
    Double,
    Long,
}

#[derive(Debug, Clone)]
pub(crate) struct Launch {
    pub app: Option<Text>,
    pub clear_state: bool,
    pub clear_keychain: bool,
    pub stop_app: bool,
    pub permissions: Vec<(Text, Grant)>,
}

#[derive(Debug, Clone)]
pub(crate) enum Swipe {
    Direction(Direction),
    Points(Text, Text),
    From(Box<Element>, SwipeTo),
}

#[derive(Debug, Clone)]
pub(crate) enum SwipeTo {
    Direction(Direction),
    Point(Text),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

#[derive(Debug, Clone)]
pub(crate) struct ScrollUntil {
    pub element: Element,
    pub direction: Direction,
    pub timeout: Option<Number>,
    pub speed: bool,
    pub visibility: bool,
    pub center: bool,
}

/// An element or a point.
#[derive(Debug, Clone)]
pub(crate) enum Spot {
    Element(Box<Element>),
    Point(Text),
}

#[derive(Debug, Clone)]
pub(crate) enum DragTo {
    Spot(Spot),
    Offset(Text),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Home,
    Back,
    Enter,
    Tab,
    Backspace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Random {
    Text,
    Number,
    Email,
    PersonName,
    CityName,
    CountryName,
    ColorName,
}

/// All that is said must hold.
#[derive(Debug, Clone, Default)]
pub(crate) struct Condition {
    pub platform: Option<(Platform, String)>,
    pub visible: Option<Element>,
    pub not_visible: Option<Element>,
    pub holds: Option<Text>,
    pub equal: Option<(Text, Text)>,
    pub not_equal: Option<(Text, Text)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Platform {
    Android,
    Ios,
    Web,
    Stage,
}

#[derive(Debug, Clone)]
pub(crate) enum Body {
    File(Arc<Flow>),
    Steps(Vec<Step>),
}

/// A script with its name and text.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    pub file: String,
    pub code: Arc<str>,
}

/// What a step does.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    Launch(Launch),
    Stop(Option<Text>),
    ClearState(Option<Text>),
    ClearKeychain,
    Install(String),
    Permissions(Vec<(Text, Grant)>),
    OpenLink(Text),
    Tap(Tap),
    Input(Text),
    InputRandom(Random, Option<Number>),
    Erase(Option<Number>),
    Paste,
    CopyFrom(Element),
    SetClipboard(Text),
    Press(Key),
    Back,
    HideKeyboard,
    Visible(Element),
    NotVisible(Element),
    Holds(Text),
    Equal { left: Text, right: Text, equal: bool },
    WaitUntil { visible: Option<Element>, not_visible: Option<Element>, timeout: Option<Number> },
    WaitForStill(Option<Number>),
    Pause(Number),
    Scroll,
    ScrollUntil(ScrollUntil),
    Swipe { swipe: Swipe, duration: Option<Number>, settle: Option<Number> },
    Drag { from: Spot, to: DragTo, hold: Option<Number>, duration: Option<Number>, settle: Option<Number> },
    Screenshot(Text),
    StartRecording(Text),
    StopRecording,
    Location(Number, Number),
    Travel { points: Vec<(f64, f64)>, speed: Number },
    Orientation(Text),
    Airplane(Text),
    Dark(Appearance),
    Viewport(Number, Number),
    RunFlow { body: Body, when: Option<Condition>, env: Vec<(String, Text)> },
    Repeat { times: Option<Number>, condition: Option<Condition>, steps: Vec<Step> },
    Retry { most: Number, body: Body, env: Vec<(String, Text)> },
    RunScript { script: Script, env: Vec<(String, Text)>, when: Option<Condition> },
    EvalScript(Text),
}
