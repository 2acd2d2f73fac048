//! The opened app as a device.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use backend::{Aim, Aimed, Device, Dialog, Field, Film, Foreground, Input, KeyboardState, Picture, Receipt, TouchPlan};
use contract::{
    Capabilities, Capability, Code, Effect, Failure, Point, Row,
    command::{FilmQuality, PerfArea},
};
use screen::{NodeKey, Tree};
use serde_json::{Value, json};
use tokio::time::Instant;
use wire::Context;

use crate::{
    abilities,
    helper::{
        Helper,
        features::Features,
        request::{Action, Ask},
    },
    input::{
        clipboard, dialog,
        keys::{self, Button},
        press, scroll, text,
    },
    launch::{self, Target},
    marker::Marker,
    seen::Seen,
    system::System,
};

/// Signature of a PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Its last chunk, `IEND` with its checksum: over `exec:` a picture that breaks off is told by nothing else.
const PNG_END: &[u8] = b"IEND\xaeB`\x82";

/// An app on an Android device that one session opened.
#[derive(Debug)]
pub struct AndroidDevice {
    helper: Arc<Helper>,
    system: System,
    capabilities: Capabilities,
    marker: Marker,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
pub(crate) struct Inner {
    /// The session's app; `None` until one was named.
    pub(crate) app: Option<String>,
    /// Whether this session started it, and so ends it.
    pub(crate) started: bool,
    pub(crate) seen: Option<Arc<Seen>>,
    pub(crate) changed: Option<Instant>,
    pub(crate) max_nodes: u32,
}

impl AndroidDevice {
    /// A device whose helper runs. `marker` is taken away when it is closed.
    pub fn new(helper: Arc<Helper>, marker: Marker) -> Self {
        let inner = Inner { changed: Some(Instant::now()), max_nodes: 5_000, ..Inner::default() };
        let system = System::new(helper.phone().clone());
        Self { helper, system, capabilities: abilities::all(), marker, inner: Mutex::new(inner) }
    }

    /// The helper on it.
    pub fn helper(&self) -> &Helper {
        &self.helper
    }

    /// The system around the app.
    pub const fn system(&self) -> &System {
        &self.system
    }

    /// The session's app.
    pub fn app(&self) -> Option<String> {
        self.inner().app.clone()
    }

    /// The last look at the screen.
    pub fn seen(&self) -> Option<Arc<Seen>> {
        self.inner().seen.clone()
    }

    /// Nodes that captures hold at most.
    pub fn max_nodes(&self) -> u32 {
        self.inner().max_nodes
    }

    /// Notes that something was done: the screen may be drawn anew.
    pub fn changed(&self) {
        self.inner().changed = Some(Instant::now());
    }

    /// How the helper spells a node of the last look.
    pub fn spelled(&self, node: NodeKey) -> Option<String> {
        self.seen()?.capture.keys.spell(node)
    }

    /// Starts an app or goes to an address.
    ///
    /// # Errors
    /// Refused where there is no such app or nothing that takes the address.
    pub async fn go(&self, context: &Context, target: &Target, anew: bool) -> Result<Receipt, Failure> {
        let component = launch::resolve(self.helper.phone(), context, target).await?;
        self.start(context, target, component.as_deref(), anew).await
    }

    /// The same for a target that was found to exist already.
    ///
    /// # Errors
    /// How the start was lost, or that nothing was started.
    pub async fn start(
        &self,
        context: &Context,
        target: &Target,
        component: Option<&str>,
        anew: bool,
    ) -> Result<Receipt, Failure> {
        let started = launch::start(self.helper.phone(), context, target, component, anew).await?;
        let package = target.package().map(str::to_owned).or(started.package);
        let mut inner = self.inner();
        inner.started |= target.package().is_some();
        inner.app = package.or_else(|| inner.app.take());
        self.system.set_app(inner.app.clone());
        inner.changed = Some(Instant::now());
        inner.seen = None;
        Ok(Receipt { warnings: started.warnings, ..Receipt::default() })
    }

    pub(crate) fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn press(&self, context: &Context, aim: Aim, hold_ms: u64, times: u32) -> Result<Receipt, Failure> {
        let plan = |at: Point| if hold_ms == 0 { TouchPlan::tap(at) } else { TouchPlan::hold(at, hold_ms) };
        let touch = press::Touch { at: aim.point, node: aim.node, plan, times, doing: "pressing", guarded: true };
        press::touch(self, context, touch).await
    }

    /// Something that the system does around the app: the screen may be drawn anew, whether it worked or not.
    async fn around(&self, doing: impl Future<Output = Result<Receipt, Failure>>) -> Result<Receipt, Failure> {
        let done = doing.await;
        self.changed();
        done
    }
}

#[async_trait]
impl Device for AndroidDevice {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    async fn capture(&self, context: &Context, max_nodes: u32) -> Result<Tree, Failure> {
        self.look(context, max_nodes).await.map(|seen| seen.capture.tree.clone())
    }

    async fn aim(&self, context: &Context, node: NodeKey) -> Result<Option<Aimed>, Failure> {
        let aimed = |seen: &Seen| seen.capture.tree.place_of(node).map(|place| seen.capture.aim(place));
        // What the last look says is enough where it says yes and the press itself is held against the screen; a no is
        // never given on an old look.
        if let Some(seen) = self.seen().filter(|seen| seen.can_be_trusted(node))
            && let Some(ready @ Aimed::Ready(_)) = aimed(&seen)
        {
            return Ok(Some(ready));
        }
        let now = self.current(context).await?;
        Ok(Some(aimed(&now).unwrap_or(Aimed::Gone)))
    }

    async fn perform(&self, context: &Context, input: Input) -> Result<Receipt, Failure> {
        match input {
            Input::Navigate { address, .. } => {
                let target = Target::parse(&address).ok_or_else(|| abilities::unknown(&address))?;
                self.go(context, &target, false).await
            }
            Input::Press { aim, hold_ms, .. } => self.press(context, aim, hold_ms, 1).await,
            Input::DoublePress { aim } => self.press(context, aim, 0, 2).await,
            Input::Swipe { from, to, duration_ms } => {
                let plan = |from: Point| TouchPlan::swipe(from, to, duration_ms);
                let touch = press::Touch { at: from, node: None, plan, times: 1, doing: "swiping", guarded: true };
                press::touch(self, context, touch).await
            }
            Input::Touch { plan, node } => {
                let at = plan.start();
                let plan = |_| plan.clone();
                let touch = press::Touch { at, node, plan, times: 1, doing: "moving contacts", guarded: true };
                press::touch(self, context, touch).await
            }
            Input::Scroll { within, to } => scroll::scroll(self, context, within, to).await,
            Input::Fill { aim, text, delay_ms } => text::fill(self, context, aim, &text, delay_ms).await,
            Input::Type { text } => text::type_text(self, context, &text).await,
            Input::Back => keys::press(self, context, Button::Back).await,
            Input::Home => keys::press(self, context, Button::Home).await,
            Input::AnswerDialog { accept, .. } => dialog::answer(self, context, accept).await,
            Input::Hover { .. } => Err(self.cannot(Capability::Hover)),
            Input::Viewport { .. } => Err(self.cannot(Capability::Viewport)),
            Input::Upload { .. } => Err(self.cannot(Capability::Upload)),
            Input::CloseWindow { .. } => Err(self.cannot(Capability::Windows)),
            Input::AppSwitcher => keys::press(self, context, Button::AppSwitcher).await,
            Input::Enter => keys::press(self, context, Button::Enter).await,
            Input::HideKeyboard => self.around(self.system.hide_keyboard(context)).await,
            Input::Orientation { turn } => self.around(self.system.turn(context, turn)).await,
            Input::Clipboard { text } => clipboard::write(self, context, &text).await,
            Input::Setting(setting) => self.around(self.system.set(context, &setting)).await,
        }
    }

    async fn screenshot(&self, context: &Context, whole: bool) -> Result<Picture, Failure> {
        if whole {
            let message = "a picture of more than the screen is something that Android does not take";
            return Err(Failure::refused(
                Row::DaemonAdmissionUnsupportedOperation,
                Code::UnsupportedOperation,
                message,
            )
            .reason("unsupported_operation"));
        }
        let png = self.helper.phone().exec(context, Effect::Observes, "screencap -p").await?.completed();
        if !png.starts_with(PNG) || !png.ends_with(PNG_END) {
            let said = String::from_utf8_lossy(png.get(..png.len().min(200)).unwrap_or_default()).trim().to_owned();
            return Err(Failure::refused(
                Row::AdbLookFailed,
                Code::CaptureFailed,
                format!("the device gave no picture of its screen: {said}"),
            )
            .reason("screenshot_failed"));
        }
        Ok(Picture { png, scale: 1.0, origin: Point { x: 0.0, y: 0.0 } })
    }

    async fn field(&self, context: &Context, node: NodeKey) -> Result<Option<Field>, Failure> {
        let Some(said) = self.look_at(context, node).await? else { return Ok(None) };
        let hint = said.flag("hintShowing") == Some(true);
        let value = if hint { String::new() } else { said.text("textBase64").unwrap_or_default() };
        Ok(Some(Field { value, masked: said.flag("password") == Some(true) }))
    }

    async fn text(&self, context: &Context, node: NodeKey) -> Result<Option<String>, Failure> {
        let Some(said) = self.look_at(context, node).await? else { return Ok(None) };
        if said.flag("hintShowing") == Some(true) {
            // A hint is what the field asks for, not what it says.
            return Ok(Some(String::new()));
        }
        let shown = said.text("textBase64").filter(|text| !text.is_empty());
        Ok(shown.or_else(|| said.text("contentDescBase64")).filter(|text| !text.is_empty()))
    }

    async fn attributes(&self, context: &Context, node: NodeKey) -> Result<Option<Value>, Failure> {
        let Some(said) = self.look_at(context, node).await? else { return Ok(None) };
        let mut facts = json!({});
        for key in ["class", "packageName", "bounds"] {
            if let Some(value) = said.get(key) {
                facts[key] = value.into();
            }
        }
        for (key, name) in [("textBase64", "text"), ("contentDescBase64", "contentDescription")] {
            if let Some(value) = said.text(key) {
                facts[name] = value.into();
            }
        }
        for key in ["visible", "enabled", "focused", "editable", "password", "checked", "selected", "hintShowing"] {
            if let Some(value) = said.flag(key) {
                facts[key] = value.into();
            }
        }
        for key in ["selectionStart", "selectionEnd"] {
            if let Some(value) = said.number::<i64>(key).filter(|place| *place >= 0) {
                facts[key] = value.into();
            }
        }
        Ok(Some(facts))
    }

    async fn text_focus(&self, context: &Context) -> Result<Option<bool>, Failure> {
        if !self.helper.ready(context).await?.contains(Features::FOREGROUND) {
            return Ok(None);
        }
        let ask = Ask::of(Action::Foreground).with(json!({}));
        let said = self.helper.done(context, &ask, "looking at the focus").await?.fields;
        Ok(Some(said.flag("focusedEditable") == Some(true)))
    }

    async fn dialog(&self, context: &Context) -> Result<Option<Dialog>, Failure> {
        let seen = self.look(context, self.max_nodes()).await?;
        Ok(seen.capture.alert.as_ref().map(|alert| alert.dialog.clone()))
    }

    async fn keyboard(&self, context: &Context) -> Result<KeyboardState, Failure> {
        let mut state = self.system.keyboard(context).await?;
        if state.visible {
            // Where it lies is on the screen; a screen that cannot be read does not make it hidden.
            state.rect = self.current(context).await.ok().and_then(|seen| seen.capture.keyboard);
        }
        Ok(state)
    }

    async fn clipboard(&self, context: &Context) -> Result<String, Failure> {
        clipboard::read(self, context).await
    }

    async fn foreground(&self, context: &Context) -> Result<Foreground, Failure> {
        self.system.foreground(context).await
    }

    async fn log_lines(&self, context: &Context, lines: u32) -> Result<Vec<String>, Failure> {
        self.system.log_lines(context, lines).await
    }

    async fn log_start(&self, context: &Context, file: &Path) -> Result<(), Failure> {
        self.system.log_start(context, file).await
    }

    async fn log_stop(&self, _context: &Context) -> Result<bool, Failure> {
        Ok(self.system.log_stop().await)
    }

    async fn perf(&self, context: &Context, area: PerfArea, reset: bool) -> Result<Value, Failure> {
        self.system.perf(context, area, reset).await
    }

    async fn record_start(&self, context: &Context, quality: FilmQuality) -> Result<(), Failure> {
        self.system.record_start(context, quality).await
    }

    async fn record_stop(&self, context: &Context) -> Result<Option<Film>, Failure> {
        self.system.record_stop(context).await
    }

    fn notices(&self) -> Vec<String> {
        let mut notices = self.helper.notices();
        notices.extend(self.system.notices());
        notices
    }

    async fn close(&self, context: &Context) -> Result<(), Failure> {
        let app = {
            let inner = self.inner();
            inner.app.clone().filter(|_| inner.started)
        };
        self.system.end().await;
        let ended = match app {
            Some(app) => launch::end(self.helper.phone(), context, &app).await,
            None => Ok(()),
        };
        let released = self.helper.release(context).await;
        if released.is_ok() {
            self.marker.remove();
        }
        ended.and(released)
    }
}
