//! One opened app: every question and input goes to the device's task through the ledger.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use backend::{Aim, Aimed, Device, Dialog, Field, Input, KeyboardState, Picture, Receipt};
use contract::{Capabilities, Capability, Code, Effect, Failure, Row, capability::Missing};
use screen::{NodeKey, Tree};
use serde_json::Value;
use wire::Context;

use crate::actor::{Answer, Command};
use crate::effects::Probe;
use crate::fault::Operation;
use crate::line::{Line, Told};
use crate::scene::Scene;
use crate::script::{self, App};

/// An app on the simulated device.
#[derive(Debug)]
pub struct StageDevice {
    line: Line,
    capabilities: Capabilities,
    notices: Mutex<Vec<String>>,
}

/// What every stage device can do.
pub fn capabilities() -> Capabilities {
    let missing = |capability, reason: &str| Missing { capability, reason: reason.to_owned() };
    Capabilities {
        can: vec![
            Capability::Snapshot,
            Capability::Screenshot,
            Capability::Tap,
            Capability::Touch,
            Capability::Hover,
            Capability::LongPress,
            Capability::Swipe,
            Capability::Type,
            Capability::Fill,
            Capability::Scroll,
            Capability::ScrollIntoView,
            Capability::Back,
            Capability::Home,
            Capability::Viewport,
            Capability::Alert,
            Capability::Gesture,
            Capability::Keyboard,
        ],
        cannot: vec![
            missing(Capability::MouseButtons, "the simulated device has a touch screen: every press is a touch"),
            missing(Capability::Upload, "a stage app has no file fields"),
            missing(Capability::Downloads, "a stage app saves no files"),
            missing(Capability::Windows, "a stage app has one window"),
            missing(Capability::AppSwitcher, "the simulated device runs one app"),
            missing(
                Capability::Orientation,
                "the simulated device has no sensors; its size changes: agent-device viewport",
            ),
            missing(Capability::Clipboard, "the simulated device has no clipboard"),
            missing(Capability::Settings, "the simulated device has no settings"),
            missing(Capability::Appstate, "the simulated device runs one app"),
            missing(Capability::Logs, "a stage app writes no log"),
            missing(Capability::Perf, "a stage app draws no frames of its own"),
            missing(Capability::Record, "the simulated device makes pictures, no films"),
        ],
    }
}

impl StageDevice {
    /// Starts the app as a task and waits until it answers.
    pub async fn open(context: &Context, app: Arc<App>, instance: u64, probe: Probe) -> Result<Self, Failure> {
        context.check()?;
        app.faults.iter().for_each(|fault| probe.faults().inject(fault.clone()));
        let scene = Scene::new(app, instance, probe, tokio::time::Instant::now());
        let line = Line::start(scene);
        let told = line.send(context, Effect::Mutates, Operation::Open, Command::Open, "opening the app").await?;
        let notice = "the reply to the start of the app was lost; the device's own journal says that it started, once";
        let notices = told.resolved.map(|_| notice.to_owned()).into_iter().collect();
        Ok(StageDevice { line, capabilities: capabilities(), notices: Mutex::new(notices) })
    }

    async fn look(
        &self,
        context: &Context,
        operation: Operation,
        command: Command,
        doing: &str,
    ) -> Result<Answer, Failure> {
        context.check()?;
        self.line.send(context, Effect::Observes, operation, command, doing).await.map(|told| told.answer)
    }

    async fn input(
        &self,
        context: &Context,
        operation: Operation,
        command: Command,
        doing: &str,
    ) -> Result<Receipt, Failure> {
        context.check()?;
        let Told { answer, resolved } = self.line.send(context, Effect::Mutates, operation, command, doing).await?;
        match answer {
            Answer::Receipt(receipt) => Ok(Receipt { resolved, ..receipt }),
            _ => Err(unfitting(doing)),
        }
    }

    /// A press that the platform around this app has told to be the second of a double press.
    ///
    /// # Errors
    /// As those of a press.
    pub async fn second_press(&self, context: &Context, aim: Aim) -> Result<Receipt, Failure> {
        let press = Input::Press { aim, button: Default::default(), hold_ms: 0 };
        self.input(context, Operation::Press, Command::Input(press, true), "the second press").await
    }

    async fn double_press(&self, context: &Context, aim: Aim) -> Result<Receipt, Failure> {
        let press = Input::Press { aim, button: Default::default(), hold_ms: 0 };
        let first = self.input(context, Operation::Press, Command::Input(press, false), "the first press").await?;
        Ok(first.and(self.second_press(context, aim).await?))
    }

    async fn navigate(&self, context: &Context, address: String) -> Result<Receipt, Failure> {
        let app = load(address).await?;
        self.navigate_to(context, Arc::new(app)).await
    }

    /// Opens an app that was read before in this one's place.
    ///
    /// # Errors
    /// As those of every input.
    pub async fn navigate_to(&self, context: &Context, app: Arc<App>) -> Result<Receipt, Failure> {
        self.input(context, Operation::Navigate, Command::Navigate(app), "opening the app").await
    }
}

/// Reads an app off the threads that serve requests.
pub async fn load(name: String) -> Result<App, Failure> {
    match tokio::task::spawn_blocking(move || script::load(&name)).await {
        Ok(loaded) => loaded.map_err(|error| error.failure()),
        Err(_) => Err(Failure::refused(Row::StageScriptInvalid, Code::Internal, "reading the app's file failed")),
    }
}

fn unfitting(doing: &str) -> Failure {
    Failure::new(Code::Internal, format!("{doing}: the simulated device gave an answer to another question"))
}

#[async_trait]
impl Device for StageDevice {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    async fn capture(&self, context: &Context, max_nodes: u32) -> Result<Tree, Failure> {
        let doing = "reading the screen";
        match self.look(context, Operation::Capture, Command::Capture(max_nodes), doing).await? {
            Answer::Tree(tree) => Ok(tree),
            _ => Err(unfitting(doing)),
        }
    }

    async fn aim(&self, context: &Context, node: NodeKey) -> Result<Option<Aimed>, Failure> {
        let doing = "looking at the element";
        match self.look(context, Operation::Look, Command::Aim(node), doing).await? {
            Answer::Aimed(aimed) => Ok(Some(aimed)),
            _ => Err(unfitting(doing)),
        }
    }

    async fn perform(&self, context: &Context, input: Input) -> Result<Receipt, Failure> {
        let (operation, doing) = match &input {
            Input::Upload { .. } => return Err(self.cannot(Capability::Upload)),
            Input::CloseWindow { .. } => return Err(self.cannot(Capability::Windows)),
            Input::DoublePress { aim } => return self.double_press(context, *aim).await,
            Input::Navigate { address, .. } => return self.navigate(context, address.clone()).await,
            Input::Press { .. } => (Operation::Press, "pressing"),
            Input::Hover { .. } => (Operation::Hover, "hovering"),
            Input::Swipe { .. } => (Operation::Swipe, "swiping"),
            Input::Fill { .. } => (Operation::Fill, "filling the field"),
            Input::Type { .. } => (Operation::Type, "typing"),
            Input::Scroll { .. } => (Operation::Scroll, "scrolling"),
            Input::Back => (Operation::Back, "going back"),
            Input::Home => (Operation::Home, "going home"),
            Input::Viewport { .. } => (Operation::Viewport, "changing the viewport"),
            Input::AnswerDialog { .. } => (Operation::AnswerDialog, "answering the dialog"),
            Input::Touch { .. } => (Operation::Swipe, "moving the contacts"),
            Input::AppSwitcher => return Err(self.cannot(Capability::AppSwitcher)),
            Input::Orientation { .. } => return Err(self.cannot(Capability::Orientation)),
            Input::HideKeyboard => (Operation::Keyboard, "hiding the keyboard"),
            Input::Enter => (Operation::Keyboard, "pressing enter"),
            Input::Clipboard { .. } => return Err(self.cannot(Capability::Clipboard)),
            Input::Setting(_) => return Err(self.cannot(Capability::Settings)),
        };
        self.input(context, operation, Command::Input(input, false), doing).await
    }

    async fn screenshot(&self, context: &Context, whole: bool) -> Result<Picture, Failure> {
        let doing = "taking a picture";
        let Answer::Sheet(sheet) = self.look(context, Operation::Screenshot, Command::Screenshot(whole), doing).await?
        else {
            return Err(unfitting(doing));
        };
        let failed = |cause: String| Failure::new(Code::CaptureFailed, format!("{doing}: {cause}"));
        let (scale, origin) = (sheet.scale, sheet.origin);
        let png = tokio::task::spawn_blocking(move || sheet.png())
            .await
            .map_err(|cause| failed(cause.to_string()))?
            .map_err(failed)?;
        Ok(Picture { png, scale, origin })
    }

    async fn field(&self, context: &Context, node: NodeKey) -> Result<Option<Field>, Failure> {
        let doing = "reading the field";
        match self.look(context, Operation::Look, Command::Field(node), doing).await? {
            Answer::Field(field) => Ok(field),
            _ => Err(unfitting(doing)),
        }
    }

    async fn text(&self, context: &Context, node: NodeKey) -> Result<Option<String>, Failure> {
        let doing = "reading the text";
        match self.look(context, Operation::Look, Command::Text(node), doing).await? {
            Answer::Text(text) => Ok(text),
            _ => Err(unfitting(doing)),
        }
    }

    async fn attributes(&self, context: &Context, node: NodeKey) -> Result<Option<Value>, Failure> {
        let doing = "reading the attributes";
        match self.look(context, Operation::Look, Command::Attributes(node), doing).await? {
            Answer::Attributes(facts) => Ok(facts),
            _ => Err(unfitting(doing)),
        }
    }

    async fn text_focus(&self, context: &Context) -> Result<Option<bool>, Failure> {
        let doing = "looking at the focus";
        match self.look(context, Operation::Look, Command::TextFocus, doing).await? {
            Answer::TextFocus(focus) => Ok(Some(focus)),
            _ => Err(unfitting(doing)),
        }
    }

    async fn dialog(&self, context: &Context) -> Result<Option<Dialog>, Failure> {
        let doing = "looking for a dialog";
        match self.look(context, Operation::Look, Command::Dialog, doing).await? {
            Answer::Dialog(dialog) => Ok(dialog),
            _ => Err(unfitting(doing)),
        }
    }

    async fn keyboard(&self, context: &Context) -> Result<KeyboardState, Failure> {
        let doing = "looking at the keyboard";
        match self.look(context, Operation::Look, Command::Keyboard, doing).await? {
            Answer::Keyboard(state) => Ok(state),
            _ => Err(unfitting(doing)),
        }
    }

    fn notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn close(&self, context: &Context) -> Result<(), Failure> {
        if self.line.ended() {
            return Ok(());
        }
        self.line.send(context, Effect::Mutates, Operation::Close, Command::Close, "closing the app").await.map(drop)
    }
}
