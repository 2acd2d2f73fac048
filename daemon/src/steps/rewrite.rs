//! From a command that worked to a step that means the same in another session: selectors for refs and points, variables for
//! what is nobody's to read, and none of the flags that only look.

use std::sync::Arc;

use contract::{
    Command, Point, Target,
    command::{Find, GestureWords, WaitFor},
    target::RefToken,
};
use screen::{Resolution, Selector, Tree, selector};
use serde_json::{Value, json};

use super::{Step, evidence};
use crate::{
    handlers::finding,
    notes::Notes,
    secrets::{Secrets, each_text},
    session::Session,
};

/// Stands for `${` in a command until it is written: a text that says `${` itself is escaped then. No variable's name has
/// small letters.
pub const OPEN: &str = "zzADvariablezz";
/// Stands for `}`.
pub const CLOSE: &str = "zzADendzz";
/// What a person means who points at an element that fills more of the screen than this is the place, not the element.
const WHOLE: f64 = 0.5;
/// Flags that look after the command, or that speak of the recording.
const NO_STEP: &[&str] = &[
    "settle",
    "settleQuietMs",
    "settleTimeoutMs",
    "verify",
    "recordAs",
    "saveScript",
    "force",
    "driverUrl",
    "capabilities",
];

/// What a command was recorded as.
#[derive(Debug)]
pub struct Recorded {
    /// The step.
    pub step: Step,
    /// The variable that stands for what was typed, where the caller did not choose it.
    pub hidden: Option<String>,
}

/// The step of a command that worked. `session` is what is open now; `tree` the newest capture of it.
pub fn step(command: &Command, notes: &Notes, session: Option<&Session>, secrets: &mut Secrets) -> Recorded {
    let mut recorded = Recorded { step: Step::default(), hidden: None };
    let mut args = command.to_args();
    if let Some(object) = args.as_object_mut() {
        object.retain(|key, _| !NO_STEP.contains(&key.as_str()));
    }
    if let Some(variable) = variable(command, notes, secrets) {
        let marked = format!("{OPEN}{}{CLOSE}", variable.name);
        for key in ["text", "value"] {
            if let Some(text) = args.get_mut(key) {
                *text = marked.as_str().into();
            }
        }
        recorded.hidden = (!variable.chosen).then(|| variable.name.clone());
        recorded.step.variables.push(variable.name);
    }
    if let Command::Open(open) = command
        && (open.driver_url.is_some() || open.capabilities.is_some())
    {
        recorded.step.comments.push(
            "it was opened with a WebDriver server or capabilities of its own: give them again, they may hold keys"
                .into(),
        );
    }
    let mut targets = Targets { notes, session, secrets, step: &mut recorded.step, unnamed: None };
    targets.wait(command, &mut args);
    targets.walk(&mut args);
    if let Command::Find(find) = command {
        targets.found(find);
    }
    let unnamed = targets.unnamed;
    if let Command::Gesture(gesture) = command
        && matches!(*gesture.words, GestureWords::Drag { .. })
    {
        // Walked in the order of the names; told as source and destination, or not at all.
        match recorded.step.evidence.len() {
            2 => recorded.step.evidence.reverse(),
            _ => recorded.step.evidence.clear(),
        }
    }
    if let Some(what) = unnamed {
        recorded
            .step
            .comments
            .push(format!("not recorded: {} {what}: nothing names it but its ref", command.spec().name));
        return recorded;
    }
    hide(&mut args, secrets, &mut recorded.step);
    recorded.step.command = Command::from_call(command.spec().name, &args).ok();
    if recorded.step.command.is_none() {
        recorded.step.comments.push(format!("not recorded: {}", command.spec().name));
    }
    recorded
}

struct Variable {
    name: String,
    /// By the caller.
    chosen: bool,
}

/// The variable that stands for what the command types, where that is nobody's to read.
fn variable(command: &Command, notes: &Notes, secrets: &mut Secrets) -> Option<Variable> {
    let chosen = match command {
        Command::Fill(fill) => fill.record_as.as_ref(),
        Command::Type(typed) => typed.record_as.as_ref(),
        Command::Find(_) => None,
        _ => return None,
    };
    match (chosen, command.texts().first()) {
        (Some(name), _) => Some(Variable { name: name.clone(), chosen: true }),
        (None, Some(text)) if notes.secret => Some(Variable { name: secrets.variable_of(text), chosen: false }),
        _ => None,
    }
}

/// Secrets that stand in other words of the step, such as the label of what greets by name.
fn hide(args: &mut Value, secrets: &Secrets, step: &mut Step) {
    each_text(args, &mut |text| {
        if let Some(hidden) = secrets.replaced(text, OPEN, CLOSE) {
            *text = hidden;
        }
        for name in text.split(OPEN).skip(1).filter_map(|rest| rest.split_once(CLOSE)).map(|(name, _)| name) {
            if !step.variables.iter().any(|known| known == name) {
                step.variables.push(name.to_owned());
            }
        }
    });
}

struct Targets<'a> {
    notes: &'a Notes,
    session: Option<&'a Session>,
    secrets: &'a Secrets,
    step: &'a mut Step,
    /// A ref that no selector can stand for.
    unnamed: Option<String>,
}

impl Targets<'_> {
    /// Targets wherever they stand in the arguments: each is an object with its kind.
    fn walk(&mut self, value: &mut Value) {
        if let Ok(target) = serde_json::from_value::<Target>(value.clone()) {
            if let Some(named) = self.named(&target) {
                *value = serde_json::to_value(named).unwrap_or_default();
            }
            return;
        }
        match value {
            Value::Object(map) => {
                for (key, inner) in map.iter_mut() {
                    match inner.as_str().and_then(|text| text.strip_prefix('@')) {
                        // A container to scroll is a text: a ref or a selector.
                        Some(_) if key == "within" => {
                            let reference = inner.as_str().unwrap_or_default().to_owned();
                            if let Some(Target::Selector { selector }) = self.named(&Target::Ref { reference }) {
                                *inner = selector.into();
                            }
                        }
                        _ => self.walk(inner),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.walk(item)),
            _ => {}
        }
    }

    /// What `find` found. Its words stay as they are: they mean the same in another session.
    fn found(&mut self, find: &Find) {
        let seen = self.notes.first().map(|(tree, place)| (tree.clone(), place));
        let alone = seen.as_ref().is_some_and(|(tree, place)| {
            let sought = finding::Sought::of(&find.words);
            sought.is_ok_and(|sought| sought.matches(find.words.action, tree) == [*place])
        });
        self.tell(seen, alone);
    }

    /// `wait @e5`, whose words are flat.
    fn wait(&mut self, command: &Command, args: &mut Value) {
        let Command::Wait(wait) = command else { return };
        let WaitFor::Ref { reference, timeout_ms } = &*wait.words else { return };
        if let Some(Target::Selector { selector }) = self.named(&Target::Ref { reference: reference.clone() }) {
            *args = json!({"kind": "selector", "selector": selector});
            if let Some(limit) = timeout_ms {
                args["timeoutMs"] = (*limit).into();
            }
        } else {
            self.unnamed = Some(reference.clone());
        }
    }

    /// What stands for a target, with its evidence; `None` where it stays as it is.
    fn named(&mut self, target: &Target) -> Option<Target> {
        let noted = self.notes.of(target).cloned();
        let seen = noted.as_ref().and_then(|noted| Some((noted.tree.clone()?, noted.place?)));
        match target {
            Target::Selector { selector } => {
                let alone = seen.as_ref().is_some_and(|(tree, place)| {
                    let selector = Selector::parse(selector);
                    selector.is_ok_and(|selector| selector::resolve(&selector, tree) == Resolution::One(*place))
                });
                self.tell(seen, alone);
                None
            }
            Target::Ref { reference } => {
                let seen = seen.or_else(|| self.by_ref(reference));
                let chain = seen.as_ref().map(|(tree, place)| selector::selector_chain(tree, *place));
                if let Some(selector) = chain.filter(|chain| !chain.is_empty()) {
                    self.tell(seen, true);
                    return Some(Target::Selector { selector });
                }
                let Some(point) = noted.map(|noted| noted.point).filter(|_| self.acts()) else {
                    self.unnamed = Some(reference.clone());
                    return None;
                };
                self.remark(seen.as_ref(), "no selector finds it alone: its place stands for it");
                Some(Target::Point { x: point.x, y: point.y })
            }
            Target::Point { x, y } => {
                let (tree, place) = seen?;
                match at_point(&tree, place, Point { x: *x, y: *y }) {
                    Some((named, selector)) => {
                        self.tell(Some((tree, named)), true);
                        Some(Target::Selector { selector })
                    }
                    None => {
                        self.remark(Some(&(tree, place)), "no selector stands for this place");
                        None
                    }
                }
            }
        }
    }

    /// Whether a place can stand for the target: of what is pressed, not of what is asked about.
    fn acts(&self) -> bool {
        self.notes.point.is_some()
    }

    /// The element of a ref on the newest capture, for commands that do not aim.
    fn by_ref(&self, reference: &str) -> Option<(Arc<Tree>, u32)> {
        let session = self.session?;
        let tree = session.tree.clone()?;
        let place = session.refs.resolve(RefToken::parse(reference).ok()?, &tree).ok()?.place;
        Some((tree, place))
    }

    fn tell(&mut self, seen: Option<(Arc<Tree>, u32)>, alone: bool) {
        let told = seen.and_then(|(tree, place)| evidence::of(&tree, place, alone, self.secrets));
        self.step.evidence.extend(told);
    }

    fn remark(&mut self, seen: Option<&(Arc<Tree>, u32)>, why: &str) {
        let what = seen.and_then(|(tree, place)| tree.get(*place)).map(screen::describe::describe).unwrap_or_default();
        let mut what = what;
        self.secrets.hide(&mut what);
        self.step.comments.push(format!("{what} {why}").trim().to_owned());
    }
}

/// The element that a point means: what lies there, or what it belongs to that takes input, where a selector finds it alone.
fn at_point(tree: &Tree, place: u32, point: Point) -> Option<(u32, String)> {
    let actionable = tree.actionable(place)?;
    let screen = tree.viewport.width * tree.viewport.height;
    std::iter::once(place)
        .chain(tree.ancestors(place))
        .take_while(|up| *up >= actionable)
        .filter(|up| {
            tree.get(*up)
                .is_some_and(|node| node.rect.contains(point) && node.rect.width * node.rect.height <= screen * WHOLE)
        })
        .map(|up| (up, selector::selector_chain(tree, up)))
        .find(|(_, chain)| !chain.is_empty())
}
