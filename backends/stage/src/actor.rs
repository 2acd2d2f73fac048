//! The device as a task of its own: commands come over a channel, replies go back over another, and either can be
//! lost, late or a refusal. Inputs are thereby truly sent.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use backend::{Aimed, Dialog, Field, Input, Receipt, TouchPlan};
use contract::{Code, Size};
use screen::{NodeKey, Tree};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep};

use crate::fault::{Fault, FaultKind, Operation};
use crate::paint::Sheet;
use crate::scene::Scene;
use crate::scene::touch::{Contact, LONG_PRESS};
use crate::script::App;

/// What the device is asked.
#[derive(Debug)]
pub enum Command {
    /// Whether the app is up.
    Open,
    /// The screen as a tree.
    Capture(u32),
    /// A live look at one element.
    Aim(NodeKey),
    /// What a field holds.
    Field(NodeKey),
    /// The text of an element.
    Text(NodeKey),
    /// What was counted for an element.
    Attributes(NodeKey),
    /// Whether something takes text.
    TextFocus,
    /// The native dialog.
    Dialog,
    /// What to draw; of the whole screen, or of what is in view.
    Screenshot(bool),
    /// One input; a second press of a double press is marked so.
    Input(Input, bool),
    /// Another app in the same session.
    Navigate(Arc<App>),
    /// The end.
    Close,
}

/// What the device answers.
#[derive(Debug)]
pub enum Answer {
    /// Done.
    Done,
    /// A capture.
    Tree(Tree),
    /// A live look.
    Aimed(Aimed),
    /// A field, if the element is one and is still there.
    Field(Option<Field>),
    /// A text, if the element is still there.
    Text(Option<String>),
    /// Facts, if the element is still there.
    Attributes(Option<Value>),
    /// Whether something takes text.
    TextFocus(bool),
    /// The open dialog.
    Dialog(Option<Dialog>),
    /// What to draw.
    Sheet(Box<Sheet>),
    /// An input was performed.
    Receipt(Receipt),
    /// The device says no, and did nothing.
    Refused(Code, String),
}

/// An answer, and whether a fault wants the code that gets it to panic.
#[derive(Debug)]
pub struct Reply {
    /// The answer.
    pub answer: Answer,
    /// See [`FaultKind::Panic`].
    pub panics: bool,
}

/// Where a dropped reply leaves word of what it hides; only the reports of tests and people read it.
#[derive(Debug, Clone, Default)]
pub struct Mark(Arc<AtomicU8>);

impl Mark {
    /// The reply was dropped although the input took effect.
    pub fn after_effect(&self) -> bool {
        self.0.load(Ordering::SeqCst) == 1
    }

    fn set_after_effect(&self) {
        self.0.store(1, Ordering::SeqCst);
    }
}

/// One question with the way back.
#[derive(Debug)]
pub struct Message {
    /// Which operation it is to a fault.
    pub operation: Operation,
    /// What is asked.
    pub command: Command,
    /// Where the reply goes.
    pub reply: oneshot::Sender<Reply>,
    /// See [`Mark`].
    pub mark: Mark,
}

/// Starts the device. It ends with `Close`, or when nobody can ask it any more.
pub fn start(mut scene: Scene) -> mpsc::UnboundedSender<Message> {
    let (sender, mut inbox) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(message) = inbox.recv().await {
            scene.advance(Instant::now());
            if !serve(&mut scene, message).await {
                break;
            }
        }
        scene.probe.close();
    });
    sender
}

/// Answers one message. False after the last one.
async fn serve(scene: &mut Scene, message: Message) -> bool {
    let Message { operation, command, reply, mark } = message;
    let fault = scene.probe.faults().strike(operation, hit_by(scene, &command).as_deref());
    let kind = fault.as_ref().map(|fault| fault.kind);
    let late = Duration::from_millis(fault.as_ref().map_or(0, |Fault { ms, .. }| *ms));
    match kind {
        Some(FaultKind::Refuse) => {
            let cause = "the simulated device refuses it (a fault of its script)".to_owned();
            respond(reply, Reply { answer: Answer::Refused(Code::CommandFailed, cause), panics: false });
            return true;
        }
        Some(FaultKind::DropReplyBeforeEffect) => return true,
        Some(FaultKind::Delay) => {
            sleep(late).await;
            scene.advance(Instant::now());
        }
        _ => {}
    }
    let ends = matches!(command, Command::Close);
    let mut answer = execute(scene, command).await;
    match kind {
        Some(FaultKind::DropReplyAfterEffect) => {
            mark.set_after_effect();
            return !ends;
        }
        Some(FaultKind::EmptyCapture) => {
            if let Answer::Tree(tree) = &mut answer {
                *tree = screen::TreeBuilder::new(scene.viewport).finish();
            }
        }
        Some(FaultKind::LateReply) => {
            tokio::spawn(async move {
                sleep(late).await;
                respond(reply, Reply { answer, panics: false });
            });
            return !ends;
        }
        _ => {}
    }
    respond(reply, Reply { answer, panics: kind == Some(FaultKind::Panic) });
    !ends
}

/// A caller that is gone is no concern of the device.
fn respond(to: oneshot::Sender<Reply>, reply: Reply) {
    drop(to.send(reply));
}

/// The element that a command is about, by the name that faults use.
fn hit_by(scene: &Scene, command: &Command) -> Option<String> {
    let index = match command {
        Command::Aim(key) | Command::Field(key) | Command::Text(key) | Command::Attributes(key) => scene.index_of(*key),
        Command::Input(input, _) => match input {
            Input::Press { aim, .. } | Input::DoublePress { aim } | Input::Hover { aim } | Input::Fill { aim, .. } => {
                scene.topmost(aim.point)
            }
            Input::Swipe { from, .. } => scene.topmost(*from),
            Input::Touch { plan, .. } => scene.topmost(plan.start()),
            Input::Scroll { within, .. } => within.and_then(|key| scene.index_of(key)),
            Input::Type { .. } => scene.text_focus(),
            _ => None,
        },
        _ => None,
    };
    index.map(|index| scene.app.name_of(index))
}

async fn execute(scene: &mut Scene, command: Command) -> Answer {
    match command {
        Command::Open => Answer::Done,
        Command::Capture(most) => Answer::Tree(scene.capture(most)),
        Command::Aim(key) => Answer::Aimed(match scene.index_of(key) {
            Some(index) => scene.aim(index),
            None => Aimed::Gone,
        }),
        Command::Field(key) => {
            Answer::Field(scene.index_of(key).filter(|index| scene.app.kind(*index).is_field()).map(|index| Field {
                value: scene.field_value(index),
                masked: scene.app.element(index).is_some_and(|element| element.spec.mask),
            }))
        }
        Command::Text(key) => Answer::Text(scene.index_of(key).map(|index| scene.text_of(index))),
        Command::Attributes(key) => Answer::Attributes(scene.index_of(key).map(|index| scene.attributes(index))),
        Command::TextFocus => Answer::TextFocus(scene.text_focus().is_some()),
        Command::Dialog => Answer::Dialog(scene.dialog.as_ref().map(|dialog| Dialog {
            kind: dialog.kind.to_owned(),
            text: dialog.text.clone(),
            buttons: if dialog.kind == "alert" { vec!["OK".into()] } else { vec!["Cancel".into(), "OK".into()] },
        })),
        Command::Screenshot(whole) => Answer::Sheet(Box::new(Sheet::of(scene, whole))),
        Command::Input(input, second) => perform(scene, input, second).await,
        Command::Navigate(app) => {
            let (instance, probe) = (crate::provider::next_instance(), scene.probe.clone());
            app.faults.iter().for_each(|fault| probe.faults().inject(fault.clone()));
            *scene = Scene::new(app, instance, probe, Instant::now());
            scene.probe.note_system(format!("open {}", scene.app.id));
            Answer::Receipt(Receipt::default())
        }
        Command::Close => Answer::Done,
    }
}

async fn perform(scene: &mut Scene, input: Input, second: bool) -> Answer {
    Answer::Receipt(match input {
        Input::Press { aim, hold_ms, .. } => {
            let held = Duration::from_millis(hold_ms);
            let touched = scene.touch(aim.point);
            pause(scene, held).await;
            let contact = match (second, held >= LONG_PRESS) {
                (true, _) => Contact::Second,
                (false, true) => Contact::Long,
                (false, false) => Contact::Short,
            };
            scene.release(touched, aim.point, contact)
        }
        Input::Hover { aim } => scene.hover(aim.point),
        Input::Swipe { from, to, duration_ms } => {
            pause(scene, Duration::from_millis(duration_ms)).await;
            scene.swipe(from, to)
        }
        Input::Touch { plan, .. } => moved(scene, &plan).await,
        Input::Fill { aim, text, delay_ms } => match scene.begin_fill(aim.point) {
            Err(receipt) => receipt,
            Ok(field) => {
                for character in text.chars() {
                    scene.type_character(character);
                    pause(scene, Duration::from_millis(delay_ms)).await;
                }
                scene.changed(field);
                Receipt { events: vec![format!("fill {}", scene.describe(field))], ..Receipt::default() }
            }
        },
        Input::Type { text } => match scene.text_focus() {
            None => {
                scene.probe.note_system("type nothing");
                let lost = "nothing that takes text has the focus; the text went nowhere".to_owned();
                Receipt { warnings: vec![lost], ..Receipt::default() }
            }
            Some(field) => {
                for character in text.chars() {
                    scene.type_character(character);
                }
                scene.changed(field);
                Receipt { events: vec![format!("type {}", scene.describe(field))], ..Receipt::default() }
            }
        },
        Input::Scroll { within, to } => scene.scroll(within.and_then(|key| scene.index_of(key)), to),
        Input::Back => scene.back(),
        Input::Home => scene.home(),
        Input::Viewport { width, height } => {
            scene.viewport = Size { width: f64::from(width), height: f64::from(height) };
            scene.probe.note_system(format!("viewport {width}x{height}"));
            Receipt::default()
        }
        Input::AnswerDialog { accept, text } => {
            let mut warnings = Vec::new();
            if text.is_some() && scene.dialog.as_ref().is_some_and(|dialog| dialog.kind != "prompt") {
                warnings.push("the dialog has no field: the text was not used".to_owned());
            }
            if !scene.answer(accept, text.as_deref()) {
                return Answer::Refused(Code::AlertNotFound, "no dialog is open".to_owned());
            }
            Receipt { warnings, ..Receipt::default() }
        }
        Input::DoublePress { .. }
        | Input::Navigate { .. }
        | Input::Upload { .. }
        | Input::CloseWindow { .. }
        | Input::AppSwitcher
        | Input::Orientation { .. }
        | Input::HideKeyboard
        | Input::Enter
        | Input::Clipboard { .. }
        | Input::Setting(_) => {
            return Answer::Refused(Code::UnsupportedOperation, "a simulated device has no such input".to_owned());
        }
    })
}

/// Contacts that move: one that stays is a press, one that moves a swipe. An app knows nothing of two contacts at once: that
/// they came is counted.
async fn moved(scene: &mut Scene, plan: &TouchPlan) -> Receipt {
    let time = Duration::from_millis(plan.duration_ms);
    let (from, to) = (plan.start(), plan.end());
    if plan.contacts.len() > 1 {
        pause(scene, time).await;
        let what = scene.topmost(from).map_or_else(|| "the display".to_owned(), |index| scene.describe(index));
        scene.probe.note_system("two contacts");
        return Receipt { events: vec![format!("two contacts on {what}")], ..Receipt::default() };
    }
    if from == to {
        let touched = scene.touch(from);
        pause(scene, time).await;
        let contact = if time >= LONG_PRESS { Contact::Long } else { Contact::Short };
        return scene.release(touched, from, contact);
    }
    pause(scene, time).await;
    scene.swipe(from, to)
}

async fn pause(scene: &mut Scene, time: Duration) {
    if !time.is_zero() {
        sleep(time).await;
        scene.advance(Instant::now());
    }
}
