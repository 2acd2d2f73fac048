//! Every command: one struct per command holds its arguments, one [`Spec`] what else is true of it.
//!
//! The CLI's parser, the JSON on the socket, the reference in docs/ and the checks of the router are derived from
//! what stands here. To add a command: a file, a line in the list below, a handler in the daemon.

mod alert;
mod apps;
mod batch;
mod close;
mod diff;
mod events;
mod evidence;
mod files;
mod fill;
mod find;
mod fleet;
mod focus;
mod gesture;
mod get;
mod host;
mod hover;
mod is;
mod limits;
mod line;
mod longpress;
mod named;
mod navigation;
mod open;
mod press;
mod screenshot;
mod scroll;
mod settings;
mod settle;
mod snapshot;
mod spec;
mod swipe;
mod system;
mod trace;
mod type_text;
mod viewport;
mod wait;
mod windows;
mod written;

use clap::{Args, FromArgMatches, Subcommand};
use schemars::schema_for;
use serde_json::{Map, Value};

pub use alert::{Alert, AlertAction};
pub use apps::{Apps, Install, Pull, Push, Reinstall};
pub use batch::{BATCH_STEPS, Batch, Step, StepCall, Steps, parse_steps};
pub use close::Close;
pub use diff::{Diff, DiffKind};
pub use events::Events;
pub use evidence::{FilmQuality, LOG_LINES, Logs, LogsWords, Perf, PerfArea, Record, RecordWords};
pub use files::{Downloads, Upload, UploadWords};
pub use fill::{Fill, FillWords};
pub use find::{Find, FindAction, FindWords, Locator, SELECTOR_KEYS};
pub use fleet::{Boot, Pair, Shutdown};
pub use focus::Focus;
pub use gesture::{
    DRAG_HOLD_MS, DRAG_MOVE_MS, FLING_MS, FLING_PX, Gesture, GestureDirection, GestureWords, PAN_MS, PINCH_MS,
};
pub use get::{Get, GetFormat};
pub use host::{CapabilitiesOf, Daemon, DaemonAction, Devices, Doctor, Session, SessionAction};
pub use hover::Hover;
pub use is::{Is, IsWords, Predicate};
pub use line::Misread;
pub use longpress::{LONGPRESS_MS, Longpress, LongpressWords};
pub use named::Named;
pub use navigation::{Back, Home};
pub use open::{Browser, MobileSize, Open, Wanted};
pub use press::{Button, Press};
pub use screenshot::Screenshot;
pub use scroll::{SCROLL_AMOUNT, SCROLL_UNTIL_PASSES, Scroll, ScrollDirection};
pub use settings::{Appearance, Grant, Setting, Settings};
pub use settle::{AfterArgs, SETTLE_QUIET_MS, SETTLE_TIMEOUT_MS, SettleArgs};
pub use snapshot::{Snapshot, ViewArgs};
pub use spec::{READINESS_CAP_MS, READINESS_INTERVAL_MS, Readiness, SessionNeed, Spec};
pub use swipe::{SWIPE_MS, Swipe, SwipePattern};
pub use system::{AppSwitcher, Appstate, Clipboard, ClipboardWords, Keyboard, KeyboardAction, Orientation, Turn};
pub use trace::{Trace, TraceAction};
pub use type_text::Type;
pub use viewport::Viewport;
pub use wait::{WAIT_INTERVAL_MS, WAIT_TIMEOUT_MS, Wait, WaitFor};
pub use windows::Windows;

use crate::{Code, Effect, Failure, Row};

macro_rules! commands {
    ($( $(#[$attribute:meta])* $variant:ident($arguments:ident), )*) => {
        /// What can be asked for.
        #[derive(Debug, Clone, PartialEq, Subcommand)]
        pub enum Command {
            $( #[allow(missing_docs, reason = "documented on the arguments, where clap reads it")] $(#[$attribute])* $variant($arguments), )*
        }

        /// Every command.
        pub const SPECS: &[Spec] = &[$($arguments::SPEC),*];

        impl Command {
            /// What is true of this command apart from its arguments.
            pub const fn spec(&self) -> Spec {
                match self { $(Command::$variant(_) => $arguments::SPEC,)* }
            }

            /// The arguments as they are sent.
            pub fn to_args(&self) -> Value {
                match self { $(Command::$variant(arguments) => serde_json::to_value(arguments).unwrap_or_default(),)* }
            }

            /// Reads a command as it stands on the socket.
            ///
            /// # Errors
            /// `INVALID_ARGS` naming the unknown command, the unknown field, or the field that does not fit.
            pub fn from_call(name: &str, args: &Value) -> Result<Self, Failure> {
                let command = match canonical(name)? {
                    $( n if n == $arguments::SPEC.name => read::<$arguments>(n, args).map(Command::$variant)?, )*
                    _ => return Err(unknown_command(name)),
                };
                command.check()?;
                Ok(command)
            }

            /// Gives a parser the arguments of one command.
            fn add_arguments(name: &str, parser: clap::Command) -> clap::Command {
                match name {
                    $( n if n == $arguments::SPEC.name => <$arguments as Args>::augment_args(parser), )*
                    _ => parser,
                }
            }

            /// What such a parser has read.
            fn from_matches(name: &str, matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
                match name {
                    $( n if n == $arguments::SPEC.name => {
                        <$arguments as FromArgMatches>::from_arg_matches(matches).map(Command::$variant)
                    } )*
                    _ => Err(clap::Error::new(clap::error::ErrorKind::InvalidSubcommand)),
                }
            }
        }

        /// The JSON Schema of a command's arguments.
        pub fn schema(name: &str) -> Option<Value> {
            $( if name == $arguments::SPEC.name { return serde_json::to_value(schema_for!($arguments)).ok(); } )*
            None
        }
    };
}

commands! {
    Devices(Devices),
    #[command(name = "capabilities")]
    Capabilities(CapabilitiesOf),
    Doctor(Doctor),
    #[command(visible_aliases = ["launch", "goto"])]
    Open(Open),
    Close(Close),
    Snapshot(Snapshot),
    Diff(Diff),
    Screenshot(Screenshot),
    #[command(visible_aliases = ["click", "tap"])]
    Press(Press),
    #[command(visible_aliases = ["long-press"])]
    Longpress(Longpress),
    Hover(Hover),
    Focus(Focus),
    Fill(Fill),
    Type(Type),
    Scroll(Scroll),
    Swipe(Swipe),
    Gesture(Gesture),
    Get(Get),
    Is(Is),
    Find(Find),
    Wait(Wait),
    Back(Back),
    Home(Home),
    #[command(name = "app-switcher")]
    AppSwitcher(AppSwitcher),
    Orientation(Orientation),
    Viewport(Viewport),
    Alert(Alert),
    Keyboard(Keyboard),
    Clipboard(Clipboard),
    Settings(Settings),
    Appstate(Appstate),
    Logs(Logs),
    Perf(Perf),
    Record(Record),
    Upload(Upload),
    Downloads(Downloads),
    Windows(Windows),
    Apps(Apps),
    Install(Install),
    Reinstall(Reinstall),
    Push(Push),
    Pull(Pull),
    Boot(Boot),
    Shutdown(Shutdown),
    Pair(Pair),
    Batch(Batch),
    Events(Events),
    Trace(Trace),
    Session(Session),
    Daemon(Daemon),
}

impl Command {
    /// What the command does to the app with these arguments.
    pub fn effect(&self) -> Effect {
        match self {
            Command::Find(find) => find.words.action.effect(),
            Command::Alert(alert) => alert.action.effect(),
            Command::Windows(windows) => windows.effect(),
            Command::Keyboard(keyboard) => keyboard.effect(),
            Command::Clipboard(clipboard) => clipboard.effect(),
            Command::Batch(batch) => batch.effect(),
            Command::Session(session) => session.effect(),
            _ => self.spec().effect,
        }
    }

    /// What the command needs of a session with these arguments.
    pub fn session_need(&self) -> SessionNeed {
        match self {
            Command::Session(session) if session.action == SessionAction::SaveScript => SessionNeed::Open,
            _ => self.spec().session,
        }
    }

    /// The texts that the command puts into the app or the device: for nobody's log.
    pub fn texts(&self) -> Vec<String> {
        let text = match self {
            Command::Fill(fill) => Some(&fill.words.text),
            Command::Type(typed) => Some(&typed.text),
            Command::Find(find) => find.words.value.as_ref(),
            Command::Alert(alert) => alert.text.as_ref(),
            Command::Clipboard(clipboard) => match &clipboard.words.0 {
                ClipboardWords::Write { text } => Some(text),
                ClipboardWords::Read => None,
            },
            Command::Batch(batch) => {
                return batch.commands().into_iter().flatten().flat_map(|step| step.texts()).collect();
            }
            _ => None,
        };
        text.filter(|text| !text.is_empty()).cloned().into_iter().collect()
    }

    /// How long the command may take when the caller says nothing, ms: its own, and the waits it was asked to make.
    pub fn timeout_ms(&self) -> u64 {
        let base = self.spec().timeout_ms;
        let settle =
            |args: &SettleArgs| if args.settle { args.settle_timeout_ms.unwrap_or(SETTLE_TIMEOUT_MS) } else { 0 };
        // Every number has been held to its range by then; saturating all the same, so that no sum can ever wrap.
        let series = |count: Option<u32>, each: [u64; 2]| {
            u64::from(count.unwrap_or(1)).saturating_mul(each[0].saturating_add(each[1]).saturating_add(250))
        };
        let typed = |delay: Option<u64>, text: &str| delay.unwrap_or(0).saturating_mul(text.chars().count() as u64);
        let waits = match self {
            Command::Press(press) => settle(&press.after.settle)
                .saturating_add(series(press.count, [press.interval_ms.unwrap_or(0), press.hold_ms.unwrap_or(0)])),
            Command::Fill(fill) => settle(&fill.after.settle).saturating_add(typed(fill.delay_ms, &fill.words.text)),
            Command::Type(text) => typed(text.delay_ms, &text.text),
            Command::Longpress(press) => {
                settle(&press.settle).saturating_add(press.words.duration_ms.unwrap_or(LONGPRESS_MS))
            }
            Command::Hover(hover) => settle(&hover.settle),
            Command::Back(back) => settle(&back.settle),
            Command::Scroll(scroll) => settle(&scroll.settle),
            Command::Swipe(swipe) => {
                series(swipe.count, [swipe.duration_ms.unwrap_or(SWIPE_MS), swipe.pause_ms.unwrap_or(0)])
            }
            Command::Gesture(gesture) => settle(&gesture.settle)
                .saturating_add(gesture.duration_ms.unwrap_or(0))
                .saturating_add(gesture.hold_ms.unwrap_or(0))
                .saturating_add(gesture.drop_hold_ms.unwrap_or(0)),
            Command::Wait(wait) => wait.words.limit_ms(),
            Command::Find(find) => find.wait_ms.unwrap_or(WAIT_TIMEOUT_MS),
            Command::Alert(alert) => alert.wait_ms.unwrap_or(WAIT_TIMEOUT_MS),
            Command::Downloads(downloads) => downloads.wait_ms.unwrap_or(0),
            Command::Open(open) => open.load_timeout_ms.unwrap_or(0),
            _ => 0,
        };
        base.saturating_add(waits)
    }
}

/// The command's own name for one of its names.
fn canonical(name: &str) -> Result<&'static str, Failure> {
    SPECS
        .iter()
        .find(|spec| spec.name == name || spec.aliases.contains(&name))
        .map(|spec| spec.name)
        .ok_or_else(|| unknown_command(name))
}

fn unknown_command(name: &str) -> Failure {
    let names = SPECS.iter().flat_map(|spec| std::iter::once(&spec.name).chain(spec.aliases)).copied();
    let near = nearest(name, names);
    let hint =
        near.map_or_else(|| "agent-device help lists the commands".to_owned(), |near| format!("did you mean {near}?"));
    Failure::refused(Row::DaemonProtocolUnknownCommand, Code::InvalidArgs, format!("there is no command {name:?}"))
        .reason("unknown_command")
        .hint(hint)
}

/// A word that is longer is not looked at for what may have been meant, bytes.
const LONGEST_WORD: usize = 64;

/// The word that is most like `word`, if one is like it at all.
pub fn nearest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // What is far longer than any word is like none, and to compare it takes time and room.
    if word.len() > LONGEST_WORD {
        return None;
    }
    words
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| {
            *distance <= (candidate.len().max(word.len()) / 3).max(1) || candidate.starts_with(word)
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn read<T: serde::de::DeserializeOwned>(name: &str, args: &Value) -> Result<T, Failure> {
    let refuse = |message: String, hint: String| {
        Failure::refused(Row::DaemonProtocolBadArguments, Code::InvalidArgs, message)
            .reason("invalid_arguments")
            .hint(hint)
    };
    let see = || format!("see agent-device {name} --help");
    let empty = Value::Object(Map::new());
    let args = if args.is_null() { &empty } else { args };
    let object = args.as_object().ok_or_else(|| refuse(format!("the arguments of {name} must be an object"), see()))?;
    let known = fields(name);
    if let Some(unknown) = object.keys().find(|key| !known.iter().any(|field| field == *key)) {
        let near = nearest(unknown, known.iter().map(String::as_str));
        let hint =
            near.map_or_else(|| format!("{name} takes {}", known.join(", ")), |near| format!("did you mean {near}?"));
        return Err(refuse(format!("{name} has no argument {unknown:?}"), hint));
    }
    T::deserialize(args).map_err(|why| refuse(format!("the arguments of {name} do not fit: {why}"), see()))
}

/// Names of all fields in the schema, those of flattened parts and of the variants included.
fn fields(name: &str) -> Vec<String> {
    fn gather(schema: &Value, root: &Value, into: &mut Vec<String>) {
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            for key in properties.keys() {
                if !into.contains(key) {
                    into.push(key.clone());
                }
            }
        }
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str)
            && let Some(target) = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer))
        {
            gather(target, root, into);
        }
        for group in ["oneOf", "anyOf", "allOf"] {
            for part in schema.get(group).and_then(Value::as_array).into_iter().flatten() {
                gather(part, root, into);
            }
        }
    }
    let mut names = Vec::new();
    if let Some(root) = schema(name) {
        gather(&root, &root, &mut names);
    }
    names
}

#[cfg(test)]
mod tests;
