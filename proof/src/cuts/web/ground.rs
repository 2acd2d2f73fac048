//! A page in a real browser behind the proxy, and a way to both that passes neither the proxy nor the daemon.

use std::time::Duration;

use cut::{At, Exchange, Fault, Framing, Proxy, Strike};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::operations::{AROUND, Count, FRAME, LANDING, Life, Operation, PAGE, Ready};
use crate::{
    browser_driver::BrowserDriver,
    patience::LIMIT,
    seen::Told,
    site::Site,
    web::ask,
    world::{Session, World},
};

/// How long the browser's own state may take to be as it was asked for.
const SETTLED: Duration = Duration::from_secs(5);

/// A driver that a campaign is run against, and what `open` needs to be told of it.
#[async_trait::async_trait]
pub trait Subject: Send {
    /// `host:port` of the driver.
    fn authority(&self) -> String;
    /// Words that follow `--driver-url URL`.
    fn options(&self) -> String {
        String::new()
    }
    /// Where the driver lists its sessions.
    fn sessions(&self) -> &'static str {
        "/sessions"
    }
    /// Ends the driver and all that it started.
    async fn end(&mut self);
}

#[async_trait::async_trait]
impl Subject for BrowserDriver {
    fn authority(&self) -> String {
        self.authority.clone()
    }

    async fn end(&mut self) {
        self.kill().await;
    }
}

/// The page, its browser, and everything between.
pub struct Ground<'w> {
    world: &'w World,
    /// Between backend and driver.
    pub proxy: Proxy,
    site: Site,
    subject: Box<dyn Subject>,
    session: Session<'w>,
    mobile: bool,
    /// The driver's name of the session: `/session/ID`.
    path: String,
    file: String,
    /// Browsers that nobody but the driver knew of any more, and that were ended past the backend.
    pub left_behind: u32,
}

/// The page cannot be made ready: why.
pub type Unready = String;

impl<'w> Ground<'w> {
    /// Opens the page.
    pub async fn start(world: &'w World, subject: Box<dyn Subject>) -> Self {
        let site = Site::serving(&[PAGE, FRAME, LANDING]).await;
        let framed = format!("{}{}", site.url.replace("127.0.0.1", "localhost"), FRAME.0);
        site.add(AROUND.0, &AROUND.1.replace("{frame}", &framed));
        let proxy = Proxy::tcp(&subject.authority(), Framing::Http).await;
        let file = world.folder().join("upload.txt");
        std::fs::write(&file, "content").expect("a file");
        let session = world.session("web");
        let mut ground = Self {
            world,
            proxy,
            site,
            subject,
            session,
            mobile: false,
            path: String::new(),
            file: file.display().to_string(),
            left_behind: 0,
        };
        ground.open().await.unwrap_or_else(|why| panic!("opening: {why}"));
        ground
    }

    /// Opens the browser, as it is to be.
    async fn open(&mut self) -> Result<(), String> {
        let mobile = if self.mobile { " --mobile 500x600@1" } else { "" };
        self.proxy.forget();
        let line = self.words("open {url} --driver-url {driver}") + mobile;
        self.session.run(&line).await.map_err(|told| told.error.to_string())?;
        let named = self.proxy.exchanges().into_iter().find_map(|exchange| {
            let id = exchange.first.split("/session/").nth(1)?.split(['/', ' ']).next()?.to_owned();
            Some(format!("/session/{id}"))
        });
        self.path = named.ok_or("no session is spoken of")?;
        Ok(())
    }

    /// Ends the browser, whatever state it is in, and opens another one.
    pub async fn anew(&mut self) {
        // A session that is gone has nothing to close.
        let _closed = self.session.run("close").await;
        self.reopened().await.unwrap_or_else(|why| panic!("after a close, opening: {why}"));
    }

    /// Opens the browser after its session has ended; what the driver still has is ended first.
    ///
    /// # Errors
    /// What `open` says.
    pub async fn reopened(&mut self) -> Result<(), String> {
        self.left_behind += self.end_browsers("").await;
        self.open().await
    }

    /// A browser of the kind that an operation needs is open, and nothing else.
    pub async fn suit(&mut self, operation: &Operation) {
        if self.mobile != operation.mobile {
            self.mobile = operation.mobile;
            self.anew().await;
        }
    }

    /// Ends everything.
    pub async fn end(mut self) {
        let _closed = self.session.run("close").await;
        self.subject.end().await;
    }

    /// A line of an operation as it is typed here.
    fn words(&self, line: &str) -> String {
        let driver = format!("http://{}{}", self.proxy.address(), self.subject.options());
        line.replace("{url}", &self.site.url).replace("{driver}", &driver).replace("{file}", &self.file)
    }

    /// The session that an operation is one of.
    pub fn session_of(&self, operation: &Operation) -> Session<'w> {
        match operation.life {
            Life::Starts => self.world.session("fresh"),
            Life::Stays | Life::Ends => self.world.session("web"),
        }
    }

    /// Runs an operation under strikes; `None` where no answer comes.
    pub async fn run(
        &self,
        operation: &Operation,
        strikes: &[(u32, Fault)],
        limit_ms: Option<u64>,
    ) -> Option<Result<Value, Told>> {
        self.proxy.forget();
        for (nth, fault) in strikes {
            self.proxy.arm(Strike { at: At::any(*nth), fault: fault.clone() });
        }
        let session = self.session_of(operation);
        let mut request = session.request(&self.words(operation.line));
        request.timeout_ms = limit_ms;
        // Below the limit of a line's own patience, which would end the campaign.
        timeout(LIMIT - Duration::from_secs(5), self.world.run(&request)).await.ok()
    }

    /// Asks the driver about the session.
    async fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        ask(&self.subject.authority(), method, &format!("{}{path}", self.path), &body).await
    }

    /// Evaluates something in the top document, whichever frame the driver is in.
    async fn evaluate(&self, expression: &str) -> Result<Value, Unready> {
        let params = json!({"expression": expression, "returnByValue": true});
        let said = self.ask("POST", "/goog/cdp/execute", &json!({"cmd": "Runtime.evaluate", "params": params})).await;
        match said.pointer("/value/result") {
            Some(result) if said.pointer("/value/exceptionDetails").is_none() => Ok(result["value"].clone()),
            _ => Err(format!("{expression}: {said}")),
        }
    }

    /// The dialog that is open. Also: whatever was sent before is over when this is answered.
    pub async fn dialog(&self) -> Option<String> {
        let said = self.ask("GET", "/alert/text", &Value::Null).await;
        said["value"].as_str().map(str::to_owned)
    }

    async fn windows(&self) -> Vec<String> {
        let said = self.ask("GET", "/window/handles", &Value::Null).await;
        serde_json::from_value(said["value"].clone()).unwrap_or_default()
    }

    /// Makes the page ready for an operation.
    ///
    /// # Errors
    /// What stands in the way.
    pub async fn prepare(&self, operation: &Operation) -> Result<(), Unready> {
        for _ in 0..3 {
            if self.dialog().await.is_none() {
                break;
            }
            self.ask("POST", "/alert/dismiss", &json!({})).await;
        }
        if self.evaluate("location.pathname + (window.hit ? '' : '?')").await? != operation.page {
            self.load(operation.page).await?;
        }
        for step in operation.ready {
            match *step {
                Ready::Script(script) => drop(self.evaluate(script).await?),
                Ready::Load => self.load(operation.page).await?,
                Ready::PointerAway => self.pointer_away().await?,
                Ready::Dialog(script) => {
                    self.evaluate(script).await?;
                    self.soon("a dialog", async || self.dialog().await.is_some()).await?;
                }
                Ready::Windows(count) => self.have_windows(count).await?,
                Ready::Size(width, height) => self.have_size(width, height).await?,
            }
        }
        Ok(())
    }

    async fn load(&self, page: &str) -> Result<(), Unready> {
        let said = self.ask("POST", "/url", &json!({"url": self.site.url.clone() + page})).await;
        if said["value"].is_null() { Ok(()) } else { Err(format!("loading: {said}")) }
    }

    async fn pointer_away(&self) -> Result<(), Unready> {
        let moved = json!({"type": "pointerMove", "duration": 0, "x": 5, "y": 440, "origin": "viewport"});
        let pointer =
            json!({"type": "pointer", "id": "away", "parameters": {"pointerType": "mouse"}, "actions": [moved]});
        let said = self.ask("POST", "/actions", &json!({"actions": [pointer]})).await;
        if said["value"].is_null() { Ok(()) } else { Err(format!("moving the pointer: {said}")) }
    }

    async fn have_windows(&self, count: usize) -> Result<(), Unready> {
        let mut open = self.windows().await;
        let current = self.ask("GET", "/window", &Value::Null).await["value"].clone();
        while open.len() > count {
            let extra = open.iter().rfind(|id| current != id.as_str()).cloned().ok_or("one window only")?;
            self.ask("POST", "/window", &json!({"handle": extra})).await;
            self.ask("DELETE", "/window", &Value::Null).await;
            self.ask("POST", "/window", &json!({"handle": current})).await;
            open = self.windows().await;
        }
        while open.len() < count {
            self.ask("POST", "/window/new", &json!({"type": "window"})).await;
            open = self.windows().await;
        }
        Ok(())
    }

    async fn have_size(&self, width: u32, height: u32) -> Result<(), Unready> {
        let outer = self.evaluate("[outerWidth - innerWidth, outerHeight - innerHeight]").await?;
        let around = |index: usize| outer[index].as_u64().unwrap_or(0);
        let body = json!({"width": u64::from(width) + around(0), "height": u64::from(height) + around(1)});
        self.ask("POST", "/window/rect", &body).await;
        let is = format!("innerWidth === {width} && innerHeight === {height}");
        self.soon("the size", async || self.evaluate(&is).await == Ok(true.into())).await
    }

    async fn soon(&self, what: &str, holds: impl AsyncFn() -> bool) -> Result<(), Unready> {
        let waited = async {
            while !holds().await {
                tokio::task::yield_now().await;
            }
        };
        timeout(SETTLED, waited).await.map_err(|_| format!("{what}: not after {SETTLED:?}"))
    }

    /// How often an operation was done, as its count has it: a number to compare with an earlier one.
    pub async fn counted(&self, operation: &Operation) -> u32 {
        match operation.count {
            Count::Site(names) => names.iter().map(|name| self.site.hits(name)).sum(),
            Count::Page(expression) => {
                let number = self.evaluate(expression).await.ok().and_then(|value| value.as_f64()).unwrap_or(0.0);
                // Counts are small and not negative.
                number.round() as u32
            }
            Count::ClosedWindows => {
                let wanted = operation.ready.iter().find_map(|step| match step {
                    Ready::Windows(count) => Some(*count),
                    _ => None,
                });
                let closed = wanted.unwrap_or(0).saturating_sub(self.windows().await.len());
                u32::try_from(closed).unwrap_or(u32::MAX)
            }
            Count::Ended => u32::from(!self.sessions().await.contains(&self.path)),
        }
    }

    /// The driver's sessions: `/session/ID`.
    async fn sessions(&self) -> Vec<String> {
        let said = ask(&self.subject.authority(), "GET", self.subject.sessions(), "").await;
        let list = said["value"].as_array().cloned().unwrap_or_default();
        list.iter().filter_map(|one| Some(format!("/session/{}", one["id"].as_str()?))).collect()
    }

    /// Ends every browser but that of a session; how many.
    async fn end_browsers(&mut self, but: &str) -> u32 {
        let mut ended = 0;
        for session in self.sessions().await.into_iter().filter(|session| session != but) {
            ask(&self.subject.authority(), "DELETE", &session, "").await;
            ended += 1;
        }
        ended
    }

    /// Ends browsers that a session of the daemon's does not know of.
    pub async fn end_strays(&mut self) {
        let path = self.path.clone();
        self.left_behind += self.end_browsers(&path).await;
    }

    /// Returns once the driver has no session of the browser any more, where it was told to end it.
    pub async fn ended(&self) {
        let told =
            self.proxy.exchanges().iter().any(|exchange| exchange.label.starts_with("DELETE ") && exchange.whole());
        if told {
            // One that does not end is what is counted.
            let _not_ended = self.soon("the end", async || !self.sessions().await.contains(&self.path)).await;
        }
    }

    /// The command of an operation.
    pub fn command(&self, operation: &Operation) -> contract::Command {
        contract::Command::from_line(&self.words(operation.line))
            .unwrap_or_else(|why| panic!("{}: {why}", operation.line))
    }

    /// What an operation says to the driver where nothing is wrong.
    pub async fn spoken(&mut self, operation: &Operation) -> Vec<Exchange> {
        self.prepare(operation).await.unwrap_or_else(|why| panic!("{}: {why}", operation.name));
        let _said = self.run(operation, &[], None).await;
        let exchanges = self.proxy.exchanges();
        match operation.life {
            Life::Stays => {}
            Life::Starts => drop(self.session_of(operation).run("close").await),
            Life::Ends => self.reopened().await.unwrap_or_else(|why| panic!("opening again: {why}")),
        }
        exchanges
    }
}
