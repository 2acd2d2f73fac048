//! A page in a real browser behind the cut proxy, with a way to it that the backend does not know of.

use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, io::BufReader, net::TcpStream};

use crate::{
    browser_driver::BrowserDriver,
    cut::{CutProxy, message},
    patience::soon,
    seen::{Seen, Told},
    site::Site,
    world::{Session, World},
};

/// The page, its browser, and everything between.
pub struct Web<'w> {
    /// The session that has it open.
    pub session: Session<'w>,
    /// Between backend and driver.
    pub proxy: CutProxy,
    /// The driver itself.
    pub driver: BrowserDriver,
    /// Where the page comes from.
    pub site: Site,
}

impl<'w> Web<'w> {
    /// Opens a page with this body.
    pub async fn open(world: &'w World, body: &str) -> Self {
        let site = Site::with(body).await;
        let driver = BrowserDriver::start().await;
        let proxy = CutProxy::before(&driver.authority).await;
        let session = world.session("web");
        session.does(&format!("open {} --driver-url {}", site.url, proxy.url)).await;
        Self { session, proxy, driver, site }
    }

    /// Runs a script in the page, past the backend.
    pub async fn browser(&mut self, script: &str) {
        let body = json!({"script": script, "args": []}).to_string();
        self.ask("POST", "/execute/sync", &body).await;
    }

    /// Closes the window that commands go to, past the backend.
    pub async fn close_window(&mut self) {
        self.ask("DELETE", "/window", "").await;
    }

    /// Asks the driver something about the session, past the backend.
    pub async fn ask(&mut self, method: &str, path: &str, body: &str) -> Value {
        let session = self.proxy.session().expect("a session was started");
        ask(&self.driver.authority, method, &format!("{session}{path}"), body).await
    }

    /// Ends the browser and its driver, then counts.
    pub async fn ended(mut self, seen: impl FnOnce(&Site) -> Seen) -> Seen {
        // A driver that is gone, or a session that is, has nothing to close.
        let _closed = self.session.run("close").await;
        self.driver.kill().await;
        seen(&self.site)
    }
}

/// One request to a driver.
pub async fn ask(driver: &str, method: &str, path: &str, body: &str) -> Value {
    let stream = soon("the driver", TcpStream::connect(driver)).await.expect("the driver listens");
    let mut stream = BufReader::new(stream);
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {driver}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.get_mut().write_all(head.as_bytes()).await.expect("the driver reads");
    stream.get_mut().write_all(body.as_bytes()).await.expect("the driver reads");
    let reply = soon("the driver's answer", message(&mut stream)).await.expect("the driver answers");
    let start = reply.bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
    serde_json::from_slice(reply.bytes.get(start..).unwrap_or_default()).expect("the driver answers with JSON")
}

/// Opens a page through a server that resets every connection as soon as it is there, until the reset is noticed
/// before a byte was written: which of the two comes first is the kernel's to say.
pub async fn reset_on_connect(world: &World) -> Told {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let resets = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            drop(stream);
        }
    });
    let session = world.session("web");
    let mut others = Vec::new();
    for _ in 0..2000 {
        let told = session.fails(&format!("open http://127.0.0.1:1/ --driver-url {url}")).await;
        if told.row.as_deref() == Some(contract::Row::WebdriverNotWritten.id()) {
            resets.abort();
            return told;
        }
        others.push(told.row);
    }
    panic!("never before a byte was written: {:?}", others.pop());
}
