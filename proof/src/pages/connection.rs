//! WebDriver requests beside those of the backend, in the same session.

use serde_json::{Value, json};
use tokio::{
    io::{AsyncWriteExt, BufReader},
    net::TcpStream,
};

use crate::{cut::message, patience::soon};

/// A connection of its own to a driver, that speaks in the one session which the driver has.
#[derive(Debug)]
pub struct Connection {
    stream: BufReader<TcpStream>,
    authority: String,
    session: String,
    /// Version of the browser.
    pub version: String,
}

impl Connection {
    /// Joins the session of a driver at `authority` (`host:port`).
    ///
    /// # Panics
    /// Where the driver does not have exactly one session.
    pub async fn joining(authority: &str) -> Self {
        let stream = TcpStream::connect(authority).await.expect("the driver listens");
        let mut joined = Self {
            stream: BufReader::new(stream),
            authority: authority.to_owned(),
            session: String::new(),
            version: String::new(),
        };
        let sessions = joined.send("GET", "/sessions", None).await.expect("the driver lists its sessions");
        let all = sessions.as_array().map_or(&[][..], Vec::as_slice);
        let [session] = all else { panic!("not one session: {sessions}") };
        joined.version =
            session["capabilities"]["browserVersion"].as_str().unwrap_or("of an unknown version").to_owned();
        joined.session = format!("/session/{}", session["id"].as_str().expect("a session has an id"));
        joined
    }

    /// What the driver says of an element, by the last part of the route. `Err`: the W3C error code.
    ///
    /// # Errors
    /// The W3C error code.
    pub async fn of(&mut self, element: &str, what: &str) -> Result<String, String> {
        let path = format!("{}/element/{element}/{what}", self.session);
        let value = self.send("GET", &path, None).await?;
        Ok(value.as_str().unwrap_or_default().to_owned())
    }

    /// Runs a script in the page.
    ///
    /// # Panics
    /// Where it fails.
    pub async fn run(&mut self, script: &str, arguments: Value) -> Value {
        let path = format!("{}/execute/sync", self.session);
        let ran = self.send("POST", &path, Some(json!({"script": script, "args": arguments}))).await;
        ran.unwrap_or_else(|error| panic!("a script in the page: {error}"))
    }

    /// From now on the page loads from one site only: what it gets must not depend on what else can be reached.
    ///
    /// # Panics
    /// Where the browser does not do it.
    pub async fn only_from(&mut self, host: &str) {
        let path = format!("{}/goog/cdp/execute", self.session);
        let patterns = json!([
            {"urlPattern": format!("http://{host}:*/*"), "block": false},
            {"urlPattern": "*://*:*/*", "block": true},
        ]);
        for (command, params) in
            [("Network.enable", json!({})), ("Network.setBlockedURLs", json!({"urlPatterns": patterns}))]
        {
            let done = self.send("POST", &path, Some(json!({"cmd": command, "params": params}))).await;
            done.unwrap_or_else(|error| panic!("{command}: {error}"));
        }
    }

    async fn send(&mut self, method: &str, path: &str, body: Option<Value>) -> Result<Value, String> {
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.authority,
            body.len()
        );
        let reply = soon(path, async {
            self.stream.get_mut().write_all((head + &body).as_bytes()).await.ok()?;
            message(&mut self.stream).await
        })
        .await;
        let bytes = reply.unwrap_or_else(|| panic!("{method} {path}: the driver hung up")).bytes;
        let content = bytes.windows(4).position(|end| end == b"\r\n\r\n").map_or(0, |end| end + 4);
        let mut reply: Value = serde_json::from_slice(bytes.get(content..).unwrap_or_default())
            .unwrap_or_else(|why| panic!("{method} {path}: no WebDriver reply: {why}"));
        match reply["value"]["error"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => Ok(reply["value"].take()),
        }
    }
}
