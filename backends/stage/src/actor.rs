//! The device as a task of its own: commands come over a channel, replies go back over another, and either can be
//! lost, late or a refusal. Inputs are thereby truly sent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use backend::{Aimed, Dialog, Field, Input, KeyboardState, Receipt};
use contract::Code;
use screen::{NodeKey, Tree};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep};

use crate::execute::execute;
use crate::fault::{Fault, FaultKind, Operation};
use crate::journal::{self, Arrival, Journal, Question, State};
use crate::paint::Sheet;
use crate::scene::Scene;
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
    /// How the keyboard stands.
    Keyboard,
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
    /// How the keyboard stands.
    Keyboard(KeyboardState),
    /// What to draw.
    Sheet(Box<Sheet>),
    /// An input was performed.
    Receipt(Receipt),
    /// The device says no, and did nothing.
    Refused(Code, String),
}

impl Answer {
    /// What a journal keeps of it: everything, for what changes the app.
    pub fn kept(&self) -> Option<Answer> {
        match self {
            Answer::Done => Some(Answer::Done),
            Answer::Receipt(receipt) => Some(Answer::Receipt(receipt.clone())),
            Answer::Refused(code, cause) => Some(Answer::Refused(*code, cause.clone())),
            _ => None,
        }
    }
}

/// An answer, and whether a fault wants the code that gets it to panic.
#[derive(Debug)]
pub struct Reply {
    /// The answer.
    pub answer: Answer,
    /// See [`FaultKind::Panic`].
    pub panics: bool,
    /// The journal, as it stood then.
    pub state: State,
}

/// Where a dropped reply leaves word of what it hides; only the reports of tests and people read it.
#[derive(Debug, Clone, Default)]
pub struct Mark(Arc<AtomicBool>);

impl Mark {
    /// The reply was dropped although the input took effect.
    pub fn after_effect(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    fn set_after_effect(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// One question with the way back.
#[derive(Debug)]
pub struct Message {
    /// Its number; later messages have higher ones.
    pub id: u64,
    /// The life of the device that it is on its way to.
    pub boot: u64,
    /// Whether the journal keeps it: it may change the app.
    pub mutates: bool,
    /// The id of the request on whose account it comes.
    pub request: Arc<str>,
    /// Which operation it is to a fault.
    pub operation: Operation,
    /// What is asked.
    pub command: Command,
    /// Where the reply goes.
    pub reply: oneshot::Sender<Reply>,
    /// See [`Mark`].
    pub mark: Mark,
}

/// The ways to a device.
#[derive(Debug)]
pub struct Ways {
    /// For commands, served one after the other. Closed when the app has ended.
    pub messages: mpsc::UnboundedSender<Message>,
    /// For questions about them, answered at any time.
    pub questions: mpsc::UnboundedSender<Question>,
    /// What the device remembers.
    pub journal: Arc<Journal>,
}

/// Starts the device. Its app ends with `Close`, or when nobody can ask it any more; its journal outlives the app.
pub fn start(mut scene: Scene) -> Ways {
    let (messages, mut inbox) = mpsc::unbounded_channel();
    let journal = Arc::new(Journal::default());
    let questions = journal::serve(journal.clone(), scene.probe.faults().clone());
    let kept = journal.clone();
    tokio::spawn(async move {
        while let Some(message) = inbox.recv().await {
            scene.advance(Instant::now());
            if !serve(&mut scene, &kept, message).await {
                break;
            }
        }
        scene.probe.end();
    });
    Ways { messages, questions, journal }
}

/// Answers one message. False after the last one.
async fn serve(scene: &mut Scene, journal: &Journal, message: Message) -> bool {
    let Message { id, boot, mutates, request, operation, command, reply, mark } = message;
    match journal.arrives(id, boot) {
        Arrival::New => {}
        Arrival::Kept(answer) => {
            respond(reply, Reply { answer, panics: false, state: journal.state() });
            return true;
        }
        Arrival::Dead => return true,
    }
    let fault = scene.probe.faults().strike(operation, hit_by(scene, &command).as_deref());
    let kind = fault.as_ref().map(|fault| fault.kind);
    let late = Duration::from_millis(fault.as_ref().map_or(0, |Fault { ms, .. }| *ms));
    match kind {
        Some(FaultKind::DropReplyBeforeEffect) => return true,
        Some(FaultKind::RestartBeforeEffect) => {
            journal.restart();
            return true;
        }
        _ => {}
    }
    if mutates {
        journal.accept(id);
    }
    let ends = matches!(command, Command::Close) && kind != Some(FaultKind::Refuse);
    let mut answer = match kind {
        Some(FaultKind::Refuse) => {
            Answer::Refused(Code::CommandFailed, "the simulated device refuses it (a fault of its script)".to_owned())
        }
        _ => {
            if kind == Some(FaultKind::Delay) {
                sleep(late).await;
                scene.advance(Instant::now());
            }
            let from = scene.probe.logged();
            let answer = execute(scene, command).await;
            if mutates && !matches!(answer, Answer::Refused(..)) {
                scene.probe.carried_out(request, operation, from);
            }
            answer
        }
    };
    if kind == Some(FaultKind::EmptyCapture)
        && let Answer::Tree(tree) = &mut answer
    {
        *tree = screen::TreeBuilder::new(scene.viewport).finish();
    }
    if let Some(kept) = answer.kept().filter(|_| mutates) {
        journal.end(id, kept);
    }
    let whole = Reply { answer, panics: kind == Some(FaultKind::Panic), state: journal.state() };
    match kind {
        Some(FaultKind::DropReplyAfterEffect) => mark.set_after_effect(),
        Some(FaultKind::RestartAfterEffect) => {
            mark.set_after_effect();
            journal.restart();
        }
        Some(FaultKind::LateReply) => {
            tokio::spawn(async move {
                sleep(late).await;
                respond(reply, whole);
            });
        }
        _ => respond(reply, whole),
    }
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
