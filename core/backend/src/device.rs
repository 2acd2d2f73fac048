//! What an opened device does.

use std::{path::Path, time::Duration};

use async_trait::async_trait;
use contract::{
    Capabilities, Capability, Code, Failure, Row,
    command::{FilmQuality, PerfArea},
};
use screen::{NodeKey, Tree};
use serde_json::Value;
use wire::Context;

use crate::{
    Aimed, Dialog, Download, Field, Film, Foreground, Input, KeyboardState, Picture, Receipt, Traffic, Window,
};

/// An app on a device, opened by one session.
///
/// Every method is bounded by the context's deadline. Reads never change the app. `perform` sends through `wire`,
/// which notes each send in the context's ledger. The methods with a body are for what not every device has; what is
/// not overridden answers that the device cannot do it.
#[async_trait]
pub trait Device: Send + Sync + std::fmt::Debug {
    /// What works here and what does not.
    fn capabilities(&self) -> &Capabilities;

    /// Reads the screen as a tree of at most `max_nodes` nodes. An empty tree is a failure, never a screen.
    async fn capture(&self, context: &Context, max_nodes: u32) -> Result<Tree, Failure>;

    /// Looks at one element of an earlier capture: brings it into view and finds a point that reaches it. `None`
    /// where the device cannot: then the caller judges by a capture.
    async fn aim(&self, _context: &Context, _node: NodeKey) -> Result<Option<Aimed>, Failure> {
        Ok(None)
    }

    /// Does one thing to the app.
    async fn perform(&self, context: &Context, input: Input) -> Result<Receipt, Failure>;

    /// Takes a picture of the screen, or of the whole page.
    async fn screenshot(&self, context: &Context, whole: bool) -> Result<Picture, Failure>;

    /// What a field holds now; `None` where only a capture can say.
    async fn field(&self, _context: &Context, _node: NodeKey) -> Result<Option<Field>, Failure> {
        Ok(None)
    }

    /// The text of an element as the app lays it out; `None` where only a capture can say.
    async fn text(&self, _context: &Context, _node: NodeKey) -> Result<Option<String>, Failure> {
        Ok(None)
    }

    /// Facts of an element beyond those of the capture, an object; `None` where there are none.
    async fn attributes(&self, _context: &Context, _node: NodeKey) -> Result<Option<Value>, Failure> {
        Ok(None)
    }

    /// Whether something that takes text has the focus; `None` where only a capture can say.
    async fn text_focus(&self, _context: &Context) -> Result<Option<bool>, Failure> {
        Ok(None)
    }

    /// The dialog that blocks the app.
    async fn dialog(&self, _context: &Context) -> Result<Option<Dialog>, Failure> {
        Err(self.cannot(Capability::Alert))
    }

    /// All tabs and windows.
    async fn windows(&self, _context: &Context) -> Result<Vec<Window>, Failure> {
        Err(self.cannot(Capability::Windows))
    }

    /// Makes a window the one that commands go to.
    async fn switch_window(&self, _context: &Context, _id: &str) -> Result<(), Failure> {
        Err(self.cannot(Capability::Windows))
    }

    /// What the app saved.
    async fn downloads(&self, _context: &Context) -> Result<Vec<Download>, Failure> {
        Err(self.cannot(Capability::Downloads))
    }

    /// The on-screen keyboard.
    async fn keyboard(&self, _context: &Context) -> Result<KeyboardState, Failure> {
        Err(self.cannot(Capability::Keyboard))
    }

    /// The text on the clipboard.
    async fn clipboard(&self, _context: &Context) -> Result<String, Failure> {
        Err(self.cannot(Capability::Clipboard))
    }

    /// The app in front.
    async fn foreground(&self, _context: &Context) -> Result<Foreground, Failure> {
        Err(self.cannot(Capability::Appstate))
    }

    /// The newest lines that the app wrote to the device's log, oldest first.
    async fn log_lines(&self, _context: &Context, _lines: u32) -> Result<Vec<String>, Failure> {
        Err(self.cannot(Capability::Logs))
    }

    /// Appends what the app writes from now on to a file, until [`Device::log_stop`] or the end.
    async fn log_start(&self, _context: &Context, _file: &Path) -> Result<(), Failure> {
        Err(self.cannot(Capability::Logs))
    }

    /// Ends that; whether it was going on.
    async fn log_stop(&self, _context: &Context) -> Result<bool, Failure> {
        Err(self.cannot(Capability::Logs))
    }

    /// What the app asked of the network and was answered since this was asked last, and at most `since` ago. `None` where
    /// the device cannot say. Asked for traces only.
    async fn network(&self, _context: &Context, _since: Duration) -> Result<Option<Traffic>, Failure> {
        Ok(None)
    }

    /// Nobody asks for [`Device::network`] any more: what is kept for it may go.
    async fn network_end(&self, _context: &Context) -> Result<(), Failure> {
        Ok(())
    }

    /// Measures the app; counts anew afterwards where `reset` is set.
    async fn perf(&self, _context: &Context, _area: PerfArea, _reset: bool) -> Result<Value, Failure> {
        Err(self.cannot(Capability::Perf))
    }

    /// Begins a film.
    async fn record_start(&self, _context: &Context, _quality: FilmQuality) -> Result<(), Failure> {
        Err(self.cannot(Capability::Record))
    }

    /// Ends it; `None` where none was going on.
    async fn record_stop(&self, _context: &Context) -> Result<Option<Film>, Failure> {
        Err(self.cannot(Capability::Record))
    }

    /// What happened on the device since the last call that the caller should know: a crashed page, a dialog that
    /// answered itself. Takes no round trip.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }

    /// Ends the app and frees the device. Called once; leaves no process behind even if it fails.
    async fn close(&self, context: &Context) -> Result<(), Failure>;

    /// The refusal for something this device cannot do.
    fn cannot(&self, capability: Capability) -> Failure {
        let name =
            serde_json::to_value(capability).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default();
        let reason = self.capabilities().reason(capability).unwrap_or("this device has no such thing");
        Failure::refused(
            Row::DaemonAdmissionUnsupportedOperation,
            Code::UnsupportedOperation,
            format!("{name}: {reason}"),
        )
        .reason("unsupported_operation")
        .detail("capability", name)
    }
}
