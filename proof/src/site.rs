//! A web site that counts what reaches it: the truth about a page that is driven.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use crate::cut::message;

/// What every page of the site can call: tells the site at once that something happened.
const HIT: &str =
    "<script>function hit(what){const r=new XMLHttpRequest();r.open('POST','/hit/'+what,false);r.send()}</script>";

/// What is served, by path.
type Pages = Arc<Mutex<HashMap<String, String>>>;

/// The site.
#[derive(Debug)]
pub struct Site {
    /// `http://127.0.0.1:PORT`.
    pub url: String,
    hits: Arc<Mutex<HashMap<String, u32>>>,
    pages: Pages,
    task: JoinHandle<()>,
}

impl Site {
    /// Serves `body` at `/`: see [`Site::serving`].
    pub async fn with(body: &str) -> Self {
        Self::serving(&[("/", body)]).await
    }

    /// Serves a page for each path and body, a page that never answers at `/slow`, and counts what is posted to
    /// `/hit/NAME`. Every page that is asked for counts as `page PATH`.
    pub async fn serving(bodies: &[(&str, &str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("a bound socket has an address"));
        let hits = Arc::new(Mutex::new(HashMap::new()));
        let pages = Pages::default();
        let (shared, served) = (hits.clone(), pages.clone());
        let task = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let (shared, served) = (shared.clone(), served.clone());
                connections.spawn(async move { serve(client, &served, &shared).await });
            }
        });
        let site = Self { url, hits, pages, task };
        bodies.iter().for_each(|(path, body)| site.add(path, body));
        site
    }

    /// Serves one page more, or another one instead.
    pub fn add(&self, path: &str, body: &str) {
        let text = format!("<!doctype html><html lang=en><title>Ground</title>{HIT}<body>{body}</body></html>");
        self.pages.lock().unwrap().insert(path.to_owned(), text);
    }

    /// How often something happened.
    pub fn hits(&self, what: &str) -> u32 {
        self.hits.lock().unwrap().get(what).copied().unwrap_or(0)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    client: TcpStream,
    pages: &Mutex<HashMap<String, String>>,
    hits: &Mutex<HashMap<String, u32>>,
) -> Option<()> {
    let mut client = BufReader::new(client);
    loop {
        let request = message(&mut client).await?;
        let path = request.first.split(' ').nth(1)?.to_owned();
        let counted = path.strip_prefix("/hit/").map_or_else(|| format!("page {path}"), str::to_owned);
        *hits.lock().unwrap().entry(counted).or_insert(0) += 1;
        let page = pages.lock().unwrap().get(&path).cloned();
        let (status, body) = match path.as_str() {
            "/slow" => {
                // The page that never comes: until whoever waits for it goes away.
                message(&mut client).await?;
                return None;
            }
            _ if page.is_some() => ("200 OK", page.as_deref().unwrap_or_default()),
            "/other" => ("200 OK", "<!doctype html><title>Other</title><p>Another page"),
            path if path.starts_with("/hit/") => ("200 OK", ""),
            _ => ("404 Not Found", "<!doctype html><title>Nothing</title>"),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncache-control: no-store\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        client.get_mut().write_all(head.as_bytes()).await.ok()?;
        client.get_mut().write_all(body.as_bytes()).await.ok()?;
    }
}
