//! Which commands may stand in a script, and what they aim at.

use contract::{
    Command, Target,
    command::{GestureWords, ViewArgs, WaitFor},
};

/// What a command names on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim<'a> {
    /// A ref: it means something in one session only.
    Ref(&'a str),
    /// A selector.
    Selector(&'a str),
}

impl<'a> Aim<'a> {
    /// The word that names it.
    pub const fn word(self) -> &'a str {
        match self {
            Aim::Ref(word) | Aim::Selector(word) => word,
        }
    }

    const fn of(target: &'a Target) -> Option<Self> {
        match target {
            Target::Ref { reference } => Some(Aim::Ref(reference.as_str())),
            Target::Selector { selector } => Some(Aim::Selector(selector.as_str())),
            Target::Point { .. } => None,
        }
    }

    fn read(word: &'a str) -> Self {
        if word.starts_with('@') { Aim::Ref(word) } else { Aim::Selector(word) }
    }
}

/// Everything that a command names on the screen.
pub fn aims(command: &Command) -> Vec<Aim<'_>> {
    let one = |target| Aim::of(target).into_iter().collect::<Vec<_>>();
    // A scope is a ref or a text, never a selector.
    let scope = |view: &ViewArgs| view.scope.as_ref().is_some_and(|scope| scope.starts_with('@'));
    match command {
        Command::Press(press) => one(&press.target),
        Command::Longpress(press) => one(&press.words.target),
        Command::Hover(hover) => one(&hover.target),
        Command::Focus(focus) => one(&focus.target),
        Command::Fill(fill) => one(&fill.words.target),
        Command::Upload(upload) => one(&upload.words.target),
        Command::Get(get) => one(&get.target),
        Command::Is(is) => one(&is.words.target),
        Command::Gesture(gesture) => match &*gesture.words {
            GestureWords::Pan { origin, .. } | GestureWords::Transform { origin, .. } => one(origin),
            GestureWords::Fling { origin, .. }
            | GestureWords::Pinch { origin, .. }
            | GestureWords::Rotate { origin, .. } => origin.as_ref().and_then(Aim::of).into_iter().collect(),
            GestureWords::Drag { source, destination } => {
                [source, destination].into_iter().filter_map(Aim::of).collect()
            }
        },
        Command::Find(find) => find.words.selector().map(Aim::Selector).into_iter().collect(),
        Command::Wait(wait) => match &*wait.words {
            WaitFor::Ref { reference, .. } => vec![Aim::Ref(reference)],
            WaitFor::Selector { selector, .. } | WaitFor::Absent { selector, .. } => vec![Aim::Selector(selector)],
            WaitFor::Duration { .. } | WaitFor::Text { .. } | WaitFor::Stable { .. } => Vec::new(),
        },
        Command::Scroll(scroll) => {
            let until = scroll.until.as_deref().map(Aim::Selector);
            until.into_iter().chain(scroll.within.as_deref().map(Aim::read)).collect()
        }
        Command::Snapshot(snapshot) if scope(&snapshot.view) => {
            snapshot.view.scope.as_deref().map(Aim::Ref).into_iter().collect()
        }
        Command::Diff(diff) if scope(&diff.view) => diff.view.scope.as_deref().map(Aim::Ref).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Why a command cannot stand in a script, and what to do instead. A script is one session on one device, chosen
/// before it begins.
///
/// # Errors
/// The reason, and what to do.
pub fn may_stand(command: &Command) -> Result<(), (String, String)> {
    let name = command.spec().name;
    let refuse =
        |why: &str, instead: &str| Err((format!("{name} cannot stand in a script: {why}"), instead.to_owned()));
    match command {
        Command::Batch(_) => refuse("a script is a batch already", "write its steps one on a line"),
        Command::Close(close) if close.all => refuse("--all ends the sessions of others", "write: close"),
        Command::Open(open) if open.save_script.is_some() || open.force => {
            refuse("a recording is armed by whoever runs it", "leave --save-script and --force out")
        }
        Command::Boot(_) | Command::Shutdown(_) | Command::Pair(_) => {
            refuse("the device is chosen before the first step", &format!("run agent-device {name} before the script"))
        }
        Command::Devices(_) | Command::Capabilities(_) | Command::Doctor(_) | Command::Events(_) => {
            refuse("nobody reads its answer there", &format!("run agent-device {name} by itself"))
        }
        Command::Trace(_) => refuse("a replay keeps its own trace", "leave it out: the report has the trace"),
        _ if !command.spec().batchable => {
            refuse("it is about the daemon, not about this session", &format!("run agent-device {name} by itself"))
        }
        _ => Ok(()),
    }
}
