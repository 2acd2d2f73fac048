//! Which browsers there are, and how one is opened.

use std::{path::PathBuf, sync::Arc, time::Duration};

use async_trait::async_trait;
use backend::{Check, Device, Provider, Receipt};
use contract::{
    Capabilities, Code, Failure, Row,
    command::{Browser, Open, Wanted},
    view::{DeviceView, Platform},
};
use serde_json::{Value, json};
use wire::Context;

use crate::{
    address, browser,
    device::BrowserDevice,
    doctor,
    driver::{self, Folder, Running},
    input::{travel, viewport},
    launch::{self, VIEWPORT, Wish},
    line::Line,
    page::Page,
    routes::Route,
};

/// How long a page may take to load where nothing else is asked for, ms.
pub const LOAD_TIMEOUT_MS: u64 = 30_000;
/// How long a browser may take to start: cold caches, a grid with a queue.
const SESSION_LIMIT: Duration = Duration::from_secs(180);
/// How long the end of a session may take before its processes are ended.
pub const END_LIMIT: Duration = Duration::from_secs(5);

/// The browsers of this machine, and those behind `--driver-url`.
#[derive(Debug)]
pub struct WebProvider {
    state_dir: PathBuf,
}

impl WebProvider {
    /// Browsers keep profile, downloads and log under `state_dir/browsers` while they run.
    pub const fn new(state_dir: PathBuf) -> Self {
        Self { state_dir }
    }

    /// Starts a browser without going anywhere.
    async fn start(
        &self,
        context: &Context,
        browser: Browser,
        open: &Open,
    ) -> Result<(Page, Option<Running>), Failure> {
        if let (Some(reason), Some(_)) = (browser::no_mobile(browser), open.mobile) {
            return Err(Failure::refused(Row::DaemonAdmissionUnsupportedOperation, Code::UnsupportedOperation, reason)
                .reason("unsupported_operation"));
        }
        let more = match &open.capabilities {
            None => None,
            Some(Wanted::These(map)) => Some(map),
            Some(Wanted::In(file)) => {
                return Err(Failure::refused(
                    Row::DaemonProtocolBadArguments,
                    Code::InvalidArgs,
                    format!("capabilities: the file {file:?} is read by the command line, nowhere else"),
                )
                .reason("invalid_arguments")
                .hint("give the JSON object itself"));
            }
        };
        let mut wish = Wish {
            browser,
            local: None,
            headed: open.headed,
            mobile: open.mobile,
            is_root: rustix::process::geteuid().is_root(),
            more,
        };
        if let Some(url) = &open.driver_url {
            let address = driver::address::parse(url)?;
            let line = Line::to(address.authority.clone(), address.base.clone());
            let mut page = match new_session(context, line, &wish).await {
                Ok(page) => page,
                Err(failure) => return Err(not_opened(failure, address.server(context).await)),
            };
            page.line.try_kept_replies(context).await;
            return Ok((page, None));
        }
        let programs = browser::programs(browser).map_err(|why| {
            Failure::refused(Row::WebdriverDriverMissing, Code::ToolMissing, why)
                .reason("driver_missing")
                .hint(format!("install it: {}", browser::facts(browser).install))
        })?;
        if open.headed && !browser::has_display() && browser != Browser::Webkit {
            return Err(Failure::refused(
                Row::WebdriverBrowserNotStarted,
                Code::ToolMissing,
                "--headed needs a display, and there is none",
            )
            .reason("no_display"));
        }
        let folder = Folder::create(&self.state_dir).map_err(|why| {
            Failure::refused(
                Row::DaemonAdmissionStorage,
                Code::StorageFailed,
                format!("no folder for the browser under {}: {why}", self.state_dir.display()),
            )
        })?;
        let running = driver::start(context, browser, &programs, folder).await?;
        let folder = running.folder().path().to_owned();
        wish.local = Some((&programs.browser, &folder));
        match new_session(context, Line::to(running.authority.clone(), String::new()), &wish).await {
            Ok(page) => Ok((page, Some(running))),
            Err(failure) => {
                let log = running.log();
                running.stop().await;
                Err(failure
                    .hint(format!("check it: agent-device doctor; install it: {}", browser::facts(browser).install))
                    .detail("driverLog", log))
            }
        }
    }

    /// Sets a new browser up and goes to the address, where there is one.
    async fn set_up(
        &self,
        context: &Context,
        page: &mut Page,
        running: Option<&Running>,
        browser: Browser,
        open: &Open,
    ) -> Result<Receipt, Failure> {
        if open.mobile.is_none() && open.driver_url.is_none() {
            viewport::first(page, context, VIEWPORT.0, VIEWPORT.1).await?;
        }
        if let (Browser::Chrome, Some(running)) = (browser, running) {
            let params = json!({"behavior": "allow", "downloadPath": running.folder().part("downloads")});
            let body = json!({"cmd": "Browser.setDownloadBehavior", "params": params});
            let _empty: Value = page.line.act(context, Route::CdpSetUp, "", Some(body)).await?;
        }
        match &open.app {
            Some(app) => travel::navigate(page, context, app, open.load_timeout_ms.unwrap_or(LOAD_TIMEOUT_MS)).await,
            None => Ok(Receipt::default()),
        }
    }
}

/// Asks for a session, once: a second try could leave a browser behind that nobody ends.
async fn new_session(context: &Context, mut line: Line, wish: &Wish<'_>) -> Result<Page, Failure> {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct New {
        session_id: String,
    }
    let limited = context.until(SESSION_LIMIT);
    let new: New = line.act(&limited, Route::NewSession, "", Some(launch::capabilities(wish))).await?;
    line.in_session(new.session_id);
    match line.look(context, Route::Window, "", None).await {
        Ok(window) => Ok(Page::new(line, wish.browser, window)),
        Err(failure) => {
            // The failure is what counts; that the session ends is all that can be done about it.
            let _ended = delete(&mut line).await;
            Err(failure)
        }
    }
}

/// Says what answered at `--driver-url`, and what it may have missed.
fn not_opened(mut failure: Failure, server: Option<String>) -> Failure {
    if failure.reason_str() == Some("driver_unreachable") {
        return failure;
    }
    if failure.code == Code::ToolMissing {
        // Of a browser of this machine.
        failure.code = Code::OpenFailed;
    }
    match server {
        None => failure.hint("what answers at that address is no WebDriver server: check host, port and base path"),
        Some(server) => failure
            .detail("server", server)
            .hint("the server may need to be told more: --capabilities '{\"platformName\": \"linux\", \"appium:automationName\": \"Chromium\"}'"),
    }
}

/// Ends the session at the driver's; in a time of its own, since that of a request may be over.
async fn delete(line: &mut Line) -> Result<Value, Failure> {
    line.act(&Context::with_limit(END_LIMIT), Route::DeleteSession, "", None).await
}

/// Ends a session; within the limit, whatever the driver does.
pub async fn end(page: &mut Page, running: Option<Running>) -> Result<(), Failure> {
    let ended = delete(&mut page.line).await;
    match running {
        // What the driver did not end is ended here.
        Some(running) => {
            running.stop().await;
            Ok(())
        }
        None => match ended {
            Err(failure) if failure.reason_str() != Some("session_gone") => Err(failure),
            _ => Ok(()),
        },
    }
}

#[async_trait]
impl Provider for WebProvider {
    fn platform(&self) -> Platform {
        Platform::Web
    }

    fn opens(&self, app: &str) -> bool {
        address::complete(app).is_some()
    }

    async fn devices(&self) -> Vec<DeviceView> {
        browser::ALL
            .into_iter()
            .map(|browser| {
                let missing = browser::programs(browser).err();
                DeviceView {
                    id: browser.to_string(),
                    name: browser::facts(browser).name.to_owned(),
                    platform: Platform::Web,
                    kind: "desktop".to_owned(),
                    available: missing.is_none(),
                    unavailable_reason: missing,
                    claimed_by: None,
                }
            })
            .collect()
    }

    async fn default_device(&self, _context: &Context, open: &Open) -> Result<String, Failure> {
        Ok(open.browser.unwrap_or(Browser::Chrome).to_string())
    }

    fn exclusive(&self, _device: &str) -> bool {
        false
    }

    fn capabilities(&self, device: &str) -> Option<Capabilities> {
        browser::of_device(device).map(|browser| browser::capabilities(browser, false, true))
    }

    async fn open(&self, context: &Context, device: &str, open: &Open) -> Result<Arc<dyn Device>, Failure> {
        let Some(browser) = browser::of_device(device) else {
            return Err(Failure::refused(
                Row::DaemonAdmissionDeviceNotFound,
                Code::DeviceNotFound,
                format!("there is no browser called {device:?}: chrome, firefox, webkit"),
            ));
        };
        if let Some(app) = open.app.as_ref().filter(|app| !self.opens(app)) {
            return Err(travel::bad_address(app));
        }
        let (mut page, running) = self.start(context, browser, open).await?;
        match self.set_up(context, &mut page, running.as_ref(), browser, open).await {
            Ok(receipt) => {
                let device = BrowserDevice::new(browser, open, page, running);
                receipt.warnings.iter().for_each(|warning| device.notice(warning));
                Ok(Arc::new(device))
            }
            Err(failure) => {
                // The reason of the failure is what counts; nothing is left behind in either case.
                let _ended = end(&mut page, running).await;
                Err(failure)
            }
        }
    }

    async fn doctor(&self) -> Vec<Check> {
        doctor::checks(self).await
    }

    async fn sweep(&self) {
        driver::folder::sweep(&self.state_dir).await;
    }
}
