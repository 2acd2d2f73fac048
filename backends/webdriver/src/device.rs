//! The opened browser as a device.

use std::{
    path::PathBuf,
    sync::{Mutex as StdMutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use backend::{Aim, Aimed, Device, Dialog, Download, Field, Input, Picture, Receipt, Traffic, Window};
use contract::{
    Capabilities, Capability, Code, Failure, Row,
    command::{Browser, Open},
};
use screen::{NodeKey, Tree};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use wire::Context;

use crate::{
    agent::Said,
    aim, browser,
    capture::{self, PAGE_ITSELF},
    driver::Running,
    files,
    input::{
        dialog,
        pointer::Pointer,
        press::{self, Press, gone},
        scroll, text, travel, typing, viewport,
    },
    network,
    page::Page,
    picture,
    provider::{LOAD_TIMEOUT_MS, end},
    windows,
};

/// A browser that one session opened.
#[derive(Debug)]
pub struct BrowserDevice {
    browser: Browser,
    capabilities: Capabilities,
    pointer: Pointer,
    load_timeout_ms: u64,
    downloads: Option<PathBuf>,
    local: bool,
    page: Mutex<Page>,
    running: StdMutex<Option<Running>>,
    notices: StdMutex<Vec<String>>,
}

impl BrowserDevice {
    /// A browser with its page, and the driver that was started for it.
    pub fn new(browser: Browser, open: &Open, page: Page, running: Option<Running>) -> Self {
        let local = open.driver_url.is_none();
        Self {
            browser,
            capabilities: browser::capabilities(browser, open.mobile.is_some(), local),
            pointer: if open.mobile.is_some() { Pointer::Touch } else { Pointer::Mouse },
            load_timeout_ms: open.load_timeout_ms.unwrap_or(LOAD_TIMEOUT_MS),
            downloads: running.as_ref().map(|running| running.folder().part("downloads")),
            local,
            page: Mutex::new(page),
            running: StdMutex::new(running),
            notices: StdMutex::default(),
        }
    }

    /// The process group of the driver that was started for it.
    pub fn process_group(&self) -> Option<i32> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(Running::group)
    }

    async fn input(&self, page: &mut Page, context: &Context, input: Input) -> Result<Receipt, Failure> {
        match input {
            Input::Navigate { address, load_timeout_ms } => {
                travel::navigate(page, context, &address, load_timeout_ms).await
            }
            Input::Press { hold_ms, .. } if hold_ms > 0 && !self.capabilities.has(Capability::LongPress) => {
                Err(self.cannot(Capability::LongPress))
            }
            Input::Press { aim, button, hold_ms } => {
                press::press(page, context, self.browser, self.pointer, aim, Press { button, hold_ms, times: 1 }).await
            }
            Input::DoublePress { aim } => {
                let twice = Press { button: contract::command::Button::Primary, hold_ms: 0, times: 2 };
                press::press(page, context, self.browser, self.pointer, aim, twice).await
            }
            Input::Hover { aim } if self.capabilities.has(Capability::Hover) => {
                press::hover(page, context, self.pointer, aim).await
            }
            Input::Hover { .. } => Err(self.cannot(Capability::Hover)),
            Input::Swipe { from, to, duration_ms } => {
                let list = self.pointer.drag(from, to, duration_ms);
                press::drag(page, context, self.browser, list, Aim { point: from, node: None }, duration_ms).await
            }
            Input::Fill { aim, text, delay_ms } => text::fill(page, context, self.browser, aim, &text, delay_ms).await,
            Input::Type { text } => typing::type_text(page, context, self.browser, &text).await,
            Input::Scroll { within, to } => scroll::scroll(page, context, within, to).await,
            Input::Back => travel::back(page, context, self.browser).await,
            Input::Home => travel::home(page, context, self.load_timeout_ms).await,
            Input::Viewport { width, height } if self.capabilities.has(Capability::Viewport) => {
                viewport::set(page, context, width, height).await
            }
            Input::Viewport { .. } => Err(self.cannot(Capability::Viewport)),
            Input::AnswerDialog { accept, text } => dialog::answer(page, context, accept, text.as_deref()).await,
            Input::Upload { node, files } => files::upload(page, context, node, &files, self.local).await,
            Input::CloseWindow { id } => windows::close(page, context, &id).await,
            Input::Touch { plan, .. } if plan.contacts.len() > 1 && self.pointer == Pointer::Mouse => {
                Err(self.cannot(Capability::Touch))
            }
            Input::Touch { plan, node } => {
                // Two contacts lie around their target, not on it.
                let aim = Aim { point: plan.start(), node: node.filter(|_| plan.contacts.len() == 1) };
                press::drag(page, context, self.browser, self.pointer.moved(&plan), aim, plan.duration_ms).await
            }
            Input::AppSwitcher => Err(self.cannot(Capability::AppSwitcher)),
            Input::Orientation { .. } => Err(self.cannot(Capability::Orientation)),
            Input::HideKeyboard | Input::Enter => Err(self.cannot(Capability::Keyboard)),
            Input::Clipboard { .. } => Err(self.cannot(Capability::Clipboard)),
            Input::Setting(_) => Err(self.cannot(Capability::Settings)),
        }
    }

    /// Keeps something to tell with the next answer.
    pub fn notice(&self, notice: &str) {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).push(notice.to_owned());
    }

    /// Whether this is the field that was filled last.
    async fn is_filled(&self, node: NodeKey) -> bool {
        self.page.lock().await.filled == Some(node)
    }

    /// Reads the agent's answer about an element.
    async fn about<T: for<'a> Deserialize<'a>>(
        &self,
        context: &Context,
        node: NodeKey,
        name: &str,
    ) -> Result<T, Failure> {
        let mut page = self.page.lock().await;
        let heard = page.call_on(context, node, name, json!({})).await?.ok_or_else(gone)?;
        let (said,): (Said<T>,) = heard.read()?;
        match said {
            Said::Ok(said) => Ok(said),
            Said::Error(refusal) if refusal.is_gone() => Err(gone()),
            Said::Error(refusal) => {
                Err(Failure::new(Code::CaptureFailed, format!("the element could not be read: {}", refusal.message)))
            }
        }
    }
}

/// The text went to the field; then the page went elsewhere, or took the field or its frame away.
fn left_after_fill(mut failure: Failure) -> Failure {
    failure.message =
        "the text was entered, then the field left the page: what became of it cannot be read back".into();
    failure.reason("field_left_page").hint("look at what is there now: agent-device snapshot -i")
}

/// What the agent says of one element. Facts that the capture has too are left out.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Described {
    tag: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    text_cut: bool,
    #[serde(default)]
    attributes: serde_json::Map<String, Value>,
    #[serde(default)]
    extra: Option<DescribedExtra>,
}

#[derive(Debug, Deserialize)]
struct DescribedExtra {
    /// Label, value, 1 where it is chosen, 1 where it cannot be.
    #[serde(default)]
    options: Vec<(String, String, u8, u8)>,
}

#[derive(Debug, Deserialize)]
struct FieldSaid {
    #[serde(default)]
    value: Option<String>,
    #[serde(default)]
    masked: bool,
}

#[derive(Debug, Deserialize)]
struct TextSaid {
    text: String,
}

#[async_trait]
impl Device for BrowserDevice {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    async fn capture(&self, context: &Context, max_nodes: u32) -> Result<Tree, Failure> {
        let mut page = self.page.lock().await;
        match capture::capture(&mut page, context, max_nodes).await {
            // A window may close itself at any time, such as one for a login: what is left is looked at.
            Err(failure) if failure.reason_str() == Some("window_gone") => {
                if !windows::recover(&mut page, context).await? {
                    return Err(failure);
                }
                self.notice("the window closed by itself: commands go to another one now");
                capture::capture(&mut page, context, max_nodes).await
            }
            other => other,
        }
    }

    async fn aim(&self, context: &Context, node: NodeKey) -> Result<Option<Aimed>, Failure> {
        if node.id == PAGE_ITSELF {
            return Ok(None);
        }
        let mut page = self.page.lock().await;
        aim::aim(&mut page, context, node).await.map(Some)
    }

    async fn perform(&self, context: &Context, input: Input) -> Result<Receipt, Failure> {
        let mut page = self.page.lock().await;
        let page = &mut *page;
        // Of an earlier input that failed all the same.
        let _earlier = page.line.take_resolved();
        let receipt = self.input(page, context, input).await?;
        Ok(Receipt { resolved: page.line.take_resolved(), ..receipt })
    }

    async fn screenshot(&self, context: &Context, whole: bool) -> Result<Picture, Failure> {
        let mut page = self.page.lock().await;
        picture::take(&mut page, context, self.browser, whole).await
    }

    async fn field(&self, context: &Context, node: NodeKey) -> Result<Option<Field>, Failure> {
        if node.id == PAGE_ITSELF {
            return Ok(None);
        }
        let said: FieldSaid = match self.about(context, node, "readValue").await {
            Err(failure) if failure.reason_str() == Some("target_gone") && self.is_filled(node).await => {
                return Err(left_after_fill(failure));
            }
            said => said?,
        };
        Ok(said.value.map(|value| Field { value, masked: said.masked }))
    }

    async fn text(&self, context: &Context, node: NodeKey) -> Result<Option<String>, Failure> {
        if node.id == PAGE_ITSELF {
            return Ok(None);
        }
        let said: TextSaid = self.about(context, node, "describe").await?;
        Ok(Some(said.text))
    }

    async fn attributes(&self, context: &Context, node: NodeKey) -> Result<Option<Value>, Failure> {
        if node.id == PAGE_ITSELF {
            return Ok(None);
        }
        let said: Described = self.about(context, node, "describe").await?;
        let options: Vec<Value> = said
            .extra
            .map(|extra| extra.options)
            .unwrap_or_default()
            .into_iter()
            .map(|(label, value, selected, disabled)| {
                json!({"label": label, "value": value, "selected": selected == 1, "disabled": disabled == 1})
            })
            .collect();
        let mut facts = json!({"tag": said.tag, "text": said.text, "dom": said.attributes});
        if said.text_cut {
            facts["textCut"] = true.into();
        }
        if !options.is_empty() {
            facts["options"] = options.into();
        }
        Ok(Some(facts))
    }

    async fn text_focus(&self, context: &Context) -> Result<Option<bool>, Failure> {
        let mut page = self.page.lock().await;
        typing::takes_text(&mut page, context).await.map(Some)
    }

    async fn dialog(&self, context: &Context) -> Result<Option<Dialog>, Failure> {
        let mut page = self.page.lock().await;
        dialog::get(&mut page, context).await
    }

    async fn windows(&self, context: &Context) -> Result<Vec<Window>, Failure> {
        let mut page = self.page.lock().await;
        windows::list(&mut page, context).await
    }

    async fn switch_window(&self, context: &Context, id: &str) -> Result<(), Failure> {
        let mut page = self.page.lock().await;
        windows::switch_to(&mut page, context, id).await
    }

    async fn downloads(&self, _context: &Context) -> Result<Vec<Download>, Failure> {
        let Some(folder) = self.downloads.as_ref().filter(|_| self.capabilities.has(Capability::Downloads)) else {
            return Err(self.cannot(Capability::Downloads));
        };
        files::downloads(folder).map_err(|why| {
            Failure::refused(
                Row::DaemonAdmissionStorage,
                Code::StorageFailed,
                format!("the folder of downloads cannot be read: {why}"),
            )
        })
    }

    async fn network(&self, context: &Context, since: Duration) -> Result<Option<Traffic>, Failure> {
        let mut page = self.page.lock().await;
        network::read(&mut page, context, since).await.map(Some)
    }

    async fn network_end(&self, context: &Context) -> Result<(), Failure> {
        let mut page = self.page.lock().await;
        network::end(&mut page, context).await
    }

    fn notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn close(&self, _context: &Context) -> Result<(), Failure> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut page = self.page.lock().await;
        end(&mut page, running).await
    }
}
