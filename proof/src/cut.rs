//! A proxy between the web backend and its driver. It hands requests on whole, and loses, delays or replaces what
//! comes back, where a rule says so.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
    time::sleep,
};

use crate::web::ask;

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// The driver gets it and answers; the connection is closed instead of handing the answer on.
    DropReply,
    /// The driver gets it; its answer comes this much later.
    Delay(Duration),
    /// The driver gets it; a gateway's page comes back instead of its answer.
    Gateway(u16),
    /// The driver gets it; what comes back is no WebDriver reply.
    Garble,
    /// The driver gets it after this script ran in the page.
    First(&'static str),
    /// The driver never gets it; this W3C error code comes back with its HTTP status.
    Refuse(u16, &'static str),
}

#[derive(Debug)]
struct Rule {
    method: &'static str,
    ending: &'static str,
    nth: u32,
    cut: Cut,
    seen: u32,
}

#[derive(Debug, Default)]
struct Inner {
    rules: Vec<Rule>,
    handed_on: Vec<(String, String)>,
    session: Option<String>,
    struck: u32,
}

/// The proxy. Closing it makes its address one where nothing listens.
#[derive(Debug)]
pub struct CutProxy {
    /// `http://127.0.0.1:PORT`.
    pub url: String,
    inner: Arc<Mutex<Inner>>,
    task: JoinHandle<()>,
}

impl CutProxy {
    /// A proxy in front of `driver` (`host:port`) that hands everything on.
    pub async fn before(driver: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("a bound socket has an address"));
        let inner = Arc::new(Mutex::new(Inner::default()));
        let (shared, driver) = (inner.clone(), driver.to_owned());
        let task = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let (shared, driver) = (shared.clone(), driver.clone());
                connections.spawn(async move { serve(client, &driver, &shared).await });
            }
        });
        Self { url, inner, task }
    }

    /// Arms a cut for the `nth` request from now on, from 1, of a method whose path ends so.
    pub fn cut(&self, nth: u32, method: &'static str, ending: &'static str, cut: Cut) {
        self.inner.lock().unwrap().rules.push(Rule { method, ending, nth, cut, seen: 0 });
    }

    /// How often a cut struck.
    pub fn struck(&self) -> u32 {
        self.inner.lock().unwrap().struck
    }

    /// The path of the session that was spoken of last: `/session/ID`.
    pub fn session(&self) -> Option<String> {
        self.inner.lock().unwrap().session.clone()
    }

    /// How many requests of a method whose path ends so reached the driver.
    pub fn handed_on(&self, method: &str, ending: &str) -> usize {
        let inner = self.inner.lock().unwrap();
        inner.handed_on.iter().filter(|(seen, path)| seen == method && path.ends_with(ending)).count()
    }

    /// Nothing listens any more, and open connections are closed.
    pub async fn close(&mut self) {
        self.task.abort();
        let _aborted = (&mut self.task).await;
    }
}

impl Drop for CutProxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(client: TcpStream, driver: &str, shared: &Mutex<Inner>) -> Option<()> {
    let mut client = BufReader::new(client);
    let mut upstream = BufReader::new(TcpStream::connect(driver).await.ok()?);
    loop {
        let request = message(&mut client).await?;
        let mut words = request.first.split(' ');
        let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
        let cut = {
            let mut inner = shared.lock().unwrap();
            let mut found = None;
            for rule in inner.rules.iter_mut().filter(|rule| rule.method == method && path.ends_with(rule.ending)) {
                rule.seen += 1;
                if rule.seen == rule.nth {
                    found = Some(rule.cut);
                }
            }
            inner.struck += u32::from(found.is_some());
            found
        };
        if let Some(Cut::Refuse(status, error)) = cut {
            let body = serde_json::json!({"value": {"error": error, "message": "", "stacktrace": ""}}).to_string();
            client.get_mut().write_all(page(status, "application/json", &body).as_bytes()).await.ok()?;
            continue;
        }
        let session = path.split('/').nth(2).map(|id| format!("/session/{id}"));
        if let (Some(Cut::First(script)), Some(session)) = (cut, &session) {
            let body = serde_json::json!({"script": script, "args": []}).to_string();
            let said = ask(driver, "POST", &format!("{session}/execute/sync"), &body).await;
            assert!(said["value"]["error"].is_null(), "the script failed: {said}");
        }
        upstream.get_mut().write_all(&request.bytes).await.ok()?;
        {
            let mut inner = shared.lock().unwrap();
            inner.handed_on.push((method, path));
            inner.session = session.or(inner.session.take());
        }
        let reply = message(&mut upstream).await?;
        match cut {
            Some(Cut::DropReply) => return None,
            Some(Cut::Delay(time)) => sleep(time).await,
            Some(Cut::Gateway(status)) => {
                client.get_mut().write_all(page(status, "text/html", "<h1>Bad gateway</h1>").as_bytes()).await.ok()?;
                continue;
            }
            Some(Cut::Garble) => {
                client.get_mut().write_all(page(200, "application/json", "{\"val").as_bytes()).await.ok()?;
                continue;
            }
            Some(Cut::Refuse(..) | Cut::First(_)) | None => {}
        }
        client.get_mut().write_all(&reply.bytes).await.ok()?;
    }
}

fn page(status: u16, kind: &str, body: &str) -> String {
    format!("HTTP/1.1 {status} x\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

/// A whole message as it came.
#[derive(Debug)]
pub struct Message {
    /// Its first line.
    pub first: String,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// Reads one HTTP/1.1 message with a `content-length`; `None` at the end of the stream.
pub async fn message(from: &mut BufReader<TcpStream>) -> Option<Message> {
    let mut head = String::new();
    let mut length = 0usize;
    loop {
        let start = head.len();
        if from.read_line(&mut head).await.ok()? == 0 {
            return None;
        }
        let line = head.get(start..)?.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok()?;
        }
    }
    let first = head.lines().next()?.to_owned();
    let mut bytes = head.into_bytes();
    let start = bytes.len();
    bytes.resize(start + length, 0);
    from.read_exact(bytes.get_mut(start..)?).await.ok()?;
    Some(Message { first, bytes })
}
