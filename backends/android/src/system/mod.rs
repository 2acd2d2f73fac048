//! What Android's own programs do and tell, over adb's shell.
//!
//! | module | answers |
//! | --- | --- |
//! | [`script`] | several programs in one round trip |
//! | [`settle`] | waiting until the device holds what it was told |
//! | [`foreground`] | which app is in front |
//! | [`keyboard`] | the on-screen keyboard |
//! | [`key`] | keys through `input` |
//! | [`rotation`] | turning the screen |
//! | [`clipboard`] | the clipboard, where the shell reaches it |
//! | [`settings`] | settings, permissions, what an app has stored |
//! | [`logs`] | the app's log |
//! | [`perf`] | frames and memory |
//! | [`record`] | films |
//! | [`apps`], [`install`], [`package`], [`files`] | apps and files on the device |
//! | [`emulator`] | emulators: list, boot, shut down |
//! | [`pairing`] | phones over Wi-Fi |
//! | [`fleet`] | all of that without a session |

pub mod apps;
pub mod clipboard;
pub mod emulator;
pub mod files;
pub mod fleet;
pub mod foreground;
pub mod install;
pub mod key;
pub mod keyboard;
pub mod logs;
pub mod package;
pub mod pairing;
pub mod perf;
pub mod record;
pub mod rotation;
pub mod script;
pub mod settings;
pub mod settle;

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use backend::{Film, Foreground, KeyboardState, Receipt};
use contract::{
    Code, Failure, Row,
    command::{FilmQuality, PerfArea, Setting, Turn},
};
use serde_json::Value;
use tokio::sync::OnceCell;
use wire::Context;

use crate::adb::Phone;
use script::Script;

/// The system around the app of one session.
#[derive(Debug)]
pub struct System {
    phone: Phone,
    api: OnceCell<u32>,
    app: Mutex<Option<String>>,
    log: logs::AppLog,
    recorder: record::Recorder,
}

impl System {
    /// Of a device. Nothing is asked of it yet.
    pub fn new(phone: Phone) -> Self {
        Self {
            phone,
            api: OnceCell::new(),
            app: Mutex::default(),
            log: logs::AppLog::default(),
            recorder: record::Recorder::default(),
        }
    }

    /// The session has this app now.
    pub fn set_app(&self, app: Option<String>) {
        *self.app.lock().unwrap_or_else(PoisonError::into_inner) = app;
    }

    fn app(&self) -> Option<String> {
        self.app.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The level of the device's Android (`android.os.Build.VERSION.SDK_INT`). Asked once.
    async fn api(&self, context: &Context) -> Result<u32, Failure> {
        let asked = self.api.get_or_try_init(|| async {
            let parts = Script::of("getprop ro.build.version.sdk").look(context, &self.phone).await?;
            let said = script::text(&parts, 0).trim();
            said.parse().map_err(|_| {
                Failure::refused(
                    Row::AdbLookFailed,
                    Code::CommandFailed,
                    format!("the device does not tell its Android version: {}", key::first(said)),
                )
                .reason("api_level_unknown")
            })
        });
        asked.await.copied()
    }

    fn own(&self) -> Result<String, Failure> {
        let app = self.app();
        settings::own(app.as_deref(), None).map(str::to_owned)
    }

    /// See [`backend::Device::keyboard`].
    ///
    /// # Errors
    /// No way to the device.
    pub async fn keyboard(&self, context: &Context) -> Result<KeyboardState, Failure> {
        keyboard::state(context, &self.phone).await
    }

    /// See [`backend::Device::clipboard`].
    ///
    /// # Errors
    /// See [`clipboard::read`].
    pub async fn clipboard(&self, context: &Context) -> Result<String, Failure> {
        clipboard::read(context, &self.phone).await
    }

    /// See [`backend::Device::foreground`].
    ///
    /// # Errors
    /// See [`foreground::foreground`].
    pub async fn foreground(&self, context: &Context) -> Result<Foreground, Failure> {
        foreground::foreground(context, &self.phone, self.api(context).await?).await
    }

    /// See [`backend::Device::log_lines`].
    ///
    /// # Errors
    /// See [`logs::AppLog::lines`].
    pub async fn log_lines(&self, context: &Context, lines: u32) -> Result<Vec<String>, Failure> {
        let app = self.own()?;
        self.log.lines(context, &self.phone, self.api(context).await?, &app, lines).await
    }

    /// See [`backend::Device::log_start`].
    ///
    /// # Errors
    /// See [`logs::AppLog::start`].
    pub async fn log_start(&self, context: &Context, file: &Path) -> Result<(), Failure> {
        self.log.start(context, &self.phone, &self.own()?, file).await
    }

    /// See [`backend::Device::log_stop`].
    pub async fn log_stop(&self) -> bool {
        self.log.stop().await
    }

    /// See [`backend::Device::perf`].
    ///
    /// # Errors
    /// See [`perf::measure`].
    pub async fn perf(&self, context: &Context, area: PerfArea, reset: bool) -> Result<Value, Failure> {
        perf::measure(context, &self.phone, &self.own()?, area, reset).await
    }

    /// See [`backend::Device::record_start`].
    ///
    /// # Errors
    /// See [`record::Recorder::start`].
    pub async fn record_start(&self, context: &Context, quality: FilmQuality) -> Result<(), Failure> {
        self.recorder.start(context, &self.phone, quality).await
    }

    /// See [`backend::Device::record_stop`].
    ///
    /// # Errors
    /// See [`record::Recorder::stop`].
    pub async fn record_stop(&self, context: &Context) -> Result<Option<Film>, Failure> {
        self.recorder.stop(context, &self.phone).await
    }

    /// Turns the screen.
    ///
    /// # Errors
    /// See [`rotation::turn`].
    pub async fn turn(&self, context: &Context, turn: Turn) -> Result<Receipt, Failure> {
        rotation::turn(context, &self.phone, turn).await
    }

    /// Hides the on-screen keyboard.
    ///
    /// # Errors
    /// See [`keyboard::hide`].
    pub async fn hide_keyboard(&self, context: &Context) -> Result<Receipt, Failure> {
        keyboard::hide(context, &self.phone).await
    }

    /// Presses a key, for where no helper can.
    ///
    /// # Errors
    /// See [`key::press`].
    pub async fn press(&self, context: &Context, code: u32) -> Result<Receipt, Failure> {
        key::press(context, &self.phone, code).await.map(|()| Receipt::default())
    }

    /// Puts a text on the clipboard.
    ///
    /// # Errors
    /// See [`clipboard::write`].
    pub async fn write_clipboard(&self, context: &Context, text: &str) -> Result<Receipt, Failure> {
        clipboard::write(context, &self.phone, text).await
    }

    /// Changes a setting.
    ///
    /// # Errors
    /// See [`settings::change`].
    pub async fn set(&self, context: &Context, setting: &Setting) -> Result<Receipt, Failure> {
        let api = self.api(context).await?;
        settings::change(context, &self.phone, api, self.app().as_deref(), setting).await
    }

    /// What the caller should know, once.
    pub fn notices(&self) -> Vec<String> {
        self.recorder.notices()
    }

    /// Ends what still runs on the device: the log, a film.
    pub async fn end(&self) {
        self.log.stop().await;
        self.recorder.abandon(&self.phone).await;
    }
}
